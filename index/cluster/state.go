package cluster

import (
	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
)

// span is the documents from low on, below high.
type span struct{ low, high uint32 }

// state is what the log says: which documents there are. It never changes.
type state struct {
	commits int64           // how many the log has
	spans   []span          // of documents that were committed: rising, apart
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
func (s *state) has(doc uint32) bool {
	lo, hi := 0, len(s.spans)
	for lo < hi {
		if mid := (lo + hi) / 2; s.spans[mid].high <= doc {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo < len(s.spans) && s.spans[lo].low <= doc && !s.dead.Contains(doc)
}
