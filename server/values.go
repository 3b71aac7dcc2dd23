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
	get(s, kept, "/values", "get-values", "play", "What the engine thinks of every move of a position", s.values)
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
	at, err := s.stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	unit := review.ScaleOf(at.Rules)
	w := &view.Values{Unit: string(unit.Unit), Selectivity: 100, Moves: []view.MoveValue{}}
	if at.Pos.Outcome().Final() {
		return w, nil
	}
	task, err := at.Task()
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
			Move: at.Move(at.Pos, line.Move, at.Write), Value: view.Rounded(unit.Amount(line.Value)), Exact: line.Exact, Line: at.Ahead(moves),
		})
	}
	return w, nil
}
