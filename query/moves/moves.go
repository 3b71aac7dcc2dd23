// Package moves finds moves along lines of play by what they do: which piece goes from
// where to where, what it takes, what it becomes, and whether it gives check. A
// condition on moves is an [interval.Marker] with one column, which is true of the
// position that such a move leads to, and belongs to the side that moves.
//
// All is told by a line alone: the points that changed, and where pieces move the two
// points that a move names. Whether a king is attacked is told by how men move
// ([game.Manned]), so that no move has to be played again.
package moves

import (
	"hash/fnv"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
)

// Condition is what is asked of a move. The zero value asks for any move but a pass.
type Condition struct {
	Who      pattern.Set // the piece that moves, as it stood before; 0 for any
	From, To [2][]bool   // points by the side that moves; nil for any
	Becomes  pattern.Set // one of these, and not what it was; 0 where that is not asked
	Takes    pattern.Set // at least one of these is taken off or turned over; 0 where that is not asked
	Taken    int         // so many pieces are, at least

	Check, Castles, Drops bool

	// Passes asks for a pass, and leaves all else aside.
	Passes bool
}

// Marker finds moves. It is safe for concurrent use.
type Marker struct {
	cond   Condition
	key    uint64
	owners []uint8 // of the pieces, from 1
	points int
	peril  *peril // nil where nobody asks for check
	walks  sync.Pool
}

var _ interval.Marker = (*Marker)(nil)

// New returns a marker for moves of a game. The text is that of the condition; it
// tells conditions apart. Check is asked of games alone that are [game.Manned].
func New(rules game.Rules, c Condition, text string) *Marker {
	g := rules.Geometry()
	h := fnv.New64a()
	h.Write([]byte("move " + rules.Info().Name + " " + text))
	m := &Marker{cond: c, key: h.Sum64(), owners: make([]uint8, len(g.Pieces)+1), points: g.Size.Area()}
	for i, look := range g.Pieces {
		m.owners[i+1] = uint8(look.Owner)
	}
	if c.Check {
		m.peril = perilOf(rules)
	}
	m.walks.New = func() any { return &walk{on: make([]board.Piece, m.points)} }
	return m
}

// Keys returns the key of the only column.
func (m *Marker) Keys() []uint64 { return []uint64{m.key} }

// walk is one way through a line.
type walk struct {
	on    []board.Piece
	kings [2]int
}

// AppendMarks appends the positions that moves of the kind lead to.
func (m *Marker) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	if want != nil && !want(0) {
		return dst
	}
	w := m.walks.Get().(*walk)
	defer m.walks.Put(w)
	clear(w.on)
	w.kings = [2]int{-1, -1}
	var found [2][]interval.Mark
	changes, skips, ply := l.Changes, l.Skips, 0
	take := func(slot uint16) []interval.Change {
		n := 0
		for n < len(changes) && changes[n].Slot == slot {
			n++
		}
		now := changes[:n]
		changes = changes[n:]
		return now
	}
	m.apply(w, take(0))
	last := [2]int{-1, -1} // the slot behind the mark that a side had last
	for slot := uint16(1); slot < l.End; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		now := take(slot)
		code := uint16(interval.NoMove)
		if ply < len(l.Moves) {
			code = l.Moves[ply]
		}
		ply++
		side := interval.Mover(slot)
		met := m.met(w, now, code, l.Moves != nil, side)
		m.apply(w, now)
		if !met || m.cond.Check && !m.peril.attacked(w, side.Opponent()) {
			continue
		}
		to := slot + 1
		for _, s := range skips {
			if s != to {
				break
			}
			to++
		}
		if last[side] == int(slot) { // a side that moves twice on end
			found[side][len(found[side])-1].To = to
		} else {
			found[side] = append(found[side], interval.Mark{Side: side, From: slot, To: to})
		}
		last[side] = int(to)
	}
	return append(append(dst, found[0]...), found[1]...)
}

// apply brings the board up to date.
func (m *Marker) apply(w *walk, now []interval.Change) {
	for _, c := range now {
		w.on[c.Point] = c.Piece
		if m.peril != nil && c.Piece != board.Empty && m.peril.king[m.owners[c.Piece]&1] == c.Piece {
			w.kings[m.owners[c.Piece]&1] = int(c.Point)
		}
	}
}

// met reports whether a ply is a move of the kind, whatever it attacks. The board is
// that before it.
func (m *Marker) met(w *walk, now []interval.Change, code uint16, moving bool, side game.Side) bool {
	c := &m.cond
	if c.Passes {
		return len(now) == 0 && (!moving || code == interval.NoMove)
	}
	from, to, arrivals := -1, -1, 0
	who, became := board.Empty, board.Empty
	castles := false
	if moving {
		if code == interval.NoMove {
			return false // a pass, or a set-up
		}
		from, to = int(code>>8), int(code&0xFF)
		if from == to {
			from = -1
		} else {
			who = w.on[from]
		}
		for _, x := range now {
			if x.Piece == board.Empty || game.Side(m.owners[x.Piece]) != side {
				continue
			}
			if int(x.Point) != int(code&0xFF) {
				castles = true // another piece goes along
				if x.Piece == who {
					to = int(x.Point)
				}
				continue
			}
			if became = x.Piece; who == board.Empty {
				who = became
			}
		}
		if castles {
			became = who
		}
	} else {
		for _, x := range now {
			if x.Piece != board.Empty && w.on[x.Point] == board.Empty {
				arrivals++
				who, to = x.Piece, int(x.Point)
			}
		}
		if arrivals != 1 || game.Side(m.owners[who]) != side {
			return false // a pass, or a set-up
		}
		became = who
	}
	switch {
	case c.Who != 0 && !c.Who.Has(who),
		c.From[side] != nil && (from < 0 || !c.From[side][from]),
		c.To[side] != nil && !c.To[side][to],
		c.Becomes != 0 && (became == who || !c.Becomes.Has(became)),
		c.Castles && !castles,
		c.Drops && from >= 0:
		return false
	}
	if c.Takes == 0 && c.Taken == 0 {
		return true
	}
	taken, some := 0, c.Takes == 0
	for _, x := range now {
		was := w.on[x.Point]
		if was == board.Empty || was == x.Piece || game.Side(m.owners[was]) == side {
			continue
		}
		taken++
		some = some || c.Takes.Has(was)
	}
	return some && taken >= c.Taken
}
