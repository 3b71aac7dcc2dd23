package reversi

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// task makes a task of two words; Black is to move.
func task(t testing.TB, own, opp uint64) *engine.Task {
	t.Helper()
	p := position(t, own, opp)
	s, err := game.ParseSetup(othello.Standard, game.FormatPosition(othello.Standard, p))
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Task{Rules: othello.Standard, Start: &s}
}

func think(t testing.TB, e *Engine, task *engine.Task, l engine.Limits) *engine.Report {
	t.Helper()
	r, err := e.Think(t.Context(), task, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// checkLines plays the lines of a report.
func checkLines(t testing.TB, task *engine.Task, r *engine.Report) {
	t.Helper()
	for _, l := range r.Lines {
		p, err := task.Position()
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Moves) == 0 || l.Moves[0] != l.Move {
			t.Fatalf("%v begins otherwise than %v", l.Moves, l.Move)
		}
		for _, m := range l.Moves {
			if err := p.Play(m); err != nil {
				t.Fatalf("%v: %v", l.Moves, err)
			}
		}
		if l.Exact && p.Outcome().Over() {
			pos := p.(*othello.Position)
			start, _ := task.Position()
			got := finish(pos.Discs(start.Turn()), pos.Discs(start.Turn()^1))
			if l.Value != engine.Value(got)*engine.Unit {
				t.Errorf("the line of %v ends with %+d", l.Value, got)
			}
		}
	}
}

func TestThink(t *testing.T) {
	e := New(engine.Options{Hash: 4 << 20})
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 1))
	for _, l := range []engine.Limits{
		{Depth: 1}, {Depth: 4}, {Depth: 7, Multi: 3}, {Depth: 3, Multi: -1}, {Nodes: 5000}, {Nodes: 1, Multi: -1}, {Time: 5 * time.Millisecond},
		{Clock: &engine.Clock{Left: time.Second}}, {Clock: &engine.Clock{Left: 50 * time.Millisecond, Increment: 5 * time.Millisecond, Moves: 3}},
		{Depth: 5, Seed: 9},
	} {
		for _, n := range []int{60, 59, 45, 30, 16, 9, 3, 1} {
			own, opp := wander(r, n)
			tk := task(t, own, opp)
			var seen []*engine.Report
			got, err := e.Think(t.Context(), tk, l, func(r *engine.Report) { seen = append(seen, r) })
			if err != nil {
				t.Fatalf("%+v with %d empty: %v", l, n, err)
			}
			checkLines(t, tk, got)
			want := 1
			if moves := bits.OnesCount64(movable(own, opp)); l.Multi < 0 {
				want = moves
			} else if l.Multi > 0 {
				want = min(l.Multi, moves)
			}
			if len(got.Lines) != want && l.Nodes != 1 {
				t.Errorf("%+v with %d empty: %d lines, want %d", l, n, len(got.Lines), want)
			}
			if l.Depth > 0 && len(seen) == 0 {
				t.Errorf("%+v with %d empty: nothing to watch", l, n)
			}
			for i := 1; i < len(got.Lines); i++ {
				if got.Lines[i].Value > got.Lines[i-1].Value {
					t.Errorf("%+v with %d empty: lines are not sorted", l, n)
				}
			}
			if n <= 2 && l.Nodes != 1 && !got.Best().Exact {
				t.Errorf("%+v with %d empty is not solved", l, n)
			}
		}
	}
}

// TestMulti holds the values of several moves against those of each alone.
func TestMulti(t *testing.T) {
	e := New(engine.Options{Hash: 4 << 20})
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 2))
	for range 5 {
		own, opp := wander(r, 11)
		tk := task(t, own, opp)
		got := think(t, e, tk, engine.Limits{Exact: true, Multi: -1})
		checkLines(t, tk, got)
		for _, l := range got.Lines {
			s := uint(l.Move.To()/board.Stride*8 + l.Move.To()%board.Stride)
			x, y := play(own, opp, flips(own, opp, s), s)
			if want := -minimax(x, y, -64, 64); l.Value != engine.Value(want)*engine.Unit || !l.Exact || l.Bound != engine.Even {
				t.Errorf("%x %x, square %d: %+v, want %d", own, opp, s, l, want)
			}
		}
	}
}

