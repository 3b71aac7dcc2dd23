package classic

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// goals is alpha-beta with a quiescence that follows goals: threats that stood at the
// root are read until they are carried out or gone, whatever the depth, and nothing
// else is. A threat of the other side is a point that it can take on behind most of
// the moves, one of the own side a point that it can take on at once: our reading.
func goals(w *walk) error {
	points := map[board.Point]bool{}
	moves := w.p.AppendMoves(nil)
	for _, m := range w.taking(slices.Clone(moves)) {
		points[m.To()] = true
	}
	hit := map[board.Point]int{}
	for _, m := range moves {
		if w.called() {
			return nil
		}
		if w.p.Play(m) != nil {
			continue
		}
		seen := map[board.Point]bool{}
		for _, r := range w.taking(w.p.AppendMoves(nil)) {
			if !seen[r.To()] {
				seen[r.To()] = true
				hit[r.To()]++
			}
		}
		w.p.Undo()
	}
	for q, n := range hit {
		if 2*n > len(moves) {
			points[q] = true
		}
	}
	return w.quiesce(func(list []game.Move) []game.Move {
		return slices.DeleteFunc(w.taking(list), func(m game.Move) bool { return !points[m.To()] })
	})
}
