package ledger

import (
	"fmt"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/wire"
)

// Span is the documents from low on, below high.
type Span struct{ Low, High uint32 }

// Extent is a set of documents as spans, which rise and are apart. It never
// changes, so that it can be shared.
type Extent []Span

// at returns the number of the first span that ends behind a document.
func (e Extent) at(doc uint32) int {
	return sort.Search(len(e), func(i int) bool { return e[i].High > doc })
}

// Has reports whether a document is in the set.
func (e Extent) Has(doc uint32) bool {
	i := e.at(doc)
	return i < len(e) && e[i].Low <= doc
}

// Numbers returns how many documents of a span are in the set, and size how many
// there are.
func (e Extent) Numbers(in Span) (n uint64) {
	for i := e.at(in.Low); i < len(e) && e[i].Low < in.High; i++ {
		n += uint64(min(e[i].High, in.High) - max(e[i].Low, in.Low))
	}
	return n
}

func (e Extent) Size() (n uint64) {
	for _, s := range e {
		n += uint64(s.High - s.Low)
	}
	return n
}

// Without returns the documents that are not in another set.
func (e Extent) Without(other Extent) (left Extent) {
	for _, s := range e {
		for i := other.at(s.Low); i < len(other) && other[i].Low < s.High; i++ {
			if s.Low < other[i].Low {
				left = append(left, Span{s.Low, other[i].Low})
			}
			s.Low = min(other[i].High, s.High)
		}
		if s.Low < s.High {
			left = append(left, s)
		}
	}
	return left
}

// Documents returns the set as a bitmap.
func (e Extent) Documents() *roaring.Bitmap {
	set := roaring.New()
	for _, s := range e {
		set.AddRange(uint64(s.Low), uint64(s.High))
	}
	return set
}

// Where returns the condition that the document of a column is in the set.
func (e Extent) Where(column string) string {
	spans := make([]string, len(e))
	for i, s := range e {
		spans[i] = fmt.Sprintf("(%s >= %d AND %s < %d)", column, s.Low, column, s.High)
	}
	return wire.Or(spans...)
}

// State is what the log says: which documents there are. It never changes.
type State struct {
	Commits int64           // how many the log has
	Spans   Extent          // the documents that were committed
	Dead    *roaring.Bitmap // documents among them that are gone, or have a newer one in their place

	Games map[uint32]uint32 // the game of a document, where that has another number
	Docs  map[uint32]uint32 // and the other way round: the document that a game has now

	Tally []index.Tally
}

// Game returns the number of the game of a document.
func (s *State) Game(doc uint32) uint32 {
	if g, ok := s.Games[doc]; ok {
		return g
	}
	return doc
}

// Doc returns the document of a game, and whether there is one.
func (s *State) Doc(game uint32) (uint32, bool) {
	doc, ok := s.Docs[game]
	if !ok {
		doc = game
		if _, other := s.Games[doc]; other {
			return 0, false // it stands for another game
		}
	}
	return doc, s.Has(doc)
}

// Has reports whether there is a document.
func (s *State) Has(doc uint32) bool { return s.Spans.Has(doc) && !s.Dead.Contains(doc) }
