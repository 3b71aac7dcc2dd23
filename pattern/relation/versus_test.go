package relation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
)

var _ Facts = (*xiangqi.Position)(nil)

var shippedFS = os.DirFS("shipped")

// ours reads the shipped patterns of Xiangqi, which the oracle knows, and their checks
// from their folder: their package imports this one.
func ours(t testing.TB) ([]*syntax.Pattern, []*syntax.Check) {
	t.Helper()
	files, err := syntax.Read(shippedFS, "shipped/")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no patterns are shipped")
	}
	return syntax.New(files...).Of(xiangqi.Standard.Info().Name)
}

func compile(t testing.TB, list []*syntax.Pattern) *Set {
	t.Helper()
	s, err := Compile(list, xiangqi.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// viewAt returns a position as a view; it must not be played on while it is used.
func viewAt(p game.Position, moves []pattern.Played, usual bool) *pattern.View {
	return &pattern.View{Planes: p.(game.Planar).Planes(), Turn: p.Turn(), Moves: moves, Usual: usual, Facts: p}
}

// step plays a move and returns what it did.
func step(t testing.TB, p game.Position, m game.Move) pattern.Played {
	t.Helper()
	b := p.(game.Planar).Planes()
	mv := pattern.Played{From: m.From(), To: m.To(), Piece: b.At(m.From()), Taken: b.At(m.To())}
	if err := p.Play(m); err != nil {
		t.Fatal(err)
	}
	return mv
}

// randomBoard returns a position of random pieces: few, and many of them before a
// king, so that checks and mates are frequent.
func randomBoard(rng *rand.Rand) game.Position {
	for {
		setup := game.NewSetup(xiangqi.Standard)
		put := func(piece board.Piece, x, y int) {
			if setup.Board.At(board.At(x, y)) == board.Empty {
				setup.Board.Put(board.At(x, y), piece)
			}
		}
		put(xiangqi.RedKing, 3+rng.IntN(3), 7+rng.IntN(3))
		put(xiangqi.BlackKing, 3+rng.IntN(3), rng.IntN(3))
		for range 2 + rng.IntN(12) {
			piece := board.Piece(2 + rng.IntN(6) + 7*rng.IntN(2))
			x, y := rng.IntN(9), rng.IntN(10)
			if rng.IntN(2) == 0 {
				x, y = 2+rng.IntN(5), rng.IntN(5)
			}
			put(piece, x, y)
		}
		setup.Turn = game.Side(rng.IntN(2))
		if p, err := xiangqi.Standard.Arrange(setup); err == nil {
			return p
		}
	}
}

// agree compares the set with the oracle on one position.
func agree(t *testing.T, s *Set, v *pattern.View) (found int) {
	t.Helper()
	type key struct {
		id   string
		side game.Side
	}
	got := map[key]bool{}
	for _, m := range s.AppendMatches(nil, v) {
		k := key{m.ID, m.Side}
		if got[k] {
			t.Fatalf("%v is found twice", k)
		}
		got[k] = true
	}
	var seen [2][2]*oracle
	for side := range game.Side(2) {
		seen[side] = [2]*oracle{see(v, side, false), see(v, side, true)}
	}
	for _, p := range s.patterns {
		for side := range game.Side(2) {
			want := false
			for _, own := range p.Sides() {
				if own == side {
					want = seen[side][0].finds(p) || p.Mirrored() && seen[side][1].finds(p)
				}
			}
			if want {
				found++
			}
			if got[key{p.ID, side}] != want {
				t.Fatalf("%s of side %d: found is %v, the oracle says %v\n%s\n%s (%d moves, usual %v)", p.ID, side, !want, want, p,
					game.AppendSetup(nil, xiangqi.Standard, game.Setup{Board: v.Planes, Turn: v.Turn, Ko: board.NoPoint, Number: 1}), len(v.Moves), v.Usual)
			}
		}
	}
	return found
}

// positions calls f with the positions of random games and with random boards.
func positions(t testing.TB, seed uint64, games, boards int, f func(v *pattern.View)) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for range games {
		p := xiangqi.Standard.Start()
		var moves []pattern.Played
		for range 60 {
			list := p.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			moves = append(moves, step(t, p, list[rng.IntN(len(list))]))
			if rng.IntN(8) == 0 {
				f(viewAt(p, moves, true))
			}
		}
	}
	for range boards {
		f(viewAt(randomBoard(rng), nil, false))
	}
}

// The set finds what the oracle finds: of shipped patterns, on random positions
// and on those of all checks.
func TestVersusOracle(t *testing.T) {
	list, checks := ours(t)
	s := compile(t, list)
	n, found := 0, 0
	look := func(v *pattern.View) {
		n++
		found += agree(t, s, v)
	}
	positions(t, 1, testkit.Scale(1, 60), testkit.Scale(8, 1500), look)
	every := testkit.Scale(50, 1)
	for i, c := range checks {
		if i%every != 0 {
			continue
		}
		if v, err := c.View(xiangqi.Standard); err == nil {
			look(v)
		}
	}
	if found == 0 {
		t.Error("nothing was found on any position")
	}
	t.Logf("%d positions, %d finds of %d patterns", n, found, len(list))
}

// The same of random patterns.
func TestVersusOracleRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	g := generator{rng}
	var text strings.Builder
	for i := range testkit.Scale(80, 2000) {
		fmt.Fprintf(&text, "%s\n", g.pattern(i))
	}
	f := syntax.Parse("random", []byte(text.String()))
	if len(f.Faults) > 0 {
		t.Fatal(f.Faults[0])
	}
	found := 0
	s := compile(t, f.Patterns)
	positions(t, 2, 2, testkit.Scale(12, 60), func(v *pattern.View) { found += agree(t, s, v) })
	if found == 0 {
		t.Error("nothing was found on any position")
	}
	t.Logf("%d finds", found)
}

