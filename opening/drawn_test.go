package opening

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern"
)

// pictures yields a board in all symmetries and both colours, with the side to
// move.
func pictures(b *board.Planes, turn game.Side, yield func(b *board.Planes, turn game.Side)) {
	for sym := range board.NumSymmetries {
		yield(b.Transform(sym, []board.Piece{1, 2}), turn)
		yield(b.Transform(sym, []board.Piece{2, 1}), turn^1)
	}
}

func idsOf(list []*Opening) (ids []string) {
	for _, o := range list {
		ids = append(ids, o.ID)
	}
	return ids
}

// TestChecks plays the moves of the fixtures. Every opening has two that lead to
// it and two that do not, and what stands, stands in all pictures.
func TestChecks(t *testing.T) {
	n := newNames(weiqi.Standard)
	if err := n.load(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/weiqi.checks")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 || words[1] != "yes" && words[1] != "no" {
			t.Fatalf("line %d: %q", i+1, line)
		}
		p, moves, err := game.ParseLine(weiqi.Standard, strings.Join(words[2:], " "))
		if err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		seen[words[0]+" "+words[1]]++
		pictures(p.(game.Planar).Planes(), p.Turn(), func(b *board.Planes, turn game.Side) {
			got := idsOf(n.AppendAt(nil, b, turn, len(moves)))
			if slices.Contains(got, words[0]) != (words[1] == "yes") {
				t.Errorf("%s: %v stand", line, got)
			}
		})
	}
	for _, o := range n.All() {
		if seen[o.ID+" yes"] < 2 || seen[o.ID+" no"] < 2 {
			t.Errorf("%s has too few checks", o.ID)
		}
	}
	if len(n.All()) < 24 || len(seen) != 2*len(n.All()) {
		t.Errorf("%d openings, %d are checked", len(n.All()), len(seen))
	}
}

// TestPatterns holds AppendAt against the patterns that records are searched with,
// on boards of stones in corners, and against itself in all pictures.
func TestPatterns(t *testing.T) {
	n := Of(weiqi.Standard)
	on := pattern.BoardOf(weiqi.Standard)
	type shape struct {
		from, to int
		places   []pattern.Placement
	}
	shapes := map[string][]shape{}
	for _, o := range n.All() {
		for _, p := range n.Patterns(o) {
			places, err := pattern.Compile(p, on)
			if err != nil {
				t.Fatal(err)
			}
			shapes[o.ID] = append(shapes[o.ID], shape{p.From, p.To, places})
		}
	}
	rnd := rand.New(rand.NewPCG(7, 7))
	lines := []int{2, 2, 3, 3, 3, 4, 5, 8, 9, 10, 13, 14, 15, 15, 15, 16, 16}
	stood := 0
	for range 300 {
		b := board.NewPlanes(board.Size{W: 19, H: 19}, 2)
		stones := 1 + rnd.IntN(10)
		for i := range stones {
			b.Put(board.At(lines[rnd.IntN(len(lines))], lines[rnd.IntN(len(lines))]), board.Piece(1+i%2))
		}
		turn := game.Side(rnd.IntN(2))
		got := idsOf(n.AppendAt(nil, b, turn, stones))
		var want []string
		for _, o := range n.All() {
			if slices.ContainsFunc(shapes[o.ID], func(s shape) bool {
				return s.from <= stones && stones <= s.to && stands(s.places, b, turn)
			}) {
				want = append(want, o.ID)
			}
		}
		if stood += len(want); !slices.Equal(got, want) {
			t.Errorf("%v stand, want %v", got, want)
		}
		pictures(b, turn, func(b *board.Planes, turn game.Side) {
			if again := idsOf(n.AppendAt(nil, b, turn, stones)); !slices.Equal(got, again) {
				t.Errorf("%v stand, and %v in another picture", got, again)
			}
		})
	}
	if stood < 100 {
		t.Errorf("only %d openings stood", stood)
	}
}

