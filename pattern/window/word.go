package window

import "qipu/pattern"

// The layout of words, from the centre outwards.
const (
	nineBits  = 18 // the centre, the four points next to it, the four diagonal ones
	pointBits = 50 // and the ring of sixteen

	columnShift = pointBits       // bit columnShift+2+dx: column dx is outside the board
	rowShift    = columnShift + 5 // bit rowShift+2+dy: row dy is

	nineMask  = 1<<nineBits - 1
	pointMask = 1<<pointBits - 1
	low       = 0x5555555555555555 & pointMask // the first side's bit of each point

	// outside is the word of a window that no point of the board is in.
	outside = 1<<60 - 1
)

// offsets are the points of a window in the order of their bits. The ring goes
// round clockwise from the top left: turning it is turning the bits.
var offsets = [25][2]int{
	{0, 0},
	{0, -1}, {1, 0}, {0, 1}, {-1, 0},
	{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
	{-2, -2}, {-1, -2}, {0, -2}, {1, -2},
	{2, -2}, {2, -1}, {2, 0}, {2, 1},
	{2, 2}, {1, 2}, {0, 2}, {-1, 2},
	{-2, 2}, {-2, 1}, {-2, 0}, {-2, -1},
}

// shifts[dy+2][dx+2] is where the bits of a point of a window begin.
var shifts = func() (s [5][5]uint8) {
	for i, d := range offsets {
		s[d[1]+2][d[0]+2] = uint8(2 * i)
	}
	return s
}()

// Shift returns where in a word the two bits of the point dx columns right of
// and dy rows below the centre begin; both lie between -2 and 2.
func Shift(dx, dy int) uint { return uint(shifts[dy+2][dx+2]) }

// Swap returns a word with the colours exchanged.
func Swap(w uint64) uint64 { return w&^pointMask | w&low<<1 | w>>1&low }

// test is one AND and one compare.
type test struct{ mask, want uint64 }

func (t test) holds(w uint64) bool { return w&t.mask == t.want }

// and returns the test of both, of points that differ.
func (t test) and(u test) test { return test{t.mask | u.mask, t.want | u.want} }

// nibble is a set of the four states of a point in a word: bit 0 is 00, bit 3
// is 11.
type nibble uint8

func (n nibble) swapped() nibble { return n&9 | n&2<<1 | n&4>>1 }

func nibbleOf(s pattern.Set) nibble {
	n := nibble(s & (pattern.Empty | Own | Enemy))
	if s&pattern.Off != 0 {
		n |= 8
	}
	return n
}

// pairs[n] are disjoint tests of the two bits of a point that together are the
// nibble; never more than two.
var pairs = [16][]test{
	1:  {{3, 0}},
	2:  {{3, 1}},
	3:  {{2, 0}},
	4:  {{3, 2}},
	5:  {{1, 0}},
	6:  {{3, 1}, {3, 2}},
	7:  {{2, 0}, {3, 2}},
	8:  {{3, 3}},
	9:  {{3, 0}, {3, 3}},
	10: {{1, 1}},
	11: {{2, 0}, {3, 3}},
	12: {{2, 2}},
	13: {{1, 0}, {3, 3}},
	14: {{1, 1}, {3, 2}},
	15: {{0, 0}},
}

// single returns the one test that says that the point dx, dy of a window is in
// a nibble; ok is false where that takes several. Any state on the board is a
// test of its column and row.
func single(n nibble, dx, dy int) (t test, ok bool) {
	if n == 7 {
		return test{mask: 1<<(columnShift+2+dx) | 1<<(rowShift+2+dy)}, true
	}
	if len(pairs[n]) != 1 {
		return test{}, false
	}
	t = pairs[n][0]
	return test{t.mask << Shift(dx, dy), t.want << Shift(dx, dy)}, true
}
