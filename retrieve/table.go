package retrieve

import (
	"cmp"
	"slices"

	"qipu/board"
	"qipu/game"
)

// moveKey is a move in the frame of a pattern: where it led, where it came from
// (fx -1 for a drop, and for what comes from outside the region), and who made
// it.
type moveKey struct {
	x, y, fx, fy int8
	side         game.Side
	pass         bool
}

// table counts continuations.
type table struct {
	fold             *fold
	entries          []entry
	at               map[moveKey]int
	elsewhere, ended int
}

type entry struct {
	Score
	key    moveKey
	direct int
}

// entry returns the entry of a move. Moves that a symmetry of the pattern takes
// to each other share one; turned tells that the one which took this move there
// exchanges the sides, and so the results.
func (t *table) entry(key moveKey) (e *entry, turned bool) {
	if t.fold != nil {
		key, turned = t.fold.canonical(key)
	}
	return t.exact(key), turned
}

// exact returns the entry of a move that stands for all that are the same.
func (t *table) exact(key moveKey) *entry {
	i, known := t.at[key]
	if !known {
		if t.at == nil {
			t.at = map[moveKey]int{}
		}
		i = len(t.entries)
		t.at[key] = i
		t.entries = append(t.entries, entry{key: key})
	}
	return &t.entries[i]
}

func (t *table) merge(o *table) {
	t.elsewhere += o.elsewhere
	t.ended += o.ended
	for i := range o.entries {
		x := &o.entries[i]
		e := t.exact(x.key)
		e.merge(&x.Score)
		e.direct += x.direct
	}
}

// list returns the continuations, the most frequent first.
func (t *table) list() (list []Continuation, elsewhere, ended int) {
	if len(t.entries) > 0 {
		list = make([]Continuation, 0, len(t.entries))
	}
	for i := range t.entries {
		e := &t.entries[i]
		c := Continuation{Score: e.Score, Side: e.key.side, Direct: e.direct}
		to := board.At(int(e.key.x), int(e.key.y))
		switch {
		case e.key.pass:
			c.Move = game.Pass
		case e.key.fx >= 0:
			c.Move = game.Step(board.At(int(e.key.fx), int(e.key.fy)), to)
		default:
			c.Move = game.Drop(to)
		}
		list = append(list, c)
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
// first side if there is, and the one nearest to the top right corner, where
// the first move of a game belongs. Turned tells that the sides were exchanged.
func (f *fold) canonical(key moveKey) (best moveKey, turned bool) {
	best = key
	for _, sym := range f.group {
		m := f.apply(key, sym)
		if cmp.Or(cmp.Compare(m.side, best.side), cmp.Compare(m.y, best.y), cmp.Compare(best.x, m.x), cmp.Compare(m.fy, best.fy), cmp.Compare(best.fx, m.fx)) < 0 {
			best, turned = m, sym.Swap
		}
	}
	return best, turned
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