// TestDeterministic thinks the same with an engine that is new and with one that
// has thought of other things.
func TestDeterministic(t *testing.T) {
	used := New(engine.Options{Hash: 1 << 20})
	defer used.Close()
	r := rand.New(rand.NewPCG(3, 3))
	for _, l := range []engine.Limits{{Depth: 8}, {Nodes: 50_000}, {Depth: 6, Multi: 4, Seed: 5}} {
		for range 3 {
			own, opp := wander(r, 20+r.IntN(30))
			tk := task(t, own, opp)
			fresh := New(engine.Options{Hash: 1 << 20})
			a, b := think(t, used, tk, l), think(t, fresh, tk, l)
			fresh.Close()
			if a.Nodes != b.Nodes || a.Depth != b.Depth || !reflect.DeepEqual(a.Lines, b.Lines) {
				t.Errorf("%+v: %+v and %+v", l, a, b)
			}
		}
	}
}

// TestSeed finds all of the four first moves, which are the same but for a
// symmetry, with different seeds.
func TestSeed(t *testing.T) {
	e := New(engine.Options{Hash: 1 << 20})
	defer e.Close()
	seen := map[game.Move]bool{}
	for seed := range uint64(40) {
		seen[think(t, e, &engine.Task{Rules: othello.Standard}, engine.Limits{Depth: 3, Seed: seed}).Best().Move] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d first moves, want 4", len(seen))
	}
}

//qipu:race
func TestStop(t *testing.T) {
	e := New(engine.Options{Hash: 1 << 20, Threads: 2})
	tk := &engine.Task{Rules: othello.Standard}
	think(t, e, tk, engine.Limits{Depth: 1}) // which reads the weights
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := testkit.CPU()
	r, err := e.Think(ctx, tk, engine.Limits{Threads: 2}, nil)
	if err != nil || len(r.Lines) != 1 {
		t.Errorf("stopped: %v, %v", r, err)
	}
	// What is promised is about 20 ms on each of two cores.
	if d := testkit.CPU() - began; d > 2*time.Second {
		t.Errorf("stopped after %v of processor time", d)
	}
	cancel()
	if _, err := e.Think(ctx, tk, engine.Limits{Exact: true}, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("begun after the end: %v", err)
	}
	go func() {
		time.Sleep(30 * time.Millisecond)
		e.Close()
	}()
	if r, err := e.Think(t.Context(), tk, engine.Limits{}, nil); err != nil || len(r.Lines) != 1 {
		t.Errorf("closed in the middle: %v, %v", r, err)
	}
	if _, err := e.Think(t.Context(), tk, engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestRefused(t *testing.T) {
	e := New(engine.Options{Hash: 1 << 16})
	defer e.Close()
	small, err := othello.New(board.Size{W: 6, H: 6})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Think(t.Context(), &engine.Task{Rules: small}, engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrGame) {
		t.Errorf("6x6: %v", err)
	}
	if _, err := e.Think(t.Context(), task(t, 1, 0), engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrOver) {
		t.Errorf("a game that is over: %v", err)
	}
	bad := &engine.Task{Rules: othello.Standard, Moves: []game.Move{othello.Move("a1")}}
	if _, err := e.Think(t.Context(), bad, engine.Limits{Depth: 1}, nil); !errors.Is(err, game.ErrIllegal) {
		t.Errorf("an illegal move: %v", err)
	}
}

// TestPass thinks where there is but a pass.
func TestPass(t *testing.T) {
	e := New(engine.Options{Hash: 1 << 18})
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for found < 5 {
		a, b := wander(r, 4+r.IntN(8))
		if movable(b, a) != 0 {
			continue
		}
		found++
		tk := task(t, b, a)
		want := engine.Value(minimax(b, a, -64, 64)) * engine.Unit
		got := think(t, e, tk, engine.Limits{Exact: true, Multi: -1})
		if got.Best().Move != game.Pass || got.Best().Value != want || len(got.Lines) != 1 {
			t.Errorf("%x %x: %+v, want a pass and %d", b, a, got.Best(), want)
		}
		checkLines(t, tk, got)
		if d := think(t, e, tk, engine.Limits{Depth: 1}); d.Best().Move != game.Pass {
			t.Errorf("at depth 1: %+v", d.Best())
		}
		s, err := e.Solve(t.Context(), position(t, b, a), SolveOptions{All: true, Best: true}, nil)
		if err != nil || s.Value != int(want/engine.Unit) || len(s.Moves) != 1 || s.Moves[0].Move != game.Pass {
			t.Errorf("solved: %+v, %v", s, err)
		}
	}
}

// TestThreads finds the same truth with several threads.
//
//qipu:race
func TestThreads(t *testing.T) {
	one, four := New(engine.Options{Hash: 8 << 20}), New(engine.Options{Hash: 8 << 20, Threads: 4})
	defer one.Close()
	defer four.Close()
	r := rand.New(rand.NewPCG(3, 5))
	for range 4 {
		own, opp := wander(r, 17)
		tk := task(t, own, opp)
		a := think(t, one, tk, engine.Limits{Exact: true})
		b := think(t, four, tk, engine.Limits{Exact: true, Threads: 4})
		if a.Best().Value != b.Best().Value || !b.Best().Exact {
			t.Errorf("%x %x: %+v with one thread, %+v with four", own, opp, a.Best(), b.Best())
		}
		checkLines(t, tk, b)
	}
}

func TestSolve(t *testing.T) {
	e := New(engine.Options{Hash: 4 << 20})
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 6))
	for range 12 {
		own, opp := wander(r, 10)
		p := position(t, own, opp)
		values := map[game.Move]int{}
		for m := movable(own, opp); m != 0; m &= m - 1 {
			s := uint(bits.TrailingZeros64(m))
			x, y := play(own, opp, flips(own, opp, s), s)
			values[move(uint8(s))] = -minimax(x, y, -64, 64)
		}
		best, equal := -65, 0
		for _, v := range values {
			if v > best {
				best, equal = v, 0
			}
			if v == best {
				equal++
			}
		}
		for _, o := range []SolveOptions{{}, {All: true}, {Best: true}, {Win: true}, {Win: true, All: true}, {Win: true, Best: true}} {
			s, err := e.Solve(t.Context(), p, o, nil)
			if err != nil || !s.Exact {
				t.Fatalf("%+v: %+v, %v", o, s, err)
			}
			rate := func(v int) int {
				if o.Win {
					return max(-1, min(1, v))
				}
				return v
			}
			if s.Value != rate(best) {
				t.Errorf("%x %x, %+v: %d, want %d", own, opp, o, s.Value, rate(best))
			}
			for _, m := range s.Moves {
				if m.Value != rate(values[m.Move]) || !m.Exact {
					t.Errorf("%x %x, %+v: %+v, want %d", own, opp, o, m, rate(values[m.Move]))
				}
			}
			want := 1
			if o.All {
				want = len(values)
			} else if o.Best && !o.Win {
				want = equal
			}
			if len(s.Moves) != want && !(o.Win && o.Best) {
				t.Errorf("%x %x, %+v: %d moves, want %d", own, opp, o, len(s.Moves), want)
			}
		}
	}
	if s, err := e.Solve(t.Context(), position(t, 1, 0), SolveOptions{}, nil); err != nil || s.Value != 64 || len(s.Moves) != 0 {
		t.Errorf("a game that is over: %+v, %v", s, err)
	}
	s, err := e.Solve(t.Context(), position(t, 1<<28|1<<35, 1<<27|1<<36), SolveOptions{Time: 20 * time.Millisecond}, nil)
	if err != nil || s.Exact || len(s.Moves) != 1 || s.Moves[0].Exact {
		t.Errorf("the whole game in 20 ms: %+v, %v", s, err)
	}
}

