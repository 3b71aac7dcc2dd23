package reversi

import (
	"math"
	"math/bits"

	"qipu/engine/trace"
)

// How many empty squares each way of searching is for.
const (
	plainFrom = 5  // without lists: parity alone
	listFrom  = 6  // children sorted by the opponent's moves
	hashFrom  = 8  // with the hash table
	bigFrom   = 12 // with the large one, which all threads share
	etcFrom   = 13 // children looked up in the hash table before any is searched
	evalFrom  = 12 // children sorted by the evaluation, too
)

// settles holds the least alpha from which the stability of the opponent is
// worth counting, by empty squares: a position that is behind by little with
// many empty squares is never settled.
var settles = makeSettles()

func makeSettles() (t [64]int) {
	for n := range t {
		t[n] = min(64, -8+2*n)
	}
	return t
}

// settled reports whether the opponent's stable discs alone keep the value at or
// below alpha, and leaves the bound in w.bound.
func (w *worker) settled(own, opp uint64, alpha, n int) bool {
	if alpha < settles[n&63] {
		return false
	}
	w.bound = 64 - 2*bits.OnesCount64(stable(w.edges, opp, own))
	return w.bound <= alpha
}

// plain searches five empty squares: moves in odd quarters first.
func (w *worker) plain(own, opp uint64, alpha int, moves uint64, odd uint8) int {
	w.nodes++
	if w.settled(own, opp, alpha, plainFrom) {
		return w.bound
	}
	if moves == 0 {
		if moves = movable(opp, own); moves == 0 {
			return finish(own, opp)
		}
		return -w.plain(opp, own, ^alpha, moves, odd)
	}
	if lanes {
		v, nodes := fiveLanes(own, opp, alpha, moves, uint64(odd&15))
		w.nodes += nodes
		return v
	}
	best := lost
	for left, then := moves&quarters[odd&15], moves&^quarters[odd&15]; ; left, then = then, 0 {
		for ; left != 0; left &= left - 1 {
			s := uint(bits.TrailingZeros64(left)) & 63
			x, y := play(own, opp, flips(own, opp, s), s)
			if v := -w.last4(x, y, ^alpha, odd^quadrant[s]); v > best {
				if best = v; v > alpha {
					return v
				}
			}
		}
		if then == 0 {
			return best
		}
	}
}

// child is a move with the position behind it.
type child struct {
	own, opp uint64 // as the next side sees them
	moves    uint64 // of the next side
	cost     int32  // the least comes first
	square   uint8
}

type children struct {
	n    int
	list [34]child
}

// next brings the cheapest child of those from i on to place i.
func (c *children) next(i int) *child {
	at := i
	for j := i + 1; j < c.n; j++ {
		if c.list[j].cost < c.list[at].cost {
			at = j
		}
	}
	if at != i {
		c.list[i], c.list[at] = c.list[at], c.list[i]
	}
	return &c.list[i]
}

// front brings the child of a square to the first place and reports whether there
// is one: the move of the hash table is searched before the others are sorted,
// since it often is the only one.
func (c *children) front(square uint8) bool {
	for i := range c.n {
		if c.list[i].square == square {
			c.list[0], c.list[i] = c.list[i], c.list[0]
			c.list[0].cost = math.MinInt32
			return true
		}
	}
	return false
}

// listed searches a few more empty squares: the moves that leave the opponent
// fewest answers first, without the hash table.
func (w *worker) listed(own, opp uint64, alpha, n int, moves uint64, odd uint8) int {
	w.nodes++
	if w.settled(own, opp, alpha, n) {
		return w.bound
	}
	if moves == 0 {
		if moves = movable(opp, own); moves == 0 {
			return finish(own, opp)
		}
		return -w.listed(opp, own, ^alpha, n, moves, odd)
	}
	c := &w.list[n&63]
	if c.expand(own, opp, moves) {
		return 64
	}
	for i := range c.n {
		k := &c.list[i]
		s := k.square & 63
		k.cost = int32(count2(k.moves)<<2) - int32(w.taste[s])
		if quadrant[s]&odd != 0 {
			k.cost -= 3
		}
	}
	best := lost
	for i := range c.n {
		k := c.next(i)
		var v int
		if n == listFrom {
			v = -w.plain(k.own, k.opp, ^alpha, k.moves, odd^quadrant[k.square&63])
		} else {
			v = -w.listed(k.own, k.opp, ^alpha, n-1, k.moves, odd^quadrant[k.square&63])
		}
		if v > best {
			if best = v; v > alpha {
				return v
			}
		}
	}
	return best
}

// taste is how much a square is liked where nothing else decides.
var taste = [64]int8{
	18, 4, 16, 12, 12, 16, 4, 18,
	4, 2, 6, 8, 8, 6, 2, 4,
	16, 6, 14, 10, 10, 14, 6, 16,
	12, 8, 10, 0, 0, 10, 8, 12,
	12, 8, 10, 0, 0, 10, 8, 12,
	16, 6, 14, 10, 10, 14, 6, 16,
	4, 2, 6, 8, 8, 6, 2, 4,
	18, 4, 16, 12, 12, 16, 4, 18,
}

// expand fills a list with all moves and reports a wipe-out: a move that leaves
// the opponent nothing.
func (c *children) expand(own, opp, moves uint64) (wiped bool) {
	if lanes {
		return expandLanes(c, own, opp, moves)
	}
	c.n = 0
	for left := moves; left != 0; left &= left - 1 {
		s := uint(bits.TrailingZeros64(left)) & 63
		k := &c.list[c.n&31]
		k.own, k.opp = play(own, opp, flips(own, opp, s), s)
		if k.own == 0 {
			return true
		}
		k.moves = movable(k.own, k.opp)
		k.square = uint8(s)
		c.n++
	}
	return false
}

