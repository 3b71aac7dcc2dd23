package window

import (
	"fmt"
	"strings"

	"qipu/board"
	"qipu/pattern"
)

// Bits is 25 points of a 5x5 region as the paper stores them: bit 25, the
// highest, is the top left point, bit 1 the bottom right one.
type Bits uint32

// bitOf returns the bit of a point of a 5x5 region.
func bitOf(x, y int) Bits { return 1 << (24 - 5*y - x) }

// String returns the points as the paper prints them, five digits a row.
func (b Bits) String() string {
	var rows [5]string
	for i := range rows {
		rows[i] = fmt.Sprintf("%05b", b>>(20-5*i)&31)
	}
	return strings.Join(rows[:], " ")
}

// Bitmap is a 5x5 pattern of six symbols as the paper stores it: where each of
// them stands.
type Bitmap struct {
	O Bits // O, ours
	X Bits // X, the enemy's
	P Bits // ., empty
	K Bits // &, not ours
	A Bits // @, not the enemy's
	D Bits // _, whatever
}

// symbol returns the integer that a set of the paper's is stored in, or nil.
// What lies outside the board is none of the paper's: here only _ holds it.
func (m *Bitmap) symbol(set pattern.Set) *Bits {
	switch set {
	case Own:
		return &m.O
	case Enemy:
		return &m.X
	case pattern.Empty:
		return &m.P
	case pattern.Empty | Enemy:
		return &m.K
	case pattern.Empty | Own:
		return &m.A
	case Any:
		return &m.D
	}
	return nil
}

// BitmapOf returns the shape as the paper stores it, where it can: 5x5 points
// of the six symbols.
func BitmapOf(s *Shape) (m Bitmap, ok bool) {
	if s.Size != (board.Size{W: 5, H: 5}) {
		return m, false
	}
	for i, set := range s.Cells {
		to := m.symbol(set)
		if to == nil {
			return m, false
		}
		*to |= bitOf(i%5, i/5)
	}
	return m, true
}

// Shape returns the pattern as a shape: the inverse of BitmapOf.
func (m Bitmap) Shape() Shape {
	s := Shape{Size: board.Size{W: 5, H: 5}, Cells: make([]pattern.Set, 25)}
	for i := range s.Cells {
		s.Cells[i] = Any
		for _, set := range []pattern.Set{Own, Enemy, pattern.Empty, pattern.Empty | Enemy, pattern.Empty | Own} {
			if *m.symbol(set)&bitOf(i%5, i/5) != 0 {
				s.Cells[i] = set
			}
		}
	}
	return s
}

// String returns the six integers as the paper prints them, one a line.
func (m Bitmap) String() string {
	var b strings.Builder
	for i, bits := range []Bits{m.O, m.X, m.P, m.K, m.A, m.D} {
		fmt.Fprintf(&b, "%c = %s\n", "OX.&@_"[i], bits)
	}
	return b.String()
}

// Bitmapping is the paper's algorithm: it tells whether a pattern matches the
// black, white and empty points around a point with O for Black, and with O for
// White. It does not know the edge: a point outside the board is neither black
// nor white nor empty, and so passes for &, @ and _.
func Bitmapping(p Bitmap, b, w, e Bits) (black, white bool) {
	d, k, a := ^p.D, ^p.K, ^p.A
	if d&a&k&e != p.P {
		return false, false
	}
	return d&a&b == p.O && d&k&w == p.X, d&a&w == p.O && d&k&b == p.X
}

// Bits returns the black, white and empty points around a point of the board,
// as the paper keeps them.
func (w *Windows) Bits(p board.Point) (black, white, empty Bits) {
	word := w.At(p)
	for i, d := range offsets {
		bit := bitOf(d[0]+2, d[1]+2)
		switch word >> (2 * i) & 3 {
		case 0:
			empty |= bit
		case 1:
			black |= bit
		case 2:
			white |= bit
		}
	}
	return black, white, empty
}
