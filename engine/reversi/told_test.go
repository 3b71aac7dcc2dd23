package reversi

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"qipu/engine"
	"qipu/engine/trace"
)

// TestTold: an engine that is watched answers the same, and every position that it
// enters is told of or counted beside.
func TestTold(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 14))
	var sum trace.Counters
	for i, l := range []engine.Limits{
		{Depth: 1}, {Depth: 2}, {Depth: 5}, {Depth: 8}, {Depth: 6, Multi: -1}, {Depth: 7, Multi: 3, Seed: 5},
		{Nodes: 20_000}, {Nodes: 3}, {Exact: true}, {Exact: true, Multi: -1}, {Exact: true}, {Depth: 3}, {Depth: 4},
	} {
		n := 40
		switch {
		case l.Exact:
			n = 8 + i
		case i > 10:
			n = 8
		}
		own, opp := wander(r, n)
		at := task(t, own, opp)
		want := think(t, anew(t), at, l)
		l.Record = trace.New(trace.Options{Nodes: 1 << 20})
		got := think(t, anew(t), at, l)
		if want.Counters != nil || got.Counters == nil {
			t.Fatalf("%+v: counters %v and %v", l, want.Counters, got.Counters)
		}
		if !reflect.DeepEqual(got.Lines, want.Lines) || got.Nodes != want.Nodes || got.Depth != want.Depth {
			t.Errorf("%+v: watched it answers %+v in %d nodes, else %+v in %d", l, got.Lines, got.Nodes, want.Lines, want.Nodes)
		}
		c := got.Counters
		nodes, leaves := c.Sum()
		left := int64(0)
		for _, n := range c.By {
			left += n
		}
		if told := nodes - c.Nodes[0] + c.Untold; told < got.Nodes || n > 30 && told != got.Nodes {
			t.Errorf("%+v: %d positions told, %d beside and %d roots of %d", l, nodes, c.Untold, c.Nodes[0], got.Nodes)
		}
		if left != nodes || leaves == 0 || c.By[trace.Horizon]+c.By[trace.Over]+c.By[trace.Quiet] != leaves {
			t.Errorf("%+v: %d positions, of which %d were left, %d leaves, %v", l, nodes, left, leaves, c.By)
		}
		if kept := l.Record.Tree(); int64(len(kept.Nodes)) != nodes {
			t.Errorf("%+v: %d of %d positions in the tree", l, len(kept.Nodes), nodes)
		}
		for why, n := range c.By {
			sum.By[why] += n
		}
		for w, n := range c.Calls {
			sum.Calls[w] += n
		}
		sum.Hits += c.Hits
	}
	for _, why := range []trace.Reason{trace.Read, trace.Horizon, trace.Over, trace.Table, trace.Forward, trace.Proved, trace.Shallow, trace.Deep, trace.Window, trace.Stopped} {
		if sum.By[why] == 0 {
			t.Errorf("no position was left as %s", why)
		}
	}
	if sum.Hits == 0 || sum.Calls[trace.Generate] == 0 || sum.Calls[trace.Evaluate] == 0 || sum.Calls[trace.Order] == 0 {
		t.Errorf("%d hits, calls %v", sum.Hits, sum.Calls)
	}
}

// TestToldThreads: what other threads enter is counted beside.
func TestToldThreads(t *testing.T) {
	own, opp := wander(rand.New(rand.NewPCG(3, 15)), 40)
	e := New(engine.Options{Hash: 1 << 20, Threads: 3})
	defer e.Close()
	r, err := e.Think(t.Context(), task(t, own, opp), engine.Limits{Depth: 9, Threads: 3, Record: trace.New(trace.Options{})}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if nodes, _ := r.Counters.Sum(); nodes-r.Counters.Nodes[0]+r.Counters.Untold != r.Nodes {
		t.Errorf("%d told with %d roots, %d beside, of %d", nodes, r.Counters.Nodes[0], r.Counters.Untold, r.Nodes)
	}
}

// anew returns an engine that knows nothing from before.
func anew(t *testing.T) *Engine {
	e := New(engine.Options{Hash: 1 << 20})
	t.Cleanup(func() { e.Close() })
	return e
}
