package classic_test

import (
	"context"
	"fmt"
	"testing"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game/kalah"
	"qipu/internal/testkit"
)

// TestKalahSolved reads Kalah to its end: the margin of the first side, as an
// independent program has it.
func TestKalahSolved(t *testing.T) {
	small := testkit.Scale(1, 0)
	for _, c := range []struct {
		houses int
		want   []engine.Value
		few    int // as many at the scale of every day
	}{
		{3, []engine.Value{0, 4, 2, 2, 6, -8}, 5},
		{4, []engine.Value{2, 6, 6, 2, 4}, 2},
		{6, []engine.Value{2, 6, 2}, 1},
	} {
		for i, want := range c.want {
			if small == 1 && i >= c.few {
				break
			}
			r := variant(t, kalah.Rules{}, fmt.Sprintf("houses=%d,seeds=%d", c.houses, i+1))
			e := alphabeta.New(simple.Stores{}, alphabeta.Options{Hash: 64 << 20, Quiesce: -1})
			report, err := e.Think(context.Background(), &engine.Task{Rules: r}, engine.Limits{Multi: 1}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if best := report.Best(); best.Value != want*engine.Unit || !best.Exact {
				t.Errorf("%d houses, %d seeds: %v (exact %v, depth %d), want %+d", c.houses, i+1, best.Value, best.Exact, report.Depth, want)
			}
			t.Logf("kalah(%d,%d): %+d after %d positions", c.houses, i+1, report.Best().Value/engine.Unit, report.Nodes)
		}
	}
}
