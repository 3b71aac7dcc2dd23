package engine_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"qipu/engine"
	"qipu/game"
)

// thinker notes what it is asked, and thinks until its time is up or it is stopped.
type thinker struct {
	engine.Engine
	tasks   []int // moves of each
	running int
	closed  bool
}

func (e *thinker) Think(ctx context.Context, t *engine.Task, l engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	e.tasks = append(e.tasks, len(t.Moves))
	e.running++
	defer func() { e.running-- }()
	switch {
	case l.Time > 0:
		time.Sleep(l.Time)
	case l.Nodes == 0 && l.Depth == 0:
		<-ctx.Done()
	}
	return &engine.Report{Lines: []engine.Line{{Move: game.Pass}}}, nil
}

func (e *thinker) Close() error {
	e.closed = true
	return nil
}

// TestPondering: after a move by time the position behind it is thought about until the
// next thought, which finds nobody at work; other questions and Close leave nothing
// behind.
func TestPondering(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := new(thinker)
		e := engine.Pondering(inner)
		ask := func(moves int, l engine.Limits) {
			t.Helper()
			if _, err := e.Think(t.Context(), &engine.Task{Moves: make([]game.Move, moves)}, l, nil); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		ask(3, engine.Limits{Time: time.Second})
		if inner.running != 1 || len(inner.tasks) != 2 || inner.tasks[1] != 4 {
			t.Fatalf("%d thoughts go on, about %v", inner.running, inner.tasks)
		}
		ask(5, engine.Limits{Nodes: 10})
		ask(5, engine.Limits{Time: time.Second, Multi: 3})
		ask(5, engine.Limits{Depth: 2})
		if inner.running != 0 || len(inner.tasks) != 5 {
			t.Fatalf("%d thoughts go on, about %v", inner.running, inner.tasks)
		}
		ask(5, engine.Limits{Clock: &engine.Clock{Left: time.Minute}, Time: time.Second})
		if inner.running != 1 {
			t.Fatal("nobody thinks on")
		}
		e.Close()
		if inner.running != 0 || !inner.closed {
			t.Error("a thought outlives the engine")
		}
	})
}
