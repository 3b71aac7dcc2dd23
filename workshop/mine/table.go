package mine

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/window"
)

// contexts holds the contexts of many games by what stands next to their middle: a
// family for each 3x3, in one of its pictures, all contexts of it turned so. A
// context whose 3x3 looks the same in several pictures is there in all of them.
type contexts struct {
	rows  []row
	first [1<<16 + 1]int32 // where the family of a code begins
	total tallies
}

// row is a context and how it ended: what the ring is (two planes), on which
// lines the middle lies, and the counts.
type row struct {
	lo, hi uint16
	lines  uint8 // class up and down, and left and right times eight
	tallies
}

// tallies are counts of contexts: how many there were, and how many ended with a
// stone of own or of the enemy in the middle.
type tallies struct{ seen, own, enemy uint32 }

func (t *tallies) add(u tallies) {
	t.seen += u.seen
	t.own += u.own
	t.enemy += u.enemy
}

func (t *tallies) rate() float64 { return float64(t.own) / float64(max(t.seen, 1)) }

// Contexts that nobody plays in are by far the most. Only one of thin is kept,
// and counts for that many.
const thin = 8

// family is the picture of a code that stands for all, and the symmetries that
// lead to it.
type family struct {
	code uint16
	syms uint8
}

// families and ringTurn make turning contexts a matter of looking up.
var families = sync.OnceValue(func() []family {
	list := make([]family, 1<<16)
	for code := range list {
		f := &list[code]
		for sym := range board.NumSymmetries {
			c := turnCode(uint16(code), sym)
			if sym == 0 || c < f.code {
				*f = family{c, 0}
			}
			if c == f.code {
				f.syms |= 1 << sym
			}
		}
	}
	return list
})

var ringTurn = sync.OnceValue(func() *[board.NumSymmetries][1 << 16]uint16 {
	t := new([board.NumSymmetries][1 << 16]uint16)
	for sym := range board.NumSymmetries {
		for bits := range 1 << 16 {
			for i := range numRing {
				t[sym][bits] |= uint16(bits>>i&1) << (turned[sym][1+numNear+i] - 1 - numNear)
			}
		}
	}
	return t
})

// turnCode returns a code of near points as a symmetry shows it.
func turnCode(code uint16, sym board.Symmetry) (c uint16) {
	for i := range numNear {
		to := turned[sym][1+i] - 1
		c |= code>>i&1<<to | code>>(8+i)&1<<(8+to)
	}
	return c
}

// How a context ended. An event is a context that ended, packed so that sorting
// brings families together: code 16 bits, lo 16, hi 16, lines 6, how it ended 2.
const (
	nobody = iota
	byOwn
	byEnemy
)

// gather makes the table of games.
func gather(ctx context.Context, games []Game, o Options) (*contexts, error) {
	fams, rings := families(), ringTurn()
	var all []*gatherer
	err := each(ctx, list(games), &o, func() func(*Game) {
		g := &gatherer{families: fams, rings: rings}
		all = append(all, g)
		return g.game
	})
	if err != nil {
		return nil, err
	}
	n := 0
	for _, g := range all {
		n += len(g.events)
	}
	events := make([]uint64, 0, n)
	for _, g := range all {
		events = append(events, g.events...)
		g.events = nil
	}
	slices.Sort(events)
	return pack(events), nil
}

// pack makes a table of sorted events.
func pack(events []uint64) *contexts {
	t := new(contexts)
	last, code := ^uint64(0), 0
	for _, e := range events {
		if e>>2 != last {
			last = e >> 2
			for c := int(e >> 40); code <= c; code++ {
				t.first[code] = int32(len(t.rows))
			}
			t.rows = append(t.rows, row{lo: uint16(e >> 24), hi: uint16(e >> 8), lines: uint8(e >> 2 & 63)})
		}
		one := tallies{seen: 1}
		switch e & 3 {
		case nobody:
			one.seen = thin
		case byOwn:
			one.own = 1
		case byEnemy:
			one.enemy = 1
		}
		t.rows[len(t.rows)-1].add(one)
		t.total.add(one)
	}
	for ; code < len(t.first); code++ {
		t.first[code] = int32(len(t.rows))
	}
	return t
}

