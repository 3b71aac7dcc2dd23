package weiqi

import (
	"qipu/board"
	"qipu/game"
)

// ScoreOptions is what a count needs to be told.
type ScoreOptions struct {
	// Dead marks dead stones; one point of a string stands for all of it, and
	// points without a stone are ignored.
	Dead board.Plane

	// Seki marks stones in seki, one point of a string standing for all of it:
	// where the rule set says so, territory that touches them is not counted. An
	// empty point that is marked is itself not counted: a false eye, or a dame
	// that only one side can fill. Nothing is detected: dame left open at the end
	// look just like a seki.
	Seki board.Plane

	// Scoring replaces the way of the rule set, if not zero.
	Scoring Scoring
}

// Score is a count of a board. Index 0 is Black, 1 is White.
type Score struct {
	Scoring   Scoring
	Stones    [2]int         // living stones
	Territory [2]board.Plane // points counted for each side, those under dead stones included
	Dame      board.Plane    // empty points that count for nobody
	Prisoners [2]int         // stones taken by each side, with the dead stones of the other
	Komi      int            // half points for White
	Handicap  int            // half points for White in return for handicap stones

	// Total is the sum of each side in half points.
	Total [2]int
}

// Score counts the board as it stands after the dead stones are taken off.
//
//	area       living stones + territory
//	territory  territory + prisoners, dead stones among them
//
// An empty region that touches stones of one colour alone is territory. White
// gets komi and, in area counts, the compensation for handicap stones. Cost:
// some flood fills, a few microseconds.
func (p *Position) Score(o ScoreOptions) Score {
	s := Score{Scoring: o.Scoring, Komi: p.rules.komi}
	if s.Scoring == ByRuleSet {
		s.Scoring = p.rules.set.Scoring
	}
	size := p.rules.size
	alive := p.stones
	for side := range alive {
		dead := o.Dead.Flood(size, &p.stones[side])
		alive[side].AndNot(&dead)
		s.Stones[side] = alive[side].Count()
		s.Prisoners[side] += int(p.prisoners[side])
		s.Prisoners[1-side] += dead.Count()
	}
	s.divide(size, &alive)
	if s.Scoring == Territory && !p.rules.set.SekiEyes {
		s.cancelSeki(size, &alive, &o.Seki)
	}
	if s.Scoring == Area {
		s.Handicap = 2 * p.rules.givenBack()
	}
	for side := range s.Total {
		points := s.Territory[side].Count()
		if s.Scoring == Area {
			points += s.Stones[side]
		} else {
			points += s.Prisoners[side]
		}
		s.Total[side] = 2 * points
	}
	s.Total[White] += s.Komi + s.Handicap
	return s
}

// divide gives every empty point to the colour that alone reaches it.
func (s *Score) divide(size board.Size, alive *[2]board.Plane) {
	free := size.Full()
	free.AndNot(&alive[0])
	free.AndNot(&alive[1])
	var reach [2]board.Plane
	for side := range reach {
		reach[side] = alive[side].Neighbours(size)
		reach[side] = reach[side].Flood(size, &free)
	}
	s.Dame = free
	for side := range reach {
		s.Territory[side] = reach[side]
		s.Territory[side].AndNot(&reach[1-side])
		s.Dame.AndNot(&s.Territory[side])
	}
}

// cancelSeki makes dame of the territory that touches stones in seki, and of
// marked points.
func (s *Score) cancelSeki(size board.Size, alive *[2]board.Plane, seki *board.Plane) {
	for side := range alive {
		stones := seki.Flood(size, &alive[side])
		eyes := stones.Neighbours(size)
		eyes = eyes.Flood(size, &s.Territory[side])
		eyes.Or(seki)
		eyes.And(&s.Territory[side])
		s.Territory[side].AndNot(&eyes)
		s.Dame.Or(&eyes)
	}
}

// givenBack returns White's points for the handicap in an area count.
func (r *Rules) givenBack() int {
	switch n := r.options.Handicap; {
	case r.set.GivesBack == EveryStone:
		return n
	case r.set.GivesBack == AllButOneStone && n > 0:
		return n - 1
	}
	return 0
}

// Winner returns the side with the larger total; ok is false for a draw.
func (s Score) Winner() (side game.Side, ok bool) {
	if s.Total[White] > s.Total[Black] {
		return White, true
	}
	return Black, s.Total[Black] > s.Total[White]
}

// Margin returns the lead of the winner in half points.
func (s Score) Margin() int {
	return max(s.Total[Black]-s.Total[White], s.Total[White]-s.Total[Black])
}

// String returns the result as records write it: "B+3.5", "W+10", "Draw".
func (s Score) String() string {
	winner, ok := s.Winner()
	switch {
	case !ok:
		return "Draw"
	case winner == Black:
		return "B+" + halves(s.Margin())
	}
	return "W+" + halves(s.Margin())
}
