package transcript

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

func TestGolden(t *testing.T)    { recordtest.Golden(t, Format, "testdata/*.[tc][xs][tv]") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, Format, "testdata/*.[tc][xs][tv]") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, Format, "testdata/*.[tc][xs][tv]") }

func TestSniff(t *testing.T) {
	for _, name := range []string{"plain.txt", "numbered.txt", "heads.txt", "ends.txt", "table.csv"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got := Format.Sniff(data, "x"); got < 40 {
			t.Errorf("%s: %d", name, got)
		}
	}
	for _, text := range []string{
		"", "f5", "hello", "a1b2c3d4", "e2e4e7e5", "h2e2h9g7b0c2", "h8h9i8", "f5f5f5f5", "f5e5d6", // others' squares
		"f5 was a fine move\nand so on\n", "(;GM[2];B[f5])", "f5d6\x00", "0 1 2 3\n4 5 6 7\n", "d3 d6 e3 d4", "c4 e5 d5",
		"...........................10......010.......1.................. Diagonal Opening\n",
	} {
		if got := Format.Sniff([]byte(text), "x.txt"); got != 0 {
			t.Errorf("%q: %d", text, got)
		}
	}
	long := []byte(strings.Repeat("f5d6c3d3c4f4f6\n", 1000)[:record.SniffLen])
	if got := Format.Sniff(long, "x"); got != 75 {
		t.Errorf("a long file: %d", got)
	}
}

