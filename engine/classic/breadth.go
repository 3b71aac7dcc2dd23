package classic

import (
	"fmt"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// breadth is minimax level by level: all positions of a level are in memory before
// the first of the next is made, and values go back at the end. It reads what minimax
// reads and keeps all of it, which is why nobody plays so.
func breadth(w *walk) error {
	type item struct {
		parent int32
		move   game.Move
		again  bool
		over   bool
		value  engine.Value
	}
	list := []item{{parent: -1, value: -inf}}
	var path []game.Move
	goTo := func(i int) {
		path = path[:0]
		for ; list[i].parent >= 0; i = int(list[i].parent) {
			path = append(path, list[i].move)
		}
		for j := len(path) - 1; j >= 0; j-- {
			if err := w.p.Play(path[j]); err != nil {
				w.err, w.stop = err, err
				path = path[j+1:]
				return
			}
		}
	}
	back := func() {
		for range path {
			w.p.Undo()
		}
	}
	level, depth := 0, 0
	for ; depth < w.Depth && w.stop == nil; depth++ {
		end := len(list)
		for i := level; i < end && w.stop == nil; i++ {
			if list[i].over {
				continue
			}
			goTo(i)
			side := w.p.Turn()
			for _, m := range w.moves() {
				if w.halted() {
					break
				}
				if len(list) >= room {
					back()
					return fmt.Errorf("breadth: level %d does not fit: more than %d positions", depth+1, room)
				}
				if err := w.p.Play(m); err != nil {
					w.err, w.stop = err, err
					break
				}
				w.result.Nodes++
				it := item{parent: int32(i), move: m, again: w.p.Turn() == side, value: -inf}
				if o := w.p.Outcome(); o.Over() {
					it.over, it.value = true, w.ended(o, depth+1)
					w.result.Leaves++
				} else if depth+1 == w.Depth {
					w.result.Leaves++
					it.value = w.judge()
				}
				list = append(list, it)
				w.p.Undo()
			}
			back()
		}
		level = end
	}
	w.result.Kept = int64(len(list))
	if w.stop != nil {
		return nil
	}
	best := make([]int32, len(list))
	for i := len(list) - 1; i > 0; i-- {
		v := list[i].value
		if !list[i].again {
			v = -v
		}
		// Of equals the first move counts, as depth first does: the last that is seen here.
		if parent := list[i].parent; v >= list[parent].value {
			list[parent].value, best[parent] = v, int32(i)
		}
	}
	w.result.Value = list[0].value
	for i := best[0]; i != 0; i = best[i] {
		w.result.Line = append(w.result.Line, list[i].move)
	}
	w.result.Move = w.result.Line[0]
	if w.Record != nil {
		// The recorder hears of it in the order of depth, with the values that came back, and
		// when each position was made.
		below := make([][]int32, len(list))
		for i := 1; i < len(list); i++ {
			below[list[i].parent] = append(below[list[i].parent], int32(i))
		}
		var tell func(i int32, ply int)
		tell = func(i int32, ply int) {
			w.Record.Grown(int(i) + 1)
			w.Record.Enter(list[i].move, list[i].again, int32(-inf), int32(inf))
			why := trace.Read
			switch {
			case list[i].over:
				why = trace.Over
			case ply == w.Depth:
				why = trace.Horizon
			}
			for _, c := range below[i] {
				tell(c, ply+1)
			}
			w.Record.Leave(int32(list[i].value), why, 0)
		}
		tell(0, 0)
	}
	return nil
}
