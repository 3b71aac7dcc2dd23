package playview

import (
	"qipu/library/profiles"
	"qipu/view"
)

// ReviewedOf returns what profiles keep of a review: what it says of the moves of both sides. Whose
// the mistakes are is told by where the profile sat.
func ReviewedOf(r *view.Review, record uint32, session int64) *profiles.Reviewed {
	v := &profiles.Reviewed{Record: record, Session: session, Unit: r.Unit, By: r.By.Engine, Bad: []profiles.ReviewedBad{}}
	for i := range r.Moves {
		m := &r.Moves[i]
		if !m.Known && m.Finding == nil {
			continue
		}
		if side := m.Move.Side; side == 0 || side == 1 {
			v.Plies[side]++
		}
		if m.Mark == "" {
			continue
		}
		bad := profiles.ReviewedBad{Ply: m.Ply, Side: m.Move.Side, Move: m.Move.Text, Loss: m.Loss, Mark: m.Mark}
		if len(m.Best) > 0 {
			bad.Best = m.Best[0].Text
		}
		v.Bad = append(v.Bad, bad)
	}
	return v
}
