package arena_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"qipu/arena"
	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/kalah"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
)

func random() (engine.Engine, error) { return engine.Random{}, nil }

func reader(e engine.Evaluator, o alphabeta.Options) func() (engine.Engine, error) {
	return func() (engine.Engine, error) { return alphabeta.New(e, o), nil }
}

var now = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func fixed() time.Time { return now }

// stores judges Kalah by what is stored.
type stores struct{}

func (stores) Evaluate(p game.Position) engine.Value {
	return engine.Value(p.(*kalah.Position).Lead(p.Turn())) * engine.Unit
}

func variant(t testing.TB, r game.Varied, spec string) game.Rules {
	t.Helper()
	v, err := r.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRandom plays every game against random moves, and wins all games.
func TestRandom(t *testing.T) {
	few := engine.Limits{Depth: 3, Nodes: 1500}
	n := 2
	if testkit.Full() {
		n = 20
	}
	for _, c := range []struct {
		name   string
		rules  game.Rules
		make   func() (engine.Engine, error)
		plies  int
		limits engine.Limits
	}{
		{"othello 8x8", othello.Standard, reader(simple.Discs{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), 6, few},
		{"othello 6x6", variant(t, othello.Standard, "6x6"), reader(simple.Discs{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), 4, engine.Limits{Nodes: 3000}},
		{"xiangqi", xiangqi.Standard, reader(simple.Xiangqi{}, alphabeta.Options{Hash: 1 << 20}), 4, few},
		{"renju", renju.Renju, reader(simple.Rows{Exact: [2]bool{true, false}}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), 3, few},
		{"gomoku", variant(t, renju.Renju, "free"), reader(simple.Rows{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), 3, few},
		{"kalah", kalah.Rules{}, reader(stores{}, alphabeta.Options{Hash: 1 << 20}), 3, engine.Limits{Depth: 5, Nodes: 3000}},
		{"go 9x9", variant(t, weiqi.Standard, "9x9"), reader(simple.Weiqi{}, alphabeta.Options{Quiesce: 3, Hash: 1 << 20}), 4, engine.Limits{Depth: 2, Nodes: 400}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := arena.Player{Name: "reader", Make: c.make, Limits: c.limits}
			b := arena.Player{Name: "random", Make: random}
			r, err := arena.Match(t.Context(), a, b, arena.Options{Rules: c.rules, Games: n, Plies: c.plies, Seed: 1, Now: fixed})
			if err != nil {
				t.Fatal(err)
			}
			if r.Wins != n || r.Score.Games != n {
				t.Errorf("%d won, %d drawn, %d lost of %d", r.Wins, r.Draws, r.Losses, n)
			}
			for _, g := range r.Games {
				t.Logf("game %d: %d plies, %v, result %v %s", g.Number, g.Plies, g.Time[0].Round(time.Millisecond), g.Record.Facts.Result, g.Fault)
			}
		})
	}
}

// TestPairs gives every opening to both sides, in records that can be played.
func TestPairs(t *testing.T) {
	a := arena.Player{Name: "A", Make: random}
	b := arena.Player{Name: "B", Make: random}
	o := arena.Options{Rules: othello.Standard, Games: 6, Seed: 5, Now: fixed, Event: "Test"}
	var told int
	o.Done = func(*arena.Game) { told++ }
	r, err := arena.Match(t.Context(), a, b, o)
	if err != nil || len(r.Games) != 6 || told != 6 || r.Wins+r.Draws+r.Losses != 6 {
		t.Fatalf("%+v, %v", r, err)
	}
	referee := record.NewReferee(game.Catalog{othello.Standard})
	openings := map[string]int{}
	for i, g := range r.Games {
		first := "AB"[g.First : g.First+1]
		if g.Number != i+1 || g.Record.Facts.Players[0].Name != first || g.First != i&1 {
			t.Errorf("game %d: number %d, first player %d, %+v", i+1, g.Number, g.First, g.Record.Facts.Players)
		}
		played := referee.Play(g.Record)
		if !played.Legal() || !played.Outcome.Over() || g.Record.Facts.Event != "Test" {
			t.Errorf("game %d: the record cannot be played, or has no end: %+v", g.Number, played.Marks)
		}
		points := 0.5
		if played.Outcome.State == game.Won {
			points = float64(1 - (int(played.Outcome.Winner) ^ g.First))
		}
		if points != g.Points {
			t.Errorf("game %d: %g points, the record says %g", g.Number, g.Points, points)
		}
		openings[g.Opening]++
	}
	if len(openings) != 3 {
		t.Errorf("openings %v, want three, each twice", openings)
	}
}

// TestRepeatable plays the same match with one worker and with several.
func TestRepeatable(t *testing.T) {
	var want string
	for _, parallel := range []int{1, 3} {
		a := arena.Player{Name: "A", Make: reader(simple.Discs{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), Limits: engine.Limits{Nodes: 300}}
		b := arena.Player{Name: "B", Make: func() (engine.Engine, error) {
			e := alphabeta.New(simple.Discs{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20})
			return engine.AtLevel(e, 2), nil
		}}
		r, err := arena.Match(t.Context(), a, b, arena.Options{Rules: othello.Standard, Games: 4, Parallel: parallel, Seed: 3, Now: fixed})
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		for _, g := range r.Games {
			for _, n := range g.Record.Nodes {
				text.WriteString(n.Move)
			}
			text.WriteByte('\n')
		}
		if want == "" {
			want = text.String()
		}
		if text.String() != want {
			t.Errorf("%d games at once: \n%s\nwant\n%s", parallel, text.String(), want)
		}
	}
}

// broken is an engine that fails in one of many ways.
type broken struct {
	engine.Random
	fail  func(context.Context) (*engine.Report, error)
	spare func() bool // asked before it fails; nil for never
}

func (b broken) Think(ctx context.Context, t *engine.Task, l engine.Limits, w func(*engine.Report)) (*engine.Report, error) {
	if len(t.Moves) > 12 && (b.spare == nil || !b.spare()) {
		return b.fail(ctx)
	}
	return b.Random.Think(ctx, t, l, w)
}

// TestFaults scores nothing where an engine goes wrong, and breaks the match off
// where it does so again and again.
func TestFaults(t *testing.T) {
	for name, fail := range map[string]func(context.Context) (*engine.Report, error){
		"error":   func(context.Context) (*engine.Report, error) { return nil, errors.New("out of order") },
		"panic":   func(context.Context) (*engine.Report, error) { panic("out of order") },
		"nothing": func(context.Context) (*engine.Report, error) { return &engine.Report{}, nil },
		"illegal": func(context.Context) (*engine.Report, error) {
			return &engine.Report{Lines: []engine.Line{{Move: othello.Move("d4")}}}, nil
		},
		"slow": func(context.Context) (*engine.Report, error) {
			time.Sleep(30 * time.Millisecond)
			return &engine.Report{Lines: []engine.Line{{Move: game.Pass}}}, nil
		},
		"hang": func(ctx context.Context) (*engine.Report, error) { <-ctx.Done(); return nil, context.Cause(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			a := arena.Player{Name: "A", Make: func() (engine.Engine, error) { return broken{fail: fail}, nil }, Limits: engine.Limits{Time: 10 * time.Millisecond}}
			b := arena.Player{Name: "B", Make: random}
			r, err := arena.Match(t.Context(), a, b, arena.Options{Rules: othello.Standard, Games: 20, Grace: 10 * time.Millisecond, Now: fixed})
			fault, ok := errors.AsType[*arena.FaultError](err)
			if !ok || fault.Player != "A" || fault.Faults != 4 || fault.Games != 4 || fault.Fault == "" {
				t.Fatalf("%+v: want a fault of A in four games", err)
			}
			if r.Score != (arena.Score{Better: 0.5}) || r.Faults != [2]int{4, 0} || r.Moves[0] == 0 || r.Games[0].Record.Facts.Result.Verdict != facts.Void {
				t.Errorf("%+v, game %+v", r.Score, r.Games[0])
			}
		})
	}
	// Who fails once has spoilt the match, though the other games have their points.
	calls := 0
	once := arena.Player{Name: "A", Make: func() (engine.Engine, error) {
		return broken{fail: func(context.Context) (*engine.Report, error) { return nil, errors.New("out of order") }, spare: func() bool { calls++; return calls > 1 }}, nil
	}}
	b := arena.Player{Name: "B", Make: random}
	r, err := arena.Match(t.Context(), once, b, arena.Options{Rules: othello.Standard, Games: 4, Now: fixed})
	if _, ok := errors.AsType[*arena.FaultError](err); !ok || r.Score.Games != 3 || len(r.Games) != 4 || r.Elo != 0 || r.Margin != 0 || r.Faults != [2]int{1, 0} {
		t.Errorf("one fault: %+v, %v", r, err)
	}
	// Who gives up has lost; who does nothing else has not played.
	quits := arena.Player{Name: "A", Make: func() (engine.Engine, error) {
		return broken{fail: func(context.Context) (*engine.Report, error) { return nil, engine.ErrResigned }}, nil
	}}
	r, err = arena.Match(t.Context(), quits, b, arena.Options{Rules: othello.Standard, Games: 2, Now: fixed})
	if err != nil || r.Losses != 2 || r.Games[0].Record.Facts.Result.How != facts.Resign || r.Elo >= 0 {
		t.Errorf("resigned: %+v, %v", r, err)
	}
	_, err = arena.Match(t.Context(), b, quits, arena.Options{Rules: othello.Standard, Games: 2, Plies: 14, Now: fixed})
	if fault, ok := errors.AsType[*arena.FaultError](err); !ok || !strings.Contains(fault.Error(), "A made no move in 2 games") {
		t.Errorf("never moved: %v", err)
	}
	_, err = arena.Match(t.Context(), arena.Player{Name: "A", Make: func() (engine.Engine, error) { return nil, errors.New("no such program") }},
		arena.Player{Make: random}, arena.Options{Rules: othello.Standard})
	if err == nil || !strings.Contains(err.Error(), "no such program") {
		t.Errorf("an engine that does not start: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := arena.Match(ctx, arena.Player{Make: random}, arena.Player{Make: random}, arena.Options{Rules: othello.Standard}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestTest ends a match as soon as it proves something.
func TestTest(t *testing.T) {
	a := arena.Player{Name: "A", Make: reader(simple.Discs{}, alphabeta.Options{Quiesce: -1, Hash: 1 << 20}), Limits: engine.Limits{Depth: 2}}
	b := arena.Player{Name: "B", Make: random}
	r, err := arena.Match(t.Context(), a, b, arena.Options{Rules: variant(t, othello.Standard, "6x6"), Games: 200, Parallel: 2, Test: &arena.SPRT{Low: 0, High: 100}, Now: fixed})
	if err != nil || r.Verdict != arena.ProvesHigh || r.Score.Games >= 200 {
		t.Errorf("%+v, %v", r.Score, err)
	}
	r, err = arena.Match(t.Context(), b, a, arena.Options{Rules: variant(t, othello.Standard, "6x6"), Games: 200, Test: &arena.SPRT{Low: 0, High: 100}, Now: fixed})
	if err != nil || r.Verdict != arena.ProvesLow || math.IsInf(r.Elo, 0) || r.Elo > -100 {
		t.Errorf("%+v, %v", r.Score, err)
	}
}

// FuzzOpening holds openings by chance to their laws: legal, of the right
// length, not at an end, the same for the same seed.
func FuzzOpening(f *testing.F) {
	games := []game.Rules{othello.Standard, xiangqi.Standard, renju.Renju, weiqi.Standard, variant(f, othello.Standard, "4x4")}
	f.Add(uint64(1), uint8(4))
	f.Add(uint64(77), uint8(8))
	f.Fuzz(func(t *testing.T, seed uint64, plies uint8) {
		for _, r := range games {
			n := int(plies % 12)
			o, err := arena.Random(r, n, seed)
			if err != nil {
				if r.Geometry().Size.Area() > 16 {
					t.Fatal(err)
				}
				continue
			}
			again, _ := arena.Random(r, n, seed)
			p := r.Start()
			for i, m := range o.Moves {
				if err := p.Play(m); err != nil || again.Moves[i] != m {
					t.Fatalf("%s: move %d of %v: %v", r.Info().Name, i+1, o, err)
				}
			}
			if len(o.Moves) != n || p.Outcome().Over() {
				t.Fatalf("%s: %d moves, want %d, and a game that goes on", r.Info().Name, len(o.Moves), n)
			}
		}
	})
}
