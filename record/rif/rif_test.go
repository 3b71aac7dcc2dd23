package rif_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"qipu/record"
	"qipu/record/recordtest"
	"qipu/record/rif"
)

func TestGolden(t *testing.T) { recordtest.Golden(t, rif.Format, "testdata/*.rif") }
func FuzzRead(f *testing.F)   { recordtest.Fuzz(f, rif.Format, "testdata/*.rif") }

func TestSniff(t *testing.T) {
	for _, test := range []struct {
		head, name string
		want       int
	}{
		{"<?xml?><database><countries><country id=\"1\"", "", 90},
		{"<games><game bresult=\"1\">", "a.xml", 90},
		{"<?xml?><database>", "a.RIF", 70},
		{"RIFF", "a.rif", 15},
		{"<?xml?><ChineseChessRecord>", "a.xml", 0},
	} {
		if got := rif.Format.Sniff([]byte(test.head), test.name); got != test.want {
			t.Errorf("Sniff(%q, %q) = %d, want %d", test.head, test.name, got, test.want)
		}
	}
}

// TestStream reads far more than one game may take, with one game in memory.
func TestStream(t *testing.T) {
	const n = 20_000
	game := "<game id=\"1\" black=\"7\"><move>h8 i9 j10</move></game>\n"
	file := func() io.Reader {
		return io.MultiReader(strings.NewReader("<players><player id=\"7\" name=\"A\"/></players><games>"),
			strings.NewReader(strings.Repeat(game, n)), strings.NewReader("</games>"))
	}
	src := &record.Source{Name: "x.rif", Reader: file(), Size: -1, Limits: record.Limits{GameBytes: 1000}}
	games, faults := recordtest.ReadAll(t, rif.Format, src)
	if len(games) != n || len(faults) != 0 {
		t.Fatalf("%d games, %v", len(games), faults)
	}
	last := games[n-1]
	if last.Facts.Players[0].Name != "A" || last.Moves() != 3 || string(last.Raw) != strings.TrimSpace(game) || last.Place.Line != n || last.Place.Number != n {
		t.Errorf("%s%q", recordtest.Dump(last), last.Raw)
	}
	if want := int64(51 + (n-1)*len(game)); last.Place.Offset != want {
		t.Errorf("offset %d, want %d", last.Place.Offset, want)
	}
}

// TestWaiting lets games wait for a table that comes too late, within limits.
func TestWaiting(t *testing.T) {
	game := "<game black=\"7\"><move>h8</move></game>"
	text := strings.Repeat(game, 100) + "<players><player id=\"7\" name=\"A\"/></players>"
	src := recordtest.Source("x.rif", []byte(text))
	src.Limits.GameBytes = 10_000 // of memory: a game of a few bytes takes about a thousand
	games, _ := recordtest.ReadAll(t, rif.Format, src)
	named := 0
	for i, g := range games {
		if g.Place.Number != i+1 {
			t.Fatalf("game %d is number %d", i+1, g.Place.Number)
		}
		if g.Facts.Players[0].Name == "A" {
			named++
		}
	}
	if len(games) != 100 || named < 5 || named > 15 {
		t.Errorf("%d games, %d with a name", len(games), named)
	}
}

func TestRefused(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, test := range map[string]struct {
		reader io.Reader
		kind   string
	}{
		"empty":      {strings.NewReader(""), record.KindEmpty},
		"no games":   {strings.NewReader("<a></a>"), record.KindEmpty},
		"broken":     {strings.NewReader("<a b=\"<\x00 <!"), record.KindSyntax},
		"attribute":  {strings.NewReader("<game id=\"" + long), record.KindLimit},
		"text":       {strings.NewReader("<games>" + long), record.KindLimit},
		"tables":     {strings.NewReader("<players>" + strings.Repeat("<player id=\"1\"/>", 100)), record.KindLimit},
		"read error": {iotest.ErrReader(io.ErrClosedPipe), record.KindIO},
		"late error": {io.MultiReader(strings.NewReader("<a>"+strings.Repeat(" ", 900)), iotest.ErrReader(io.ErrClosedPipe)), record.KindIO},
	} {
		src := &record.Source{Name: "x.rif", Reader: test.reader, Size: -1, Limits: record.Limits{GameBytes: 1000}}
		_, faults := recordtest.ReadAll(t, rif.Format, src)
		if len(faults) == 0 || faults[0].Kind != test.kind {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

func Example() {
	const file = `<database>
<players><player id="7" name="Ann" surname="One"/><player id="8" name="Ben" surname="Two"/></players>
<games><game id="1" black="7" white="8" bresult="1"><move>h8 i9 h6</move></game></games>
</database>`
	for g, err := range rif.Format.Read(&record.Source{Name: "a.rif", Reader: strings.NewReader(file)}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(g.Facts.Players[0].Name, "-", g.Facts.Players[1].Name, g.Facts.Result.Verdict)
		for _, n := range g.Nodes[1:] {
			fmt.Println(n.Move)
		}
	}
	// Output:
	// Ann One - Ben Two first won
	// h8
	// i9
	// h6
}
