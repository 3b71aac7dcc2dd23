package search

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
	"qipu/game/weiqi/life/proof"
)

// Nodes is the usual budget of a board: on 19x19 some 0.2 seconds, and a second at
// the worst.
const Nodes = 500_000

// Searcher proves by search. The zero value is ready; it is large, keeps its buffers
// and is not safe for use by two at once.
type Searcher struct {
	// Empties bounds the empty points of a zone; 0 means 24. Beyond that a search
	// rarely ends.
	Empties int

	// Suicide tells that the rules let a player take several of his own stones off
	// by a move. Then nothing is searched, and Benson's theorem is all that is used.
	Suicide bool

	prover  proof.Prover
	regions life.Regions
	search  pn.Search
	board   life.Board // turned, and the defender is Black
	planes  board.Planes
	local   local
	zones   []zone
	order   []int // zones as they were proved
	cells   []life.Cell
	in      [life.Cells]uint8

	empties int
	left    int // nodes of the budget

	safe  []bool  // strings of the defender's: cannot be taken
	rests []marks // zones that this rests on
	touch []marks // zones beside a string
	live  []bool  // zones that together still looks at
}

// Judge adds to a judgement that was begun what Benson's theorem and a search of
// about so many nodes (0 means [Nodes]) prove: strings alive and dead, and the owners
// of points. With trace it adds a step for every zone that was proved. The same
// board gives the same answer, also turned and with the colours exchanged.
func (s *Searcher) Judge(b *life.Board, nodes int, trace bool, j *life.Judgement) {
	if b.Choked() >= 0 {
		return // no position of the game
	}
	if nodes <= 0 {
		nodes = Nodes
	}
	if s.empties = s.Empties; s.empties <= 0 {
		s.empties = 24
	}
	s.prover.Suicide = s.Suicide
	s.prover.JudgeBenson(b, trace, j)
	for side := range game.Side(2) {
		if s.Suicide {
			break
		}
		s.left = nodes / 2
		sym := s.turn(b, side)
		s.defend()
		s.report(b, side, sym, trace, j)
	}
	for i := range j.Groups {
		g := &j.Groups[i]
		g.Status = j.Strings[g.Strings[0]].Status
	}
}

// report writes what was proved for a side into a judgement.
func (s *Searcher) report(b *life.Board, side game.Side, sym board.Symmetry, trace bool, j *life.Judgement) {
	t := &s.board
	back := func(c life.Cell) board.Point { return sym.Inverse().Apply(t.Size, c.Point()) }
	numberOf := func(i int16) int { return int(b.Of[life.CellOf(back(t.Strings[i].Head))]) }
	own := life.Owner(life.StoneOf(side))
	steps := map[int]int{} // of zones
	for _, i := range s.order {
		z := &s.zones[i]
		step := life.Step{Rule: life.RuleSearch, Side: side, Status: life.Alive, Count: z.nodes}
		for _, n := range z.blocks {
			v := &j.Strings[numberOf(n)]
			v.Status, v.Proved, v.Chance = life.Alive, true, 1
			for _, c := range t.Stones(int(n)) {
				j.Owner[back(c)] = own
			}
			step.Strings = append(step.Strings, v.Head)
		}
		dead := life.Step{Rule: life.RuleTerritory, Side: side, Status: life.Dead}
		for k, c := range z.cells {
			at := back(c)
			step.Points = append(step.Points, at)
			if z.claim>>k&1 == 0 {
				continue
			}
			j.Owner[at] = own
			if n := t.Of[c]; t.Stone[c] == life.White && t.Strings[n].Head == c {
				v := &j.Strings[numberOf(n)]
				v.Status, v.Proved, v.Chance = life.Dead, true, 0
				dead.Strings = append(dead.Strings, v.Head)
			}
		}
		if !trace {
			continue
		}
		// A string rests on the zones that it was proved by, each told once.
		steps[i] = len(j.Steps)
		j.Steps = append(j.Steps, step)
		if dead.Points = step.Points; len(dead.Strings) > 0 {
			for _, head := range dead.Strings {
				v := j.At(b, head)
				v.Steps = append(v.Steps, len(j.Steps)-1, len(j.Steps))
			}
			j.Steps = append(j.Steps, dead)
		}
	}
	for n := range t.Strings {
		if !trace || !s.safe[n] {
			continue
		}
		v := &j.Strings[numberOf(int16(n))]
		for _, i := range s.order {
			if s.rests[n].has(i) {
				v.Steps = append(v.Steps, steps[i])
			}
		}
	}
}
