package ggf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/facts"
	"qipu/record/recordtest"
)

func TestGolden(t *testing.T)    { recordtest.Golden(t, Format, "testdata/*.ggf") }
func TestRoundTrip(t *testing.T) { recordtest.RoundTrips(t, Format, "testdata/*.ggf") }
func FuzzRead(f *testing.F)      { recordtest.Fuzz(f, Format, "testdata/*.ggf") }

const start8 = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

func TestSniff(t *testing.T) {
	for text, want := range map[string]int{
		"(;GM[Othello]PC[x]":             100,
		"2 (;gm[x]GM[othello]":           100,
		"(;PC[GGS/os]GM[Othello]B[F5];)": 100,
		"(;GM[Amazons]B[D1-D7-G7]":       50,
		"(;GM[1]SZ[19];B[pd])":           0,
		"(;GM[2]SZ[8];B[f5])":            0,
		"f5d6c3":                         0,
		"":                               0,
		"(;GM[Othello]\x00":              0,
	} {
		if got := Format.Sniff([]byte(text), "x.sgf"); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if got := Format.Sniff([]byte("something"), "x.GGF"); got != 20 {
		t.Errorf("by name alone: %d", got)
	}
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		tags string
		want string
	}{
		{"RE[+10.000]", "B+10"}, {"RE[-56]", "W+56"}, {"RE[0]", "0"}, {"RE[+0.000]", "0"},
		{"RE[?]", ""}, {"RE[-127.000]", ""}, {"RE[nan]", ""}, {"RE[]", ""},
	} {
		g := one(t, "(;GM[Othello]"+c.tags+start8+"B[F5];)")
		got := ""
		if g.Facts.Result.Verdict != facts.Unknown {
			got = g.Facts.Result.SGF(facts.BlackDiscs)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.tags, got, c.want)
		}
	}
	day := facts.Day{Year: 2003, Month: 12, Day: 15}
	for _, text := range []string{"2003.12.15_13:24:03.MST", "2003-12-15 13:24 EST", "2003-12-15", "1071494643"} {
		if got := date(text); got.From != day || got.To != day {
			t.Errorf("%s: %+v", text, got)
		}
	}
	if got := result("+64.00:r", 64); got != (facts.Result{Verdict: facts.FirstWon, Margin: 64, How: facts.Resign}) {
		t.Errorf("resigned: %+v", got)
	}
}

func one(t testing.TB, text string) *record.Game {
	t.Helper()
	games, faults := recordtest.ReadAll(t, Format, recordtest.Source("x.ggf", []byte(text)))
	if len(games) != 1 || len(faults) != 0 {
		t.Fatalf("%s: %d games, %v", text, len(games), faults)
	}
	return games[0]
}

