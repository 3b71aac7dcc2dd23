package pattern

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

// rules returns a game by a spec such as "weiqi:9x9".
func rules(t testing.TB, spec string) game.Rules {
	t.Helper()
	c := game.Catalog{weiqi.Standard, othello.Standard, renju.Renju, xiangqi.Standard}
	r, err := c.Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// searched lists, by hand, the symmetries under which each game is searched.
func searched(b Board, mirror, swap bool) []game.Symmetry {
	list := []game.Symmetry{{}}
	if b.Kinds > 2 { // Xiangqi
		switch {
		case mirror && swap:
			return []game.Symmetry{{}, {Board: board.Mirror}, {Board: board.Flip, Swap: true}, {Board: board.HalfTurn, Swap: true}}
		case mirror:
			return append(list, game.Symmetry{Board: board.Mirror})
		case swap:
			return append(list, game.Symmetry{Board: board.HalfTurn, Swap: true})
		}
		return list
	}
	if mirror {
		n := board.NumSymmetries
		if !b.Size.Square() {
			n = board.Transpose
		}
		for s := board.Mirror; s < n; s++ {
			list = append(list, game.Symmetry{Board: s})
		}
	}
	if swap {
		for _, s := range slices.Clone(list) {
			list = append(list, game.Symmetry{Board: s.Board, Swap: true})
		}
	}
	return list
}

// spotted is a cell of a pattern laid somewhere, on the board or outside.
type spotted struct {
	x, y int
	set  Set
}

// key identifies an oriented pattern at a place by everything that it says.
func key(cells []spotted, turn Turn) string {
	slices.SortFunc(cells, func(a, b spotted) int { return (a.y-b.y)*1000 + a.x - b.x })
	return fmt.Sprint(cells, turn)
}

// lies tells by the words of the definition whether a pattern as drawn may lie
// with its top left point in column x and row y.
func lies(p *Pattern, b Board, x, y int) bool {
	any := false
	var over Edges
	for i, set := range p.Cells {
		cx, cy := x+i%p.Size.W, y+i/p.Size.W
		if cx < 0 || cy < 0 || cx >= b.Size.W || cy >= b.Size.H {
			if set&Off == 0 {
				return false
			}
			continue
		}
		if set == Off {
			return false
		}
		any = true
		if cy == 0 {
			over |= Top
		}
		if cy == b.Size.H-1 {
			over |= Bottom
		}
		if cx == 0 {
			over |= Left
		}
		if cx == b.Size.W-1 {
			over |= Right
		}
	}
	edges := p.Edges
	switch p.Anchor {
	case Fixed:
		return x == p.At.X() && y == p.At.Y()
	case Corner:
		if edges == 0 {
			edges = Top | Left
		}
		return over&edges == edges
	case Side:
		if edges == 0 {
			edges = Top
		}
		return over == edges
	case Centre:
		return any && over == 0
	}
	return any
}

// oracle returns all placements of a pattern, and for each whether it holds on
// a board. It never turns the pattern: it turns the board back under each
// symmetry, and lays the pattern there as drawn.
func oracle(p *Pattern, b Board, pl *board.Planes) map[string]bool {
	found := map[string]bool{}
	for _, sym := range searched(b, p.Mirror, p.Swap) {
		swap := []board.Piece(nil)
		if sym.Swap {
			swap = b.Swap
		}
		back := pl.Transform(sym.Board.Inverse(), swap)
		for y := -p.Size.H; y <= b.Size.H; y++ {
			for x := -p.Size.W; x <= b.Size.W; x++ {
				if !lies(p, b, x, y) {
					continue
				}
				holds := true
				var cells []spotted
				for i, set := range p.Cells {
					cx, cy := x+i%p.Size.W, y+i/p.Size.W
					at := board.At(cx, cy)
					if cx >= 0 && cy >= 0 && cx < b.Size.W && cy < b.Size.H && !set.Has(back.At(at)) {
						holds = false
					}
					cells = append(cells, seen(b, sym, spotted{cx, cy, set}))
				}
				turn := p.Turn
				if sym.Swap && turn == FirstToMove {
					turn = SecondToMove
				} else if sym.Swap && turn == SecondToMove {
					turn = FirstToMove
				}
				found[key(cells, turn)] = holds
			}
		}
	}
	return found
}

// seen returns a cell after a symmetry of the board, in its three steps.
func seen(b Board, sym game.Symmetry, c spotted) spotted {
	if sym.Board&board.Transpose != 0 {
		c.x, c.y = c.y, c.x
	}
	if sym.Board&board.Mirror != 0 {
		c.x = b.Size.W - 1 - c.x
	}
	if sym.Board&board.Flip != 0 {
		c.y = b.Size.H - 1 - c.y
	}
	if sym.Swap {
		var set Set
		for bit := range 32 {
			if c.set>>bit&1 == 0 {
				continue
			}
			if bit >= 1 && bit <= b.Kinds {
				set |= Of(b.Swap[bit-1])
			} else {
				set |= 1 << bit
			}
		}
		c.set = set
	}
	return c
}

// compiled returns the same as oracle through Compile, and checks the laws of
// each placement on the way.
func compiled(t *testing.T, p *Pattern, b Board, pl *board.Planes) map[string]bool {
	t.Helper()
	places, err := Compile(p, b)
	if err != nil {
		if len(places) > 0 {
			t.Fatal("placements beside an error")
		}
		return map[string]bool{}
	}
	found := map[string]bool{}
	for i := range places {
		place := &places[i]
		var cells []spotted
		want := map[uint16]Set{}
		region := []uint16{}
		for y := range place.Size.H {
			for x := range place.Size.W {
				q := place.Symmetry.Board.Inverse().Apply(place.Size, board.At(x, y))
				set := p.Cells[p.Size.Index(q)]
				bx, by := place.X+x, place.Y+y
				if bx >= 0 && by >= 0 && bx < b.Size.W && by < b.Size.H {
					at := board.At(bx, by)
					if rx, ry := place.Back(at); rx != q.X() || ry != q.Y() {
						t.Fatalf("Back(%v) = %d,%d, want %v", at, rx, ry, q)
					}
					region = append(region, uint16(b.Size.Index(at)))
				}
				c := seen(b, game.Symmetry{Swap: place.Symmetry.Swap}, spotted{bx, by, set})
				if on := c.set & AnyOn(b.Kinds); bx >= 0 && by >= 0 && bx < b.Size.W && by < b.Size.H && on != AnyOn(b.Kinds) {
					want[uint16(by*b.Size.W+bx)] = on
				}
				cells = append(cells, c)
			}
		}
		if !slices.Equal(place.Region, region) {
			t.Fatalf("region %v, want %v", place.Region, region)
		}
		if len(place.Points) != len(want) || len(place.Sets) != len(want) {
			t.Fatalf("%d points, %d sets, want %d", len(place.Points), len(place.Sets), len(want))
		}
		holds := true
		for i, at := range place.Points {
			set := place.Sets[i]
			if want[at] != set {
				t.Fatalf("point %d: set %b, want %b", at, set, want[at])
			}
			if i > 0 && !ordered(place.Sets[i-1], set, place.Points[i-1], at) {
				t.Fatalf("sets %b at %v are not in order", place.Sets, place.Points)
			}
			holds = holds && set.Has(pl.At(b.Size.Point(int(at))))
		}
		k := key(cells, place.Turn)
		if _, twice := found[k]; twice {
			t.Fatalf("placed twice: %s", k)
		}
		found[k] = holds
	}
	return found
}

// ordered tells whether one point may stand before another: points that must
// not be empty first, then smaller sets, then the order of the board.
func ordered(a, b Set, p, q uint16) bool {
	size := func(s Set) (n int) {
		for piece := range board.Piece(31) {
			if s.Has(piece) {
				n++
			}
		}
		return n
	}
	switch {
	case a.Has(board.Empty) != b.Has(board.Empty):
		return b.Has(board.Empty)
	case size(a) != size(b):
		return size(a) < size(b)
	}
	return p < q
}

// randomBoard returns a board filled with pieces at random.
func randomBoard(rng *rand.Rand, b Board) *board.Planes {
	pl := board.NewPlanes(b.Size, b.Kinds)
	for at := range b.Size.Points() {
		if rng.IntN(2) == 0 {
			pl.Put(at, board.Piece(1+rng.IntN(b.Kinds)))
		}
	}
	return pl
}

// randomPattern returns a pattern that Compile does not refuse for what it
// says, often one that holds somewhere on the board.
func randomPattern(rng *rand.Rand, b Board, pl *board.Planes) *Pattern {
	w, h := 1+rng.IntN(4), 1+rng.IntN(4)
	if rng.IntN(12) == 0 {
		w = max(1, b.Size.W+rng.IntN(3)-1)
	}
	if rng.IntN(12) == 0 {
		w, h = b.Size.W, b.Size.H
	}
	p := &Pattern{Size: board.Size{W: w, H: h}, Cells: make([]Set, w*h), To: -1}
	x, y := rng.IntN(b.Size.W+2)-1, rng.IntN(b.Size.H+2)-1
	on, plain := AnyOn(b.Kinds), rng.IntN(3) == 0
	ground := []Set{Empty, on | Off}[rng.IntN(2)]
	for i := range p.Cells {
		cx, cy := x+i%w, y+i/w
		set := Off
		if cx >= 0 && cy >= 0 && cx < b.Size.W && cy < b.Size.H {
			set = Of(pl.At(board.At(cx, cy)))
		}
		switch n := rng.IntN(8); {
		case plain:
			set = ground
			if i == 0 && n > 4 {
				set = Of(1)
			}
		case n == 0:
			set |= on
		case n == 1:
			set |= on | Off
		case n == 2:
			set |= Set(rng.Uint32()) & on
		case n == 3:
			set |= Off
		}
		p.Cells[i] = set
	}
	p.Anchor = Anchor(rng.IntN(5))
	p.At = b.Size.Point(rng.IntN(b.Size.Area()))
	corners := []Edges{0, Top | Left, Top | Right, Bottom | Left, Bottom | Right, Top | Left | Right, Bottom | Left | Top}
	sides := []Edges{0, Top, Left, Bottom, Right, Top | Bottom, Left | Right}
	switch p.Anchor {
	case Corner:
		p.Edges = corners[rng.IntN(len(corners))]
	case Side:
		p.Edges = sides[rng.IntN(len(sides))]
	}
	p.Mirror, p.Swap, p.Turn = rng.IntN(2) == 0, rng.IntN(2) == 0, Turn(rng.IntN(3))
	return p
}

var specs = []string{"weiqi:5x5", "weiqi:9x9", "weiqi:5x7", "weiqi:1x4", "othello:6x6", "othello", "renju:9x9", "renju:6x6,free", "xiangqi"}

// TestOracle holds Compile against the definition.
func TestOracle(t *testing.T) {
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(len(spec))))
			b := BoardOf(rules(t, spec))
			fits, hits := 0, 0
			n := testkit.Scale(150, 10000)
			for range n {
				pl := randomBoard(rng, b)
				p := randomPattern(rng, b, pl)
				want, got := oracle(p, b, pl), compiled(t, p, b, pl)
				if len(want) > 0 {
					fits++
				}
				for k, holds := range want {
					if is, ok := got[k]; !ok || is != holds {
						t.Fatalf("%+v\nplaced %v, holds %v, want %v: %s", p, ok, is, holds, k)
					}
					if holds {
						hits++
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%+v\n%d placements, want %d", p, len(got), len(want))
				}
			}
			if fits < n/4 || hits < n/4 {
				t.Errorf("%d of %d patterns fit, with %d hits: the test has become empty", fits, n, hits)
			}
		})
	}
}

