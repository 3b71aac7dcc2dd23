package pattern

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
)

// edgeNames writes edges for scripts.
func edgeNames(e Edges) string {
	var list []string
	for i, name := range []string{"top", "right", "bottom", "left"} {
		if e>>i&1 != 0 {
			list = append(list, name)
		}
	}
	return strings.Join(list, "+")
}

// TestDiagrams runs the scripts of the language: "parse GAME" reads a diagram
// and prints it back with its anchor, "lay GAME [mirror] [swap]" counts the
// placements of each picture.
func TestDiagrams(t *testing.T) {
	testkit.Script(t, "testdata/diagrams.txt", func(t *testing.T, c testkit.Command) string {
		r := rules(t, c.Args[0])
		p, err := Parse(r.Geometry(), c.Input)
		if err != nil {
			return err.Error()
		}
		if c.Name == "parse" {
			out := p.Format(r.Geometry()) + p.Anchor.String()
			if p.Edges != 0 {
				out += " " + edgeNames(p.Edges)
			}
			if p.Anchor == Fixed {
				out += " at " + r.Geometry().Name(p.At)
			}
			return out
		}
		p.Mirror, p.Swap = slices.Contains(c.Args, "mirror"), slices.Contains(c.Args, "swap")
		places, err := Compile(p, BoardOf(r))
		if err != nil {
			return err.Error()
		}
		var out strings.Builder
		for len(places) > 0 {
			first := places[0]
			n := slices.IndexFunc(places, func(q Placement) bool { return q.Symmetry != first.Symmetry })
			if n < 0 {
				n = len(places)
			}
			last := places[n-1]
			name := first.Symmetry.Board.String()
			if first.Symmetry.Swap {
				name += " swapped"
			}
			fmt.Fprintf(&out, "%s: %d of %v, %d,%d to %d,%d\n", name, n, first.Size, first.X, first.Y, last.X, last.Y)
			places = places[n:]
		}
		return out.String()
	})
}

func TestAnchors(t *testing.T) {
	for a := Floating; a <= Centre; a++ {
		got, err := ParseAnchor(strings.ToUpper(a.String()))
		if got != a || err != nil {
			t.Errorf("%v reads back as %v, %v", a, got, err)
		}
	}
	if a, err := ParseAnchor("center"); a != Centre || err != nil {
		t.Errorf("center is %v, %v", a, err)
	}
	if _, err := ParseAnchor("middle"); err == nil || !strings.Contains(err.Error(), "corner, side, centre") {
		t.Errorf("middle: %v", err)
	}
	if Anchor(9).String() != "anchor 9" {
		t.Error(Anchor(9))
	}
}

func TestGuess(t *testing.T) {
	size := board.Size{W: 9, H: 10}
	for _, c := range []struct {
		x, y, w, h int
		anchor     Anchor
		edges      Edges
	}{
		{0, 0, 9, 10, Fixed, allEdges},
		{0, 0, 3, 3, Corner, Top | Left},
		{6, 7, 3, 3, Corner, Right | Bottom},
		{0, 0, 9, 3, Corner, Top | Left | Right},
		{3, 0, 3, 3, Side, Top},
		{8, 4, 1, 1, Side, Right},
		{3, 0, 3, 10, Side, Top | Bottom},
		{1, 1, 7, 8, Centre, 0},
	} {
		a, e := Guess(size, c.x, c.y, c.w, c.h)
		if a != c.anchor || e != c.edges {
			t.Errorf("%d,%d %dx%d: %v %s, want %v %s", c.x, c.y, c.w, c.h, a, edgeNames(e), c.anchor, edgeNames(c.edges))
		}
	}
}

// TestEdgesTurn checks the edges after every symmetry against the points of the
// first lines.
func TestEdgesTurn(t *testing.T) {
	size := board.Size{W: 5, H: 5}
	middle := map[Edges]board.Point{Top: board.At(2, 0), Right: board.At(4, 2), Bottom: board.At(2, 4), Left: board.At(0, 2)}
	for sym := range board.NumSymmetries {
		for e := range allEdges + 1 {
			got := e.transform(sym)
			for edge, at := range middle {
				for to, q := range middle {
					if sym.Apply(size, at) == q && (e&edge != 0) != (got&to != 0) {
						t.Errorf("%v takes %s to %s", sym, edgeNames(e), edgeNames(got))
					}
				}
			}
		}
	}
}

// TestCut checks that what is cut out of a board lies there, and that the whole
// board lies nowhere else.
func TestCut(t *testing.T) {
	for _, spec := range []string{"weiqi:9x9", "othello", "xiangqi", "renju"} {
		r := rules(t, spec)
		pos := r.Start()
		for range 8 {
			moves := pos.AppendMoves(nil)
			if err := pos.Play(moves[len(moves)/3]); err != nil {
				t.Fatal(err)
			}
		}
		pl, b := pos.(game.Planar).Planes(), BoardOf(r)
		whole, err := Compile(FromBoard(pl), b)
		if err != nil || len(whole) != 1 || len(whole[0].Points) != b.Size.Area() {
			t.Fatalf("%s: %d placements of the whole board, %v", spec, len(whole), err)
		}
		for _, c := range [][4]int{{0, 0, 3, 3}, {2, 0, 3, 2}, {2, 3, 2, 3}, {-2, 4, 4, 2}, {5, 5, 40, 40}, {2, 0, 2, 40}} {
			p := Region(pl, c[0], c[1], c[2], c[3])
			places, err := Compile(p, b)
			if err != nil {
				t.Errorf("%s: %v: %v", spec, c, err)
			}
			if !slices.ContainsFunc(places, func(q Placement) bool {
				return q.X == max(0, c[0]) && q.Y == c[1] && !slices.ContainsFunc(q.Points, func(at uint16) bool {
					return !q.Sets[slices.Index(q.Points, at)].Has(pl.At(b.Size.Point(int(at))))
				})
			}) {
				t.Errorf("%s: %v does not hold where it was cut out", spec, c)
			}
		}
		if _, err := Compile(Region(pl, 30, 30, 2, 2), b); err == nil {
			t.Errorf("%s: a region of nothing compiles", spec)
		}
	}
}

