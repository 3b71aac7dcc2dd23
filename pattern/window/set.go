package window

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Set is many shapes, ready to be looked for. It is immutable and safe for
// concurrent use.
//
// The window of a shape is centred on a cell that must be on the board. Of the
// pictures of a 3x3, one stands for all (see canon), and the shapes that have
// it in the middle, in any orientation and colour, stand in one list. A window
// of the board is turned so that its middle is that picture; what is found is
// turned back. The index so is a sixteenth of what it would be with all
// pictures of shapes, and stays in the cache.
type Set struct {
	canon *canon
	lists []list // by class

	// The lists lie one after the other: the rings of shapes as turned to the
	// class, many at a time in blocks, and what is left over in tests. ids are
	// sixteen times the shape plus the symmetry that turned it so.
	blocks []block
	tests  []ringTest
	ids    []uint32

	// open holds the shapes whose middle says too little: they are tested at
	// every point.
	open []openTest

	variants []variant // eight for every shape
	rests    []rest
}

// ringTest is one AND and one compare of the ring of a window.
type ringTest struct{ mask, want uint32 }

// lanes is how many rings a block holds; minLanes is from how many on it costs
// less than tests.
const (
	lanes    = 64
	minLanes = 12
)

// block tests many rings at once. The ring is read two points at a time; for
// each reading of two a word tells which rings allow it, and eight words that
// are ANDed tell which match. Any set of states costs the same here.
type block struct {
	may [8][16]uint64
	ids [lanes]uint32
}

// list is a part of blocks, and of tests and ids.
type list struct{ blocks, blocksEnd, tests, testsEnd uint32 }

// openTest is a test of a whole window.
type openTest struct {
	test
	id uint32
}

// Len returns the number of shapes.
func (s *Set) Len() int { return len(s.variants) / int(board.NumSymmetries) }

// AppendHits appends every place where a shape lies on the board, for both
// sides, and returns dst. A shape that looks the same in several orientations
// is reported once for a place, in the first of them, wherever in its region it is
// drawn. Hits come by the rows and
// columns of the point that the set looks them up at; for one set the order is
// always the same.
func (s *Set) AppendHits(dst []Hit, w *Windows) []Hit {
	var room [1024]uint32
	for y := range w.size.H {
		row := w.words[origin+y*board.Stride:][:w.size.W]
		for x, word := range row {
			for _, id := range s.find(room[:0], word) {
				dst = s.report(dst, w, id, x, y)
			}
		}
	}
	return dst
}

// find appends what a word matches, as far as it tells: sixteen times the
// shape, plus the symmetry that takes it to the board.
func (s *Set) find(dst []uint32, word uint64) []uint32 {
	of := s.canon.of[word&nineMask]
	if l := &s.lists[of>>4]; l.blocks < l.blocksEnd || l.tests < l.testsEnd {
		dst = s.walk(dst, l, uint32(word>>nineBits), sym(of&15))
	}
	if len(s.open) > 0 {
		swapped := Swap(word)
		for i := range s.open {
			t := &s.open[i]
			if t.holds(word) {
				dst = append(dst, t.id)
			}
			if t.holds(swapped) {
				dst = append(dst, t.id|8)
			}
		}
	}
	return dst
}

// walk appends what a ring matches in the list of its middle, where by takes
// the window to the class.
func (s *Set) walk(dst []uint32, l *list, ring uint32, by sym) []uint32 {
	ring = turn(ring, by)
	for i := l.blocks; i < l.blocksEnd; i++ {
		b := &s.blocks[i]
		m := b.may[0][ring&15] & b.may[1][ring>>4&15] & b.may[2][ring>>8&15] & b.may[3][ring>>12&15] &
			b.may[4][ring>>16&15] & b.may[5][ring>>20&15] & b.may[6][ring>>24&15] & b.may[7][ring>>28]
		for ; m != 0; m &= m - 1 {
			id := b.ids[bits.TrailingZeros64(m)]
			dst = append(dst, id&^15|uint32(back[by][id&15]))
		}
	}
	for i, t := range s.tests[l.tests:l.testsEnd] {
		if ring&t.mask == t.want {
			id := s.ids[int(l.tests)+i]
			dst = append(dst, id&^15|uint32(back[by][id&15]))
		}
	}
	return dst
}

// report appends the hit that find has told of at a point, if the rest is so
// too.
func (s *Set) report(dst []Hit, w *Windows, id uint32, x, y int) []Hit {
	v := &s.variants[id>>4<<3|id&7]
	swap := sym(id).swap()
	if v.silent || v.rest != 0 && !s.rests[v.rest].holds(w, x, y, swap) {
		return dst
	}
	return append(dst, Hit{
		Shape:    int32(id >> 4),
		Symmetry: game.Symmetry{Board: v.first, Swap: swap},
		X:        int16(x - int(v.x)),
		Y:        int16(y - int(v.y)),
	})
}
