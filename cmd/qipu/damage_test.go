package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/cli"
	"qipu/internal/testkit"
)

// readings are commands that read all games of a library, or all of a kind. Each tells
// how many games it has had.
var readings = []struct {
	line  string
	games func(lines []map[string]any) int
}{
	{"find game:xiangqi --json", answered},
	{"find game:othello --json", answered},
	{"explore --game go --json", answered},
	{"stats --json", func(lines []map[string]any) (n int) {
		for _, l := range lines {
			if l["type"] == "game" {
				n += number(l["records"])
			}
		}
		return n
	}},
	{"players --json --limit 1000", func(lines []map[string]any) (n int) {
		for _, l := range lines {
			n += number(l["games"])
		}
		return n
	}},
	{"export --all out.sgf --json", totalOf("games")},
	{"export --all out.csv --json", totalOf("games")},
	{"export --all --to-library exported --json", totalOf("new")},
	{"copy data/qipu copied --json", totalOf("new")},
}

func number(v any) int {
	f, _ := v.(float64)
	return int(f)
}

// answered returns how many games an answer has, and of how many.
func answered(lines []map[string]any) int {
	if len(lines) == 0 {
		return -1
	}
	last := lines[len(lines)-1]
	return number(last["games"])*1_000_000 + number(last["of"])
}

// totalOf returns a figure of the last line.
func totalOf(name string) func([]map[string]any) int {
	return func(lines []map[string]any) int {
		if len(lines) == 0 {
			return -1
		}
		return number(lines[len(lines)-1][name])
	}
}

// TestDamagedCatalogues overwrites bytes of catalogues, of libraries with tables and of
// such whose games wait for one. Whatever reads of them has all games, or says that it has
// not by its exit code.
func TestDamagedCatalogues(t *testing.T) {
	withLibrary(t)
	rng := rand.New(rand.NewPCG(1, 22))
	tally := map[string]int{}
	rounds := testkit.Scale(6, 200)
	for round := range rounds {
		if round == 0 || round == rounds/2 { // with tables from then on
			if round > 0 {
				put(t, "whole", "data/qipu")
				must(t, "qipu reindex", 0)
			}
			put(t, "data/qipu", "whole")
		}
		put(t, "whole", "data/qipu")
		data, err := os.ReadFile("data/qipu/catalog.db")
		if err != nil {
			t.Fatal(err)
		}
		n := 1 << rng.IntN(17)
		n = min(n+rng.IntN(n), 64<<10, len(data)/2)
		if round%4 == 0 {
			n = 1
		}
		at := rng.IntN(len(data) - n)
		for i := at; i < at+n; i++ {
			data[i] ^= byte(1 + rng.IntN(255))
		}
		for _, r := range readings {
			put(t, "whole", "data/qipu")
			want, _ := figures(t, r.line, r.games)
			put(t, "whole", "data/qipu")
			if err := os.WriteFile("data/qipu/catalog.db", data, 0o666); err != nil {
				t.Fatal(err)
			}
			got, code := figures(t, r.line, r.games)
			switch {
			case code == cli.ExitBug:
				t.Errorf("round %d, %d bytes at %d: qipu %s: exit code %d", round, n, at, r.line, code)
			case code != 0:
				tally["told"]++
			case got != want:
				t.Errorf("round %d, %d bytes at %d: qipu %s tells of %d, should be %d, and exit code 0", round, n, at, r.line, got, want)
			default:
				tally["whole"]++
			}
		}
	}
	t.Logf("%d catalogues, %d commands each: %v", rounds, len(readings), tally)
	if tally["told"] == 0 || tally["whole"] == 0 {
		t.Error("no damage hurt, or each did")
	}
}

// figures runs a command, and returns what it says of games.
func figures(t *testing.T, line string, games func([]map[string]any) int) (n, code int) {
	t.Helper()
	for _, left := range []string{"exported", "copied", "out.sgf", "out.csv"} {
		if err := os.RemoveAll(left); err != nil {
			t.Fatal(err)
		}
	}
	a := newTestApp("")
	code = shell(a, "qipu "+line)
	var lines []map[string]any
	for text := range strings.Lines(a.stdout.String()) {
		l := map[string]any{}
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%s: %v: %s", line, err, text)
		}
		lines = append(lines, l)
	}
	return games(lines), code
}

// put copies a folder in the place of another.
func put(t *testing.T, from, to string) {
	t.Helper()
	err := os.RemoveAll(to)
	if err == nil {
		err = os.CopyFS(to, os.DirFS(from))
	}
	if err != nil {
		t.Fatal(fmt.Errorf("%s to %s: %w", from, to, err))
	}
}

// TestNet names a net that cannot be read, by the flag and by the environment: a sentence
// says so, and the command does its work.
func TestNet(t *testing.T) {
	cut := filepath.Join(t.TempDir(), "cut.net")
	if err := os.WriteFile(cut, []byte("QNET1\n\xff\xff\x00\x00{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ flag, env, want string }{
		{"", "", ""},
		{"", cut, "it is cut off; the net that comes with the program is used"},
		{" --net " + cut, "nowhere.net", "it is cut off; the net that comes with the program is used"},
		{"", "nowhere.net", "no such file or directory; the net that comes with the program is used"},
	} {
		a := newTestApp("")
		a.Net, a.env["QIPU_NET"] = builtin.Net, c.env
		code := shell(a, "qipu judge --methods"+c.flag)
		said := strings.TrimSpace(a.stderr.String())
		if code != 0 || !strings.Contains(a.stdout.String(), "benson") || !strings.HasSuffix(said, c.want) || strings.Contains(said, "\n") || c.want == "" && said != "" {
			t.Errorf("%+v: exit %d, %q", c, code, said)
		}
	}
}
