package storetest

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/record"
)

// Points is a simple marker: its column i is true of a side that has a piece on
// one of the points At[i] while the other side has none there. Editions of it
// say the same under different keys.
type Points struct {
	Kind    *index.Kind
	Edition int
	At      [][]uint16 // dense indices, rising
}

var _ interval.Marker = (*Points)(nil)

// NewPoints returns a marker with a few columns: two are often true, one is of
// a set-up that few lines have, one is never true.
func NewPoints(k *index.Kind, edition int) *Points {
	size := k.Board.Size
	middle := uint16(size.Area() / 2)
	return &Points{Kind: k, Edition: edition, At: [][]uint16{
		{middle}, {middle - uint16(size.W) - 1, middle - 1, middle}, {0}, {},
	}}
}

// Keys returns a hash of each column.
func (p *Points) Keys() (keys []uint64) {
	for i := range p.At {
		h := fnv.New64a()
		fmt.Fprintf(h, "%s %d %d", p.Kind.Name, p.Edition, i)
		binary.Write(h, binary.LittleEndian, p.At[i])
		keys = append(keys, h.Sum64())
	}
	return keys
}

// AppendMarks walks along a line.
func (p *Points) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	for i, at := range p.At {
		if want != nil && !want(i) {
			continue
		}
		for side := range game.Side(2) {
			state := make([]board.Piece, len(at))
			open, from := false, uint16(0)
			step := func(slot uint16) {
				if holds := p.holds(state, side); holds != open {
					if open {
						dst = append(dst, interval.Mark{Column: uint16(i), Side: side, From: from, To: slot})
					}
					open, from = holds, slot
				}
			}
			for j, c := range l.Changes {
				if n := slices.Index(at, c.Point); n >= 0 {
					state[n] = c.Piece
				}
				if j+1 == len(l.Changes) || l.Changes[j+1].Slot != c.Slot {
					step(c.Slot)
				}
			}
			if open {
				dst = append(dst, interval.Mark{Column: uint16(i), Side: side, From: from, To: l.End})
			}
		}
	}
	return dst
}

// Holds decides a column for a side on a board, by dense index.
func (p *Points) Holds(column int, side game.Side, cells []board.Piece) bool {
	var state []board.Piece
	for _, at := range p.At[column] {
		state = append(state, cells[at])
	}
	return p.holds(state, side)
}

func (p *Points) holds(state []board.Piece, side game.Side) bool {
	own := false
	for _, piece := range state {
		if piece == board.Empty {
			continue
		}
		if p.Kind.Owners[piece-1] != uint8(side) {
			return false
		}
		own = true
	}
	return own
}

// Keeper is a Library that keeps columns of marks.
type Keeper interface {
	BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker) error
}

// editions is how many editions of markers the kit knows. Check looks for the
// columns of all of them; which are kept is the store's affair.
const editions = 3

// build has the store make the columns of an edition, of all kinds or of some.
func (h *History) build(edition int, all bool) error {
	k, ok := h.Library.(Keeper)
	if !ok {
		return nil
	}
	h.steps = append(h.steps, fmt.Sprintf("marks %d", edition))
	markers := map[*index.Kind][]interval.Marker{}
	for _, name := range h.Model.kindNames() {
		kind, err := h.Kinds().Find(name)
		if err != nil {
			return err
		}
		if all || h.Rng.IntN(2) == 0 {
			markers[kind] = []interval.Marker{NewPoints(kind, edition)}
		}
	}
	return k.BuildMarks(h.ctx, markers)
}