// exact searches to the end of the game with the hash table: a value between
// alpha and beta is the truth, one outside a bound. moves are those of the side
// to move, odd the quarters with an odd number of empty squares.
func (w *worker) exact(own, opp uint64, alpha, beta, n int, moves uint64, odd uint8, sure int) int {
	if n < hashFrom {
		w.why = trace.Over
		return w.few(own, opp, alpha, beta, n, moves, odd)
	}
	if w.nodes++; w.nodes >= w.pause {
		w.look()
	}
	if w.stopped {
		return alpha
	}
	null := beta-alpha == 1
	if null && w.settled(own, opp, alpha, n) {
		w.why = trace.Proved
		return w.bound
	}
	if moves == 0 {
		if moves = movable(opp, own); moves == 0 {
			w.why = trace.Over
			return finish(own, opp)
		}
		w.feat[n].Pass()
		w.tell(none, -beta*scale, -alpha*scale)
		v := w.leftExact(w.exact(opp, own, -beta, -alpha, n, moves, odd, sure))
		w.feat[n].Pass()
		w.why = trace.Read
		return -v
	}
	t := w.home(n)
	k := w.key(own, opp)
	e, hit := t.probe(k)
	if hit && w.record != nil {
		w.record.Hit()
	}
	w.why = trace.Table
	if int(e.depth) == n && int(e.sure) >= sure {
		lower, upper := int(e.lower), int(e.upper)
		if lower >= beta || lower == upper {
			return lower
		}
		if upper <= alpha {
			return upper
		}
		alpha, beta = max(alpha, lower), min(beta, upper)
	}
	if n >= endCutFrom && sure < certain && beta-alpha == 1 {
		if v, ok := w.probable(own, opp, alpha*scale, n, n, moves, sure); ok {
			w.why = trace.Forward
			if v > alpha*scale {
				return alpha + 1
			}
			return alpha
		}
	}
	c := &w.list[n]
	if w.expand(c, own, opp, moves) {
		return 64
	}
	w.why = trace.Table
	if n >= etcFrom && beta-alpha == 1 {
		for _, k := range w.keys(c) {
			if e, ok := w.probe(k); ok && int(e.depth) == n-1 && int(e.sure) >= sure && -int(e.upper) > alpha {
				return -int(e.upper)
			}
		}
	}
	known := c.front(e.first)
	if !known {
		w.sortEnd(c.list[:c.n], &e, own, alpha, n, odd)
	}
	best, move, low := lost, uint8(none), alpha
	split := w.threads > 1 && n >= splitEnd
	later := uint64(0)
	why, by := trace.Read, 0
	for i := 0; i < c.n; i++ {
		if i == 1 && known {
			w.sortEnd(c.list[1:c.n], &e, own, alpha, n, odd)
			known = false
		}
		x := c.next(i)
		if split && i > 0 && w.defers(x, &later) {
			i--
			continue
		}
		o := odd ^ quadrant[x.square&63]
		if n > evalFrom {
			w.enter(x, own, n)
		}
		high := beta
		if i > 0 {
			high = low + 1
		}
		w.tell(x.square, -high*scale, -low*scale)
		v := -w.leftExact(w.exact(x.own, x.opp, -high, -low, n-1, x.moves, o, sure))
		if v > low && v < beta && high < beta {
			w.tell(x.square, -beta*scale, -low*scale)
			v = -w.leftExact(w.exact(x.own, x.opp, -beta, -low, n-1, x.moves, o, sure))
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
	t.store(k, n, sure, alpha, beta, best, move, -64, 64)
	return best
}

// few searches where the hash table does not pay: windows of one until the
// value is known.
func (w *worker) few(own, opp uint64, alpha, beta, n int, moves uint64, odd uint8) int {
	for {
		v := 0
		switch {
		case n >= listFrom:
			v = w.listed(own, opp, alpha, n, moves, odd)
		case n >= plainFrom:
			v = w.plain(own, opp, alpha, moves, odd)
		default:
			v = w.tail(own, opp, alpha, n, odd)
		}
		if v <= alpha || v >= beta {
			return v
		}
		// The value is more than alpha, and at least v: is it more than v?
		alpha = v
	}
}

// sortEnd sets the costs of children in a search to the end: few answers for the
// opponent first, and where it pays what a search of a few plies says.
func (w *worker) sortEnd(list []child, e *entry, own uint64, alpha, n int, odd uint8) {
	if r := w.record; r != nil {
		began := w.hush(trace.Order)
		w.sortEnd(list, e, own, alpha, n, odd)
		w.hushed(r, trace.Order, began)
		return
	}
	for i := range list {
		x := &list[i]
		if x.square == e.then {
			x.cost = -1 << 30
			continue
		}
		x.cost = int32(count2(x.moves)<<5) + int32(count2(potential(x.own, x.opp))<<2) - int32(w.taste[x.square&63])
		if quadrant[x.square&63]&odd != 0 {
			x.cost -= 16
		}
		if n > 12 {
			x.cost -= int32(bits.OnesCount64(stableEdge(w.edges, x.opp, x.own)) << 4)
		}
		if n >= evalFrom {
			w.enter(x, own, n)
			v := w.mid(x.own, x.opp, -most, -max(alpha*scale-1200, -most), max(0, (n-16)/3), n-1, x.moves, 0)
			x.cost += int32(v) / 4
		}
	}
}
