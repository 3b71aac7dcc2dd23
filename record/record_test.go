package record_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/renju"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/record"
)

var games = game.Catalog{weiqi.Standard, othello.Standard, xiangqi.Standard, renju.Renju}

// parseTree makes a record of a line such as
//
//	1:pd 2:dd (1:pp 2:dp) 1:qq
//
// where a number states the side, "-" states none, and brackets hold a
// variation to the move before them.
func parseTree(g *record.Game, text string) {
	g.Add(0, record.Unstated, "")
	at := int32(0)
	var back []int32
	for _, word := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		switch word {
		case "(":
			back = append(back, at)
			at = g.Nodes[at].Parent
			continue
		case ")":
			at, back = back[len(back)-1], back[:len(back)-1]
			continue
		}
		side, move, ok := strings.Cut(word, ":")
		if !ok {
			side, move = "-", word
		}
		at = g.Add(at, record.Side(strings.Index("-12", side)), move)
	}
}

// TestPlay runs records out: the steps, what is marked, what is left.
func TestPlay(t *testing.T) {
	testkit.Script(t, "testdata/play.txt", func(t *testing.T, c testkit.Command) string {
		g := &record.Game{
			Kind: c.Name, Variant: c.Named["variant"], Notation: c.Named["notation"],
			Place: record.Place{File: "test", Number: 1},
		}
		fmt.Sscan(c.Named["handicap"], &g.Facts.Handicap)
		g.Facts.Ruleset = c.Named["rules"]
		text := c.Input
		if start, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(start, "start ") {
			g.Start, text = strings.TrimPrefix(start, "start "), rest
		}
		parseTree(g, text)
		addSetup(g, c.Named["setup"], 0)
		addSetup(g, c.Named["later"], 2)
		p := record.NewReferee(games).Play(g)
		var b strings.Builder
		for i, s := range p.Steps {
			m := "set-up"
			if s.Move != game.NoMove {
				pos, err := record.At(p, i)
				if err != nil {
					t.Fatal(err)
				}
				m = game.FormatMove(p.Rules, pos, s.Move, game.Notation(c.Named["show"]))
			}
			fmt.Fprintf(&b, "%d:%s ", s.Side+1, m)
		}
		fmt.Fprintf(&b, "\nlegal %v, unplayed %d\n", p.Legal(), p.Unplayed)
		if p.Start.Board != nil {
			played, marked := record.CheckVariations(p.Rules, g)
			if played > 0 {
				fmt.Fprintf(&b, "variations: %d moves, %d marked\n", played, marked)
			}
			pos, err := record.At(p, len(p.Steps))
			if err != nil || pos.Hash() != p.Hash {
				t.Errorf("the last position cannot be had: %v", err)
			}
		}
		for i := range g.Faults {
			fmt.Fprintf(&b, "%v, %s: %s\n", g.Faults[i].Severity, g.Faults[i].Kind, g.Faults[i].Error())
		}
		return strings.TrimSpace(b.String())
	})
}

// addSetup adds "1aa,2bb,0cc" to a node, with a side to move behind a slash.
func addSetup(g *record.Game, text string, node int) {
	if text == "" {
		return
	}
	x := g.Nodes[node].More()
	points, turn, _ := strings.Cut(text, "/")
	x.Turn = record.Side(max(0, strings.Index("-12", turn)))
	for _, p := range strings.Split(points, ",") {
		if p != "" {
			x.Setup = append(x.Setup, record.Put{Piece: board.Piece(p[0] - '0'), Point: p[1:]})
		}
	}
}

