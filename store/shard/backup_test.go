package shard

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/storetest"
)

// TestBackup copies a library while it is added to and merged, and restores it
// from the copy. Both are sound, and hold all that was there when the backup
// began.
//
//qipu:race
func TestBackup(t *testing.T) {
	ctx := t.Context()
	o := small()
	o.NoMerge = false
	s := open(t, t.TempDir(), o)
	maker := storetest.NewMaker(builtin.Games(), 1)
	add := func(from, to int) int {
		var b store.Batch
		for n := from; n < to; n++ {
			b.Records = append(b.Records, maker.Play(numbered(n)))
		}
		if _, err := s.Add(ctx, b); err != nil {
			t.Error(err)
		}
		return to
	}
	n := add(0, 100)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				n = add(n, n+13)
			}
		}
	})
	root := t.TempDir()
	var dirs []string
	for i := range testkit.Scale(3, 20) {
		before, err := s.cat.IDs(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(root, "backup", string(rune('a'+i)))
		os.MkdirAll(filepath.Dir(dir), 0o777)
		if err := s.Backup(ctx, dir); err != nil {
			t.Fatal(err)
		}
		copied := open(t, dir, small())
		after, err := copied.cat.IDs(ctx, "")
		if err != nil {
			t.Fatal(err)
		}
		before.AndNot(after)
		if !before.IsEmpty() {
			t.Errorf("games %v are not in the copy", before)
		}
		sound(t, copied)
		copied.Close()
		dirs = append(dirs, dir)
	}
	close(stop)
	wg.Wait()
	if err := s.Backup(ctx, dirs[0]); err == nil {
		t.Error("a backup went over another")
	}
	// A copy that has lost a table is restored all the same.
	os.Remove(segments(t, dirs[0])[0])
	for _, dir := range dirs {
		to := filepath.Join(root, "restored", filepath.Base(dir))
		if err := Restore(ctx, dir, to, Options{Games: builtin.Games()}); err != nil {
			t.Fatal(err)
		}
		restored := open(t, to, small())
		sound(t, restored)
		if err := Restore(ctx, dir, to, Options{Games: builtin.Games()}); err == nil {
			t.Error("a library was restored over another")
		}
	}
	sound(t, s)
}

