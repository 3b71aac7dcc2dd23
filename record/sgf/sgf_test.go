package sgf_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
	"qipu/record/recordtest"
	"qipu/record/sgf"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, sgf.Format, "testdata/*.sgf") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, sgf.Format, "testdata/*.sgf") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, sgf.Format, "testdata/*.sgf") }

// read reads a text that holds one game.
func read(t testing.TB, name, text string) *record.Game {
	t.Helper()
	games, faults := recordtest.ReadAll(t, sgf.Format, recordtest.Source(name, []byte(text)))
	if len(games) != 1 || len(faults) != 0 {
		t.Fatalf("%d games, faults %v", len(games), faults)
	}
	return games[0]
}

func write(t testing.TB, g *record.Game) string {
	t.Helper()
	var b bytes.Buffer
	err := sgf.Format.(record.Writer).Write(&b, func(yield func(*record.Game) bool) { yield(g) })
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// moves returns the main line as one text.
func moves(g *record.Game) string {
	var list []string
	for _, n := range g.Main() {
		if n.Move != "" {
			list = append(list, [...]string{"-", "1", "2"}[n.Side]+n.Move)
		}
	}
	return strings.Join(list, " ")
}

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		name, head string
		least      int
		most       int
	}{
		{"a.sgf", "(;GM[1]FF[4]", 90, 100},
		{"a", "\xEF\xBB\xBF  ( ;\r\n GM[1]", 90, 100},
		{"a", "(\x00;\x00G\x00M\x00[\x001\x00]\x00", 90, 100},
		{"a.txt", "a letter (really)\n\n(;PB[x]", 50, 80},
		{"a.sgf", "", 10, 30},
		{"a.SGF", "PB[x]", 10, 30},
		{"a", "(;GM[Othello]PC[GGS]BO[8 ---- *]B[F5]", 0, 0},
		{"a.pgn", "[Event \"x\"]\n1. e4 (;-) e5", 0, 0},
		{"a", "XQ\x12", 0, 0},
		{"a", "", 0, 0},
	} {
		if got := sgf.Format.Sniff([]byte(c.head), c.name); got < c.least || got > c.most {
			t.Errorf("%q %q: %d, want %d to %d", c.name, c.head, got, c.least, c.most)
		}
	}
}

