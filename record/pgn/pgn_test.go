package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
	"qipu/record/pgn"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, pgn.Format, "testdata/*.pgn") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, pgn.Format, "testdata/*.pgn") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, pgn.Format, "testdata/*.pgn") }

func one(g *record.Game) iter.Seq[*record.Game] {
	return func(yield func(*record.Game) bool) { yield(g) }
}

func read(t testing.TB, text string) []*record.Game {
	t.Helper()
	games, faults := recordtest.ReadAll(t, pgn.Format, recordtest.Source("test.pgn", []byte(text)))
	for _, f := range faults {
		t.Error(f)
	}
	return games
}

func write(t testing.TB, g *record.Game) string {
	t.Helper()
	var b bytes.Buffer
	if err := pgn.Format.Write(&b, one(g)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		head, name string
		want       int
	}{
		{"[Event \"x\"]", "", 90},
		{"\xEF\xBB\xBF\r\n [Game \"x\"]", "a.txt", 90},
		{"\xFF\xFE[\x00G\x00a\x00m\x00e\x00 \x00\"\x00", "a.txt", 90},
		{"[Whatever \"x\"]", "", 60},
		{"[Whatever \"x\"]", "a.PGN", 90},
		{"1. 炮二平五", "a.pgn", 60},
		{"", "a.pgn", 25},
		{"1. 炮二平五", "a.txt", 0},
		{"(;GM[1])", "a.sgf", 0},
		{"[DhtmlXQ]\n[DhtmlXQ_title]x[/DhtmlXQ_title]", "a.ubb", 0},
		{"", "", 0},
	} {
		if got := pgn.Format.Sniff([]byte(test.head), test.name); got != test.want {
			t.Errorf("Sniff(%q, %q) = %d, want %d", test.head, test.name, got, test.want)
		}
	}
}

// TestNumbers reads the ways in which move numbers are written.
func TestNumbers(t *testing.T) {
	const want = "炮二平五 馬８進７ 馬二進三"
	for _, text := range []string{
		"1. 炮二平五 馬８進７ 2. 馬二進三 *",
		"1.炮二平五 馬８進７ 2.馬二進三",
		"12. 炮二平五 12... 馬８進７ 13. 馬二進三",
		"1．炮二平五 馬８進７ 2．馬二進三",
		"１．炮二平五　馬８進７\n２．馬二進三",
		"1、炮二平五，馬８進７；2、馬二進三。",
		"1 炮二平五 馬８進７ 2 馬二進三",
		"炮二平五 馬８進７ 馬二進三",
		"1. 炮二平五馬８進７ 2. 馬二進三",
		"1. 炮二平五 {x} 1.          馬８進７\r\n2. 馬二進三",
		"1... 炮二平五 2. … 馬８進７ ... 馬二進三",
	} {
		for _, g := range read(t, "[Game \"Chinese Chess\"]\n\n"+text) {
			var list []string
			for _, n := range g.Main() {
				if n.Move != "" {
					list = append(list, n.Move)
				}
			}
			if got := strings.Join(list, " "); got != want {
				t.Errorf("%q: %s", text, got)
			}
		}
	}
}

func TestNotation(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1. 炮二平五 馬８進７", "chinese"},
		{"1. 炮二平五 马８进７", "chinese-hans"},
		{"1. 炮二平五 炮8平5", "chinese"},
		{"1. h2e2 h9g7", "iccs"},
		{"1. H2-E2 H9-G7", "iccs"},
		{"1. h3e3 h10g8", "uci"},
		{"1. h3e3 b8e8", "uci"},
		{"1. g3g4 c6c5", "iccs"},
		{"1. g4g5 c7c6", "uci"},
		{"1. C2=5 H8+7", "wxf"},
		{"1. C2.5 h8+7", "wxf"},
		{"1. 炮二平五 h9g7", ""},
		{"*", ""},
	} {
		g := read(t, "[Red \"A\"]\n\n"+test.text)[0]
		if g.Notation != test.want || g.Kind != "xiangqi" {
			t.Errorf("%q: kind %q, notation %q, want %q", test.text, g.Kind, g.Notation, test.want)
		}
	}
	g := read(t, "[Red \"A\"]\n[Format \"WXF\"]\n\n1. h2e2 *")[0]
	if g.Notation != "iccs" || len(g.Faults) != 1 || g.Faults[0].Kind != record.KindHeader {
		t.Errorf("notation %q, faults %v", g.Notation, g.Faults)
	}
}