// TestAtOnce adds, deletes, merges, repairs and reads at the same time.
//
//qipu:race
func TestAtOnce(t *testing.T) {
	ctx := t.Context()
	o := small()
	o.NoMerge = false
	s := open(t, t.TempDir(), o)
	var wg sync.WaitGroup
	rounds := testkit.Scale(12, 100)
	var mu sync.Mutex
	var ids []uint32
	var added int
	for w := range 2 {
		wg.Go(func() {
			maker := storetest.NewMaker(builtin.Games(), uint64(w))
			for r := range rounds {
				var b store.Batch
				for i := range 1 + 7*(r%3) {
					b.Records = append(b.Records, maker.Play(numbered(10000*w+20*r+i)))
				}
				list, err := s.Add(ctx, b)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, a := range list {
					ids = append(ids, a.ID)
					if a.Status == store.StatusNew {
						added++
					}
				}
				mu.Unlock()
			}
		})
	}
	deleted := map[uint32]bool{}
	wg.Go(func() {
		for range rounds {
			mu.Lock()
			var some []uint32
			if len(ids) > 4 {
				some = []uint32{ids[len(ids)/2]}
			}
			mu.Unlock()
			if err := s.Delete(ctx, some); err != nil {
				t.Error(err)
			}
			for _, id := range some {
				deleted[id] = true
			}
		}
	})
	wg.Go(func() {
		for r := range rounds {
			var err error
			if r%4 == 0 {
				_, err = s.Repair(ctx, nil)
			} else {
				_, err = s.Merge(ctx)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	for _, from := range []*Shard{s, s, open(t, s.Dir(), Options{ReadOnly: true, Games: builtin.Games()})} {
		wg.Go(func() {
			for range 3 * rounds {
				if err := readAll(ctx, from); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	sound(t, s)
	v, err := s.View(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	counts, err := s.cat.Counts(ctx)
	if err != nil {
		t.Fatal(err)
	}
	// A game that goes on where a deleted one ended is new: so that there may be
	// more games, but never fewer.
	if n := v.Tally()[0].Games; n != counts.Games["weiqi 9x9"] || n < added-len(deleted) {
		t.Errorf("%d games in the index, %v in the catalogue; %d were added and %d deleted", n, counts.Games, added, len(deleted))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestDeletedWhileRead deletes games that wait for a table while others make
// their views, which need the records of all that wait.
//
//qipu:race
func TestDeletedWhileRead(t *testing.T) {
	ctx := t.Context()
	s := open(t, t.TempDir(), Options{Create: true, Games: builtin.Games()})
	readers := []*Shard{s, open(t, s.Dir(), Options{ReadOnly: true, Games: builtin.Games()})}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for _, from := range readers {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				v, err := from.View(ctx)
				if err != nil {
					t.Error(err)
					return
				}
				v.Close()
				time.Sleep(100 * time.Microsecond)
			}
		})
	}
	maker := storetest.NewMaker(builtin.Games(), 0)
	for n := range testkit.Scale(30, 1000) {
		var b store.Batch
		for i := range 8 {
			b.Records = append(b.Records, maker.Play(numbered(10*n+i)))
		}
		added, err := s.Add(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		var ids []uint32
		for _, a := range added {
			ids = append(ids, a.ID)
		}
		if err := s.Delete(ctx, ids); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	wg.Wait()
}

// readAll reads everything that a view has.
func readAll(ctx context.Context, s *Shard) error {
	v, err := s.View(ctx)
	if err != nil {
		return err
	}
	defer v.Close()
	for _, tally := range v.Tally() {
		lines := 0
		for b, err := range v.Scan(ctx, &index.Plan{Kind: tally.Kind, Expr: index.All{}}) {
			if err != nil {
				return err
			}
			lines += b.Lanes.Count()
		}
		if lines != tally.Games {
			return &countError{lines, tally.Games}
		}
		k, key := lastKey(s.Kinds(), newRecord())
		if _, err := reachingGames(s, k, key); err != nil {
			return err
		}
	}
	return nil
}

type countError struct{ lines, games int }

func (e *countError) Error() string { return "a view whose lines are not its games" }

func newRecord() *record.Played {
	return storetest.NewMaker(builtin.Games(), 0).Play(numbered(0))
}

// TestUpdateBackup brings a backup up to date after games were added, deleted and
// tagged, restores it, and compares game by game and note by note. Tables that are
// the same are not written again.
func TestUpdateBackup(t *testing.T) {
	ctx := t.Context()
	v := newVault(t)
	backup := filepath.Join(t.TempDir(), "backup")
	s := open(t, v.dir, Options{Games: builtin.Games(), NoMerge: true})
	if err := s.Backup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	before := map[string]time.Time{}
	for _, file := range segments(t, backup) {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		before[file] = info.ModTime()
	}
	maker := storetest.NewMaker(builtin.Games(), 99)
	var b store.Batch
	for n := range 300 {
		b.Records = append(b.Records, maker.Play(numbered(100000+n)))
	}
	added, err := s.Add(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(ctx, []uint32{7, 8, 900}); err != nil {
		t.Fatal(err)
	}
	if err := s.Update(ctx, func(tx Tx) error { return tx.Tag("later", []uint32{added[0].ID, 12}) }); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(v.dir, store.KeptDir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(v.dir, store.KeptDir, "mine.shapes"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := s.UpdateBackup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	same := 0
	for _, file := range segments(t, backup) {
		if info, err := os.Stat(file); err == nil && before[file].Equal(info.ModTime()) {
			same++
		}
	}
	if same != len(before) {
		t.Errorf("%d of %d tables are as they were", same, len(before))
	}
	to := filepath.Join(t.TempDir(), "restored")
	if err := Restore(ctx, backup, to, Options{Games: builtin.Games()}); err != nil {
		t.Fatal(err)
	}
	want := &vault{games: map[uint32]store.Game{}, texts: map[uint32]store.Text{}}
	want.read(t, s)
	restored := open(t, to, Options{Games: builtin.Games(), NoMerge: true})
	if _, _, same := want.compare(t, "restored", restored, 0, 0, nil); !same {
		t.Error("what was restored is not what there was")
	}
	sound(t, restored)
	if err := restored.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(to, store.KeptDir, "mine.shapes")); err != nil {
		t.Error(err)
	}
	other := open(t, t.TempDir(), small())
	defer other.Close()
	b.Records = b.Records[:20]
	if _, err := other.Add(ctx, b); err != nil {
		t.Fatal(err)
	}
	if err := other.UpdateBackup(ctx, backup); err == nil {
		t.Error("the backup of another library was brought up to date")
	}
	if err := s.UpdateBackup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestBackupChecksums flips bytes of a backup: whatever they are, it is noticed, and
// not restored.
func TestBackupChecksums(t *testing.T) {
	ctx := t.Context()
	v := newVault(t)
	backup := filepath.Join(t.TempDir(), "backup")
	s := open(t, v.dir, Options{Games: builtin.Games(), NoMerge: true})
	defer s.Close()
	if err := s.Backup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(backup, catalog.FileName)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for at := 200; at < len(data); at += len(data) / testkit.Scale(5, 100) {
		data[at] ^= 4
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		data[at] ^= 4
		if !look(ctx, backup) {
			t.Errorf("byte %d: a check finds nothing", at)
		}
		if err := Restore(ctx, backup, filepath.Join(t.TempDir(), "restored"), Options{Games: builtin.Games()}); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("byte %d: it is restored: %v", at, err)
		}
		if err := s.UpdateBackup(ctx, backup); !errors.Is(err, store.ErrDamaged) {
			t.Errorf("byte %d: it is brought up to date: %v", at, err)
		}
	}
}
