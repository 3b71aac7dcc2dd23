package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// shallow is the branch and bound of Newell, Shaw and Simon: a position is left as
// soon as a move in it is as good as the bound that the position before has set. The
// bound goes no further down, so that there are no deep cuts. Where a side moves
// twice, the bound is that of the last position of the other side.
func shallow(w *walk) error {
	w.node = func(depth, ply int, _, beta engine.Value) (engine.Value, trace.Reason, int) {
		return w.through(w.moves(), ply, -inf, beta, func(_ int, m game.Move, best engine.Value) engine.Value {
			return w.visit(m, depth-1, ply, best, beta) // alpha of the child is not looked at
		})
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
