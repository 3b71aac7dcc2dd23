package judge

import (
	"math"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
)

// agreed is how sure an eye has to be of an owner whom the judge names.
const agreed = 0.9

// Useless returns the points at which nobody gains anything, as a judgement of a position
// has it and an eye agrees: mine tells how likely each point is to be the mover's in the
// end, row by row. Nothing is useless as long as the game is in its middle, and then
// known is false.
func (j *Judge) Useless(p *weiqi.Position, r *Report, mine []float64) (useless board.Plane, known bool) {
	if r.Early {
		return useless, false
	}
	territory := p.Rules().RuleSet().Scoring == weiqi.Territory
	left := j.Endgame(p, r)
	keep := r.Open
	for _, at := range left.Open {
		keep.Add(at)
	}
	for side := range left.Moves {
		for _, m := range left.Moves[side] {
			if m.Kind != Reinforce || !territory {
				keep.Add(m.At)
			}
		}
	}
	me := life.Owner(life.StoneOf(p.Turn()))
	size := p.Planes().Size
	for i, x := range mine {
		at := board.At(i%size.W, i/size.W)
		if _, taken := p.SideAt(at); taken || keep.Has(at) {
			continue
		}
		switch owner := r.Owner[at]; {
		case owner == life.Neutral && territory,
			owner == me && x >= agreed,
			owner == life.OwnedByBlack+life.OwnedByWhite-me && x <= 1-agreed:
			useless.Add(at)
		}
	}
	return useless, true
}

// mostPlayed is for how many moves a board is played on.
const mostPlayed = 60

// When what the eye expects is believed, in half points: it has to be sure of a close
// game, and far from the counts, further where it is less sure.
const (
	tight  = 40 // lead at most
	sure   = 12 // spread at most
	nearer = 4  // by how much the board that was played on has to be nearer to it than the board as it is
)

// expect returns what Black leads by at the end in half points: the count of the board as
// it is judged, or of what becomes of it where it is played on, if that is nearer to what
// the eye expects. It is what the eye expects itself in the middle of a game, and where
// something is unclear and both are far from it.
func (j *Judge) expect(p *weiqi.Position, r *Report) int {
	now := r.Score.Total[0] - r.Score.Total[1]
	seen, spread := 2*r.Guess.Lead, 2*r.Guess.Spread
	guess := now + 2*int(math.Round((seen-float64(now))/2)) // leads of a game are all odd or all even
	if r.Early {
		return guess
	}
	then, ok := j.playOn(p)
	if !ok {
		then = now
	}
	off := func(count int) float64 { return math.Abs(float64(count) - seen) }
	best, far := now, max(12, 3*spread)
	if now != then {
		far = max(8, 3*spread)
		if off(then)+nearer < off(now) {
			best = then
		}
	}
	unclear := slices.ContainsFunc(r.Strings, func(v life.Verdict) bool { return v.Unclear })
	if unclear && math.Abs(seen) <= tight && spread <= sure && off(best) > far {
		return guess
	}
	return best
}

// playOn has the eye play a board on for both sides, until nothing is left, and counts
// what is there then. It is false where the game does not end.
func (j *Judge) playOn(p *weiqi.Position) (lead int, ok bool) {
	if j.after == nil {
		j.after = Seeing(j.eye)
		j.after.plain = true
	}
	q := p.Copy().(*weiqi.Position)
	var last []board.Point
	for passes := 0; passes < 2; {
		if len(last) >= mostPlayed {
			return 0, false
		}
		m := j.after.next(q, last)
		if q.Play(m) != nil {
			return 0, false
		}
		if passes++; m != game.Pass {
			passes = 0
		}
		last = append([]board.Point{m.To()}, last...)
	}
	r, err := j.after.Judge(q, Options{Method: Sight})
	if err != nil {
		return 0, false
	}
	return r.Score.Total[0] - r.Score.Total[1], true
}

// next returns the move that the eye thinks likeliest, where something is to be gained.
func (j *Judge) next(p *weiqi.Position, last []board.Point) game.Move {
	moves, mine, pass, err := j.eye.Look(p, last)
	if err != nil {
		return game.Pass
	}
	r, err := j.Judge(p, Options{Method: Default})
	if err != nil {
		return game.Pass
	}
	useless, _ := j.Useless(p, r, mine)
	size := p.Planes().Size
	best, most := game.Pass, pass
	for i, x := range moves {
		if at := board.At(i%size.W, i/size.W); x > most && !useless.Has(at) {
			best, most = game.Drop(at), x
		}
	}
	return best
}
