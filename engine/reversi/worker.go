package reversi

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"qipu/engine/reversi/eval"
	"qipu/engine/trace"
)

// worker is one thread of a search. Its memory is its own but for the table and
// what all threads of a thought share.
type worker struct {
	*transpositions
	small *transpositions // for less than bigFrom empty squares; nobody else's
	*shared
	edges   *[1 << 16]uint8
	taste   *[64]int8
	weights *eval.Weights
	tempo   *[64]int16

	nodes   int64
	pause   int64 // the count of nodes at which to look whether to stop
	bound   int   // what settled found
	stopped bool
	helper  bool

	// record is told of the search; nil for nobody, and while a search is only for the
	// order of moves. Why is the reason for which the last position was left, and by
	// the number of the move that cut it.
	record *trace.Recorder
	why    trace.Reason
	by     int

	// By empty squares, of the line that is searched: a position makes its list
	// of moves after all searches with as many empty squares have ended.
	feat [65]eval.Features
	list [65]children

	asked [34]key // of keys
	ahead uint64  // the sum of what keys loads, so that it does load
}

// shared is what the threads of one thought have in common.
type shared struct {
	ctx      context.Context
	deadline time.Time // zero for none
	limit    int64     // of nodes of the first thread; 0 for none
	threads  int
	tempo    bool        // is in every value: see tempo
	halt     atomic.Bool // helpers have no more to do

	// busy names the positions that are being searched: who finds a move there
	// that is not the first tries the others before it.
	busy [1 << 12]atomic.Uint64
}

// interval is how many nodes pass between two looks at the clock: less than a
// millisecond.
const interval = 1 << 13

func newWorker(t *transpositions, s *shared, thread int) *worker {
	at := flat
	if s.tempo {
		at = tempo
	}
	return &worker{tempo: at, transpositions: t, shared: s, small: t.smallOf(thread), edges: edges(), taste: &taste, weights: eval.Trained(), pause: math.MaxInt64, helper: thread > 0}
}

// home returns the table for exact values with so many empty squares.
func (w *worker) home(n int) *transpositions {
	if n < bigFrom {
		return w.small
	}
	return w.transpositions
}

// heed makes the worker look at its limits from now on.
func (w *worker) heed() {
	w.pause = w.nodes
	w.look()
}

// look decides whether to stop.
func (w *worker) look() {
	w.pause = w.nodes + interval
	switch {
	case w.helper:
		w.stopped = w.halt.Load()
	case w.limit > 0 && w.nodes >= w.limit:
		w.stopped = true
		w.pause = math.MaxInt64
		return
	default:
		w.stopped = w.ctx.Err() != nil || !w.deadline.IsZero() && !time.Now().Before(w.deadline)
	}
	if w.limit > 0 {
		w.pause = min(w.pause, w.limit)
	}
}

// The threads of a thought search the same tree and share what they find through
// the table. All follow the first move of a position together; at every other
// move a thread looks whether another one is busy with it, and tries those that
// nobody has begun first. So they part ways without ever waiting.
const (
	splitEnd = 13 // empty squares from which on that pays
	splitMid = 5  // plies
)

// defers reports that a move is to be tried later, because another thread is
// busy with it; a move is put off only once. Otherwise it marks the position
// behind the move, until release.
func (w *worker) defers(x *child, later *uint64) bool {
	k := w.key(x.own, x.opp)
	b := &w.busy[k.check%uint64(len(w.busy))]
	bit := uint64(1) << (x.square & 63)
	if b.Load() == k.check && *later&bit == 0 {
		*later |= bit
		x.cost = math.MaxInt32
		return true
	}
	b.Store(k.check)
	return false
}

// release takes the mark of a position away.
func (s *shared) release(k key) {
	s.busy[k.check%uint64(len(s.busy))].CompareAndSwap(k.check, 0)
}
