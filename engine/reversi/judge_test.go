package reversi

import (
	"math/rand/v2"
	"testing"

	"qipu/engine/reversi/eval"
)

func TestJudge(t *testing.T) {
	j := NewJudge(eval.Trained())
	r := rand.New(rand.NewPCG(6, 1))
	for i := range 70 {
		empties := 1 + i%7
		own, opp := wander(r, empties)
		want := minimax(own, opp, -64, 64)
		if got := j.Solve(own, opp); got != want {
			t.Errorf("%x %x: solved as %d, want %d", own, opp, got, want)
		}
		if got := j.Search(own, opp, empties); got != 100*want {
			t.Errorf("%x %x: searched to the end as %d, want %d", own, opp, got, 100*want)
		}
	}
}
