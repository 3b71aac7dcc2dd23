package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
)

// scout asks of every move but the first only whether it is better, by a window
// without width, and reads it again where it is. Of Pearl's method it is the form with
// windows (Reinefeld's and others').
func scout(w *walk) error {
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		best := -inf
		for i, m := range w.moves() {
			lo := max(alpha, best)
			v := lo
			if i > 0 && lo > -inf && beta > lo+1 {
				v = w.visit(m, depth-1, ply, lo, lo+1)
			}
			if v >= lo && w.stop == nil && (i == 0 || lo == -inf || beta <= lo+1 || v > lo && v < beta) {
				v = w.visit(m, depth-1, ply, lo, beta)
			}
			if w.stop != nil {
				return best, trace.Stopped, 0
			}
			if v > best {
				best = v
				w.line(ply, m)
			}
			if best >= beta {
				return best, trace.Cut, i + 1
			}
		}
		return best, trace.Read, 0
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
