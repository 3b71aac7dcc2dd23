package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// scout asks of every move but the first only whether it is better, by a window
// without width, and reads it again where it is. Of Pearl's method it is the form with
// windows (Reinefeld's and others').
func scout(w *walk) error {
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		return w.through(w.moves(), ply, -inf, beta, func(i int, m game.Move, best engine.Value) engine.Value {
			lo := max(alpha, best)
			if i > 0 && lo > -inf && beta > lo+1 {
				if v := w.visit(m, depth-1, ply, lo, lo+1); v <= lo || v >= beta || w.stop != nil {
					return v
				}
			}
			return w.visit(m, depth-1, ply, lo, beta)
		})
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