// generator writes random patterns.
type generator struct{ rng *rand.Rand }

func (g generator) one(list ...string) string { return list[g.rng.IntN(len(list))] }

func (g generator) pattern(i int) string {
	var text strings.Builder
	fmt.Fprintf(&text, "pattern p%d\n", i)
	if g.rng.IntN(8) == 0 {
		fmt.Fprintf(&text, "sides %s\n", g.one("first", "second"))
	}
	if g.rng.IntN(4) == 0 {
		text.WriteString("mirror no\n")
	}
	names := []string{"k", "g"}
	for r := range 1 + g.rng.IntN(3) {
		name := fmt.Sprintf("r%d", r)
		fmt.Fprintf(&text, "let %s = %s", name, g.pieces())
		if g.rng.IntN(2) == 0 {
			fmt.Fprintf(&text, " on %s", g.area(names, 2))
		}
		text.WriteString("\n")
		names = append(names, name)
	}
	for range g.rng.IntN(4) {
		fmt.Fprintf(&text, "where %s\n", g.condition(names, 2))
	}
	return text.String()
}

func (g generator) pieces() string {
	text := g.one("our", "their", "any") + " " + g.kinds()
	return text
}

func (g generator) kinds() string {
	kind := func() string {
		return g.one(append(syntax.Xiangqi.Kinds[:len(syntax.Xiangqi.Kinds):len(syntax.Xiangqi.Kinds)], syntax.PieceWord)...)
	}
	text := kind()
	if g.rng.IntN(3) == 0 {
		text += " or " + kind()
	}
	return text
}

func (g generator) point() string { return fmt.Sprintf("%d.%d", 1+g.rng.IntN(9), 1+g.rng.IntN(10)) }

func (g generator) place(names []string) string {
	if g.rng.IntN(4) == 0 || len(names) == 0 {
		return g.point()
	}
	return g.one(names...)
}

// area writes an area; without names it is one of moves.
func (g generator) area(names []string, depth int) string {
	if depth > 0 && g.rng.IntN(3) == 0 {
		return "(" + g.area(names, depth-1) + g.one(" and ", " or ", " but ") + g.area(names, depth-1) + ")"
	}
	n := 8
	if len(names) > 0 {
		n = 14
	}
	switch g.rng.IntN(n) {
	case 0:
		return fmt.Sprintf("file %d..%d", 1+g.rng.IntN(5), 5+g.rng.IntN(5))
	case 1:
		return fmt.Sprintf("rank %d..%d", 1+g.rng.IntN(5), 5+g.rng.IntN(6))
	case 2:
		return fmt.Sprintf("file %d,%d", 1+g.rng.IntN(9), 1+g.rng.IntN(9))
	case 3:
		return "{" + g.point() + ", " + g.point() + ", " + g.point() + "}"
	case 4:
		return g.point()
	case 5, 6, 7:
		return syntax.Xiangqi.Areas[g.rng.IntN(len(syntax.Xiangqi.Areas))].Name
	case 8, 9:
		return "beside " + g.place(names)
	case 10:
		return "between " + g.place(names) + " " + g.place(names)
	case 11:
		return "line " + g.place(names)
	}
	return "reach " + g.one(names...)
}

