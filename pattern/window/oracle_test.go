package window

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// stateAt is what stands at a place of a board, outside it too, as a set.
func stateAt(b *board.Planes, x, y int) pattern.Set {
	if x < 0 || y < 0 || x >= b.Size.W || y >= b.Size.H {
		return pattern.Off
	}
	return pattern.Of(b.At(board.At(x, y)))
}

// oracle finds what AppendHits should, cell by cell: every symmetry at every
// place, without windows, pictures or tables.
func oracle(shapes []Shape, b *board.Planes) (hits []Hit) {
	// The board with all that lies outside as far as shapes reach.
	const wide = board.MaxSide + 4*MaxSide
	field := make([]pattern.Set, wide*wide)
	for i := range field {
		field[i] = stateAt(b, i%wide-2*MaxSide, i/wide-2*MaxSide)
	}
	for n := range shapes {
		s := &shapes[n]
		pictures := map[string][]drawing{}
		for sym := range board.NumSymmetries {
			p := draw(s, sym)
			pictures[p.key] = append(pictures[p.key], p)
		}
		for _, alike := range pictures {
			p := alike[0]
			for y := -p.h; y < b.Size.H; y++ {
				for x := -p.w; x < b.Size.W; x++ {
					if !slices.ContainsFunc(alike, func(q drawing) bool { return q.within(b.Size, x+p.left-q.left, y+p.top-q.top) }) {
						continue
					}
					for _, swap := range []bool{false, true} {
						if p.lies(field[(y+2*MaxSide)*wide+x+2*MaxSide:], wide, swap) {
							hits = append(hits, Hit{int32(n), game.Symmetry{Board: p.sym, Swap: swap}, int16(x), int16(y)})
						}
					}
				}
			}
		}
	}
	return hits
}

// drawing is a picture of a shape as the oracle makes it.
type drawing struct {
	sym    board.Symmetry
	w, h   int
	cells  []pattern.Set
	line   [2]uint8
	cx, cy int

	left, top int    // the first column and row that say something
	key       string // the same for those that look the same from there on
}

// nothing is how a cell without a mark that may be anything is written in a key.
const nothing = 15

func draw(s *Shape, sym board.Symmetry) (d drawing) {
	d.sym, d.w, d.h, d.line = sym, s.Size.W, s.Size.H, s.Line
	if sym&board.Transpose != 0 {
		d.w, d.h, d.line = s.Size.H, s.Size.W, [2]uint8{s.Line[1], s.Line[0]}
	}
	to := func(x, y int) (int, int) {
		if sym&board.Transpose != 0 {
			x, y = y, x
		}
		if sym&board.Mirror != 0 {
			x = d.w - 1 - x
		}
		if sym&board.Flip != 0 {
			y = d.h - 1 - y
		}
		return x, y
	}
	d.cx, d.cy = to((s.Size.W-1)/2, (s.Size.H-1)/2)
	d.cells = make([]pattern.Set, len(s.Cells))
	key := make([]byte, len(s.Cells))
	d.left, d.top = d.w, d.h
	for i, set := range s.Cells {
		x, y := to(i%s.Size.W, i/s.Size.W)
		d.cells[y*d.w+x] = set
		key[y*d.w+x] = byte(set) | byte(set>>28)
		if s.Marks != nil {
			key[y*d.w+x] |= s.Marks[i] << 4
		}
		if key[y*d.w+x] != nothing {
			d.left, d.top = min(d.left, x), min(d.top, y)
		}
	}
	var said []string
	for i, k := range key {
		if k != nothing {
			said = append(said, fmt.Sprint(i%d.w-d.left, i/d.w-d.top, k))
		}
	}
	d.key = fmt.Sprint(said)
	return d
}

// within tells whether the picture keeps to its lines with its corner there.
func (d *drawing) within(size board.Size, x, y int) bool {
	if n := int(d.line[0]); n > 0 && min(y+d.cy+1, size.H-(y+d.cy)) != n {
		return false
	}
	n := int(d.line[1])
	return n == 0 || min(x+d.cx+1, size.W-(x+d.cx)) == n
}

// lies tells whether the picture is what a field shows from its beginning on.
func (d *drawing) lies(field []pattern.Set, wide int, swap bool) bool {
	for i, set := range d.cells {
		state := field[i/d.w*wide+i%d.w]
		switch {
		case swap && state == Own:
			state = Enemy
		case swap && state == Enemy:
			state = Own
		}
		if set&state == 0 {
			return false
		}
	}
	return true
}