func TestStart(t *testing.T) {
	for text, want := range map[string]string{
		start8: "",
		"":     "",
		"BO[8 ---------------------------O*------*O--------------------------- *]": "",
		"BO[8 ---------------------------O*------*O--------------------------- O]": strings.Repeat("-", 27) + "OX------XO" + strings.Repeat("-", 27) + " O",
		"BO[4 ---- -O*- -*O- ---- *]": "",
	} {
		if got := one(t, "(;GM[Othello]"+text+"B[F5];)").Start; got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWriteForeign writes a game of another format from its facts.
func TestWriteForeign(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "sgf", Start: "8/8/8/3OX3/3XO3/8/8/8 O", Tags: []record.Tag{{Name: "GM", Value: "2"}}}
	g.Facts.Players = [2]facts.Player{{Name: "An]na", Rating: 1800}, {Name: `B\ert`}}
	g.Facts.Event = "Cup"
	g.Facts.Date = facts.Date{From: facts.Day{Year: 2031, Month: 5, Day: 7}, To: facts.Day{Year: 2031, Month: 5, Day: 7}}
	g.Facts.Result = facts.Result{Verdict: facts.SecondWon, How: facts.Resign}
	last := g.Add(g.Add(0, 0, ""), record.Second, "f4")
	g.Nodes[last].More().Comment = "well (;)"
	g.Add(last, record.First, "pass")
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil {
		t.Fatal(err)
	}
	want := `(;GM[Othello]EV[Cup]DT[2031-05-07]PB[An\]na]PW[B\\ert]RB[1800]TY[8]RE[-64:r]` +
		`BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- O]W[F4]C[well (;)]B[PA];)` + "\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
	back := one(t, b.String())
	if back.Facts.Players != g.Facts.Players || back.Facts.Event != "Cup" || back.Facts.Date != g.Facts.Date || back.Nodes[1].Text() != "well (;)" {
		t.Errorf("read back: %+v", back.Facts)
	}
}

// TestCarry keeps the headers of other formats that are no facts here.
func TestCarry(t *testing.T) {
	g := &record.Game{Kind: "othello", Format: "sgf", Tags: []record.Tag{
		{Name: "GM", Value: "2"}, {Name: "FF", Value: "4"}, {Name: "SZ", Value: "8"}, {Name: "PB", Value: " Anna"}, {Name: "US", Value: "Anna"},
		{Name: "DT", Value: "2031-05-07 10:00"}, {Name: "KM", Value: "0"}, {Name: "GC", Value: "[one]\ntwo"}, {Name: "Scores", Value: "A2:+38; C7:+36"},
		{Name: "Salle n° 2", Value: "x:y"}, {Name: "QX", Value: "a b:c"}, {Name: "ON", Value: ""},
	}}
	g.Facts.Players[0].Name = "Anna"
	g.Facts.Date = facts.ParseDate("2031-05-07")
	g.Add(g.Add(0, 0, ""), record.First, "f5")
	g.Nodes[0].More().Props = []record.Prop{{Name: "ZZ", Values: []string{"1", "2"}}}
	var b bytes.Buffer
	if err := Format.(record.Writer).Write(&b, slices.Values([]*record.Game{g})); err != nil {
		t.Fatal(err)
	}
	back := one(t, b.String())
	i := slices.IndexFunc(back.Tags, func(t record.Tag) bool { return t.Name == "BO" })
	want := []record.Tag{
		{Name: "US", Value: "Anna"}, {Name: "sgf.DT", Value: "2031-05-07 10:00"}, {Name: "sgf.KM", Value: "0"}, {Name: "GC", Value: "[one]\ntwo"},
		{Name: "Scores", Value: "A2:+38; C7:+36"}, {Name: "Salle n° 2", Value: "x:y"}, {Name: "sgf.QX", Value: "a b:c"}, {Name: "ZZ", Value: "1"}, {Name: "ZZ", Value: "2"},
	}
	if !slices.Equal(back.Tags[i+1:], want) {
		t.Errorf("%s\n%q, want %q", b.String(), back.Tags[i+1:], want)
	}
	recordtest.RoundTripGame(t, Format, back)
	// QX is not for names that properties can have.
	if got := one(t, "(;GM[Othello]QX[PB:x]B[F5];)"); got.Facts.Players[0].Name != "" || got.Tag("QX") != "PB:x" {
		t.Errorf("%q", got.Tags)
	}
}

func TestInexpressible(t *testing.T) {
	for want, change := range map[string]func(g *record.Game){
		"a game of weiqi":         func(g *record.Game) { g.Kind = "weiqi" },
		"the variant":             func(g *record.Game) { g.Variant = "8x6" },
		"the position":            func(g *record.Game) { g.Start = "9/8 X" },
		"a variation":             func(g *record.Game) { g.Add(0, 1, "d3") },
		"without its side":        func(g *record.Game) { g.Nodes[1].Side = record.Unstated },
		"a node without a move":   func(g *record.Game) { g.Nodes[1].Move = ""; g.Nodes[1].More().Comment = "x" },
		"set-up of single points": func(g *record.Game) { g.Nodes[0].More().Turn = record.Second },
		"without a number":        func(g *record.Game) { g.Facts.Result = facts.Result{Verdict: facts.FirstWon} },
		`the move "d3/4"`:         func(g *record.Game) { g.Nodes[1].Move = "d3/4" },
		`a property called "x y"`: func(g *record.Game) { g.Nodes[1].More().Props = []record.Prop{{Name: "x y", Values: []string{""}}} },
		`a header called "a:b"`:   func(g *record.Game) { g.Tags = []record.Tag{{Name: "a:b", Value: "c"}} },
		"before the first move": func(g *record.Game) {
			g.Format = "ggf"
			g.Nodes[0].More().Props = []record.Prop{{Name: "XX", Values: []string{""}}}
		},
		"which begins a game":      func(g *record.Game) { g.Facts.Event = "(;GM[1]" },
		"the board in the headers": func(g *record.Game) { g.Format, g.Start = "ggf", "64 X" },
	} {
		g := &record.Game{Kind: "othello", Format: "sgf"}
		g.Add(g.Add(0, 0, ""), record.First, "f5")
		change(g)
		err := Format.(record.Writer).Write(io.Discard, slices.Values([]*record.Game{g}))
		if !errors.Is(err, record.ErrInexpressible) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestLimits(t *testing.T) {
	src := recordtest.Source("x.ggf", []byte("(;GM[Othello]C["+strings.Repeat("x", 1000)+"];)(;GM[Othello]B[F5]W[F6]B[E6];)(;GM[Othello]B[F5];)"))
	src.Limits = record.Limits{GameBytes: 500, Nodes: 2}
	games, faults := recordtest.ReadAll(t, Format, src)
	if len(games) != 1 || len(faults) != 2 || faults[0].Kind != record.KindLimit || faults[1].Kind != record.KindLimit {
		t.Errorf("%d games, %v", len(games), faults)
	}
}

// TestPieces reads the same file byte by byte.
func TestPieces(t *testing.T) {
	text := strings.Repeat("1 (;GM[Othello]PB[a]"+start8+"B[F5//1.0]W[D6];)\n", 20)
	whole, _ := recordtest.ReadAll(t, Format, recordtest.Source("x", []byte(text)))
	src := recordtest.Source("x", nil)
	src.Reader = iotest.OneByteReader(strings.NewReader(text))
	pieces, _ := recordtest.ReadAll(t, Format, src)
	if len(whole) != 20 || len(pieces) != 20 {
		t.Fatalf("%d and %d games", len(whole), len(pieces))
	}
	for i := range whole {
		if recordtest.Dump(whole[i]) != recordtest.Dump(pieces[i]) {
			t.Errorf("game %d differs", i+1)
		}
		if whole[i].Place.Line != i+1 || string(whole[i].Raw) != strings.TrimPrefix(strings.Split(text, "\n")[i], "1 ") {
			t.Errorf("game %d: place %+v, raw %q", i+1, whole[i].Place, whole[i].Raw)
		}
	}
	src.Reader = io.MultiReader(strings.NewReader(text[:200]), iotest.ErrReader(errors.New("gone")))
	if _, faults := recordtest.ReadAll(t, Format, src); len(faults) != 1 || faults[0].Kind != record.KindIO {
		t.Errorf("a broken disk gives %v", faults)
	}
}

func Example() {
	const file = "(;GM[Othello]PB[anna]PW[bert]RE[+4.000]" + start8 + "B[d3//0.01]W[c5/-1.50/3.20];)"
	for g, err := range Format.Read(&record.Source{Name: "evening.ggf", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name, g.Facts.Players[1].Name, g.Facts.Result.SGF(facts.BlackDiscs))
		for _, n := range g.Nodes[1:] {
			fmt.Println(n.Side, n.Move, n.Props)
		}
	}
	// Output:
	// anna bert B+4
	// 1 d3 [{TIME [0.01]}]
	// 2 c5 [{EVAL [-1.50]} {TIME [3.20]}]
}

func BenchmarkRead(b *testing.B) {
	var game strings.Builder
	game.WriteString("(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[anna]PW[bert]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]" + start8)
	for i := range 60 {
		fmt.Fprintf(&game, "%c[%c%d//0.01]", "BW"[i%2], 'a'+i%8, i/8+1)
	}
	game.WriteString(";)\n")
	const n = 200
	data := []byte(strings.Repeat(game.String(), n))
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
