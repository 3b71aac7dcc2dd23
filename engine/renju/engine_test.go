package renju_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/renju"
	"qipu/engine/trace"
	"qipu/game"
	rules "qipu/game/renju"
)

func parse(t testing.TB, r game.Rules, line string) *engine.Task {
	t.Helper()
	_, moves, err := game.ParseLine(r, line)
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Task{Rules: r, Moves: moves}
}

func think(t testing.TB, task *engine.Task, l engine.Limits) *engine.Report {
	t.Helper()
	e := renju.New(engine.Options{Hash: 1 << 20})
	defer e.Close()
	r, err := e.Think(context.Background(), task, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMoves: what everybody sees.
func TestMoves(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"the middle", "", "h8"},
		{"a five", "h8 a1 i8 a2 j8 a4 k8 b1", "g8 l8"},
		{"the answer to a four", "h8 g8 i8 a2 j8 a4 k8", "l8"},
		{"an open four", "h8 a1 i8 a3 j8 c1", "g8 k8"},
		{"an open three is stopped", "h8 h9 i8 a1 j8", "f8 g8 k8 l8"},
		// White makes a four: the only answer would be an overline.
		{"a trap", "e8 a1 f8 b1 g8 d1 i8 e1 j8", "c1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			task := parse(t, rules.Renju, c.line)
			p, _ := task.Position()
			best := think(t, task, engine.Limits{Nodes: 5000}).Best()
			got := game.FormatMove(rules.Renju, p, best.Move, game.AnyNotation)
			for _, want := range splits(c.want) {
				if got == want {
					return
				}
			}
			t.Errorf("%s (%v), want %s", got, best.Value, c.want)
		})
	}
}

func splits(text string) (list []string) {
	for text != "" {
		word := text
		for i := range text {
			if text[i] == ' ' {
				word = text[:i]
				break
			}
		}
		list = append(list, word)
		text = text[min(len(word)+1, len(text)):]
	}
	return list
}

// TestSame: with a limit of nodes or depth the answer is the same every time, recorded or
// not, whatever was thought of before.
func TestSame(t *testing.T) {
	task := parse(t, rules.Renju, "h8 i9 i7 g7 j8 h6")
	for _, l := range []engine.Limits{{Nodes: 6000}, {Depth: 4}, {Nodes: 5000, Multi: 4}} {
		want := think(t, task, l)
		e := renju.New(engine.Options{Hash: 1 << 20})
		for i := range 3 {
			with := l
			if i == 1 {
				with.Record = trace.New(trace.Options{Nodes: 100})
			}
			got, err := e.Think(context.Background(), task, with, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Lines, want.Lines) || got.Nodes != want.Nodes {
				t.Errorf("%+v: %+v, want %+v", l, got, want)
			}
			if i == 1 {
				if nodes, leaves := got.Counters.Sum(); nodes == 0 || leaves == 0 || nodes+got.Counters.Untold < got.Nodes {
					t.Errorf("%+v: %d positions and %d leaves of %d", l, nodes, leaves, got.Nodes)
				}
				if len(with.Record.Tree().Nodes) == 0 {
					t.Error("nothing was recorded")
				}
			}
		}
		e.Close()
	}
}

// TestSeveral: several moves have values, the best first.
func TestSeveral(t *testing.T) {
	task := parse(t, rules.Renju, "h8 i9 i7 g7 j8 h6")
	for _, multi := range []int{3, 7, -1} {
		r := think(t, task, engine.Limits{Depth: 2, Multi: multi})
		if multi > 0 && len(r.Lines) != multi || multi < 0 && len(r.Lines) < 20 {
			t.Errorf("%d lines, want %d", len(r.Lines), multi)
		}
		seen := map[game.Move]bool{}
		for i, line := range r.Lines {
			if seen[line.Move] || line.Moves[0] != line.Move || i > 0 && line.Value > r.Lines[i-1].Value {
				t.Errorf("line %d: %+v", i, line)
			}
			seen[line.Move] = true
		}
	}
}

// TestAnywhere plays on the smallest and the largest board, behind passes and fouls, and
// until boards are full.
func TestAnywhere(t *testing.T) {
	for _, spec := range []string{"5x5", "6x5,free", "25x25,standard", "7x7", "20x20,free"} {
		r, err := rules.Renju.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		e := renju.New(engine.Options{Hash: 1 << 20})
		task := &engine.Task{Rules: r, Moves: []game.Move{game.Pass}}
		p, err := task.Position()
		if err != nil {
			t.Fatal(err)
		}
		for !p.Outcome().Over() && len(task.Moves) < 60 {
			report, err := e.Think(context.Background(), task, engine.Limits{Nodes: 150}, nil)
			if err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			m := report.Best().Move
			if err := p.Play(m); err != nil {
				t.Fatalf("%s: %v", spec, err)
			}
			if q := p.(*rules.Position); q.LastFoul() != rules.NoFoul {
				t.Fatalf("%s: a foul by %v", spec, m.To())
			}
			task.Moves = append(task.Moves, m)
		}
		e.Close()
	}
	// White may play on behind a foul; stones may stand in any number.
	foul := parse(t, rules.Renju, "h8 a1 i8 a3 h9 a5 h10 c1 g8 c3")
	think(t, foul, engine.Limits{Nodes: 300})
	s := rules.Renju.Start()
	setup := game.SetupOf(s)
	for x := range 15 {
		if x%3 != 0 {
			setup.Board.Of[0].Add(board.At(x, 4))
			setup.Board.Of[0].Add(board.At(x, 5))
		}
	}
	think(t, &engine.Task{Rules: rules.Renju, Start: &setup}, engine.Limits{Nodes: 300})
}

// TestEnds: a thought ends with its context and with the engine.
func TestEnds(t *testing.T) {
	e := renju.New(engine.Options{Hash: 1 << 20})
	ctx, cancel := context.WithCancel(context.Background())
	task := parse(t, rules.Renju, "h8 i9 i7")
	r, err := e.Think(ctx, task, engine.Limits{}, func(r *engine.Report) {
		if r.Depth >= 3 {
			cancel()
		}
	})
	if err != nil || r.Depth < 3 {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := e.Think(ctx, task, engine.Limits{}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	done := make(chan error)
	begun := make(chan bool, 1)
	go func() {
		_, err := e.Think(context.Background(), task, engine.Limits{}, func(*engine.Report) {
			select {
			case begun <- true:
			default:
			}
		})
		done <- err
	}()
	<-begun
	e.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := e.Think(context.Background(), task, engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Error(err)
	}
	if r := think(t, task, engine.Limits{Time: 20 * time.Millisecond}); len(r.Lines) == 0 {
		t.Error("no move")
	}
	if _, err := renju.New(engine.Options{}).Think(context.Background(), &engine.Task{Rules: other{}}, engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrGame) {
		t.Error(err)
	}
	over := parse(t, rules.Renju, "h8 a1 i8 a2 j8 a4 k8 b1 g8")
	if _, err := renju.New(engine.Options{}).Think(context.Background(), over, engine.Limits{Depth: 1}, nil); !errors.Is(err, engine.ErrOver) {
		t.Error(err)
	}
}

// other is another game.
type other struct{ game.Rules }
