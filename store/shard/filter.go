package shard

import (
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
)

// filter decides an expression for the lines of one table, block by block and in
// their order. What is looked up in the table comes as bitmaps of lines; what
// the columns of a block tell is decided lane by lane when the block's turn
// comes. The zero value lets everything through.
//
// A filter is for one goroutine and one scan.
type filter struct {
	lines  *roaring.Bitmap // nil for all
	games  *games
	chosen []*index.Selection
	any    [][]filter // of each group, one must let a line through
}

// none reports whether a filter can let nothing through.
func (f *filter) none() bool { return f.lines != nil && f.lines.IsEmpty() }

// all reports whether a filter lets everything through.
func (f *filter) all() bool {
	return f.lines == nil && f.games == nil && len(f.chosen) == 0 && len(f.any) == 0
}

// plain reports whether a filter is a set of lines alone.
func (f *filter) plain() bool {
	return f.lines != nil && f.games == nil && len(f.chosen) == 0 && len(f.any) == 0
}

// and makes a filter let through only what another one does too.
func (f *filter) and(g filter) {
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

// filter returns the filter of an expression.
func (p *part) filter(e index.Expr) (f filter, err error) {
	switch e := e.(type) {
	case index.Window:
		if p.windows != nil {
			f.lines, err = p.window(uint16(e))
		}
	case index.InCorner:
		if p.corners[0] != nil {
			f.lines, err = p.corner(uint64(e))
		}
	case index.Reaches:
		var postings []index.Posting
		postings, err = p.positions(nil, uint64(e))
		f.lines = roaring.New()
		for _, r := range postings {
			f.lines.Add(r.Line)
		}
	case index.Games:
		// The manifest knows the games of a table: most sets have none of most.
		if all := p.segment.Games; all != nil && !all.Intersects(e.Bitmap) {
			f.lines = roaring.New()
			break
		}
		f.games = newGames(e.Bitmap)
	case index.Selected:
		f.chosen = []*index.Selection{e.Selection}
	case index.Marked:
		f.lines = p.marked(e)
	case index.Every:
		for _, x := range e {
			g, err := p.filter(x)
			if err != nil {
				return f, err
			}
			if f.and(g); f.none() {
				break
			}
		}
	case index.Any:
		return p.anyOf(e)
	}
	return f, err // an index may always let everything through
}

// anyOf returns the filter of a disjunction: the lines of its plain parts are
// joined.
func (p *part) anyOf(list index.Any) (f filter, err error) {
	lines := roaring.New()
	var group []filter
	for _, x := range list {
		g, err := p.filter(x)
		switch {
		case err != nil:
			return f, err
		case g.all():
			return filter{}, nil
		case g.none():
		case g.plain():
			lines.Or(g.lines)
		default:
			group = append(group, g)
		}
	}
	if len(group) == 0 {
		return filter{lines: lines}, nil
	}
	if !lines.IsEmpty() {
		group = append(group, filter{lines: lines})
	}
	return filter{any: [][]filter{group}}, nil
}

// apply takes the lanes out of a set that the filter does not let through. The
// columns are those of a block whose first line is lo.
func (f *filter) apply(c *index.Columns, lo int, lanes *interval.Mask) {
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
		f.games.filter(c, lanes)
	}
	for _, group := range f.any {
		if lanes.Empty() {
			return
		}
		var any interval.Mask
		rest := *lanes
		for i := range group {
			m := rest
			group[i].apply(c, lo, &m)
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

// filter takes the lanes out of a set whose games are not in the set.
func (g *games) filter(c *index.Columns, lanes *interval.Mask) {
	for w, word := range lanes {
		for rest := word; rest != 0; rest &= rest - 1 {
			if lane := bits.TrailingZeros64(rest); !g.has(c.Game(64*w + lane)) {
				word &^= 1 << lane
			}
		}
		lanes[w] = word
	}
}

// firstLanes returns the first n lanes.
func firstLanes(n int) (m interval.Mask) {
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
