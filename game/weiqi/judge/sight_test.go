package judge_test

import (
	"errors"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
)

// eye says the same of every point, or that it does not see.
type eye struct {
	black float64
	blind bool
	asked int
}

// Look: nobody plays any more.
func (e *eye) Look(p *weiqi.Position, _ []board.Point) (moves, mine []float64, pass float64, err error) {
	n := p.Planes().Size.Area()
	return make([]float64, n), make([]float64, n), 1, nil
}

func (e *eye) Guess(_ *weiqi.Position, g *life.Guess) error {
	e.asked++
	if e.blind {
		return errors.New("too dark")
	}
	for i := range g.Black {
		g.Black[i] = e.black
	}
	g.Lead, g.Spread, g.Win = 3, 2, 0.7
	return nil
}

// TestSight holds that an eye never overrules a proof, that it speaks for the rest while
// a game goes on, and that without one, or where it does not see, the verdict stands.
func TestSight(t *testing.T) {
	plain, early := judge.New(), 0
	for seed := range uint64(40) {
		p := random(t, "9x9", seed, 20+int(seed)*3)
		proofs, err := plain.Judge(p, judge.Options{Method: "static"})
		if err != nil {
			t.Fatal(err)
		}
		verdict, err := plain.Judge(p, judge.Options{})
		if err != nil || verdict.Method != judge.Default || verdict.Guess != nil {
			t.Fatal(verdict.Method, verdict.Guess, err)
		}
		for _, black := range []float64{0.001, 0.999} {
			e := &eye{black: black}
			r, err := judge.Seeing(e).Judge(p, judge.Options{Method: judge.Sight})
			if err != nil || r.Guess == nil || r.Guess.Lead != 3 {
				t.Fatal(r, err)
			}
			if r.Early != verdict.Early {
				t.Errorf("%d: early %v, by the verdict %v", seed, r.Early, verdict.Early)
			}
			for i := range r.Strings {
				v, known := &r.Strings[i], &proofs.Strings[i]
				switch mine := (black > 0.5) == (v.Side == weiqi.Black); {
				case known.Proved && v.Status != known.Status:
					t.Errorf("%d: a string that is proved %v is %v", seed, known.Status, v.Status)
				case !v.Proved && r.Early && (v.Chance > 0.5) != mine:
					t.Errorf("%d: the eye has no say", seed)
				}
			}
			seen := 0
			for _, g := range r.Groups {
				for _, i := range g.Strings {
					if seen++; r.Strings[i].Status != g.Status {
						t.Errorf("%d: a group is %v, a string of it %v", seed, g.Status, r.Strings[i].Status)
					}
				}
			}
			if seen != len(r.Strings) {
				t.Errorf("%d: %d strings in groups of %d", seed, seen, len(r.Strings))
			}
		}
		if verdict.Early {
			early++
		}
		blind := &eye{blind: true}
		r, err := judge.Seeing(blind).Judge(p, judge.Options{})
		if err != nil || r.Guess != nil || r.Score != verdict.Score {
			t.Errorf("%d: an eye that does not see changes the verdict: %v", seed, err)
		}
		if verdict.Early && blind.asked != 1 {
			t.Errorf("%d: asked %d times", seed, blind.asked)
		}
	}
	if early == 0 {
		t.Error("no game of all goes on")
	}
}

// TestCount holds what an eye makes of the score: where nothing is unclear and nothing is
// left to play it is the count, in the middle of a game the lead that the eye expects, as
// nearly as a game can have it; and it is never one that the game cannot have.
func TestCount(t *testing.T) {
	early, clear := 0, 0
	for seed := range uint64(40) {
		p := random(t, "9x9", seed, 20+int(seed)*4)
		r, err := judge.Seeing(&eye{black: 0.5}).Judge(p, judge.Options{Method: judge.Sight})
		if err != nil || r.Guess == nil {
			t.Fatal(r, err)
		}
		now := r.Score.Total[0] - r.Score.Total[1]
		unclear := slices.ContainsFunc(r.Strings, func(v life.Verdict) bool { return v.Unclear })
		switch off := r.Guess.Count - 6; {
		case (r.Guess.Count-now)%2 != 0:
			t.Errorf("%d: %d half points, where it stands at %d", seed, r.Guess.Count, now)
		case r.Early:
			if early++; off < -1 || off > 1 {
				t.Errorf("%d: %d half points, where the eye expects 6", seed, r.Guess.Count)
			}
		case !unclear:
			if clear++; r.Guess.Count != now {
				t.Errorf("%d: %d half points, and the count is %d", seed, r.Guess.Count, now)
			}
		}
	}
	if early == 0 {
		t.Error("no board is that of a game in its middle")
	}
	t.Logf("%d in the middle, %d clear", early, clear)
}
