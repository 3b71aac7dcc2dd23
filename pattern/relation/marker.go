package relation

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

// Marker tells when patterns hold in lines of play: it is the [interval.Marker] of
// a set, with a column for each pattern.
//
// It plays the moves of a line by the rules to have their facts. Where a record
// sets up a board or plays what is not legal, the position is arranged anew, and
// there are no facts as long as the board is one that the rules refuse.
type Marker struct {
	set   *Set
	keys  []uint64
	usual [syntax.MaxPoints]board.Piece // the usual start
	walks sync.Pool                     // of *walk
}

var _ interval.Marker = (*Marker)(nil)

// NewMarker returns a marker for the patterns of a set.
func NewMarker(s *Set) *Marker {
	m := &Marker{set: s, keys: make([]uint64, len(s.patterns))}
	for i, p := range s.patterns {
		m.keys[i] = p.Print()
	}
	b := s.rules.Start().(game.Planar).Planes()
	size := s.ground.size
	for i := range s.ground.points {
		m.usual[i] = b.At(size.Point(i))
	}
	m.walks.New = func() any {
		w := &walk{marker: m, tracker: s.NewTracker(), planes: board.NewPlanes(size, 2*s.ground.kinds)}
		for side := range w.held {
			w.held[side] = make([]uint64, s.words)
			w.since[side] = make([]uint16, len(s.patterns))
		}
		return w
	}
	return m
}

// Keys returns the prints of the patterns.
func (m *Marker) Keys() []uint64 { return m.keys }

// AppendMarks appends when patterns hold in a line.
func (m *Marker) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	w := m.walks.Get().(*walk)
	defer m.walks.Put(w)
	w.tracker.Want(want)
	w.marks = w.marks[:0]
	w.run(l)
	slices.SortFunc(w.marks, func(a, b interval.Mark) int {
		return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Side, b.Side), cmp.Compare(a.From, b.From))
	})
	return append(dst, w.marks...)
}

// walk is one way through a line.
type walk struct {
	marker  *Marker
	tracker *Tracker
	start   *Tracker // at the usual start; nil before that was looked at
	on      [syntax.MaxPoints]board.Piece
	planes  *board.Planes // to arrange positions from
	pos     game.Position // nil where the rules refuse the board
	facts   Facts

	held  [2][]uint64 // what held before
	since [2][]uint16
	marks []interval.Mark
}

// run walks a line from its first position to its last.
func (w *walk) run(l *interval.Line) {
	for side := range w.held {
		clear(w.held[side])
	}
	w.on = [syntax.MaxPoints]board.Piece{}
	changes, skips := l.Changes, l.Skips
	take := func(slot uint16) (now []interval.Change) {
		n := 0
		for n < len(changes) && changes[n].Slot <= slot {
			n++
		}
		now, changes = changes[:n], changes[n:]
		return now
	}
	// next returns the slot behind one that has a position, or the end.
	next := func(slot uint16) uint16 {
		for slot++; slot < l.End; slot++ {
			for len(skips) > 0 && skips[0] < slot {
				skips = skips[1:]
			}
			if len(skips) == 0 || skips[0] != slot {
				break
			}
		}
		return min(slot, l.End)
	}
	w.apply(take(0))
	slot, after := uint16(0), next(0)
	turn := interval.Mover(after)
	w.begin(turn)
	w.note(slot)
	for i := 0; after < l.End; i++ {
		slot, after = after, next(after)
		turn = interval.Mover(after)
		now := take(slot)
		if code := uint16(interval.NoMove); i < len(l.Moves) && l.Moves[i] != code {
			if m, ok := w.played(l.Moves[i], now); ok {
				w.apply(now)
				w.play(m, turn)
				w.note(slot)
				continue
			}
		}
		if i < len(l.Moves) && w.special(l.Moves[i], now, turn) {
			w.note(slot)
			continue
		}
		w.apply(now)
		if len(now) == 0 {
			// A pass, or a set-up of nothing, leaves the past as it was.
			w.reset(slices.Clone(w.tracker.moves), turn, w.tracker.st.usual)
		} else {
			w.reset(nil, turn, false)
		}
		w.note(slot)
	}
	for side := range w.held {
		for k, held := range w.held[side] {
			for ; held != 0; held &= held - 1 {
				w.end(game.Side(side), k*64+bits.TrailingZeros64(held), l.End)
			}
		}
	}
}

func (w *walk) apply(changes []interval.Change) {
	for _, c := range changes {
		if int(c.Point) < w.marker.set.ground.points && int(c.Piece) <= 2*w.marker.set.ground.kinds {
			w.on[c.Point] = c.Piece
		}
	}
}

