package window

import (
	"cmp"
	"slices"
)

// Variable is a shape in the older form of variable size: a list of the points
// that it says something about, in any outline, each coded as a sum of 1 empty,
// 2 own, 4 enemy and 8 outside the board. Matching looks at one point after the
// other. It is here to be compared with: sets find the same, faster.
type Variable []VariablePoint

// VariablePoint is one point of it, seen from the centre cell of the shape.
type VariablePoint struct {
	DX, DY int8
	Code   uint8
}

// Variable returns the shape in the variable form, the points near the centre
// first: they fail soonest. Line and marks are no part of it.
func (s *Shape) Variable() Variable {
	cx, cy := s.Centre()
	var v Variable
	for i, set := range s.Cells {
		if set != Any {
			v = append(v, VariablePoint{int8(i%s.Size.W - cx), int8(i/s.Size.W - cy), uint8(nibbleOf(set))})
		}
	}
	slices.SortStableFunc(v, func(a, b VariablePoint) int { return cmp.Compare(a.distance(), b.distance()) })
	return v
}

func (p VariablePoint) distance() int { return int(p.DX)*int(p.DX) + int(p.DY)*int(p.DY) }

// Matches reports whether the shape lies with its centre in column x and row y,
// as drawn; own is the second side where swap is set.
func (v Variable) Matches(w *Windows, x, y int, swap bool) bool {
	for _, p := range v {
		state := w.word(x+int(p.DX), y+int(p.DY)) & 3
		if swap {
			state = state>>1 | state<<1&2
		}
		if p.Code>>state&1 == 0 {
			return false
		}
	}
	return true
}

// Bytes is how much one picture of a shape takes in each form.
type Bytes struct {
	Fixed    int `json:"fixed"`    // the paper's: six integers for each 5x5
	Packed   int `json:"packed"`   // a mask and a word for each 5x5
	Variable int `json:"variable"` // a length, then two offsets and a code for each point
}

// Bytes returns how much one picture of the shape takes in each form, without
// good points, purposes and the like, which are the same for all.
func (s *Shape) Bytes() Bytes {
	tiles := (s.Size.W + 4) / 5 * ((s.Size.H + 4) / 5)
	return Bytes{Fixed: 24 * tiles, Packed: 16 * tiles, Variable: 1 + 3*len(s.Variable())}
}
