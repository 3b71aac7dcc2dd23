package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu"
	"qipu/cli"
	"qipu/library"
)

// printed returns what a command prints with --json, and finds what must not be
// there: null.
func printed(t *testing.T, line string) (list []map[string]any) {
	t.Helper()
	for _, text := range strings.Split(strings.TrimSpace(must(t, line, 0).stdout.String()), "\n") {
		var object map[string]any
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			t.Fatalf("%s: %v: %s", line, err, text)
		}
		if path := findNull("", object); path != "" {
			t.Errorf("%s: %s is null", line, path)
		}
		list = append(list, object)
	}
	return list
}

// TestManageForms checks that everything about queries, tags, players and
// exports can be had as JSON and as CSV.
func TestManageForms(t *testing.T) {
	withLibrary(t)
	for _, line := range []string{
		"query check moves>3", "query fields", "query save long moves>3", "query save oth game:othello position:f5", "query list", "query show long",
		"query list --all", "query explain moves>3 --analyse", "query rename long short", "query drop short",
		"tags add a 1", "tags", "tags list 1", "tags rename a b", "tags remove b 1", "tags drop b",
		"players", `players show "Demo Ada"`, `players merge "Demo Ada" "Demo Bob" --into AB`, "players history", "players undo 1",
		"export game:renju out.sgf", "export game:renju out.csv", "export 1 folder/", "export game:renju --to-library copy",
		`export "game:othello position:f5" tree.sgf --tree`,
	} {
		for _, o := range printed(t, "qipu "+line+" --json") {
			if o["type"] == nil && o["name"] == nil {
				t.Errorf("%s: %v does not say what it is", line, o)
			}
		}
	}
	for _, line := range []string{
		"query check moves>3", "query fields", "query save long moves>3", "query list", "query show long", "query explain moves>3", "query drop long",
		"tags add a 1", "tags", "tags rename a b", "players", `players show "Demo Ada"`, `players merge "Demo Ada" "Demo Bob" --into AB`, "players history",
		"players undo 2", "export game:renju two.sgf", "export 2 folder/", `export "game:othello position:f5" tree2.sgf --tree`,
	} {
		a := must(t, "qipu "+line+" --csv", 0)
		if rows, err := csv.NewReader(&a.stdout).ReadAll(); err != nil || len(rows) < 2 {
			t.Errorf("%s: %d rows, %v", line, len(rows), err)
		}
	}
}

// TestExplainForetells checks that what a query would look at is what it looks
// at.
func TestExplainForetells(t *testing.T) {
	withLibrary(t)
	for _, q := range []string{
		"all", "none", "moves>40", "player:ada", "player:ada or game:go", "game:othello position:f5d6", "game:othello position:f5d6 player:bob",
		"game:go board:'+----/|..../|..../|..O./|...X'", "game:renju board:'XO' then board:'XX'", "game:xiangqi not has(R)",
		"game:renju fuzzy:'X.O/.X.'{min:.6}", "game:go:9x9 line:'F6 C6'",
	} {
		var blocks, candidates float64
		list := printed(t, `qipu query explain "`+q+`" --analyse --json`)
		found := list[len(list)-1]
		for _, part := range list[:len(list)-1] {
			blocks += part["blocks"].(float64)
			candidates += part["candidates"].(float64)
		}
		if candidates != found["candidates"] || found["games"].(float64) > 0 && candidates == 0 {
			t.Errorf("%s: foretold %v candidates in %v blocks, looked at %v", q, candidates, blocks, found)
		}
	}
}

// TestUnfinished: a library whose making was killed says so, and the same command goes
// on with it; another one does not touch it.
func TestUnfinished(t *testing.T) {
	withLibrary(t)
	place, err := qipu.Locate("", newTestApp("").LookupOS)
	if err == nil {
		place, err = filepath.Abs(place)
	}
	if err != nil {
		t.Fatal(err)
	}
	for line, command := range map[string]string{
		"qipu export --all --to-library made": fmt.Sprintf("qipu export --to-library, of %d games of %s,", int(demoGames), place),
		"qipu copy " + place + " made":        "qipu copy of " + place,
	} {
		os.RemoveAll("made")
		if err := library.Begin("made", command); err != nil {
			t.Fatal(err)
		}
		must(t, line, 0) // killed before there was a library
		must(t, "qipu doctor --library made", 0)

		os.RemoveAll("made")
		if err := library.Begin("made", command); err != nil {
			t.Fatal(err)
		}
		lib, err := qipu.Open(t.Context(), "made", qipu.Options{Create: true, Games: newTestApp("").Games})
		if err != nil {
			t.Fatal(err)
		}
		lib.Close()
		for _, doctor := range []string{"qipu doctor --library made", "qipu doctor --repair --library made"} {
			if a := must(t, doctor, cli.ExitData); !strings.Contains(a.stdout.String(), "unfinished: "+command) || !strings.Contains(a.stdout.String(), "run the command again") {
				t.Errorf("%s: %s%s", doctor, a.stdout.String(), a.stderr.String())
			}
		}
		must(t, "qipu export 1 --to-library made", cli.ExitData)
		must(t, line, 0)
		must(t, "qipu doctor --deep --library made", 0)
		if got := total(t, must(t, "qipu find all --library made --json", 0))["games"]; got != demoGames {
			t.Errorf("%s: %v games", line, got)
		}
	}
}