// played returns the move of a code, if the changes are those of a move.
func (w *walk) played(code uint16, changes []interval.Change) (m pattern.Played, ok bool) {
	from, to := code>>8, code&0xFF
	size := w.marker.set.ground.size
	if int(max(from, to)) >= w.marker.set.ground.points || w.on[from] == board.Empty || len(changes) != 2 {
		return m, false
	}
	for _, c := range changes {
		if c.Point != from && c.Point != to || c.Point == from && c.Piece != board.Empty || c.Point == to && c.Piece != w.on[from] {
			return m, false
		}
	}
	return pattern.Played{From: size.Point(int(from)), To: size.Point(int(to)), Piece: w.on[from], Taken: w.on[to]}, from != to
}

// special plays a move that changes more than its two points, or what moves: castling,
// taking in passing, a pawn that becomes another piece.
func (w *walk) special(code uint16, changes []interval.Change, turn game.Side) bool {
	from, to := code>>8, code&0xFF
	g := w.marker.set.ground
	if w.pos == nil || int(max(from, to)) >= g.points || w.on[from] == board.Empty || len(changes) == 0 {
		return false
	}
	m := pattern.Played{From: g.size.Point(int(from)), To: g.size.Point(int(to)), Piece: w.on[from], Taken: w.on[to]}
	step := game.Step(m.From, m.To)
	for _, c := range changes {
		if uint16(c.Point) == to && c.Piece != w.on[from] && c.Piece != board.Empty {
			named := c.Piece
			if g.sideOf(named) == game.Second { // moves name the pieces of the first side
				named -= board.Piece(g.kinds)
			}
			step = step.Naming(named)
		}
	}
	if w.pos.Play(step) != nil {
		return false
	}
	if w.pos.Turn() != turn {
		w.pos.Undo()
		return false
	}
	w.apply(changes)
	if w.tracker.playChanging(m, changes, turn, w.facts) {
		return true
	}
	moves := append(slices.Clone(w.tracker.moves), m)
	w.fill()
	w.tracker.Reset(&pattern.View{Planes: w.planes, Turn: turn, Moves: moves, Usual: w.tracker.st.usual, Facts: w.facts})
	return true
}

// play goes on by a move.
func (w *walk) play(m pattern.Played, turn game.Side) {
	if w.pos == nil || w.pos.Play(game.Step(m.From, m.To)) != nil || w.pos.Turn() != turn {
		w.arrange(turn)
	}
	w.tracker.Play(m, turn, w.facts)
}

// begin begins a line. Most begin at the usual start, where a position has what no board
// tells, such as rights to castle; it is looked at once.
func (w *walk) begin(turn game.Side) {
	if w.on != w.marker.usual || turn != game.First {
		w.reset(nil, turn, false)
		return
	}
	w.pos = w.marker.set.rules.Start()
	w.facts, _ = w.pos.(Facts)
	if w.start != nil && slices.Equal(w.start.wanted, w.tracker.wanted) {
		w.tracker.become(w.start)
		w.tracker.st.facts = w.facts
		return
	}
	w.fill()
	v := pattern.View{Planes: w.planes, Turn: turn, Usual: true}
	if w.facts != nil {
		v.Facts = w.facts
	}
	w.tracker.Reset(&v)
	w.start = w.marker.set.NewTracker()
	copy(w.start.wanted, w.tracker.wanted)
	w.start.become(w.tracker)
}

// reset begins anew with the board as it is.
func (w *walk) reset(moves []pattern.Played, turn game.Side, usual bool) {
	w.arrange(turn)
	v := pattern.View{Planes: w.planes, Turn: turn, Moves: moves, Usual: usual}
	if w.facts != nil {
		v.Facts = w.facts
	}
	w.tracker.Reset(&v)
}

// arrange makes a position of the board as it is.
func (w *walk) arrange(turn game.Side) {
	w.fill()
	w.facts = nil
	pos, err := w.marker.set.rules.Arrange(game.Setup{Board: w.planes, Turn: turn, Ko: board.NoPoint, Number: 1})
	if err != nil {
		w.pos = nil
		return
	}
	w.pos = pos
	w.facts, _ = pos.(Facts)
}

// fill makes the planes of the board as it is.
func (w *walk) fill() {
	for i := range w.planes.Of {
		w.planes.Of[i] = board.Plane{}
	}
	for i, piece := range w.on {
		if piece != board.Empty {
			w.planes.Of[piece-1].Add(w.marker.set.ground.size.Point(i))
		}
	}
}

// note begins and ends intervals at a slot.
func (w *walk) note(slot uint16) {
	for side := range w.held {
		for k, held := range w.held[side] {
			now := w.tracker.word(game.Side(side), k)
			for diff := now ^ held; diff != 0; diff &= diff - 1 {
				i := k*64 + bits.TrailingZeros64(diff)
				if now>>(i%64)&1 != 0 {
					w.since[side][i] = slot
				} else {
					w.end(game.Side(side), i, slot)
				}
			}
			w.held[side][k] = now
		}
	}
}

// end notes an interval that lasted up to a slot.
func (w *walk) end(side game.Side, column int, to uint16) {
	if from := w.since[side][column]; from < to {
		w.marks = append(w.marks, interval.Mark{Column: uint16(column), Side: side, From: from, To: to})
	}
}
