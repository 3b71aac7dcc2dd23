// Package bots makes opponents of what was learnt from games. What judges positions is the
// evaluation of the general reader; what likes moves and does not judge makes the move that
// it likes best, and sees a win in one.
package bots

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"
	"time"

	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/game"
	"qipu/learn"
)

// New returns an engine of a model. Quiet, which may be nil, knows which moves of the game
// must be read before a position can be judged (alphabeta.Tactician, alphabeta.Presser).
func New(name string, r game.Rules, m learn.Model, quiet any) engine.Engine {
	if _, ok := m.Judge(r.Start()); ok {
		j := &judge{model: m}
		var e engine.Evaluator = j
		t, tactician := quiet.(alphabeta.Tactician)
		p, presser := quiet.(alphabeta.Presser)
		switch {
		case tactician && presser:
			e = pressed{j, t, p}
		case tactician:
			e = calm{j, t}
		}
		return bounded{alphabeta.New(e, alphabeta.Options{Name: name, Games: []string{r.Info().Name}, Hash: 16 << 20, Quiesce: 24})}
	}
	return &liker{name: name, rules: r, model: m}
}

// usual is how many positions are read where nobody says how many.
const usual = 20_000

// bounded ends its thoughts where nobody says when.
type bounded struct{ engine.Engine }

// Think thinks.
func (b bounded) Think(ctx context.Context, t *engine.Task, l engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	if l.Depth == 0 && l.Nodes == 0 && l.Time == 0 && l.Clock == nil {
		l.Nodes = usual
	}
	return b.Engine.Think(ctx, t, l, watch)
}

// judge values positions by a model.
type judge struct{ model learn.Model }

// Evaluate turns the value for the side that has moved into one for the side to move, a
// unit for one of the model.
func (j *judge) Evaluate(p game.Position) engine.Value {
	v, _ := j.model.Judge(p)
	return -engine.Value(v * float64(engine.Unit))
}

type calm struct {
	*judge
	alphabeta.Tactician
}

type pressed struct {
	*judge
	alphabeta.Tactician
	alphabeta.Presser
}

// liker plays what it likes.
type liker struct {
	name   string
	rules  game.Rules
	model  learn.Model
	closed atomic.Bool
}

// Info describes the engine.
func (l *liker) Info() engine.Info {
	return engine.Info{Name: l.name, Games: []string{l.rules.Info().Name}, Opaque: true}
}

// Close ends it.
func (l *liker) Close() error {
	l.closed.Store(true)
	return nil
}

// Think lists the moves by how much they are liked.
func (l *liker) Think(ctx context.Context, t *engine.Task, limits engine.Limits, watch func(*engine.Report)) (*engine.Report, error) {
	begin := time.Now()
	if l.closed.Load() {
		return nil, engine.ErrClosed
	}
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	moves := p.AppendMoves(nil)
	liked := l.model.Prefer(nil, p, moves)
	report := &engine.Report{Depth: 1, Nodes: int64(len(moves))}
	for i, m := range moves {
		side := p.Turn()
		if p.Play(m) == nil {
			if o := p.Outcome(); o.State == game.Won && o.Winner == side {
				liked[i] += 2
			}
			p.Undo()
		}
		report.Lines = append(report.Lines, engine.Line{Move: m, Value: engine.Value(100 * liked[i]), Weight: liked[i], Moves: []game.Move{m}})
	}
	slices.SortStableFunc(report.Lines, func(a, b engine.Line) int { return cmp.Compare(b.Weight, a.Weight) })
	if n := max(limits.Multi, 1); limits.Multi >= 0 && len(report.Lines) > n {
		report.Lines = report.Lines[:n]
	}
	report.Elapsed = time.Since(begin)
	if watch != nil {
		watch(report)
	}
	return report, nil
}
