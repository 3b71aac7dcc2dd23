package retrieve

import (
	"fmt"
	"math"
	"slices"

	"qipu/interval"
	"qipu/query"
)

// ofMoments reports whether a node is true of moments: where it stands for a
// game, it asks for games that have one.
func ofMoments(q query.Q) bool {
	switch q.(type) {
	case focusMark, *query.Shape, *query.Fuzzy, *query.Mark, *query.Count, query.Ply, query.Turn, query.When, query.Then, query.For, query.First, query.Last:
		return true
	}
	return false
}

// hasMoments reports whether a query asks for moments anywhere.
func hasMoments(q query.Q) bool {
	return ofMoments(q) || slices.ContainsFunc(query.Parts(q), hasMoments)
}

// focus is what the rows of an answer show: the first part of a query that is
// about boards, or else about moments at all, and is not negated.
type focus struct {
	node query.Q // nil where there is none

	// anchor is the shape whose occurrences are counted, and behind which the
	// continuations come: that of the last moment where parts follow each
	// other, else the first. Nil where the node has none.
	anchor *query.Shape

	like *query.Fuzzy // the node, where it is one

	// mark is that whose intervals are counted, where there is no anchor.
	mark *query.Mark
}

// onBoard reports whether the focus is about a board, which is one of one kind.
func (f *focus) onBoard() bool { return f.anchor != nil || f.like != nil || f.mark != nil }

func focusOf(q query.Q) (f focus) {
	for _, board := range []bool{true, false} { // boards before counts and the like
		if node := focusNode(q, board); node != nil {
			f.node = node
			break
		}
	}
	if like, ok := f.node.(*query.Fuzzy); ok {
		f.like = like
		return f
	}
	if f.anchor = foremost[*query.Shape](f.node); f.anchor == nil {
		f.mark = foremost[*query.Mark](f.node)
	}
	return f
}

// focusNode returns the first node about moments that is not negated; with
// board, the first that has one.
func focusNode(q query.Q, board bool) query.Q {
	switch q.(type) {
	case query.And, query.Or:
		for _, part := range query.Parts(q) {
			if node := focusNode(part, board); node != nil {
				return node
			}
		}
		return nil
	case *query.Fuzzy:
		return q
	}
	if ofMoments(q) && (!board || foremost[*query.Shape](q) != nil || foremost[*query.Mark](q) != nil) {
		return q
	}
	return nil
}

// foremost returns the first leaf of a type in a node, of the last moment where
// parts follow each other; nil where there is none. What is negated leads
// nothing.
func foremost[L interface {
	*query.Shape | *query.Mark
	query.Q
}](q query.Q) L {
	if leaf, ok := q.(L); ok {
		return leaf
	}
	parts := query.Parts(q)
	switch q.(type) {
	case query.Not:
		return nil
	case query.Then:
		parts = parts[1:]
	}
	for _, part := range parts {
		if leaf := foremost[L](part); leaf != nil {
			return leaf
		}
	}
	return nil
}

// Anchor returns the shape whose occurrences the answer to a bound query counts,
// and behind which its continuations come; nil where there is none.
func Anchor(q query.Q) *query.Shape { return focusOf(query.Simplify(q)).anchor }

// Likeness returns the part of a bound query by which its answer ranks the
// games; nil where it is not about likeness.
func Likeness(q query.Q) *query.Fuzzy { return focusOf(query.Simplify(q)).like }

// Timed reports whether the rows of the answer to a bound query tell a ply: it
// asks for moments, and not for games alone.
func Timed(q query.Q) bool { return focusOf(query.Simplify(q)).node != nil }

// focusMark stands for the focus in a query: nodes cannot be compared.
type focusMark struct{}

func (focusMark) String() string { return "focus" }

// mark returns the query with the mark in place of its focus.
func mark(q query.Q) query.Q {
	for _, board := range []bool{true, false} {
		if focusNode(q, board) != nil {
			q, _ = markNode(q, board)
			return q
		}
	}
	return q
}

func markNode(q query.Q, board bool) (marked query.Q, found bool) {
	switch q.(type) {
	case query.And, query.Or:
		marked, _ = query.MapParts(q, func(part query.Q) (query.Q, error) {
			if !found {
				part, found = markNode(part, board)
			}
			return part, nil
		}, nil)
		return marked, found
	}
	if focusNode(q, board) != nil {
		return focusMark{}, true
	}
	return q, false
}

