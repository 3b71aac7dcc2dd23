package judging

import (
	"slices"

	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/workshop/counted"
)

// Example is a board to learn from: what becomes of each of its strings.
type Example struct {
	Board *counted.Board
	Stays []bool // in the order of [life.Board.Strings]
}

// Known returns a labelled board as an example; ok is false where the labels are
// not known.
func Known(c *counted.Board) (e *Example, ok bool) {
	if !c.Labelled {
		return nil, false
	}
	var b life.Board
	b.Reset(c.Setup.Board)
	e = &Example{Board: c, Stays: make([]bool, len(b.Strings))}
	for i := range b.Strings {
		e.Stays[i] = !c.Taken.Has(b.Strings[i].Head.Point())
	}
	return e, true
}

// ByScore returns the board of a game of which the score alone is known as an
// example: what the judge says of its strings, if the score comes out as it was
// recorded; else what it says with one group the other way round, if there is just
// one such group among those that it doubts.
func ByScore(j *judge.Judge, c *counted.Board) (e *Example, turned, ok bool) {
	if !c.Counted {
		return nil, false, false
	}
	r, err := j.Judge(c.Position(), judge.Options{})
	if err != nil {
		return nil, false, false
	}
	out := &r.Judgement
	e = &Example{Board: c}
	take := func() (list []bool) {
		for i := range out.Strings {
			list = append(list, out.Strings[i].Status != life.Dead)
		}
		return list
	}
	if c.JudgedLead(out) == c.Result {
		e.Stays = take()
		return e, false, true
	}
	was := slices.Clone(out.Strings)
	for g := range out.Groups {
		doubt := 0.0
		for _, i := range out.Groups[g].Strings {
			doubt = max(doubt, min(was[i].Chance, 1-was[i].Chance))
		}
		if doubt < leastDoubt {
			continue
		}
		for _, i := range out.Groups[g].Strings {
			if was[i].Status == life.Dead {
				out.Strings[i].Status = life.Alive
			} else {
				out.Strings[i].Status = life.Dead
			}
		}
		if c.JudgedLead(out) == c.Result {
			if turned {
				return nil, false, false
			}
			e.Stays, turned = take(), true
		}
		copy(out.Strings, was)
	}
	return e, turned, turned
}

// leastDoubt is how unsure a judge has to be of a group for it to be turned.
const leastDoubt = 0.003
