package server

import (
	"context"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/pattern/prior"
	"qipu/view"
)

func (s *Server) registerAdvice() {
	get(s, "/advice", "get-advice", "shapes", "What the shapes of the base say of a position of Go, and what is likely to be played", s.advice)
}

type adviceInput struct {
	Placed
	Side    string `query:"side" enum:"both,first,second,turn" default:"both" doc:"For whom points are looked for: both sides, one, or the one to move"`
	Refused bool   `query:"refused" doc:"Tell the points as well that conditions refuse, and why"`
	Reasons int    `query:"reasons" minimum:"1" maximum:"50" default:"6" doc:"How many shapes of each point to tell, those that people wrote first"`
	Likely  int    `query:"likely" minimum:"0" maximum:"361" default:"10" doc:"How many of the likeliest moves to tell"`
}

func (s *Server) advice(ctx context.Context, in *adviceInput) (*view.Advice, error) {
	at, err := s.stand(ctx, &in.Placed, "")
	if err != nil {
		return nil, err
	}
	pos, ok := at.pos.(*weiqi.Position)
	if !ok {
		return nil, bad("no-shapes", "Ask about a position of Go.", "the base knows shapes of Go alone, and this is %s", at.spec)
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	who := map[string]advise.Who{"both": advise.Both, "first": advise.First, "second": advise.Second, "turn": advise.ToMove}
	b := s.lib.Knowledge().Shapes()
	list, err := b.Advise(pos, advise.Ask{Who: who[in.Side], Refused: in.Refused})
	if err != nil {
		return nil, err
	}
	w := &view.Advice{Points: []view.AdvicePoint{}, Likely: []view.LikelyMove{}}
	for i := range list {
		w.Points = append(w.Points, AdviceOf(b, at.rules.Geometry(), &list[i], in.Reasons))
	}
	if in.Likely > 0 && !pos.Outcome().Over() {
		w.Likely, err = LikelyOf(pos, at.moves, in.Likely)
	}
	return w, err
}

// AdviceOf returns what the base says of a point as clients get it, with so many
// shapes at the most; 0 is all.
func AdviceOf(b *knowledge.Shapes, g *board.Geometry, p *advise.Point, most int) view.AdvicePoint {
	w := view.AdvicePoint{
		Point: g.Size.Index(p.Point), Name: g.Name(p.Point), Side: int(p.Side), Urgency: int(p.Urgency), Avoid: p.Avoid, Refused: p.Refused, Reasons: []view.AdviceReason{},
	}
	if p.Refused { // how urgent it would be
		for i := range p.Advice {
			w.Urgency = max(w.Urgency, int(p.Advice[i].Urgency))
		}
	}
	reasons := knowledge.Reasons(p, most)
	for i := range reasons {
		r := &reasons[i]
		reason := view.AdviceReason{
			Shape: r.Entry.ID, Names: b.Base.Title(r.Entry), Purposes: words(r.Purpose), Urgency: int(r.Urgency), Avoid: r.Avoid,
			Theirs: r.Theirs(), Refused: r.Refused, Stones: []int{},
		}
		for _, at := range knowledge.Covers(r, g.Size) {
			reason.Stones = append(reason.Stones, g.Size.Index(at))
		}
		w.Reasons = append(w.Reasons, reason)
	}
	return w
}

// LikelyOf returns the moves that players of records would make, by local
// patterns alone, the likeliest first. Moves are those that led to the position,
// as far as they are known.
func LikelyOf(pos *weiqi.Position, moves []game.Move, most int) ([]view.LikelyMove, error) {
	model, err := prior.Load()
	if err != nil {
		return nil, err
	}
	var contexts prior.Board
	contexts.Reset(pos, moves[max(0, len(moves)-2):]...)
	g := pos.Rules().Geometry()
	list := []view.LikelyMove{}
	for i, guess := range model.Predict(nil, &contexts) {
		if i == most {
			break
		}
		list = append(list, view.LikelyMove{Point: g.Size.Index(guess.Point), Name: g.Name(guess.Point), Share: rounded(guess.P)})
	}
	return list, nil
}
