package ledger

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
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

// Unite puts spans into order, in their place, and makes one of those that touch.
func Unite(list []Span) Extent {
	slices.SortFunc(list, func(x, y Span) int { return cmp.Compare(x.Low, y.Low) })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && s.Low <= out[n-1].High {
			out[n-1].High = max(out[n-1].High, s.High)
			continue
		}
		out = append(out, s)
	}
	return out
}

// ExtentOf returns a set of documents as spans.
func ExtentOf(b *roaring.Bitmap) (e Extent) {
	for it := b.Iterator(); it.HasNext(); {
		if n := it.Next(); len(e) > 0 && e[len(e)-1].High == n {
			e[len(e)-1].High++
		} else {
			e = append(e, Span{n, n + 1})
		}
	}
	return e
}

// SpansAtOnce is how many spans one statement names.
const SpansAtOnce = 500

// Parts yields the set in parts that one statement can name.
func (e Extent) Parts() iter.Seq[Extent] { return slices.Chunk(e, SpansAtOnce) }

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
	Commits int64 // how many the log has

	Doubtful []uint64        // the keys of rows of the log whose writers knew nothing of each other
	Doubt    Extent          // their documents
	Spans    Extent          // the documents that were committed
	Dead     *roaring.Bitmap // documents among them that are gone, or have a newer one in their place

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
	return doc, s.Has(doc) && s.Game(doc) == game
}

// Joined returns the number that a game has which was joined with others, or that
// it has always had.
func (s *State) Joined(game uint32) uint32 {
	for {
		to, ok := s.Games[game]
		if !ok || to == game {
			return game
		}
		game = to
	}
}

// Has reports whether there is a document.
func (s *State) Has(doc uint32) bool { return s.Spans.Has(doc) && !s.Dead.Contains(doc) }

// Gone returns the games that were deleted: those of dead documents in whose place none
// stands.
func (s *State) Gone() *roaring.Bitmap {
	gone := roaring.New()
	for it := s.Dead.Iterator(); it.HasNext(); {
		game := s.Game(it.Next())
		if _, ok := s.Doc(game); !ok {
			gone.Add(game)
		}
	}
	return gone
}

// What one statement says at most about which documents count: see Groups.
const (
	GroupSpans = 200
	GroupDead  = 20000
)

// Groups yields the spans of committed documents in groups of at most so
// many numbers, spans and dead documents, so that each can be asked about by one
// statement.
func (s *State) Groups(numbers, spans, dead uint64) iter.Seq[Group] {
	return func(yield func(Group) bool) {
		var g Group
		var size uint64
		flush := func() bool {
			full := g
			g, size = Group{}, 0
			return len(full.Spans) == 0 || yield(full)
		}
		for _, x := range s.Spans {
			for x.Low < x.High {
				if (size >= numbers || uint64(len(g.Spans)) >= spans || uint64(len(g.Dead)) >= dead) && !flush() {
					return
				}
				part := x
				part.High = uint32(min(uint64(x.High), uint64(x.Low)+numbers-size))
				it := s.Dead.Iterator()
				it.AdvanceIfNeeded(part.Low)
				for it.HasNext() && it.PeekNext() < part.High {
					if uint64(len(g.Dead)) >= dead {
						part.High = it.PeekNext()
						break
					}
					g.Dead = append(g.Dead, it.Next())
				}
				if part.Low < part.High {
					g.Spans = append(g.Spans, part)
					size += uint64(part.High - part.Low)
				}
				x.Low = part.High
			}
		}
		flush()
	}
}

// Group is spans of documents and those among them that are dead.
type Group struct {
	Spans Extent
	Dead  []uint32
}

// Visible returns the condition that a document is of the group, and alive.
func (g *Group) Visible() string {
	cond := g.Spans.Where("doc")
	if len(g.Dead) > 0 {
		cond += " AND doc NOT IN (" + wire.Numbers(g.Dead) + ")"
	}
	return cond
}
