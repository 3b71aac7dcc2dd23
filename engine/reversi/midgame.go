package reversi

import (
	"math/bits"

	"qipu/engine/reversi/eval"
	"qipu/engine/trace"
)

// A search to a depth counts in hundredths of a disc, rounded to grain: values
// that differ by less are not worth telling apart, and coarse values cut more.
const (
	grain = 20
	scale = 100
	most  = eval.Most
)

// judge returns the value of the position by its look.
func (w *worker) judge(n int) int {
	if r := w.record; r != nil {
		began := w.hush(trace.Evaluate)
		v := w.judge(n)
		w.hushed(r, trace.Evaluate, began)
		return v
	}
	return floor(w.feat[n].Score(w.weights, n)+int(w.tempo[n&63])+grain/2, grain) * grain
}

func floor(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// mid searches some plies deep. The features of the position are w.feat[n].
// Where the depth reaches the end of the game, it is solved.
func (w *worker) mid(own, opp uint64, alpha, beta, depth, n int, moves uint64, sure int) int {
	if depth >= n {
		a, b := floor(alpha, scale), -floor(-beta, scale)
		return scale * w.exact(own, opp, max(a, -65), min(b, 65), n, moves, oddQuarters(^(own|opp)), sure)
	}
	if w.nodes++; w.nodes >= w.pause {
		w.look()
	}
	if w.stopped {
		return alpha
	}
	if moves == 0 {
		if moves = movable(opp, own); moves == 0 {
			w.why = trace.Over
			return scale * finish(own, opp)
		}
		w.feat[n].Pass()
		w.tell(none, -beta, -alpha)
		v := w.left(w.mid(opp, own, -beta, -alpha, depth, n, moves, sure))
		w.feat[n].Pass()
		w.why = trace.Read
		return -v
	}
	switch depth {
	case 0:
		w.why = trace.Horizon
		return w.judge(n)
	case 1:
		return w.ply(own, opp, alpha, beta, n, moves)
	}
	if beta-alpha == 1 && alpha >= scale*settles[n&63] && w.settled(own, opp, floor(alpha, scale), n) {
		w.why = trace.Proved
		return scale * w.bound
	}
	k := w.key(own, opp)
	e, hit := w.probe(k)
	if hit && w.record != nil {
		w.record.Hit()
	}
	w.why = trace.Table
	if int(e.depth) >= depth && int(e.sure) >= sure {
		lower, upper := int(e.lower), int(e.upper)
		if int(e.depth) == n {
			lower, upper = lower*scale, upper*scale
		}
		if lower >= beta || lower == upper {
			return lower
		}
		if upper <= alpha {
			return upper
		}
		alpha, beta = max(alpha, lower), min(beta, upper)
	}
	null := beta-alpha == 1
	if null && depth >= cutFrom && sure < certain {
		if v, ok := w.probable(own, opp, alpha, depth, n, moves, sure); ok {
			w.why = trace.Forward
			return v
		}
	}
	c := &w.list[n]
	if w.expand(c, own, opp, moves) {
		return 64 * scale
	}
	w.why = trace.Table
	if null && depth >= 4 {
		for _, k := range w.keys(c) {
			if e, ok := w.probe(k); ok && int(e.depth) >= depth-1 && int(e.sure) >= sure {
				upper := int(e.upper)
				if int(e.depth) == n-1 {
					upper *= scale
				}
				if -upper > alpha {
					return -upper
				}
			}
		}
	}
	known := c.front(e.first)
	if !known {
		w.sortMid(c.list[:c.n], &e, own, alpha, depth, n)
	}
	best, move, low := -most-1, uint8(none), alpha
	split := w.threads > 1 && depth >= splitMid
	later := uint64(0)
	why, by := trace.Read, 0
	for i := 0; i < c.n; i++ {
		if i == 1 && known {
			w.sortMid(c.list[1:c.n], &e, own, alpha, depth, n)
			known = false
		}
		x := c.next(i)
		if split && i > 0 && w.defers(x, &later) {
			i--
			continue
		}
		w.enter(x, own, n)
		high := beta
		if i > 0 {
			high = low + 1 // only whether it is better, and how much only if it is
		}
		w.tell(x.square, -high, -low)
		v := -w.left(w.mid(x.own, x.opp, -high, -low, depth-1, n-1, x.moves, sure))
		if v > low && v < beta && high < beta {
			w.tell(x.square, -beta, -low)
			v = -w.left(w.mid(x.own, x.opp, -beta, -low, depth-1, n-1, x.moves, sure))
		}
		if split && i > 0 {
			w.release(w.key(x.own, x.opp))
		}
		if w.stopped {
			return alpha
		}
		if v > best {
			best, move = v, x.square
			if v > low {
				if low = v; v >= beta {
					why, by = trace.Cut, i+1
					break
				}
			}
		}
	}
	w.why, w.by = why, by
	w.store(k, depth, sure, alpha, beta, best, move, -most, most)
	return best
}

// enter makes the features of a child those of the position with n-1 empty
// squares.
func (w *worker) enter(x *child, own uint64, n int) {
	w.feat[n-1].Move(&w.feat[n], int(x.square), x.opp^own^1<<(x.square&63))
}

// ply searches one ply: the children are judged as they stand.
func (w *worker) ply(own, opp uint64, alpha, beta, n int, moves uint64) int {
	best := -most - 1
	why, by := trace.Read, 0
	for left := moves; left != 0; left &= left - 1 {
		s := uint(bits.TrailingZeros64(left)) & 63
		f := flips(own, opp, s)
		if f == opp {
			w.why = trace.Proved
			return 64 * scale
		}
		w.nodes++
		by++
		w.feat[n-1].Move(&w.feat[n], int(s), f)
		w.tell(uint8(s), -beta, -max(alpha, best))
		w.why = trace.Horizon
		if v := -w.left(w.judge(n - 1)); v > best {
			if best = v; v >= beta {
				why = trace.Cut
				break
			}
		}
	}
	w.why, w.by = why, by
	return best
}

// sortMid sets the costs of children: what they are worth to the opponent after
// a search of a few plies less.
func (w *worker) sortMid(list []child, e *entry, own uint64, alpha, depth, n int) {
	if r := w.record; r != nil {
		began := w.hush(trace.Order)
		w.sortMid(list, e, own, alpha, depth, n)
		w.hushed(r, trace.Order, began)
		return
	}
	for i := range list {
		x := &list[i]
		if x.square == e.then {
			x.cost = -1 << 30
			continue
		}
		x.cost = int32(count2(x.moves)*midMobility) - int32(w.taste[x.square&63])
		if depth == 2 {
			// A look at each child costs as much as the search is to save.
			x.cost += int32(count2(potential(x.own, x.opp)) * midPotential)
			continue
		}
		w.enter(x, own, n)
		if depth < 6 {
			x.cost += int32(w.judge(n - 1))
		} else {
			x.cost += int32(w.mid(x.own, x.opp, -most, -max(alpha-800, -most), min((depth-3)/3, n-2), n-1, x.moves, 0))
		}
	}
}

// What an answer of the opponent, and a square where one may come to be, weigh
// in that order, in hundredths of a disc.
const (
	midMobility  = 30
	midPotential = 4
)
