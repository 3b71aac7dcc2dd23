package reversi

import (
	"math"
	"math/rand/v2"
	"testing"

	"qipu/internal/testkit"
)

// TestDeviation measures how far shallow searches are from those that they stand
// for, and holds the numbers that selective searches rely on against that. The
// log of a full run is what the formula of deviation was fitted to, by least
// squares of the logarithms.
func TestDeviation(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	deepest, sample := testkit.Scale(5, 9), testkit.Scale(30, 150)
	ratio, count := 0.0, 0
	check := func(n, depth, d int, sum float64) {
		sd := math.Sqrt(sum / float64(sample))
		t.Logf("empty %d depth %d stands for %d: measured %.0f, formula %.0f", n, d, depth, sd, deviation(n, depth, d))
		ratio += math.Log(sd / deviation(n, depth, d))
		count++
	}
	w := testWorker(16 << 20)
	for n := 12; n <= 54; n += 6 {
		sums := make([]float64, deepest+1)
		for range sample {
			own, opp := wander(r, n)
			w.next(true)
			w.feat[n].Set(own, opp)
			v := make([]int, deepest+1)
			for d := range v {
				v[d] = w.mid(own, opp, -most, most, d, n, movable(own, opp), certain)
			}
			for d := cutFrom; d <= deepest; d++ {
				e := float64(v[d] - v[shallow(d, n)])
				sums[d] += e * e
			}
		}
		for d := cutFrom; d <= deepest; d++ {
			check(n, d, shallow(d, n), sums[d])
		}
	}
	for n := endCutFrom; n <= testkit.Scale(14, 19); n++ {
		sum := 0.0
		for range sample {
			own, opp := wander(r, n)
			w.next(true)
			w.feat[n].Set(own, opp)
			moves := movable(own, opp)
			e := float64(w.mid(own, opp, -most, most, shallow(n, n), n, moves, certain) -
				scale*w.exact(own, opp, -64, 64, n, moves, oddQuarters(^(own|opp)), certain))
			sum += e * e
		}
		check(n, n, shallow(n, n), sum)
	}
	if mean := math.Exp(ratio / float64(count)); mean < 0.75 || mean > 1.25 {
		t.Errorf("errors are %.2f times what the formula says: fit it anew", mean)
	}
}