// TestPictures checks that a board and its pictures have equally many hits.
func TestPictures(t *testing.T) {
	for _, spec := range specs {
		rng := rand.New(rand.NewPCG(2, 2))
		b := BoardOf(rules(t, spec))
		count := func(places []Placement, pl *board.Planes) (n int) {
		next:
			for _, place := range places {
				for i, at := range place.Points {
					if !place.Sets[i].Has(pl.At(b.Size.Point(int(at)))) {
						continue next
					}
				}
				n++
			}
			return n
		}
		all := 0
		for range testkit.Scale(60, 2000) {
			pl := randomBoard(rng, b)
			p := randomPattern(rng, b, pl)
			p.Mirror, p.Swap = true, true
			places, _ := Compile(p, b) // none where the pattern lies nowhere
			want := count(places, pl)
			all += want
			for _, sym := range searched(b, true, true) {
				swap := []board.Piece(nil)
				if sym.Swap {
					swap = b.Swap
				}
				if got := count(places, pl.Transform(sym.Board, swap)); got != want {
					t.Fatalf("%s: %+v under %v: %d hits, want %d", spec, p, sym, got, want)
				}
			}
		}
		if all == 0 {
			t.Errorf("%s: no hits at all", spec)
		}
	}
}

// TestOrder checks that the pattern as drawn comes first, then whole pictures,
// each row by row.
func TestOrder(t *testing.T) {
	b := BoardOf(rules(t, "weiqi:9x9"))
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		pl := randomBoard(rng, b)
		p := randomPattern(rng, b, pl)
		places, err := Compile(p, b)
		if err != nil {
			continue
		}
		again, _ := Compile(p, b)
		var order []string
		last := -1
		for i, place := range places {
			if fmt.Sprint(place) != fmt.Sprint(again[i]) {
				t.Fatal("two runs differ")
			}
			name := fmt.Sprint(place.Symmetry)
			at := place.Y*100 + place.X
			if len(order) == 0 || order[len(order)-1] != name {
				if slices.Contains(order, name) {
					t.Fatalf("the pictures are mixed: %s", strings.Join(order, " "))
				}
				order = append(order, name)
			} else if at <= last {
				t.Fatalf("%d,%d is out of order", place.X, place.Y)
			}
			last = at
		}
		if places[0].Symmetry != (game.Symmetry{}) {
			t.Fatalf("%v comes first", places[0].Symmetry)
		}
	}
}
