package book

import (
	"cmp"
	"slices"

	"qipu/game"
)

// LookOptions say what to look for.
type LookOptions struct {
	Threshold int  // games that a position needs for its value to count; default 20
	NoBelow   bool // do not count the positions below, which can take some milliseconds

	// Prior is how many games at the position itself count beside those behind each
	// move when R of the move is told: what few games say is drawn towards what all
	// of them do. 0 for none.
	Prior int
}

// UsualPrior is the prior that people are told R with. On the shared games of
// Othello, halved by position, it was chosen on one half and takes the mean error of
// R of moves, against searches of 16 plies, from 5.2 to 4.3 discs on the other.
const UsualPrior = 100

// Entry is what a book knows of a position. All of it is as the side to move sees
// it, which is the one behind a pass where Passed is set.
type Entry struct {
	Key      Key
	Symmetry game.Symmetry // takes the position to the picture of the key
	Passed   bool          // the side to move must pass: the entry is that of the position behind
	Side     game.Side     // to move there

	Counts           // games that reached it
	R        float64 // what results make of it: see the package
	HasR     bool
	Exact    int // score with best play, as records tell it
	HasExact bool
	Below    int      // positions of the book that can be reached from it
	Moves    []Choice // the most played first
}

// Choice is a move from a position. All of it is as the side sees it that makes
// the move.
type Choice struct {
	Move     game.Move // on the board that was asked about; of moves that are the same by symmetry the right-most
	Counts             // games in which it was made here
	Reached  Counts    // games that reached the position behind it, by whatever order of moves
	R        float64   // of that position
	HasR     bool      // false where fewer games than the threshold have reached it: it counts nowhere then
	Exact    int
	HasExact bool
	Again    bool // the other side must pass behind it
}

// Look returns what the book knows of a position of its game; an entry without
// counts comes with false where it knows nothing. The position is played on and
// restored.
func (b *Book) Look(p game.Position, o LookOptions) (e Entry, ok bool) {
	if o.Threshold <= 0 {
		o.Threshold = DefaultThreshold
	}
	k := b.keyers.Get().(*Keyer)
	defer b.keyers.Put(k)
	e.Passed = k.Fold(p)
	s := k.see(p)
	if e.Passed {
		p.Undo()
	}
	e.Key, e.Symmetry, e.Side = s.key, k.sym(s.pictures), s.turn
	b.read(func() { ok = b.look(&e, k, s.pictures, o) })
	return e, ok
}

func (b *Book) look(e *Entry, k *Keyer, pictures uint32, o LookOptions) bool {
	id, ok := b.find(e.Key.print())
	if !ok {
		return false
	}
	var n node
	b.load(id, &n)
	if n.N <= 0 {
		return false
	}
	e.Counts = n.Counts
	e.R, e.HasR = b.value(id, o.Threshold)
	e.Exact, e.HasExact = b.exact(id)
	if !o.NoBelow {
		e.Below = b.under(id)
	}
	slices.SortFunc(n.edges, func(x, y edge) int {
		return cmp.Or(cmp.Compare(y.N, x.N), cmp.Compare(x.code, y.code))
	})
	e.Moves = make([]Choice, len(n.edges))
	for i := range n.edges {
		way := &n.edges[i]
		c := &e.Moves[i]
		*c = Choice{Move: k.unedge(way.code, pictures), Counts: way.Counts, Reached: b.counts(way.child), Again: way.same}
		if c.Reached.N >= o.Threshold {
			c.R, c.HasR = b.value(way.child, o.Threshold)
		}
		c.Exact, c.HasExact = b.exact(way.child)
		if !way.same {
			c.Reached, c.R, c.Exact = c.Reached.Flip(), 0-c.R, -c.Exact
		}
		if !c.HasR {
			c.R = 0
		}
	}
	e.draw(o.Prior)
	if !e.HasR {
		e.R = 0
	}
	return true
}

// draw draws R of moves towards the mean of the games at the position, and has R of
// the position follow.
func (e *Entry) draw(prior int) {
	mean, ok := e.Mean()
	if prior <= 0 || !ok {
		return
	}
	backed := false
	for i := range e.Moves {
		c := &e.Moves[i]
		if !c.HasR {
			continue
		}
		n := float64(c.Reached.N)
		c.R = (n*c.R + float64(prior)*mean) / (n + float64(prior))
		if !backed || c.R > e.R {
			e.R, backed = c.R, true
		}
	}
}

// Node returns the counts of a position, as the side to move sees them. It is the
// cheapest look-up there is.
func (b *Book) Node(k Key) (c Counts, ok bool) {
	print := k.print()
	b.read(func() {
		if id, found := b.find(print); found {
			c = b.counts(id)
		}
	})
	return c, c.N > 0
}

// Value returns R of a position for the side to move; see Entry.R.
func (b *Book) Value(k Key, threshold int) (r float64, ok bool) {
	b.read(func() {
		if id, found := b.find(k.print()); found && b.reached(id) > 0 {
			r, ok = b.value(id, threshold)
		}
	})
	return r, ok
}

// Exact returns the score of a position with best play for the side to move, as
// records tell it: that which most games say, of several the smallest.
func (b *Book) Exact(k Key) (score int, ok bool) {
	b.read(func() {
		if id, found := b.find(k.print()); found {
			score, ok = b.exact(id)
		}
	})
	return score, ok
}

// Fresh returns how many positions of a game are neither in the book nor in others of
// the same kind of game.
func (b *Book) Fresh(g *Game, others ...*Book) (n int) {
	t := newTracer(b.rules)
	visits := t.trace(g)
	for _, b := range append(others, b) {
		b.read(func() {
			for i := range visits {
				if id, ok := b.find(visits[i].key.print()); ok && b.reached(id) > 0 {
					visits[i].again = true // as if this game had been there before
				}
			}
		})
	}
	for i := range visits {
		if !visits[i].again {
			n++
		}
	}
	return n
}

// Spot is a position that Walk has come to.
type Spot struct {
	Key      Key
	Position game.Position // valid until the next one, and only to be looked at
	Side     game.Side     // to move
	Counts                 // as that side sees them
}

// Walk yields every position of the book once, in the order in which its games
// come to them. Where a side must pass, the position is the one behind the pass.
// It plays all games again. Nothing can be added meanwhile.
func (b *Book) Walk(yield func(*Spot) bool) error {
	t := newTracer(b.rules)
	var failed error
	b.read(func() {
		met := make([]uint64, (b.base.Nodes+len(b.delta.fresh)+63)/64)
		more := true
		t.visited = func(v *visit, p game.Position) bool {
			id, ok := b.find(v.key.print())
			if ok && met[id/64]>>(id%64)&1 == 0 {
				met[id/64] |= 1 << (id % 64)
				more = yield(&Spot{Key: v.key, Position: p, Side: v.turn, Counts: b.counts(id)})
			}
			return more
		}
		for g, err := range all(NewKeyer(b.rules), b.base, b.delta.gone, b.delta.sorted()) {
			if failed = err; err != nil {
				return
			}
			if t.trace(g); !more {
				return
			}
		}
	})
	if failed == nil {
		failed = b.Err()
	}
	return failed
}
