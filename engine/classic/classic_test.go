package classic_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/classic"
	"qipu/engine/simple"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/hex"
	"qipu/game/kalah"
	"qipu/game/nim"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/switching"
	"qipu/game/tictactoe"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

// jumble judges a position by its hash: every technique that reads too little is wrong
// about it.
type jumble struct{}

func (jumble) Evaluate(p game.Position) engine.Value {
	return engine.Value(board.Mix(p.Hash())%401) - 200
}

func variant(t testing.TB, r game.Varied, spec string) game.Rules {
	t.Helper()
	v, err := r.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func games(t testing.TB) map[string]game.Rules {
	return map[string]game.Rules{
		"kalah":       kalah.Rules{},
		"kalah 3":     variant(t, kalah.Rules{}, "houses=3,seeds=4"),
		"tic-tac-toe": tictactoe.Standard,
		"cube":        variant(t, tictactoe.Standard, "cube,gravity"),
		"connect4":    connect4.Rules{},
		"hex":         variant(t, hex.Standard, "4x4"),
		"nim":         nim.Standard,
		"switching":   variant(t, switching.Standard, "3x3"),
		"othello":     othello.Standard,
		"gomoku":      variant(t, renju.Renju, "5x5,free"),
		"xiangqi":     xiangqi.Standard,
	}
}

// value is minimax once more, written for the tests alone.
func value(p game.Position, e engine.Evaluator, depth, ply int) engine.Value {
	if o := p.Outcome(); o.Over() {
		v := engine.Value(0)
		if o.State == game.Won {
			v = engine.Win - engine.Value(ply)
			if o.Margin > 0 {
				v = engine.Value(o.Margin) * engine.Unit / 2
			}
			if o.Winner != p.Turn() {
				v = -v
			}
		}
		return v
	}
	if depth == 0 {
		return e.Evaluate(p)
	}
	best, side := -engine.Win-1, p.Turn()
	for _, m := range p.AppendMoves(nil) {
		if err := p.Play(m); err != nil {
			panic(err)
		}
		v := value(p, e, depth-1, ply+1)
		if p.Turn() != side {
			v = -v
		}
		best = max(best, v)
		p.Undo()
	}
	return best
}

// somewhere returns a position some moves from the start that is not over.
func somewhere(r game.Rules, rng *rand.Rand) game.Position {
	for {
		p := r.Start()
		for range rng.IntN(14) {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			_ = p.Play(moves[rng.IntN(len(moves))])
		}
		if !p.Outcome().Over() {
			return p
		}
	}
}

// TestExact holds all exact methods against minimax: value, and a best move.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 1))
	positions := 0
	for name, r := range games(t) {
		for range testkit.Scale(8, 125) {
			p := somewhere(r, rng)
			positions++
			depth := 1 + rng.IntN(4)
			if n := len(p.AppendMoves(nil)); n > 12 {
				depth = min(depth, 3)
				if n > 30 {
					depth = min(depth, 2)
				}
			}
			want := value(p, jumble{}, depth, 0)
			text := game.FormatPosition(r, p)
			for _, m := range classic.Methods() {
				if !m.Exact {
					continue
				}
				rec := trace.New(trace.Options{Nodes: 1000})
				got, err := classic.Run(context.Background(), m.Name, classic.Problem{Position: p, Eval: jumble{}, Depth: depth, Record: rec})
				if err != nil {
					t.Fatalf("%s: %s: %s: %v", m.Name, name, text, err)
				}
				if game.FormatPosition(r, p) != text {
					t.Fatalf("%s: %s: the position was changed", m.Name, name)
				}
				if got.Value != want || !got.Whole {
					t.Fatalf("%s: %s: %s, depth %d: %d, want %d", m.Name, name, text, depth, got.Value, want)
				}
				side := p.Turn()
				if err := p.Play(got.Move); err != nil {
					t.Fatalf("%s: %s: %v", m.Name, name, err)
				}
				v := value(p, jumble{}, depth-1, 1)
				if p.Turn() != side {
					v = -v
				}
				p.Undo()
				if v != want {
					t.Fatalf("%s: %s: %s, depth %d: its move is worth %d, the best %d", m.Name, name, text, depth, v, want)
				}
				if nodes, _ := rec.Counters().Sum(); m.Name != "ponder" && nodes-rec.Counters().Nodes[0] != got.Nodes {
					t.Fatalf("%s: %s: %d positions told, %d entered", m.Name, name, nodes, got.Nodes)
				}
			}
			// The band is kept.
			for _, band := range []engine.Value{1, 30, 200} {
				got, err := classic.Run(context.Background(), "bandwidth", classic.Problem{Position: p, Eval: jumble{}, Depth: depth, Band: band})
				if err != nil || got.Value-band > want || got.Value+band < want {
					t.Fatalf("bandwidth: %s: %s, depth %d, band %d: %v %v, want %d", name, text, depth, band, got, err, want)
				}
			}
		}
	}
	t.Logf("%d positions of %d games", positions, len(games(t)))
}

