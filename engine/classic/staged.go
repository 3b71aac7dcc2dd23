package classic

import (
	"slices"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// memory is what a staged search knows of positions from the stage before: the move
// that was best.
type memory map[uint64]game.Move

// staged reads to depth 1, then 2 and so on, each stage in the order that the one
// before has found: the best move of every position first, then by judgement. When
// the clock ends it, the last whole stage counts.
func staged(w *walk) error {
	w.stages(memory{})
	return nil
}

func (w *walk) stages(known memory) {
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		list := w.movesBy(Static)
		key := w.p.Hash()
		if hint := known[key]; hint != game.NoMove {
			if i := slices.Index(list, hint); i > 0 {
				copy(list[1:i+1], list[:i])
				list[0] = hint
			}
		}
		v, why, at := w.all(list, depth, ply, alpha, beta)
		if _, there := known[key]; w.stop == nil && len(w.pv[ply]) > 0 && v > alpha && (there || len(known) < room) {
			known[key] = w.pv[ply][0]
		}
		return v, why, at
	}
	for depth := 1; depth <= w.Depth; depth++ {
		nodes, leaves := w.result.Nodes, w.result.Leaves
		w.root(depth, -inf, inf)
		if w.stop != nil {
			break
		}
		w.result.Stages = append(w.result.Stages, Stage{Depth: depth, Nodes: w.result.Nodes - nodes, Leaves: w.result.Leaves - leaves, Value: w.result.Value, Move: w.result.Move})
	}
	w.result.Kept = int64(len(known))
}
