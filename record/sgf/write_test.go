package sgf_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/board"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/recordtest"
	"qipu/record/sgf"
)

// line returns a game of another format with these moves, sides unstated.
func line(kind, notation string, moves ...string) *record.Game {
	g := &record.Game{Kind: kind, Notation: notation, Format: "other"}
	at := g.Add(0, 0, "")
	for _, m := range moves {
		at = g.Add(at, record.Unstated, m)
	}
	return g
}

// TestWriteOthers writes games of other formats.
func TestWriteOthers(t *testing.T) {
	named := line("weiqi", "sgf", "pd", "tt")
	named.Facts = facts.Facts{
		Players: [2]facts.Player{{Name: "A]", Rank: facts.Rank{Grade: 9, Scale: 'p'}, Team: "T"}, {Name: "B", Rating: 2100}},
		Event:   "Cup", Round: "1", Place: "P", Date: facts.ParseDate("2001-02-03"), Result: facts.ParseResult(facts.BlackFirst, "W+0.5"),
		Komi: facts.ParseKomi("6.5"), Ruleset: "chinese", Opening: "o", Source: "s", Author: "a", Time: "60m",
	}
	named.Tags = []record.Tag{{Name: "Event", Value: "Cup"}, {Name: "Result", Value: "0-1"}, {Name: "Weather", Value: "rain"}, {Name: "PB", Value: "else"}}
	handicap := line("weiqi", "gtp", "Q16", "D4", "pass")
	handicap.Facts.Handicap = 2
	start := line("othello", "square", "f6")
	start.Start = "8/8/8/3OX3/3X4/8/8/8 O"
	red := line("xiangqi", "uci", "h3e3", "h10g8")
	red.Facts.Players[0].Name, red.Facts.Result = "Red", facts.Result{Verdict: facts.FirstWon}
	black := line("xiangqi", "chinese", "馬８進７")
	black.Start = "4k4/9/9/9/9/9/9/9/9/4K4 b"
	set := line("renju", "plain", "h8", "a15")
	set.Nodes[0].More().Setup = []record.Put{{Piece: 1, Point: "b2"}, {Piece: 2, Point: "c2"}, {Piece: 1, Point: "d2"}, {Piece: board.Empty, Point: "e2"}}
	set.Nodes[1].More().Comment = "a\r\nb]"
	set.Nodes[1].More().Props = []record.Prop{{Name: "N", Values: []string{"x]"}}, {Name: "TE"}}
	free := line("renju", "xy", "1,1", "15,15")
	free.Variant = "15x15,free"
	for _, c := range []struct {
		g    *record.Game
		want string
	}{
		{line("weiqi", "1-1", "16-4", "pass"), "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[pd];W[])\n"},
		{named, "(;FF[4]CA[UTF-8]GM[1]SZ[19]\nEV[Cup]RO[1]PC[P]DT[2001-02-03]PB[A\\]]BR[9p]BT[T]PW[B]WR[2100]KM[6.5]RU[chinese]\n" +
			"RE[W+0.5]TM[60m]ON[o]SO[s]AN[a]GC[Weather: rain\n(PB): else]\n;B[pd];W[])\n"},
		{handicap, "(;FF[4]CA[UTF-8]GM[1]SZ[19]\nHA[2]\n;W[pd];B[dp];W[])\n"},
		{start, "(;FF[4]CA[UTF-8]GM[2]SZ[8]AB[ed][de]AW[dd]AE[ee]PL[W]\n;W[ff])\n"},
		{line("weiqi", "sgf", "aa", "no move]"), "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[aa];W[no move\\]])\n"},
		{line("othello", "", "f5", "PASS"), "(;FF[4]CA[UTF-8]GM[2]SZ[8]\n;B[fe];W[])\n"},
		{red, "(;FF[4]CA[UTF-8]GM[7]\nPW[Red]RE[W+]\n;W[h2e2];B[h9g7])\n"},
		{black, "(;FF[4]CA[UTF-8]GM[7]FEN[4k4/9/9/9/9/9/9/9/9/4K4 b]\n;B[馬８進７])\n"},
		{set, "(;FF[4]CA[UTF-8]GM[4]SZ[15]AB[bn][dn]AW[cn]AE[en]\n;B[hh]C[a\nb\\]]N[x\\]]TE[];W[aa])\n"},
		{free, "(;FF[4]CA[UTF-8]GM[4]SZ[15]\nRU[free]\n;B[aa];W[oo])\n"},
	} {
		got := write(t, c.g)
		if got != c.want {
			t.Errorf("got\n%swant\n%s", got, c.want)
		}
		if g := read(t, "x", got); g.Kind != c.g.Kind || g.Moves() != c.g.Moves() {
			t.Errorf("reads back as %s with %d moves:\n%s", g.Kind, g.Moves(), got)
		}
	}
}

