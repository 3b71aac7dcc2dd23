package jobs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/sample"
)

// TestGuess reads what texts are taken for.
func TestGuess(t *testing.T) {
	testkit.Script(t, "testdata/guess.txt", func(t *testing.T, c testkit.Command) string {
		g := GuessOf([]byte(c.Input), c.Named["name"], builtin.Formats(), builtin.Games())
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n", g.Kind)
		if g.Kind == GuessRecords {
			fmt.Fprintf(&b, "%s: %d records, %d marked, %d rejected, %v\n", g.Format, g.Records, g.Marked, g.Rejected, g.Games)
		}
		if g.First != nil {
			fmt.Fprintf(&b, "first: %+v\n", firstOf(g.First))
		}
		for _, f := range g.Faults {
			fmt.Fprintf(&b, "%s %s: %s\n", f.Severity, f.Kind, f.Reason)
		}
		for _, r := range g.Readings {
			fmt.Fprintf(&b, "%s: %d moves, %s\n", r.Game, r.Moves, r.Position)
		}
		if len(g.Readings) > 0 {
			fmt.Fprintf(&b, "sure: %v\n", g.Sure)
		}
		if g.Query != "" {
			fmt.Fprintf(&b, "query: %s\n", g.Query)
		}
		if g.Error != "" {
			fmt.Fprintf(&b, "error: %s\n", g.Error)
		}
		return b.String()
	})
}

// TestGuessSample checks that every record that comes with the program is taken
// for one.
func TestGuessSample(t *testing.T) {
	files := sample.Files()
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".jou") || strings.HasSuffix(name, ".trn") {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if g := GuessOf(data, name, builtin.Formats(), builtin.Games()); g.Kind != GuessRecords || g.Records == 0 || g.Rejected > 0 || g.First == nil {
			t.Errorf("%s: %+v", name, g)
		}
		return nil
	})
	check0(t, err)
}

// FuzzGuess states that any text is taken for something, and that the answer has
// no null in it.
func FuzzGuess(f *testing.F) {
	for _, s := range []string{"f5d6c3", "9/9/9/9/4X4/9/9/9/9 w", "player:Ke", "(;GM[1];B[aa]", "炮二平五", "\x00\xff", "1/1", "99999999999/1"} {
		f.Add([]byte(s))
	}
	formats, games := builtin.Formats(), builtin.Games()
	f.Fuzz(func(t *testing.T, data []byte) {
		g := GuessOf(data, "", formats, games)
		out, err := json.Marshal(g)
		if err != nil || strings.Contains(string(out), ":null") {
			t.Fatalf("%s, %v", out, err)
		}
		if (g.Kind == GuessNothing) != (len(strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff"))) == 0) {
			t.Fatalf("%q: %s", data, g.Kind)
		}
	})
}

func BenchmarkGuess(b *testing.B) {
	data := []byte(strings.Repeat("(;GM[1]SZ[19];B[pd];W[dd];B[pp];W[dp])\n", 1<<20/39))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		GuessOf(data, "", builtin.Formats(), builtin.Games())
	}
}

// first is what a record says of itself.
type first struct {
	Game    string
	Players [2]string // the first mover first
	Event   string
	Date    string
	Result  string
	Moves   int
}

func firstOf(p *record.Played) first {
	f := &p.Game.Facts
	first := first{
		Game: p.Game.Kind, Players: [2]string{f.Players[0].Name, f.Players[1].Name}, Event: f.Event,
		Date: f.Date.String(), Moves: p.Game.Moves(),
	}
	if f.Result.Verdict != facts.Unknown {
		first.Result = f.Result.SGF(record.SidesOf(p.Rules))
	}
	return first
}
