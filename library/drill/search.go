package drill

import (
	"context"
	"errors"
	"fmt"

	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// Search cuts exercises that reading proves: one move wins by force and no other comes
// near, or one escapes and all others lose by force. A mate, a five or an end that was
// read to the last move is force; a lead is none.
type Search struct {
	Engine engine.Engine
	Nodes  int64 // for an exercise; what might be one is found by an eighth of them
	Most   int   // exercises of a game, 0 for all

	// Looked counts positions that were read.
	Looked int
}

// How long the tail of a game is that is looked at. Where an engine reads games to their
// ends, the last moves of all are too easy.
const (
	tail      = 12
	solveTail = 13
	easyTail  = 4
	sooner    = 8
)

// near is how much less than a lead of that many units a second move must be worth, where
// the first wins, and the best where all others lose.
const near = 2 * engine.Unit

// Cut returns the exercises of the tail of a game.
func (s *Search) Cut(ctx context.Context, g *record.Played, source string) (list []Exercise, err error) {
	p, err := g.Rules.Arrange(g.Start)
	if err != nil || len(g.Steps) < 2 {
		return nil, nil // such a board cannot be played on
	}
	info := s.Engine.Info()
	from, to := len(g.Steps)-tail, len(g.Steps)
	if info.Solves {
		from, to = len(g.Steps)-solveTail, len(g.Steps)-easyTail
	}
	start := g.Start
	t := &engine.Task{Rules: g.Rules, Start: &start}
	for ply, step := range g.Steps {
		if ply >= to || ctx.Err() != nil {
			break
		}
		if ply >= from && !p.Outcome().Over() {
			e, ok, err := s.cut(ctx, t, p, step.Move)
			if err != nil {
				return nil, err
			}
			if ok {
				e.Source, e.Ply = source, ply
				if list = append(list, e); len(list) == s.Most {
					return list, nil
				}
			}
		}
		if p.Play(step.Move) != nil {
			break
		}
		t.Moves = append(t.Moves, step.Move)
	}
	return list, context.Cause(ctx)
}

// cut makes an exercise of a position, where it is one.
func (s *Search) cut(ctx context.Context, t *engine.Task, p game.Position, next game.Move) (e Exercise, ok bool, err error) {
	legal := p.AppendMoves(nil)
	if len(legal) < leastMoves {
		return e, false, nil
	}
	s.Looked++
	first, kind, err := s.one(ctx, t, s.Nodes/sooner)
	if err != nil || kind == "" {
		return e, false, err
	}
	move := first.Move
	best, again, err := s.one(ctx, t, s.Nodes)
	if err != nil || again != kind || best.Move != move {
		return e, false, err
	}
	e = exerciseOf(t.Rules, p, kind)
	e.Move, e.Moves, e.Proof = game.FormatMove(t.Rules, p, move, game.AnyNotation), len(legal), s.Engine.Info().Name
	e.Theme = kind // or in how many moves it wins
	if len(best.Moves) > 0 && best.Moves[0] == move {
		if e.Line, err = texts(t.Rules, p, best.Moves); err != nil {
			e.Line, err = []string{e.Move}, nil
		}
	}
	if kind == "win" && best.Value > engine.Decided {
		e.Plies = int(engine.Win - best.Value)
	} else if kind == "win" {
		e.Plies = len(e.Line)
	}
	if n := (e.Plies + 1) / 2; kind == "win" && !s.Engine.Info().Solves && n >= 1 && n <= 5 {
		e.Theme = fmt.Sprint("win-", n)
	}
	e.rate(t.Rules, p, next)
	return e, true, err
}

// one tells whether one move alone is right, as far as so many positions show.
func (s *Search) one(ctx context.Context, t *engine.Task, nodes int64) (best engine.Line, kind string, err error) {
	l := engine.Limits{Nodes: nodes, Multi: 2}
	solves := s.Engine.Info().Solves
	if solves {
		l = engine.Limits{Exact: true, Multi: 2}
	}
	r, err := s.Engine.Think(ctx, t, l, nil)
	if errors.Is(err, engine.ErrOver) {
		return best, "", nil
	}
	if err != nil || len(r.Lines) < 2 {
		return best, "", err
	}
	best, other := r.Lines[0], r.Lines[1]
	if best.Bound == engine.AtMost || other.Bound == engine.AtLeast {
		return best, "", nil
	}
	if solves {
		switch {
		case !best.Exact || !other.Exact:
		case best.Value > 0 && other.Value < 0:
			return best, "win", nil
		case best.Value == 0 && other.Value < 0:
			return best, "save", nil
		}
		return best, "", nil
	}
	switch {
	case best.Value >= engine.Decided && other.Value < near:
		return best, "win", nil
	case other.Value <= -engine.Decided && best.Value > -near && best.Value < engine.Decided:
		return best, "save", nil
	}
	return best, "", nil
}

// Sound reports whether reading by so many positions still says of an exercise what it
// says: its move is the right one, and the only one.
func (s *Search) Sound(ctx context.Context, r game.Rules, e *Exercise, nodes int64) (bool, error) {
	setup, err := game.ParseSetup(r, e.Position)
	if err != nil {
		return false, err
	}
	p, err := r.Arrange(setup)
	if err != nil {
		return false, err
	}
	best, kind, err := s.one(ctx, &engine.Task{Rules: r, Start: &setup}, nodes)
	return err == nil && kind == e.Kind && game.FormatMove(r, p, best.Move, game.AnyNotation) == e.Move, err
}
