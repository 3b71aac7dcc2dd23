package knowledge

import (
	"context"

	"qipu/board"
	"qipu/engine"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/shapeview"
)

func (s *room) registerAdvice() {
	api.Get(s.Service, api.Kept.InTurn(), "/advice", "get-advice", "shapes", "What the shapes of the base say of a position of Go, and what is likely to be played", s.advice)
}

type adviceInput struct {
	api.Placed
	Side    string `query:"side" enum:"both,first,second,turn" default:"both" doc:"For whom points are looked for: both sides, one, or the one to move"`
	Refused bool   `query:"refused" doc:"Tell the points as well that conditions refuse, and why"`
	Reasons int    `query:"reasons" minimum:"1" maximum:"50" default:"6" doc:"How many shapes of each point to tell, those that people wrote first"`
	Hints   bool   `query:"hints" default:"true" doc:"Have the engine rank at most five moves"`
	Likely  int    `query:"likely" minimum:"0" maximum:"361" default:"10" doc:"How many of the likeliest moves to tell"`
}

func (s *room) advice(ctx context.Context, in *adviceInput) (*view.Advice, error) {
	at, err := s.Stand(&in.Placed, "")
	if err != nil {
		return nil, err
	}
	pos, ok := at.Pos.(*weiqi.Position)
	if !ok {
		return nil, api.Bad("no-shapes", "Ask about a position of Go.", "the base knows shapes of Go alone, and this is %s", at.Spec)
	}
	who := map[string]advise.Who{"both": advise.Both, "first": advise.First, "second": advise.Second, "turn": advise.ToMove}
	b := s.Lib.Knowledge().Shapes()
	list, err := b.Advise(pos, advise.Ask{Who: who[in.Side], Refused: in.Refused})
	if err != nil {
		return nil, err
	}
	w := &view.Advice{Points: []view.AdvicePoint{}, Likely: []view.LikelyMove{}, Hints: []view.Hint{}}
	var refuted board.Plane
	if in.Hints {
		if refuted, err = s.hints(ctx, w, at, pos, b, list); err != nil {
			return nil, err
		}
	}
	for i := range list {
		w.Points = append(w.Points, shapeview.AdviceOf(b, at.Rules.Geometry(), &list[i], in.Reasons))
		w.Points[i].Refuted = list[i].Side == pos.Turn() && refuted.Has(list[i].Point)
	}
	if in.Likely > 0 && !pos.Outcome().Over() {
		w.Likely, err = shapeview.LikelyOf(pos, at.Moves, in.Likely)
	}
	return w, err
}

// hints has an engine rank moves, and returns the points that reading refutes.
func (s *room) hints(ctx context.Context, w *view.Advice, at *gameview.Standing, pos *weiqi.Position, b *knowledge.Shapes, list []advise.Point) (refuted board.Plane, err error) {
	t, err := at.Task()
	if err != nil {
		return refuted, err
	}
	err = s.engines.Do(ctx, guard.Client(ctx), at.Rules, func(e engine.Engine) (err error) {
		w.Hints, refuted, err = shapeview.HintsOf(ctx, e, t, pos, b, list)
		return err
	})
	return refuted, err
}
