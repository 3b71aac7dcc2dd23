package retrieve

import (
	"math/bits"
	"slices"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
)

// Marked returns the mark whose intervals the answer to a bound query counts,
// where it counts those of no shape; nil where there is none. Then First of a
// score are the wins of its owner.
func Marked(q query.Q) *query.Mark { return focusOf(query.Simplify(q)).mark }

// owners are the placements of marks: as they are of the first side, with the
// sides exchanged of the second.
var owners = []pattern.Placement{{}, {Symmetry: game.Symmetry{Swap: true}}}

// kept reports whether a batch has the columns of all keys.
func kept(b *index.Batch, keys []uint64) bool {
	return b.Marks != nil && !slices.ContainsFunc(keys, func(key uint64) bool { return !b.Marks.Has(key) })
}

// late reports whether a part of a conjunction is to come last: its lines have to
// be walked along.
func (w *worker) late(q query.Q) bool {
	if len(w.keys) == 0 {
		return false
	}
	if _, ok := q.(focusMark); ok {
		q = w.focus.node
	}
	return query.Some(q, func(q query.Q) bool {
		m, ok := q.(*query.Mark)
		return ok && !kept(w.job.batch, w.keys[m])
	})
}

// owned returns the intervals of a mark in some lanes, of its owner alone: from
// columns where they are kept, and else by walking along the lines. They are
// valid until the next call.
func (w *worker) owned(q *query.Mark, lanes interval.Mask) []interval.Owned {
	b, keys := w.job.batch, w.keys[q]
	list := w.intervals[:0]
	var missing []int
	for i, key := range keys {
		ok := false
		if b.Marks != nil {
			list, ok = b.Marks.AppendMarks(list, key, &lanes)
		}
		if !ok {
			missing = append(missing, q.Columns[i])
		}
	}
	if len(missing) > 0 {
		list = w.walk(list, q, missing, lanes)
	}
	if q.Of != interval.Anyone {
		list = slices.DeleteFunc(list, func(o interval.Owned) bool { return !q.Of.Has(o.Side) })
	}
	if len(keys) > 1 || len(missing) > 0 { // one column is in order already
		list = interval.UniteOwned(list)
	}
	w.intervals = list
	return list
}

// walk appends the intervals of columns that are not kept.
func (w *worker) walk(dst []interval.Owned, q *query.Mark, columns []int, lanes interval.Mask) []interval.Owned {
	if q.Word == "" && !w.job.batch.Fresh && !slices.Contains(w.job.scanned, q.Name) {
		w.job.scanned = append(w.job.scanned, q.Name)
	}
	b := w.job.batch.Block
	want := func(column int) bool { return slices.Contains(columns, column) }
	all := b.All()
	for i, word := range lanes {
		for word &= all[i]; word != 0 && !w.givenUp(); word &= word - 1 {
			lane := 64*i + bits.TrailingZeros64(word)
			l := b.Line(lane)
			w.marks = q.Marker.AppendMarks(w.marks[:0], &l, want)
			w.marks = slices.DeleteFunc(w.marks, func(m interval.Mark) bool { return !want(int(m.Column)) })
			dst = interval.AppendMarks(dst, lane, &l, w.marks)
		}
	}
	return dst
}

// lookOwned is lookMoments of a focus that is nothing but a mark.
func (w *worker) lookOwned(lanes interval.Mask) (m interval.Mask) {
	b := w.job.batch.Block
	for _, o := range w.owned(w.focus.mark, lanes) {
		if slot := max(o.From, b.From(int(o.Lane))); slot < o.To {
			m.Set(int(o.Lane))
			w.hits = append(w.hits, interval.Hit{Lane: o.Lane, Slot: slot, Placement: int32(o.Side)})
		}
	}
	return m
}

// ownersIn returns the intervals of the focus where that is a mark, in some lanes
// at least.
func (w *worker) ownersIn(lanes interval.Mask) []interval.Owned {
	if w.focus.mark == nil {
		return nil
	}
	for i := range lanes { // one of several parts may have been true without it
		lanes[i] &^= w.owning[i]
	}
	if !lanes.Empty() {
		w.owners = append(w.owners, w.owned(w.focus.mark, lanes)...)
	}
	w.owners = interval.UniteOwned(w.owners) // it may stand in the query twice
	return w.owners
}
