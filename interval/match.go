package interval

import (
	"encoding/binary"
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// Hit is one occurrence of a pattern: a placement, in a lane, from the first
// position in which it holds.
type Hit struct {
	Lane      uint16
	Slot      uint16
	Placement int32
}

// Work counts what a matcher did.
type Work struct {
	Blocks    int64 // blocks looked at
	Tried     int64 // placements tried on blocks
	Filtered  int64 // lines that whole registers were filtered of
	Verified  int64 // lines whose intervals were intersected
	Leapfrogs int64 // of those, lines with points that change more than once
}

// Add adds other work.
func (w *Work) Add(o Work) {
	w.Blocks += o.Blocks
	w.Tried += o.Tried
	w.Filtered += o.Filtered
	w.Verified += o.Verified
	w.Leapfrogs += o.Leapfrogs
}

// Matcher runs programs over blocks. It holds buffers and is not safe for
// concurrent use; the zero value is ready.
type Matcher struct {
	Work Work

	block   *Block
	program *Program
	hits    []Hit
	placed  []Placed
	slow    []trail // of the lane at hand, points that change more than once
	offs    []int32 // of the group at hand, the rows that filter looks at
	skips   []uint16

	counts   []int16     // of AppendCount; all 0 between calls
	arrivals []uint32    // of AppendFollowed
	rowsLeft []int32     // of AppendFollowed
	runs     [3]Timeline // of AppendThenHere

	// Where moments are marked: see mark. All ends are 0 between calls.
	starts [Lanes + 1]int
	ends   []uint16
	marked Mask
}

// sought is what a sweep looks for in a lane that the filters let through.
type sought uint8

const (
	firstOfAll    sought = iota // the first position of a whole line
	firstWithin                 // the first position under conditions
	everyInterval               // all positions
	everyMoment                 // all positions, of whichever placement
)

// AppendHits appends every occurrence of a pattern in the lanes of a block that
// the mask names: one for each placement and lane, at the first position.
// Hits come placement by placement. A block of another kind of board than the
// program is made for has none.
func (m *Matcher) AppendHits(dst []Hit, b *Block, p *Program, lanes *Mask) []Hit {
	m.hits = dst
	what := firstWithin
	if p.from <= 0 && p.to < 0 && b.froms == nil {
		what = firstOfAll
	}
	m.sweep(b, p, lanes, what)
	dst, m.hits = m.hits, nil
	return dst
}

// sweep tries every placement on all lanes of the mask, whole words of them at
// first, and looks into those that are left one by one.
func (m *Matcher) sweep(b *Block, p *Program, lanes *Mask, what sought) {
	if p.points != b.Points || p.kinds != b.Kinds {
		return
	}
	m.block, m.program = b, p
	m.Work.Blocks++
	words := b.stride / 64
	all := b.All()
	for w := range all {
		all[w] &= lanes[w]
	}
	for gi := range p.groups {
		g := &p.groups[gi]
		m.Work.Tried += int64(len(g.shifts))
		na, nb, ne := m.rows(g)
		look := what
		if look == firstOfAll && g.turn != pattern.AnyTurn {
			look = firstWithin
		}
		for i, shift := range g.shifts {
			var mask Mask
			var or uint64
			for w := range words {
				mask[w] = all[w]
			}
			for si := range g.need {
				s := &g.need[si]
				or = 0
				if s.piece != 0 {
					at := ((int(s.point+shift)*b.Kinds + int(s.piece) - 1) * words) * 8
					ever := b.ever[at : at+words*8]
					for w := range words {
						mask[w] &= binary.LittleEndian.Uint64(ever[8*w:])
						or |= mask[w]
					}
				} else {
					for w := range words {
						mask[w] &= b.everAny(int(s.point+shift), s.set, w)
						or |= mask[w]
					}
				}
				if or == 0 {
					break
				}
			}
			if or == 0 && len(g.need) > 0 {
				continue
			}
			rows := int(shift) * b.stride
			for w := range words {
				set := mask[w]
				if canFilter && len(m.offs) > 0 && bits.OnesCount64(set) > len(m.offs)/fewLanes {
					m.Work.Filtered += 64
					set &= filter(b.first[rows+w*64:], m.offs, na, nb, ne)
				}
				for ; set != 0; set &= set - 1 {
					lane := w*64 + bits.TrailingZeros64(set)
					switch look {
					case firstOfAll:
						m.try(g, int(shift), lane, g.first+i)
					case firstWithin:
						m.tryWithin(g, int(shift), lane, g.first+i)
					default:
						m.intervals(look, g, int(shift), lane, g.first+i)
					}
				}
			}
		}
	}
	m.block, m.program = nil, nil
}

// fewLanes: a lane in so many points is looked at by itself, because filtering
// all 64 lanes of a word costs as much as that.
const fewLanes = 24

// rows notes where the rows of a group's points are, in the order that filter
// wants. Points that may hold some piece or be empty are left to the verifier.
func (m *Matcher) rows(g *group) (a, b, e int) {
	m.offs = m.offs[:0]
	stride := int32(m.block.stride)
	for side := range uint8(2) {
		for i := range g.need {
			s := &g.need[i]
			owner := uint8(0) // of several pieces: the earlier slot
			if s.piece != 0 {
				owner = m.block.owner[s.piece]
			}
			if owner == side {
				m.offs = append(m.offs, s.point*stride)
			}
		}
		if side == 0 {
			a = len(m.offs)
		}
	}
	b = len(m.offs) - a
	for i := range g.may {
		if g.may[i].set == pattern.Empty {
			m.offs = append(m.offs, g.may[i].point*stride)
			e++
		}
	}
	return a, b, e
}

// everAny returns 64 lanes of the set in which any piece of a set once stood on
// a point.
func (b *Block) everAny(pt int, set pattern.Set, w int) (or uint64) {
	for p := board.Piece(1); int(p) <= b.Kinds; p++ {
		if set.Has(p) {
			or |= b.everWord(pt, p, w)
		}
	}
	return or
}

// try looks for the first position of a whole line in which a placement holds.
func (m *Matcher) try(g *group, shift, lane, placement int) {
	lo, ok := m.simple(g, shift, lane, 0)
	if !ok {
		return
	}
	if len(m.slow) > 0 && !m.standing(lane, lo) {
		if lo, _, ok = m.leapfrog(lane, lo, m.until(g, shift, lane, m.block.End(lane))); !ok {
			return
		}
	}
	m.hits = append(m.hits, Hit{Lane: uint16(lane), Slot: lo, Placement: int32(placement)})
}

// tryWithin does the same under conditions: plies, the side to move, positions
// that are the line's own.
func (m *Matcher) tryWithin(g *group, shift, lane, placement int) {
	b := m.block
	skips := m.lineSkips(b, lane)
	from, end := pliesBetween(skips, int(b.End(lane)), m.program.from, m.program.to)
	if from = max(from, int(b.From(lane))); from >= end {
		return
	}
	lo, ok := m.simple(g, shift, lane, uint16(from))
	hi := m.until(g, shift, lane, uint16(end))
	for ok = ok && lo < hi; ok; {
		until := hi
		if len(m.slow) > 0 {
			if lo, until, ok = m.leapfrog(lane, lo, hi); !ok {
				return
			}
		}
		// The position of a slot lasts until the next one that is not skipped.
		for slot := lo; slot < until; {
			next := b.next(skips, slot, b.End(lane))
			if g.turn == pattern.AnyTurn || turnOf(Mover(next)) == g.turn {
				m.hits = append(m.hits, Hit{Lane: uint16(lane), Slot: slot, Placement: int32(placement)})
				return
			}
			slot = next
		}
		lo, ok = until, until > lo && until < hi
	}
}

// lineSkips returns the skips of a lane, in memory of the matcher where a block
// does not share them.
func (m *Matcher) lineSkips(b *Block, lane int) []uint16 {
	if b.skips != nil && b.skips[lane] > 1 {
		m.skips = b.appendSkips(m.skips[:0], lane)
		return m.skips
	}
	return b.Skips(lane)
}

func turnOf(s game.Side) pattern.Turn {
	if s == game.First {
		return pattern.FirstToMove
	}
	return pattern.SecondToMove
}

// trail is a point that changes more than once, with what may stand there and
// where its history lies among the changes of the block; that is looked up when
// it is first asked for, since most lines fall at an earlier point. It has no
// pointers, and is cheap to note.
type trail struct {
	set      pattern.Set
	point    int32
	from, to int32 // to is -1 until it is looked up
}

func (m *Matcher) note(s *step, shift int) {
	m.slow = append(m.slow, trail{set: s.set, point: s.point + int32(shift), to: -1})
}

// look finds the history of a trail.
func (m *Matcher) look(s *trail, lane int) {
	from, to := m.block.span(int(s.point), lane)
	s.from, s.to = int32(from), int32(to)
}

// simple looks at all points that change at most once, and notes the others in
// m.slow. It returns the first slot, from lo on, at which all that must be
// occupied are, and reports whether all that must be empty still are.
func (m *Matcher) simple(g *group, shift, lane int, lo uint16) (uint16, bool) {
	b := m.block
	m.Work.Verified++
	m.slow = m.slow[:0]
	at := shift*b.stride + lane
	for i := range g.need {
		s := &g.need[i]
		v := b.first[int(s.point)*b.stride+at]
		if v == complex {
			m.note(s, shift)
			continue
		}
		piece := s.piece
		if piece == 0 {
			piece = b.only(int(s.point)+shift, lane)
		}
		lo = max(lo, b.arrival(v, piece))
	}
	for i := range g.may {
		s := &g.may[i]
		v := b.first[int(s.point)*b.stride+at]
		// Somebody arrives on this slot or on the next: who it is matters only
		// where that decides.
		early := 2*int(v) - 3
		if int(lo) < early || v == never {
			continue
		}
		if v == complex {
			m.note(s, shift)
			continue
		}
		if s.set == pattern.Empty && int(lo) > early {
			return 0, false
		}
		if piece := b.only(int(s.point)+shift, lane); !s.set.Has(piece) && b.arrival(v, piece) <= lo {
			return 0, false
		}
	}
	return lo, true
}

// until returns the first slot, at most hi, at which a piece arrives that may
// not, at a point that changes once.
func (m *Matcher) until(g *group, shift, lane int, hi uint16) uint16 {
	b := m.block
	at := shift*b.stride + lane
	for i := range g.may {
		s := &g.may[i]
		v := b.first[int(s.point)*b.stride+at]
		if v == complex || v == never || 2*int(v)-3 >= int(hi) {
			continue
		}
		if piece := b.only(int(s.point)+shift, lane); !s.set.Has(piece) {
			hi = min(hi, b.arrival(v, piece))
		}
	}
	return hi
}

// standing reports whether all points of m.slow are in states that they may be
// in at a slot. Most often they are, and nothing needs to be known of later.
func (m *Matcher) standing(lane int, t uint16) bool {
	for i := range m.slow {
		s := &m.slow[i]
		m.look(s, lane)
		state := board.Empty
		for j := s.from; j < s.to && u16(m.block.slots, int(j)) <= t; j++ {
			state = board.Piece(m.block.pieces[j])
		}
		if !s.set.Has(state) {
			return false
		}
	}
	return true
}

// leapfrog looks for the first slot from lo on, before hi, in which all points
// of m.slow are in states that they may be in, and until when that lasts.
func (m *Matcher) leapfrog(lane int, lo, hi uint16) (from, until uint16, ok bool) {
	m.Work.Leapfrogs++
	t, agree := lo, 0
	until = hi
	for i := 0; agree < len(m.slow); i++ {
		if i == len(m.slow) {
			i = 0
		}
		s := &m.slow[i]
		if s.to < 0 {
			m.look(s, lane)
		}
		begin, end := m.block.accepted(int(s.from), int(s.to), s.set, t)
		if begin >= hi {
			return 0, 0, false
		}
		if begin > t {
			t, agree, until = begin, 0, hi
		}
		agree++
		until = min(until, end)
	}
	return t, until, true
}

// accepted returns the first slot from t on in which a point whose history are
// the changes from i to n is in a state of the set, and the slot at which it
// leaves the set; both are beyond all slots where there is none.
func (b *Block) accepted(i, n int, set pattern.Set, t uint16) (begin, end uint16) {
	state := board.Empty
	for ; i < n && u16(b.slots, i) <= t; i++ {
		state = board.Piece(b.pieces[i])
	}
	begin = t
	for !set.Has(state) {
		if i == n {
			return 1<<16 - 1, 1<<16 - 1
		}
		begin, state = u16(b.slots, i), board.Piece(b.pieces[i])
		i++
	}
	for i < n && set.Has(board.Piece(b.pieces[i])) {
		i++
	}
	if i == n {
		return begin, 1<<16 - 1
	}
	return begin, u16(b.slots, i)
}
