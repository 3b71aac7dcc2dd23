package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// optimist leaves a position unread where even its optimistic value is not enough for
// the side to move, or where its pessimistic one is already too much: our reading of
// the optimistic-pessimistic forward pruning that the survey names. It is as good as
// its bounds are true.
func optimist(w *walk) error {
	bounder := w.bounder()
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		if ply > 0 {
			low, high := bounder.Bounds(w.p)
			switch {
			case high <= alpha:
				w.result.Pruned++
				return high, trace.Forward, 0
			case low >= beta:
				w.result.Pruned++
				return low, trace.Forward, 0
			}
		}
		return w.all(w.moves(), depth, ply, alpha, beta)
	}
	w.root(w.Depth, -inf, inf)
	return nil
}

// bounder returns the bounds of the evaluator, or usual ones.
func (w *walk) bounder() engine.Bounder {
	if b, ok := w.Eval.(engine.Bounder); ok {
		return b
	}
	return &twice{w}
}

// twice bounds a position by what the evaluator says while both sides move: at best
// the side to move makes its best move and is not answered; at worst its best move is
// answered by what takes most, and it has no second.
type twice struct{ w *walk }

func (t *twice) Bounds(p game.Position) (low, high engine.Value) {
	w := t.w
	low, high = -inf, -inf
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		if w.called() {
			break
		}
		if p.Play(m) != nil {
			continue
		}
		v, worst := engine.Value(0), engine.Value(0)
		o := p.Outcome()
		if o.Over() {
			v = w.ended(o, 0)
			worst = v
		} else {
			v = w.judge()
			w.result.Judged++
			worst = v
			if p.Turn() != side { // the other side answers
				values, _ := w.statics(w.taking(p.AppendMoves(nil)))
				for _, x := range values {
					worst = max(worst, x)
				}
			}
		}
		if p.Turn() != side {
			v, worst = -v, -worst
		}
		p.Undo()
		low, high = max(low, worst), max(high, v)
	}
	v := w.judge()
	return min(low, v), max(high, v)
}
