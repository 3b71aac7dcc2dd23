package interval

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// alphabet is a made-up game: what its boards hold and how they change.
type alphabet struct {
	name   string
	board  pattern.Board
	owners []uint8
	style  string // drop, flip or move
	odd    bool   // one side twice, set-ups in the middle, the second side first
	long   bool   // longer than bytes can tell
}

// stones is a board of two kinds with the symmetries of its size.
func stones(w, h int) pattern.Board {
	size := board.Size{W: w, H: h}
	b := pattern.Board{Size: size, Kinds: 2, Swap: []board.Piece{2, 1}}
	for _, swap := range []bool{false, true} {
		for _, sym := range size.Symmetries() {
			b.Symmetries = append(b.Symmetries, game.Symmetry{Board: sym, Swap: swap})
		}
	}
	return b
}

// pieces is a board of seven kinds a side, mirrored and seen from the far side.
func pieces(w, h int) (pattern.Board, []uint8) {
	b := pattern.Board{Size: board.Size{W: w, H: h}, Kinds: 14, Symmetries: []game.Symmetry{
		{}, {Board: board.Mirror}, {Board: board.Flip, Swap: true}, {Board: board.HalfTurn, Swap: true},
	}}
	var owners []uint8
	for p := range 14 {
		b.Swap = append(b.Swap, board.Piece((p+7)%14+1))
		owners = append(owners, uint8(p/7))
	}
	return b, owners
}

func alphabets() []alphabet {
	two := []uint8{0, 1}
	men, owners := pieces(5, 6)
	return []alphabet{
		{name: "drops", board: stones(5, 5), owners: two, style: "drop"},
		{name: "drops on an oblong", board: stones(6, 4), owners: two, style: "drop"},
		{name: "odd drops", board: stones(5, 5), owners: two, style: "drop", odd: true},
		{name: "long drops", board: stones(4, 4), owners: two, style: "drop", odd: true, long: true},
		{name: "flips", board: stones(6, 6), owners: two, style: "flip"},
		{name: "odd flips", board: stones(4, 4), owners: two, style: "flip", odd: true},
		{name: "moves", board: men, owners: owners, style: "move"},
		{name: "odd moves", board: men, owners: owners, style: "move", odd: true},
		{name: "long moves", board: men, owners: owners, style: "move", long: true},
	}
}

// position is one position of a line, told by whoever made the line.
type position struct {
	slot uint16
	ply  int
	turn game.Side
	on   []board.Piece
	own  bool
}

// played is a line with all that the naive answers need.
type played struct {
	Line
	positions []position
}

// play makes a random line. The slots are counted here by the words of the
// package, and not by NextSlot.
func (a *alphabet) play(rng *rand.Rand) *played {
	n := a.board.Size.Area()
	l := &played{}
	state := make([]board.Piece, n)
	put := func(slot uint16, pt int, p board.Piece) {
		if state[pt] == p || slices.ContainsFunc(l.Changes, func(c Change) bool { return c.Slot == slot && int(c.Point) == pt }) {
			return
		}
		state[pt] = p
		l.Changes = append(l.Changes, Change{slot, uint16(pt), p})
	}
	any := func() board.Piece { return board.Piece(rng.IntN(a.board.Kinds + 1)) }
	if a.style != "drop" || a.odd && rng.IntN(4) == 0 {
		for pt := range n {
			if rng.IntN(3) == 0 {
				put(0, pt, any())
			}
		}
	}
	plies := rng.IntN(30)
	if a.long && rng.IntN(3) == 0 {
		plies = 480 + rng.IntN(200)
	}
	side := game.First
	if a.odd && rng.IntN(3) == 0 {
		side = game.Second
	}
	slot := uint16(0)
	note := func(ply int) {
		l.positions = append(l.positions, position{slot: slot, ply: ply, turn: side, on: slices.Clone(state), own: true})
	}
	for ply := range plies {
		if a.odd && rng.IntN(6) == 0 {
			side = side.Opponent() // the same side again
		}
		note(ply)
		slot++
		if (side == game.First) != (slot%2 == 1) {
			l.Skips = append(l.Skips, slot)
			slot++
		}
		code := uint16(NoMove)
		switch {
		case a.odd && rng.IntN(12) == 0:
			for range rng.IntN(6) {
				put(slot, rng.IntN(n), any())
			}
		case rng.IntN(15) == 0: // a pass
		default:
			code = a.move(rng, state, side, func(pt int, p board.Piece) { put(slot, pt, p) })
		}
		if a.style == "move" {
			l.Moves = append(l.Moves, code)
		}
		side = side.Opponent()
	}
	if a.odd && rng.IntN(6) == 0 {
		side = side.Opponent()
	}
	note(plies)
	l.End = slot + 1
	if (side == game.First) != (l.End%2 == 1) {
		l.Skips = append(l.Skips, l.End)
		l.End++
	}
	if rng.IntN(4) == 0 {
		own := rng.IntN(len(l.positions))
		l.From = l.positions[own].slot
		for i := range own {
			l.positions[i].own = false
		}
	}
	return l
}

