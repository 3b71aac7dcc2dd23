package reversi

import (
	"context"
	"math/rand/v2"
	"testing"

	"qipu/engine"
)

// TestTempo holds that searches of odd and of even depths agree, on average.
func TestTempo(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	e := New(engine.Options{Hash: 8 << 20})
	defer e.Close()
	for _, n := range []int{38, 46} {
		sum, number := 0.0, 100
		for range number {
			own, opp := wander(r, n)
			at := task(t, own, opp)
			value := func(depth int) float64 {
				return think(t, e, at, engine.Limits{Depth: depth, Multi: 1}).Best().Value.Units()
			}
			sum += value(5) - (value(4)+value(6))/2
		}
		if mean := sum / float64(number); mean < -0.8 || mean > 0.8 {
			t.Errorf("%d empty squares: searches of 5 plies say %.2f discs more than those of 4 and 6", n, mean)
		}
	}
}

// TestLeaf holds that the best of some moves is what a thought that values all of them
// says where the game is read to its end, and as much on average elsewhere; that moves
// are left out, that less than what is asked is told to be less, and that what is solved
// is so.
func TestLeaf(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	e := New(engine.Options{Hash: 8 << 20})
	defer e.Close()
	for _, n := range []int{12, 38} {
		sum, number := 0.0, 12
		for range number {
			own, opp := wander(r, n)
			all := think(t, e, task(t, own, opp), engine.Limits{Depth: 6, Multi: -1}).Lines
			best, ok, err := e.Leaf(t.Context(), own, opp, LeafOptions{Depth: 6, Floor: engine.NoValue})
			if err != nil || !ok || best.Exact != (n == 12) || best.Below || n == 12 && best.Value != all[0].Value {
				t.Fatalf("%+v %t %v, want %+v", best, ok, err, all[0])
			}
			sum += (best.Value - all[0].Value).Units()
			low, ok, err := e.Leaf(t.Context(), own, opp, LeafOptions{Depth: 6, Floor: best.Value + 3*engine.Unit})
			if err != nil || !ok || !low.Below || low.Value > best.Value+3*engine.Unit {
				t.Errorf("%+v %t %v, want less than is asked", low, ok, err)
			}
			if none, ok, err := e.Leaf(t.Context(), own, opp, LeafOptions{Depth: 6, Except: ^uint64(0), Floor: engine.NoValue}); ok || err != nil {
				t.Errorf("%+v of no moves, %v", none, err)
			}
			if len(all) < 2 {
				continue
			}
			second, ok, err := e.Leaf(t.Context(), own, opp, LeafOptions{Depth: 6, Except: 1 << best.Square, Floor: engine.NoValue, Keep: true})
			if err != nil || !ok || second.Square == best.Square || n == 12 && second.Value != all[1].Value {
				t.Errorf("%+v %t %v, want %+v", second, ok, err, all[1])
			}
		}
		if mean := sum / float64(number); mean < -1.5 || mean > 1.5 {
			t.Errorf("%d empty squares: leaves are worth %.2f discs more than the best moves", n, mean)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	own, opp := wander(r, 40)
	if _, ok, err := e.Leaf(over, own, opp, LeafOptions{Depth: 12, Floor: engine.NoValue}); ok || err == nil {
		t.Error("a search that was ended has an answer")
	}
	if _, ok, err := e.Leaf(t.Context(), ^uint64(0), 0, LeafOptions{Depth: 2}); ok || err != nil {
		t.Errorf("a full board: %v", err)
	}
}
