package reversi

import (
	"time"

	"qipu/engine/trace"
)

// tell tells the recorder, where there is one, that a position is entered.
func (w *worker) tell(square uint8, alpha, beta int) {
	if w.record != nil {
		w.entered(square, alpha, beta)
	}
}

// entered and leave are calls of their own, so that tell, left and leftExact are none
// where nobody records.
//
//go:noinline
func (w *worker) entered(square uint8, alpha, beta int) {
	w.record.Enter(move(square), false, int32(alpha), int32(beta))
}

//go:noinline
func (w *worker) leave(v int) {
	why := w.why
	if w.stopped {
		why = trace.Stopped
	}
	w.record.Leave(int32(v), why, w.by)
}

// left tells that it is left with a value, which it returns.
func (w *worker) left(v int) int {
	if w.record != nil {
		w.leave(v)
	}
	return v
}

// leftExact is left for a value in discs.
func (w *worker) leftExact(v int) int {
	if w.record != nil {
		w.leave(v * scale)
	}
	return v
}

// expand fills a list with all moves; of a wipe-out it tells that no more is to be read.
func (w *worker) expand(c *children, own, opp, moves uint64) (wiped bool) {
	if w.record == nil {
		return c.expand(own, opp, moves)
	}
	began := w.record.Begin(trace.Generate)
	wiped = c.expand(own, opp, moves)
	w.record.End(trace.Generate, began)
	w.why = trace.Proved
	return wiped
}

// hush takes the recorder away for work that is timed as a whole, and whose searches
// are not told one by one; hushed gives it back.
func (w *worker) hush(work trace.Work) (began time.Duration) {
	began = w.record.Begin(work)
	w.record = nil
	return began
}

func (w *worker) hushed(r *trace.Recorder, work trace.Work, began time.Duration) {
	r.End(work, began)
	w.record = r
}

// counters tells the recorder of the positions that it was not told of, and returns
// the counts so far.
func (q *quest) counters() *trace.Counters {
	if q.record == nil {
		return nil
	}
	untold := max(q.nodes()-(q.record.Entered()-q.before), q.untold)
	q.record.Untold(untold - q.untold)
	q.untold = untold
	return q.record.Counters()
}
