package play

import (
	"context"
	"time"

	"qipu/engine"
	"qipu/review"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/playview"
)

func (s *room) registerValues() {
	api.Get(s.Service, api.Kept.Hosting(), "/values", "get-values", "play", "What the engine thinks of every move of a position", s.values)
}

type valuesInput struct {
	api.Placed
	api.Writing
	Engine string `query:"engine" maxLength:"40" doc:"Another program, by the name that engines lists; the level means nothing to it"`
	Level  int    `query:"level" minimum:"1" maximum:"20" default:"8" doc:"How deep it reads; the server bounds the time"`
}

// longestThought is how long an engine may think about a position that somebody
// looks at.
const longestThought = 3 * time.Second

func (s *room) values(ctx context.Context, in *valuesInput) (*view.Values, error) {
	at, err := s.Stand(&in.Placed, in.Write)
	if err != nil {
		return nil, err
	}
	if at.Pos.Outcome().Final() {
		return playview.ValuesOf(at, nil), nil
	}
	task, err := at.Task()
	if err != nil {
		return nil, err
	}
	pool, err := s.critic(in.Engine, at.Rules)
	if err != nil {
		return nil, err
	}
	var by review.Opinion
	var report *engine.Report
	err = pool.Do(ctx, guard.Client(ctx), at.Rules, func(e engine.Engine) (err error) {
		info := e.Info()
		if info.Opaque {
			return review.ErrOpaque
		}
		by = review.OpinionOf(info, false)
		l := judging(info, in.Level, longestThought)
		if in.Engine != "" {
			l = engine.Limits{Time: longestThought}
		}
		l.Multi = -1
		report, err = e.Think(ctx, task, l, nil)
		return err
	})
	if err != nil {
		return nil, err
	}
	if in.Engine != "" && report.Best().Value == engine.NoValue {
		return nil, review.ErrOpaque
	}
	if err := ctx.Err(); err != nil {
		return nil, err // it was cut short: nobody may keep it
	}
	w := playview.ValuesBy(at, report, by)
	w.Engine = in.Engine
	return w, nil
}
