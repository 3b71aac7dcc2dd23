package interval

import (
	"qipu/board"
	"qipu/pattern"
)

// able returns those of some lanes in which a placement can reach the limits,
// as far as the places tell that pieces ever stood on: 64 lanes at a time. A
// cell whose piece never stood there has lost its weight, or a part of it where
// one stood a step away.
func (m *LikeMatcher) able(lanes *Mask) (able Mask) {
	b, l := m.block, m.likes
	for i := range l.like.Placements {
		least := m.first.least[l.of[i]]
		budget := 2 * (l.like.Total(i) - least)
		if budget < 0 {
			continue
		}
		unit := budget/maxLoss + 1
		limit := uint64(budget / unit)
		cells := l.like.Cells(i)
		var lines [pattern.MaxRegion]int32
		for j := range cells {
			if c := &cells[j]; c.Needed {
				lines[c.Line]++
			}
		}
		for w := range b.stride / 64 {
			alive := lanes[w] &^ able[w]
			var lost losses
			for j := range cells {
				c := &cells[j]
				if !c.Needed {
					continue
				}
				missed := alive &^ b.everAny(int(c.Point), c.Set, w)
				if missed == 0 {
					continue
				}
				near := uint64(0)
				if c.Moved > 0 {
					near = m.everNear(c, w, missed)
				}
				all := 2*int(c.Weight) + l.like.Segment()*int(lines[c.Line]-1)
				lost.add(missed&near, (all-2*int(c.Moved))/unit)
				lost.add(missed&^near, all/unit)
				if alive &^= lost.above(limit); alive == 0 {
					break
				}
			}
			able[w] |= alive
		}
	}
	return able
}

// everNear returns those of 64 lanes in which a piece that a cell allows once
// stood a step away.
func (m *LikeMatcher) everNear(c *pattern.Cell, w int, among uint64) (near uint64) {
	b := m.block
	for p := board.Piece(1); int(p) <= b.Kinds; p++ {
		if !c.Set.Has(p) {
			continue
		}
		for _, at := range m.likes.like.Near(p, c.Point) {
			if near |= b.everWord(int(at), p, w) & among; near == among {
				return near
			}
		}
	}
	return near
}

// maxLoss is what the counters of losses hold at most.
const maxLoss = 30

// losses are 64 counters of five bits, bit by bit, and those that overflowed.
type losses struct {
	bit  [5]uint64
	over uint64
}

// add adds a number to some of the counters.
func (s *losses) add(lanes uint64, n int) {
	if lanes == 0 || n == 0 {
		return
	}
	n = min(n, maxLoss+1)
	var carry uint64
	for i := range s.bit {
		var a uint64
		if n>>i&1 != 0 {
			a = lanes
		}
		x := s.bit[i]
		s.bit[i] = x ^ a ^ carry
		carry = x&a | carry&(x^a)
	}
	s.over |= carry
}

// above returns the counters that are larger than a number.
func (s *losses) above(limit uint64) uint64 {
	larger, equal := s.over, ^s.over
	for i := len(s.bit) - 1; i >= 0; i-- {
		if limit>>i&1 == 0 {
			larger |= equal & s.bit[i]
			equal &^= s.bit[i]
		} else {
			equal &= s.bit[i]
		}
	}
	return larger
}
