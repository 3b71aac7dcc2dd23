package shapeview

import (
	"cmp"
	"context"
	"slices"

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
	r, err := e.Think(ctx, t, engine.Limits{Nodes: 1 + MostHints*looksEach, Multi: MostHints}, nil)
	if err != nil {
		return hints, refuted, err
	}
	slices.SortStableFunc(r.Lines, func(a, b engine.Line) int { return cmp.Compare(b.Likely, a.Likely) })
	before := before(r)
	for _, m := range r.Refuted {
		refuted.Add(m.To())
	}
	g := pos.Rules().Geometry()
	for i := range r.Lines {
		l := &r.Lines[i]
		h := view.Hint{Point: -1, Name: "pass", Chance: view.Rounded(l.Likely), Before: before, After: before, Lives: []string{}, Dies: []string{}, Reasons: []view.AdviceReason{}}
		for _, f := range l.Settles {
			if f.Lives {
				h.Lives = append(h.Lives, g.Name(f.At))
			} else {
				h.Dies = append(h.Dies, g.Name(f.At))
			}
		}
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

// looksEach is how many positions behind each move are looked at, in the mean. A net sees
// the same lead a little differently by whose turn it is; behind a move and the answers
// to it both sides are heard.
const looksEach = 4

// before is the lead before a move: what is said of the position itself and of the best
// that can follow, so that here too both sides are heard.
func before(r *engine.Report) float64 {
	best := engine.NoValue
	for i := range r.Lines {
		if v := r.Lines[i].Value; v != engine.NoValue && (best == engine.NoValue || v > best) {
			best = v
		}
	}
	if best == engine.NoValue {
		best = r.Stands
	}
	return view.Rounded((r.Stands.Units() + best.Units()) / 2)
}

// mostReasons is how many shapes a hint names.
const mostReasons = 3