// Kept checks that the columns of an edition are there for all lines that are
// not in memory.
func (h *History) Kept(edition int) error {
	if h.restless {
		return nil
	}
	v, err := h.View(h.ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	lines := 0
	for _, name := range h.Model.kindNames() {
		kind, err := h.Kinds().Find(name)
		if err != nil {
			return err
		}
		keys := NewPoints(kind, edition).Keys()
		for b, err := range v.Scan(h.ctx, &index.Plan{Kind: kind, Variations: true, Marks: keys}) {
			if err != nil {
				return err
			}
			for i, key := range keys {
				if !b.Fresh && (b.Marks == nil || !b.Marks.Has(key)) {
					return fmt.Errorf("%s: column %d of edition %d is not kept of %d lines", name, i, edition, b.N())
				}
			}
			if !b.Fresh {
				lines += b.N()
			}
		}
	}
	if lines == 0 {
		return fmt.Errorf("all lines are in memory: nothing was kept")
	}
	return nil
}

// marks is a history of markers that are made anew, beside tables that come, go
// and are merged.
func (h *History) marks() error {
	if _, ok := h.Library.(Keeper); !ok {
		return nil
	}
	add := func(n int, sizes ...string) func() error {
		return func() error {
			var games []*record.Game
			for i := range n {
				g := h.Game("weiqi", sizes[i%len(sizes)], 3+h.Rng.IntN(20))
				if h.Rng.IntN(3) == 0 {
					h.Branch(g, 2)
				}
				games = append(games, g)
			}
			return h.Put(games...)
		}
	}
	build := func(edition int) func() error {
		return func() error {
			if err := h.build(edition, true); err != nil {
				return err
			}
			return h.Kept(edition)
		}
	}
	for _, step := range []func() error{
		add(280, "5x5"), build(0), h.hold, add(60, "5x5", "9x9"), // which have no columns yet
		func() error { return h.build(1, false) }, add(5, "9x9"), h.hold, build(1), h.reopen,
		func() error { return h.Kept(1) }, func() error { return h.forget(50) },
		func() error { return h.Kept(1) }, h.merge, h.merge, build(2), build(2), build(0), h.hold, build(1),
	} {
		if err := step(); err != nil {
			return err
		}
		if err := h.Check(Effort{Exprs: 3, Keys: 1}); err != nil {
			return err
		}
	}
	return nil
}

// marked compares the columns that are kept with what the boards tell, and with
// the lines that they let through.
func (c *checker) marked() error {
	p := NewPoints(c.kind, c.rng.IntN(editions))
	column := c.rng.IntN(len(p.At))
	key := p.Keys()[column]
	e := index.Marked{Keys: []uint64{key}, Of: interval.Owner(c.rng.IntN(3)), Name: "points"}
	variations := c.rng.IntN(2) == 0
	want := map[lineID][]interval.Owned{}
	for _, l := range c.lines {
		want[l.id()] = l.marks(p, column)
	}
	got, err := c.gather(&index.Plan{Kind: c.kind, Variations: variations, Expr: e, Marks: e.Keys}, func(b *index.Batch, ids map[int]lineID) error {
		if b.Marks == nil {
			return nil
		}
		list, ok := b.Marks.AppendMarks(nil, key, &b.Lanes)
		if ok != b.Marks.Has(key) {
			return fmt.Errorf("%v: there are marks (%t) where there is no column", e, ok)
		}
		if !ok {
			return nil
		}
		for lane := range b.N() {
			id, ok := ids[lane]
			if !ok {
				continue
			}
			n := 0
			for n < len(list) && int(list[n].Lane) == lane {
				n++
			}
			own := slices.Clone(list[:n])
			list = list[n:]
			for i := range own {
				own[i].Lane = 0
			}
			switch {
			case !slices.Equal(own, want[id]):
				return fmt.Errorf("%v: marks %v of a line of game %d, want %v", e, own, id.game, want[id])
			case !slices.ContainsFunc(own, func(o interval.Owned) bool { return e.Of.Has(o.Side) }):
				return fmt.Errorf("%v: a line of game %d without such a mark, though a column tells", e, id.game)
			}
		}
		if len(list) > 0 {
			return fmt.Errorf("%v: marks %v of no line", e, list)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, l := range c.lines {
		has := slices.ContainsFunc(want[l.id()], func(o interval.Owned) bool { return e.Of.Has(o.Side) })
		if has && (l.main || variations) && got[l.id()] == 0 {
			return fmt.Errorf("%v: a line of game %d is held back (main %t)", e, l.game, l.main)
		}
	}
	return nil
}

// marks returns the intervals of a column, found board by board.
func (l *line) marks(p *Points, column int) (list []interval.Owned) {
	for side := range game.Side(2) {
		for i, cells := range l.cells {
			if !p.Holds(column, side, cells) {
				continue
			}
			to := l.end
			if i+1 < len(l.slots) {
				to = l.slots[i+1]
			}
			if n := len(list); n > 0 && list[n-1].Side == side && list[n-1].To == l.slots[i] {
				list[n-1].To = to
				continue
			}
			list = append(list, interval.Owned{Span: interval.Span{From: l.slots[i], To: to}, Side: side})
		}
	}
	return interval.UniteOwned(list)
}