func sortHits(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		swap := func(h Hit) int { return int(h.Side()) }
		return cmp.Or(cmp.Compare(a.Shape, b.Shape), cmp.Compare(swap(a), swap(b)), cmp.Compare(a.Symmetry.Board, b.Symmetry.Board),
			cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	return hits
}

// randomBoard fills a board with stones, some boards densely and some hardly.
func randomBoard(r *rand.Rand, size board.Size) *board.Planes {
	b := board.NewPlanes(size, 2)
	density := r.Float64()
	for p := range size.Points() {
		if r.Float64() < density {
			b.Put(p, board.Piece(1+r.IntN(2)))
		}
	}
	return b
}

// randomSize returns any size, small ones more often: they are nearly all edge.
func randomSize(r *rand.Rand) board.Size {
	most := []int{5, 9, 9, 9, board.MaxSide}[r.IntN(5)]
	if r.IntN(3) == 0 {
		n := 1 + r.IntN(most)
		return board.Size{W: n, H: n}
	}
	return board.Size{W: 1 + r.IntN(most), H: 1 + r.IntN(most)}
}

// randomShape draws a shape that mostly is somewhere on the board: what stands
// there, more or less loosened, in one case of four spoiled by one cell.
func randomShape(r *rand.Rand, b *board.Planes) Shape {
	side := func() int {
		if r.IntN(6) == 0 {
			return 1 + r.IntN(MaxSide)
		}
		return 1 + r.IntN(5)
	}
	s := Shape{Size: board.Size{W: side(), H: side()}}
	if r.IntN(2) == 0 {
		s.Size = board.Size{W: 5, H: 5}
	}
	x0 := r.IntN(b.Size.W+s.Size.W) - s.Size.W + 1
	y0 := r.IntN(b.Size.H+s.Size.H) - s.Size.H + 1
	loose, odd := r.Float64(), r.Float64()*r.Float64()
	s.Cells = make([]pattern.Set, s.Size.Area())
	for i := range s.Cells {
		s.Cells[i] = stateAt(b, x0+i%s.Size.W, y0+i/s.Size.W)
		switch {
		case r.Float64() < odd:
			s.Cells[i] |= Any & pattern.Set(r.Uint32())
		case r.Float64() < loose:
			s.Cells[i] = Any
		}
	}
	if r.IntN(4) == 0 {
		i := r.IntN(len(s.Cells))
		s.Cells[i] = max(1, Any&pattern.Set(r.Uint32()))
	}
	if cx, cy := s.Centre(); r.IntN(4) == 0 {
		at := []int{min(y0+cy+1, b.Size.H-y0-cy), min(x0+cx+1, b.Size.W-x0-cx)}
		for i, n := range at {
			if n > 0 && r.IntN(2) == 0 {
				s.Line[i] = uint8(n)
			}
		}
	}
	if r.IntN(8) == 0 {
		s.Marks = make([]uint8, len(s.Cells))
		s.Marks[r.IntN(len(s.Marks))] = 1
	}
	if s.Check() != nil {
		s.Cells[r.IntN(len(s.Cells))] = pattern.Empty
	}
	if s.Size.W > 2 && r.IntN(4) == 0 {
		fold(&s, r.IntN(2))
	}
	return s
}

// fold makes a shape symmetric in its columns from one on: where that is not the
// first, the shape lies beside the middle of its region.
func fold(s *Shape, from int) {
	for y := range s.Size.H {
		row := s.Cells[y*s.Size.W:][:s.Size.W]
		for x := range from {
			row[x] = Any
		}
		for x := from; x < s.Size.W; x++ {
			row[x] = row[s.Size.W-1-(x-from)]
		}
	}
	s.Marks = nil
	if s.Check() != nil {
		s.Cells[from+(s.Size.W-from)/2] = pattern.Empty
	}
}

// TestOracle compares sets with the oracle: every shape on every board is a
// case of all its places, orientations and colours.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	cases, found := 0, 0
	for cases < testkit.Scale(8_000, 1_000_000) {
		b := randomBoard(r, randomSize(r))
		shapes := make([]Shape, 1+r.IntN(12))
		for i := range shapes {
			shapes[i] = randomShape(r, b)
		}
		var o Options
		if r.IntN(3) == 0 {
			o = Options{MaxTests: 1 + r.IntN(8), MaxCodes: 1 + r.IntN(100)}
		}
		set, err := Compile(shapes, o)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWindows(b.Size)
		w.Reset(b)
		got := set.AppendHits(nil, w)
		both := set.AppendHitsOf(set.AppendHitsOf(nil, w, game.First), w, game.Second)
		want := sortHits(oracle(shapes, b))
		if !slices.Equal(sortHits(got), want) || !slices.Equal(sortHits(both), want) {
			t.Fatalf("case %d: board %v: got %d hits, by sides %d, want %d", cases, b.Size, len(got), len(both), len(want))
		}
		cases += len(shapes)
		found += len(want)
	}
	if found < cases {
		t.Errorf("%d hits in %d cases: too few to say anything", found, cases)
	}
}