// plainShape returns the shape that a node is, where its first moments are all
// that matters: they are cheaper to find than all.
func plainShape(q query.Q) *query.Shape {
	if s, ok := q.(*query.Shape); ok && len(s.Next) == 0 {
		return s
	}
	return nil
}

// check refuses queries that cannot be answered: names that are not bound, and
// what cannot be told of moments.
func check(q query.Q) error {
	var err error
	var walk func(q query.Q, inside bool)
	walk = func(q query.Q, inside bool) {
		switch q := q.(type) {
		case query.When, query.For, query.First, query.Last:
			inside = true
		case query.Then:
			inside = true
			a, okA := q.A.(*query.Shape)
			b, okB := q.B.(*query.Shape)
			if q.Here && (!okA || !okB || a.Pattern.Size != b.Pattern.Size) {
				err = fmt.Errorf("retrieve: %v: then here joins two boards of one size", q)
			}
		case query.Field, query.Diagram, query.Number, query.Named:
			err = fmt.Errorf("retrieve: %v is a name: bind the query first", q)
		case *query.Fuzzy:
			if inside {
				err = fmt.Errorf("retrieve: %v: likeness is asked of games: take it out of when, then, for, first and last", q)
			}
		}
		for _, part := range query.Parts(q) {
			walk(part, inside)
		}
	}
	walk(q, false)
	return err
}

// timeline returns the moments of a query in some lanes, those of the trunk of a
// variation too.
func (w *worker) timeline(q query.Q, lanes interval.Mask) interval.Timeline {
	if lanes.Empty() || w.givenUp() {
		return nil
	}
	b := w.job.batch.Block
	switch q := q.(type) {
	case query.Const:
		if q {
			return interval.Whole(nil, b, &lanes)
		}
	case query.Games, *query.Fact:
		lanes = w.eval(q, lanes)
		return interval.Whole(nil, b, &lanes)
	case query.And:
		var all interval.Timeline
		begun := false
		for _, late := range []bool{false, true} {
			for _, part := range q {
				if w.late(part) != late {
					continue
				}
				t := w.timeline(part, lanes)
				if begun {
					t = interval.Intersect(nil, all, t)
				}
				all, begun = t, true
				if len(all) == 0 {
					return nil
				}
				lanes = all.Lanes()
			}
		}
		return all
	case query.Or:
		var any interval.Timeline
		for _, part := range q {
			any = interval.Unite(nil, any, w.timeline(part, lanes))
		}
		return any
	case query.Not:
		return interval.Complement(nil, b, &lanes, w.timeline(q.Q, lanes))
	case query.When:
		return w.timeline(q.Q, lanes)
	case query.Then:
		return w.then(q, lanes)
	case query.For:
		return interval.Longer(nil, b, w.timeline(q.Q, lanes), q.N)
	case query.First:
		return interval.Firsts(nil, b, w.timeline(q.Q, lanes))
	case query.Last:
		return interval.Lasts(nil, b, w.timeline(q.Q, lanes))
	case query.Ply:
		return interval.AppendPly(nil, b, &lanes, q.From, q.To)
	case query.Turn:
		return interval.AppendTurn(nil, b, &lanes, q.Side)
	case *query.Count:
		return w.matcher.AppendCount(nil, b, counterOf(q), &lanes)
	case *query.Mark:
		list := w.owned(q, lanes)
		if q == w.focus.mark {
			w.owners = append(w.owners, list...)
			for i := range lanes {
				w.owning[i] |= lanes[i]
			}
		}
		return interval.AppendOwners(nil, list, interval.Anyone)
	case *query.Shape:
		if q != w.focus.anchor && len(q.Next) == 0 {
			return w.matcher.AppendMoments(nil, b, w.programs[q], &lanes)
		}
		placed := w.spans(q, lanes)
		if q == w.focus.anchor {
			w.anchored = append(w.anchored, placed...)
		}
		return w.matcher.Merge(nil, b, placed)
	}
	return nil
}

func (w *worker) then(q query.Then, lanes interval.Mask) interval.Timeline {
	b := w.job.batch.Block
	if q.Here {
		x, y := q.A.(*query.Shape), q.B.(*query.Shape)
		before := append([]interval.Placed(nil), w.spans(x, lanes)...)
		lanes = w.matcher.Merge(nil, b, before).Lanes()
		behind := w.spans(y, lanes)
		here := w.matcher.AppendThenHere(nil, b, w.pair(x, y), before, behind, q.Within)
		if y == w.focus.anchor {
			w.anchored = append(w.anchored, here...)
		}
		return w.matcher.Merge(nil, b, here)
	}
	before := w.timeline(q.A, lanes)
	return interval.Then(nil, b, before, w.timeline(q.B, before.Lanes()), q.Within)
}

