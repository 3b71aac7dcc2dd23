package dhtmlxq_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/dhtmlxq"
	"qipu/record/facts"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, dhtmlxq.Format, "testdata/*.ubb") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, dhtmlxq.Format, "testdata/*.ubb") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, dhtmlxq.Format, "testdata/*.ubb") }

func one(g *record.Game) iter.Seq[*record.Game] {
	return func(yield func(*record.Game) bool) { yield(g) }
}

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		head, name string
		want       int
	}{
		{"<html>[DhtmlXQ]", "a.html", 95},
		{"[DhtmlXQ_title]", "", 95},
		{"", "a.UBB", 20},
		{"[Event \"x\"]", "a.pgn", 0},
	} {
		if got := dhtmlxq.Format.Sniff([]byte(test.head), test.name); got != test.want {
			t.Errorf("Sniff(%q, %q) = %d, want %d", test.head, test.name, got, test.want)
		}
	}
}

// TestForeign writes a game that came from elsewhere.
func TestForeign(t *testing.T) {
	for _, notation := range []string{"iccs", "uci"} {
		moves := map[string][]string{"iccs": {"d9d8", "H2-E2", "d9e9"}, "uci": {"d10d9", "h3e3", "d10e10"}}[notation]
		g := &record.Game{Kind: "xiangqi", Notation: notation, Start: "3k5/9/9/9/9/9/9/7C1/9/4K4 b - - 7 30", Format: "pgn"}
		g.Tags = []record.Tag{{Name: "FEN", Value: "dropped"}, {Name: "Event", Value: "dropped"}, {Name: "Extra", Value: "kept"}}
		g.Facts.Event = "E"
		g.Facts.Players[0] = facts.Player{Name: "A", Team: "T", Rating: 2300}
		g.Facts.Result.Verdict = facts.Drawn
		g.Facts.Date = facts.ParseDate("1999-12-09")
		root := g.Add(0, 0, "")
		a := g.Add(root, 0, moves[0])
		b := g.Add(a, 0, moves[1])
		c := g.Add(root, 0, moves[2])
		g.Nodes[b].More().Comment = "|\nx"
		g.Nodes[c].More().Comment = "other"
		var file bytes.Buffer
		if err := dhtmlxq.Format.Write(&file, one(g)); err != nil {
			t.Fatal(err)
		}
		games, faults := recordtest.ReadAll(t, dhtmlxq.Format, recordtest.Source("x", file.Bytes()))
		if len(games) != 1 || len(faults) != 0 {
			t.Fatalf("%d games, %v\n%s", len(games), faults, &file)
		}
		h := games[0]
		if h.Facts != g.Facts || h.Start != g.Start || h.Tag("Extra") != "kept" {
			t.Errorf("%s\nof\n%s", recordtest.Dump(h), &file)
		}
		if want := "-\n  - d9d8\n  - h2e2 comment \"|\\nx\"\n  - d9e9 comment \"other\"\n"; recordtest.Tree(h) != want {
			t.Errorf("%s\nwant\n%s", recordtest.Tree(h), want)
		}
	}
}

func TestInexpressible(t *testing.T) {
	game := func(change func(*record.Game)) *record.Game {
		g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
		g.Add(g.Add(0, 0, ""), 0, "h2e2")
		change(g)
		return g
	}
	for name, g := range map[string]*record.Game{
		"games of":       game(func(g *record.Game) { g.Kind = "renju" }),
		"variant":        game(func(g *record.Game) { g.Variant = "free" }),
		"chinese":        game(func(g *record.Game) { g.Notation = "chinese" }),
		"without a move": game(func(g *record.Game) { g.Add(1, 0, "") }),
		"set-up":         game(func(g *record.Game) { g.Nodes[0].More().Setup = []record.Put{{Piece: 1, Point: "a0"}} }),
		"turn":           game(func(g *record.Game) { g.Nodes[0].More().Turn = record.Second }),
		"property X":     game(func(g *record.Game) { g.Nodes[1].More().Props = []record.Prop{{Name: "X"}} }),
		"comment1":       game(func(g *record.Game) { g.Nodes[1].More().Comment = "a||b" }),
		`"j0a1"`:         game(func(g *record.Game) { g.Nodes[1].Move = "j0a1" }),
		"without a root": {Kind: "xiangqi"},
		"position":       game(func(g *record.Game) { g.Start = "a  b" }),
		"text of a]":     game(func(g *record.Game) { g.Tags = []record.Tag{{Name: "a]", Value: "b"}} }),
	} {
		err := dhtmlxq.Format.Write(io.Discard, one(g))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	long := "[DhtmlXQ][DhtmlXQ_title]" + strings.Repeat("x", 5000) + "[/DhtmlXQ_title][/DhtmlXQ]\n[DhtmlXQ][DhtmlXQ_movelist]77477242[/DhtmlXQ_movelist][/DhtmlXQ]"
	src := recordtest.Source("x.ubb", []byte(long))
	src.Reader, src.Limits.GameBytes = iotest.OneByteReader(src.Reader), 1000
	games, faults := recordtest.ReadAll(t, dhtmlxq.Format, src)
	if len(games) != 1 || games[0].Moves() != 2 || len(faults) != 1 || faults[0].Kind != record.KindLimit || games[0].Place.Line != 2 {
		t.Errorf("%d games, %v", len(games), faults)
	}
	src = recordtest.Source("x.ubb", []byte("[DhtmlXQ_a]b[/DhtmlXQ_a][DhtmlXQ_c]d[/DhtmlXQ_c][DhtmlXQ_movelist]774772427967[/DhtmlXQ_movelist]"))
	src.Limits = record.Limits{Nodes: 2, Props: 1}
	games, _ = recordtest.ReadAll(t, dhtmlxq.Format, src)
	if len(games) != 1 || len(games[0].Nodes) != 3 || len(games[0].Tags) != 1 || len(games[0].Faults) != 1 {
		t.Errorf("%s", recordtest.Dump(games[0]))
	}
	src = recordtest.Source("x.ubb", nil)
	src.Reader = iotest.ErrReader(io.ErrUnexpectedEOF)
	if _, faults := recordtest.ReadAll(t, dhtmlxq.Format, src); len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("%v", faults)
	}
	if _, faults := recordtest.ReadAll(t, dhtmlxq.Format, recordtest.Source("x.ubb", []byte("text"))); len(faults) != 1 || faults[0].Kind != record.KindEmpty {
		t.Errorf("%v", faults)
	}
}

