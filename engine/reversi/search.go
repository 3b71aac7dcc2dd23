package reversi

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"qipu/engine/trace"
	"qipu/game"
)

// option is a move of the position that is thought about.
type option struct {
	child
	value  int  // in hundredths, for the side that moves
	bound  int8 // 0 for a value, 1 for at least, -1 for at most
	depth  int  // of the search that found the value
	sure   int
	before int // the value of the search before
}

// quest is one thought: the position, its moves in the order of what is known
// of them, and the threads.
type quest struct {
	shared
	own, opp uint64
	n        int  // empty squares
	pass     bool // there is but a pass
	options  []option
	multi    int // how many options are valued
	workers  []*worker

	floor, ceiling int // what is asked of the value, in hundredths

	depth, sure int // of the last search that was finished
	began       time.Time

	record *trace.Recorder // nil for none
	before int64           // positions that it was told of before this thought
	untold int64           // those of this thought that it was not told of
}

// newQuest prepares a thought; it is false where the game is over.
func newQuest(ctx context.Context, own, opp uint64, threads, multi int, seed uint64) (*quest, bool) {
	q := &quest{own: own, opp: opp, n: 64 - bits.OnesCount64(own|opp), multi: multi, began: time.Now()}
	q.floor, q.ceiling = -most, most
	q.ctx, q.threads = ctx, max(threads, 1)
	moves := movable(own, opp)
	if moves == 0 {
		if moves = movable(opp, own); moves == 0 {
			return nil, false
		}
		q.pass = true
		q.options = []option{{child: child{own: opp, opp: own, moves: moves, square: none}}}
	}
	if !q.pass {
		for left := moves; left != 0; left &= left - 1 {
			s := uint(bits.TrailingZeros64(left))
			x := child{square: uint8(s)}
			x.own, x.opp = play(own, opp, flips(own, opp, s), s)
			x.moves = movable(x.own, x.opp)
			q.options = append(q.options, option{child: x})
		}
		if seed != 0 {
			r := rand.New(rand.NewPCG(seed, seed^0x5851F42D4C957F2D))
			r.Shuffle(len(q.options), func(i, j int) { q.options[i], q.options[j] = q.options[j], q.options[i] })
		}
	}
	if multi < 0 || multi > len(q.options) {
		q.multi = len(q.options)
	}
	q.multi = max(q.multi, 1)
	return q, true
}

// start makes the threads and takes a glance at each option, which no limit
// ends: there is always an answer.
func (q *quest) start(t *transpositions) {
	for i := range q.threads {
		w := newWorker(t, &q.shared, i)
		w.feat[q.n].Set(q.own, q.opp)
		q.workers = append(q.workers, w)
	}
	if q.record != nil {
		q.workers[0].record, q.before = q.record, q.record.Entered()
	}
	q.each(q.workers[0], q.options, 1, 0, -most, most)
	q.depth, q.sure = 1, 0
	for _, w := range q.workers {
		w.heed()
	}
}

func (q *quest) nodes() (sum int64) {
	for _, w := range q.workers {
		sum += w.nodes
	}
	return sum
}

// search values the options to a depth with all threads, and reports whether it
// came to an end. Where it did not, what is better than the first option is
// known all the same.
func (q *quest) search(depth, sure int) bool {
	depth = min(depth, q.n)
	q.halt.Store(false)
	var helpers sync.WaitGroup
	for _, w := range q.workers[1:] {
		w.stopped = false
		list := slices.Clone(q.options)
		helpers.Go(func() { q.window(w, list, depth, sure) })
	}
	known := slices.Clone(q.options)
	done := q.window(q.workers[0], q.options, depth, sure)
	q.halt.Store(true)
	helpers.Wait()
	switch first := &q.options[0]; {
	case done:
		q.depth, q.sure = depth, sure
	case q.multi > 1 || first.bound < 0:
		q.options = known // half of an answer is none
	}
	return done
}

