package table

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
)

// Filter decides an expression for the lines of one table, block by block and in
// their order. What is looked up in the table comes as bitmaps of lines; what
// the columns of a block tell is decided lane by lane when the block's turn
// comes. The zero value lets everything through.
//
// A filter is for one goroutine and one scan.
type Filter struct {
	lines  *roaring.Bitmap // nil for all
	games  *games
	chosen []*index.Selection
	any    [][]Filter // of each group, one must let a line through
}

// None reports whether a filter can let nothing through.
func (f *Filter) None() bool { return f.lines != nil && f.lines.IsEmpty() }

// all reports whether a filter lets everything through.
func (f *Filter) all() bool {
	return f.lines == nil && f.games == nil && len(f.chosen) == 0 && len(f.any) == 0
}

// plain reports whether a filter is a set of lines alone.
func (f *Filter) plain() bool {
	return f.lines != nil && f.games == nil && len(f.chosen) == 0 && len(f.any) == 0
}

// and makes a filter let through only what another one does too.
func (f *Filter) and(g Filter) {
	switch {
	case g.lines == nil:
	case f.lines == nil:
		f.lines = g.lines
	default:
		f.lines = roaring.And(f.lines, g.lines)
	}
	switch {
	case g.games == nil:
	case f.games == nil:
		f.games = g.games
	default:
		f.games = newGames(roaring.And(f.games.set, g.games.set))
	}
	f.chosen = append(f.chosen, g.chosen...)
	f.any = append(f.any, g.any...)
}

// Beside is what is known of a table beside its file.
type Beside struct {
	Games  *roaring.Bitmap                      // all that it has; nil where nobody knows
	Marked func(e index.Marked) *roaring.Bitmap // the lines that have a mark; nil for all
}

// Filter returns the filter of an expression.
func (t *Table) Filter(e index.Expr, known Beside) (f Filter, err error) {
	switch e := e.(type) {
	case index.Window:
		if t.windows != nil {
			f.lines, err = t.Window(uint16(e))
		}
	case index.InCorner:
		if t.corners[0] != nil {
			f.lines, err = t.corner(uint64(e))
		}
	case index.Reaches:
		var postings []index.Posting
		postings, err = t.Positions(nil, uint64(e))
		f.lines = roaring.New()
		for _, r := range postings {
			f.lines.Add(r.Line)
		}
	case index.Games:
		// The manifest knows the games of a table: most sets have none of most.
		if all := known.Games; all != nil && !all.Intersects(e.Bitmap) {
			f.lines = roaring.New()
			break
		}
		f.games = newGames(e.Bitmap)
	case index.Selected:
		f.chosen = []*index.Selection{e.Selection}
	case index.Marked:
		f.lines = known.Marked(e)
	case index.Every:
		for _, x := range e {
			g, err := t.Filter(x, known)
			if err != nil {
				return f, err
			}
			if f.and(g); f.None() {
				break
			}
		}
	case index.Any:
		return t.anyOf(e, known)
	}
	return f, err // an index may always let everything through
}

// anyOf returns the filter of a disjunction: the lines of its plain parts are
// joined.
func (t *Table) anyOf(list index.Any, known Beside) (f Filter, err error) {
	lines := roaring.New()
	var group []Filter
	for _, x := range list {
		g, err := t.Filter(x, known)
		switch {
		case err != nil:
			return f, err
		case g.all():
			return Filter{}, nil
		case g.None():
		case g.plain():
			lines.Or(g.lines)
		default:
			group = append(group, g)
		}
	}
	if len(group) == 0 {
		return Filter{lines: lines}, nil
	}
	if !lines.IsEmpty() {
		group = append(group, Filter{lines: lines})
	}
	return Filter{any: [][]Filter{group}}, nil
}

// Apply takes the lanes out of a set that the filter does not let through. The
// columns are those of a block whose first line is lo.
func (f *Filter) Apply(c *index.Columns, lo int, lanes *interval.Mask) {
	if f.lines != nil {
		keepLines(f.lines, lo, c.Len(), lanes)
	}
	for _, s := range f.chosen {
		if lanes.Empty() {
			return
		}
		s.Filter(c, lanes)
	}
	if f.games != nil {
		f.games.Filter(c, lanes)
	}
	for _, group := range f.any {
		if lanes.Empty() {
			return
		}
		var any interval.Mask
		rest := *lanes
		for i := range group {
			m := rest
			group[i].Apply(c, lo, &m)
			for w := range m {
				any[w] |= m[w]
				rest[w] &^= m[w]
			}
			if rest.Empty() {
				break
			}
		}
		*lanes = any
	}
}

// keepLines takes the lanes out of a set whose lines are not in a bitmap.
func keepLines(m *roaring.Bitmap, lo, n int, lanes *interval.Mask) {
	var keep interval.Mask
	it := m.Iterator()
	it.AdvanceIfNeeded(uint32(lo))
	for it.HasNext() {
		lane := int(it.Next()) - lo
		if lane >= n {
			break
		}
		keep.Set(lane)
	}
	for w := range lanes {
		lanes[w] &= keep[w]
	}
}

// games walks along a set of games beside the lines, whose games mostly rise: a
// line costs a comparison where the set has no game near it.
type games struct {
	set  *roaring.Bitmap
	it   roaring.IntPeekable
	last uint32 // asked for
	next uint32 // the first of the set from last on
	end  bool   // there is none
}

func newGames(set *roaring.Bitmap) *games {
	g := &games{set: set}
	g.rewind()
	return g
}

func (g *games) rewind() {
	g.it, g.last = g.set.Iterator(), 0
	g.peek()
}

func (g *games) peek() {
	if g.end = !g.it.HasNext(); !g.end {
		g.next = g.it.PeekNext()
	}
}

func (g *games) has(game uint32) bool {
	if game < g.last {
		g.rewind()
	}
	g.last = game
	if !g.end && g.next < game {
		g.it.AdvanceIfNeeded(game)
		g.peek()
	}
	return !g.end && g.next == game
}

// Filter takes the lanes out of a set whose games are not in the set.
func (g *games) Filter(c *index.Columns, lanes *interval.Mask) {
	for w, word := range lanes {
		for rest := word; rest != 0; rest &= rest - 1 {
			if lane := bits.TrailingZeros64(rest); !g.has(c.Game(64*w + lane)) {
				word &^= 1 << lane
			}
		}
		lanes[w] = word
	}
}

// FirstLanes returns the first n lanes.
func FirstLanes(n int) (m interval.Mask) {
	for w := range m {
		switch left := n - 64*w; {
		case left >= 64:
			m[w] = ^uint64(0)
		case left > 0:
			m[w] = 1<<left - 1
		}
	}
	return m
}
