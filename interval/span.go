package interval

import (
	"qipu/game"
	"qipu/pattern"
)

// Span is an interval of a line: the slots from From up to but not including To.
// A skipped slot shows the same position as the slot before it. Therefore a
// interval runs through skips: it never begins at a skipped slot, and where it
// does not end with the line, it does not end at one.
type Span struct{ Lane, From, To uint16 }

// Placed is an interval at which a placement holds.
type Placed struct {
	Span
	Placement int32
}

// AppendSpans appends every interval at which a placement of a pattern holds, in
// the lanes of a block that the mask names. The intervals of a placement in a
// lane are as long as they can be: they do not touch. They come placement by
// placement, then lane by lane, then in the order of slots.
//
// Unlike AppendHits it tells of the whole line, with the positions that a
// variation shares with the line it leaves: what comes later may ask for
// something that was there before. See [Own].
//
// A lane without a match costs what it costs AppendHits.
func (m *Matcher) AppendSpans(dst []Placed, b *Block, p *Program, lanes *Mask) []Placed {
	m.placed = dst
	m.sweep(b, p, lanes, everyInterval)
	dst, m.placed = m.placed, nil
	return dst
}

// AppendMoments appends the moments at which any placement of a pattern holds:
// what AppendSpans finds, merged, without a list of the intervals of every
// placement, of which there may be thousands a lane.
func (m *Matcher) AppendMoments(dst Timeline, b *Block, p *Program, lanes *Mask) Timeline {
	m.open(b)
	m.sweep(b, p, lanes, everyMoment)
	return m.close(dst, b)
}

// intervals looks for all positions of a line in which a placement holds.
func (m *Matcher) intervals(what sought, g *group, shift, lane, placement int) {
	b := m.block
	from, end := 0, int(b.End(lane))
	var skips []uint16
	if m.program.from > 0 || m.program.to >= 0 || g.turn != pattern.AnyTurn {
		skips = m.lineSkips(b, lane)
		from, end = pliesBetween(skips, end, m.program.from, m.program.to)
		if from >= end {
			return
		}
	}
	lo, ok := m.simple(g, shift, lane, uint16(from))
	if !ok {
		return
	}
	hi := m.until(g, shift, lane, uint16(end))
	turns := turns{skips: skips, end: b.End(lane), turn: g.turn}
	for lo < hi {
		until := hi
		if len(m.slow) > 0 {
			if lo, until, ok = m.leapfrog(lane, lo, hi); !ok || until <= lo {
				return
			}
			m.forget(until)
		}
		if g.turn == pattern.AnyTurn {
			m.emit(what, lane, lo, until, placement)
		} else {
			for x, y, ok := turns.next(lo, until); ok; x, y, ok = turns.next(y, until) {
				m.emit(what, lane, x, y, placement)
			}
		}
		lo = until
	}
}

func (m *Matcher) emit(what sought, lane int, from, to uint16, placement int) {
	if what == everyMoment {
		m.mark(lane, from, to)
		return
	}
	m.placed = append(m.placed, Placed{Span{uint16(lane), from, to}, int32(placement)})
}

// forget takes off the trails what lies before a slot, but for the state that
// it leaves: a line with many intervals is walked through once.
func (m *Matcher) forget(t uint16) {
	for i := range m.slow {
		s := &m.slow[i]
		for s.from+1 < s.to && u16(m.block.slots, int(s.from)+1) <= t {
			s.from++
		}
	}
}

// pliesBetween returns the slots from the position of one ply up to behind that
// of another, in a line of so many slots; to < 0 is no bound.
func pliesBetween(skips []uint16, end, from, to int) (int, int) {
	if to >= 0 && to < end { // there are no more plies than slots
		end = min(end, plySlotOf(skips, to+1))
	}
	return plySlotOf(skips, max(from, 0)), end
}

// turns walks through the positions of a line at which a side is to move.
type turns struct {
	skips []uint16 // those not yet behind
	end   uint16   // of the line
	turn  pattern.Turn
}

// next returns the first interval of such positions from a slot on, before
// another. Slots must rise from call to call.
func (t *turns) next(from, until uint16) (lo, hi uint16, ok bool) {
	for from < until {
		next := t.after(from)
		if turnOf(Mover(next)) != t.turn {
			if ok {
				return lo, hi, true
			}
		} else {
			if !ok {
				lo, ok = from, true
			}
			hi = min(next, until)
		}
		from = next
	}
	return lo, hi, ok
}

// after returns the slot of the position behind that of a slot, or the end.
func (t *turns) after(slot uint16) uint16 {
	for len(t.skips) > 0 && t.skips[0] <= slot {
		t.skips = t.skips[1:]
	}
	n := slot + 1
	for _, s := range t.skips {
		if s != n {
			break
		}
		n++
	}
	return max(min(n, t.end), slot+1)
}

// AppendPly appends the intervals of the lanes of a mask in which so many plies
// have been played, both bounds included; to < 0 is no bound.
func AppendPly(dst Timeline, b *Block, lanes *Mask, from, to int) Timeline {
	var buf [fewSkips]uint16
	for lane := range b.lanes(lanes) {
		skips := b.skipsOf(buf[:0], lane)
		lo, hi := pliesBetween(skips, int(b.End(lane)), from, to)
		if lo < hi {
			dst = append(dst, Span{uint16(lane), uint16(lo), uint16(hi)})
		}
	}
	return dst
}

// AppendTurn appends the intervals of the lanes of a mask in which a side is to
// move: most often single positions.
func AppendTurn(dst Timeline, b *Block, lanes *Mask, side game.Side) Timeline {
	var buf [fewSkips]uint16
	for lane := range b.lanes(lanes) {
		end := b.End(lane)
		t := turns{skips: b.skipsOf(buf[:0], lane), end: end, turn: turnOf(side)}
		for x, y, ok := t.next(0, end); ok; x, y, ok = t.next(y, end) {
			dst = append(dst, Span{uint16(lane), x, y})
		}
	}
	return dst
}
