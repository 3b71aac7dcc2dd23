package interval

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// FollowStep is a move in the frame of a pattern as drawn: columns and rows
// from its top left point.
type FollowStep struct {
	X, Y  int8
	Side  game.Side   // who plays it, as drawn
	Piece board.Piece // what arrives; Empty for any piece of the side
}

// Follow is a row of moves, made ready for the placements of a pattern. It is
// immutable and safe for concurrent use.
type Follow struct {
	places []pattern.Placement
	steps  int
	board  int             // how many points it has
	wants  [2][]FollowStep // as drawn, and with the sides exchanged
	starts []int32         // of each placement, its first row, and the end
	rows   []followRow
}

// followRow is where the steps lead in one picture, all of them on the board.
type followRow struct {
	points []uint16
	swap   int // 1 with the sides exchanged
}

// NewFollow takes the steps to every placement of a pattern on a board. A
// pattern that looks the same in several pictures is compiled for one of them;
// the moves are looked for in all.
func NewFollow(h Half, steps []FollowStep, on pattern.Board) *Follow {
	f := &Follow{places: h.Placements, steps: len(steps), board: on.Size.Area(), starts: make([]int32, 1, len(h.Placements)+1)}
	for _, s := range steps {
		f.wants[0] = append(f.wants[0], s)
		s.Side = s.Side.Opponent()
		if i := int(s.Piece) - 1; i >= 0 && i < len(on.Swap) {
			s.Piece = on.Swap[i]
		}
		f.wants[1] = append(f.wants[1], s)
	}
	own := h.own(on)
	for i := range h.Placements {
		from := len(f.rows)
		for _, sym := range own {
			row, ok := newFollowRow(&h.Placements[i], h.Pattern.Size, after(sym, h.Placements[i].Symmetry), steps, on.Size)
			if ok && !slices.ContainsFunc(f.rows[from:], func(r followRow) bool { return r.swap == row.swap && slices.Equal(r.points, row.points) }) {
				f.rows = append(f.rows, row)
			}
		}
		f.starts = append(f.starts, int32(len(f.rows)))
	}
	return f
}

// newFollowRow takes steps through a symmetry to the place of a placement, and
// reports whether all of them lie in the region and on the board.
func newFollowRow(q *pattern.Placement, drawn board.Size, sym game.Symmetry, steps []FollowStep, size board.Size) (row followRow, ok bool) {
	if sym.Swap {
		row.swap = 1
	}
	for _, s := range steps {
		if s.X < 0 || s.Y < 0 || int(s.X) >= drawn.W || int(s.Y) >= drawn.H {
			return row, false
		}
		to := sym.Board.Apply(drawn, board.At(int(s.X), int(s.Y)))
		x, y := to.X()+q.X, to.Y()+q.Y
		if x < 0 || y < 0 || x >= size.W || y >= size.H {
			return row, false
		}
		row.points = append(row.points, uint16(y*size.W+x))
	}
	return row, true
}

// AppendFollowed appends, for intervals at which placements hold, when their
// steps have been played: from some moment of an interval on, the first pieces
// that arrived in the region did so by these steps, in this order; play
// elsewhere may come between. What it appends begins with the last step and
// lasts until the next arrival in the region, or to the end of the line.
//
// What an arrival is, [Block.Next] says: a stone that is set, also where one was
// captured before; a piece that moves to a point of the region; not a disc that
// is turned over. Of several in one position the lowest point counts.
//
// The list must be in the order of AppendSpans, and the result is. Without
// steps it is the list itself.
func (m *Matcher) AppendFollowed(dst []Placed, b *Block, f *Follow, in []Placed) []Placed {
	if f.board != b.Points {
		return dst
	}
	if f.steps == 0 {
		return append(dst, in...)
	}
	base := len(dst)
	for len(in) > 0 {
		n := 1
		for n < len(in) && in[n].Placement == in[0].Placement && in[n].Lane == in[0].Lane {
			n++
		}
		run := in[:n]
		in = in[n:]
		placement, lane := run[0].Placement, int(run[0].Lane)
		m.rowsLeft = m.rowsLeft[:0]
		for r := f.starts[placement]; r < f.starts[placement+1]; r++ {
			if b.mayFollow(f, &f.rows[r], lane) {
				m.rowsLeft = append(m.rowsLeft, r)
			}
		}
		if len(m.rowsLeft) == 0 {
			continue
		}
		m.arrive(b, &f.places[placement], lane)
		if len(run) == 1 && !m.leads(f, run[0].Span) {
			continue
		}
		slices.Sort(m.arrivals)
		m.arrivals = slices.CompactFunc(m.arrivals, func(x, y uint32) bool { return x>>16 == y>>16 })
		i, k := 0, f.steps
		for _, s := range run {
			for i < len(m.arrivals) && uint16(m.arrivals[i]>>16) <= s.From {
				i++
			}
			// The moments from which other moves come first: the begin of the
			// interval, and each arrival inside it.
			for j := i; j+k <= len(m.arrivals); j++ {
				if j > i && uint16(m.arrivals[j-1]>>16) >= s.To {
					break
				}
				if !m.follows(b, f, m.arrivals[j:j+k], lane) {
					continue
				}
				from, to := uint16(m.arrivals[j+k-1]>>16), b.End(lane)
				if j+k < len(m.arrivals) {
					to = uint16(m.arrivals[j+k] >> 16)
				}
				dst = unitePlaced(dst, base, Placed{Span{s.Lane, from, to}, s.Placement})
			}
		}
	}
	return dst
}

