package judge

import (
	"math"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/verdict"
)

// Eye guesses how a game will end by looking at a board, at any moment of it. It is
// used by one at a time.
type Eye interface {
	// Guess fills g; an error tells that the eye does not see such a board.
	Guess(p *weiqi.Position, g *life.Guess) error

	// Look tells how likely each point is to be played next, and to be the mover's in the
	// end, row by row, and how likely a pass is. last are the points of the last moves,
	// the latest first, as far as they are known. The lists are good until the next call.
	Look(p *weiqi.Position, last []board.Point) (moves, mine []float64, pass float64, err error)
}

// Sight is the name of the method that has an eye.
const Sight = "sight"

// Seeing returns a judge with an eye, which [Sight] needs: without one it is [Default].
func Seeing(e Eye) *Judge {
	j := New()
	j.eye = e
	return j
}

// trust is how much what the eye says weighs against the verdict at the end of a
// game; while it goes on the eye speaks alone.
const trust = 0.5

// sight weighs what is not proved, and asks the eye; proofs are never overruled.
func (j *Judge) sight(p *weiqi.Position, o *Options, r *life.Judgement) {
	j.verdict(p, o, r)
	if j.eye == nil {
		return
	}
	g := new(life.Guess)
	if j.eye.Guess(p, g) != nil {
		return
	}
	r.Guess = g
	r.Early = j.isEarly(r)
	for i := range r.Strings {
		v := &r.Strings[i]
		if v.Proved {
			continue
		}
		seen := 0.0
		for _, c := range j.board.Stones(i) {
			seen += g.Black[c.Point()]
		}
		if seen /= float64(v.Stones); v.Side == weiqi.White {
			seen = 1 - seen
		}
		if !r.Early {
			seen = mixed(v.Chance, seen)
		}
		v.Chance = seen
		v.Unclear = seen > verdict.Doubt && seen < 1-verdict.Doubt
		switch {
		case seen < 0.5:
			v.Status = life.Dead
		case v.Status != life.Seki:
			v.Status = life.Alive
		}
	}
	regroup(r)
	r.Fill(&j.board)
}

// regroup parts groups whose strings no longer share their fate.
func regroup(r *life.Judgement) {
	for g := range len(r.Groups) {
		group := &r.Groups[g]
		group.Status = r.Strings[group.Strings[0]].Status
		kept, parted := group.Strings[:0:0], []int(nil)
		for _, i := range group.Strings {
			if r.Strings[i].Status == group.Status {
				kept = append(kept, i)
				continue
			}
			parted = append(parted, i)
			r.Strings[i].Group = len(r.Groups)
		}
		if group.Strings = kept; parted != nil {
			r.Groups = append(r.Groups, life.Group{Side: group.Side, Strings: parted, Status: r.Strings[parted[0]].Status})
		}
	}
}

// mixed weighs two chances of one thing.
func mixed(weighed, seen float64) float64 {
	logit := func(x float64) float64 {
		x = min(max(x, 1e-4), 1-1e-4)
		return math.Log(x / (1 - x))
	}
	return 1 / (1 + math.Exp(-(1-trust)*logit(weighed)-trust*logit(seen)))
}