// TestEncodings reads text whose second bytes look like brackets, backslashes
// and parentheses, declared and not.
func TestEncodings(t *testing.T) {
	long := strings.Repeat("這是一個關於圍棋的註解,許功蓋在這裡下棋。", 4)
	simple := strings.Repeat("这是一个关于围棋的注解，黑棋在这里下了一手。", 4)
	japanese := strings.Repeat("表の能力とソフトの予定を十分に示す。", 4)
	for _, c := range []struct{ encoding, declare, text string }{
		{"big5", "Big5", long},
		{"big5", "", long},
		{"gbk", "GBK", simple + "乗乚乛亄"},
		{"gb18030", "GB18030", simple + "漒漖"},
		{"gb18030", "", simple},
		{"shift_jis", "Shift_JIS", japanese},
		{"shift_jis", "MS_KANJI", japanese},
		{"shift_jis", "", japanese},
		{"euc-kr", "EUC-KR", strings.Repeat("바둑을 두었습니다.", 5)},
		{"euc-kr", "UTF-8", strings.Repeat("바둑을 두었습니다.", 5)},
		{"windows-1252", "ISO-8859-1", "Café à la crème, bien sûr"},
		{"utf-8", "GBK", simple},
		{"utf-8", "", simple},
	} {
		text := "(;GM[1]SZ[9]PB[" + c.text + "]C[" + c.text + "];B[aa];W[bb])"
		if c.declare != "" {
			text = strings.Replace(text, "GM[1]", "GM[1]CA["+c.declare+"]", 1)
		}
		data, err := charset.Encode(text, c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		// Twice, so that a wrong end of the first game shows.
		games, faults := recordtest.ReadAll(t, sgf.Format, recordtest.Source("x", append(append(data, '\n'), data...)))
		if len(games) != 2 || len(faults) != 0 {
			t.Errorf("%s declared %q: %d games, %v", c.encoding, c.declare, len(games), faults)
			continue
		}
		for _, g := range games {
			if g.Facts.Players[0].Name != c.text || g.Nodes[0].Text() != c.text || moves(g) != "1aa 2bb" {
				t.Errorf("%s declared %q: read as %s: %q", c.encoding, c.declare, g.Encoding, g.Nodes[0].Text())
			}
		}
	}
	src := recordtest.Source("x", []byte("(;PB[x])"))
	src.Encoding = "no such"
	games, faults := recordtest.ReadAll(t, sgf.Format, src)
	if len(games) != 0 || len(faults) == 0 || faults[0].Kind != record.KindEncoding {
		t.Errorf("an unknown encoding: %d games, %v", len(games), faults)
	}
}

// TestCutCharacter reads UTF-8 with a character cut by a field limit.
func TestCutCharacter(t *testing.T) {
	g := read(t, "x", "(;CA[UTF-8]PB[\u68cb\u8b5c\xe6\xa3]PW[\u91d1\u6bdb\u6d4b\u8bd5];B[aa])")
	if !strings.HasPrefix(g.Facts.Players[0].Name, "棋譜") || g.Facts.Players[1].Name != "金毛测试" || len(g.Faults) == 0 || g.Faults[0].Kind != record.KindEncoding {
		t.Errorf("%+v, faults %v", g.Facts.Players, g.Faults)
	}
}

// TestFacts checks the headers that need their surroundings.
func TestFacts(t *testing.T) {
	for text, want := range map[string]string{
		"(;PB[A]BR[2150]KM[6.5]RE[B+3.5])":              "A 2150 6.5 B+3.5 0",
		"(;PB[A]BR[9段]KM[375]HA[0]RE[W+R]AP[foxwq])":    "A 9d 7.5 W+R 0",
		"(;PB[A]KM[0]HA[0]RE[W+R]TC[3]TT[30]AP[foxwq])": "A   W+R 0",
		"(;PB[A]KM[0]HA[2]RE[W+R]TC[3]TT[30]AP[foxwq])": "A  0 W+R 2",
		"(;PB[A]KM[0]RE[W+R])":                          "A  0 W+R 0",
		"(;PB[][B]RE[?])":                               "B   ? 0",
		"(;GM[4]PB[A]RE[黑胜])":                           "A   B+ 0",
		"(;GM[7]PW[A]WR[1d]RE[W+R];W[h2e2])":            "A 1d  B+R 0",
		"(;GM[7]PB[A]BR[1d]RE[B+R];B[h2e2])":            "A 1d  B+R 0",
		"(;GM[1];C[x];PB[A]RE[B+T];B[aa])":              "A   B+T 0",
		"(;GM[1];C[x];B[aa];PB[A])":                     "   ? 0",
		"(;GM[2]PB[A]KM[6.5]RE[B+10];B[f5])":            "A   B+10 0",
		"(;PB[A]HA[x]RU[Japanese]RE[Void])":             "A   Void 0",
		"(;PB[ A \n B ]RE[0])":                          "A B   0 0",
		"(;GM[1]AP[a\\:b:1]PB[a\\\nb\\]]RE[B+Forfeit])": "ab]   B+F 0",
		"(;PB[A]KM[650]RE[W+])":                         "A  6.5 W+ 0",
		"(;PB[A]KM[7,5]RE[W+Time]DT[2001-02-03]HA[3子])": "A  7.5 W+T 3",
	} {
		g := read(t, "x", text)
		f := &g.Facts
		strength := f.Players[0].Rank.String()
		if f.Players[0].Rating != 0 {
			strength = fmt.Sprint(f.Players[0].Rating)
		}
		got := fmt.Sprintf("%s %s %s %s %d", f.Players[0].Name, strength, f.Komi, f.Result, f.Handicap)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestNameFacts reads facts from file names, with brackets inside.
func TestNameFacts(t *testing.T) {
	const tree = "(;US[x]SZ[15]5A[]SW[False];B[hh])"
	g := read(t, "dir/【【队】乙○_vs_●[甲]一】【花月】【白胜】【第三轮【2004.8.20】（快棋）】【7】.sgf", tree)
	f := &g.Facts
	if g.Kind != "renju" || f.Players[0].Name != "[甲]一" || f.Players[1].Name != "【队】乙" || f.Opening != "花月" ||
		f.Event != "第三轮【2004.8.20】（快棋）" || f.Result.SGF(facts.BlackFirst) != "W+" || len(g.Faults) != 0 {
		t.Errorf("%+v, %v", f, g.Faults)
	}
	if again := read(t, "x", write(t, g)); again.Facts != g.Facts {
		t.Errorf("written and read:\n%+v\nwant\n%+v", again.Facts, g.Facts)
	}
	g = read(t, "【乙○_vs_●甲】【花月】【白胜】【赛】【7】.sgf", "(;SZ[15]PB[丙]PW[乙]RE[黑胜]CP[赛]SW[True];B[hh])")
	if len(g.Faults) != 2 || !strings.Contains(g.Faults[0].Reason, "丙") || g.Facts.Players[0].Name != "丙" {
		t.Errorf("%+v, %v", g.Facts, g.Faults)
	}
}

// TestKinds checks the guess for records that do not state their game.
func TestKinds(t *testing.T) {
	for text, want := range map[string]string{
		"(;;B[pd])":                             "weiqi/ 0",
		"(;SZ[9];B[aa])":                        "weiqi/9x9 0",
		"(;SZ[15];B[aa])":                       "weiqi/15x15 1",
		"(;SZ[15]SW[True];B[aa])":               "renju/ 0",
		"(;SZ[15]EV[Gomoku Cup];B[aa])":         "renju/ 1",
		"(;SZ[15];B[h8])":                       "renju/ 1",
		"(;SZ[8];B[f5])":                        "othello/ 1",
		"(;SZ[8];B[ff])":                        "weiqi/8x8 0",
		"(;;W[h2e2])":                           "xiangqi/ 1",
		"(;GM[4]SZ[20]RU[Free];B[aa])":          "renju/20x20,free 0",
		"(;GM[ 1 ]SZ[ 9 x 9 ];B[aa])":           "weiqi/9x9 0",
		"(;GM[99];B[aa])":                       "/ 1",
		"(;GM[1]SZ[37];B[aa])":                  "weiqi/37x37 0",
		"(;GM[1]SZ[53];B[aa])":                  "weiqi/ 1",
		"(;GM[1]SZ[x][9];B[aa])":                "weiqi/ 2",
		"(;GM[3]SZ[8]AB[e2];W[e2e4];B[e7e5])":   "/ 1",
		"(;GM[chinese chess];W[h2e2])":          "xiangqi/ 0",
		"(;GM[1]C[GM[4\\] is not meant];B[aa])": "weiqi/ 0",
	} {
		g := read(t, "x", text)
		if got := fmt.Sprintf("%s/%s %d", g.Kind, g.Variant, len(g.Faults)); got != want {
			t.Errorf("%s: %s, want %s: %v", text, got, want, g.Faults)
		}
	}
}

// TestMoves checks the text of moves.
func TestMoves(t *testing.T) {
	for text, want := range map[string]string{
		"(;B[pd];W[];B[tt];W[ ];B[pass])":             "1pd 2tt 1tt 2tt 1tt",
		"(;SZ[21];B[tt];W[];B[ab])":                   "1tt 2pass 1ab",
		"(;GM[4];B[h8];W[H9];B[];W[hz];B[h16])":       "1hh 2hg 1tt 2hz 1h16",
		"(;GM[2];B[F5];W[ff];B[PA];W[tt];B[zz])":      "1f5 2f6 1pass 2pass 1z26",
		"(;GM[7];W[h2e2];B[H9-G7];W[hjgh])":           "1h2e2 2h9g7 1h0g2",
		"(;GM[7];W[h3e3];B[h10g8])":                   "1h2e2 2h9g7",
		"(;GM[7];B[h2e2];W[h9g7])":                    "1h2e2 2h9g7",
		"(;GM[7];W[炮二平五];B[馬８進７])":                    "1炮二平五 2馬８進７",
		"(;B[aa]W[bb];B[cc])":                         "1aa 2bb 1cc",
		"(;AB[aa];B[bb]B[cc])":                        "1bb",
		"(;GM[1];B[a\\a])":                            "1aa",
		"(; B [pd] ; W\n[dd] ( ; B [aa] ) ( ;B[bb]))": "1pd 2dd 1aa",
	} {
		g := read(t, "x", text)
		if got := moves(g); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestLimits checks that nothing hostile costs more than its fault, and that
// the next game is read.
func TestLimits(t *testing.T) {
	many := func(s string, n int) string { return strings.Repeat(s, n) }
	for name, c := range map[string]struct {
		text   string
		limits record.Limits
	}{
		"deep":       {"(;GM[1]" + many("(;B[aa]", 1_000_000) + many(")", 1_000_001), record.Limits{}},
		"open":       {many("(;", 200_000) + "B[aa]" + many(")", 200_000), record.Limits{}},
		"properties": {"(;GM[1]" + many("XX[a]", 1_000_000) + ")", record.Limits{}},
		"values":     {"(;GM[1]XX" + many("[a]", 1_000_000) + ")", record.Limits{}},
		"nodes":      {"(" + many(";", 100_000) + ")", record.Limits{Nodes: 1000}},
		"large":      {"(;GM[1]C[" + many("x", 1_000_000) + "])", record.Limits{GameBytes: 1000}},
		"large open": {"(;GM[1]C[x]" + many("(;N[])", 100_000) + ")", record.Limits{GameBytes: 1000}},
		"stones":     {"(;GM[1]" + many(";AB[aa:ZZ]", 10_000) + ")", record.Limits{Nodes: 100_000}},
	} {
		for _, small := range []bool{false, true} {
			data := []byte(c.text + "\n(;GM[1]PB[next];B[aa])")
			src := recordtest.Source(name, data)
			src.Limits = c.limits
			if small {
				src.Size, src.At, src.Reader = -1, nil, iotest.HalfReader(bytes.NewReader(data))
			}
			games, faults := recordtest.ReadAll(t, sgf.Format, src)
			if len(games) == 0 || len(faults) == 0 || faults[0].Kind != record.KindLimit || faults[0].Place.Line != 1 ||
				games[len(games)-1].Tag("PB") != "next" || games[len(games)-1].Place.Line != 2 {
				t.Errorf("%s: %d games, %d faults: %.200v", name, len(games), len(faults), faults)
			}
		}
	}
}

// TestStream reads a collection in small pieces and wants the same as at once.
func TestStream(t *testing.T) {
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "text %d\n(;GM[1]PB[p%d]C[a \\] ) ( 表];B[aa](;W[bb])(;W[cc]));B[dd]\n", i, i)
		if i%7 == 0 {
			fmt.Fprintf(&b, "(;FF[4]PB[open];B[aa]\n")
		}
	}
	data := []byte(b.String())
	whole, faults := recordtest.ReadAll(t, sgf.Format, recordtest.Source("x", data))
	if len(faults) != 0 || len(whole) != 572 {
		t.Fatalf("%d games, %v", len(whole), faults)
	}
	for name, r := range map[string]io.Reader{
		"one byte": iotest.OneByteReader(bytes.NewReader(data)),
		"halves":   iotest.HalfReader(bytes.NewReader(data)),
		"data err": iotest.DataErrReader(bytes.NewReader(data)),
	} {
		pieces, _ := recordtest.ReadAll(t, sgf.Format, &record.Source{Name: "x", Reader: r, Size: -1})
		if len(pieces) != len(whole) {
			t.Fatalf("%s: %d games, want %d", name, len(pieces), len(whole))
		}
		for i := range whole {
			if a, b := recordtest.Dump(whole[i]), recordtest.Dump(pieces[i]); a != b || !bytes.Equal(whole[i].Raw, pieces[i].Raw) {
				t.Fatalf("%s: game %d differs:\n%s\n%s", name, i, a, b)
			}
		}
	}
	for i, g := range whole {
		if !bytes.Equal(data[g.Place.Offset:g.Place.Offset+int64(len(g.Raw))], g.Raw) {
			t.Fatalf("game %d is not at its offset", i)
		}
	}
}

// TestUnclosed reads collections whose trees are not closed.
func TestUnclosed(t *testing.T) {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "(;GM[1]FF[4]PB[p%d];B[aa];W[bb]\n", i)
	}
	games, faults := recordtest.ReadAll(t, sgf.Format, recordtest.Source("x", []byte(b.String())))
	if len(games) != 3000 || len(faults) != 0 || moves(games[7]) != "1aa 2bb" || len(games[7].Faults) == 0 {
		t.Errorf("%d games, %v", len(games), faults)
	}
}

func TestReadErrors(t *testing.T) {
	for text, kind := range map[string]string{
		"":                  record.KindEmpty,
		" \n\t":             record.KindEmpty,
		"nothing (to) see;": record.KindSyntax,
		"\xFF\xFE":          record.KindSyntax,
	} {
		games, faults := recordtest.ReadAll(t, sgf.Format, recordtest.Source("x", []byte(text)))
		if len(games) != 0 || len(faults) != 1 || faults[0].Kind != kind {
			t.Errorf("%q: %d games, %v", text, len(games), faults)
		}
	}
	broken := io.MultiReader(strings.NewReader("(;B[aa])(;B[b"), iotest.ErrReader(errors.New("disk on fire")))
	games, faults := recordtest.ReadAll(t, sgf.Format, &record.Source{Name: "x", Reader: broken, Size: -1})
	if len(games) != 2 || len(faults) != 1 || faults[0].Kind != record.KindIO || !strings.Contains(faults[0].Reason, "fire") {
		t.Errorf("%d games, %v", len(games), faults)
	}
	for range sgf.Format.Read(recordtest.Source("x", []byte("(;)(;)(;)"))) {
		break // stopping early is allowed
	}
}

// TestWithoutParenthesis reads moves alone, as some sites list them.
func TestWithoutParenthesis(t *testing.T) {
	if got := moves(read(t, "x", " ;B[aa];W[bb]\n")); got != "1aa 2bb" {
		t.Error(got)
	}
	if got := moves(read(t, "x", ";B[aa];W[bb])")); got != "1aa 2bb" {
		t.Error(got)
	}
}