// TestHostile reads files that would be slow with a careless parser.
func TestHostile(t *testing.T) {
	const n = 50_000
	var chain, fan strings.Builder
	for i := n; i > 0; i-- {
		fmt.Fprintf(&chain, "[DhtmlXQ_move_%d_1_%d]7747[/DhtmlXQ_move]", i-1, i)
		fmt.Fprintf(&fan, "[DhtmlXQ_move_0_1_%d]7747[/DhtmlXQ_move]", i)
	}
	for name, text := range map[string]string{
		"opens":    strings.Repeat("[DhtmlXQ]", n),
		"tags":     strings.Repeat("[DhtmlXQ_", n),
		"brackets": "[DhtmlXQ_a]" + strings.Repeat("[", n),
		"comments": strings.Repeat("[DhtmlXQ_comment0]a[/DhtmlXQ_comment0]", n),
		"stray":    strings.Repeat("[DhtmlXQ_comment7]a[/DhtmlXQ_comment7]", n),
		"games":    strings.Repeat("[DhtmlXQ_movelist]", n),
		"chain":    chain.String(),
		"fan":      fan.String(),
	} {
		t.Run(name, func(t *testing.T) {
			for range dhtmlxq.Format.Read(recordtest.Source("x.ubb", []byte(text))) {
			}
		})
	}
}

func Example() {
	const file = `[DhtmlXQ]
[DhtmlXQ_red]甲[/DhtmlXQ_red]
[DhtmlXQ_movelist]77477242[/DhtmlXQ_movelist]
[DhtmlXQ_move_0_2_1]7062[/DhtmlXQ_move_0_2_1]
[DhtmlXQ_comment1_2]屏風馬[/DhtmlXQ_comment1_2]
[/DhtmlXQ]`
	for g, err := range dhtmlxq.Format.Read(&record.Source{Name: "a.ubb", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name)
		for i := range g.Nodes {
			fmt.Printf("%d %q %q\n", g.Nodes[i].Parent, g.Nodes[i].Move, g.Nodes[i].Text())
		}
	}
	// Output:
	// 甲
	// 0 "" ""
	// 0 "h2e2" ""
	// 1 "h7e7" ""
	// 1 "h9g7" "屏風馬"
}

// TestTitleAuthor keeps title and author of other formats beside the event and
// the annotator.
func TestTitleAuthor(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs", Format: "xqf", Tags: []record.Tag{{Name: "Title", Value: "Final"}, {Name: "Author", Value: "A"}}}
	g.Facts.Event, g.Facts.Author = "Cup", "B"
	g.Add(g.Add(0, 0, ""), record.First, "h2e2")
	var b bytes.Buffer
	if err := dhtmlxq.Format.Write(&b, func(yield func(*record.Game) bool) { yield(g) }); err != nil {
		t.Fatal(err)
	}
	games, _ := recordtest.ReadAll(t, dhtmlxq.Format, recordtest.Source("x", b.Bytes()))
	h := games[0]
	if h.Facts != g.Facts || h.Tag("title") != "Final" || h.Tag("author") != "A" {
		t.Errorf("%s", recordtest.Dump(h))
	}
}
