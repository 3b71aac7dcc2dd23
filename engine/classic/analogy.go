package classic

import (
	"qipu/board"
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// refuted is a move that was answered: what stood on the points that the answer
// touched, how deep it was read, and how bad it was at best.
type refuted struct {
	points []board.Point
	pieces []board.Piece
	depth  int
	value  engine.Value
}

type refutedKey struct {
	side game.Side
	move game.Move
}

// analogy is alpha-beta that does not read a move which was refuted before, unless
// something that the refutation touches has changed: the method of analogy of
// KAISSA's authors. Our reading: what a refutation touches are the points that its
// moves start from and end on; lines that pieces move along, and what attacks them
// from afar, are not looked at, so that it may be wrong.
func analogy(w *walk) error {
	planar, ok := w.p.(game.Planar)
	if !ok {
		w.result.Note = "this game has no pieces on points: nothing is alike, and it is plain alpha-beta"
	}
	known := map[refutedKey][]refuted{}
	kept := 0
	const each = 4
	same := func(r *refuted) bool {
		b := planar.Planes()
		for i, q := range r.points {
			if b.At(q) != r.pieces[i] {
				return false
			}
		}
		return true
	}
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		best := -inf
		left := false
	moves:
		for i, m := range w.moves() {
			key := refutedKey{w.p.Turn(), m}
			if lo := max(alpha, best); planar != nil && best > -inf {
				for j := range known[key] {
					if r := &known[key][j]; r.depth >= depth && r.value <= lo && same(r) {
						w.result.Pruned++
						left = true
						continue moves
					}
				}
			}
			lo := max(alpha, best)
			v := w.visit(m, depth-1, ply, lo, beta)
			if w.stop != nil {
				return best, trace.Stopped, 0
			}
			if v > best {
				best = v
				w.line(ply, m)
			}
			if best >= beta {
				return best, trace.Cut, i + 1
			}
			if answer := w.pv[ply+1]; planar != nil && v <= lo && len(answer) > 0 && kept < room/8 {
				r := refuted{depth: depth, value: v}
				for _, x := range append([]game.Move{m}, answer...) {
					for _, q := range []board.Point{x.From(), x.To()} {
						if q != board.NoPoint {
							r.points, r.pieces = append(r.points, q), append(r.pieces, planar.Planes().At(q))
						}
					}
				}
				list := known[key]
				if len(list) >= each {
					list = list[1:]
				} else {
					kept++
				}
				known[key] = append(list, r)
			}
		}
		if left {
			return best, trace.Forward, 0
		}
		return best, trace.Read, 0
	}
	w.root(w.Depth, -inf, inf)
	w.result.Kept = int64(kept)
	return nil
}
