package alphabeta_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

func variant(t testing.TB, r game.Varied, spec string) game.Rules {
	t.Helper()
	v, err := r.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// stray plays some moves by chance.
func stray(r game.Rules, n int, rng *rand.Rand) []game.Move {
	p := r.Start()
	var line []game.Move
	for range n {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 || p.Outcome().Over() {
			break
		}
		m := moves[rng.IntN(len(moves))]
		_ = p.Play(m)
		line = append(line, m)
	}
	return line
}

// TestGames holds the search to plain minimax on real games.
func TestGames(t *testing.T) {
	for _, c := range []struct {
		name  string
		rules game.Rules
		eval  engine.Evaluator
		depth int
	}{
		{"othello", othello.Standard, mobility{}, 4},
		{"othello 6x6", variant(t, othello.Standard, "6x6"), simple.Discs{}, 3},
		{"xiangqi", xiangqi.Standard, simple.Xiangqi{}, 2},
		{"gomoku 6x6", variant(t, renju.Renju, "6x6,free"), plainly{simple.Rows{}}, 2},
		{"go 4x4", variant(t, weiqi.Standard, "4x4"), plainly{simple.Weiqi{}}, 3},
		{"connect four", connect4.Rules{}, simple.Nothing{}, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, 11))
			for range 6 {
				task := &engine.Task{Rules: c.rules, Moves: stray(c.rules, rng.IntN(30), rng)}
				p, err := task.Position()
				if err != nil {
					t.Fatal(err)
				}
				if p.Outcome().Over() {
					continue
				}
				want := minimax(p, c.eval, c.depth, 0)
				for name, o := range switches {
					got := think(t, alphabeta.New(c.eval, o), c.rules, engine.Limits{Depth: c.depth}, task.Moves...)
					if got.Best().Value != want {
						t.Errorf("%s: value %d, want %d", name, got.Best().Value, want)
					}
				}
			}
		})
	}
}

// plainly hides what an evaluator knows beyond values.
type plainly struct{ engine.Evaluator }

// TestSavings shows that each technique saves positions: over some positions of
// Othello, leaving it out costs more.
func TestSavings(t *testing.T) {
	cost := func(o alphabeta.Options, depth int) (sum int64) {
		rng := rand.New(rand.NewPCG(1, 2))
		for range 10 {
			sum += think(t, alphabeta.New(simple.Discs{}, o), othello.Standard, engine.Limits{Depth: depth}, stray(othello.Standard, 4+rng.IntN(30), rng)...).Nodes
		}
		return sum
	}
	all := cost(switches["all"], 6)
	for _, name := range []string{"plain", "deepening", "aspiration", "scout", "table", "killers", "history"} {
		without := cost(switches[name], 6)
		t.Logf("without %-10s %8d positions, %+.1f %%", name, without, 100*float64(without-all)/float64(all))
		if without <= all {
			t.Errorf("without %s %d positions are read, with it %d: it saves nothing", name, without, all)
		}
	}
	wide := cost(alphabeta.Options{Quiesce: -1, NoExtension: true, NoCuts: true, NoDeepening: true, NoTable: true}, 4)
	if cut := cost(switches["all"], 4); wide < 5*cut {
		t.Errorf("minimax reads %d positions, the search %d", wide, cut)
	}
}