func TestStart(t *testing.T) {
	const rows = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
	for _, test := range []struct{ fen, want string }{
		{rows + " w - - 0 1", ""},
		{rows + " r - - 0 1", ""},
		{rows, ""},
		{"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w", ""},
		{rows + " b - - 0 1", rows + " b - - 0 1"},
		{"4k4/9/9/9/9/9/9/9/9/3K5 r", "4k4/9/9/9/9/9/9/9/9/3K5 w"},
		{"4k4/9/9/9/9/9/9/9/9/3K5", "4k4/9/9/9/9/9/9/9/9/3K5"},
		{"nonsense", "nonsense"},
	} {
		g := read(t, fmt.Sprintf("[Game \"Chinese Chess\"]\n[FEN %q]\n\n*", test.fen))[0]
		if g.Start != test.want {
			t.Errorf("%q: start %q, want %q", test.fen, g.Start, test.want)
		}
	}
}

// TestEncodings reads the same games from several encodings, pasted together
// too.
func TestEncodings(t *testing.T) {
	hant := "[Game \"Chinese Chess\"]\n[Red \"許功蓋\"]\n[Event \"第一局 全國賽\"]\n\n1. 炮二平五 馬８進７ {功蓋}\n2. 馬二進三 車９平８ *\n"
	hans := "[Game \"Chinese Chess\"]\n[Red \"许功盖\"]\n[Event \"第一局 全国赛\"]\n\n1. 炮二平五 马８进７ {功盖}\n2. 马二进三 车９平８ *\n"
	encode := func(text, name string) string {
		data, err := charset.Encode(text, name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	files := map[string]string{
		"big5":    encode(hant, "big5"),
		"gb18030": encode(hans, "gb18030"),
		"utf-8":   "\xEF\xBB\xBF" + hant,
	}
	files["utf-16"] = "\xFF\xFE"
	for _, unit := range utf16.Encode([]rune(hant)) {
		files["utf-16"] += string([]byte{byte(unit), byte(unit >> 8)})
	}
	files["all"] = files["big5"] + "\n" + files["gb18030"] + "\n" + hant
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			games := read(t, file)
			if name == "all" && len(games) != 3 || name != "all" && len(games) != 1 {
				t.Fatalf("%d games", len(games))
			}
			for _, g := range games {
				if red := g.Facts.Players[0].Name; red != "許功蓋" && red != "许功盖" {
					t.Errorf("red is %q in %s", red, g.Encoding)
				}
				if g.Moves() != 4 || g.Nodes[2].Text() != "功蓋" && g.Nodes[2].Text() != "功盖" {
					t.Errorf("%s", recordtest.Dump(g))
				}
			}
		})
	}
	src := recordtest.Source("x.pgn", []byte(files["gb18030"]))
	src.Encoding = "gb18030"
	games, _ := recordtest.ReadAll(t, pgn.Format, src)
	if games[0].Guessed || games[0].Encoding != "gb18030" {
		t.Errorf("encoding %s guessed %v", games[0].Encoding, games[0].Guessed)
	}
	src = recordtest.Source("x.pgn", []byte(hant))
	src.Encoding = "no such"
	if games, faults := recordtest.ReadAll(t, pgn.Format, src); len(games) != 0 || len(faults) != 1 || faults[0].Kind != record.KindEncoding {
		t.Errorf("unknown encoding: %d games, %v", len(games), faults)
	}
}

