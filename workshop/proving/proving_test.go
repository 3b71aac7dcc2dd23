package proving_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/workshop/proving"
)

// games returns games by chance.
func games(n int) (list []*engine.Task) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range n {
		t := &engine.Task{Rules: xiangqi.Standard}
		p := xiangqi.Standard.Start()
		for range 40 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 || p.Outcome().Over() {
				break
			}
			m := moves[rng.IntN(len(moves))]
			_ = p.Play(m)
			t.Moves = append(t.Moves, m)
		}
		list = append(list, t)
	}
	return list
}

// TestProve cuts positions and proves moves: limits are kept, the band is, and the move
// of the search is better than the others by the gap.
func TestProve(t *testing.T) {
	ctx := context.Background()
	o := proving.Options{Positions: testkit.Scale(6, 60), Depth: 2, Gap: 2 * engine.Unit, Nodes: 2000, Band: engine.Unit / 2, Seed: 1}
	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{Hash: 1 << 20})
	defer e.Close()
	list, tried, err := proving.Cut(ctx, e, games(10), o, nil)
	if err != nil || len(list) != o.Positions || tried < len(list) {
		t.Fatalf("%d positions of %d: %v", len(list), tried, err)
	}
	proved := 0
	for _, c := range list {
		r, err := e.Think(ctx, c.Task, engine.Limits{Depth: o.Depth, Multi: -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range r.Lines {
			if l.Move != c.Best && r.Best().Value-l.Value < o.Gap {
				t.Errorf("%v is as good as %v", l.Move, c.Best)
			}
		}
		x, err := proving.Prove(ctx, simple.Xiangqi{}, c, o)
		if err != nil {
			t.Fatal(err)
		}
		if x.Nodes > o.Nodes+200 || !x.Within || x.AlphaBeta == 0 || x.Banded == 0 {
			t.Errorf("%+v", x)
		}
		if x.Proved {
			proved++
		}
	}
	t.Logf("%d of %d proved", proved, len(list))
	if proved == 0 {
		t.Error("nothing was proved")
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := proving.Prove(done, simple.Xiangqi{}, list[0], o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
