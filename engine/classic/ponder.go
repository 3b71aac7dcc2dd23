package classic

import (
	"fmt"

	"qipu/game"
)

// ponder is a staged search that goes on thinking while the other side does: when the
// answer is found, it expects the line that it found, and reads on behind the first
// answer of it with all that it remembers. Its result is that of the position; the
// note says what the thought behind it cost, and what it would have cost without
// memory.
func ponder(w *walk) error {
	known := memory{}
	w.stages(known)
	if w.stop != nil || len(w.result.Line) < 2 {
		return nil
	}
	first := w.result
	line := first.Line[:2]
	for i, m := range line {
		if err := w.p.Play(m); err != nil {
			for range i {
				w.p.Undo()
			}
			return nil
		}
	}
	defer func() {
		for range line {
			w.p.Undo()
		}
		cost := first
		cost.Note, cost.Nodes, cost.Leaves = w.result.Note, w.result.Nodes, w.result.Leaves
		w.result, w.stop = cost, nil
	}()
	if w.p.Outcome().Over() {
		return nil
	}
	warm, cold := int64(0), int64(0)
	for i, m := range []memory{known, {}} {
		before := w.result.Nodes
		w.result.Move = game.NoMove
		w.stages(m)
		if w.stop != nil {
			return nil
		}
		if i == 0 {
			warm = w.result.Nodes - before
		} else {
			cold = w.result.Nodes - before
		}
	}
	w.result.Note = fmt.Sprintf("behind the expected answer it reads %d positions with what it remembers, and %d without", warm, cold)
	return nil
}
