package catalog_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"qipu/book"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/store/shard/internal/catalog"
)

func theoryList(t testing.TB, db *catalog.DB, kind string) string {
	t.Helper()
	show := func(v engine.Value) string {
		if v == engine.NoValue {
			return "-"
		}
		return fmt.Sprint(int(v))
	}
	var lines []string
	for r, err := range db.Theory(t.Context(), kind, 0) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Join([]string{fmt.Sprint(r.Key.Hi), r.Position, fmt.Sprint(r.Level), r.Leaf, show(r.Value), show(r.Lower), show(r.Upper), show(r.Exact), show(r.Human), r.Note}, " "))
	}
	return strings.Join(lines, "\n")
}

func TestTheory(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, dir)
	const no = engine.NoValue
	version := func() int64 {
		v, err := db.TheoryVersion(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if got := theoryList(t, db, "o"); got != "" || version() != 0 {
		t.Fatalf("a new library has %q, version %d", got, version())
	}
	before, _ := db.Generation(t.Context())
	update(t, db, func(tx *catalog.Tx) error {
		return tx.PutTheory("o", []theory.Row{
			{Key: book.Key{Hi: 2}, Position: "two", Level: 5, Leaf: "f5", Value: -200, Lower: -400, Upper: 0, Exact: no, Human: no},
			{Key: book.Key{Hi: 1, Lo: 3}, Position: "one", Value: no, Lower: no, Upper: no, Exact: 0, Human: 7, Note: "a note"},
		})
	})
	after, _ := db.Generation(t.Context())
	if after <= before || version() != 1 {
		t.Errorf("generation %d after %d, version %d", after, before, version())
	}
	want := "1 one 0  - - - 0 7 a note\n2 two 5 f5 -200 -400 0 - - "
	if got := theoryList(t, db, "o"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := theoryList(t, db, "x"); got != "" {
		t.Errorf("another kind has %q", got)
	}
	update(t, db, func(tx *catalog.Tx) error {
		if err := tx.PutTheory("x", []theory.Row{{Key: book.Key{Hi: 1}, Position: "other"}}); err != nil {
			return err
		}
		return tx.PutTheory("o", []theory.Row{{Key: book.Key{Hi: 2}, Position: "two", Level: 9, Value: no, Lower: no, Upper: no, Exact: no, Human: no}})
	})
	if version() != 2 {
		t.Errorf("version %d after two transactions", version())
	}
	if got := theoryList(t, db, "o"); got != "1 one 0  - - - 0 7 a note\n2 two 9  - - - - - " {
		t.Errorf("after another search: %q", got)
	}
	if got := theoryList(t, db, "x"); got != "1 other 0  0 0 0 0 0 " {
		t.Errorf("another kind has %q", got)
	}
	for high, want := range map[uint64]string{1: "one", 2: "two", 3: ""} {
		got := ""
		list, err := db.FindTheory(t.Context(), "o", high)
		for _, r := range list {
			got += r.Position
		}
		if err != nil || got != want {
			t.Errorf("of %d there is %q (%v)", high, got, err)
		}
	}
	add(t, db, entriesFrom(0, 1)...)
	if version() != 2 {
		t.Errorf("a game that was added changed the version to %d", version())
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.DropTheory("o", []book.Key{{Hi: 2}, {Hi: 3}}) })
	if got := theoryList(t, db, "o"); got != "1 one 0  - - - 0 7 a note" || version() != 3 {
		t.Errorf("after dropping: %q, version %d", got, version())
	}
	for name, do := range map[string]func(tx *catalog.Tx) error{
		"no kind":     func(tx *catalog.Tx) error { return tx.PutTheory("", nil) },
		"no position": func(tx *catalog.Tx) error { return tx.PutTheory("o", []theory.Row{{}}) },
	} {
		if err := db.Update(t.Context(), do); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestTheoryOfOldLibrary reads a library that was made before there were values.
func TestTheoryOfOldLibrary(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "old")
	old, err := catalog.OpenVersion(t.Context(), dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got := theoryList(t, db, "othello 8x8"); got != "" {
		t.Errorf("it has %q", got)
	}
	if version, err := db.TheoryVersion(t.Context()); version != 0 || err != nil {
		t.Errorf("it has version %d: %v", version, err)
	}
}
