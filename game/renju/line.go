package renju

import (
	"math/bits"

	"qipu/board"
)

// A board is kept four times, once for each direction of lines, one word per
// line:
//
//	direction  lines                bit of (x, y)
//	0 rows     y                    x + margin
//	1 columns  x                    y + margin
//	2 falling  x - y + MaxSide - 1  y + margin     \
//	3 rising   x + y                y + margin     /
//
// The margin keeps every bit that a line is asked for, down to two below its
// first point, inside the word.
const (
	directions = 4
	maxLines   = 2*board.MaxSide - 1
	margin     = 3
)

// lines is a set of points seen in all four directions.
type lines [directions][maxLines]uint32

// step is the way to the next higher bit of a line.
var step = [directions]struct{ x, y int }{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}

// place returns the line of a point in one direction, and its bit there.
func place(d, x, y int) (line, bit int) {
	switch d {
	case 0:
		return y, x + margin
	case 1:
		return x, y + margin
	case 2:
		return x - y + board.MaxSide - 1, y + margin
	}
	return x + y, y + margin
}

// flip puts a point into the set or takes it out.
func (l *lines) flip(x, y int) {
	bit := uint32(1) << (y + margin)
	l[0][y] ^= 1 << (x + margin)
	l[1][x] ^= bit
	l[2][x-y+board.MaxSide-1] ^= bit
	l[3][x+y] ^= bit
}

// down returns the number of ones in w at bit i and without a gap below it.
func down(w uint32, i int) int { return bits.LeadingZeros32(^(w << (31 - i))) }

// up returns the number of ones in w at bit i and without a gap above it.
func up(w uint32, i int) int { return bits.TrailingZeros32(^(w >> i)) }

// rows returns the lengths of the unbroken rows through a point, as if it were
// in the set.
func (l *lines) rows(x, y int) (n [directions]int) {
	for d := range n {
		line, i := place(d, x, y)
		n[d] = down(l[d][line], i-1) + 1 + up(l[d][line], i+1)
	}
	return n
}

// hasFive reports whether the set holds an unbroken row of five: exactly five,
// or with longer also more.
func (l *lines) hasFive(longer bool) bool {
	for d := range l {
		for _, w := range l[d] {
			five := w & (w >> 1) & (w >> 2) & (w >> 3) & (w >> 4)
			if !longer {
				five &^= w<<1 | w>>5
			}
			if five != 0 {
				return true
			}
		}
	}
	return false
}

// shape is what one more black stone makes of one line.
type shape struct {
	length int    // of the unbroken row through the stone
	fours  int    // fours through the stone: 0, 1 or 2
	n      int    // number of keys
	keys   [2]int // bits that make a straight four
}

// shapeOf looks at a line with a new stone on bit i. Everything between the
// stone and the next one must be black, so only the first free point on either
// side of its row can complete a four or be the key of a three: no table of
// patterns is needed.
//
//	. X X . X N X . X .        N the new stone, row lo..hi
//	      g lo    hi h         g, h the gaps; two stones below g, one above h
func shapeOf(black, free uint32, i int) (s shape) {
	lo := i - down(black, i-1)
	hi := i + up(black, i+1)
	s.length = hi - lo + 1
	if s.length >= 5 {
		return s
	}
	if g := lo - 1; free>>g&1 != 0 {
		below := down(black, g-1)
		s.fill(g, s.length+below, straight(black, free, g-below, hi))
	}
	if h := hi + 1; free>>h&1 != 0 {
		above := up(black, h+1)
		s.fill(h, s.length+above, straight(black, free, lo, h+above))
	}
	if s.length == 4 && s.fours == 2 {
		s.fours = 1 // both gaps complete the same four stones
	}
	return s
}

// fill notes what a stone in a gap would do if it joined n stones.
func (s *shape) fill(gap, n int, open bool) {
	switch {
	case n == 4:
		s.fours++
	case n == 3 && open:
		s.keys[s.n] = gap
		s.n++
	}
}

// straight reports whether a row lo..hi, once full, could be made a five of
// exactly one stone more at both ends.
func straight(black, free uint32, lo, hi int) bool {
	ends := uint32(1)<<(lo-1) | 1<<(hi+1)
	beyond := uint32(1)<<(lo-2) | 1<<(hi+2)
	return free&ends == ends && black&beyond == 0
}
