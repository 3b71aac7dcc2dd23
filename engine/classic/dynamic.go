package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// dynamic changes the order while it goes: the A-B procedure of Slagle and Dixon. Our
// reading, since the paper is not at hand and the survey gives a sentence: moves are
// ordered by judgement. The first is looked at one ply deeper; where the answer to it
// makes it worse than what the second promises, it goes back to its new place, and
// the one that is first now is looked at, until the first keeps its place. Then the
// moves are read in that order. Positions looked at so are not leaves, but counted
// beside them.
func dynamic(w *walk) error {
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		list := w.generate()
		values, again := w.statics(list)
		sortBy(list, values, again, -1)
		if depth > 1 {
			w.settle(list, values)
		}
		return w.all(list, depth, ply, alpha, beta)
	}
	w.root(w.Depth, -inf, inf)
	return nil
}

// settle looks at the first move until the first has been looked at.
func (w *walk) settle(list []game.Move, values []engine.Value) {
	looked := map[game.Move]bool{}
	for len(list) > 1 && !looked[list[0]] && w.stop == nil {
		m := list[0]
		looked[m] = true
		side := w.p.Turn()
		if err := w.p.Play(m); err != nil {
			w.err, w.stop = err, err
			return
		}
		if !w.p.Outcome().Over() {
			best := -inf
			answers, _ := w.statics(w.p.AppendMoves(nil))
			for _, v := range answers {
				best = max(best, v)
			}
			if w.p.Turn() != side {
				best = -best
			}
			values[0] = best
		}
		w.p.Undo()
		at := 0
		for at+1 < len(list) && values[at+1] > values[at] {
			list[at], list[at+1] = list[at+1], list[at]
			values[at], values[at+1] = values[at+1], values[at]
			at++
		}
	}
}
