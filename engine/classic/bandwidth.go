package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
)

// bandwidth gives up exactness by a stated amount. Harris bounds the error of the
// evaluation and shows that the error of the result stays within the band. Our
// reading for a search of a depth: a move is worth reading only if it may be better
// than the best so far by more than the share of the band that a ply has; each ply
// adds at most its share to the error, and all of them together the band.
func bandwidth(w *walk) error {
	band := w.Band
	if band <= 0 {
		band = engine.Unit / 2
	}
	slack := band / engine.Value(w.Depth)
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		best, upper := -inf, -inf
		for i, m := range w.moves() {
			lo := alpha
			if best > -inf {
				lo = max(alpha, min(best+slack, inf-1))
			}
			if lo >= beta { // only what is better by more than the share would count
				return max(best, lo), trace.Cut, i
			}
			v := w.visit(m, depth-1, ply, lo, beta)
			if w.stop != nil {
				return best, trace.Stopped, 0
			}
			upper = max(upper, v)
			if v > lo || best == -inf {
				best = v
				w.line(ply, m)
			}
			if best >= beta {
				return best, trace.Cut, i + 1
			}
		}
		if best <= alpha {
			return max(best, upper), trace.Read, 0
		}
		return best, trace.Read, 0
	}
	w.root(w.Depth, -inf, inf)
	// Nobody wins faster than at once.
	const most = engine.Win - 1
	w.result.Low, w.result.High = max(w.result.Value-band, -most), min(w.result.Value+band, most)
	return nil
}