func (g generator) number(names []string, depth int) string {
	if depth > 0 && g.rng.IntN(4) == 0 {
		return "(" + g.number(names, depth-1) + g.one(" + ", " - ") + g.number(names, depth-1) + ")"
	}
	switch g.rng.IntN(9) {
	case 0, 1:
		return fmt.Sprint(g.rng.IntN(6))
	case 2:
		return g.one("file(", "rank(") + g.place(names) + ")"
	case 3, 4:
		return g.one("between(", "distance(", "across(", "along(") + g.place(names) + ", " + g.place(names) + ")"
	case 5:
		return "count(" + g.pieces() + ")"
	case 6:
		return "count(" + g.pieces() + " on " + g.area(names, 1) + ")"
	case 7:
		return "count(" + g.area(names, 1) + ")"
	}
	return g.one("checkers", "ply", "needed")
}

func (g generator) move(mine bool, names []string) string {
	text := g.pieces()
	if mine {
		text = g.one("our", "any") + " " + g.kinds()
	}
	if g.rng.IntN(4) == 0 {
		text = g.one(names...)
	}
	if g.rng.IntN(2) == 0 {
		text += " from " + g.area(nil, 1)
	}
	if g.rng.IntN(2) == 0 {
		text += " to " + g.area(nil, 1)
	}
	if g.rng.IntN(4) == 0 {
		text += " took " + g.pieces()
	}
	return text
}

func (g generator) after(names []string) string {
	switch g.rng.IntN(3) {
	case 0:
		return " after " + g.move(false, names)
	case 1:
		return " not after " + g.move(false, names)
	}
	return ""
}

func (g generator) condition(names []string, depth int) string {
	if depth > 0 && g.rng.IntN(3) == 0 {
		switch g.rng.IntN(3) {
		case 0:
			return "not " + g.condition(names, 0)
		case 1:
			return "(" + g.condition(names, depth-1) + " or " + g.condition(names, depth-1) + ")"
		}
		return "(" + g.condition(names, depth-1) + " and " + g.condition(names, depth-1) + ")"
	}
	role := g.one(names...)
	switch g.rng.IntN(20) {
	case 0:
		return g.one("mated", "check", "stalemated", "not mated")
	case 1:
		return g.one("our turn", "their turn")
	case 2:
		return role + " " + g.one("checks", "shuts k", "shuts "+g.place(names))
	case 3, 4, 5:
		return role + " " + g.one("attacks", "guards", "reaches", "beside") + " " + g.place(names)
	case 6, 7, 8:
		return role + " " + g.one("blocks", "pins", "screens") + " " + g.one(names...)
	case 9, 10:
		return role + " on " + g.area(names, 1)
	case 11:
		return role + " is " + g.kinds()
	case 12:
		return role + " between " + g.place(names) + " " + g.place(names)
	case 13:
		return "empty " + g.area(names, 1)
	case 14:
		return "essential " + role
	case 15:
		return fmt.Sprintf("%s %d: %s", g.one("lately", "always"), 1+g.rng.IntN(4), g.move(true, names)) + g.after(names)
	case 16:
		text := fmt.Sprintf("early %d: %s", 1+g.rng.IntN(8), g.move(false, names))
		if g.rng.IntN(2) == 0 {
			text += " before " + g.move(false, names)
		}
		return text
	case 17:
		return "last: " + g.move(false, names) + g.after(names)
	}
	return g.number(names, 1) + " " + syntax.ComparisonWords[g.rng.IntN(len(syntax.ComparisonWords))] + " " + g.number(names, 1)
}

// What is printed parses back to the same, and prints the same again.
func TestPrintsBack(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(3, 3))}
	for i := range testkit.Scale(500, 20000) {
		text := g.pattern(i)
		first := syntax.Parse("a", []byte(text))
		if len(first.Faults) > 0 {
			t.Fatalf("%v\n%s", first.Faults[0], text)
		}
		printed := first.Patterns[0].String()
		again := syntax.Parse("a", []byte(printed))
		if len(again.Faults) > 0 {
			t.Fatalf("%v\n%s", again.Faults[0], printed)
		}
		if got := again.Patterns[0].String(); got != printed {
			t.Fatalf("printed\n%s\nis read as\n%s", printed, got)
		}
		if first.Patterns[0].Print() != again.Patterns[0].Print() {
			t.Fatalf("the print of a pattern differs when it is read back:\n%s", printed)
		}
	}
}

// BenchmarkAppendMatches looks at one board for all shipped patterns.
func BenchmarkAppendMatches(b *testing.B) {
	all, _ := ours(b)
	s := compile(b, all)
	p, err := game.ParsePosition(xiangqi.Standard, "r1bakab1r/9/1cn3nc1/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b")
	if err != nil {
		b.Fatal(err)
	}
	v := viewAt(p, nil, false)
	var list []pattern.Match
	for b.Loop() {
		list = s.AppendMatches(list[:0], v)
	}
	b.ReportMetric(float64(len(list)), "matches")
}
