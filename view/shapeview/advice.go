package shapeview

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/pattern/prior"
	"qipu/view"
)

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
			Shape: r.Entry.ID, Names: b.Base.Title(r.Entry), Purposes: Purposes(r.Purpose), Urgency: int(r.Urgency), Avoid: r.Avoid,
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
		list = append(list, view.LikelyMove{Point: g.Size.Index(guess.Point), Name: g.Name(guess.Point), Share: view.Rounded(guess.P)})
	}
	return list, nil
}
