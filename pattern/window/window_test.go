package window

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// parse reads a shape in the symbols of the paper, and # for off the board.
func parse(tb testing.TB, text string) Shape {
	tb.Helper()
	rows := strings.Fields(text)
	s := Shape{Size: board.Size{W: len(rows[0]), H: len(rows)}}
	sets := map[rune]pattern.Set{'O': Own, 'X': Enemy, '.': pattern.Empty, '&': pattern.Empty | Enemy,
		'@': pattern.Empty | Own, '_': Any, '#': pattern.Off, '*': OnBoard}
	for _, c := range strings.Join(rows, "") {
		set, ok := sets[c]
		if !ok {
			tb.Fatalf("no symbol %q", c)
		}
		s.Cells = append(s.Cells, set)
	}
	if err := s.Check(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// parseBoard reads a board: X is the first side, O the second.
func parseBoard(tb testing.TB, text string) *board.Planes {
	tb.Helper()
	rows := strings.Fields(text)
	b := board.NewPlanes(board.Size{W: len(rows[0]), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range row {
			if i := strings.IndexRune(".XO", c); i > 0 {
				b.Put(board.At(x, y), board.Piece(i))
			}
		}
	}
	return b
}

func windowsOf(b *board.Planes) *Windows {
	w := NewWindows(b.Size)
	w.Reset(b)
	return w
}

func compile(tb testing.TB, shapes ...Shape) *Set {
	tb.Helper()
	set, err := Compile(shapes, Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return set
}

func TestCheck(t *testing.T) {
	cells := func(n int, set pattern.Set) []pattern.Set { return slices.Repeat([]pattern.Set{set}, n) }
	for _, c := range []struct {
		shape Shape
		want  string // "" for none
	}{
		{Shape{Size: board.Size{W: 1, H: 1}, Cells: cells(1, Own)}, ""},
		{Shape{Size: board.Size{W: 19, H: 19}, Cells: cells(361, OnBoard)}, ""},
		{Shape{Size: board.Size{W: 0, H: 1}}, "size 0x1 is out of range: draw 1 to 19 columns and rows"},
		{Shape{Size: board.Size{W: 20, H: 1}, Cells: cells(20, Own)}, "size 20x1 is out of range"},
		{Shape{Size: board.Size{W: 2, H: 2}, Cells: cells(3, Own)}, "3 cells for a region of 2x2: give 4"},
		{Shape{Size: board.Size{W: 2, H: 1}, Cells: cells(2, Own), Marks: make([]uint8, 1)}, "1 marks for a region of 2x1: give none or 2"},
		{Shape{Size: board.Size{W: 2, H: 1}, Cells: []pattern.Set{Own, 0}}, "cell 2,1 has the states 0x0"},
		{Shape{Size: board.Size{W: 1, H: 1}, Cells: cells(1, 1<<3)}, "cell 1,1 has the states 0x8"},
		{Shape{Size: board.Size{W: 2, H: 1}, Cells: []pattern.Set{Any, pattern.Off}}, "every cell may lie outside the board"},
	} {
		err := c.shape.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: got %v, want %q", c.shape.Size, err, c.want)
		}
		_, err = Compile([]Shape{parse(t, "O"), c.shape}, Options{})
		if c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "window: shape 1: ")) {
			t.Errorf("%v: compiled with %v", c.shape.Size, err)
		}
	}
}

func TestOrientations(t *testing.T) {
	for _, c := range []struct {
		shape string
		want  int
	}{
		{"_O_ O.O _O_", 1},
		{"O.O", 2},
		{"O.X", 4},
		{"OX X.", 4},
		{"OX O.", 8},
		{"OX XO", 2},
		{"O.O_ ____", 2}, // the rim says nothing
		{"_O__ O.O_ _O__", 1},
		{"_____ __XO_ _X.X_ __O__ _____", 8},
		{"_____ __O._ _X.&& __O&_ _____", 8},
	} {
		s := parse(t, c.shape)
		list := s.Variants()
		if len(list) != 2*c.want || 8/len(s.Own()) != c.want {
			t.Errorf("%s: %d variants, %d symmetries of its own, want %d orientations", c.shape, len(list), len(s.Own()), c.want)
		}
		for i, p := range list {
			if p.Symmetry.Swap != (i >= c.want) || i%c.want == 0 && p.Symmetry.Board != board.Identity {
				t.Errorf("%s: variant %d is %v", c.shape, i, p.Symmetry)
			}
		}
		// A mark in a corner tells all eight apart.
		s.Marks = make([]uint8, len(s.Cells))
		s.Marks[1] = 1
		s.Marks[0] = 2
		if n := len(s.Variants()); s.said().h > 1 && n != 16 {
			t.Errorf("%s: %d variants with marks", c.shape, n)
		}
	}
}

// TestEdges shows what shapes mean at the edge of the board, and where hits
// are reported.
func TestEdges(t *testing.T) {
	b := parseBoard(t, `
		.....
		.X...
		....O
		.....
		.....`)
	w := windowsOf(b)
	for _, c := range []struct {
		shape string
		line  [2]uint8
		want  string
	}{
		{"O", [2]uint8{}, "1,1 first; 4,2 second"},
		{"O", [2]uint8{2, 2}, "1,1 first"},
		{"O", [2]uint8{2, 0}, "1,1 first"}, // by its row and by its column, but it is one place
		{"O", [2]uint8{0, 1}, "4,2 second"},
		{"O", [2]uint8{1, 0}, "4,2 second"}, // the lines turn with the shape
		{"O", [2]uint8{3, 3}, ""},
		{"O#", [2]uint8{}, "4,2 second"},
		{"O.#", [2]uint8{}, "1,1 first; 1,1 first"},
		{"O*", [2]uint8{}, "1,1 first; 1,1 first; 1,1 first; 1,1 first; 4,2 second; 4,2 second; 4,2 second"},
		{"O&", [2]uint8{}, "1,1 first; 1,1 first; 1,1 first; 1,1 first; 4,2 second; 4,2 second; 4,2 second"},
		{"O_", [2]uint8{}, "1,1 first; 4,2 second"}, // a rim that says nothing makes no other place
		{"O__X ____ ____", [2]uint8{}, ""},
		{"O___ ___X", [2]uint8{}, "1,1 first; 4,2 second"},
	} {
		s := parse(t, c.shape)
		s.Line = c.line
		var got []string
		for _, h := range compile(t, s).AppendHits(nil, w) {
			got = append(got, fmt.Sprintf("%v %s", h.Point(s.Size, 0, 0), [...]string{"first", "second"}[h.Side()]))
		}
		slices.Sort(got)
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s %v: got %s, want %s", c.shape, c.line, text, c.want)
		}
	}
}

