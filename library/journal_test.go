package library_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/library"
	"qipu/store"
)

// A run that is stopped right behind a batch, before anybody has heard of it, goes on
// with what became of the records of that batch: it is counted when they are stored,
// not before.
func TestStoredCounts(t *testing.T) {
	ctx := t.Context()
	file := filepath.Join(t.TempDir(), "games.sgf")
	text := ""
	for i := range 6 { // three games, each twice in a row
		text += fmt.Sprintf("(;GM[1]SZ[9];B[a%c];W[bb];B[cc])\n", 'a'+i/2)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	l, err := library.Open(ctx, filepath.Join(t.TempDir(), "library"), library.Options{Create: true, Games: builtin.Games(), Formats: builtin.Formats()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var saved []*library.Checkpoint
	stop := errors.New("stopped")
	run := func(from *library.Checkpoint, most int) (*library.ImportReport, error) {
		saved = nil
		return l.Import(ctx, library.ImportOptions{BatchGames: 2, Journal: &library.Journal{Key: "k", From: from, Save: func(c *library.Checkpoint) error {
			if len(saved) == most {
				return stop
			}
			saved = append(saved, c)
			return nil
		}}}, file)
	}
	if _, err := run(nil, 2); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	last := saved[1]
	if last.New != 1 || last.Duplicates != 1 {
		t.Errorf("before it is known what became of the batch, it counts %+v", last)
	}
	if ok, err := l.Stored(ctx, "k", saved[0]); ok || err != nil {
		t.Errorf("the first batch is the last: %v, %v", ok, err)
	}
	if ok, err := l.Stored(ctx, "k", last); !ok || err != nil || last.New != 2 || last.Duplicates != 2 {
		t.Errorf("stored %v, %v: %+v", ok, err, last)
	}
	report, err := run(last, 9)
	if err != nil || report.New != 3 || report.Duplicates != 3 {
		t.Errorf("%+v, %v", report, err)
	}
	counts, err := l.Counts(ctx)
	if err != nil || counts.Inputs != 1 {
		t.Errorf("%d files are noted, want 1: %v", counts.Inputs, err)
	}
}

// An import that brought games and fuller records of the same games is undone and done again:
// each game has one line in the tables then, not that of the first record as well.
func TestUndoFuller(t *testing.T) {
	ctx := store.Within(t.Context(), store.Deed{Key: "both", Op: store.OpImport})
	l, err := library.Open(ctx, filepath.Join(t.TempDir(), "library"), library.Options{Create: true, Games: builtin.Games(), Formats: builtin.Formats()})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	bring := func(more string) *library.ImportReport {
		text := ""
		for i := range 6 {
			text += fmt.Sprintf("(;GM[1]SZ[9]%s;B[aa];W[b%c];B[cc];W[dd];B[ee];W[ff];B[gg];W[hh])\n", more, 'b'+i)
		}
		file := filepath.Join(t.TempDir(), "games.sgf")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		report, err := l.Import(ctx, library.ImportOptions{}, file)
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if r := bring(""); r.New != 6 {
		t.Fatalf("%+v", r.ImportCounts)
	}
	if r := bring("PB[Ada]PW[Bo]EV[Cup]"); r.Fuller != 6 {
		t.Fatalf("%+v", r.ImportCounts)
	}
	if err := l.Keeper().Reindex(ctx, nil); err != nil { // their lines are in a table
		t.Fatal(err)
	}
	for id := int64(1); id <= 4; id++ { // the import, that undo, the undo of it and so on
		if _, err := l.Undo(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		found, _, err := l.Check(t.Context(), true, nil)
		if err != nil || len(found) > 0 {
			t.Errorf("after undoing change %d: %+v, %v", id, found, err)
		}
		tally, err := l.Tally(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		games := 0
		for _, k := range tally {
			games += k.Games
		}
		if want := int(6 * (1 - id%2)); games != want {
			t.Errorf("after undoing change %d: %d games, want %d", id, games, want)
		}
	}
}

// A journal whose file ends in the middle of an entry, as after the power went, has all entries
// before it: each was true as a whole, the last one can be undone, and the next goes on.
func TestJournalCut(t *testing.T) {
	ctx := t.Context()
	dir := filepath.Join(t.TempDir(), "library")
	options := library.Options{Create: true, Games: builtin.Games(), Formats: builtin.Formats()}
	l, err := library.Open(ctx, dir, options)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := filepath.Join(t.TempDir(), "games.sgf")
	if err := os.WriteFile(file, []byte("(;GM[1]SZ[9];B[aa];W[bb])(;GM[1]SZ[9];B[cc];W[bb])"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(ctx, library.ImportOptions{}, file); err != nil {
		t.Fatal(err)
	}
	const entries = 12
	tag := func(l *library.Library, n int) error {
		return l.Edit(ctx, func(tx store.Tx) error { return tx.Tag(fmt.Sprintf("tag%d", n), []uint32{1, 2}) })
	}
	for n := range entries {
		if err := tag(l, n); err != nil {
			t.Fatal(err)
		}
	}
	logs, err := filepath.Glob(filepath.Join(dir, "*-wal"))
	if err != nil || len(logs) == 0 {
		t.Fatal("there is no log to cut", logs, err)
	}
	log := logs[slices.IndexFunc(logs, func(name string) bool { return strings.Contains(filepath.Base(name), "catalog") })]
	whole, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	inside, err := filepath.Glob(filepath.Join(dir, "*catalog*")) // tables are made anew
	if err != nil {
		t.Fatal(err)
	}
	kept := map[int]bool{}
	for part := range 8 {
		cut := filepath.Join(t.TempDir(), "cut")
		if err := os.Mkdir(cut, 0o700); err != nil {
			t.Fatal(err)
		}
		for _, name := range inside {
			data, err := os.ReadFile(name)
			if err == nil {
				err = os.WriteFile(filepath.Join(cut, filepath.Base(name)), data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		left := whole[:len(whole)*(part+8)/16-1]
		if err := os.WriteFile(filepath.Join(cut, filepath.Base(log)), left, 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := library.Open(ctx, cut, options)
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.Journal().Changes(ctx, store.Page{Op: store.OpTag})
		if err != nil {
			t.Fatal(err)
		}
		tags, err := c.Notes().Tags(ctx)
		if err != nil || len(tags) != len(list) {
			t.Errorf("%d tags of %d entries, %v", len(tags), len(list), err)
		}
		kept[len(list)] = true
		for i, e := range list {
			if want := fmt.Sprintf("tag%d", len(list)-1-i); e.Count != 2 || e.Text("name") != want {
				t.Errorf("entry %d: %+v, want that of %s", i, e, want)
			}
		}
		if len(list) > 0 {
			if _, err := c.Undo(ctx, list[0].ID); err != nil {
				t.Error(err)
			}
		}
		if err := tag(c, 99); err != nil {
			t.Error(err)
		}
		after, err := c.Notes().Tags(ctx)
		if err != nil || len(after) != max(len(list)-1, 0)+1 {
			t.Errorf("%d tags after undoing and tagging, of %d: %v", len(after), len(list), err)
		}
		if found, _, err := c.Check(ctx, true, nil); err != nil || len(found) > 0 {
			t.Errorf("%+v, %v", found, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(kept) < 3 {
		t.Errorf("the cuts left %v entries: too few places were tried", kept)
	}
}
