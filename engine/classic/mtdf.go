package classic

import (
	"slices"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// bounds is what MTD(f) remembers of a position read to a depth.
type bounds struct {
	low, high engine.Value
	move      game.Move
}

type boundsKey struct {
	hash  uint64
	depth int
	pass  bool // a pass led there: two of them may end a game
}

// mtdf asks again and again whether the value is at least a guess, by windows without
// width, and moves the guess to the answer until both bounds meet. What it has read it
// remembers, or every question would begin anew. It deepens stage by stage; the first
// guess is the value of the stage before.
func mtdf(w *walk) error {
	known := map[boundsKey]bounds{}
	last := make([]game.Move, len(w.pv)+1)
	w.node = func(depth, ply int, alpha, beta engine.Value) (engine.Value, trace.Reason, int) {
		key := boundsKey{w.p.Hash(), depth, last[ply] == game.Pass}
		e, ok := known[key]
		if ok && ply > 0 {
			if w.Record != nil {
				w.Record.Hit()
			}
			if v := fromHere(e.low, ply); v >= beta {
				return v, trace.Table, 0
			}
			if v := fromHere(e.high, ply); v <= alpha {
				return v, trace.Table, 0
			}
		}
		if !ok {
			e = bounds{low: -inf, high: inf}
		}
		list := w.movesBy(Static)
		if i := slices.Index(list, e.move); i > 0 {
			copy(list[1:i+1], list[:i])
			list[0] = e.move
		}
		best, why, at := w.through(list, ply, -inf, beta, func(_ int, m game.Move, best engine.Value) engine.Value {
			last[ply+1] = m
			return w.visit(m, depth-1, ply, max(alpha, best), beta)
		})
		if w.stop != nil {
			return best, why, at
		}
		if best >= beta {
			e.low, e.move = toHere(best, ply), w.pv[ply][0]
		} else {
			e.high = toHere(best, ply)
		}
		if ok || len(known) < room {
			known[key] = e
		}
		return best, why, at
	}
	guess := engine.Value(0)
	for depth := 1; depth <= w.Depth; depth++ {
		low, high := -inf, inf
		nodes, leaves := w.result.Nodes, w.result.Leaves
		var found Result
		for low < high {
			beta := guess
			if guess == low {
				beta++
			}
			before := w.result.Move
			guess = w.root(depth, beta-1, beta)
			if w.stop != nil {
				if len(w.result.Stages) > 0 {
					w.result.Move = before
				}
				break
			}
			if guess < beta {
				high = guess
			} else {
				low = guess
				found = w.result // this move has the value at least
			}
		}
		if w.stop != nil {
			break
		}
		if found.Move != game.NoMove {
			w.result.Move, w.result.Line = found.Move, found.Line
		}
		w.result.Value = guess
		w.result.Stages = append(w.result.Stages, Stage{Depth: depth, Nodes: w.result.Nodes - nodes, Leaves: w.result.Leaves - leaves, Value: guess, Move: w.result.Move})
	}
	if n := len(w.result.Stages); w.stop != nil && n > 0 {
		w.result.Value, w.result.Move = w.result.Stages[n-1].Value, w.result.Stages[n-1].Move
		w.result.Line = []game.Move{w.result.Move}
	}
	w.result.Kept = int64(len(known))
	return nil
}

// Wins are counted from the root in a search, and from the position in memory.
func toHere(v engine.Value, ply int) engine.Value {
	switch {
	case v >= engine.Decided:
		return v + engine.Value(ply)
	case v <= -engine.Decided:
		return v - engine.Value(ply)
	}
	return v
}

func fromHere(v engine.Value, ply int) engine.Value {
	if v == inf || v == -inf {
		return v
	}
	return toHere(v, -ply)
}