// TestLine holds that a solved line with few empty squares goes to the end of
// the game and is worth what it says.
func TestLine(t *testing.T) {
	e := New(engine.Options{Hash: 4 << 20})
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 8))
	for range 10 {
		own, opp := wander(r, bigFrom)
		p := position(t, own, opp)
		s, err := e.Solve(t.Context(), p, SolveOptions{}, nil)
		if err != nil || !s.Exact {
			t.Fatalf("%+v, %v", s, err)
		}
		side := p.Turn()
		for _, m := range s.Moves[0].Line {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if got := finish(p.Discs(side), p.Discs(side^1)); !p.Outcome().Over() || got != s.Value {
			t.Errorf("%x %x: the line %v ends with %+d, the value is %+d", own, opp, s.Moves[0].Line, got, s.Value)
		}
	}
}

func ExampleEngine_Think() {
	e := New(engine.Options{})
	defer e.Close()
	moves, err := game.ParseMoves(othello.Standard, othello.Standard.Start(), "f5d6c3d3c4")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := e.Think(context.Background(), &engine.Task{Rules: othello.Standard, Moves: moves}, engine.Limits{Depth: 10}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Depth, r.Selectivity, r.Best().Exact)
	// Output: 10 73 false
}

func ExampleEngine_Solve() {
	e := New(engine.Options{})
	defer e.Close()
	p, err := game.ParsePosition(othello.Standard, "2XXXXX1/1OOOXX1O/1OOOXXOX/1OXOXOXX/OXXXOXXX/2XOXOXX/1XXXOOO1/1OOOOO2 X")
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := e.Solve(context.Background(), p.(*othello.Position), SolveOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Value, string(othello.Standard.AppendMove(nil, nil, s.Moves[0].Line[0], game.AnyNotation)))
	// Output: 18 g8
}