// TestLineEnds cuts a file with every kind of line end.
func TestLineEnds(t *testing.T) {
	text := "[Red \"A\"]\n[Black \"B\"]\n\n1. h2e2 {one\ntwo} h9g7 1-0\n\n[Red \"C\"]\n\n[Red \"D\"]\n1. h2e2\n"
	for _, end := range []string{"\n", "\r\n", "\r"} {
		games := read(t, strings.ReplaceAll(text, "\n", end))
		if len(games) != 3 || games[0].Nodes[1].Text() != "one\ntwo" || games[2].Tag("Red") != "D" {
			t.Errorf("%q: %d games", end, len(games))
		}
	}
}

// TestColours follows the players through the choices of swap2.
func TestColours(t *testing.T) {
	for _, test := range []struct {
		moves   string
		black   string
		verdict facts.Verdict
	}{
		{"1. h8 i9 2. l9 black 3. g9 g10", "second", facts.SecondWon},
		{"1. h8 i9 2. l9 white 3. -- g10", "first", facts.FirstWon},
		{"1. h8 i9 2. l9 o1 3. o15 -- 4. white -- 5. g10 a1", "second", facts.SecondWon},
		{"1. h8 i9 2. l9 o1 3. o15 -- 4. black a1 5. g10", "first", facts.FirstWon},
		{"1. h8 i9 2. l9 o1", "first", facts.FirstWon},
	} {
		g := read(t, "[Black \"first\"]\n[White \"second\"]\n[Game \"Gomoku\"]\n\n"+test.moves+" 1-0")[0]
		if g.Facts.Players[0].Name != test.black || g.Facts.Result.Verdict != test.verdict {
			t.Errorf("%s: black %s, %v", test.moves, g.Facts.Players[0].Name, g.Facts.Result.Verdict)
		}
		for i := 1; i < len(g.Nodes); i++ {
			if m := g.Nodes[i].Move; m == "black" || m == "white" || m == "--" {
				t.Errorf("%s: %q is a move", test.moves, m)
			}
		}
	}
}