func run(t testing.TB, name string, p classic.Problem) *classic.Result {
	t.Helper()
	r, err := classic.Run(context.Background(), name, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOrders: the least and the greatest number of leaves on uniform trees.
func TestOrders(t *testing.T) {
	most := int64(testkit.Scale(20_000, 2_000_000))
	for b := 2; b <= 8; b++ {
		all := int64(1)
		for d := 1; d <= 8; d++ {
			all *= int64(b)
			tree := &classic.Tree{Width: b, Deep: d, Leaf: bestFirst}
			if got := run(t, "alphabeta", classic.Problem{Position: tree, Eval: tree, Depth: d}); got.Leaves != classic.BestLeaves(b, d) || got.Value != 0 {
				t.Errorf("best first, %d wide, %d deep: %d leaves, want %d", b, d, got.Leaves, classic.BestLeaves(b, d))
			}
			if all > most {
				continue
			}
			tree = &classic.Tree{Width: b, Deep: d, Leaf: worstFirst(b, d)}
			if got := run(t, "alphabeta", classic.Problem{Position: tree, Eval: tree, Depth: d}); got.Leaves != all {
				t.Errorf("worst first, %d wide, %d deep: %d leaves, want %d", b, d, got.Leaves, all)
			}
			// Nothing reads less than the best order lets alpha-beta read.
			for _, name := range []string{"shallow", "scout", "minimax"} {
				tree := &classic.Tree{Width: b, Deep: d, Leaf: bestFirst}
				if got := run(t, name, classic.Problem{Position: tree, Eval: tree, Depth: d}); got.Leaves < classic.BestLeaves(b, d) {
					t.Errorf("%s reads %d leaves", name, got.Leaves)
				}
			}
		}
	}
}

// TestChance: the mean leaves of trees by chance are those of an independent
// simulation.
func TestChance(t *testing.T) {
	for _, c := range []struct {
		b, d          int
		mean, se      float64 // of alpha-beta
		shallow, rel  float64 // shallow cuts alone
		evenAtCIScale bool
	}{
		{2, 8, 109.7, 1.2, 151.6, 0.011, true},
		{4, 6, 919, 9, 1355, 0.010, true},
		{8, 6, 21714, 193, 37624, 0.009, false},
		{16, 4, 8743, 75, 11265, 0.009, false},
		{32, 3, 6726, 47, 6726, 0.007, false},
	} {
		trees := testkit.Scale(60, 400)
		if !c.evenAtCIScale && trees < 400 {
			continue
		}
		for name, want := range map[string][2]float64{"alphabeta": {c.mean, c.se}, "shallow": {c.shallow, c.shallow * c.rel}} {
			var list []float64
			for _, seed := range classic.Seeds(uint64(c.b*100+c.d), trees) {
				tree := &classic.Tree{Width: c.b, Deep: c.d, Leaf: classic.ByChance(seed)}
				list = append(list, float64(run(t, name, classic.Problem{Position: tree, Eval: tree, Depth: c.d}).Leaves))
			}
			m := classic.MeanOf(list)
			if both := math.Hypot(m.Error, want[1]); math.Abs(m.Mean-want[0]) > 3*both {
				t.Errorf("%s, %d wide, %d deep: %v leaves, want %.1f +- %.1f", name, c.b, c.d, m, want[0], want[1])
			}
			t.Logf("%s B=%d D=%d: %v (independent: %.1f)", name, c.b, c.d, m, want[0])
		}
	}
	if _, pearl := classic.Growth(8); math.Abs(pearl-4.31) > 0.005 {
		t.Errorf("growth at 8 is %.3f", pearl)
	}
}

// TestKalah holds leaf counts of kalah(6,4) at depth 8 from the start against those of
// an independent program. Fixed ordering has 2,028 where of moves that are judged alike
// those come first behind which the side moves again, and 2,159 where all of them stay
// as the game has them.
func TestKalah(t *testing.T) {
	p := kalah.Rules{}.Start()
	for name, want := range map[string]int64{"minimax": 563_055, "alphabeta": 19_073, "fixed": 2_028} {
		got := run(t, name, classic.Problem{Position: p, Eval: simple.Stores{}, Depth: 8})
		if got.Leaves != want {
			t.Errorf("%s: %d leaves, want %d", name, got.Leaves, want)
		}
		t.Logf("%s: %d leaves, ratio %.2f", name, got.Leaves, math.Log(563_055)/math.Log(float64(got.Leaves)))
	}
}

// TestPrinted: on a tree of two moves B* ends with true bounds, and never with those
// of the survey.
func TestPrinted(t *testing.T) {
	for _, printed := range []bool{false, true} {
		tree := &classic.Tree{Width: 2, Deep: 60}
		e := &narrowing{tree}
		got, err := classic.Run(context.Background(), "bstar", classic.Problem{Position: tree, Eval: e, Depth: 1, Nodes: 4000, Printed: printed})
		if err != nil {
			t.Fatal(err)
		}
		if got.Proved == printed {
			t.Errorf("printed %v: proved %v after %d positions, bounds %d to %d", printed, got.Proved, got.Nodes, got.Low, got.High)
		}
	}
}

// narrowing bounds a tree in which the first move of the root is worth 100 and the
// second 0: the deeper, the tighter.
type narrowing struct{ tree *classic.Tree }

func (n *narrowing) Evaluate(game.Position) engine.Value {
	low, high := n.Bounds(n.tree)
	return (low + high) / 2
}

func (n *narrowing) Bounds(p game.Position) (low, high engine.Value) {
	deep, v := n.tree.Path(), engine.Value(0)
	if len(deep) > 0 && deep[0] == 0 {
		v = 100
	}
	width := engine.Value(1000 >> min(len(deep), 12))
	if p.Turn() == game.Second {
		v = -v
	}
	return v - width, v + width
}

// TestProof solves small games: the first side wins Hex, nobody Tic-tac-toe.
func TestProof(t *testing.T) {
	for spec, wins := range map[string]bool{"2x2": true, "3x3": true} {
		r := variant(t, hex.Standard, spec)
		if got := run(t, "proof", classic.Problem{Position: r.Start(), Eval: simple.Ways{}, Depth: 1}); !got.Proved || (got.Value > 0) != wins {
			t.Errorf("hex %s: %+v", spec, got)
		}
	}
	if got := run(t, "proof", classic.Problem{Position: tictactoe.Standard.Start(), Eval: simple.OpenRows{}, Depth: 1}); !got.Proved || got.Value != 0 {
		t.Errorf("tic-tac-toe: %+v", got)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for range testkit.Scale(20, 200) {
		p := somewhere(nim.Standard, rng).(*nim.Position)
		if got := run(t, "proof", classic.Problem{Position: p, Eval: simple.Theory{}, Depth: 1}); got.Proved && (got.Value > 0) != p.Wins() {
			t.Errorf("nim %s: %+v", game.FormatPosition(nim.Standard, p), got)
		}
	}
}

// TestBounded: bad problems are refused in a sentence; every method stops when it is
// told to, leaves the position as it was, and keeps within its limit.
func TestBounded(t *testing.T) {
	p := othello.Standard.Start()
	for _, m := range classic.Methods() {
		for _, depth := range []int{0, -1, 61} {
			if _, err := classic.Run(context.Background(), m.Name, classic.Problem{Position: p, Eval: simple.Discs{}, Depth: depth}); err == nil {
				t.Errorf("%s: depth %d accepted", m.Name, depth)
			}
		}
		got, err := classic.Run(context.Background(), m.Name, classic.Problem{Position: p, Eval: simple.Discs{}, Depth: 60, Nodes: 3000})
		if err == nil && (got.Nodes > 3100 || got.Whole && !got.Proved && m.Name != "optimist") {
			t.Errorf("%s: %d positions, whole %v", m.Name, got.Nodes, got.Whole)
		}
		if p.Hash() != othello.Standard.Start().Hash() {
			t.Fatalf("%s: the position was changed", m.Name)
		}
		ctx, cancel := context.WithCancel(context.Background())
		e := &cancelling{cancel: cancel, after: 500}
		depth := 60
		if m.Name == "breadth" {
			depth = 6 // it judges nothing before
		}
		_, err = classic.Run(ctx, m.Name, classic.Problem{Position: p, Eval: e, Depth: depth, Nodes: 1 << 40})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", m.Name, err)
		}
		if e.calls > 500+2_000 {
			t.Errorf("%s: %d evaluations after the context had ended", m.Name, e.calls-500)
		}
		cancel()
		// One move alone.
		one := variant(t, nim.Standard, "heaps=1").Start()
		if got, err := classic.Run(context.Background(), m.Name, classic.Problem{Position: one, Eval: simple.Theory{}, Depth: 3}); err != nil || got.Move == game.NoMove {
			t.Errorf("%s: one move: %v %v", m.Name, got, err)
		}
		_ = one.Play(one.AppendMoves(nil)[0])
		if _, err := classic.Run(context.Background(), m.Name, classic.Problem{Position: one, Eval: simple.Theory{}, Depth: 3}); !errors.Is(err, engine.ErrOver) {
			t.Errorf("%s: a game that is over: %v", m.Name, err)
		}
	}
	if _, err := classic.Run(context.Background(), "magic", classic.Problem{Position: p, Eval: simple.Discs{}, Depth: 3}); err == nil {
		t.Error("magic was found")
	}
}

// TestCancelled: on a wide board, where the usual bounds of a position and the order of
// its moves are much work, every method ends soon after its context.
func TestCancelled(t *testing.T) {
	for _, m := range classic.Methods() {
		if m.Name == "breadth" {
			continue // it judges nothing before its last level
		}
		for _, after := range []int{1, 300, 5000} {
			ctx, cancel := context.WithCancel(context.Background())
			e := &cancelling{cancel: cancel, after: after}
			_, err := classic.Run(ctx, m.Name, classic.Problem{Position: renju.Renju.Start(), Eval: e, Depth: 3, Nodes: 20_000})
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", m.Name, err)
			}
			if e.calls > after+600 {
				t.Errorf("%s: %d evaluations after the context had ended", m.Name, e.calls-after)
			}
		}
	}
}

// cancelling ends its context after some evaluations.
type cancelling struct {
	cancel       context.CancelFunc
	calls, after int
}

func (c *cancelling) Evaluate(p game.Position) engine.Value {
	if c.calls++; c.calls == c.after {
		c.cancel()
	}
	return simple.Discs{}.Evaluate(p)
}

// bestFirst returns leaves of a tree in which the first move is always the best:
// whoever leaves that path first loses by it.
func bestFirst(path []int) engine.Value {
	for ply, i := range path {
		if i == 0 {
			continue
		}
		if ply%2 == 0 {
			return -1
		}
		return 1
	}
	return 0
}

// worstFirst returns leaves of a tree in which every move is better than all before
// it, whatever comes behind. Values have room for about two million leaves.
func worstFirst(width, deep int) func(path []int) engine.Value {
	return func(path []int) (v engine.Value) {
		step := engine.Value(1)
		sum := engine.Value(0)
		for ply := deep - 1; ply >= 0; ply-- {
			i := engine.Value(path[ply])
			if ply%2 == 1 {
				i = engine.Value(width-1) - i
			}
			v += i * step
			sum += engine.Value(width-1) * step
			step *= engine.Value(width)
		}
		return v - sum/2
	}
}
