package shard

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite" // to damage a catalogue

	"qipu/builtin"
	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/storetest"
)

// wound changes the catalogue of a store that is closed.
func wound(t *testing.T, dir, text string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, catalog.FileName))
	if err == nil {
		_, err = db.Exec(text)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestChangeDamaged adds and deletes games while tables are damaged or missing:
// both work, and adding makes the tables anew.
func TestChangeDamaged(t *testing.T) {
	for _, c := range []struct {
		name string
		harm func(t *testing.T, path string) error
		all  bool
	}{
		{"one missing", func(_ *testing.T, path string) error { return os.Remove(path) }, false},
		{"all missing", func(_ *testing.T, path string) error { return os.Remove(path) }, true},
		{"one empty", func(_ *testing.T, path string) error { return os.WriteFile(path, nil, 0o666) }, false},
		{"no folder", func(_ *testing.T, path string) error { return os.RemoveAll(filepath.Dir(path)) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPatient(t, 11)
			list := segments(t, p.Dir())
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			for i, path := range list {
				if i == 0 || c.all {
					if err := c.harm(t, path); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := p.Reopen(t.Context()); err != nil {
				t.Fatal(err)
			}
			gone := p.story.Model.IDs()[10:20]
			if err := p.Shard.Delete(t.Context(), gone); err != nil {
				t.Fatalf("deleting: %v", err)
			}
			p.story.Model.Delete(gone)
			if err := p.story.Put(p.story.Random(30)); err != nil {
				t.Fatalf("adding: %v", err)
			}
			p.check(t, c.name)
		})
	}
}

// TestDamagedReader names the command that helps where a store that is open for
// reading cannot help itself.
func TestDamagedReader(t *testing.T) {
	p := newPatient(t, 12)
	for _, path := range segments(t, p.Dir()) {
		os.WriteFile(path, nil, 0o666)
	}
	ro := open(t, p.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	_, err := mended(t.Context(), ro, func() (int, error) {
		_, err := ro.View(t.Context())
		return 0, err
	})
	if todo, _ := remedy.Of(err); !store.Repairable(err) || todo.Code != remedy.Repair {
		t.Errorf("it says %v", err)
	}
	if _, err := p.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

// TestUnreadableRecord damages the records of some games. All others are indexed,
// found, and deleted as ever; those are named, until they are deleted.
func TestUnreadableRecord(t *testing.T) {
	for _, c := range []struct{ name, harm string }{
		{"a flipped byte", "UPDATE chunk SET data = CAST(substr(data, 1, length(data) - 1) || x'77' AS BLOB) WHERE id = 2"},
		{"a missing chunk", "DELETE FROM chunk WHERE id = 2"},
		{"a missing slot", "UPDATE game SET slot = 70 WHERE id IN (30, 31)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPatient(t, 13)
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			wound(t, p.Dir(), c.harm)
			if err := p.Reopen(t.Context()); err != nil {
				t.Fatal(err)
			}
			err := p.Reindex(t.Context(), nil)
			unreadable, ok := errors.AsType[*store.UnreadableError](err)
			if todo, _ := remedy.Of(err); !ok || len(unreadable.Games) == 0 || todo.Code != remedy.Replace {
				t.Fatalf("reindexing says %v", err)
			}
			lost := unreadable.Games
			if !slices.Contains(lost, 30) || len(lost) > 20 {
				t.Fatalf("lost are %v", lost)
			}
			p.story.Model.Delete(lost)
			if err := p.story.Check(someEffort); err != nil {
				t.Errorf("the others: %v", err)
			}
			// The damage of a table beside it is mended all the same.
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			for _, path := range segments(t, p.Dir()) {
				os.Remove(path)
			}
			if err := p.Reopen(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n, err := p.Repair(t.Context(), nil); n == 0 || !errors.As(err, &unreadable) || !slices.Equal(unreadable.Games, lost) {
				t.Errorf("repairing %d games says %v", n, err)
			}
			before, _ := p.cat.Generation(t.Context())
			if n, err := p.Repair(t.Context(), nil); n != 0 || !errors.As(err, &unreadable) {
				t.Errorf("repairing %d games again says %v", n, err)
			}
			if after, _ := p.cat.Generation(t.Context()); after != before {
				t.Error("repairing again changed something")
			}
			if err := p.story.Put(p.story.Random(30)); err != nil {
				t.Errorf("adding: %v", err)
			}
			var named []string
			if err := p.Check(t.Context(), true, nil, func(p store.Problem) {
				if p.What == "record" && p.Remedy == remedy.Replace.With(p.Name) {
					named = append(named, p.Name)
				} else if p.What != "catalogue" {
					t.Errorf("beside it: %v", p)
				}
			}); err != nil || len(named) != len(lost) {
				t.Errorf("the check names %v, %v", named, err)
			}
			if err := p.Shard.Delete(t.Context(), lost); err != nil {
				t.Fatal(err)
			}
			if err := p.cat.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
			p.check(t, "without them")
		})
	}
}

// TestUnreadableWaiting damages the record of a game that waits for a table.
func TestUnreadableWaiting(t *testing.T) {
	l := newLibrary(t, small())
	m := storetest.NewMaker(builtin.Games(), 14)
	for range 4 {
		if _, err := l.Add(t.Context(), []*record.Played{m.Play(m.Game("weiqi", "9x9", 20))}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	wound(t, l.Dir(), "UPDATE chunk SET sum = sum + 1 WHERE id = 2")
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := v.Tally()[0].Games; n != 3 {
		t.Errorf("%d of 4 games are found, one of which is damaged", n)
	}
	v.Close()
	if err := l.Shard.Delete(t.Context(), []uint32{2}); err != nil {
		t.Fatal(err)
	}
	if err := l.cat.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	sound(t, l.Shard)
}

// TestMergeTrouble has merges fail: what is added is stored, closing says
// nothing of it, and Trouble does until a merge works.
//
//qipu:race
func TestMergeTrouble(t *testing.T) {
	o := small()
	l := newLibrary(t, o)
	m := storetest.NewMaker(builtin.Games(), 15)
	some := func(n int) (list []*record.Played) {
		for range n {
			list = append(list, m.Play(m.Game("weiqi", "9x9", 20)))
		}
		return list
	}
	for range 4 {
		if _, err := l.Add(t.Context(), some(12)); err != nil {
			t.Fatal(err)
		}
	}
	l.options.NoMerge = false
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context()) // the tables are mapped
	if err != nil {
		t.Fatal(err)
	}
	v.Close()
	folder := filepath.Join(l.Dir(), segmentDir)
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Skip("the folder cannot be moved here")
	}
	if err := os.WriteFile(folder, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Add(t.Context(), some(1)); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("closing says %v", err)
	}
	if l.Trouble() == nil {
		t.Error("nobody is told that merging failed")
	}
	if err := errors.Join(os.Remove(folder), os.Rename(folder+".away", folder)); err != nil {
		t.Fatal(err)
	}
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Add(t.Context(), some(1)); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil || l.Trouble() != nil {
		t.Errorf("when it works again: %v, %v", err, l.Trouble())
	}
	if n := len(segments(t, l.Dir())); n != 2 {
		t.Errorf("%d tables are left of 4, three of which are to be merged", n)
	}
}

// TestMergeDamaged has a merge meet a damaged table: it is made anew.
//
//qipu:race
func TestMergeDamaged(t *testing.T) {
	l := newLibrary(t, small())
	m := storetest.NewMaker(builtin.Games(), 16)
	for range 4 {
		var list []*record.Played
		for range 12 {
			list = append(list, m.Play(m.Game("weiqi", "9x9", 20)))
		}
		if _, err := l.Add(t.Context(), list); err != nil {
			t.Fatal(err)
		}
	}
	l.options.NoMerge = false
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range segments(t, l.Dir()) {
		os.WriteFile(path, nil, 0o666)
	}
	l.wakeMerge()
	if err := l.Close(); err != nil || l.Trouble() != nil {
		t.Errorf("%v, %v", err, l.Trouble())
	}
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	sound(t, l.Shard)
}

// TestShortLived adds a little in many short runs, as a daily import does: in
// the end there is nothing left to merge.
func TestShortLived(t *testing.T) {
	dir := t.TempDir()
	o := small()
	o.NoMerge, o.mergeWidth = false, 4
	m := storetest.NewMaker(builtin.Games(), 17)
	const rounds = 24
	for range rounds {
		s, err := Open(t.Context(), dir, o)
		if err != nil {
			t.Fatal(err)
		}
		var b store.Batch
		for range 12 {
			b.Records = append(b.Records, m.Play(m.Game("weiqi", "9x9", 20)))
		}
		if _, err := s.Add(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(segments(t, dir)); n > rounds/3 {
		t.Errorf("%d tables are left of %d", n, rounds)
	}
	o.NoMerge = true
	s := open(t, dir, o)
	if more, err := s.Merge(t.Context()); more || err != nil {
		t.Errorf("there was more to merge: %v, %v", more, err)
	}
	sound(t, s)
}

// TestCloseBesideAdd has a change end after the store was closed: nothing stays
// mapped.
//
//qipu:race
func TestCloseBesideAdd(t *testing.T) {
	p := newPatient(t, 18)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if err := p.publish(t.Context(), nil); !errors.Is(err, store.ErrClosed) || p.state != nil {
		t.Errorf("after closing: %v, state %v", err, p.state)
	}
	if _, err := p.View(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a view after closing: %v", err)
	}
}

// TestNoFolder adds to a store that has no tables, and has lost their folder.
func TestNoFolder(t *testing.T) {
	l := newLibrary(t, small())
	if err := os.RemoveAll(filepath.Join(l.Dir(), segmentDir)); err != nil {
		t.Fatal(err)
	}
	m := storetest.NewMaker(builtin.Games(), 19)
	var list []*record.Played
	for range 12 {
		list = append(list, m.Play(m.Game("weiqi", "9x9", 20)))
	}
	if _, err := l.Add(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	sound(t, l.Shard)
}