func TestResult(t *testing.T) {
	for text, want := range map[string]facts.Result{
		"34-30": {Verdict: facts.FirstWon, Margin: 4}, "(24-40)": {Verdict: facts.SecondWon, Margin: 16}, "32-32": {Verdict: facts.Drawn},
		"20-40": {Verdict: facts.SecondWon}, "B+4": {Verdict: facts.FirstWon, Margin: 4}, "white+10": {Verdict: facts.SecondWon, Margin: 10},
		"1-0": {Verdict: facts.FirstWon}, "draw": {Verdict: facts.Drawn}, "+12": {}, "-2": {}, "W+": {Verdict: facts.SecondWon},
	} {
		if got, ok := result(text); !ok || got != want {
			t.Errorf("%s: %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "40-40", "12", "+65", "X+3", "B+x", "1-1", "a-b", "--"} {
		if got, ok := result(text); ok {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// TestWriteForeign writes a game of another format with its facts.
func TestWriteForeign(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "ggf"}
	g.Facts.Players[0].Name, g.Facts.Players[1].Name = "Anna", "Bert"
	g.Facts.Result = facts.Result{Verdict: facts.FirstWon, Margin: 4}
	g.Add(0, 0, "")
	g.Nodes[0].More().Comment = "Note: a fine\ngame"
	last := int32(0)
	for i, m := range []string{"f5", "D6", "pass", "c3"} {
		last = g.Add(last, record.Side(1+i%2), m)
	}
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil {
		t.Fatal(err)
	}
	want := "# Black: Anna\n# White: Bert\n# Result: B+4\n## Note: a fine\n## game\nf5d6pac3\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	games, faults := recordtest.ReadAll(t, Format, recordtest.Source("x", b.Bytes()))
	if len(games) != 1 || len(faults) != 0 || games[0].Facts.Players != g.Facts.Players || games[0].Facts.Result != g.Facts.Result {
		t.Errorf("read back: %v, %v", games, faults)
	}
}

// TestCarry keeps the headers of other formats that are no facts here.
func TestCarry(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "wthor", Tags: []record.Tag{
		{Name: "Black", Value: "12"}, {Name: "White", Value: "Bert"}, {Name: "TheoreticalDiscs", Value: "33"}, {Name: "GC", Value: "one\n\n two\n"},
		{Name: "GM", Value: "2"}, {Name: "AP", Value: "a:1"},
	}}
	g.Facts.Players[1] = facts.Player{Name: "Bert", Rating: 1700}
	g.Facts.Author, g.Facts.Time = "Anna", "10 min"
	g.Add(g.Add(g.Add(0, 0, ""), 0, "f5"), 0, "") // the last node is blank
	g.Nodes[0].More().Props = []record.Prop{{Name: "ZZ", Values: []string{"1"}}}
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil {
		t.Fatal(err)
	}
	want := "# White: Bert\n# WhiteRating: 1700\n# Author: Anna\n# Time: 10 min\n# wthor.Black: 12\n# TheoreticalDiscs: 33\n# GC: one\n# GC: two\n# AP: a:1\n# ZZ: 1\nf5\n"
	if b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	games, _ := recordtest.ReadAll(t, Format, recordtest.Source("x", b.Bytes()))
	if len(games) != 1 || games[0].Facts != g.Facts || !recordtest.RoundTripGame(t, Format, games[0]) {
		t.Errorf("read back: %+v", games)
	}
}

func TestInexpressible(t *testing.T) {
	for want, change := range map[string]func(g *record.Game){
		"a game of weiqi":       func(g *record.Game) { g.Kind = "weiqi" },
		"a board of 6x6":        func(g *record.Game) { g.Variant = "6x6" },
		"a start position":      func(g *record.Game) { g.Start = "64 X" },
		"a variation":           func(g *record.Game) { g.Add(0, 0, "d3") },
		"a comment on a move":   func(g *record.Game) { g.Nodes[1].More().Comment = "!" },
		"a set-up":              func(g *record.Game) { g.Nodes[0].More().Turn = record.Second },
		"the property TIME":     func(g *record.Game) { g.Nodes[1].More().Props = []record.Prop{{Name: "TIME"}} },
		"a node without a move": func(g *record.Game) { g.Nodes[g.Add(1, 0, "")].More().Comment = "x" },
		"without moves":         func(g *record.Game) { g.Nodes = g.Nodes[:1]; g.Nodes[0].Child = 0 },
		"not seen to be one":    func(g *record.Game) { g.Nodes[1].Move = "x" },
		"the comment":           func(g *record.Game) { g.Nodes[0].More().Comment = "trailing space \nx" },
		"the headers":           func(g *record.Game) { g.Format, g.Tags = "transcript", []record.Tag{{Name: "a:b", Value: "c"}} },
	} {
		g := &record.Game{Kind: "othello", Format: "sgf"}
		g.Add(g.Add(0, 0, ""), 0, "f5")
		change(g)
		err := Format.(record.Writer).Write(io.Discard, slices.Values([]*record.Game{g}))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestLimits(t *testing.T) {
	text := "f5d6" + strings.Repeat(" ", 1000) + "\nf5d6c3d3\nf5f6\n" + strings.Repeat("# x: y\n", 20) + "f5f4\nf5d6\n"
	src := recordtest.Source("x", []byte(text))
	src.Limits = record.Limits{GameBytes: 500, Nodes: 3, Props: 10}
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 3 || len(faults) != 3 {
		t.Errorf("%d games, %v", len(games), faults)
	}
	for _, f := range faults {
		if f.Kind != record.KindLimit {
			t.Error(f)
		}
	}
}

// TestLongLine keeps a line that only looks like a transcript as text.
func TestLongLine(t *testing.T) {
	text := strings.Repeat("f5", maxLine) + "\nf5d6\n"
	games, faults := recordtest.ReadAll(t, Format, recordtest.Source("x", []byte(text)))
	if len(games) != 1 || len(faults) != 0 || games[0].Moves() != 2 || len(games[0].Nodes[0].Text()) != 2*maxLine {
		t.Errorf("%d games, %v", len(games), faults)
	}
}

// TestPieces reads the same file byte by byte, and one that breaks off.
func TestPieces(t *testing.T) {
	data, err := os.ReadFile("testdata/ends.txt")
	if err != nil {
		t.Fatal(err)
	}
	whole, _ := recordtest.ReadAll(t, Format, recordtest.Source("x", data))
	src := recordtest.Source("x", nil)
	src.Reader = iotest.OneByteReader(bytes.NewReader(data))
	pieces, _ := recordtest.ReadAll(t, Format, src)
	if len(whole) != 4 || len(pieces) != 4 {
		t.Fatalf("%d and %d games", len(whole), len(pieces))
	}
	for i := range whole {
		if recordtest.Dump(whole[i]) != recordtest.Dump(pieces[i]) {
			t.Errorf("game %d differs", i+1)
		}
		if off := whole[i].Place.Offset; !bytes.HasPrefix(data[off:], whole[i].Raw[:2]) {
			t.Errorf("game %d is not at %d", i+1, off)
		}
	}
	src.Reader = io.MultiReader(strings.NewReader("f5d6\nf5f6"), iotest.ErrReader(errors.New("gone")))
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 2 || len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("a broken disk gives %d games and %v", len(games), faults)
	}
}

func Example() {
	const file = "# Black: Anna\nF5D6C3D3C4 34-30\n"
	for g, err := range Format.Read(&record.Source{Name: "games.txt", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name, g.Moves(), g.Facts.Result.SGF(facts.BlackDiscs))
	}
	// Output: Anna 5 B+4
}

func BenchmarkRead(b *testing.B) {
	var line strings.Builder
	for i := range 60 {
		fmt.Fprintf(&line, "%c%d", 'a'+(i*5+5)%8, i/8+1)
	}
	const n = 2000
	data := []byte(strings.Repeat("f5"+line.String()+"\n", n))
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		for _, err := range Format.Read(recordtest.Source("x", data)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*n/b.Elapsed().Seconds(), "games/s")
}