// TestExportRoundTrip writes everything to a library, and from both to folders:
// they are the same, byte for byte.
func TestExportRoundTrip(t *testing.T) {
	withLibrary(t)
	if err := os.CopyFS("again", os.DirFS("games")); err != nil {
		t.Fatal(err)
	}
	must(t, "qipu import again", 0) // every game has a second source now
	must(t, "qipu export --all --to-library copy", 0)
	must(t, "qipu doctor --deep --library copy", 0)
	must(t, "qipu export --all --output a", 0)
	must(t, "qipu export --all --output b --library copy", 0)
	if a, b := tree(t, "a"), tree(t, "b"); a == "" || strings.ReplaceAll(b, "b"+string(filepath.Separator), "a"+string(filepath.Separator)) != a {
		t.Errorf("%s\n%s", a, b)
	}
	for _, line := range []string{"qipu show 4", "qipu stats", "qipu players --csv --limit 0", `qipu export "game:othello position:f5" - --to csv`} {
		a, b := must(t, line, 0).stdout.String(), must(t, line+" --library copy", 0).stdout.String()
		if a, b = steady(t, a), steady(t, b); line == "qipu stats" {
			a, b = first(a, "\n\n"), first(b, "\n\n")
		}
		if a != b {
			t.Errorf("%s:\n%s\nin the copy:\n%s", line, a, b)
		}
	}
	if out := must(t, "qipu show 4 --library copy", 0).stdout.String(); !strings.Contains(out, "also in again") {
		t.Errorf("the second source is not there: %s", out)
	}
	// Once more changes nothing.
	all := total(t, must(t, "qipu export --all --to-library copy --force --json", 0))
	if all["new"] != 0.0 || all["known"] != demoGames {
		t.Errorf("once more: %v", all)
	}
}

func first(text, sep string) string {
	head, _, _ := strings.Cut(text, sep)
	return head
}

// TestExportOne writes all games into one file, and reads the same games back.
func TestExportOne(t *testing.T) {
	withLibrary(t)
	must(t, "qipu export --all --output all.sgf", 0)
	must(t, "qipu import all.sgf --library copy", 0)
	var of [2]string
	for i, line := range []string{"qipu stats --csv", "qipu stats --csv --library copy"} {
		rows, err := csv.NewReader(strings.NewReader(must(t, line, 0).stdout.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			of[i] += strings.Join(row[:4], " ") + "\n"
		}
	}
	if of[0] != of[1] {
		t.Errorf("%s\nread back:\n%s", of[0], of[1])
	}
	// What cannot be written leaves no file, nor a part of one.
	must(t, "qipu export game:go go.pgn", cli.ExitData)
	if err := os.Mkdir("locked", 0o500); err != nil {
		t.Fatal(err)
	}
	if os.WriteFile("locked/x", nil, 0o600) != nil { // root may write anywhere
		must(t, "qipu export --all locked/all.sgf", cli.ExitData)
	}
	for _, pattern := range []string{"go.pgn", ".qipu-*", "locked/*"} {
		if left, _ := filepath.Glob(pattern); len(left) > 0 && left[0] != filepath.Join("locked", "x") {
			t.Errorf("left behind: %v", left)
		}
	}
}

// TestPlayersUndo checks that a change that is taken back leaves nothing behind.
func TestPlayersUndo(t *testing.T) {
	withLibrary(t)
	all := func() string { return must(t, "qipu players --limit 0 --json", 0).stdout.String() }
	before := all()
	for _, c := range []struct{ do, undo string }{
		{`merge "Demo Ada" "Demo Bob" --into "Demo Bob"`, "1"}, {`split "Demo Bob" --into X`, "2"}, {`rename "Demo Alpha" Y`, "3"},
	} {
		must(t, "qipu players "+c.do, 0)
		if all() == before {
			t.Errorf("%s changes nothing", c.do)
		}
		must(t, "qipu players undo "+c.undo, 0)
		if got := all(); got != before {
			t.Errorf("%s, taken back:\n%s\nbefore:\n%s", c.do, got, before)
		}
	}
}
