package interval

import "iter"

// Add adds other work.
func (w *LikeWork) Add(o LikeWork) {
	w.Blocks += o.Blocks
	w.Lines += o.Lines
	w.Slow += o.Slow
	w.Scored += o.Scored
}

// ByLane returns the lanes of a timeline, each with its part of it.
func (t Timeline) ByLane() iter.Seq2[int, Timeline] {
	return func(yield func(int, Timeline) bool) {
		for rest := t; len(rest) > 0; {
			var head Timeline
			head, rest = rest.cut()
			if !yield(int(head[0].Lane), head) {
				return
			}
		}
	}
}
