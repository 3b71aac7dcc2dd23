package trace_test

import (
	"testing"

	"qipu/board"
	"qipu/engine/trace"
	"qipu/game"
)

func move(x int) game.Move { return game.Drop(board.At(x, 0)) }

// told is the tree of the survey's footnote in small: the root has 5 from its
// first move, so that the second is refuted at once (shallow), and in the third
// the bound reaches two plies down (deep).
func told(r *trace.Recorder) {
	const inf = 1 << 20
	r.Enter(game.NoMove, false, -inf, inf)
	r.Enter(move(0), false, -inf, inf)
	r.Leave(-5, trace.Horizon, 0)
	r.Enter(move(1), false, -inf, -5)
	r.Enter(move(0), false, 5, inf)
	r.Leave(3, trace.Horizon, 0)
	r.Leave(-3, trace.Cut, 1)
	r.Enter(move(2), false, -inf, -5)
	r.Enter(move(0), false, 5, inf)
	r.Enter(move(0), false, -inf, -5)
	r.Enter(move(0), false, 5, inf)
	r.Leave(2, trace.Over, 0)
	r.Leave(-2, trace.Cut, 1)
	r.Enter(move(7), true, 5, inf)
	r.Leave(9, trace.Horizon, 0)
	r.Leave(9, trace.Read, 0)
	r.Leave(-9, trace.Read, 0)
	r.Leave(9, trace.Read, 0)
}

func TestCounters(t *testing.T) {
	r := trace.New(trace.Options{})
	told(r)
	c := r.Counters()
	nodes, leaves := c.Sum()
	if nodes != 9 || leaves != 4 || c.Nodes[0] != 1 || c.Nodes[1] != 3 || c.Leaves[2] != 1 {
		t.Errorf("%d nodes, %d leaves, %v, %v", nodes, leaves, c.Nodes, c.Leaves)
	}
	if c.By[trace.Shallow] != 1 || c.By[trace.Deep] != 1 || c.By[trace.Window] != 0 || c.CutAt[0] != 2 || c.Cuts() != 2 {
		t.Errorf("cuts: %v, by number %v", c.By, c.CutAt)
	}
	if len(r.Tree().Nodes) != 0 || r.Tree().Left != 0 {
		t.Error("a tree was kept that nobody asked for")
	}
}

// TestTree keeps the first positions and counts the others.
func TestTree(t *testing.T) {
	for most := 1; most <= 12; most++ {
		r := trace.New(trace.Options{Nodes: most})
		told(r)
		tree := r.Tree()
		if len(tree.Nodes) != min(most, 9) || int(tree.Left) != max(0, 9-most) {
			t.Fatalf("%d of %d kept, %d left out", len(tree.Nodes), most, tree.Left)
		}
		for i, n := range tree.Nodes {
			if int(n.Parent) >= i || n.Out <= n.In {
				t.Errorf("node %d: %+v", i, n)
			}
			if n.Parent >= 0 {
				if p := tree.Nodes[n.Parent]; n.In <= p.In || n.Out >= p.Out || n.Ply != p.Ply+1 {
					t.Errorf("node %d %+v is not within %+v", i, n, p)
				}
			}
		}
	}
}

// TestPath keeps what a line of moves asks for.
func TestPath(t *testing.T) {
	r := trace.New(trace.Options{Nodes: 100, Path: []game.Move{move(2), move(0)}})
	told(r)
	tree := r.Tree()
	if len(tree.Nodes) != 6 || tree.Left != 3 {
		t.Fatalf("%d kept, %d left out: %+v", len(tree.Nodes), tree.Left, tree.Nodes)
	}
	if tree.Nodes[1].Move != move(2) || tree.Nodes[3].Why != trace.Deep {
		t.Errorf("%+v", tree.Nodes)
	}
}

// TestGrown: of a tree that was grown here and there the positions that came first are
// kept, whatever the order in which they are told.
func TestGrown(t *testing.T) {
	const inf = 1 << 20
	r := trace.New(trace.Options{Nodes: 4})
	for _, at := range []int{1, 2, 5, 3, 4} { // 5 lies below 2, and 4 below 3
		r.Grown(at)
		r.Enter(move(at), false, -inf, inf)
		switch at {
		case 5, 4:
			r.Leave(0, trace.Horizon, 0)
			r.Leave(1, trace.Proved, 0)
		}
	}
	r.Leave(1, trace.Proved, 0)
	tree := r.Tree()
	if len(tree.Nodes) != 4 || tree.Left != 1 || r.Events() != 5 {
		t.Fatalf("%d kept, %d left out, %d events", len(tree.Nodes), tree.Left, r.Events())
	}
	for i, in := range []int32{1, 2, 3, 4} {
		if n := tree.Nodes[i]; n.In != in || n.Out != in || n.Value != 1 && n.Why != trace.Horizon {
			t.Errorf("%+v", n)
		}
	}
}

// TestTimes: one call in 64 stands for all.
func TestTimes(t *testing.T) {
	r := trace.New(trace.Options{})
	for range 65 {
		r.End(trace.Evaluate, r.Begin(trace.Evaluate))
	}
	if c := r.Counters(); c.Calls[trace.Evaluate] != 65 || c.Calls[trace.Order] != 0 || c.Times[trace.Evaluate] < 0 {
		t.Errorf("%v %v", c.Calls, c.Times)
	}
}