func TestPoint(t *testing.T) {
	size := board.Size{W: 3, H: 2}
	h := Hit{Symmetry: game.Symmetry{Board: board.TurnRight}, X: -1, Y: 23}
	for _, c := range []struct {
		x, y int
		want board.Point
	}{{0, 0, board.At(0, 23)}, {1, 0, board.At(0, 24)}, {2, 0, board.NoPoint}, {0, 1, board.NoPoint}} {
		if got := h.Point(size, c.x, c.y); got != c.want {
			t.Errorf("%d,%d lies on %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

// TestWindows compares words with the board, on and around it, after changes
// and after they are made anew.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	w := NewWindows(board.Size{W: 19, H: 19})
	for range testkit.Scale(100, 2000) {
		b := randomBoard(r, randomSize(r))
		w.Reset(b)
		for range 5 {
			p := b.Size.Point(r.IntN(b.Size.Area()))
			piece := board.Piece(r.IntN(3))
			b.Put(p, piece)
			w.Put(p, piece)
		}
		for y := -4; y < b.Size.H+4; y++ {
			for x := -4; x < b.Size.W+4; x++ {
				word := w.word(x, y)
				for dy := -2; dy <= 2; dy++ {
					for dx := -2; dx <= 2; dx++ {
						may := nibbleOf(stateAt(b, x+dx, y+dy))
						if may != 1<<(word>>Shift(dx, dy)&3) {
							t.Fatalf("board %v: the word at %d,%d shows %02b at %d,%d", b.Size, x, y, word>>Shift(dx, dy)&3, dx, dy)
						}
						on := word>>(columnShift+2+dx)&1 == 0 && word>>(rowShift+2+dy)&1 == 0
						if on != (may != 8) {
							t.Fatalf("board %v: the edges at %d,%d say %v at %d,%d", b.Size, x, y, on, dx, dy)
						}
					}
				}
			}
		}
		w.Put(board.NoPoint, 1)
		w.Put(board.At(b.Size.W, 0), 1)
		w.Put(board.At(0, 0), 3)
		other := windowsOf(b)
		if other.words != w.words {
			t.Fatalf("board %v: kept and new words differ", b.Size)
		}
		swapped := windowsOf(b.Transform(board.Identity, []board.Piece{2, 1}))
		for p := range b.Size.Points() {
			if Swap(w.At(p)) != swapped.At(p) || w.Piece(p) != b.At(p) {
				t.Fatalf("board %v: colours at %v", b.Size, p)
			}
		}
	}
}

// TestTurn compares turned rings with rings of turned boards, and classes of
// 3x3 with each other.
func TestTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	c := canons()
	for range 200 {
		b := randomBoard(r, board.Size{W: 5, H: 5})
		mid := board.At(2, 2)
		word := windowsOf(b).At(mid)
		for s := range sym(syms) {
			var swap []board.Piece
			if s.swap() {
				swap = []board.Piece{2, 1}
			}
			turned := windowsOf(b.Transform(s.board(), swap)).At(mid)
			if got := turn(uint32(word>>nineBits), s); got != uint32(turned>>nineBits) {
				t.Fatalf("%v: ring %032b turns to %032b, want %032b", s, uint32(word>>nineBits), got, uint32(turned>>nineBits))
			}
			of, to := c.of[word&nineMask], c.of[turned&nineMask]
			if of == 0 || of>>4 != to>>4 {
				t.Fatalf("%v: classes %d and %d", s, of>>4, to>>4)
			}
			// Both get to the same picture.
			if a, b := normal(b, sym(of&15)), normal(b.Transform(s.board(), swap), sym(to&15)); a != b {
				t.Fatalf("%v: %018b and %018b stand for the same", s, a, b)
			}
		}
	}
	// 3^9 readings inside; fewer classes than a sixteenth and some more.
	if c.classes < 3*3*3*3*3*3*3*3*3/16 || c.classes > 1<<12 {
		t.Errorf("%d classes", c.classes)
	}
}

// normal returns the middle of a board of 5x5 after a symmetry.
func normal(b *board.Planes, s sym) uint64 {
	var swap []board.Piece
	if s.swap() {
		swap = []board.Piece{2, 1}
	}
	return windowsOf(b.Transform(s.board(), swap)).At(board.At(2, 2)) & nineMask
}

// signature is what a hit says, however its symmetry is named: the states that
// it wants on places of the board. Cells that want nothing are left out: with
// them a place could be told twice, in pictures that differ in their rims.
func signature(s *Shape, h Hit, side game.Side, to func(x, y int) (int, int)) string {
	size := h.Symmetry.Board.Turned(s.Size)
	back := h.Symmetry.Board.Inverse()
	var cells []string
	for p := range size.Points() {
		q := back.Apply(size, p)
		x, y := to(int(h.X)+p.X(), int(h.Y)+p.Y())
		mark := uint8(0)
		if s.Marks != nil {
			mark = s.Marks[s.Size.Index(q)]
		}
		if s.At(q.X(), q.Y()) == Any && mark == 0 {
			continue
		}
		cells = append(cells, fmt.Sprintf("%d,%d:%d.%d", x, y, s.At(q.X(), q.Y()), mark))
	}
	slices.Sort(cells)
	return fmt.Sprint(h.Shape, side, cells)
}

// FuzzSymmetries states that what is found on a picture of a board is the
// picture of what is found on it.
func FuzzSymmetries(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := randomBoard(r, randomSize(r))
		shapes := make([]Shape, 4)
		for i := range shapes {
			shapes[i] = randomShape(r, b)
		}
		set := compile(t, shapes...)
		all := func(b *board.Planes, g board.Symmetry, swap bool) (list []string) {
			for _, h := range set.AppendHits(nil, windowsOf(b)) {
				side := h.Side()
				if swap {
					side = side.Opponent()
				}
				// Take places back to the board before the symmetry.
				list = append(list, signature(&shapes[h.Shape], h, side, func(x, y int) (int, int) {
					w, h := b.Size.W, b.Size.H
					if g&board.Mirror != 0 {
						x = w - 1 - x
					}
					if g&board.Flip != 0 {
						y = h - 1 - y
					}
					if g&board.Transpose != 0 {
						x, y = y, x
					}
					return x, y
				}))
			}
			slices.Sort(list)
			if n := len(list); len(slices.Compact(list)) != n {
				t.Fatalf("%v: a place is reported twice", g)
			}
			return list
		}
		want := all(b, board.Identity, false)
		for g := range board.NumSymmetries {
			if got := all(b.Transform(g, nil), g, false); !slices.Equal(got, want) {
				t.Fatalf("%v: %d hits, want %d", g, len(got), len(want))
			}
			if got := all(b.Transform(g, []board.Piece{2, 1}), g, true); !slices.Equal(got, want) {
				t.Fatalf("%v with colours exchanged: %d hits, want %d", g, len(got), len(want))
			}
		}
	})
}

