package catalog_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// TestForgetInputs: the files that a deleted game came from count as not read,
// and no others.
func TestForgetInputs(t *testing.T) {
	for _, c := range []struct {
		source string
		gone   []string
	}{
		{"games/a.sgf", []string{"/home/x/games/a.sgf"}},
		{"./games/a.sgf", []string{"/home/x/games/a.sgf"}},
		{"../x/games/a.sgf", []string{"/home/x/games/a.sgf"}},
		{"/home/x/games/a.sgf", []string{"/home/x/games/a.sgf"}},
		{"a.sgf", []string{"/home/x/games/a.sgf", "/home/y/a.sgf"}},
		{`games\a.sgf`, []string{"/home/x/games/a.sgf"}},
		{"old.tar.gz!deep/b.zip!a.sgf", []string{"/home/x/old.tar.gz"}},
		{"wow!.sgf", []string{"/home/x/wow!.sgf"}},
		{"ames/a.sgf", nil},
		{"-", nil},
		{"", nil},
	} {
		db := open(t)
		all := []string{"/home/x/games/a.sgf", "/home/x/games/other.sgf", "/home/x/old.tar.gz", "/home/x/wow!.sgf", "/home/y/a.sgf"}
		input := func(path string) store.Input {
			return store.Input{Path: path, Size: 5, ModTime: time.Unix(7, 0)}
		}
		first, second := entry(1), entry(2)
		first.Source, second.Source = store.Source{File: "else.sgf"}, store.Source{File: c.source}
		ids := add(t, db, first, second, entry(3))
		update(t, db, func(tx *catalog.Tx) error {
			var err error
			for _, path := range all {
				err = errors.Join(err, tx.MarkInput(input(path)))
			}
			// The same by a further source.
			_, failed := tx.AddSource(ids[0], store.Source{File: c.source, Number: 3})
			return errors.Join(err, failed)
		})
		for _, id := range ids[:2] {
			update(t, db, func(tx *catalog.Tx) error { return tx.Delete([]uint32{id}) })
			for _, path := range all {
				done, err := db.InputDone(t.Context(), input(path))
				if err != nil || done == slices.Contains(c.gone, path) {
					t.Errorf("source %q, game %d: %s is read: %v, %v", c.source, id, path, done, err)
				}
			}
			update(t, db, func(tx *catalog.Tx) error {
				var err error
				for _, path := range all {
					err = errors.Join(err, tx.MarkInput(input(path)))
				}
				return err
			})
		}
	}
}

// TestPastDamage reads and packs on past a damaged chunk.
func TestPastDamage(t *testing.T) {
	dir := t.TempDir()
	db, err := catalog.Open(t.Context(), dir, catalog.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { db.Close() }()
	entries := entriesFrom(0, 200)
	ids := add(t, db, entries...)
	if err := errors.Join(db.Exec("UPDATE chunk SET sum = 5 WHERE id = 2"), db.Close()); err != nil {
		t.Fatal(err)
	}
	if db, err = catalog.Open(t.Context(), dir, catalog.Options{}); err != nil {
		t.Fatal(err)
	}
	look := func(ids []uint32) (sound, damaged []uint32) {
		for text, err := range db.Texts(t.Context(), ids) {
			switch {
			case err == nil && len(text.Record) > 0:
				sound = append(sound, text.ID)
			case errors.Is(err, store.ErrDamaged):
				damaged = append(damaged, text.ID)
			default:
				t.Error(text.ID, err)
			}
		}
		return sound, damaged
	}
	sound, damaged := look(ids)
	if len(sound) != 136 || len(damaged) != 64 || damaged[0] != 65 {
		t.Fatalf("%d are sound, damaged are %v", len(sound), damaged)
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.Delete([]uint32{1, 65, 200}) })
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, db, ids[1:64], entries[1:64])
	same(t, db, ids[128:199], entries[128:199])
	left := slices.Delete(slices.Clone(ids[1:199]), 63, 64)
	if sound, damaged := look(left); len(sound) != 134 || len(damaged) != 63 {
		t.Errorf("%d are sound, damaged are %v", len(sound), damaged)
	}
}
