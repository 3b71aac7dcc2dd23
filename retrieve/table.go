package retrieve

import (
	"cmp"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/index"
)

// moveKey is a move in the frame of a pattern: where it led, where it came from
// (fx -1 for a drop, and for what comes from outside the region), the piece that
// it names, and who made it.
type moveKey struct {
	x, y, fx, fy int8
	piece        board.Piece
	side         game.Side
	pass         bool
}

// move returns the move without who made it.
func (k moveKey) move() game.Move {
	to := board.At(int(k.x), int(k.y))
	switch {
	case k.pass:
		return game.Pass
	case k.fx >= 0:
		return game.Step(board.At(int(k.fx), int(k.fy)), to).Naming(k.piece)
	}
	return game.Drop(to).Naming(k.piece)
}

// nextMoves counts continuations.
type nextMoves struct {
	fold             *fold
	entries          []entry
	at               map[moveKey]int
	recent           []recentMove // by a few bits of the move: a look here is cheaper than into the map
	elsewhere, ended int
	lines            bool // a game may have several lines
}

type entry struct {
	Score
	key    moveKey
	number int32 // in the table
	games  int
	direct int

	// picks are those of each game, where it may have several lines: they are
	// not known to be the first before the end.
	picks map[uint32]pick
}

// occur counts an occurrence.
func (e *entry) occur(day, last int32) {
	e.Count++
	if day != 0 {
		e.date(day, last-day, last, last-day)
	}
}

// pick is the time that a continuation was played in a game for which the
// result of the game counts: the first.
type pick struct {
	entry  int32
	ply    uint16
	side   game.Side // who played it, in the game
	result index.Result
	rating uint16 // of that side
}

// before reports whether a pick is the one of both that counts.
func (p *pick) before(q *pick) bool {
	return cmp.Or(cmp.Compare(p.ply, q.ply), cmp.Compare(p.side, q.side)) < 0
}

// pick counts a game. The sides are exchanged in it where the move, which the
// entry has of one side, was the other's.
func (t *nextMoves) pick(p *pick) {
	e := &t.entries[p.entry]
	e.games++
	e.result(p.result, p.side != e.key.side)
	e.rate(p.rating)
}

// pickLine keeps the pick of one line of a game.
func (t *nextMoves) pickLine(p pick, game uint32) {
	e := &t.entries[p.entry]
	if e.picks == nil {
		e.picks = map[uint32]pick{}
	}
	if old, known := e.picks[game]; !known || p.before(&old) {
		e.picks[game] = p
	}
}

// entry returns the entry of a move. Moves that a symmetry of the pattern takes
// to each other share one.
func (t *nextMoves) entry(key moveKey) *entry {
	if t.recent == nil {
		t.recent = make([]recentMove, 256)
	}
	r := &t.recent[(int(key.x)+37*int(key.y)+11*int(key.fx)+101*int(key.fy)+7*int(key.side))&0xFF]
	if r.number != 0 && r.key == key {
		return &t.entries[r.number-1]
	}
	canonical := key
	if t.fold != nil {
		canonical = t.fold.canonical(key)
	}
	e := t.exact(canonical)
	*r = recentMove{key, e.number + 1}
	return e
}

// recentMove is a move that was asked for, and the number of its entry from 1.
type recentMove struct {
	key    moveKey
	number int32
}

// exact returns the entry of a move that stands for all that are the same.
func (t *nextMoves) exact(key moveKey) *entry {
	i, known := t.at[key]
	if !known {
		if t.at == nil {
			t.at = map[moveKey]int{}
		}
		i = len(t.entries)
		t.at[key] = i
		t.entries = append(t.entries, entry{key: key, number: int32(i)})
	}
	return &t.entries[i]
}

func (t *nextMoves) merge(o *nextMoves) {
	t.elsewhere += o.elsewhere
	t.ended += o.ended
	for i := range o.entries {
		x := &o.entries[i]
		e := t.exact(x.key)
		e.merge(&x.Score)
		e.direct += x.direct
		e.games += x.games
		for id, p := range x.picks {
			p.entry = e.number
			t.pickLine(p, id)
		}
	}
}

// list returns the continuations, the most frequent first.
func (t *nextMoves) list() (list []Continuation, elsewhere, ended int) {
	if len(t.entries) > 0 {
		list = make([]Continuation, 0, len(t.entries))
	}
	for i := range t.entries {
		e := &t.entries[i]
		for _, p := range e.picks {
			t.pick(&p)
		}
		list = append(list, Continuation{Score: e.Score, Games: e.games, Move: e.key.move(), Side: e.key.side, Direct: e.direct})
	}
	slices.SortFunc(list, func(x, y Continuation) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Move, y.Move), cmp.Compare(x.Side, y.Side))
	})
	return list, t.elsewhere, t.ended
}

// fold knows the symmetries that a pattern has itself: moves that they take to
// each other are the same continuation.
type fold struct {
	size  board.Size
	group []game.Symmetry // without the identity
}

// newFold returns the fold of a pattern with these symmetries of its own, the
// identity first.
func newFold(size board.Size, own []game.Symmetry) *fold { return &fold{size, own[1:]} }

// canonical returns the move that stands for all that are the same: one of the
// first side if there is, and of those the one furthest to the right, then to the
// top: Q16 in Go, f5 in Othello, as books write them.
func (f *fold) canonical(key moveKey) moveKey {
	best := key
	for _, sym := range f.group {
		m := f.apply(key, sym)
		if m.before(best) {
			best = m
		}
	}
	return best
}

// before reports whether a move goes before another that is the same.
func (m moveKey) before(o moveKey) bool {
	return cmp.Or(cmp.Compare(m.side, o.side), cmp.Compare(o.x, m.x), cmp.Compare(m.y, o.y), cmp.Compare(o.fx, m.fx), cmp.Compare(m.fy, o.fy), cmp.Compare(m.piece, o.piece)) < 0
}

func (f *fold) apply(key moveKey, sym game.Symmetry) moveKey {
	m := key
	m.side = asDrawn(key.side, sym.Swap)
	if key.pass {
		return m
	}
	p := sym.Board.Apply(f.size, board.At(int(key.x), int(key.y)))
	m.x, m.y = int8(p.X()), int8(p.Y())
	if key.fx >= 0 {
		p = sym.Board.Apply(f.size, board.At(int(key.fx), int(key.fy)))
		m.fx, m.fy = int8(p.X()), int8(p.Y())
	}
	return m
}