// pair returns which placements of two shapes are in the same place.
func (w *worker) pair(x, y *query.Shape) *interval.Pairs {
	at := [2]*query.Shape{x, y}
	if w.pairs[at] == nil {
		half := func(s *query.Shape) interval.Half {
			return interval.Half{Pattern: s.Pattern, Placements: w.programs[s].Placements}
		}
		w.pairs[at] = interval.Pair(half(x), half(y), w.Kind.Board)
	}
	return w.pairs[at]
}

// spans returns the intervals of a shape. They are valid until the next call.
func (w *worker) spans(s *query.Shape, lanes interval.Mask) []interval.Placed {
	b, program := w.job.batch.Block, w.programs[s]
	w.placed = w.matcher.AppendSpans(w.placed[:0], b, program, &lanes)
	if len(s.Next) > 0 {
		w.followed = w.matcher.AppendFollowed(w.followed[:0], b, w.follows[s], w.placed)
		w.placed, w.followed = w.followed, w.placed
	}
	if program := w.reached[s]; program != nil && len(w.placed) > 0 {
		// A step tells where a piece went, not where it came from: the board does.
		when := w.matcher.AppendMoments(nil, b, program, &lanes)
		w.placed = slices.DeleteFunc(w.placed, func(p interval.Placed) bool { return !when.Has(int(p.Lane), p.From) })
	}
	return w.placed
}

// lookMoments appends the occurrences of the focus in some lanes to the hits,
// and returns the lanes that have a moment: of the anchor, at the first moment
// of each place that the node is true of, or of a mark, at that of each interval;
// and the very first moment of a lane, where the anchor does not stand then.
func (w *worker) lookMoments(lanes interval.Mask) interval.Mask {
	w.anchored, w.owners, w.owning = w.anchored[:0], w.owners[:0], interval.Mask{}
	when := interval.Own(nil, w.job.batch.Block, w.timeline(w.focus.node, lanes))
	// The intervals of each lane lie side by side in the timeline.
	var begin [interval.Lanes + 1]int32
	for i := range when {
		begin[when[i].Lane+1] = int32(i + 1)
	}
	for lane := range interval.Lanes {
		begin[lane+1] = max(begin[lane+1], begin[lane])
	}
	var earliest [interval.Lanes]uint16 // hit of each lane
	for i := range earliest {
		earliest[i] = math.MaxUint16
	}
	clear(w.first)
	for i := range w.anchored {
		p := &w.anchored[i]
		for _, s := range when[begin[p.Lane]:begin[p.Lane+1]] {
			slot := max(p.From, s.From)
			if slot >= min(p.To, s.To) {
				continue
			}
			earliest[p.Lane] = min(earliest[p.Lane], slot)
			at := laneTwin{p.Lane, p.Placement}
			k, known := w.first[at]
			switch {
			case !known:
				w.first[at] = len(w.hits)
				w.hits = append(w.hits, interval.Hit{Lane: p.Lane, Slot: slot, Placement: p.Placement})
			case slot < w.hits[k].Slot:
				w.hits[k].Slot = slot
			}
			break
		}
	}
	for _, o := range w.ownersIn(when.Lanes()) {
		for _, s := range when[begin[o.Lane]:begin[o.Lane+1]] {
			if slot := max(o.From, s.From); slot < min(o.To, s.To) {
				earliest[o.Lane] = min(earliest[o.Lane], slot)
				w.hits = append(w.hits, interval.Hit{Lane: o.Lane, Slot: slot, Placement: int32(o.Side)})
				break
			}
		}
	}
	for _, s := range when {
		if s.From < earliest[s.Lane] {
			earliest[s.Lane] = s.From
			w.hits = append(w.hits, interval.Hit{Lane: s.Lane, Slot: s.From, Placement: nowhere})
		}
	}
	return when.Lanes()
}

// nowhere is the placement of a moment without an occurrence of the anchor.
const nowhere = -1

// counterOf returns the bounds of a count.
func counterOf(c *query.Count) *interval.Counter {
	x := &interval.Counter{Set: c.Set, Points: c.Points, Low: 0, High: math.MaxInt32}
	switch c.Op {
	case query.Equal, query.Is:
		x.Low, x.High = c.N, c.N
	case query.Below:
		x.High = c.N - 1
	case query.AtMost:
		x.High = c.N
	case query.Above:
		x.Low = c.N + 1
	case query.AtLeast:
		x.Low = c.N
	}
	return x
}
