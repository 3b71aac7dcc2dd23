package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// minimax reads every position to the depth: the reference of all others.
//
//	minimax(p, d): d = 0 or over -> value; else the best of -minimax(child, d-1)
func minimax(w *walk) error {
	w.node = func(depth, ply int, _, _ engine.Value) (engine.Value, trace.Reason, int) {
		return w.through(w.moves(), ply, -inf, inf, func(_ int, m game.Move, _ engine.Value) engine.Value {
			return w.visit(m, depth-1, ply, -inf, inf)
		})
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
