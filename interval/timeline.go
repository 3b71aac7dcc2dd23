package interval

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// Timeline is a set of moments in the lanes of one block: intervals by lane,
// then by slot. Those of a lane are disjoint and do not touch.
//
// The functions that make timelines append to their first argument, which must
// not share memory with the others unless they say so. They leave alone what it
// holds already; what they append is a timeline by itself. None of them takes
// other memory, but for lines with more than a hundred skips.
type Timeline []Span

// fewSkips is how many skips of a line fit on the stack.
const fewSkips = 128

// cut parts the intervals of the first lane from the others.
func (t Timeline) cut() (head, rest Timeline) {
	n := 1
	for n < len(t) && t[n].Lane == t[0].Lane {
		n++
	}
	return t[:n], t[n:]
}

// Lane returns the part of a timeline that lies in one lane.
func (t Timeline) Lane(lane int) Timeline {
	from, _ := slices.BinarySearchFunc(t, lane, func(s Span, lane int) int { return int(s.Lane) - lane })
	t = t[from:]
	if len(t) == 0 || int(t[0].Lane) != lane {
		return nil
	}
	head, _ := t.cut()
	return head
}

// Has reports whether a slot of a lane is one of the moments.
func (t Timeline) Has(lane int, slot uint16) bool {
	t = t.Lane(lane)
	i, found := slices.BinarySearchFunc(t, slot, func(s Span, slot uint16) int { return int(s.From) - int(slot) })
	return found || i > 0 && slot < t[i-1].To
}

// Lanes returns the lanes that have a moment.
func (t Timeline) Lanes() (m Mask) {
	for _, s := range t {
		m.Set(int(s.Lane))
	}
	return m
}

// lanes goes through those lanes of a mask that the block has.
func (b *Block) lanes(m *Mask) iter.Seq[int] {
	return func(yield func(int) bool) {
		all := b.All()
		for w := range all {
			for set := all[w] & m[w]; set != 0; set &= set - 1 {
				if !yield(w*64 + bits.TrailingZeros64(set)) {
					return
				}
			}
		}
	}
}

// order compares where intervals begin.
func (s Span) order(o Span) int {
	return cmp.Compare(uint32(s.Lane)<<16|uint32(s.From), uint32(o.Lane)<<16|uint32(o.From))
}

// unite appends an interval to a timeline that begins at base, whose intervals
// all begin before it or with it.
func (t Timeline) unite(base int, s Span) Timeline {
	if n := len(t); n > base && t[n-1].Lane == s.Lane && t[n-1].To >= s.From {
		t[n-1].To = max(t[n-1].To, s.To)
		return t
	}
	return append(t, s)
}

// settle makes a timeline of intervals in any order, where they lie.
func (t Timeline) settle() Timeline {
	if !slices.IsSortedFunc(t, Span.order) {
		slices.SortFunc(t, Span.order)
	}
	united := t[:0]
	for _, s := range t {
		united = united.unite(0, s)
	}
	return united
}

// Merge appends the moments at which any placement of a list holds. The list
// may be in any order.
func (m *Matcher) Merge(dst Timeline, b *Block, placed []Placed) Timeline {
	m.open(b)
	if len(placed) < m.starts[b.N]/32 {
		// Sorting a few is quicker than going through all slots.
		base := len(dst)
		for _, p := range placed {
			dst = append(dst, p.Span)
		}
		return dst[:base+len(dst[base:].settle())]
	}
	for _, p := range placed {
		m.mark(int(p.Lane), p.From, p.To)
	}
	return m.close(dst, b)
}

// open makes room for the slots of all lanes of a block, to mark moments in.
func (m *Matcher) open(b *Block) {
	m.starts[0] = 0
	for lane := range b.N {
		m.starts[lane+1] = m.starts[lane] + int(b.End(lane))
	}
	if n := m.starts[b.N]; len(m.ends) < n {
		m.ends = make([]uint16, n)
	}
}

// mark notes an interval at its first slot: the latest end of those that begin
// there. Thousands of intervals are united so at the price of a write each.
func (m *Matcher) mark(lane int, from, to uint16) {
	at := m.starts[lane] + int(from)
	if at < m.starts[lane+1] {
		m.ends[at] = max(m.ends[at], to)
		m.marked.Set(lane)
	}
}

// close appends the moments that were marked, and clears the marks.
func (m *Matcher) close(dst Timeline, b *Block) Timeline {
	for lane := range b.lanes(&m.marked) {
		base := len(dst)
		ends := m.ends[m.starts[lane]:m.starts[lane+1]]
		for from, to := range ends {
			if to != 0 {
				ends[from] = 0
				dst = dst.unite(base, Span{uint16(lane), uint16(from), to})
			}
		}
	}
	m.marked = Mask{}
	return dst
}

// Whole appends all moments of the lanes of a mask.
func Whole(dst Timeline, b *Block, lanes *Mask) Timeline {
	for lane := range b.lanes(lanes) {
		if end := b.End(lane); end > 0 {
			dst = append(dst, Span{uint16(lane), 0, end})
		}
	}
	return dst
}

