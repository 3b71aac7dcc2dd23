package obf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/facts"
	"qipu/record/recordtest"
)

// usual is the start of the game.
const usual = "---------------------------OX------XO---------------------------"

func TestGolden(t *testing.T)    { recordtest.Golden(t, Format, "testdata/*.obf") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, Format, "testdata/*.obf") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, Format, "testdata/*.obf") }

// TestIdentical writes lines in the plain layout back to the byte.
func TestIdentical(t *testing.T) {
	const text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:-6;\n" +
		usual + " X;\n" + usual + " O; F4:+0;\n"
	games, faults := recordtest.ReadAll(t, Format, recordtest.Source("x.obf", []byte(text)))
	var b bytes.Buffer
	err := Format.(record.Writer).Write(&b, slices.Values(games))
	if err != nil || len(faults) != 0 || b.String() != text {
		t.Errorf("%v, %v:\n%s", err, faults, b.String())
	}
}

func TestSniff(t *testing.T) {
	data, err := os.ReadFile("testdata/positions.obf")
	if err != nil {
		t.Fatal(err)
	}
	if got := Format.Sniff(data, "x.obf"); got != 95 {
		t.Errorf("with its name: %d", got)
	}
	if got := Format.Sniff(data, "x.txt"); got != 75 {
		t.Errorf("without: %d", got)
	}
	for _, text := range []string{
		"", "f5d6c3", usual, strings.Repeat("-", 64), "# " + usual + " X;", usual + " X;\nmuch\nelse\n", "\x00" + usual + " X;",
		"...........................10......010.......1.................. Diagonal Opening\n",
	} {
		if got := Format.Sniff([]byte(text), "x.txt"); got != 0 {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestWriteForeign(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "sgf", Start: "8/8/8/3OX3/3XO3/8/8/8 O"}
	g.Add(0, 0, "")
	g.Facts.Event = "Cup"
	g.Nodes[0].More().Comment = "Key: no header"
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil {
		t.Fatal(err)
	}
	if want := "% Event: Cup\n%% Key: no header\n" + usual + " O;\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestInexpressible(t *testing.T) {
	for want, change := range map[string]func(g *record.Game){
		"a game of weiqi":    func(g *record.Game) { g.Kind = "weiqi" },
		"a board of 6x6":     func(g *record.Game) { g.Variant = "6x6" },
		`position "8/8 X"`:   func(g *record.Game) { g.Start = "8/8 X" },
		`position "65 X"`:    func(g *record.Game) { g.Start = "65 X" },
		`position "64 Z"`:    func(g *record.Game) { g.Start = "64 Z" },
		"a game with moves":  func(g *record.Game) { g.Add(0, 0, "d3") },
		"a set-up of single": func(g *record.Game) { g.Nodes[0].More().Turn = record.Second },
		"the property XX":    func(g *record.Game) { g.Nodes[0].More().Props = []record.Prop{{Name: "XX"}} },
		"the comment":        func(g *record.Game) { g.Nodes[0].More().Comment = "x \ny" },
		"the headers":        func(g *record.Game) { g.Format, g.Tags = "obf", []record.Tag{{Name: "a:b", Value: "c"}} },
	} {
		g := &record.Game{Kind: "othello", Format: "sgf"}
		g.Add(0, 0, "")
		change(g)
		err := Format.(record.Writer).Write(io.Discard, slices.Values([]*record.Game{g}))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestLimits(t *testing.T) {
	src := recordtest.Source("x", []byte(usual+" X;"+strings.Repeat(" ", 300)+"\n"+usual+" X;\n"+strings.Repeat("% x: y\n", 20)+usual+" X;\n"))
	src.Limits = record.Limits{GameBytes: 200, Props: 10}
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 2 || len(faults) != 2 || faults[0].Kind != record.KindLimit || faults[1].Kind != record.KindLimit {
		t.Errorf("%d games, %v", len(games), faults)
	}
	src.Reader = io.MultiReader(strings.NewReader(usual+" X;\n"), iotest.ErrReader(errors.New("gone")))
	games, faults = recordtest.ReadAll(t, Format, src)
	if len(games) != 1 || len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("a broken disk gives %d games and %v", len(games), faults)
	}
}

func ExampleScores() {
	const file = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;\n"
	for g, err := range Format.Read(&record.Source{Name: "test.obf", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(Scores(g), g.Facts.Result.Verdict == facts.Unknown)
	}
	// Output: [{a2 38} {c7 36}] true
}
