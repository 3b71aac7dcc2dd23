package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// Rater is an evaluator that judges moves without playing them: fixed ordering goes
// by it where there is one, and by the judgement of the positions behind the moves
// where not.
type Rater interface {
	Rate(p game.Position, m game.Move) engine.Value
}

// fixed orders the moves of every position once, before the first is read. What it
// orders by is not counted as a leaf, but beside them (Result.Judged).
func fixed(w *walk) error {
	rater, _ := w.Eval.(Rater)
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		var list []game.Move
		if rater == nil {
			list = w.movesBy(Static)
		} else {
			list = w.generate()
			values := make([]engine.Value, len(list))
			for i, m := range list {
				values[i] = rater.Rate(w.p, m)
			}
			sortBy(list, values, make([]bool, len(list)), -1)
		}
		return w.all(list, depth, ply, alpha, beta)
	}
	w.root(w.Depth, -inf, inf)
	return nil
}
