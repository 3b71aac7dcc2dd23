package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
)

// alphabeta hands both bounds down the whole tree: McCarthy's remark of 1956, with the
// proof that no value is lost by Hart and Edwards.
//
//	alphabeta(p, d, a, b): for each child: v = -alphabeta(child, d-1, -b, -max(a, best));
//	best = max(best, v); best >= b: cut
func alphabeta(w *walk) error {
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		return w.all(w.moves(), depth, ply, alpha, beta)
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
