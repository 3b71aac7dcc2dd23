package backups

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/store"
	"qipu/store/shard"
)

// fake is a library whose backups are empty folders; it counts those that were brought up to
// date.
type fake struct {
	store.Keeper
	made, updated int
	fail          error
	stale         bool // none can be brought up to date
}

func (f *fake) Backup(_ context.Context, dir string) error {
	f.made++
	if f.fail != nil {
		return f.fail
	}
	return os.Mkdir(dir, 0o777)
}

func (f *fake) UpdateBackup(context.Context, string) error {
	if f.stale {
		return errors.New("it is of another library")
	}
	f.updated++
	return nil
}

// TestYears makes a backup every six hours for two years: what is kept is seven days, four
// weeks and twelve months, and most were brought up to date and not made anew.
func TestYears(t *testing.T) {
	s, lib := &Shelf{t.TempDir(), Usual}, &fake{}
	other := filepath.Join(s.Dir, "mine")
	if err := os.Mkdir(other, 0o777); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	for end := now.AddDate(2, 0, 0); now.Before(end); now = now.Add(6 * time.Hour) {
		if _, err := s.Make(t.Context(), lib, now); err != nil {
			t.Fatal(err)
		}
		n++
	}
	list, err := s.List()
	if err != nil || len(list) < 17 || len(list) > 23 || list[len(list)-1].At.After(now.AddDate(0, -11, 0)) {
		t.Errorf("%d backups (%v): %v", len(list), err, list)
	}
	if lib.updated < n*7/10 {
		t.Errorf("of %d backups %d were made anew", n, lib.made)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// TestSameSecond: two backups of one second are two.
func TestSameSecond(t *testing.T) {
	s, lib := &Shelf{t.TempDir(), Usual}, &fake{}
	for range 2 {
		if _, err := s.Make(t.Context(), lib, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.List(); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

// TestClock: a clock that was set back has no backup be removed that is the newest, and
// the next one is not a year away.
func TestClock(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	list := []Backup{{At: now.AddDate(1, 0, 0)}}
	if w := Wait(list, 24*time.Hour, now); w != 24*time.Hour {
		t.Error(w)
	}
	if w := Wait([]Backup{{At: now.Add(-25 * time.Hour)}}, 24*time.Hour, now); w != 0 {
		t.Error(w)
	}
	if !Usual.Keep([]time.Time{now})[0] || !(Rule{}).Keep([]time.Time{now})[0] {
		t.Error("the only one goes")
	}
}

// TestFails: a backup that fails leaves those that there are.
func TestFails(t *testing.T) {
	s, lib := &Shelf{t.TempDir(), Usual}, &fake{}
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	if _, err := s.Make(t.Context(), lib, now); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Make(t.Context(), lib, now.Add(time.Minute)); err != nil || lib.updated > 0 {
		t.Fatal(err, lib.updated)
	}
	if err := os.Mkdir(filepath.Join(s.Dir, working+"qipu-20260501-000001"), 0o777); err != nil {
		t.Fatal(err)
	}
	lib.fail = errors.New("the disk is full")
	lib.stale = true
	if _, err := s.Make(t.Context(), lib, now.Add(time.Hour)); !errors.Is(err, lib.fail) {
		t.Error(err)
	}
	if list, err := s.List(); err != nil || len(list) != 1 || !list[0].At.Equal(now.Add(time.Minute)) {
		t.Error(list, err)
	}
	if _, err := s.Restore(t.Context(), "../elsewhere", builtin.Games()); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// TestRestore makes a real backup and a library of it, twice.
func TestRestore(t *testing.T) {
	lib, err := shard.Open(t.Context(), t.TempDir(), shard.Options{Create: true, Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	s := &Shelf{t.TempDir(), Rule{}}
	now := time.Now()
	for i := range 3 {
		if _, err := s.Make(t.Context(), lib, now.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List()
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for range 2 {
		dir, err := s.Restore(t.Context(), list[0].Name, builtin.Games())
		if err != nil || !shard.Exists(dir) {
			t.Error(dir, err)
		}
	}
}
