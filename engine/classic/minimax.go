package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
)

// minimax reads every position to the depth: the reference of all others.
//
//	minimax(p, d): d = 0 or over -> value; else the best of -minimax(child, d-1)
func minimax(w *walk) error {
	w.node = func(depth, ply int, _, _ engine.Value) (engine.Value, trace.Reason, int) {
		best := -inf
		for _, m := range w.moves() {
			v := w.visit(m, depth-1, ply, -inf, inf)
			if w.stop != nil {
				return best, trace.Stopped, 0
			}
			if v > best {
				best = v
				w.line(ply, m)
			}
		}
		return best, trace.Read, 0
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
