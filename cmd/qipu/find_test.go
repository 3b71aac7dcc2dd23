package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"qipu/cli"
	"qipu/internal/testkit"
)

// objects runs a command with --json and returns what it printed, by type.
func objects(t *testing.T, line string) map[string][]map[string]any {
	t.Helper()
	a := newTestApp("")
	if code := shell(a, line+" --json"); code != 0 {
		t.Fatalf("%s: exit %d: %s", line, code, a.stderr.String())
	}
	found := map[string][]map[string]any{}
	for text := range strings.Lines(a.stdout.String()) {
		var o map[string]any
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Fatalf("%s: %v: %s", line, err, text)
		}
		if path := findNull("", o); path != "" {
			t.Errorf("%s: %s is null", line, path)
		}
		kind, _ := o["type"].(string)
		found[kind] = append(found[kind], o)
	}
	found["answer"] = append(found["answer"], found["explored"]...)
	if len(found["answer"]) != 1 {
		t.Fatalf("%s: %d answers", line, len(found["answer"]))
	}
	return found
}

// recordOf returns the number of the record of a hit.
func recordOf(hit map[string]any) any { return hit["record"].(map[string]any)["id"] }

// TestFindPages goes through the pages of a list in every order: every game
// comes once.
func TestFindPages(t *testing.T) {
	withLibrary(t)
	for _, query := range []string{
		`qipu find --game othello --pattern XO`, `qipu find --game othello --position f5`, `qipu explore --game othello`,
	} {
		for _, order := range []string{"", "--reverse", "--sort date", "--sort occurrences", "--sort rating --reverse"} {
			all := objects(t, query+" --limit 0 "+order)["hit"]
			if len(all) != 9 {
				t.Fatalf("%s: %d games", query, len(all))
			}
			cursor := ""
			for page := 0; ; page++ {
				got := objects(t, query+" --limit 2 "+order+cursor)
				next := got["answer"][0]["next"].(string)
				for i, hit := range got["hit"] {
					if want := recordOf(all[2*page+i]); recordOf(hit) != want {
						t.Errorf("%s %s: game %v on page %d, want %v", query, order, recordOf(hit), page, want)
					}
				}
				if next == "" {
					if page != 4 || len(got["hit"]) != 1 {
						t.Errorf("%s %s: ends on page %d with %d games", query, order, page, len(got["hit"]))
					}
					break
				}
				cursor = " --cursor " + next
			}
		}
	}
}

// TestFindSums checks that the parts of an answer fit together.
func TestFindSums(t *testing.T) {
	withLibrary(t)
	number := func(o map[string]any, key string) int { return int(o[key].(float64)) }
	for _, query := range []string{
		`qipu find --game othello --pattern "XO/OX" --all --explain`, `qipu find --game renju --pattern XXX --all --explain`,
		`qipu find --game xiangqi --position start --all --explain`, `qipu find --game go:9x9 --pattern "+--/|XO" --all --explain`,
	} {
		got := objects(t, query+" --limit 0")
		sum := got["answer"][0]
		hits, moves := 0, 0
		for _, hit := range got["hit"] {
			hits += number(hit, "occurrences")
			if list := hit["all"].([]any); len(list) != number(hit, "occurrences") {
				t.Errorf("%s: %d of %v occurrences", query, len(list), hit["occurrences"])
			}
		}
		for _, c := range sum["moves"].([]any) {
			c := c.(map[string]any)
			moves += number(c, "count")
			score := c["score"].(map[string]any)
			if n := number(c, "games"); n > number(c, "count") || n == 0 || number(score, "first")+number(score, "second")+number(score, "draws") > n {
				t.Errorf("%s: more results than games: %v", query, c)
			}
		}
		if len(got["hit"]) != number(sum, "games") || hits != number(sum, "hits") || moves+number(sum, "ended") != hits {
			t.Errorf("%s: %d games, %d hits, %d moves, but %v", query, len(got["hit"]), hits, moves, sum)
		}
		if len(got["explain"]) != 1 {
			t.Errorf("%s: %v", query, slices.Collect(maps.Keys(got)))
		}
	}
}