// Intersect appends the moments that both have.
func Intersect(dst, a, b Timeline) Timeline {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		switch {
		case x.Lane < y.Lane:
			a = a[1:]
			continue
		case x.Lane > y.Lane:
			b = b[1:]
			continue
		}
		if lo, hi := max(x.From, y.From), min(x.To, y.To); lo < hi {
			dst = append(dst, Span{x.Lane, lo, hi})
		}
		if x.To <= y.To {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return dst
}

// Unite appends the moments that one of them has.
func Unite(dst, a, b Timeline) Timeline {
	base := len(dst)
	for len(a) > 0 && len(b) > 0 {
		if a[0].order(b[0]) <= 0 {
			dst, a = dst.unite(base, a[0]), a[1:]
		} else {
			dst, b = dst.unite(base, b[0]), b[1:]
		}
	}
	for _, s := range a {
		dst = dst.unite(base, s)
	}
	for _, s := range b {
		dst = dst.unite(base, s)
	}
	return dst
}

// Complement appends the moments of the lanes of a mask that a timeline does
// not have. What it has of other lanes does not matter.
func Complement(dst Timeline, b *Block, lanes *Mask, a Timeline) Timeline {
	for lane := range b.lanes(lanes) {
		from, end := uint16(0), b.End(lane)
		for len(a) > 0 && int(a[0].Lane) < lane {
			a = a[1:]
		}
		for len(a) > 0 && int(a[0].Lane) == lane {
			if from < a[0].From {
				dst = append(dst, Span{uint16(lane), from, a[0].From})
			}
			from, a = a[0].To, a[1:]
		}
		if from < end {
			dst = append(dst, Span{uint16(lane), from, end})
		}
	}
	return dst
}

// Then appends the moments of b behind a moment of a: later than it, and by at
// most within plies where that is not 0. Both are of the block.
func Then(dst Timeline, blk *Block, a, b Timeline, within int) Timeline {
	var buf [fewSkips]uint16
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Lane < b[0].Lane:
			a = a[1:]
			continue
		case a[0].Lane > b[0].Lane:
			b = b[1:]
			continue
		}
		var x, y Timeline
		x, a = a.cut()
		y, b = b.cut()
		dst = behind(dst, x, y, blk.skipsOf(buf[:0], int(x[0].Lane)), within)
	}
	return dst
}

// behind is Then in one lane. Neither timeline is empty.
func behind(dst, a, b Timeline, skips []uint16, within int) Timeline {
	for i := 0; i < len(a) && len(b) > 0; {
		// The moments behind one interval, and behind those after it as long as
		// there is no gap.
		lo, hi := reach(skips, a[i], within)
		for i++; i < len(a); i++ {
			from, to := reach(skips, a[i], within)
			if from > hi {
				break
			}
			hi = to
		}
		for len(b) > 0 && int(b[0].To) <= lo {
			b = b[1:]
		}
		for len(b) > 0 && int(b[0].From) < hi {
			dst = append(dst, Span{b[0].Lane, uint16(max(lo, int(b[0].From))), uint16(min(hi, int(b[0].To)))})
			if int(b[0].To) > hi {
				break
			}
			b = b[1:]
		}
	}
	return dst
}

// reach returns the slots of the positions that lie behind one of an interval, by
// at most so many plies.
func reach(skips []uint16, s Span, within int) (lo, hi int) {
	lo, hi = plySlotOf(skips, plyOf(skips, s.From)+1), 1<<16
	if within > 0 && within < hi {
		hi = plySlotOf(skips, plyOf(skips, s.To-1)+within+1)
	}
	return lo, hi
}

// Longer appends the intervals that last for n plies at least: those of more
// than n positions. It may append to a[:0].
func Longer(dst Timeline, blk *Block, a Timeline, n int) Timeline {
	var buf [fewSkips]uint16
	for len(a) > 0 {
		var head Timeline
		head, a = a.cut()
		skips := blk.skipsOf(buf[:0], int(head[0].Lane))
		for _, s := range head {
			if plyOf(skips, s.To-1)-plyOf(skips, s.From) >= n {
				dst = append(dst, s)
			}
		}
	}
	return dst
}

// Firsts appends the first position of each lane. It may append to a[:0].
func Firsts(dst Timeline, blk *Block, a Timeline) Timeline {
	for len(a) > 0 {
		var head Timeline
		head, a = a.cut()
		first := head[0]
		first.To = min(first.To, blk.After(int(first.Lane), first.From))
		dst = append(dst, first)
	}
	return dst
}

// Lasts appends the last position of each lane. It may append to a[:0].
func Lasts(dst Timeline, blk *Block, a Timeline) Timeline {
	for len(a) > 0 {
		var head Timeline
		head, a = a.cut()
		last := head[len(head)-1]
		// A position lasts through the slots that are skipped behind it.
		slot := last.To - 1
		for slot > last.From && blk.skipsSlot(int(last.Lane), slot) {
			slot--
		}
		last.From = slot
		dst = append(dst, last)
	}
	return dst
}

// Own appends the moments that belong to the lines themselves: not those that a
// variation shares with the line it leaves. It may append to a[:0].
func Own(dst Timeline, blk *Block, a Timeline) Timeline {
	for _, s := range a {
		s.From = max(s.From, blk.From(int(s.Lane)))
		if s.From < s.To {
			dst = append(dst, s)
		}
	}
	return dst
}
