package interval

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// Pairs tells of the placements of two patterns which lie in the same place and
// picture. It is immutable and safe for concurrent use.
type Pairs struct {
	starts []int32 // of each placement of the second pattern, and the end
	firsts []int32 // the placements of the first that belong to it, rising
}

// Half is one of two patterns that are paired, with its placements on the board.
type Half struct {
	Pattern    *pattern.Pattern
	Placements []pattern.Placement
}

// Pair pairs the placements of two patterns of one size and anchor: those of the
// same symmetry at the same place. A pattern that looks the same in several
// pictures is compiled for one of them, and that stands for all.
func Pair(a, b Half, on pattern.Board) *Pairs {
	type key struct {
		sym  game.Symmetry
		x, y int
	}
	at := make(map[key]int32, len(a.Placements))
	for i := range a.Placements {
		q := &a.Placements[i]
		at[key{q.Symmetry, q.X, q.Y}] = int32(i)
	}
	p := &Pairs{starts: make([]int32, 1, len(b.Placements)+1)}
	ownA, ownB := a.own(on), b.own(on)
	for i := range b.Placements {
		q := &b.Placements[i]
		from := len(p.firsts)
		for _, y := range ownB {
			for _, x := range ownA {
				// What a pattern's own symmetry does before changes nothing.
				n, ok := at[key{after(after(x, y), q.Symmetry), q.X, q.Y}]
				if ok && a.Placements[n].Size == q.Size && !slices.Contains(p.firsts[from:], n) {
					p.firsts = append(p.firsts, n)
				}
			}
		}
		slices.Sort(p.firsts[from:])
		p.starts = append(p.starts, int32(len(p.firsts)))
	}
	return p
}

// own returns the symmetries that leave the cells of a pattern as they are, the
// identity among them. Unlike [pattern.Pattern.Own] it does not ask where the
// picture may lie: pictures that look the same in one place are one placement,
// also where there are other places that only one of them has.
func (h *Half) own(on pattern.Board) (list []game.Symmetry) {
	p := h.Pattern
	for _, sym := range p.Pictures(on) {
		if sym.Board.Turned(p.Size) != p.Size || sym.Swap && p.Turn != pattern.AnyTurn {
			continue
		}
		same := true
		for i := 0; i < len(p.Cells) && same; i++ {
			set := p.Cells[i]
			if sym.Swap {
				set = exchange(set, on.Swap)
			}
			same = p.Cells[p.Size.Index(sym.Board.Apply(p.Size, p.Size.Point(i)))] == set
		}
		if same {
			list = append(list, sym)
		}
	}
	return list
}

// exchange returns a set with the sides exchanged.
func exchange(set pattern.Set, swap []board.Piece) pattern.Set {
	to := set & (pattern.Empty | pattern.Off)
	for i, p := range swap {
		if set.Has(board.Piece(i + 1)) {
			to |= pattern.Of(p)
		}
	}
	return to
}

// after returns the symmetry that does s first and t second.
func after(s, t game.Symmetry) game.Symmetry {
	return game.Symmetry{Board: s.Board.Then(t.Board), Swap: s.Swap != t.Swap}
}

// AppendThenHere is [Then] for patterns that lie in the same place and picture:
// it appends the moments of b behind a moment of a with a placement that the
// one of b is paired with. Both lists must be in the order of AppendSpans, and
// the result is, with the placements of b.
func (m *Matcher) AppendThenHere(dst []Placed, blk *Block, pairs *Pairs, a, b []Placed, within int) []Placed {
	for len(b) > 0 && len(a) > 0 {
		n := 1
		for n < len(b) && b[n].Placement == b[0].Placement && b[n].Lane == b[0].Lane {
			n++
		}
		run := b[:n]
		b = b[n:]
		placement, lane := run[0].Placement, run[0].Lane
		x, y, z := m.runs[0][:0], m.runs[1][:0], m.runs[2][:0]
		several := 0
		for _, first := range pairs.firsts[pairs.starts[placement]:pairs.starts[placement+1]] {
			from := len(x)
			for _, p := range runOf(a, first, lane) {
				x = append(x, p.Span)
			}
			if len(x) > from {
				several++
			}
		}
		if len(x) > 0 {
			if several > 1 {
				x = x.settle()
			}
			for _, p := range run {
				y = append(y, p.Span)
			}
			z = behind(z, x, y, m.lineSkips(blk, int(lane)), within)
			for _, s := range z {
				dst = append(dst, Placed{s, placement})
			}
		}
		m.runs = [3]Timeline{x, y, z}
	}
	return dst
}

// runOf returns the intervals of one placement in one lane.
func runOf(list []Placed, placement int32, lane uint16) []Placed {
	type key struct {
		placement int32
		lane      uint16
	}
	from, found := slices.BinarySearchFunc(list, key{placement, lane}, func(p Placed, k key) int {
		if p.Placement != k.placement {
			return int(p.Placement) - int(k.placement)
		}
		return int(p.Lane) - int(k.lane)
	})
	if !found {
		return nil
	}
	to := from + 1
	for to < len(list) && list[to].Placement == placement && list[to].Lane == lane {
		to++
	}
	return list[from:to]
}
