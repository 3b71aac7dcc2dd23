package fitting

import (
	"math/rand/v2"
	"testing"

	"qipu/engine/tree"
)

// TestFit: a weight that decides results is found, one that has no part in them stays, and
// what was kept out is foretold better.
func TestFit(t *testing.T) {
	const decides, idle = 3, 5
	start := [][2]int{{100, 100}, {50, 40}, {0, 0}, {7, 9}, {1, 2}, {20, 10}}
	rng := rand.New(rand.NewPCG(3, 4))
	var list []Position
	for game := range uint64(4000) {
		n := int16(rng.IntN(7) - 3)
		p := Position{Score: 0.5, Game: game, Sample: tree.Sample{Full: rng.Float64(), Part: 1, Terms: []tree.Term{{Weight: decides, Times: n}, {Weight: idle, Times: int16(rng.IntN(3) - 1)}}}}
		switch r := rng.Float64(); {
		case r < 0.5+0.12*float64(n):
			p.Score = 1
		default:
			p.Score = 0
		}
		list = append(list, p)
	}
	w, r := Fit(start, list, 40, 1, nil)
	if r.HeldAfter >= r.HeldBefore || r.Held == 0 {
		t.Errorf("kept out: %v before, %v after", r.HeldBefore, r.HeldAfter)
	}
	if w[decides][0] < start[decides][0]+20 || w[decides][1] < start[decides][1]+20 {
		t.Errorf("the weight that decides went from %v to %v", start[decides], w[decides])
	}
	if d := w[idle][0] - start[idle][0]; d > 30 || d < -30 {
		t.Errorf("the idle weight went from %v to %v", start[idle], w[idle])
	}
}
