package play

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"qipu/engine"
	"qipu/engine/swap"
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

	// Opening is that of the game while it asks the engine: what is wanted are answers.
	Opening *swap.Opening
}

// Reply is the engine's move.
type Reply struct {
	Move game.Move
	By

	Answers []game.OpeningAnswer // instead of a move, where the opening asks
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
	if q.Opening != nil {
		return m.answer(ctx, pool, level, q)
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

// part is what part of the work for a move goes into each position that an opening has
// compared.
const part = 20

// answer has the engine decide what an opening asks. Positions are judged as far as its
// level reads, without slips, and with a part of the work that a move takes.
func (m Mind) answer(ctx context.Context, pool *engine.Pool, level int, q *Query) (Reply, error) {
	var answers []game.OpeningAnswer
	err := pool.Do(ctx, q.Owner, q.Rules, func(e engine.Engine) (err error) {
		o := *q.Opening
		o.Known, _ = e.(swap.Knower)
		answers, err = swap.Decide(ctx, &o, func(ctx context.Context, t *engine.Task, multi int) (*engine.Report, error) {
			l := engine.Judging(e.Info(), cmp.Or(level, engine.MaxLevel))
			if l.Nodes > 0 {
				l.Nodes = max(l.Nodes/part, 500)
			}
			if q.Clock != nil {
				l.Time = min(max(q.Clock.Left/500, 10*time.Millisecond), 200*time.Millisecond)
			}
			l.Multi = multi
			return e.Think(ctx, t, l, nil)
		}, q.Seed)
		return err
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return Reply{Answers: answers}, err
}
