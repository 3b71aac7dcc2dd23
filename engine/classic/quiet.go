package classic

import (
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// quietPlies is how far behind the horizon is read at most.
const quietPlies = 8

// quiet is alpha-beta that does not judge a position in which something can be taken:
// there it reads the moves that take, and may stand still instead.
func quiet(w *walk) error {
	return w.quiesce(w.taking)
}

// quiesce is alpha-beta with a quiescence of some moves.
func (w *walk) quiesce(loud func([]game.Move) []game.Move) error {
	var below node
	below = func(left, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		w.result.Leaves++
		best := w.judge()
		if best >= beta {
			return best, trace.Quiet, 0
		}
		list := loud(w.generate())
		if left <= 0 || len(list) == 0 {
			return best, trace.Horizon, 0
		}
		old := w.node
		w.node = below
		defer func() { w.node = old }()
		return w.through(list, ply, best, beta, func(_ int, m game.Move, best engine.Value) engine.Value {
			return w.visit(m, left-1, ply, max(alpha, best), beta)
		})
	}
	w.leaf = func(ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		if ply > w.Depth+quietPlies {
			return w.judged(ply, alpha, beta)
		}
		return below(quietPlies-(ply-w.Depth), ply, alpha, beta)
	}
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		return w.all(w.moves(), depth, ply, alpha, beta)
	}
	w.root(w.Depth, -inf, inf)
	return nil
}

// taking returns those of the legal moves that take something: a piece that moves onto
// another, or a stone that takes others off.
func (w *walk) taking(list []game.Move) []game.Move {
	planar, _ := w.p.(game.Planar)
	changer, _ := w.p.(game.Changer)
	if planar == nil {
		return nil
	}
	occupied := planar.Planes().Occupied()
	var changed []game.Changed
	return slices.DeleteFunc(list, func(m game.Move) bool {
		switch {
		case m == game.Pass:
			return true
		case m.From() != board.NoPoint:
			return !occupied.Has(m.To())
		case changer == nil || w.p.Play(m) != nil:
			return true
		}
		changed = changer.AppendChanged(changed[:0])
		w.p.Undo()
		return !slices.ContainsFunc(changed, func(c game.Changed) bool { return c.Piece == board.Empty })
	})
}