// move makes a random move of a side.
func (a *alphabet) move(rng *rand.Rand, state []board.Piece, side game.Side, put func(int, board.Piece)) uint16 {
	var empty, mine, theirs []int
	for pt, p := range state {
		switch {
		case p == board.Empty:
			empty = append(empty, pt)
		case a.owners[p-1] == uint8(side):
			mine = append(mine, pt)
		default:
			theirs = append(theirs, pt)
		}
	}
	if a.style == "move" {
		if len(mine) == 0 || len(empty)+len(theirs) == 0 {
			return NoMove
		}
		from, to := mine[rng.IntN(len(mine))], 0
		if list := slices.Concat(empty, empty, empty, theirs); len(list) > 0 {
			to = list[rng.IntN(len(list))]
		}
		piece := state[from]
		put(to, piece)
		put(from, board.Empty)
		return uint16(from<<8 | to)
	}
	if len(empty) > 0 {
		put(empty[rng.IntN(len(empty))], board.Piece(side+1))
	}
	if rng.IntN(5) > 0 && len(empty) > 3 {
		return NoMove
	}
	for _, pt := range theirs {
		if rng.IntN(3) > 0 {
			continue
		}
		to := board.Empty
		if a.style == "flip" {
			to = board.Piece(side + 1)
		}
		put(pt, to)
	}
	if len(empty) == 0 && a.style == "flip" { // lift a disc, so that the line goes on
		put(rng.IntN(len(state)), board.Empty)
	}
	return NoMove
}

// randomPattern returns a pattern that is often found: cut from a position.
func (a *alphabet) randomPattern(rng *rand.Rand, lines []*played) *pattern.Pattern {
	size, on := a.board.Size, pattern.AnyOn(a.board.Kinds)
	l := lines[rng.IntN(len(lines))]
	at := l.positions[rng.IntN(len(l.positions))]
	w, h := 1+rng.IntN(4), 1+rng.IntN(4)
	if rng.IntN(10) == 0 {
		w, h = size.W, size.H
	}
	x, y := rng.IntN(size.W+1)-1, rng.IntN(size.H+1)-1
	p := &pattern.Pattern{Size: board.Size{W: w, H: h}, Cells: make([]pattern.Set, w*h), To: -1}
	loose := rng.IntN(4)
	for i := range p.Cells {
		cx, cy := x+i%w, y+i/w
		set := pattern.Off
		if cx >= 0 && cy >= 0 && cx < size.W && cy < size.H {
			set = pattern.Of(at.on[cy*size.W+cx])
		}
		switch n := rng.IntN(4 + 4*loose); {
		case n < 4: // as it is
		case n < 8:
			set |= on
		case n < 12:
			set |= pattern.Set(rng.Uint32()) & on
		default:
			set |= pattern.Empty
		}
		if rng.IntN(8) == 0 {
			set |= pattern.Off
		}
		p.Cells[i] = set
	}
	p.Anchor = pattern.Anchor(rng.IntN(5))
	switch p.Anchor {
	case pattern.Fixed:
		p.At = board.At(max(x, 0)%size.W, max(y, 0)%size.H)
	case pattern.Corner:
		p.Edges = []pattern.Edges{0, pattern.Top | pattern.Left, pattern.Bottom | pattern.Right}[rng.IntN(3)]
	case pattern.Side:
		p.Edges = []pattern.Edges{0, pattern.Top, pattern.Right, pattern.Left | pattern.Right}[rng.IntN(4)]
	}
	p.Mirror, p.Swap = rng.IntN(2) == 0, rng.IntN(2) == 0
	if rng.IntN(3) == 0 {
		p.Turn = pattern.Turn(rng.IntN(3))
	}
	if rng.IntN(3) == 0 {
		p.From = rng.IntN(at.ply + 3)
	}
	if rng.IntN(3) == 0 {
		p.To = p.From + rng.IntN(12)
	}
	return p
}

