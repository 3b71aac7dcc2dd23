package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/pattern"
)

// Effort says how much Check compares of each kind of game.
type Effort struct {
	Exprs, Keys, Patterns int
}

// facts returns how many conditions on headers and searches of comments go with
// an effort.
func (e Effort) facts() int { return (e.Exprs+e.Keys)/4 + 1 }

// Check compares a view with the model: tallies, all lines, and so many random
// expressions, positions and patterns. Errors of the store are returned as they
// are, inside others.
func Check(ctx context.Context, v index.View, kinds *index.Kinds, m *Model, rng *rand.Rand, e Effort) error {
	c := &checker{ctx: ctx, view: v, kinds: kinds, model: m, rng: rng}
	if err := c.tally(); err != nil {
		return err
	}
	for _, name := range m.kindNames() {
		var err error
		if c.kind, err = kinds.Find(name); err != nil {
			return err
		}
		c.lines = m.lines(name, true)
		for _, step := range []struct {
			what  string
			check func() error
		}{
			{"all lines", func() error { return c.scan(index.All{}) }},
			{"no plan", func() error { return c.scan(nil) }},
			{"expressions", func() error { return c.times(e.Exprs, c.expr) }},
			{"positions", func() error { return c.positions(e.Keys) }},
			{"patterns", func() error { return c.times(e.Patterns, c.pattern) }},
			{"corners", func() error { return c.times((e.Patterns+1)/2, c.corner) }},
			{"facts", func() error { return c.times(e.facts(), c.facts) }},
			{"marks", func() error { return c.times(e.facts(), c.marked) }},
			{"names", func() error { return c.names(c.kind) }},
			{"comments", func() error { return c.times(e.facts(), func() error { return c.comments(c.kind) }) }},
		} {
			if err := step.check(); err != nil {
				return fmt.Errorf("%s: %s: %w", name, step.what, err)
			}
		}
	}
	if err := c.names(nil); err != nil {
		return fmt.Errorf("names: %w", err)
	}
	if err := c.comments(nil); err != nil {
		return fmt.Errorf("comments: %w", err)
	}
	return nil
}

// checker compares one view with a model.
type checker struct {
	ctx   context.Context
	view  index.View
	kinds *index.Kinds
	model *Model
	rng   *rand.Rand

	kind  *index.Kind // at hand
	lines []*line     // of it
}