// TestFindTerminal looks at what only terminals get: the board, colours, and a
// table of moves that says how to see the rest.
func TestFindTerminal(t *testing.T) {
	withLibrary(t)
	const query = `qipu find --game renju --pattern "*X**/**O*/****"`
	a := newTestApp("")
	a.OutTerm = true
	if code := shell(a, query); code != 0 {
		t.Fatal(a.stderr.String())
	}
	out := a.stdout.String()
	for _, want := range []string{" X ", cli.Faint + "~", cli.Bold + "A" + cli.Plain, " more moves: --moves 0\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	a = newTestApp("")
	shell(a, query)
	piped := a.stdout.String()
	if strings.Contains(piped, "\x1b") || strings.Contains(piped, "--moves 0") || strings.Contains(piped, " X ") {
		t.Errorf("in a pipe:\n%s", piped)
	}
	a = newTestApp("")
	shell(a, query+" --explain")
	if text := a.stdout.String(); !strings.HasPrefix(text, piped) || !strings.Contains(text, "placements") || !strings.Contains(text, "elapsed") {
		t.Errorf("--explain does not add to\n%s\nbut prints\n%s", piped, text)
	}
}

func TestFindInput(t *testing.T) {
	withLibrary(t)
	if err := os.WriteFile("shape.txt", []byte("X O X\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	missing := newTestApp("")
	if code := shell(missing, "qipu find --game renju --pattern @missing.txt"); code != cli.ExitData || !strings.Contains(missing.stderr.String(), "missing.txt") {
		t.Errorf("exit %d: %s", code, missing.stderr.String())
	}
	var outputs []string
	for _, line := range []string{
		`qipu find --game renju --pattern XOX`, `qipu find --game renju --pattern "@floating/XOX"`, `qipu find --game renju --pattern @shape.txt`,
		`echo 242 | qipu find --game renju --pattern -`, `qipu find --game gomoku --pattern "2 4 2" --anchor floating`,
	} {
		a := newTestApp("")
		if code := shell(a, line); code != 0 {
			t.Fatalf("%s: %s", line, a.stderr.String())
		}
		if outputs = append(outputs, a.stdout.String()); outputs[0] != a.stdout.String() {
			t.Errorf("%s:\n%s\nwant\n%s", line, a.stdout.String(), outputs[0])
		}
	}
}

func TestFindPictures(t *testing.T) {
	withLibrary(t)
	for i, query := range []string{
		`qipu explore --game xiangqi`, `qipu explore --game othello f5`,
		`qipu find --game othello --pattern "[XO]x*./XO*."`, `qipu find --game othello --pattern "--/X*"`,
		`qipu find --game renju --position "h8" --region a1:h8`, `qipu find --game xiangqi --pattern "@e2/C/*/K"`,
	} {
		name := fmt.Sprintf("%d.svg", i)
		a := newTestApp("")
		if code := shell(a, query+" --svg "+name); code != 0 {
			t.Fatalf("%s: %s", query, a.stderr.String())
		}
		picture, err := os.ReadFile(name)
		if err != nil || !bytes.HasPrefix(picture, []byte("<svg")) {
			t.Fatalf("%s: %v", query, err)
		}
		testkit.WellFormed(t, picture)
	}
}

// TestFindCSV checks that both tables have all their rows and columns.
func TestFindCSV(t *testing.T) {
	withLibrary(t)
	for line, want := range map[string]int{
		`qipu find --game othello --position f5 --csv`:                           10,
		`qipu find --game othello --position f5 --csv --limit 4 --no-swap`:       5,
		`qipu find --game othello --position f5 --csv --continuations --moves 1`: 4,
		`qipu explore --game othello f5 --csv --continuations`:                   4,
	} {
		a := newTestApp("")
		a.OutTerm = true
		code := shell(a, line)
		if rows, err := csv.NewReader(&a.stdout).ReadAll(); code != 0 || err != nil || len(rows) != want {
			t.Errorf("%s: exit %d, %d rows, want %d, %v", line, code, len(rows), want, err)
		}
	}
}

//qipu:race
func TestFindInterrupt(t *testing.T) {
	withLibrary(t)
	for _, args := range [][]string{{"find", "--game", "othello", "--pattern", "XO"}, {"explore", "--game", "othello", "f5"}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if code := newTestApp("").Run(ctx, args); code != cli.ExitInterrupted {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}

// TestFindVariation: a shape that only a variation has is said to be there, in
// all forms of the answer.
func TestFindVariation(t *testing.T) {
	withLibrary(t)
	const query = `qipu find --game go:9x9 --pattern "+---/|..O/|.XO/|.OO" --no-swap`
	a := newTestApp("")
	main := shell(a, query) == 0
	got := objects(t, query+" --variations")["hit"]
	if main || len(got) != 1 || got[0]["variation"] != true {
		t.Errorf("in the main line: %t; with variations: %v", main, got)
	}
	for _, form := range []string{"", " --all", " --csv"} {
		a := newTestApp("")
		want := ", variation"
		if form == " --csv" {
			want = ",true\n"
		}
		if shell(a, query+" --variations"+form); !strings.Contains(a.stdout.String(), want) {
			t.Errorf("%s: no %q in\n%s", form, want, a.stdout.String())
		}
	}
}

// TestFindCursor: a cursor is good for its own search alone.
func TestFindCursor(t *testing.T) {
	withLibrary(t)
	next := objects(t, `qipu find --game othello --pattern XO --limit 2`)["answer"][0]["next"].(string)
	for _, query := range []string{
		`qipu find --game othello --pattern OX --no-mirror`, `qipu find --game othello --pattern XO --variations`, `qipu find --game renju --pattern XO`,
		`qipu find --game othello --pattern XO --plies 10..`, `qipu explore --game othello f5`,
	} {
		a := newTestApp("")
		if code := shell(a, query+" --cursor "+next); code == 0 || !strings.Contains(a.stderr.String(), "begin again") {
			t.Errorf("%s: exit %d: %s", query, code, a.stderr.String())
		}
	}
	if a := newTestApp(""); shell(a, "qipu find --game othello --pattern XO --limit 5 --cursor "+next) != 0 {
		t.Errorf("a page of another length: %s", a.stderr.String())
	}
}