// window finds the value of the best options with windows around what the last
// search said.
func (q *quest) window(w *worker, list []option, depth, sure int) bool {
	for i := range list {
		list[i].before = list[i].value
	}
	if q.multi > 1 || depth < 4 {
		return q.each(w, list, depth, sure, q.floor, q.ceiling)
	}
	guess := list[0].value
	down, up := 200, 200
	if depth == q.n {
		down, up = 100, 100
	}
	for {
		alpha, beta := max(guess-down, q.floor), min(guess+up, q.ceiling)
		if alpha >= beta {
			alpha, beta = max(q.floor, beta-1), min(q.ceiling, alpha+1)
		}
		if !q.each(w, list, depth, sure, alpha, beta) {
			return false
		}
		switch v := list[0].value; {
		case v <= alpha && alpha > q.floor:
			guess, down, up = v, down*2, 100
		case v >= beta && beta < q.ceiling:
			guess, up, down = v, up*2, 100
		default:
			return true
		}
	}
}

// each values the options one after the other; those that cannot be among the
// best have a bound. It sorts the list, the best first.
func (q *quest) each(w *worker, list []option, depth, sure, alpha, beta int) bool {
	done := 0
	// Searches to the end round windows to whole discs.
	whole := func(v int) int { return v }
	if depth >= q.n {
		whole = func(v int) int { return floor(v, scale) * scale }
	}
	if w.record != nil {
		w.record.Enter(game.NoMove, false, int32(whole(alpha)), int32(-whole(-beta)))
		w.why, w.by = trace.Read, 0
		defer func() { w.leave(list[0].value) }()
	}
	for i := range list {
		x := &list[i]
		low := alpha
		if i >= q.multi {
			// The list is sorted as far as it is done.
			low = max(alpha, list[q.multi-1].value)
		}
		if low >= beta {
			break
		}
		n := q.n - 1
		if q.pass {
			n++
			w.feat[q.n].Set(q.opp, q.own)
		} else {
			w.feat[q.n].Set(q.own, q.opp)
			w.enter(&x.child, q.own, q.n)
		}
		d := max(depth-1, 0)
		if q.pass {
			d = depth
		}
		ask := func(a, b int) int {
			if x.own == 0 {
				return 64 * scale
			}
			w.tell(x.square, whole(-b), -whole(a))
			return -w.left(w.mid(x.own, x.opp, -b, -a, d, n, x.moves, sure))
		}
		var v int
		switch {
		case i < q.multi && q.multi > 1:
			v = q.around(w, x, ask, depth, low, beta)
		case i < q.multi:
			v = ask(low, beta)
		default:
			v = ask(low, low+1)
			if v > low && v < beta && !w.stopped {
				v = ask(low, beta)
			}
		}
		if w.stopped {
			break
		}
		x.value, x.bound, x.depth, x.sure = v, 0, depth, sure
		if v <= low {
			x.bound = -1
		} else if v >= beta {
			x.bound = 1
		}
		// Insert it among those that are done; equal ones keep their order.
		at := i
		for at > 0 && list[at-1].value < v {
			at--
		}
		y := *x
		copy(list[at+1:i+1], list[at:i])
		list[at] = y
		done++
		if w.why, w.by = trace.Read, 0; i+1 < len(list) && q.multi == 1 && v >= beta {
			w.why, w.by = trace.Cut, i+1
		}
	}
	return !w.stopped || done == len(list)
}

// around values one of several options with a window around its last value.
func (q *quest) around(w *worker, x *option, ask func(a, b int) int, depth, low, beta int) int {
	if depth < 4 {
		return ask(low, beta)
	}
	step := 200
	a, b := max(low, x.before-step), min(beta, x.before+step)
	for {
		if a >= b {
			return ask(low, beta)
		}
		v := ask(a, b)
		switch {
		case w.stopped:
			return v
		case v <= a && a > low:
			b, a = a+1, max(low, v-2*step)
		case v >= b && b < beta:
			a, b = b-1, min(beta, v+2*step)
		default:
			return v
		}
		step *= 2
	}
}
