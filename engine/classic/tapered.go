package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
)

// tapered reads at each ply only as many moves as the ply is worth, those that are
// judged best: n-best forward pruning that tapers off, as in the program of
// Greenblatt. What is left out is never looked at again.
func tapered(w *walk) error {
	widths := w.Widths
	if len(widths) == 0 {
		widths = []int{8, 6, 5, 4, 3}
	}
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		list := w.movesBy(Static)
		n := max(widths[min(ply, len(widths)-1)], 1)
		pruned := len(list) > n
		if pruned {
			w.result.Pruned += int64(len(list) - n)
			list = list[:n]
		}
		v, why, at := w.all(list, depth, ply, alpha, beta)
		if pruned && why == trace.Read {
			why = trace.Forward
		}
		return v, why, at
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