// TestForeign writes a game that came from elsewhere, with everything that PGN
// has no words for.
func TestForeign(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs", Start: "4k4/9/9/9/9/9/9/9/9/3K5 b", Format: "xqf"}
	g.Tags = []record.Tag{{Name: "Result", Value: "红胜"}, {Name: "remark", Value: "two\nlines"}, {Name: "棋 譜", Value: "x"}}
	g.Facts.Players[0] = facts.Player{Name: `"A"\`, Team: "T", Rating: 2300, Rank: facts.Rank{Grade: 9, Scale: 'd'}}
	g.Facts.Players[1].Name = "B"
	g.Facts.Date = facts.ParseDate("1999-12")
	g.Facts.Result = facts.Result{Verdict: facts.BothLost, How: facts.Forfeit}
	g.Facts.Event, g.Facts.Opening, g.Facts.Code = "E", "O", "A00"
	root := g.Add(0, record.Unstated, "")
	a := g.Add(root, record.Second, "e9e8")
	b := g.Add(root, record.Second, "e9f9")
	g.Add(a, record.First, "d0d1")
	g.Nodes[root].More().Comment = " spaces around "
	g.Nodes[a].More().Comment = "a } brace\n[Event \"x\"]"
	g.Nodes[a].More().Props = []record.Prop{{Name: "NAG", Values: []string{"3"}}, {Name: "X", Values: []string{"1", "}", ""}}, {Name: "a b"}}
	g.Nodes[b].More().Props = []record.Prop{{Name: "NAG", Values: []string{"good"}}, {Name: "MN", Values: []string{"7"}}}
	text := write(t, g)
	back := read(t, text)
	if len(back) != 1 {
		t.Fatalf("%d games:\n%s", len(back), text)
	}
	h := back[0]
	for i := range g.Nodes {
		g.Nodes[i].Side = record.Unstated
	}
	if recordtest.Tree(g) != recordtest.Tree(h) || h.Kind != g.Kind || h.Start != g.Start || h.Notation != g.Notation {
		t.Errorf("%s\nread back:\n%s\nwritten:\n%s", recordtest.Tree(g), recordtest.Content(h), text)
	}
	if h.Facts != g.Facts {
		t.Errorf("facts %+v, want %+v", h.Facts, g.Facts)
	}
	if h.Tag("remark") != "two\nlines" || h.Tag("棋 譜") != "x" {
		t.Errorf("tags %q", h.Tags)
	}
	if again := write(t, h); again != text {
		t.Errorf("written differently:\n%s\n%s", text, again)
	}
}

// TestRenju writes boards and rules that the format has to name.
func TestRenju(t *testing.T) {
	for _, test := range []struct{ variant, notation, moves string }{
		{"", "plain", "h8 i9 pass"},
		{"free", "sgf", "hh ii"},
		{"20x20,free", "xy", "10,10 11,12"},
		{"19x19,standard", "plain", "a1 s19"},
	} {
		g := &record.Game{Kind: "renju", Variant: test.variant, Notation: test.notation, Format: "psq"}
		last := g.Add(0, record.Unstated, "")
		for move := range strings.FieldsSeq(test.moves) {
			last = g.Add(last, record.Unstated, move)
		}
		text := write(t, g)
		h := read(t, text)[0]
		if h.Variant != g.Variant || h.Notation != g.Notation || h.Kind != g.Kind || recordtest.Tree(h) != recordtest.Tree(g) {
			t.Errorf("%+v: %s\n%s", test, text, recordtest.Content(h))
		}
	}
}

func TestInexpressible(t *testing.T) {
	game := func(change func(*record.Game)) *record.Game {
		g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
		g.Add(g.Add(0, 0, ""), record.First, "h2e2")
		change(g)
		return g
	}
	for name, g := range map[string]*record.Game{
		"games of":              game(func(g *record.Game) { g.Kind = "weiqi" }),
		"without a move":        game(func(g *record.Game) { g.Nodes[g.Add(0, 0, "")].More().Comment = "x" }),
		"moving twice":          game(func(g *record.Game) { g.Add(1, record.First, "h9g7") }),
		"set-up":                game(func(g *record.Game) { g.Nodes[0].More().Setup = []record.Put{{Piece: 1, Point: "a0"}} }),
		"turn":                  game(func(g *record.Game) { g.Nodes[0].More().Turn = record.Second }),
		`the move "1-0"`:        game(func(g *record.Game) { g.Nodes[1].Move = "1-0" }),
		`the move "a b"`:        game(func(g *record.Game) { g.Nodes[1].Move = "a b" }),
		`the notation "uci"`:    game(func(g *record.Game) { g.Notation = "uci"; g.Nodes[1].Move = "炮二平五" }),
		`the variant "9x9"`:     game(func(g *record.Game) { g.Variant = "9x9" }),
		"moves that look like ": game(func(g *record.Game) { g.Nodes[1].Move = "what"; g.Add(1, 0, "ever") }),
		"without a root":        {Kind: "renju"},
	} {
		err := pgn.Format.Write(io.Discard, one(g))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPrune writes games with nodes that have no move.
func TestPrune(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	root := g.Add(0, 0, "")
	said := g.Add(root, 0, "")
	g.Nodes[said].More().Comment = "before"
	first := g.Add(said, record.First, "h2e2")
	g.Nodes[first].More().Comment = "first"
	empty := g.Add(first, 0, "")
	g.Add(empty, record.Second, "h9g7")
	last := g.Add(g.Add(empty, record.Second, "b9c7"), 0, "")
	g.Nodes[last].More().Comment = "last"
	g.Add(last, 0, "")
	before := recordtest.Tree(g)
	h := read(t, write(t, g))[0]
	want := "- comment \"before\"\n- h2e2 comment \"first\"\n  - h9g7\n  - b9c7 comment \"last\"\n"
	if got := recordtest.Tree(h); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if recordtest.Tree(g) != before {
		t.Error("writing changes the game")
	}
}

// TestLimits reads files that are larger than allowed, or break off.
func TestLimits(t *testing.T) {
	long := "[Red \"A\"]\n\n1. " + strings.Repeat("h2e2 ", 10_000) + "*\n\n[Red \"B\"]\n\n1. h2e2 *\n"
	for _, size := range []int64{-1, int64(len(long))} {
		src := recordtest.Source("x.pgn", []byte(long))
		src.Size, src.Limits.GameBytes = size, 1000
		src.Reader = iotest.OneByteReader(src.Reader)
		games, faults := recordtest.ReadAll(t, pgn.Format, src)
		if len(games) != 1 || games[0].Tag("Red") != "B" || len(faults) != 1 || faults[0].Kind != record.KindLimit {
			t.Errorf("size %d: %d games, %v", size, len(games), faults)
		}
		if want := int64(strings.Index(long, "[Red \"B\"]")); games[0].Place.Offset != want || games[0].Place.Line != 5 || games[0].Place.Number != 1 {
			t.Errorf("place %+v, want offset %d", games[0].Place, want)
		}
	}
	src := recordtest.Source("x.pgn", []byte("[Red \"A\"]\n\n1. h2e2 h9g7 (h9i7 (b9c7 (b9a7))) h0g2 i9h9 $1 $2 $3"))
	src.Limits = record.Limits{Nodes: 3, Depth: 2, Props: 2}
	games, _ := recordtest.ReadAll(t, pgn.Format, src)
	if len(games[0].Nodes) > 4 || len(games[0].Faults) == 0 {
		t.Errorf("%s", recordtest.Dump(games[0]))
	}
	src = recordtest.Source("x.pgn", nil)
	src.Reader = io.MultiReader(strings.NewReader("[Red \"A\"]\n\n1. h2e2"), iotest.ErrReader(io.ErrUnexpectedEOF))
	games, faults := recordtest.ReadAll(t, pgn.Format, src)
	if len(games) != 1 || len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("%d games, %v", len(games), faults)
	}
	if _, faults = recordtest.ReadAll(t, pgn.Format, recordtest.Source("x.pgn", []byte(" \n"))); len(faults) != 1 || faults[0].Kind != record.KindEmpty {
		t.Errorf("%v", faults)
	}
}

// TestHostile reads files that would be slow with a careless parser.
func TestHostile(t *testing.T) {
	const n = 50_000
	for name, text := range map[string]string{
		"braces":     strings.Repeat("}", n),
		"parens":     strings.Repeat("(", n),
		"closed":     strings.Repeat(")", n),
		"variations": "1. h2e2 " + strings.Repeat("(h2d2) ", n),
		"comments":   "1. h2e2 " + strings.Repeat("{a}", n),
		"remarks":    "1. h2e2 " + strings.Repeat("(h2d2) {a} ", n),
		"games":      strings.Repeat("1. h2e2 * ", n),
		"results":    strings.Repeat("1-0 ", n),
		"strange":    "1. h2e2 " + strings.Repeat("what ", n),
		"between":    strings.Repeat("what h2e2 ", n),
		"marks":      "1. h2e2 " + strings.Repeat("! ", n),
		"nags":       "1. h2e2 " + strings.Repeat("$1 ", n),
		"tags":       strings.Repeat("[A \"b\"]\n", n),
		"choices":    "1. h8 " + strings.Repeat("-- white ", n),
		"commands":   "1. h2e2 " + strings.Repeat("{[%prop a \"b\"]}", n),
		"open":       strings.Repeat("[A \"b\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			src := recordtest.Source("x.pgn", []byte("[Red \"A\"]\n\n"+text))
			for range pgn.Format.Read(src) {
			}
		})
	}
}

func Example() {
	const file = `[Game "Chinese Chess"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

1. 炮二平五 馬８進７ (1... 炮８平５ {順手炮}) 2. 馬二進三 1-0
`
	for g, err := range pgn.Format.Read(&record.Source{Name: "a.pgn", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Kind, g.Notation, g.Facts.Players[0].Name, g.Facts.Result.Verdict)
		for i := range g.Nodes {
			fmt.Printf("%d %q %q\n", g.Nodes[i].Parent, g.Nodes[i].Move, g.Nodes[i].Text())
		}
	}
	// Output:
	// xiangqi chinese 甲 first won
	// 0 "" ""
	// 0 "炮二平五" ""
	// 1 "馬８進７" ""
	// 1 "炮８平５" "順手炮"
	// 2 "馬二進三" ""
}
