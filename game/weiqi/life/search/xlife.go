package search

import (
	"math"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
)

// Infinite is the X of a string that lives whatever its owner leaves unanswered.
const Infinite = math.MaxInt

// XLife returns how often the attacker of the string with a stone on a point may
// move twice in a row, as after a threat elsewhere that was answered, and the string
// still is not taken (Popma and Allis): 0 is life if every move is answered, -1 none
// shown, [Infinite] Benson's. Exact tells that the next higher number, up to most, is
// refuted; where it is not set more may be true. Ko counts against the owner.
//
// The search takes the surroundings of the string as lost to the attacker where it
// cannot see them, at 64 points and more, and exact is then set for Infinite alone.
// It spends about so many nodes for each number; 0 means [Nodes].
func (s *Searcher) XLife(b *life.Board, at board.Point, most, nodes int) (x int, exact bool) {
	c := life.CellOf(at)
	if !b.Size.Has(at) || b.Stone[c] == life.Empty || b.Choked() >= 0 {
		return -1, false
	}
	if nodes <= 0 {
		nodes = Nodes
	}
	s.prover.Suicide = s.Suicide
	sym := s.turn(b, b.Stone[c].Side())
	t := &s.board
	target := int(t.Of[life.CellOf(sym.Apply(b.Size, at))])
	sure := s.prover.Benson(t)
	if sure.Strings[target] == life.Alive {
		return Infinite, true
	}
	whole, ok := s.around(target)
	if !ok || s.Suicide {
		return -1, false
	}
	z := &s.zones[0]
	s.enter(z)
	l := &s.local
	for k, n := range z.blocks {
		if sure.Strings[n] == life.Alive {
			l.safe |= 1 << k
		}
		if int(n) == target {
			l.wall |= 1 << k
		}
	}
	for k, c := range z.cells {
		if int(t.Of[c]) == target && t.Stone[c] == life.Black {
			l.target |= 1 << k
		}
	}
	for x = -1; x < most; x++ {
		l.demands = x + 1
		switch s.search.Solve(l, nodes).Result {
		case pn.Disproved:
			return x, whole
		case pn.Unknown:
			return x, false
		}
	}
	return x, false
}

// around makes the one zone of a string: all regions beside it that fit, or the
// empty areas there. Whole tells that it is all the string hangs on.
func (s *Searcher) around(target int) (whole, ok bool) {
	b := &s.board
	s.regions.Reset(b, life.Black)
	s.zones, s.cells = s.zones[:0], s.cells[:0]
	if b.Size.Area() <= limit {
		for _, c := range b.On {
			if b.Stone[c] != life.Black {
				s.cells = append(s.cells, c)
			}
		}
		return true, s.addZone(limit)
	}
	var seen [life.Cells]bool
	for _, c := range b.Liberties(target) {
		r := s.regions.Of[c]
		list := s.regions.Cells(int(r))
		if len(list) > limit-len(s.cells) {
			list = b.Empties(int(b.Of[c]))
		}
		if seen[list[0]] || len(list) > limit-len(s.cells) {
			continue
		}
		for _, c := range list {
			if !seen[c] {
				seen[c] = true
				s.cells = append(s.cells, c)
			}
		}
	}
	return false, len(s.cells) > 0 && s.addZone(0)
}