// FuzzTracker states that a tracker knows after any changes what a new look at
// the board finds.
func FuzzTracker(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := randomBoard(r, randomSize(r))
		shapes := make([]Shape, 6)
		for i := range shapes {
			shapes[i] = randomShape(r, b)
		}
		set := compile(t, shapes...)
		tracker := NewTracker(set, board.Size{W: 19, H: 19})
		tracker.Reset(b)
		for range 30 {
			var list []game.Changed
			for range r.IntN(5) {
				c := game.Changed{Point: b.Size.Point(r.IntN(b.Size.Area())), Piece: board.Piece(r.IntN(3))}
				b.Put(c.Point, c.Piece)
				list = append(list, c)
			}
			tracker.Change(append(list, game.Changed{Point: board.NoPoint, Piece: 1}))
			same(t, tracker, set, b)
		}
	})
}

// same compares a tracker with a new look at a board.
func same(t *testing.T, tracker *Tracker, set *Set, b *board.Planes) {
	t.Helper()
	want := set.AppendHits(nil, windowsOf(b))
	if got := tracker.AppendHits(nil); !slices.Equal(got, want) {
		t.Fatalf("the tracker has %d hits, a new look %d", len(got), len(want))
	}
}

// TestTrackerPlay keeps shapes over games of random moves, with captures.
func TestTrackerPlay(t *testing.T) {
	rules, err := weiqi.Standard.Variant("7x7")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 10))
	set := compile(t, parse(t, "_O_ O.O _O_"), parse(t, "O. .X"), parse(t, "OX. X__ #__"), parse(t, "O_____X"))
	captures := 0
	for range 5 {
		pos := rules.Start().(*weiqi.Position)
		tracker := NewTracker(set, board.Size{W: 7, H: 7})
		var moves []game.Move
		for range 120 {
			moves = pos.AppendMoves(moves[:0])
			if len(moves) == 0 {
				break
			}
			if err := pos.Play(moves[r.IntN(len(moves))]); err != nil {
				t.Fatal(err)
			}
			changed := pos.AppendChanged(nil)
			if len(changed) > 1 {
				captures++
			}
			tracker.Change(changed)
			same(t, tracker, set, pos.Planes())
		}
	}
	if captures < 5 {
		t.Errorf("%d captures: too few to say anything", captures)
	}
}

func TestNoAllocations(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	b := randomBoard(r, board.Size{W: 19, H: 19})
	shapes := make([]Shape, 100)
	for i := range shapes {
		shapes[i] = randomShape(r, b)
		if i%2 == 0 {
			shapes[i] = parse(t, "_____ __O._ _X.&& __O&_ _____")
		}
	}
	set := compile(t, shapes...)
	w := windowsOf(b)
	tracker := NewTracker(set, b.Size)
	tracker.Reset(b)
	hits := set.AppendHits(nil, w)
	change := []game.Changed{{Point: board.At(9, 9), Piece: 1}, {Point: board.At(9, 10)}}
	for name, f := range map[string]func(){
		"AppendHits":   func() { hits = set.AppendHits(hits[:0], w) },
		"AppendHitsOf": func() { hits = set.AppendHitsOf(hits[:0], w, game.Second) },
		"Reset":        func() { w.Reset(b) },
		"Tracker": func() {
			tracker.Change(change)
			hits = tracker.AppendHits(hits[:0])
		},
	} {
		if n := testing.AllocsPerRun(10, f); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
