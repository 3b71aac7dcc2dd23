package cluster

import (
	"fmt"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
)

// span is the documents from low on, below high.
type span struct{ low, high uint32 }

// extent is a set of documents as spans, which rise and are apart. It never
// changes, so that it can be shared.
type extent []span

// at returns the number of the first span that ends behind a document.
func (e extent) at(doc uint32) int {
	return sort.Search(len(e), func(i int) bool { return e[i].high > doc })
}

// has reports whether a document is in the set.
func (e extent) has(doc uint32) bool {
	i := e.at(doc)
	return i < len(e) && e[i].low <= doc
}

// numbers returns how many documents of a span are in the set, and size how many
// there are.
func (e extent) numbers(in span) (n uint64) {
	for i := e.at(in.low); i < len(e) && e[i].low < in.high; i++ {
		n += uint64(min(e[i].high, in.high) - max(e[i].low, in.low))
	}
	return n
}

func (e extent) size() (n uint64) {
	for _, s := range e {
		n += uint64(s.high - s.low)
	}
	return n
}

// without returns the documents that are not in another set.
func (e extent) without(other extent) (left extent) {
	for _, s := range e {
		for i := other.at(s.low); i < len(other) && other[i].low < s.high; i++ {
			if s.low < other[i].low {
				left = append(left, span{s.low, other[i].low})
			}
			s.low = min(other[i].high, s.high)
		}
		if s.low < s.high {
			left = append(left, s)
		}
	}
	return left
}

// documents returns the set as a bitmap.
func (e extent) documents() *roaring.Bitmap {
	set := roaring.New()
	for _, s := range e {
		set.AddRange(uint64(s.low), uint64(s.high))
	}
	return set
}

// where returns the condition that the document of a column is in the set.
func (e extent) where(column string) string {
	spans := make([]string, len(e))
	for i, s := range e {
		spans[i] = fmt.Sprintf("(%s >= %d AND %s < %d)", column, s.low, column, s.high)
	}
	return or(spans...)
}

// state is what the log says: which documents there are. It never changes.
type state struct {
	commits int64           // how many the log has
	spans   extent          // the documents that were committed
	dead    *roaring.Bitmap // documents among them that are gone, or have a newer one in their place

	games map[uint32]uint32 // the game of a document, where that has another number
	docs  map[uint32]uint32 // and the other way round: the document that a game has now

	tally []index.Tally
}

// game returns the number of the game of a document.
func (s *state) game(doc uint32) uint32 {
	if g, ok := s.games[doc]; ok {
		return g
	}
	return doc
}

// doc returns the document of a game, and whether there is one.
func (s *state) doc(game uint32) (uint32, bool) {
	doc, ok := s.docs[game]
	if !ok {
		doc = game
		if _, other := s.games[doc]; other {
			return 0, false // it stands for another game
		}
	}
	return doc, s.has(doc)
}

// has reports whether there is a document.
func (s *state) has(doc uint32) bool { return s.spans.has(doc) && !s.dead.Contains(doc) }