// TestMate finds wins with their distance.
func TestMate(t *testing.T) {
	for _, c := range []struct {
		name, position, want string
		value                engine.Value
		depth                int
	}{
		{"mate in one", "3k5/R8/1R7/9/9/9/9/9/9/5K3 w", "", engine.Win - 1, 3},
		{"mate in two", "3k5/9/9/R8/1R7/9/9/9/9/5K3 w", "", engine.Win - 3, 6},
		{"free rook", "4k4/9/9/r8/9/R8/9/9/9/5K3 w", "a4a6", 0, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup, err := game.ParseSetup(xiangqi.Standard, c.position)
			if err != nil {
				t.Fatal(err)
			}
			e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
			r, err := e.Think(context.Background(), &engine.Task{Rules: xiangqi.Standard, Start: &setup}, engine.Limits{Depth: c.depth}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := xiangqi.Standard.Arrange(setup)
			best := r.Best()
			move := game.FormatMove(xiangqi.Standard, p, best.Move, xiangqi.ICCS)
			if c.want != "" && move != c.want {
				t.Errorf("move %s, want %s", move, c.want)
			}
			if c.value != 0 && best.Value != c.value {
				t.Errorf("value %d, want %d", best.Value, c.value)
			}
			for _, m := range best.Moves {
				if err := p.Play(m); err != nil {
					t.Fatalf("the line %v is not legal: %v", best.Moves, err)
				}
			}
			if c.value > engine.Decided && !p.Outcome().Over() {
				t.Errorf("the line %v does not end the game", best.Moves)
			}
		})
	}
}

// TestQuiescence reads captures to their end: one ply deep a search without it
// takes what is protected.
func TestQuiescence(t *testing.T) {
	setup, err := game.ParseSetup(xiangqi.Standard, "4k4/9/9/r8/p8/R8/9/9/9/5K3 w")
	if err != nil {
		t.Fatal(err)
	}
	task := &engine.Task{Rules: xiangqi.Standard, Start: &setup}
	greedy, _ := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{Quiesce: -1}).Think(context.Background(), task, engine.Limits{Depth: 1}, nil)
	calm, _ := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{}).Think(context.Background(), task, engine.Limits{Depth: 1}, nil)
	p, _ := task.Position()
	if m := game.FormatMove(xiangqi.Standard, p, greedy.Best().Move, xiangqi.ICCS); m != "a4a5" {
		t.Errorf("without quiescence %s is played: the position shows nothing", m)
	}
	if m := game.FormatMove(xiangqi.Standard, p, calm.Best().Move, xiangqi.ICCS); m == "a4a5" {
		t.Error("a chariot is given for a soldier")
	}
	wide, _ := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{NoCuts: true, NoTable: true}).Think(context.Background(), task, engine.Limits{Depth: 2}, nil)
	cut, _ := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{}).Think(context.Background(), task, engine.Limits{Depth: 2}, nil)
	if wide.Best().Value != cut.Best().Value || wide.Nodes <= cut.Nodes {
		t.Errorf("with cuts %d by %d positions, without %d by %d", cut.Best().Value, cut.Nodes, wide.Best().Value, wide.Nodes)
	}
}

// soon fails where something takes more processor time than it may, each time of
// several.
func soon(t *testing.T, what string, limit time.Duration, try func() time.Duration) {
	t.Helper()
	var took time.Duration
	for range 20 {
		if took = try(); took <= limit {
			return
		}
	}
	t.Errorf("%s: %v, want at most %v", what, took, limit)
}