// TestBounds: openings are of the first moves, and of 19x19.
func TestBounds(t *testing.T) {
	n := Of(weiqi.Standard)
	p, err := game.ParsePosition(weiqi.Standard, "Q16 D4")
	if err != nil {
		t.Fatal(err)
	}
	b := p.(game.Planar).Planes()
	if got := idsOf(n.AppendAt(nil, b, game.First, 2)); !slices.Equal(got, []string{"star-point"}) {
		t.Errorf("%v stand", got)
	}
	for _, ply := range []int{0, 100} {
		if got := n.AppendAt(nil, b, game.First, ply); len(got) != 0 {
			t.Errorf("after %d moves: %v", ply, idsOf(got))
		}
	}
	if got := n.AppendAt(nil, board.NewPlanes(board.Size{W: 9, H: 9}, 2), game.First, 2); len(got) != 0 {
		t.Errorf("on 9x9: %v", idsOf(got))
	}
	chinese, err := weiqi.Standard.Variant("chinese")
	if err != nil {
		t.Fatal(err)
	}
	if got := Of(chinese).All(); len(got) != len(n.All()) {
		t.Errorf("%d openings by the Chinese rules", len(got))
	}
	dst := make([]*Opening, 0, 8)
	if allocs := testing.AllocsPerRun(10, func() { dst = n.AppendAt(dst[:0], b, game.First, 2) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

const sample = `opening  a
kind     corner
name     A | B | C | D | E
plies    1..9
diagram
	+----
	| . X
`

func TestReadDrawn(t *testing.T) {
	if err := newNames(weiqi.Standard).readDrawn(sample + "\n" + strings.Replace(sample, "opening  a", "opening  b\nparent   a\nturn     X", 1)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"opening  a", "kind corner", "line 1: "},
		{"opening  a", "opening", "no id"},
		{"kind     corner", "kind     position", "kind"},
		{"kind     corner", "parent   b", "kind"},
		{"kind     corner", "kind     corner\nparent   b", "parent"},
		{"name     A | B | C | D | E", "name     A | B | C | D", "line 3: 4 names"},
		{"plies    1..9", "plies    9..1", "line 4: plies"},
		{"plies    1..9", "plies    some", "line 4: plies"},
		{"plies    1..9", "plies    1..9\nturn     black", "line 5: turn"},
		{"plies    1..9\n", "", "lacks"},
		{"plies    1..9", "moves    1", "line 4: there is no field"},
		{"| . X", "| . Y", "diagram"},
		{"diagram\n\t+----\n\t| . X\n", "", "lacks"},
		{"diagram\n\t+----\n\t| . X\n", "stones   Q16", "stones"},
		{"diagram\n\t+----\n\t| . X\n", "stones   X Z99", "Z99"},
		{"diagram\n\t+----\n\t| . X\n", "stones   X" + strings.Repeat(" Q16|R16", 9), "choices"},
		{"| . X\n", "| . X\n\n" + sample, "another opening"},
	} {
		err := newNames(weiqi.Standard).readDrawn(strings.Replace(sample, c.old, c.new, 1))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.new, err)
		}
	}
}

// FuzzReadDrawn: any text is read or refused, and what is read has all that an
// opening needs.
func FuzzReadDrawn(f *testing.F) {
	f.Add(sample)
	f.Add(strings.Replace(sample, "diagram", "stones   X Q16|D4 O K10 . A1\ndiagram", 1))
	f.Fuzz(func(t *testing.T, text string) {
		n := newNames(weiqi.Standard)
		if n.readDrawn(text) != nil {
			return
		}
		for _, o := range n.All() {
			if o.ID == "" || o.Names.Ko == "" || len(n.Patterns(o)) == 0 {
				t.Errorf("%+v", o)
			}
		}
	})
}

func BenchmarkAppendAt(b *testing.B) {
	n := Of(weiqi.Standard)
	p, moves, err := game.ParseLine(weiqi.Standard, "Q16 D4 Q3 D16 R9 C14 F17")
	if err != nil {
		b.Fatal(err)
	}
	planes := p.(game.Planar).Planes()
	dst := make([]*Opening, 0, 16)
	for b.Loop() {
		dst = n.AppendAt(dst[:0], planes, p.Turn(), len(moves))
	}
}