// TestRefused checks the errors of Compile.
func TestRefused(t *testing.T) {
	b := BoardOf(rules(t, "weiqi:9x9"))
	sound := func() *Pattern {
		return &Pattern{Size: board.Size{W: 2, H: 1}, Cells: []Set{Of(1), Empty}, To: -1}
	}
	for _, c := range []struct {
		want  string
		fit   bool // it means something, but lies nowhere
		spoil func(p *Pattern)
	}{
		{"0x1 is out of range", false, func(p *Pattern) { p.Size.W = 0 }},
		{"28x1 is out of range: 1 to 27", false, func(p *Pattern) { p.Size.W = 28 }},
		{"2 cells for a region of 2x2", false, func(p *Pattern) { p.Size.H = 2 }},
		{"row 1, column 2 allows no state", false, func(p *Pattern) { p.Cells[1] = 0 }},
		{"allows piece 3: the game has 2 kinds", false, func(p *Pattern) { p.Cells[0] = Of(3) | Of(1) }},
		{"anchor 5 is no anchor", false, func(p *Pattern) { p.Anchor = 5 }},
		{"four edges", false, func(p *Pattern) { p.Edges = 16 }},
		{"two edges that meet", false, func(p *Pattern) { p.Anchor, p.Edges = Corner, Top|Bottom }},
		{"the whole board", false, func(p *Pattern) { p.Anchor, p.Edges = Corner, allEdges }},
		{"are a corner", false, func(p *Pattern) { p.Anchor, p.Edges = Side, Top|Left }},
		{"cannot be fixed outside", false, func(p *Pattern) { p.Anchor, p.At = Fixed, board.At(9, 0) }},
		{"3 is no turn", false, func(p *Pattern) { p.Turn = 3 }},
		{"no ply lies between 5 and 4", false, func(p *Pattern) { p.From, p.To = 5, 4 }},
		{"larger than the board", true, func(p *Pattern) {
			p.Size.W = 10
			p.Cells = slices.Repeat([]Set{Empty}, 10)
		}},
		{"leave no place", true, func(p *Pattern) { p.Anchor, p.At = Fixed, board.At(8, 0) }},
		{"leave no place", true, func(p *Pattern) { p.Cells[0], p.Anchor = Off, Centre }},
		{"leave no place", true, func(p *Pattern) { p.Cells[0], p.Cells[1] = Off, Off }},
	} {
		p := sound()
		if _, err := Compile(p, b); err != nil {
			t.Fatal(err)
		}
		c.spoil(p)
		_, err := Compile(p, b)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "pattern: ") || errors.Is(err, ErrNoFit) != c.fit {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	p := sound()
	p.Swap = true
	if _, err := Compile(p, Board{Size: b.Size, Kinds: 2}); err == nil {
		t.Error("an exchange without exchanged pieces compiles")
	}
	if _, err := Compile(sound(), Board{}); err == nil {
		t.Error("a board of no size is searched")
	}
	if places, err := Compile(sound(), Board{Size: b.Size, Kinds: 2}); err != nil || len(places) != 72 {
		t.Errorf("without symmetries: %d placements, %v", len(places), err)
	}
}

// TestTurns checks that an exchange of sides exchanges the turn, and that
// patterns that differ in turn alone are two.
func TestTurns(t *testing.T) {
	b := BoardOf(rules(t, "weiqi:9x9"))
	p := &Pattern{Size: board.Size{W: 1, H: 1}, Cells: []Set{Empty}, Mirror: true, Swap: true, To: -1}
	for turn, want := range []int{81, 162, 162} {
		p.Turn = Turn(turn)
		places, err := Compile(p, b)
		if err != nil || len(places) != want || places[0].Turn != p.Turn {
			t.Fatalf("turn %d: %d placements, %v", turn, len(places), err)
		}
		if last := places[len(places)-1]; turn > 0 && last.Turn != 3-p.Turn {
			t.Errorf("turn %d is exchanged to %d", turn, last.Turn)
		}
	}
}

// BenchmarkCompile lays patterns onto a Go board in all sixteen pictures.
func BenchmarkCompile(b *testing.B) {
	r := rules(b, "weiqi")
	for _, c := range []struct{ name, text string }{
		{"centre-3x3", "@centre/XO./xO./X.o"},
		{"corner-7x7", "+-\n" + strings.Repeat("|.......\n", 2) + "|..X.O..\n" + strings.Repeat("|.......\n", 4)},
		{"floating-9x9", "XO......." + strings.Repeat("/.........", 8)},
		{"whole", "+-\n|XO" + strings.Repeat(".", 17) + "|\n" + strings.Repeat("|"+strings.Repeat(".", 19)+"|\n", 18) + "+-"},
	} {
		p, err := Parse(r.Geometry(), c.text)
		if err != nil {
			b.Fatal(err)
		}
		p.Mirror, p.Swap = true, true
		board := BoardOf(r)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compile(p, board); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
