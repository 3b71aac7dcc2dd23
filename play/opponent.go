package play

import (
	"context"
	"fmt"

	"qipu/engine"
	"qipu/game"
)

// Query asks for the engine's move.
type Query struct {
	*engine.Task
	Owner  string // who waits for it, so that those who wait take turns
	Level  int
	Engine string // the name of another program that is to move; empty for our own
	Style  Style
	NoBook bool
	Seed   uint64
	Spent  float64       // what book moves of the game have given away so far
	Clock  *engine.Clock // nil for none
}

// Reply is the engine's move.
type Reply struct {
	Move game.Move
	By
}

// Opponent finds moves for the engine's side. It is asked by many games at once.
type Opponent interface {
	Reply(ctx context.Context, q *Query) (Reply, error)
}

// Book knows moves without thinking. Where it has none, ok is false.
type Book interface {
	Choose(ctx context.Context, q *Query) (r Reply, ok bool, err error)
}

// Mind is an opponent that looks into a book first, and then has an engine of a
// pool think as well as a level says. Other programs think for themselves.
type Mind struct {
	Pool *engine.Pool
	Book Book // nil for none

	// Guest returns the pool of another program; nil where there are none.
	Guest func(name string, r game.Rules) (*engine.Pool, error)
}

// Reply returns the move.
func (m Mind) Reply(ctx context.Context, q *Query) (Reply, error) {
	pool, level := m.Pool, q.Level
	if q.Engine != "" {
		if m.Guest == nil {
			return Reply{}, fmt.Errorf("%w: %s", engine.ErrGame, q.Engine)
		}
		var err error
		if pool, err = m.Guest(q.Engine, q.Rules); err != nil {
			return Reply{}, err
		}
		level = 0
	}
	if m.Book != nil && !q.NoBook && q.Engine == "" {
		// A book that cannot be read is no reason not to play.
		if r, ok, err := m.Book.Choose(ctx, q); err == nil && ok {
			if r.Note == "" {
				r.Note = "book"
			}
			return r, nil
		}
	}
	report, err := pool.Think(ctx, q.Owner, level, q.Task, engine.Limits{Clock: q.Clock, Seed: q.Seed}, nil)
	if err != nil {
		return Reply{}, err
	}
	if ctx.Err() != nil { // it was stopped: what it has is not what the level would play
		return Reply{}, context.Cause(ctx)
	}
	best := report.Best()
	if best.Move == game.NoMove {
		return Reply{}, engine.ErrOver
	}
	return Reply{Move: best.Move}, nil
}
