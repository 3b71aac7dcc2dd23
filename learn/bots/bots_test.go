package bots_test

import (
	"context"
	"errors"
	"testing"

	"qipu/engine"
	"qipu/engine/simple"
	"qipu/game"
	"qipu/game/checkers"
	"qipu/learn"
	"qipu/learn/bots"
)

// likes likes moves to high squares; with judging it counts pieces.
type likes struct{ judges bool }

func (likes) Prefer(dst []float64, _ game.Position, moves []game.Move) []float64 {
	for _, m := range moves {
		dst = append(dst, float64(m.To())/1024)
	}
	return dst
}

func (l likes) Judge(p game.Position) (float64, bool) {
	return -float64(simple.Checkers{}.Evaluate(p)) / 100, l.judges
}

func (likes) Lines() []learn.Line { return nil }

func think(t *testing.T, e engine.Engine, position string, l engine.Limits) *engine.Report {
	t.Helper()
	p, err := game.ParsePosition(checkers.Rules{}, position)
	if err != nil {
		t.Fatal(err)
	}
	setup := game.SetupOf(p)
	report, err := e.Think(t.Context(), &engine.Task{Rules: checkers.Rules{}, Start: &setup}, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestLikes: what likes moves plays the one that it likes best, but a win.
func TestLikes(t *testing.T) {
	e := bots.New("x", checkers.Rules{}, likes{}, simple.Checkers{})
	if got := game.FormatMove(checkers.Rules{}, checkers.Rules{}.Start(), think(t, e, "start", engine.Limits{}).Best().Move, ""); got != "11-16" {
		t.Errorf("it plays %s, and likes moves to 16", got)
	}
	p := "B:W30,5:B25,1,26"
	if n := len(think(t, e, p, engine.Limits{Multi: -1}).Lines); n < 2 {
		t.Errorf("%d lines of all", n)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Think(context.Background(), &engine.Task{Rules: checkers.Rules{}}, engine.Limits{}, nil); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("closed, it says %v", err)
	}
}

// TestJudges: what judges reads ahead, ends by itself, and takes what is to be taken.
func TestJudges(t *testing.T) {
	for _, quiet := range []any{nil, simple.Checkers{}} {
		e := bots.New("x", checkers.Rules{}, likes{judges: true}, quiet)
		report := think(t, e, "start", engine.Limits{})
		if report.Depth < 3 || report.Nodes > 100_000 {
			t.Errorf("depth %d, %d nodes", report.Depth, report.Nodes)
		}
		if v := think(t, e, "B:W22,30,29:B15,6,14,10", engine.Limits{Depth: 5}).Best().Value; v <= 0 {
			t.Errorf("four men against three are worth %d", v)
		}
		e.Close()
	}
}
