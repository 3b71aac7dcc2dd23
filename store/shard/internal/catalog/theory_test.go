package catalog_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

func theoryList(t testing.TB, db *catalog.DB, kind string) string {
	t.Helper()
	show := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return fmt.Sprint(*n)
	}
	var lines []string
	for r, err := range db.Theory(t.Context(), kind) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.Join([]string{fmt.Sprint(r.Key[0]), r.Position, show(r.Level), r.Leaf, show(r.Value), show(r.Lower), show(r.Upper), show(r.Exact), show(r.Human), r.Note}, " "))
	}
	return strings.Join(lines, "\n")
}

func TestTheory(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, dir)
	n := func(v int64) *int64 { return &v }
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
		return tx.PutTheory("o", []store.Theory{
			{Key: [16]byte{2}, Position: "two", Level: n(5), Leaf: "f5", Value: n(-200), Lower: n(-400), Upper: n(0)},
			{Key: [16]byte{1}, Position: "one", Exact: n(0), Human: n(7), Note: "a note"},
		})
	})
	after, _ := db.Generation(t.Context())
	if after <= before || version() != 1 {
		t.Errorf("generation %d after %d, version %d", after, before, version())
	}
	want := "1 one -  - - - 0 7 a note\n2 two 5 f5 -200 -400 0 - - "
	if got := theoryList(t, db, "o"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := theoryList(t, db, "x"); got != "" {
		t.Errorf("another kind has %q", got)
	}
	update(t, db, func(tx *catalog.Tx) error {
		if err := tx.PutTheory("x", []store.Theory{{Key: [16]byte{1}, Position: "other"}}); err != nil {
			return err
		}
		return tx.PutTheory("o", []store.Theory{{Key: [16]byte{2}, Position: "two", Level: n(9)}})
	})
	if version() != 2 {
		t.Errorf("version %d after two transactions", version())
	}
	list, err := db.TheoryAt(t.Context(), "o", [][16]byte{{9}, {2}, {1}})
	if err != nil || len(list) != 2 || list[0].Position != "two" || *list[0].Level != 9 || list[0].Value != nil || list[0].Leaf != "" || list[0].Changed.IsZero() {
		t.Errorf("rows by key: %+v %v", list, err)
	}
	kinds, err := db.TheoryKinds(t.Context())
	if err != nil || kinds["o"] != 2 || kinds["x"] != 1 {
		t.Errorf("kinds %v %v", kinds, err)
	}
	add(t, db, entriesFrom(0, 1)...)
	if version() != 2 {
		t.Errorf("a game that was added changed the version to %d", version())
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.DropTheory("o", [][16]byte{{2}, {3}}) })
	if got := theoryList(t, db, "o"); got != "1 one -  - - - 0 7 a note" || version() != 3 {
		t.Errorf("after dropping: %q, version %d", got, version())
	}
	for name, do := range map[string]func(tx *catalog.Tx) error{
		"no kind":     func(tx *catalog.Tx) error { return tx.PutTheory("", nil) },
		"no position": func(tx *catalog.Tx) error { return tx.PutTheory("o", []store.Theory{{}}) },
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
	list, err := db.TheoryAt(t.Context(), "othello 8x8", [][16]byte{{}})
	kinds, err2 := db.TheoryKinds(t.Context())
	version, err3 := db.TheoryVersion(t.Context())
	if len(list) != 0 || len(kinds) != 0 || version != 0 || err != nil || err2 != nil || err3 != nil {
		t.Errorf("it has %v %v %d: %v %v %v", list, kinds, version, err, err2, err3)
	}
}