func (c *checker) times(n int, f func() error) error {
	for range n {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// tally compares the counts of the kinds. A store may name kinds that it has no
// games of.
func (c *checker) tally() error {
	got := map[string]index.Tally{}
	for _, t := range c.view.Tally() {
		if _, ok := got[t.Kind.Name]; ok {
			return fmt.Errorf("tally: %s comes twice", t.Kind.Name)
		}
		if t.Games < 0 || t.Variations < 0 || t.Bytes <= 0 {
			return fmt.Errorf("tally: %s: %+v", t.Kind.Name, t)
		}
		got[t.Kind.Name] = t
	}
	want := map[string]index.Tally{}
	for name := range got {
		want[name] = index.Tally{}
	}
	for _, e := range c.model.games {
		if e.kind == "" {
			continue
		}
		t := want[e.kind]
		t.Games++
		t.Plies += int64(e.plies)
		t.Variations += len(e.lines) - 1
		want[e.kind] = t
	}
	for name, w := range want {
		if g := got[name]; g.Games != w.Games || g.Plies != w.Plies || g.Variations != w.Variations {
			return fmt.Errorf("tally: %s: %d games, %d plies, %d variations; want %d, %d, %d", name, g.Games, g.Plies, g.Variations, w.Games, w.Plies, w.Variations)
		}
	}
	return nil
}

// lineID is what a line is known by: its game, its role and all its boards.
type lineID struct {
	game uint32
	main bool
	sum  uint64
}

func (l *line) id() lineID { return lineID{l.game, l.main, l.sum} }

// gather runs a plan and returns how often each line came.
func (c *checker) gather(p *index.Plan, see func(b *index.Batch, ids map[int]lineID) error) (map[lineID]int, error) {
	got := map[lineID]int{}
	size := c.kind.Board.Size
	for b, err := range c.view.Scan(c.ctx, p) {
		if err != nil {
			return nil, err
		}
		ids := map[int]lineID{}
		err := c.view.Guard(func() error {
			if b.Columns.Len() != b.Block.N || b.N() != b.Block.N {
				return fmt.Errorf("columns of %d lines for a block of %d", b.Columns.Len(), b.Block.N)
			}
			if b.Lanes.Empty() {
				return errors.New("a batch without lines")
			}
			for lane := range interval.Lanes {
				if !b.Lanes.Has(lane) {
					continue
				}
				if lane >= b.Block.N {
					return fmt.Errorf("lane %d of %d", lane, b.Block.N)
				}
				l := b.Block.Line(lane)
				id := lineID{b.Game(lane), b.Main, sumOf(size, &l)}
				ids[lane] = id
				got[id]++
				if e := c.model.games[id.game]; e == nil {
					return fmt.Errorf("a line of game %d, which there is not", id.game)
				} else if b.Facts(lane) != e.lines[0].facts {
					return fmt.Errorf("game %d: headers %+v, want %+v", id.game, b.Facts(lane), e.lines[0].facts)
				}
			}
			if see != nil {
				return see(b, ids)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return got, nil
}

// scan checks that a plan lets through whatever satisfies its expression, each
// line at most once, and nothing that conditions on headers rule out.
func (c *checker) scan(e index.Expr) error {
	variations := c.rng.IntN(2) == 0
	got, err := c.gather(&index.Plan{Kind: c.kind, Variations: variations, Expr: e}, nil)
	if err != nil {
		return err
	}
	all, must := map[lineID]int{}, map[lineID]int{}
	for _, l := range c.lines {
		if l.main || variations {
			if c.holds(e, l, true) {
				all[l.id()]++
			}
			if c.holds(e, l, false) {
				must[l.id()]++
			}
		}
	}
	for id, n := range must {
		if got[id] < n {
			return fmt.Errorf("%v: a line of game %d is held back (main %t)", e, id.game, id.main)
		}
	}
	for id, n := range got {
		if n > all[id] {
			return fmt.Errorf("%v: a line of game %d comes %d times, is not as in its record, or has other headers than asked for (main %t)", e, id.game, n, id.main)
		}
	}
	return nil
}

// holds decides an expression for a line by looking at its boards and its
// record. What an index may get wrong on the side of too much is true where that
// is allowed.
func (c *checker) holds(e index.Expr, l *line, loose bool) bool {
	switch e.(type) {
	case index.Window, index.Reaches, index.Games:
		if loose {
			return true
		}
	}
	switch e := e.(type) {
	case index.Selected:
		return c.model.games[l.game].is(e.Fact())
	case index.Window:
		return c.model.classesOf(l, c.kind.Board.Size)[uint16(e)]
	case index.Reaches:
		return slices.Contains(l.keys, uint64(e))
	case index.Games:
		return e.Contains(l.game)
	case index.Every:
		return !slices.ContainsFunc(e, func(x index.Expr) bool { return !c.holds(x, l, loose) })
	case index.Any:
		return slices.ContainsFunc(e, func(x index.Expr) bool { return c.holds(x, l, loose) })
	}
	return true
}

// expr scans by a random expression.
func (c *checker) expr() error { return c.scan(c.randomExpr(3)) }

func (c *checker) randomExpr(depth int) index.Expr {
	l := c.lines[c.rng.IntN(len(c.lines))]
	switch n := c.rng.IntN(12); {
	case n >= 10:
		return index.Selected{Selection: index.NewSelection(c.randomFact())}
	case n < 2 && depth > 0:
		var list index.Every
		for range c.rng.IntN(4) {
			list = append(list, c.randomExpr(depth-1))
		}
		return list
	case n < 4 && depth > 0:
		var list index.Any
		for range c.rng.IntN(4) {
			list = append(list, c.randomExpr(depth-1))
		}
		return list
	case n < 6 && c.kind.Board.Kinds == 2: // also where the index has no windows
		size := c.kind.Board.Size
		cells := l.cells[l.from+c.rng.IntN(len(l.cells)-l.from)]
		return index.Window(c.model.class(cells, c.rng.IntN(size.H-2)*size.W+c.rng.IntN(size.W-2), size.W))
	case n < 8:
		return index.Reaches(c.randomKey())
	case n < 9:
		some := roaring.New()
		for range c.rng.IntN(6) {
			some.Add(c.lines[c.rng.IntN(len(c.lines))].game)
		}
		some.Add(c.rng.Uint32())
		return index.Games{Bitmap: some}
	}
	return index.All{}
}

// randomKey returns the key of a position of some line, or now and then one of
// none.
func (c *checker) randomKey() uint64 {
	l := c.lines[c.rng.IntN(len(c.lines))]
	for range 20 {
		if key := l.keys[c.rng.IntN(len(l.keys))]; key != 0 {
			return key
		}
	}
	return c.rng.Uint64()
}

// reach is a line that reaches a position.
type reach struct {
	game uint32
	main bool
	ply  int
	turn game.Side
	next game.Move
}

// positions looks random positions up, in two calls: one key, and many.
func (c *checker) positions(n int) error {
	keys := []uint64{c.randomKey()}
	for range n {
		keys = append(keys, c.randomKey())
	}
	keys = append(keys, c.rng.Uint64())
	slices.Sort(keys)
	keys = slices.Compact(keys)
	c.rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	if err := c.lookUp(keys[:1], true); err != nil {
		return err
	}
	return c.lookUp(keys, c.rng.IntN(2) == 0)
}

func (c *checker) lookUp(keys []uint64, variations bool) error {
	got := map[uint64]map[reach]int{}
	at := 0
	for p, err := range c.view.Positions(c.ctx, &index.Lookup{Kind: c.kind, Variations: variations, Keys: keys}) {
		if err != nil {
			return err
		}
		for at < len(keys) && keys[at] != p.Key {
			at++
		}
		if at == len(keys) {
			return fmt.Errorf("key %016x comes out of order", p.Key)
		}
		if got[p.Key] == nil {
			got[p.Key] = map[reach]int{}
		}
		err := c.view.Guard(func() error {
			for _, r := range p.Rows {
				if int(r.Line) >= p.Columns.Len() || int(r.Image) >= c.kind.Images() {
					return fmt.Errorf("key %016x: line %d of %d, picture %d", p.Key, r.Line, p.Columns.Len(), r.Image)
				}
				sym := c.kind.Image(int(r.Image))
				next := c.kind.Move(r.Next, game.Symmetry{Board: sym.Board.Inverse(), Swap: sym.Swap})
				got[p.Key][reach{p.Game(int(r.Line)), p.Main, int(r.Ply), r.Turn, next}]++
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, key := range keys {
		want := map[reach]int{}
		for _, l := range c.lines {
			for i, k := range l.keys {
				if k == key && l.found[i] && (l.main || variations) {
					want[reach{l.game, l.main, i, l.turns[i], l.moves[i]}]++
				}
			}
		}
		if err := sameCounts(got[key], want); err != nil {
			return fmt.Errorf("key %016x: %w", key, err)
		}
	}
	return nil
}

// sameCounts compares two bags.
func sameCounts[K comparable](got, want map[K]int) error {
	for x, n := range want {
		if got[x] != n {
			return fmt.Errorf("%+v comes %d times, want %d", x, got[x], n)
		}
	}
	for x, n := range got {
		if want[x] == 0 {
			return fmt.Errorf("%+v comes %d times, want none", x, n)
		}
	}
	return nil
}

// hit is one occurrence of a pattern.
type hit struct {
	line      lineID
	slot      uint16
	placement int32
}

// pattern looks a random pattern up.
func (c *checker) pattern() error { return c.look(c.randomPattern()) }

// corner looks a corner up that stands in some line, where lines are found by
// their corners. It is an error if the index has nothing to find it by.
func (c *checker) corner() error {
	if !c.kind.HasCorners() {
		return nil
	}
	for range 50 {
		l := c.lines[c.rng.IntN(len(c.lines))]
		p := CutCorner(c.rng, l.boards[l.from+c.rng.IntN(len(l.boards)-l.from)])
		pieces := 0
		for _, set := range p.Cells {
			if set != pattern.Empty {
				pieces++
			}
		}
		// So many in the corner of 7x7, or maybe some of them just beside it.
		keys := index.CornersOf(c.kind, p)
		if pieces > 12 || len(keys) == 0 && (p.Size.W > 7 || p.Size.H > 7 || pieces == 0) {
			continue
		}
		if len(keys) != 1 {
			return fmt.Errorf("%+v: %d keys of corners", *p, len(keys))
		}
		p.Mirror, p.Swap = c.rng.IntN(2) == 0, c.rng.IntN(2) == 0
		return c.look(p)
	}
	return nil // all positions are crowded, or empty
}

// look looks a pattern up: over all lines, and over those that its windows and
// corners let through.
func (c *checker) look(p *pattern.Pattern) error {
	places, err := pattern.Compile(p, c.kind.Board)
	if errors.Is(err, pattern.ErrNoFit) {
		return nil
	}
	if err != nil {
		return err
	}
	size := c.kind.Board.Size
	program := interval.Compile(places, p, size.Area(), c.kind.Board.Kinds)
	variations := c.rng.IntN(2) == 0
	want := map[hit]int{}
	for _, l := range c.lines {
		if l.main || variations {
			l.match(p, places, want)
		}
	}
	exprs := []index.Expr{index.All{}}
	if c.kind.HasWindows() {
		var every index.Every
		for _, class := range index.WindowsOf(p) {
			every = append(every, index.Window(class))
		}
		exprs = append(exprs, every)
	}
	if keys := index.CornersOf(c.kind, p); len(keys) > 0 {
		var every index.Every
		for _, key := range keys {
			every = append(every, index.InCorner(key))
		}
		exprs = append(exprs, every)
	}
	for _, e := range exprs {
		got := map[hit]int{}
		var matcher interval.Matcher
		_, err := c.gather(&index.Plan{Kind: c.kind, Variations: variations, Expr: e}, func(b *index.Batch, ids map[int]lineID) error {
			for _, h := range matcher.AppendHits(nil, b.Block, program, &b.Lanes) {
				got[hit{ids[int(h.Lane)], h.Slot, h.Placement}]++
			}
			return nil
		})
		if err == nil {
			err = sameCounts(got, want)
		}
		if err != nil {
			return fmt.Errorf("%+v by %v, variations %t: %w", *p, e, variations, err)
		}
	}
	return nil
}

// match adds the hits of a pattern in a line: each placement once, at the first
// position that is the line's own and satisfies every condition.
func (l *line) match(p *pattern.Pattern, places []pattern.Placement, hits map[hit]int) {
	met := make([]bool, len(places))
	for i := max(l.from, p.From); i < len(l.cells) && (p.To < 0 || i <= p.To); i++ {
		turn := pattern.FirstToMove
		if l.turns[i] == game.Second {
			turn = pattern.SecondToMove
		}
		cells := l.cells[i]
	places:
		for j := range places {
			q := &places[j]
			if met[j] || q.Turn != pattern.AnyTurn && q.Turn != turn {
				continue
			}
			for x, pt := range q.Points {
				if !q.Sets[x].Has(cells[pt]) {
					continue places
				}
			}
			met[j] = true
			hits[hit{l.id(), l.slots[i], int32(j)}]++
		}
	}
}

// randomPattern cuts a pattern from a position of a random line and loosens it.
func (c *checker) randomPattern() *pattern.Pattern {
	rng, size := c.rng, c.kind.Board.Size
	l := c.lines[rng.IntN(len(c.lines))]
	planes := l.boards[l.from+rng.IntN(len(l.boards)-l.from)]
	w, h := 1+rng.IntN(min(6, size.W)), 1+rng.IntN(min(6, size.H))
	x, y := rng.IntN(size.W-w+1), rng.IntN(size.H-h+1)
	switch rng.IntN(6) {
	case 0:
		x, y = rng.IntN(2)*(size.W-w), rng.IntN(2)*(size.H-h)
	case 1:
		y = rng.IntN(2) * (size.H - h)
	case 2:
		x, y, w, h = 0, 0, size.W, size.H
	}
	p := pattern.Region(planes, x, y, w, h)
	switch rng.IntN(5) {
	case 0:
		p.Anchor, p.Edges = pattern.Floating, 0
	case 1:
		p.Anchor, p.Edges, p.At = pattern.Fixed, 0, board.At(x, y)
	case 2:
		p.Anchor, p.Edges = pattern.Centre, 0
	}
	loose := rng.IntN(4)
	for i := range p.Cells {
		switch any := pattern.AnyOn(c.kind.Board.Kinds); rng.IntN(8) {
		case 0:
			if loose > 0 {
				p.Cells[i] = any
			}
		case 1:
			if loose > 1 {
				p.Cells[i] |= pattern.Of(board.Piece(rng.IntN(c.kind.Board.Kinds + 1)))
			}
		case 2:
			if loose > 2 {
				p.Cells[i] = any | pattern.Off
			}
		}
	}
	p.Mirror, p.Swap = rng.IntN(2) == 0, rng.IntN(2) == 0
	if rng.IntN(2) == 0 {
		p.Turn = pattern.Turn(rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		p.From = rng.IntN(len(l.cells))
	}
	if rng.IntN(3) == 0 {
		p.To = p.From + rng.IntN(len(l.cells))
	}
	return p
}
