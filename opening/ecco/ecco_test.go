package ecco

import (
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/interval"
)

// play returns the moves of a game in any notation, and the position behind them.
func play(t testing.TB, text string) ([]game.Move, game.Position) {
	t.Helper()
	p := xiangqi.Standard.Start()
	moves, err := game.ParseMoves(xiangqi.Standard, p, text)
	if err != nil {
		t.Fatal(err)
	}
	return moves, p
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		moves string
		code  string
		ply   int
	}{
		{"", "", 0},
		{"P1+1", "A08", 1},
		{"P5+1", "A00", 1},
		{"P5+1 H8+7", "A00", 2},
		{"E3+5 C8=4", "A30", 2},
		{"E7+5 C2=6", "A30", 2},
		{"H2+3 P7+1 P7+1", "A45", 3},
		{"C2=4", "A50", 1},
		{"C2=6 H8+7", "A61", 2},
		{"C2=5 H8+7 H2+3 C8=9 R1=2 R9=8 H8+7 P3+1", "B20", 8},
		{"C2=5 C8=5 H2+3 H8+7 R1+1 R9=8 R1=6 R8+4", "D05", 8},
		{"C2=5 H8+7 H2+3 R9=8 R1=2 P7+1 R2+6 H2+3 H8+7 P3+1 R9+1 C2+1 R2-2 E3+5 P3+1", "C23", 15},
		{"C2=5 H8+7 H2+3 R9=8 R1=2 P7+1 R2+6 H2+3 P7+1 C8=9 R2=3 C9-1 H8+7 A4+5 C8=9", "C45", 15},
		{"P3+1 C8=7 C8=5 E7+5 H2+1", "E37", 5},
		{"P3+1 P3+1 C8=7 C2=5", "E47", 4},
		{"兵七進一 卒７進１ 炮二平三 炮８平５", "E47", 4},
	} {
		moves, _ := play(t, c.moves)
		if code, ply := Classify(moves); code != c.code || ply != c.ply {
			t.Errorf("%s: %s at %d, want %s at %d", c.moves, code, ply, c.code, c.ply)
		}
	}
}

func TestClassifyRefuses(t *testing.T) {
	a, b := board.At(0, 0), board.At(0, 5)
	for name, moves := range map[string][]game.Move{
		"a pass":              {game.Pass},
		"no move":             {game.NoMove},
		"a drop":              {game.Drop(b)},
		"Black first":         {game.Step(a, board.At(0, 1))},
		"from an empty point": {game.Step(b, a)},
		"off the board":       {game.Step(board.At(1, 7), board.At(1, 12))},
		"onto its own piece":  {game.Step(board.At(0, 9), board.At(1, 9))},
		"to where it stands":  {game.Step(board.At(0, 9), board.At(0, 9))},
	} {
		if code, ply := Classify(moves); code != "" || ply != 0 {
			t.Errorf("%s: %s at %d, want nothing", name, code, ply)
		}
	}
}

// TestNotation compares the moves as definitions see them with the notation of the
// game.
func TestNotation(t *testing.T) {
	text := "C2=5 H8+7 C8+2 P3+1 C8=5 A4+5 C-=4 R9=8 C5=3 R8+1 H2+3 C8+1 P9+1 H2+3 A6+5 E3+5 K5=6 H3+4 H3-2"
	moves, _ := play(t, text)
	var l line
	var buf [2 * rounds]uint16
	if !l.read(pack(&buf, moves)) {
		t.Fatal("not read")
	}
	var got []string
	for i := range l.plies {
		got = append(got, l.steps[i%2][i/2].String())
	}
	if s := strings.Join(got, " "); s != text {
		t.Errorf("got  %s\nwant %s", s, text)
	}
}

// TestTable reads the file and writes it again.
func TestTable(t *testing.T) {
	data, err := os.ReadFile("codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, err := parseRules("codes.txt", string(data))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(n.append([]byte(header), 0)); got != string(data) {
		t.Error("codes.txt is not written as it was read")
	}
	if _, err := newTable(string(data), namesText); err != nil {
		t.Error(err)
	}
}

func TestTableFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "ecco: f:0: want a rule or a code, indented by 0",
		"A0":                                 "ecco: f:1: want a colon behind \"A0\"",
		"A00\nA01":                           "ecco: f:2: nothing is to follow here",
		" A00":                               "ecco: f:1: want two blanks for each level",
		"red move 1:\nA00":                   "ecco: f:2: want answers, indented by 2",
		"red move 11:\n  C2=5: A01\nA00":     "ecco: f:1: want a number of a move up to 10 in \"red move 11\"",
		"red move 1: A01":                    "ecco: f:1: want the answers in lines of their own",
		"red move 1:\n  Z2=5: A01\nA00":      "ecco: f:2: \"Z2=5\" is no move",
		"red move 1:\n  C2=5: F01\nA00":      "ecco: f:2: \"F01\" is no code",
		"red move 1:\n  C2=5:\n  A01\nA00":   "ecco: f:3: want a rule or a code, indented by 4",
		"red move 1:\n  C2=5: A01":           "ecco: f:2: want a rule or a code, indented by 0",
		"green move 1:\n  C2=5: A01\nA00":    "ecco: f:1: want a question of red or black, not \"green move 1\"",
		"red likes C2=5: A01\nA00":           "ecco: f:1: \"red likes C2=5\" is no question",
		"red and black in any order: A01":    "ecco: f:1: want \"red\" or \"black\" and moves, not \"red\"",
		"red C2=5 and red C2=4 in any order": "ecco: f:1: want a colon behind \"red C2=5 and red C2=4 in any order\"",
	} {
		if _, err := parseRules("f", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNamesFaults(t *testing.T) {
	for text, want := range map[string]string{
		"a|b|c|d":               "ecco: f:1: want a term in 5 languages, or a code and the terms of both sides, parted by bars",
		"a|b|c|d|":              "ecco: f:1: the term a is not given in all languages",
		"a|b|c|d|e\na|b|c|d|e":  "ecco: f:2: the term a is there already",
		"A00|a|":                "ecco: f:1: \"a\" is no term",
		"a|b|c|d|e\nA00||a":     "ecco: f:2: want terms for Red",
		"a|b|c|d|e\nF|a|":       "ecco: f:2: \"F\" is no code, or there already",
		"a|b|c|d|e\nA|a|\nA|a|": "ecco: f:3: \"A\" is no code, or there already",
	} {
		if _, err := parseNames("f", text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	named, err := parseNames("names.txt", namesText)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range List() {
		if _, ok := named[e.Code]; !ok {
			t.Errorf("%s has no name", e.Code)
		}
		for _, prefix := range []string{e.Code[:1], e.Code[:2]} {
			if !slices.ContainsFunc(Groups(), func(g Group) bool { return g.Prefix == prefix }) {
				t.Errorf("%s has no group %s", e.Code, prefix)
			}
		}
		if ways := e.Definitions(); (len(ways) == 0) != (e.Code == "E30") { // two games: too few to learn from
			t.Errorf("%s has %d definitions", e.Code, len(ways))
		}
		if got, ok := Lookup(strings.ToLower(e.Code)); !ok || got != e {
			t.Errorf("%s is not looked up", e.Code)
		}
	}
	seen := map[string]string{}
	for _, e := range List() {
		if other, ok := seen[e.Names.Hant]; ok {
			t.Errorf("%s and %s are both %s", other, e.Code, e.Names.Hant)
		}
		seen[e.Names.Hant] = e.Code
	}
	e, _ := Lookup("C23")
	want := board.Names{
		En:   "Central cannon with river-crossing chariot, seventh-file horse, left ranked chariot and exchange of the third pawn v. screen horses with two-headed snake and raised right cannon",
		Hant: "中炮過河車七路馬左橫車兌三兵對屏風馬兩頭蛇高右炮",
		Hans: "中炮过河车七路马左横车兑三兵对屏风马两头蛇高右炮",
		Ja:   "中炮過河車七路馬左横車兌三兵対屏風馬両頭蛇高右炮",
		Ko:   "중포 과하차 칠로마 좌횡차 태삼병 대 병풍마 양두사 고우포",
	}
	if e.Names != want {
		t.Errorf("got %q\nwant %q", e.Names, want)
	}
}

// TestNoName gives a code the name of its group.
func TestNoName(t *testing.T) {
	table, err := newTable("A01\n", "a|b|c|d|e\nA0|a|\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := table.entries, []Entry{{"A01", board.Names{En: "C A01", Hant: "A A01", Hans: "B A01", Ja: "D A01", Ko: "E A01"}}}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLookup(t *testing.T) {
	if e, ok := Lookup(" c23 "); !ok || e.Code != "C23" {
		t.Errorf("%v", e)
	}
	if _, ok := Lookup("F00"); ok {
		t.Error("F00 is looked up")
	}
}

func TestAllocs(t *testing.T) {
	moves, _ := play(t, "C2=5 H8+7 H2+3 R9=8 R1=2 P7+1 R2+6 H2+3 P7+1 C8=9 R2=3 C9-1 H8+7 A4+5 C8=9")
	if n := testing.AllocsPerRun(100, func() { Classify(moves) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// lineOf returns a game as an index keeps it, from a start.
func lineOf(start []board.Piece, moves []game.Move) *interval.Line {
	l := &interval.Line{End: uint16(len(moves) + 1)}
	for i, p := range start {
		if p != board.Empty {
			l.Changes = append(l.Changes, interval.Change{Point: uint16(i), Piece: p})
		}
	}
	for i, m := range moves {
		from, to := size.Index(m.From()), size.Index(m.To())
		l.Changes = append(l.Changes, interval.Change{Slot: uint16(i + 1), Point: uint16(from)})
		l.Moves = append(l.Moves, uint16(from<<8|to))
	}
	return l
}

// usualStart returns what stands where at the start.
func usualStart() (start []board.Piece) {
	planes := xiangqi.Standard.Start().(game.Planar).Planes()
	for p := range size.Points() {
		start = append(start, planes.At(p))
	}
	return start
}

func TestMarker(t *testing.T) {
	start := usualStart()
	m := Marker(start)
	keys := m.Keys()
	if len(keys) != len(List()) {
		t.Fatalf("%d keys for %d codes", len(keys), len(List()))
	}
	if slices.Sort(keys); len(slices.Compact(keys)) != len(List()) {
		t.Error("keys are not all different")
	}
	moves, _ := play(t, "P3+1 P3+1 C8=7 C2=5 H2+3")
	column, _ := load().find("E47")
	mark := interval.Mark{Column: uint16(column), Side: game.First, From: 4, To: 6}
	fewer := slices.Clone(start)
	fewer[0] = board.Empty
	black := lineOf(start, moves)
	black.Skips = []uint16{1}
	late := lineOf(start, moves)
	late.Skips = []uint16{6}
	for _, c := range []struct {
		name string
		line *interval.Line
		want func(int) bool
		mark bool
	}{
		{"all", lineOf(start, moves), nil, true},
		{"wanted", lineOf(start, moves), func(c int) bool { return c == column }, true},
		{"not wanted", lineOf(start, moves), func(c int) bool { return c != column }, false},
		{"no moves", lineOf(start, nil), nil, false},
		{"another start", lineOf(fewer, moves), nil, false},
		{"an empty start", lineOf(nil, moves), nil, false},
		{"Black first", black, nil, false},
		{"a turn missed behind it", late, nil, true},
	} {
		got := m.AppendMarks(nil, c.line, c.want)
		if c.mark != slices.Equal(got, []interval.Mark{mark}) || !c.mark && len(got) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// FuzzClassify plays legal games by chance. Every game has a code that is defined;
// its mirror image has the same; no moves behind the ply that settles it, nor
// behind the first ten of each side, change it.
func FuzzClassify(f *testing.F) {
	f.Add([]byte("\x10\x20\x30\x40"))
	f.Add([]byte("central cannon against screen horses"))
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, choice []byte) {
		p := xiangqi.Standard.Start()
		var moves, mirrored []game.Move
		for _, c := range choice[:min(len(choice), 30)] {
			legal := p.AppendMoves(nil)
			if len(legal) == 0 {
				break
			}
			m := legal[int(c)%len(legal)]
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			moves = append(moves, m)
			mirrored = append(mirrored, game.Step(flip(m.From()), flip(m.To())))
		}
		code, ply := Classify(moves)
		if _, ok := Lookup(code); ok != (len(moves) > 0) {
			t.Fatalf("%d moves have the code %q", len(moves), code)
		}
		if ply > min(len(moves), 2*rounds) {
			t.Errorf("settled at %d of %d", ply, len(moves))
		}
		if c, n := Classify(mirrored); c != code || n != ply {
			t.Errorf("mirrored %s at %d, not %s at %d", c, n, code, ply)
		}
		for n := max(ply, 1); n <= len(moves); n++ {
			if c, _ := Classify(moves[:n]); c != code {
				t.Errorf("%s after %d moves, but %s is settled at %d", c, n, code, ply)
			}
		}
	})
}

func flip(p board.Point) board.Point { return board.At(width-1-p.X(), p.Y()) }

func BenchmarkClassify(b *testing.B) {
	moves, _ := play(b, "C2=5 H8+7 H2+3 R9=8 R1=2 P7+1 R2+6 H2+3 P7+1 C8=9 R2=3 C9-1 H8+7 A4+5 C8=9")
	for b.Loop() {
		Classify(moves)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}