// holds tells whether a placement of a pattern holds in a position.
func holds(p *pattern.Pattern, q *pattern.Placement, at *position) bool {
	if at.ply < p.From || p.To >= 0 && at.ply > p.To {
		return false
	}
	if q.Turn == pattern.FirstToMove && at.turn != game.First || q.Turn == pattern.SecondToMove && at.turn != game.Second {
		return false
	}
	for i, pt := range q.Points {
		if !q.Sets[i].Has(at.on[pt]) {
			return false
		}
	}
	return true
}

// naive returns all hits by looking at every position.
func naive(p *pattern.Pattern, places []pattern.Placement, lines []*played, lanes *Mask) (hits []Hit) {
	for i := range places {
	next:
		for lane, l := range lines {
			if !lanes.Has(lane) {
				continue
			}
			for j := range l.positions {
				if at := &l.positions[j]; at.own && holds(p, &places[i], at) {
					hits = append(hits, Hit{Lane: uint16(lane), Slot: at.slot, Placement: int32(i)})
					continue next
				}
			}
		}
	}
	return hits
}

// naiveNext plays the line on from a position, move by move.
func (a *alphabet) naiveNext(q *pattern.Placement, l *played, after uint16) Next {
	from := slices.IndexFunc(l.positions, func(at position) bool { return at.slot == after })
	for i := from + 1; i < len(l.positions); i++ {
		at, before := &l.positions[i], &l.positions[i-1]
		n := Next{Slot: at.slot, From: -1, Direct: i == from+1}
		if a.style == "move" {
			m := l.Moves[i-1]
			if m == NoMove || !slices.Contains(q.Region, m&0xFF) {
				continue
			}
			n.Point, n.From = m&0xFF, int(m>>8)
			n.Piece = at.on[n.Point]
			return n
		}
		for _, pt := range q.Region { // rising
			if at.on[pt] != board.Empty && before.on[pt] == board.Empty {
				n.Point, n.Piece = pt, at.on[pt]
				return n
			}
		}
	}
	return Next{}
}

// block makes a block of random lines.
func (a *alphabet) block(t testing.TB, rng *rand.Rand, n int) ([]*played, *Block) {
	t.Helper()
	build := NewBuilder(a.board.Size.Area(), a.owners, a.style == "move")
	var lines []*played
	for lane := range n {
		l := a.play(rng)
		if err := l.Check(a.board.Size.Area(), a.board.Kinds); err != nil {
			t.Fatal(err)
		}
		if got, ok := build.Add(&l.Line); !ok || got != lane {
			t.Fatalf("line %d is added as %d, %v", lane, got, ok)
		}
		lines = append(lines, l)
	}
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return lines, b
}

// someLanes returns all lanes, or any of them.
func someLanes(rng *rand.Rand, b *Block) Mask {
	m := b.All()
	switch rng.IntN(3) {
	case 0:
		for i := range m {
			m[i] &= rng.Uint64()
		}
	case 1:
		m = Mask{}
		m.Set(rng.IntN(b.N))
	}
	return m
}

// TestOracle compares hits and what comes behind them with boards replayed
// slot by slot.
func TestOracle(t *testing.T) {
	for i, a := range alphabets() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(7, uint64(i)))
			var m Matcher
			var hits []Hit
			cases, found, next, direct, placed := 0, 0, 0, 0, map[pattern.Anchor]int{}
			for round := range testkit.Scale(60, 1500) {
				n := 1 + rng.IntN(24)
				if round%20 == 0 {
					n = []int{63, 64, 65, 511, 512}[rng.IntN(5)]
				}
				lines, b := a.block(t, rng, n)
				patterns := 8
				if n > 24 {
					patterns = 2
				}
				for range patterns {
					p := a.randomPattern(rng, lines)
					places, err := pattern.Compile(p, a.board)
					if errors.Is(err, pattern.ErrNoFit) {
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					program := Compile(places, p, a.board.Size.Area(), a.board.Kinds)
					lanes := someLanes(rng, b)
					want := naive(p, places, lines, &lanes)
					hits = m.AppendHits(hits[:0], b, program, &lanes)
					if !slices.Equal(hits, want) {
						t.Fatalf("%d lanes, %+v:\n%s", n, p, differ(hits, want, lines, places))
					}
					cases++
					found += len(want)
					if len(want) > 0 {
						placed[p.Anchor]++
					}
					for _, h := range want[:min(len(want), 50)] {
						q := &places[h.Placement]
						got, should := b.Next(q, int(h.Lane), h.Slot), a.naiveNext(q, lines[h.Lane], h.Slot)
						if b.moves != nil {
							should.Piece = board.Empty // not told where pieces move
						}
						if got != should {
							t.Fatalf("behind %+v in %+v comes %+v, want %+v", h, q, got, should)
						}
						if should.Slot > 0 {
							next++
						}
						if should.Direct {
							direct++
						}
					}
				}
			}
			if len(placed) != 5 || found < cases || next < cases/4 || direct < cases/8 {
				t.Errorf("%d cases, %d hits, %d with a next move, %d direct, %v: the test has become empty", cases, found, next, direct, placed)
			}
			if m.Work.Leapfrogs == 0 || m.Work.Verified < m.Work.Leapfrogs || m.Work.Tried == 0 || m.Work.Blocks != int64(cases) {
				t.Errorf("%d cases, work %+v", cases, m.Work)
			}
		})
	}
}