// TestTranslate writes trees in other notations.
func TestTranslate(t *testing.T) {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	parseTree(g, "h2e2 h9g7 (b9c7 h0g2) h0g2")
	g.Nodes[1].More().Comment = "central cannon"
	got, err := record.Translate(xiangqi.Standard, g, "chinese", false)
	if err != nil {
		t.Fatal(err)
	}
	var moves []string
	for i := range got.Nodes {
		moves = append(moves, fmt.Sprintf("%d:%s", got.Nodes[i].Side, got.Nodes[i].Move))
	}
	if want := "0: 1:炮二平五 2:馬８進７ 1:馬二進三 2:馬２進３ 1:馬二進三"; strings.Join(moves, " ") != want {
		t.Errorf("%s\nwant %s", strings.Join(moves, " "), want)
	}
	if got.Nodes[1].Text() != "central cannon" || got.Notation != "chinese" {
		t.Error("comment or notation is lost")
	}
	back, err := record.Translate(xiangqi.Standard, got, "iccs", false)
	if err != nil || back.Nodes[2].Move != "h9g7" || len(back.Nodes) != len(g.Nodes) {
		t.Errorf("back: %v %v", back, err)
	}
	bad := &record.Game{Kind: "xiangqi", Notation: "iccs"}
	parseTree(bad, "h2e2 a9a8 a0a5")
	if _, err := record.Translate(xiangqi.Standard, bad, "chinese", false); err == nil || !strings.Contains(err.Error(), "move 3") {
		t.Errorf("an illegal move is translated: %v", err)
	}
}

// TestTranslatePasses puts in the passes that a transcript leaves out.
func TestTranslatePasses(t *testing.T) {
	g := &record.Game{Kind: "othello", Start: "XO6/8/8/8/8/8/8/7O O"}
	parseTree(g, "c1")
	got, err := record.Translate(othello.Standard, g, "square", true)
	if err != nil || len(got.Nodes) != 3 || got.Nodes[1].Move != "pass" || got.Nodes[1].Side != record.Second || got.Nodes[2].Side != record.First {
		t.Fatalf("%+v, %v", got, err)
	}
	got, err = record.Translate(othello.Standard, g, "square", false)
	if err != nil || len(got.Nodes) != 2 || got.Nodes[1].Move != "c1" {
		t.Fatalf("%+v, %v", got, err)
	}
}

// TestTranslatePass keeps a pass, which the notation of SGF writes as nothing.
func TestTranslatePass(t *testing.T) {
	g := &record.Game{Kind: "weiqi", Notation: "gtp"}
	parseTree(g, "1:A9 2:pass")
	got, err := record.Translate(weiqi.Standard, g, "sgf", false)
	if err != nil || len(got.Nodes) != 3 || got.Nodes[2].Move != "pass" || got.Moves() != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestTree(t *testing.T) {
	g := &record.Game{Tags: []record.Tag{{Name: "PB", Value: "a"}, {Name: "PB", Value: "b"}}}
	parseTree(g, "1:aa (1:bb) (1:cc 2:dd) 2:ee")
	var main []string
	for _, n := range g.Main() {
		main = append(main, n.Move)
	}
	if !slices.Equal(main, []string{"", "aa", "ee"}) || g.Moves() != 2 || !g.Variations() {
		t.Errorf("main line %q, %d moves", main, g.Moves())
	}
	if g.Tag("PB") != "a" || g.Tag("PW") != "" {
		t.Error("tags")
	}
	var siblings []string
	for c := g.Nodes[0].Child; c != 0; c = g.Nodes[c].Next {
		siblings = append(siblings, g.Nodes[c].Move)
	}
	if !slices.Equal(siblings, []string{"aa", "bb", "cc"}) {
		t.Errorf("siblings %q", siblings)
	}
}

func TestFault(t *testing.T) {
	f := &record.Fault{Severity: record.Marked, Place: record.Place{File: "a.sgf", Line: 3, Number: 2, Offset: 77}, Move: 5, Reason: "no"}
	if got := f.Error(); got != "a.sgf:3: game 2: move 5: no (byte 77)" {
		t.Errorf("%q", got)
	}
}

func BenchmarkPlay(b *testing.B) {
	g := &record.Game{Kind: "weiqi", Notation: "sgf"}
	g.Add(0, record.Unstated, "")
	at := int32(0)
	for i := range 200 {
		at = g.Add(at, record.Side(1+i%2), string([]byte{'a' + byte(i*7%19), 'a' + byte(i/19)}))
	}
	b.ReportAllocs()
	for b.Loop() {
		g.Faults = g.Faults[:0]
		record.Play(weiqi.Standard, g)
	}
}
