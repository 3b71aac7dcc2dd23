package classic_test

import (
	"fmt"
	"testing"

	"qipu/engine"
	"qipu/engine/classic"
	"qipu/engine/simple"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
)

// TestSmallGo reads Go on tiny boards to its end, by area with positional superko and
// without suicide: Black wins 1xN by 0 0 3 4 0 for N from 1 to 5, and 2x2 by 1 (Thorp
// and Walden began it in 1964; these are the figures of an independent program).
func TestSmallGo(t *testing.T) {
	boards := []struct {
		size string
		want engine.Value
	}{{"1x1", 0}, {"2x1", 0}, {"3x1", 3}, {"4x1", 4}, {"2x2", 1}, {"5x1", 0}}
	for _, b := range boards[:testkit.Scale(4, len(boards))] {
		r := variant(t, weiqi.Standard, fmt.Sprintf("%s,computer,komi=0", b.size))
		p := r.Start()
		got := run(t, "alphabeta", classic.Problem{Position: p, Eval: simple.Nothing{}, Depth: classic.MaxDepth, Nodes: 1 << 34})
		if got.Value != b.want*engine.Unit || !got.Whole {
			t.Errorf("%s: %v, want %+d", b.size, got.Value.Units(), b.want)
		}
		t.Logf("go %s: %v after %d positions", b.size, got.Value.Units(), got.Nodes)
	}
}