// TestStop ends thoughts from outside, by time and by nodes.
func TestStop(t *testing.T) {
	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
	task := &engine.Task{Rules: xiangqi.Standard}
	soon(t, "stopped", 20*time.Millisecond, func() time.Duration {
		ctx, cancel := context.WithCancel(context.Background())
		var at time.Duration
		watch := func(*engine.Report) {
			if ctx.Err() == nil {
				at = testkit.CPU()
				cancel()
			}
		}
		if r, err := e.Think(ctx, task, engine.Limits{}, watch); err != nil || len(r.Lines) == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		return testkit.CPU() - at
	})
	timed := func(l engine.Limits) func() time.Duration {
		return func() time.Duration {
			began := testkit.CPU()
			if _, err := e.Think(context.Background(), task, l, nil); err != nil {
				t.Fatal(err)
			}
			return testkit.CPU() - began
		}
	}
	soon(t, "50 ms", 70*time.Millisecond, timed(engine.Limits{Time: 50 * time.Millisecond}))
	soon(t, "a move of 600 ms for the game", 100*time.Millisecond, timed(engine.Limits{Clock: &engine.Clock{Left: 600 * time.Millisecond}}))
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Think(gone, task, engine.Limits{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before: %v", err)
	}
	for _, n := range []int64{1, 100, 5000} {
		r, err := e.Think(context.Background(), task, engine.Limits{Nodes: n}, nil)
		if err != nil || len(r.Lines) != 1 || n > 1000 && r.Nodes > n+1 {
			t.Errorf("%d nodes: %+v, %v", n, r, err)
		}
	}
	if r, err := e.Think(context.Background(), task, engine.Limits{}, func(*engine.Report) { e.Close() }); err != nil || len(r.Lines) == 0 {
		t.Errorf("closed while thinking: %v", err)
	}
	if _, err := e.Think(context.Background(), task, engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

// TestOther refuses games that the engine does not play, and broken lines.
func TestOther(t *testing.T) {
	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{Games: []string{"xiangqi"}})
	if _, err := e.Think(context.Background(), &engine.Task{Rules: othello.Standard}, engine.Limits{}, nil); !errors.Is(err, engine.ErrGame) {
		t.Errorf("another game: %v", err)
	}
	if _, err := e.Think(context.Background(), &engine.Task{Rules: xiangqi.Standard, Moves: []game.Move{game.Pass}}, engine.Limits{}, nil); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("an illegal move: %v", err)
	}
}

// TestOver refuses games that have ended.
func TestOver(t *testing.T) {
	r := &tree{width: 2, over: 1, value: random(1, 5)}
	_, err := alphabeta.New(&counter{}, alphabeta.Options{}).Think(context.Background(), &engine.Task{Rules: r, Moves: r.Start().AppendMoves(nil)[:1]}, engine.Limits{}, nil)
	if !errors.Is(err, engine.ErrOver) {
		t.Errorf("%v", err)
	}
}

// TestRepeatable gives the same answer whatever was thought before.
func TestRepeatable(t *testing.T) {
	for _, l := range []engine.Limits{{Depth: 4}, {Nodes: 20000}, {Nodes: 20000, Multi: 3, Seed: 9}} {
		fresh := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
		want := think(t, fresh, xiangqi.Standard, l)
		used := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
		think(t, used, xiangqi.Standard, engine.Limits{Nodes: 30000})
		got := think(t, used, xiangqi.Standard, l)
		if got.Nodes != want.Nodes || len(got.Lines) != len(want.Lines) || got.Best().Move != want.Best().Move || got.Best().Value != want.Best().Value {
			t.Errorf("%+v: %d nodes and %+v, then %d and %+v", l, want.Nodes, want.Best(), got.Nodes, got.Best())
		}
	}
}

// TestWatch tells every depth, with lines that can be played.
func TestWatch(t *testing.T) {
	e := alphabeta.New(mobility{}, alphabeta.Options{})
	task := &engine.Task{Rules: othello.Standard}
	depth := 0
	_, err := e.Think(context.Background(), task, engine.Limits{Depth: 6}, func(r *engine.Report) {
		depth++
		if r.Depth != depth || len(r.Lines) != 1 || len(r.Best().Moves) < min(depth, 4) {
			t.Errorf("after depth %d: %+v", depth, r)
		}
		p := othello.Standard.Start()
		for _, m := range r.Best().Moves {
			if err := p.Play(m); err != nil {
				t.Errorf("depth %d: %v", depth, err)
			}
		}
	})
	if err != nil || depth != 6 {
		t.Errorf("%d depths, %v", depth, err)
	}
}

func BenchmarkThink(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules game.Rules
		eval  engine.Evaluator
	}{
		{"xiangqi", xiangqi.Standard, simple.Xiangqi{}},
		{"renju", renju.Renju, simple.Rows{Exact: [2]bool{true, false}}},
		{"go-9x9", variant(b, weiqi.Standard, "9x9"), simple.Weiqi{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			moves := stray(c.rules, 10, rand.New(rand.NewPCG(4, 4)))
			nodes := int64(0)
			for b.Loop() {
				nodes += think(b, alphabeta.New(c.eval, alphabeta.Options{}), c.rules, engine.Limits{Nodes: 20000}, moves...).Nodes
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
