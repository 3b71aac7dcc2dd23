package simple_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
)

var (
	renjuRows = simple.Rows{Exact: [2]bool{true, false}}
	noQuiet   = alphabeta.Options{Quiesce: -1}
)

func variant(t testing.TB, r game.Varied, spec string) game.Rules {
	t.Helper()
	v, err := r.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// answer returns the move that an evaluator makes behind some moves.
func answer(t *testing.T, r game.Rules, e engine.Evaluator, o alphabeta.Options, l engine.Limits, line string) (string, engine.Value) {
	t.Helper()
	p, moves, err := game.ParseLine(r, line)
	if err != nil {
		t.Fatal(err)
	}
	report, err := alphabeta.New(e, o).Think(context.Background(), &engine.Task{Rules: r, Moves: moves}, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return game.FormatMove(r, p, report.Best().Move, game.AnyNotation), report.Best().Value
}

// TestRows sees what every player of five in a row sees.
func TestRows(t *testing.T) {
	free := variant(t, renju.Renju, "free")
	for _, c := range []struct {
		name  string
		rules game.Rules
		line  string
		depth int
		want  []string // any of them
		least engine.Value
	}{
		{"the first stone", renju.Renju, "", 2, []string{"h8"}, 0},
		{"makes the five", renju.Renju, "h8 a1 i8 a3 j8 a5 k8 a7", 1, []string{"g8", "l8"}, engine.Decided},
		{"stops a four", renju.Renju, "h8 g8 i8 a3 j8 a5 k8", 1, []string{"l8"}, 0},
		{"makes five rather than stop one", renju.Renju, "h8 g8 i8 g9 j8 g10 k8 g11 a1", 1, []string{"g7", "g12"}, engine.Decided},
		{"makes the straight four", free, "h8 a1 i8 a3 j8 a5", 4, []string{"g8", "k8"}, engine.Decided},
		{"stops an open three", free, "h8 a1 i8 o1 j8", 4, []string{"f8", "g8", "k8", "l8"}, 0},
		{"an overline is no five for Black", renju.Renju, "h8 a1 i8 a3 j8 a5 k8 a7 f8 l8", 1, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := renjuRows
			if c.rules == free {
				e = simple.Rows{}
			}
			got, v := answer(t, c.rules, e, noQuiet, engine.Limits{Depth: c.depth}, c.line)
			if c.want != nil && !slices.Contains(c.want, got) || v < c.least && c.least > 0 {
				t.Errorf("%s of value %d, want one of %v", got, v, c.want)
			}
			if c.want == nil && v >= engine.Decided {
				t.Errorf("%s wins with a row of six", got)
			}
		})
	}
}

// TestFourThree wins by a four that makes a three, many plies ahead: forced moves
// are read for nothing.
func TestFourThree(t *testing.T) {
	free := variant(t, renju.Renju, "free")
	// Black has three in a row that is closed on one side, and two stones that
	// become an open three by the same stone.
	got, v := answer(t, free, simple.Rows{}, noQuiet, engine.Limits{Nodes: 20000}, "h8 g8 i8 a1 j8 o15 k9 a15 k10 c3")
	if v < engine.Decided {
		t.Errorf("%s of value %d does not win", got, v)
	}
}

// TestForbidden keeps Black off forbidden points.
func TestForbidden(t *testing.T) {
	// h8 would be a double three.
	line := "g8 a1 i8 a3 h7 a5 h9 a8"
	got, _ := answer(t, renju.Renju, renjuRows, noQuiet, engine.Limits{Depth: 2}, line)
	p, _, err := game.ParseLine(renju.Renju, line)
	if err != nil {
		t.Fatal(err)
	}
	if p.(*renju.Position).Foul(board.At(7, 7)) == 0 || got == "h8" {
		t.Errorf("Black plays %s", got)
	}
}

// TestWeiqi knows captures, saves stones, fills no eyes and passes at the end.
func TestWeiqi(t *testing.T) {
	nine := variant(t, weiqi.Standard, "9x9,tromp-taylor")
	for _, c := range []struct {
		name, position, want string
		depth                int
	}{
		{"takes", "9/3O5/2OXO4/2OXO4/2OXO4/2OXO4/9/9/9 O", "D3", 3},
		{"saves", "9/9/3OO4/2OXX4/3OO4/9/9/9/9 X", "F6", 3},
		{"passes", "XXXXXOOOO/X1XXXO1OO/XXXXXOOOO/XXXXXOOOO/XXXXXOOOO/XXXXXOOOO/XXXXXOOOO/X1XXXOO1O/XXXXXOOOO X", "pass", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			setup, err := game.ParseSetup(nine, c.position)
			if err != nil {
				t.Fatal(err)
			}
			r, err := alphabeta.New(simple.Weiqi{}, alphabeta.Options{Quiesce: 3}).Think(context.Background(), &engine.Task{Rules: nine, Start: &setup}, engine.Limits{Depth: c.depth}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := nine.Arrange(setup)
			if got := game.FormatMove(nine, p, r.Best().Move, game.AnyNotation); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestMirror holds evaluators to a law: a position and its picture have the same
// value, colours exchanged too.
func TestMirror(t *testing.T) {
	for _, c := range []struct {
		rules game.Rules
		eval  engine.Evaluator
	}{
		{xiangqi.Standard, simple.Xiangqi{}},
		{variant(t, renju.Renju, "free"), simple.Rows{}},
		{variant(t, weiqi.Standard, "9x9"), simple.Weiqi{}},
		{variant(t, othello.Standard, "6x6"), simple.Discs{}},
	} {
		t.Run(c.rules.Info().Name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			for range 20 {
				p := c.rules.Start()
				for range rng.IntN(40) {
					moves := p.AppendMoves(nil)
					if len(moves) == 0 {
						break
					}
					_ = p.Play(moves[rng.IntN(len(moves))])
				}
				if p.Outcome().Over() {
					continue
				}
				want := c.eval.Evaluate(p)
				for _, sym := range c.rules.Info().Symmetries {
					q, err := c.rules.Arrange(game.SetupOf(p).Transform(c.rules, sym))
					if err != nil {
						t.Fatal(err)
					}
					if got := c.eval.Evaluate(q); got != want {
						t.Fatalf("%s: value %d, its picture %+v has %d", game.FormatPosition(c.rules, p), want, sym, got)
					}
				}
			}
		})
	}
}

// TestCandidates holds them to their laws: some of the legal moves, at least one,
// none twice.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		rules game.Rules
		eval  alphabeta.Candidates
	}{
		{renju.Renju, renjuRows},
		{variant(t, weiqi.Standard, "9x9"), simple.Weiqi{}},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		for range 5 {
			p := c.rules.Start()
			for range 150 {
				legal := p.AppendMoves(nil)
				if len(legal) == 0 || p.Outcome().Over() {
					break
				}
				few := c.eval.Candidates(p, slices.Clone(legal))
				if len(few) == 0 || len(few) > len(legal) {
					t.Fatalf("%d candidates of %d moves", len(few), len(legal))
				}
				seen := map[game.Move]bool{}
				for _, m := range few {
					if !slices.Contains(legal, m) || seen[m] {
						t.Fatalf("%v is no legal move, or there twice", m)
					}
					seen[m] = true
				}
				_ = p.Play(legal[rng.IntN(len(legal))])
			}
		}
	}
}

// TestPieces checks the order of the pieces that the package goes by.
func TestPieces(t *testing.T) {
	order := ""
	for _, look := range xiangqi.Standard.Geometry().Pieces {
		order += look.Letters[:1]
	}
	if order != "KABRNCPkabrncp" {
		t.Errorf("the pieces of Xiangqi are %s", order)
	}
}

func BenchmarkEvaluate(b *testing.B) {
	for _, c := range []struct {
		name  string
		rules game.Rules
		eval  engine.Evaluator
	}{
		{"xiangqi", xiangqi.Standard, simple.Xiangqi{}},
		{"renju", renju.Renju, renjuRows},
		{"go-19x19", weiqi.Standard, simple.Weiqi{}},
		{"othello-8x8", othello.Standard, simple.Discs{}},
	} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(3, 4))
			p := c.rules.Start()
			for range 20 {
				moves := p.AppendMoves(nil)
				_ = p.Play(moves[rng.IntN(len(moves))])
			}
			b.ReportAllocs()
			for b.Loop() {
				c.eval.Evaluate(p)
			}
		})
	}
}

func ExampleXiangqi() {
	setup, _ := game.ParseSetup(xiangqi.Standard, "4k4/9/9/r8/9/R8/9/9/9/5K3 w")
	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
	r, _ := e.Think(context.Background(), &engine.Task{Rules: xiangqi.Standard, Start: &setup}, engine.Limits{Depth: 2}, nil)
	p, _ := xiangqi.Standard.Arrange(setup)
	fmt.Println(game.FormatMove(xiangqi.Standard, p, r.Best().Move, xiangqi.ICCS))
	// Output: a4a6
}
