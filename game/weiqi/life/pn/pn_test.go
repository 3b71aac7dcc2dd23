package pn_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"qipu/game/weiqi/life/pn"
)

// graph is a game on a directed graph, cycles and all: who may move at a node is
// part of the node.
type graph struct {
	next   [][]int
	proves []bool
	value  []pn.Result
	path   []int
}

func (g *graph) at() int        { return g.path[len(g.path)-1] }
func (g *graph) Key() uint64    { return uint64(g.at()) + 1 }
func (g *graph) Proves() bool   { return g.proves[g.at()] }
func (g *graph) Play(m pn.Move) { g.path = append(g.path, int(m)) }
func (g *graph) Undo()          { g.path = g.path[:len(g.path)-1] }

func (g *graph) Evaluate() (pn.Result, uint32, uint32) { return g.value[g.at()], 0, 0 }

func (g *graph) AppendMoves(dst []pn.Move) []pn.Move {
	for _, n := range g.next[g.at()] {
		dst = append(dst, pn.Move(n))
	}
	return dst
}

func random(r *rand.Rand) *graph {
	n := 2 + r.IntN(40)
	degree := 1 + r.IntN(4)
	ends := 1 + r.IntN(6)
	g := &graph{next: make([][]int, n), proves: make([]bool, n), value: make([]pn.Result, n), path: []int{0}}
	for i := range n {
		g.proves[i] = r.IntN(2) == 0
		if i > 0 && r.IntN(ends+1) == 0 {
			g.value[i] = pn.Result(r.IntN(3))
		}
		for range r.IntN(degree + 1) {
			g.next[i] = append(g.next[i], r.IntN(n))
		}
	}
	return g
}

// truth returns the value of every node, by the definition: a result that
// repetitions hurt holds where it can be forced in finitely many moves.
func (g *graph) truth(repeats pn.Result) []pn.Result {
	hurt := pn.Proved // the side that has to get somewhere
	if repeats == pn.Proved {
		hurt = pn.Disproved
	}
	forced := make([]bool, len(g.next))
	for changed := true; changed; {
		changed = false
		for i := range g.next {
			if forced[i] {
				continue
			}
			one, all := false, true
			for _, n := range g.next[i] {
				one = one || forced[n]
				all = all && forced[n]
			}
			now := all
			if g.proves[i] == (hurt == pn.Proved) {
				now = one
			}
			if g.value[i] != pn.Unknown {
				now = g.value[i] == hurt
			}
			if now {
				forced[i], changed = true, true
			}
		}
	}
	out := make([]pn.Result, len(forced))
	for i := range out {
		if out[i] = repeats; forced[i] {
			out[i] = hurt
		}
	}
	return out
}

func check(t *testing.T, s *pn.Search, g *graph) {
	t.Helper()
	for _, s.Repeats = range []pn.Result{pn.Unknown, pn.Proved, pn.Disproved} {
		repeats := s.Repeats
		if repeats == pn.Unknown {
			repeats = pn.Disproved
		}
		truth := g.truth(repeats)
		a := s.Solve(g, 200_000)
		if len(g.path) != 1 || g.path[0] != 0 {
			t.Fatal("the problem was not left where it was")
		}
		if a.Result != truth[0] {
			t.Fatalf("repetition %v: %v after %d nodes, want %v\n%+v", repeats, a.Result, a.Nodes, truth[0], g)
		}
		at := 0
		for _, m := range a.Line {
			at = int(m)
			if truth[at] != a.Result {
				t.Fatalf("line %v leaves the result %v at %d", a.Line, a.Result, at)
			}
		}
		// What is kept must be true for every other root as well.
		for root := range g.next {
			g.path = append(g.path[:0], root)
			if a := s.Continue(g, 200_000); a.Result != truth[root] {
				t.Fatalf("repetition %v: node %d is %v after %d nodes, want %v\n%+v", repeats, root, a.Result, a.Nodes, truth[root], g)
			}
		}
		g.path = append(g.path[:0], 0)
		// A budget may leave it open, never turn it round.
		for nodes := range 20 {
			if a := s.Solve(g, nodes); a.Result != pn.Unknown && a.Result != truth[0] {
				t.Fatalf("%d nodes: %v, want %v", nodes, a.Result, truth[0])
			}
		}
	}
}

func TestGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	small := pn.Search{Size: 8} // forgets most of what it finds
	large := pn.Search{}
	for range 3000 {
		g := random(r)
		check(t, &large, g)
		check(t, &small, g)
	}
}

func FuzzGraphs(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	s := pn.Search{Size: 64}
	f.Fuzz(func(t *testing.T, a, b uint64) { check(t, &s, random(rand.New(rand.NewPCG(a, b)))) })
}

// TestDepth: a line longer than allowed ends the search without a claim.
func TestDepth(t *testing.T) {
	const n = 50
	g := &graph{next: make([][]int, n), proves: make([]bool, n), value: make([]pn.Result, n), path: []int{0}}
	for i := range n - 1 {
		g.next[i] = []int{i + 1}
	}
	g.value[n-1] = pn.Proved
	short, long := pn.Search{Depth: 20}, pn.Search{}
	if a := short.Solve(g, 1e6); a.Result != pn.Unknown {
		t.Errorf("depth 20: %v", a.Result)
	}
	if a := long.Solve(g, 1e6); a.Result != pn.Proved || len(a.Line) != n-1 {
		t.Errorf("without a limit: %v, line of %d", a.Result, len(a.Line))
	}
}

// nim is a heap: who takes the last stone has won.
type nim struct {
	heap  int
	turn  bool
	taken []pn.Move
}

func (n *nim) Key() uint64 {
	if n.turn {
		return uint64(n.heap)<<1 | 1
	}
	return uint64(n.heap) << 1
}
func (n *nim) Proves() bool                          { return n.turn }
func (n *nim) Evaluate() (pn.Result, uint32, uint32) { return pn.Unknown, 0, 0 }
func (n *nim) AppendMoves(dst []pn.Move) []pn.Move {
	for i := 1; i <= min(3, n.heap); i++ {
		dst = append(dst, pn.Move(i))
	}
	return dst
}
func (n *nim) Play(m pn.Move) {
	n.heap, n.turn, n.taken = n.heap-int(m), !n.turn, append(n.taken, m)
}
func (n *nim) Undo() {
	last := len(n.taken) - 1
	n.heap, n.turn, n.taken = n.heap+int(n.taken[last]), !n.turn, n.taken[:last]
}

func TestNim(t *testing.T) {
	var s pn.Search
	for heap := 1; heap < 60; heap++ {
		want := pn.Proved
		if heap%4 == 0 {
			want = pn.Disproved
		}
		if a := s.Solve(&nim{heap: heap, turn: true}, 1e6); a.Result != want {
			t.Errorf("heap of %d: %v, want %v", heap, a.Result, want)
		}
	}
}

func ExampleSearch_Solve() {
	var s pn.Search
	a := s.Solve(&nim{heap: 5, turn: true}, 1000)
	fmt.Println(a.Result, a.Line[0])
	// Output: proved 1
}

func BenchmarkSolve(b *testing.B) {
	var s pn.Search
	g := random(rand.New(rand.NewPCG(3, 5)))
	s.Solve(g, 1e6)
	b.ReportAllocs()
	for b.Loop() {
		s.Solve(g, 1e6)
	}
}
