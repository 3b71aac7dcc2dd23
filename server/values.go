package server

import (
	"context"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/review"
	"qipu/server/guard"
	"qipu/view"
)

func (s *Server) registerValues() {
	get(s, "/values", "get-values", "play", "What the engine thinks of every move of a position", s.values)
}

type valuesInput struct {
	Placed
	Writing
	Level int `query:"level" minimum:"1" maximum:"20" default:"8" doc:"How deep it reads; the server bounds the time"`
}

// longestThought is how long an engine may think about a position that somebody
// looks at.
const longestThought = 3 * time.Second

func (s *Server) values(ctx context.Context, in *valuesInput) (*view.Values, error) {
	at, err := s.stand(ctx, &in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	unit := review.ScaleOf(at.rules)
	w := &view.Values{Unit: string(unit.Unit), Selectivity: 100, Moves: []view.MoveValue{}}
	if at.pos.Outcome().Final() {
		return w, nil
	}
	task, err := at.task()
	if err != nil {
		return nil, err
	}
	l := judging(in.Level, longestThought)
	l.Multi = -1
	report, err := s.critics.Think(ctx, guard.Client(ctx), 0, task, l, nil)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // it was cut short: nobody may keep it
	}
	w.Depth, w.Selectivity, w.Nodes, w.Exact = report.Depth, report.Selectivity, report.Nodes, report.Best().Exact
	for i := range report.Lines {
		line := &report.Lines[i]
		if line.Value == engine.NoValue {
			continue
		}
		moves := line.Moves
		if len(moves) == 0 {
			moves = []game.Move{line.Move}
		}
		w.Moves = append(w.Moves, view.MoveValue{
			Move: at.move(at.pos, line.Move, at.write), Value: view.Rounded(unit.Amount(line.Value)), Exact: line.Exact, Line: at.ahead(moves),
		})
	}
	return w, nil
}

// task returns the position as engines want it.
func (at *standing) task() (*engine.Task, error) {
	t := &engine.Task{Rules: at.rules, Moves: at.moves}
	if at.base != "" {
		setup, err := game.ParseSetup(at.rules, at.base)
		if err != nil {
			return nil, badLine(err)
		}
		t.Start = &setup
	}
	return t, nil
}

// ahead returns moves that follow the position, as they are written there; those
// behind one that cannot be played are left out.
func (at *standing) ahead(moves []game.Move) []view.Move {
	list := make([]view.Move, 0, len(moves))
	n := 0
	for _, m := range moves {
		text := at.move(at.pos, m, at.write)
		if at.pos.Play(m) != nil {
			break
		}
		n++
		list = append(list, text)
	}
	for range n {
		at.pos.Undo()
	}
	return list
}
