package stringgraph

import (
	"math/bits"

	"qipu/game/weiqi/life"
)

// Eyes are counted in halves: an empty area that is one eye whoever plays first
// counts 2, one that is two eyes if its owner plays first counts 3, one that is
// two eyes anyway counts 4.
const (
	oneEye    = 2
	unsettled = 3
	twoEyes   = 4
)

// smallArea is the largest area whose shape decides how many eyes it holds.
const smallArea = 6

// shape is an area of up to seven cells: for each cell the set of those beside it.
type shape struct{ beside [smallArea + 1]uint8 }

func shapeOf(cells []life.Cell) (s shape) {
	for i, c := range cells {
		for k, d := range cells {
			if d == c+life.Up || d == c+life.Down || d == c+life.Left || d == c+life.Right {
				s.beside[i] |= 1 << k
			}
		}
	}
	return s
}

// connected reports whether a set of the cells is one piece; the empty set is.
func (s *shape) connected(set uint8) bool {
	reached := set & -set
	for edge := reached; edge != 0; {
		next := uint8(0)
		for ; edge != 0; edge &= edge - 1 {
			next |= s.beside[bits.TrailingZeros8(edge)]
		}
		edge = next & set &^ reached
		reached |= edge
	}
	return reached == set
}

// cuts returns the articulation points of a connected set of the cells: those
// without which it falls apart.
func (s *shape) cuts(set uint8) (cuts uint8) {
	for left := set; left != 0; left &= left - 1 {
		if bit := left & -left; !s.connected(set &^ bit) {
			cuts |= bit
		}
	}
	return cuts
}

// eyes returns the halves of eyes of an empty space of that shape, given its
// articulation points. Up to six cells "two or more" is what the theory of eye
// shapes says, but for the block of two by three, which has none and lives.
func (s *shape) eyes(set, cuts uint8) int {
	switch n := bits.OnesCount8(cuts); {
	case n >= 2, n == 0 && bits.OnesCount8(set) == smallArea:
		return twoEyes
	case n == 1:
		return unsettled
	}
	return oneEye
}

// areaEyes returns the halves of eyes of an area of two cells or more; taken tells
// which of its cells hold dead enemy stones. Where they hold the point that divides
// it, or fill a shape that leaves no two eyes when they are captured, there is one eye.
func areaEyes(cells []life.Cell, taken func(life.Cell) bool) int {
	n := len(cells)
	if n > smallArea+1 {
		return twoEyes
	}
	s := shapeOf(cells)
	all, dead := uint8(1)<<n-1, uint8(0)
	for i, c := range cells {
		if taken(c) {
			dead |= 1 << i
		}
	}
	divide := s.cuts(all)
	held := bits.OnesCount8(dead)
	if held > 0 && held == n-1 {
		if s.connected(dead) && s.eyes(dead, s.cuts(dead)) < twoEyes {
			return oneEye
		}
		return twoEyes
	}
	if n > smallArea {
		return twoEyes
	}
	if held > 0 && divide != 0 {
		return oneEye + min(bits.OnesCount8(divide&^dead), 2)
	}
	return s.eyes(all, divide)
}