// unitePlaced appends an interval, or lengthens the last one by it. Intervals of a
// lane may lead to the same moves.
func unitePlaced(dst []Placed, base int, p Placed) []Placed {
	if n := len(dst); n > base && dst[n-1].Placement == p.Placement && dst[n-1].Lane == p.Lane && dst[n-1].To >= p.From {
		dst[n-1].To = max(dst[n-1].To, p.To)
		return dst
	}
	if p.From >= p.To {
		return dst
	}
	return append(dst, p)
}

// mayFollow reports whether the pieces of all steps once stood where the steps
// lead. Few lines of a search come further.
func (b *Block) mayFollow(f *Follow, row *followRow, lane int) bool {
	for i, pt := range row.points {
		ok := false
		for p := board.Piece(1); int(p) <= b.Kinds && !ok; p++ {
			ok = f.wants[row.swap][i].takes(b, p) && b.everHas(int(pt), p, lane)
		}
		if !ok {
			return false
		}
	}
	return true
}

// takes reports whether a piece may be the one that arrives.
func (s *FollowStep) takes(b *Block, p board.Piece) bool {
	if s.Piece != board.Empty {
		return p == s.Piece && b.owner[p&31] == uint8(s.Side)
	}
	return p != board.Empty && b.owner[p&31] == uint8(s.Side)
}

// follows reports whether arrivals are the steps in one of the pictures left.
func (m *Matcher) follows(b *Block, f *Follow, arrivals []uint32, lane int) bool {
rows:
	for _, r := range m.rowsLeft {
		row := &f.rows[r]
		for i, a := range arrivals {
			if uint16(a) != row.points[i] || !f.wants[row.swap][i].takes(b, b.stateAt(int(uint16(a)), lane, uint16(a>>16))) {
				continue rows
			}
		}
		return true
	}
	return false
}

// stateAt returns what stands on a point at a slot.
func (b *Block) stateAt(pt, lane int, slot uint16) board.Piece {
	state := board.Empty
	switch v := b.first[pt*b.stride+lane]; v {
	case never:
	case complex:
		slots, pieces := b.history(pt, lane)
		for i, p := range pieces {
			if u16(slots, i) > slot {
				break
			}
			state = board.Piece(p)
		}
	default:
		if p := b.only(pt, lane); b.arrival(v, p) <= slot {
			state = p
		}
	}
	return state
}

// At returns what stands on a point, by its dense index, at a slot of a lane.
func (b *Block) At(lane, pt int, slot uint16) board.Piece { return b.stateAt(pt, lane, slot) }

// leads reports whether the first arrival behind the begin of an interval is a
// first step, or lies inside the interval, so that others may be. Where it is
// neither, as most often, the arrivals need not be sorted.
func (m *Matcher) leads(f *Follow, s Span) bool {
	const none = 1<<32 - 1
	first, from := uint32(none), uint32(s.From)<<16|0xFFFF
	for _, a := range m.arrivals {
		if a > from {
			first = min(first, a)
		}
	}
	if first == none {
		return false
	}
	return first>>16 < uint32(s.To) ||
		slices.ContainsFunc(m.rowsLeft, func(r int32) bool { return f.rows[r].points[0] == uint16(first) })
}

// arrive lists the arrivals of a lane in the region of a placement behind slot
// 0, in any order: slot<<16 | point.
func (m *Matcher) arrive(b *Block, q *pattern.Placement, lane int) {
	m.arrivals = m.arrivals[:0]
	if b.moves != nil {
		m.arriveByMoves(b, q, lane)
		return
	}
	end := b.End(lane)
	for _, pt := range q.Region {
		switch v := b.first[int(pt)*b.stride+lane]; v {
		case never, atStart:
		case complex:
			slots, pieces := b.history(int(pt), lane)
			before := board.Empty
			for i, p := range pieces {
				piece := board.Piece(p)
				if slot := u16(slots, i); slot > 0 && slot < end && piece != board.Empty && (before == board.Empty || b.Moving) {
					m.arrivals = append(m.arrivals, uint32(slot)<<16|uint32(pt))
				}
				before = piece
			}
		default:
			if slot := b.arrival(v, b.only(int(pt), lane)); slot < end {
				m.arrivals = append(m.arrivals, uint32(slot)<<16|uint32(pt))
			}
		}
	}
}

// arriveByMoves is arrive where the moves are listed.
func (m *Matcher) arriveByMoves(b *Block, q *pattern.Placement, lane int) {
	var in [(board.MaxSide*board.MaxSide + 63) / 64]uint64
	for _, pt := range q.Region {
		in[pt/64] |= 1 << (pt % 64)
	}
	t := turns{skips: m.lineSkips(b, lane), end: b.End(lane)}
	list := b.lineMoves(lane)
	slot := uint16(0)
	for i := range len(list) / 2 {
		if slot = t.after(slot); slot >= t.end {
			break
		}
		if to := u16(list, i) & 0xFF; u16(list, i) != NoMove && in[to/64]>>(to%64)&1 != 0 {
			m.arrivals = append(m.arrivals, uint32(slot)<<16|uint32(to))
		}
	}
}
