package shapeview

import (
	"context"

	"qipu/board"
	"qipu/engine"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/view"
)

// MostHints is how many moves a list of hints has at the most.
const MostHints = 5

// HintsOf returns the moves that an engine would think of, the best first, with the
// shapes that speak for them: the shapes are reasons, and do not change the order.
// list is what the base says of the position. There are none where the engine does not
// count points, or the game is over. Points of shapes that reading refutes come second.
func HintsOf(ctx context.Context, e engine.Engine, t *engine.Task, pos *weiqi.Position, b *knowledge.Shapes, list []advise.Point) (hints []view.Hint, refuted board.Plane, err error) {
	hints = []view.Hint{}
	if !e.Info().Points || pos.Outcome().Over() {
		return hints, refuted, nil
	}
	r, err := e.Think(ctx, t, engine.Limits{Nodes: 1 + MostHints, Multi: MostHints}, nil)
	if err != nil {
		return hints, refuted, err
	}
	for _, m := range r.Refuted {
		refuted.Add(m.To())
	}
	g := pos.Rules().Geometry()
	for i := range r.Lines {
		l := &r.Lines[i]
		h := view.Hint{Point: -1, Name: "pass", Chance: view.Rounded(l.Likely), Before: view.Rounded(r.Stands.Units()), After: view.Rounded(r.Stands.Units()), Reasons: []view.AdviceReason{}}
		if l.Value != engine.NoValue {
			h.After = view.Rounded(l.Value.Units())
		}
		if at := l.Move.To(); at != board.NoPoint {
			h.Point, h.Name, h.Refuted = g.Size.Index(at), g.Name(at), refuted.Has(at)
			for j := range list {
				if p := &list[j]; p.Point == at && p.Side == pos.Turn() && !p.Avoid && !p.Refused {
					h.Reasons = AdviceOf(b, g, p, mostReasons).Reasons
				}
			}
		}
		hints = append(hints, h)
	}
	return hints, refuted, nil
}

// mostReasons is how many shapes a hint names.
const mostReasons = 3
