package epd

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/game/chess"
	"qipu/record"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, Format, "testdata/*.epd") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, Format, "testdata/*.epd") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, Format, "testdata/*.epd") }

// TestIdentical: lines in the usual form are written as they were.
func TestIdentical(t *testing.T) {
	const text = `r1bqk2r/p1pp1ppp/2p2n2/8/1b2P3/2N5/PPP2PPP/R1BQKB1R w KQkq - bm Bd3; id "a; b"; ce 12;` + "\n" +
		"4k3/8/8/8/8/8/8/1R3KR1 w GB - bm O-O; hmvc 3; fmvn 9;\n" +
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n"
	games, faults := recordtest.ReadAll(t, Format, recordtest.Source("x.epd", []byte(text)))
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values(games)); err != nil || len(faults) != 0 || b.String() != text {
		t.Errorf("%v, %v:\n%s", err, faults, b.String())
	}
	for _, g := range games {
		rules, err := chess.Standard.Variant(g.Variant)
		if err != nil {
			t.Fatal(err)
		}
		if p := record.Play(rules, g); !p.Legal() {
			t.Errorf("%s: %v", g.Start, p.Marks)
		}
	}
	if g := games[0]; g.Facts.Event != "a; b" || g.Tag("bm") != "Bd3" || games[1].Variant != "960" || games[2].Start != "" {
		t.Errorf("%+v", g)
	}
}

func TestSniff(t *testing.T) {
	for text, want := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - dm 1;\n":     75,
		"# of the tests\n4k3/8/8/8/8/8/8/4K3 b - -": 75,
		"":                              0,
		"[Event \"x\"]\n\n1. e4 e5 *\n": 0,
		"4k3/8/8/8/8/8/8/4K3":           0,
		"\x004k3/8/8/8/8/8/8/4K3 b - -": 0,
		"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1": 0,
	} {
		if got := Format.Sniff([]byte(text), "x.txt"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := Format.Sniff([]byte("6k1/5ppp/8/8/8/8/8/R5K1 w - -\n"), "x.epd"); got != 95 {
		t.Errorf("by name, too: %d", got)
	}
}

func TestInexpressible(t *testing.T) {
	for want, change := range map[string]func(g *record.Game){
		"a game of weiqi":       func(g *record.Game) { g.Kind = "weiqi" },
		"the variant losalamos": func(g *record.Game) { g.Variant = "losalamos" },
		`the position "8/8 w"`:  func(g *record.Game) { g.Start = "8/8 w" },
		"a game with moves":     func(g *record.Game) { g.Add(0, 0, "e4") },
		"a set-up of single":    func(g *record.Game) { g.Nodes[0].More().Turn = record.Second },
		"the property XX":       func(g *record.Game) { g.Nodes[0].More().Props = []record.Prop{{Name: "XX"}} },
		"the comment":           func(g *record.Game) { g.Format = "epd"; g.Nodes[0].More().Comment = "x" },
		"the headers":           func(g *record.Game) { g.Format, g.Tags = "epd", []record.Tag{{Name: "a b", Value: "c"}} },
	} {
		g := &record.Game{Kind: "chess", Format: "pgn"}
		g.Add(0, 0, "")
		change(g)
		err := Format.(record.Writer).Write(io.Discard, slices.Values([]*record.Game{g}))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	g := &record.Game{Kind: "chess", Format: "pgn", Start: "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}
	g.Add(0, 0, "")
	g.Facts.Event, g.Nodes[0].More().Comment = `A "Cup"`, "two\nlines"
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil || b.String() != "4k3/8/8/8/8/8/8/4K3 w - - id \"A 'Cup'\"; c0 \"two lines\";\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestLimits(t *testing.T) {
	src := recordtest.Source("x", []byte("4k3/8/8/8/8/8/8/4K3 w - - id \""+strings.Repeat("x", 1<<17)+"\";\n4k3/8/8/8/8/8/8/4K3 w - -"+strings.Repeat(" a;", 20)+"\n4k3/8/8/8/8/8/8/4K3 w - -"))
	src.Limits = record.Limits{GameBytes: 200, Props: 10}
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 1 || len(faults) != 2 || faults[0].Kind != record.KindLimit || faults[1].Kind != record.KindLimit {
		t.Errorf("%d games, %v", len(games), faults)
	}
	src.Reader = io.MultiReader(strings.NewReader("4k3/8/8/8/8/8/8/4K3 w - -\n"), iotest.ErrReader(errors.New("gone")))
	games, faults = recordtest.ReadAll(t, Format, src)
	if len(games) != 1 || len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("a broken disk gives %d games and %v", len(games), faults)
	}
}
