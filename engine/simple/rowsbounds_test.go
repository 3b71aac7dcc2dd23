package simple

import (
	"math/rand/v2"
	"testing"

	"qipu/game"
	"qipu/game/renju"
)

// TestRowsBounds: the bounds hold the judgement, and nearly always what one move makes
// of it.
func TestRowsBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	seen, above, narrow := 0, 0, 0
	for range 12 {
		p := renju.Renju.Start()
		for range 40 {
			if p.Outcome().Over() {
				break
			}
			list := Rows{}.Candidates(p, p.AppendMoves(nil))
			low, high := Rows{}.Bounds(p)
			v := Rows{}.Evaluate(p)
			if v < low || v > high {
				t.Fatalf("%s: %d is not between %d and %d", game.FormatPosition(renju.Renju, p), v, low, high)
			}
			seen++
			if high-low < hasThree {
				narrow++
			}
			for _, m := range list {
				_ = p.Play(m)
				if !p.Outcome().Over() && -(Rows{}).Evaluate(p) > high {
					above++
					p.Undo()
					break
				}
				p.Undo()
			}
			_ = p.Play(list[rng.IntN(min(3, len(list)))])
		}
	}
	if seen < 150 || 20*above > seen || 4*narrow < seen {
		t.Errorf("of %d positions %d get better than the bound by a move, and %d have narrow bounds", seen, above, narrow)
	}
}
