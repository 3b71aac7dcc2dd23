package mine

import (
	"slices"

	"qipu/board"
	"qipu/workshop/mine/classify"
)

// looker finds the facts of a move: some before it is played, the others once
// they are asked for. It is used by one goroutine.
type looker struct {
	facts  classify.Facts
	done   bool
	rescue bool
	heads  []board.Point
}

// neighbours appends the points next to one, on the board or not.
func neighbours(p board.Point) [4]board.Point {
	return [4]board.Point{p - board.Stride, p + 1, p + board.Stride, p - 1}
}

// before looks at the position that the move is played in.
func (l *looker) before(m *move) {
	*l = looker{heads: l.heads[:0]}
	l.facts.Plays = 1
	size := m.pos.Rules().Size()
	for _, q := range neighbours(m.to) {
		if !size.Has(q) {
			continue
		}
		if side, ok := m.pos.SideAt(q); !ok || side != m.side {
			continue
		}
		if head := m.pos.Head(q); !slices.Contains(l.heads, head) {
			l.heads = append(l.heads, head)
			l.rescue = l.rescue || m.pos.Liberties(q, 2) == 1
		}
	}
	if len(l.heads) > 1 {
		l.facts.Joins = 1
	}
	if m.ply >= 150 {
		l.facts.Late = 1
	}
}

// after looks at the position behind the move, once.
func (l *looker) after(m *move) *classify.Facts {
	if l.done {
		return &l.facts
	}
	l.done = true
	f := &l.facts
	if m.pos.Taken() > 0 {
		f.Takes = 1
	}
	switch own := m.pos.Liberties(m.to, 2); {
	case own == 1:
		f.Suicide = 1
	case own > 1 && l.rescue:
		f.Rescue = 1
	}
	size := m.pos.Rules().Size()
	l.heads = l.heads[:0]
	for _, q := range neighbours(m.to) {
		if !size.Has(q) {
			continue
		}
		if side, ok := m.pos.SideAt(q); !ok || side == m.side {
			continue
		}
		if head := m.pos.Head(q); !slices.Contains(l.heads, head) && m.pos.Liberties(q, 2) == 1 {
			l.heads = append(l.heads, head)
		}
	}
	switch len(l.heads) {
	case 0:
	case 1:
		f.Atari = 1
	default:
		f.Double = 1
	}
	return f
}