// TestRefused wants an error that names what cannot be written.
func TestRefused(t *testing.T) {
	ko := line("weiqi", "sgf")
	ko.Start = "19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 b ko=1,1"
	prop := line("weiqi", "sgf")
	prop.Nodes[0].More().Props = []record.Prop{{Name: "AB", Values: []string{"1"}}}
	header := line("weiqi", "sgf")
	header.Nodes[0].More().Props = []record.Prop{{Name: "EV", Values: []string{"1"}}}
	deep, at := line("weiqi", "sgf"), int32(0)
	for range 10_000 {
		at = deep.Add(at, record.First, "aa")
		deep.Add(deep.Nodes[at].Parent, record.First, "bb")
	}
	piece := line("xiangqi", "iccs")
	piece.Nodes[0].More().Setup = []record.Put{{Piece: 5, Point: "e0"}}
	for name, g := range map[string]*record.Game{
		"chess":          line("chess", ""),
		"known kind":     line("", ""),
		`"aa"`:           line("weiqi", "gtp", "aa"),
		`"I5"`:           line("weiqi", "gtp", "I5"),
		`"dd"`:           line("othello", "square", "dd"),
		"start position": ko,
		`"AB"`:           prop,
		`"EV"`:           header,
		"nested deeper":  deep,
		`"e0"`:           piece,
		"root":           {Kind: "weiqi"},
	} {
		var b bytes.Buffer
		err := sgf.Format.(record.Writer).Write(&b, func(yield func(*record.Game) bool) { yield(g) })
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCarried writes properties and codes of other formats, and reads them back
// as they were.
func TestCarried(t *testing.T) {
	g := line("renju", "sgf", "hh", "ii")
	want := []record.Prop{
		{Name: "Choice", Values: []string{"black", "--"}}, {Name: "ms", Values: []string{`a]b\c`}}, {Name: "MN", Values: []string{"7"}},
		{Name: "two words", Values: []string{""}}, {Name: "none"},
	}
	g.Nodes[1].More().Props = want
	g.Facts.Code, g.Facts.Opening = "D7", "hill"
	text := write(t, g)
	again := read(t, "x", text)
	if got := fmt.Sprintf("%q", again.Nodes[1].Props); got != fmt.Sprintf("%q", want) {
		t.Errorf("%s\n%s", got, text)
	}
	if f := &again.Facts; f.Code != "D7" || f.Opening != "hill" {
		t.Errorf("%+v\n%s", f, text)
	}
	recordtest.RoundTripGame(t, sgf.Format, again)
	// What needs no carrier stays in it.
	g = read(t, "x", "(;GM[1]XPROP[AB][aa]XPROP[a\\]]XPROP[][x])")
	if got := fmt.Sprintf("%q", g.Nodes[0].Props); got != `[{"XPROP" ["AB" "aa"]} {"a]" []} {"XPROP" ["" "x"]}]` {
		t.Error(got)
	}
	recordtest.RoundTripGame(t, sgf.Format, g)
}

// TestTextAround keeps the text outside of the trees.
func TestTextAround(t *testing.T) {
	text := "first\r\n(;GM[1];B[aa])\n (between)\n(;GM[1];B[bb])) last] \\ words\r\n\x1a"
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "bytes": iotest.OneByteReader(strings.NewReader(text))} {
		games, faults := recordtest.ReadAll(t, sgf.Format, &record.Source{Name: "x", Reader: r, Size: -1})
		if len(games) != 2 || len(faults) != 0 {
			t.Fatalf("%s: %d games, %v", name, len(games), faults)
		}
		got := fmt.Sprintf("%q", [2][]record.Tag{games[0].Tags, games[1].Tags})
		if got != `[[{"TEXTBEFORE" "first"}] [{"TEXTBEFORE" "(between)"} {"TEXTBEHIND" "last] \\ words"}]]` {
			t.Errorf("%s: %s", name, got)
		}
		for _, g := range games {
			if len(g.Faults) == 0 {
				t.Errorf("%s: game %d has no note", name, g.Place.Number)
			}
			recordtest.RoundTripGame(t, sgf.Format, g)
		}
	}
}

// TestWriteDeep writes a tree that would break a recursive writer, and lines
// that stay short.
func TestWriteDeep(t *testing.T) {
	g := line("weiqi", "sgf")
	at := int32(0)
	for range 9000 {
		g.Add(at, record.First, "aa")
		at = g.Add(at, record.Second, "bb")
	}
	text := write(t, g)
	if again := read(t, "x", text); len(again.Nodes) != len(g.Nodes) {
		t.Errorf("%d nodes, want %d", len(again.Nodes), len(g.Nodes))
	}
	for row := range strings.SplitSeq(write(t, read(t, "x", string(collection(1, 500)))), "\n") {
		if len(row) > 90 {
			t.Errorf("a long line: %s", row)
		}
	}
}