// differ tells where two lists of hits part.
func differ(got, want []Hit, lines []*played, places []pattern.Placement) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	var h Hit
	text := fmt.Sprintf("%d hits, want %d", len(got), len(want))
	if i < len(got) {
		h = got[i]
		text += fmt.Sprintf("; got %+v", h)
	}
	if i < len(want) {
		h = want[i]
		text += fmt.Sprintf("; want %+v", h)
	}
	return text + fmt.Sprintf("\n%+v\n%+v", places[h.Placement], lines[h.Lane].Line)
}

// TestRoundTrip checks that a block tells of every line all that was added.
func TestRoundTrip(t *testing.T) {
	for i, a := range alphabets() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(8, uint64(i)))
			for _, n := range []int{1, 2, 63, 64, 65, 200, 512} {
				lines, b := a.block(t, rng, n)
				if b.N != n || b.Points != a.board.Size.Area() || b.Kinds != a.board.Kinds || b.Moving != (a.style == "move") {
					t.Fatalf("%d lanes, %d points, %d kinds, moving %v", b.N, b.Points, b.Kinds, b.Moving)
				}
				ever := make([]Mask, b.Points*b.Kinds)
				for lane, l := range lines {
					checkLine(t, b, lane, l)
					for _, at := range l.positions {
						for pt, p := range at.on {
							if p != board.Empty {
								ever[pt*b.Kinds+int(p)-1].Set(lane)
							}
						}
					}
				}
				for pt := range b.Points {
					for p := 1; p <= b.Kinds; p++ {
						if b.Ever(pt, board.Piece(p)) != ever[pt*b.Kinds+p-1] {
							t.Fatalf("piece %d on point %d: other lanes", p, pt)
						}
					}
				}
			}
		})
	}
}

// checkLine compares a lane with the line that was added.
func checkLine(t *testing.T, b *Block, lane int, l *played) {
	t.Helper()
	got, want := b.Line(lane), l.Line
	want.Changes = slices.Clone(want.Changes)
	sortChanges(want.Changes)
	if !slices.Equal(got.Changes, want.Changes) || !slices.Equal(got.Skips, want.Skips) || !slices.Equal(got.Moves, want.Moves) ||
		got.End != want.End || got.From != want.From {
		t.Fatalf("lane %d is %+v, want %+v", lane, got, want)
	}
	for _, at := range l.positions {
		if b.Ply(lane, at.slot) != at.ply || l.Ply(at.slot) != at.ply || plySlotOf(l.Skips, at.ply) != int(at.slot) {
			t.Fatalf("lane %d: slot %d is ply %d and %d, ply %d is slot %d", lane, at.slot, b.Ply(lane, at.slot), l.Ply(at.slot), at.ply, plySlotOf(l.Skips, at.ply))
		}
		if side := Mover(b.next(b.Skips(lane), at.slot, b.End(lane))); side != at.turn {
			t.Fatalf("lane %d: side %d moves behind slot %d, want %d", lane, side, at.slot, at.turn)
		}
	}
	last := l.positions[len(l.positions)-1]
	if b.Plies(lane) != last.ply || plySlotOf(l.Skips, last.ply+1) != int(l.End) {
		t.Fatalf("lane %d has %d plies, want %d", lane, b.Plies(lane), last.ply)
	}
}