// of returns the rows of a family.
func (t *contexts) of(code uint16) []row { return t.rows[t.first[code]:t.first[int(code)+1]] }

// gatherer follows the contexts of games.
type gatherer struct {
	families []family
	rings    *[board.NumSymmetries][1 << 16]uint16
	windows  *window.Windows
	since    [board.MaxPoints]int32 // how many moves had been played when a context came to stand
	events   []uint64
}

func (g *gatherer) game(gm *Game) {
	hash := gm.hash()
	size := gm.Size()
	begun := false
	begin := func(p *weiqi.Position) {
		begun = true
		if g.windows == nil {
			g.windows = window.NewWindows(size)
		}
		g.windows.Reset(p.Planes())
		clear(g.since[:])
	}
	last := 0
	gm.replay(begin, func(m *move) bool {
		last = m.ply + 1
		changed := m.play()
		if len(changed) == 0 {
			return true
		}
		// The rows around the changed points, each once: those of the stone, and
		// what captured stones touch besides.
		var dirty board.Plane
		for _, c := range changed {
			x, y := c.Point.X(), c.Point.Y()
			bits := uint32(0x1f) << x >> 2 & (1<<size.W - 1)
			for r := max(0, y-2); r <= min(size.H-1, y+2); r++ {
				dirty[r] |= bits
			}
		}
		g.leave(&dirty, size, m.ply, m.side, m.to, hash)
		for _, c := range changed {
			g.windows.Put(c.Point, c.Piece)
		}
		return true
	})
	if begun {
		var all board.Plane
		for y := range size.H {
			all[y] = 1<<size.W - 1
		}
		g.leave(&all, size, last, 0, board.NoPoint, hash)
	}
}

// leave notes the contexts of points whose windows are about to change.
func (g *gatherer) leave(dirty *board.Plane, size board.Size, ply int, side game.Side, to board.Point, hash uint64) {
	for y := range size.H {
		for r := dirty[y]; r != 0; r &= r - 1 {
			p := board.At(bits.TrailingZeros32(r), y)
			word := g.windows.At(p)
			since := int(g.since[p])
			g.since[p] = int32(ply + 1)
			if word&3 != 0 || !telling(word) {
				continue
			}
			if p != to && board.Mix(hash^uint64(ply)<<10^uint64(p))%thin != 0 {
				continue
			}
			lines := lineClass(p.Y(), size.H) | lineClass(p.X(), size.W)<<3
			for view := range game.Side(2) {
				how := uint64(nobody)
				switch {
				case p == to && view == side:
					how = byOwn
				case p == to:
					how = byEnemy
				}
				// Who was not to move while the context stood could not play.
				if ply-since == 0 && view != side && how == nobody {
					continue
				}
				w := word
				if view == game.Second {
					w = window.Swap(w)
				}
				g.note(w, lines, how)
			}
		}
	}
}

// telling reports whether a context has a stone near its middle, or two things
// in its ring: others are the empty board.
func telling(word uint64) bool {
	lo, hi := planes(word)
	return (lo^hi)&0xff != 0 || bits.OnesCount32((lo^hi)>>8) > 1 || (lo^hi)>>8 != 0 && lo&hi != 0
}

// note appends the events of a context: one for each way in which its 3x3 is the
// family's, if they differ.
func (g *gatherer) note(word uint64, lines uint8, how uint64) {
	lo, hi := planes(word)
	f := g.families[lo&0xff|hi&0xff<<8]
	from := len(g.events)
	for syms := f.syms; syms != 0; syms &= syms - 1 {
		sym := bits.TrailingZeros8(syms)
		l := lines
		if board.Symmetry(sym)&board.Transpose != 0 {
			l = lines>>3 | lines&7<<3
		}
		e := uint64(f.code)<<40 | uint64(g.rings[sym][lo>>8])<<24 | uint64(g.rings[sym][hi>>8])<<8 | uint64(l)<<2 | how
		if !slices.Contains(g.events[from:], e) {
			g.events = append(g.events, e)
		}
	}
}

// lineClass returns the class of the line of a column or row.
func lineClass(at, n int) uint8 { return uint8(min(at+1, n-at, numLine-1)) }
