// Package backups keeps backups of a library in a folder, made again and again: the
// newest of each of the last days, weeks and months.
package backups

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"qipu/game"
	"qipu/library"
	"qipu/store"
)

// Rule says how many backups are kept: the newest of so many days, weeks and months that
// have one.
type Rule struct{ Days, Weeks, Months int }

// Usual is the rule that nobody has to think about.
var Usual = Rule{Days: 7, Weeks: 4, Months: 12}

// Keep reports for each of some moments, the newest first, whether a backup of it is kept.
// The newest two always are: while one is being brought up to date, there is another.
func (r Rule) Keep(times []time.Time) []bool {
	keep := make([]bool, len(times))
	for _, every := range []struct {
		most int
		of   func(time.Time) string
	}{
		{r.Days, func(t time.Time) string { return t.Format(time.DateOnly) }},
		{r.Weeks, func(t time.Time) string { y, w := t.ISOWeek(); return fmt.Sprint(y, w) }},
		{r.Months, func(t time.Time) string { return t.Format("2006-01") }},
	} {
		seen := map[string]bool{}
		for i, t := range times {
			if name := every.of(t); !seen[name] && len(seen) < every.most {
				seen[name], keep[i] = true, true
			}
		}
	}
	for i := range min(len(keep), 2) {
		keep[i] = true
	}
	return keep
}

const (
	form     = "20060102-150405"
	prefix   = "qipu-"
	working  = "unfinished-" // of what is being made
	restored = "restored-"
)

// Backup is one that is kept.
type Backup struct {
	Name string // of its folder
	At   time.Time
}

// at returns the backup that is made at a moment.
func at(t time.Time) Backup {
	t = t.UTC().Truncate(time.Second)
	return Backup{prefix + t.Format(form), t}
}

// Shelf is a folder of backups of one library.
type Shelf struct {
	Dir  string
	Rule Rule
}

// List returns the backups of the folder, the newest first. Other folders in it are left
// alone.
func (s *Shelf) List() ([]Backup, error) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("backups: %w", err)
	}
	var list []Backup
	for _, e := range entries {
		if at, err := time.Parse(form, strings.TrimPrefix(e.Name(), prefix)); err == nil && e.IsDir() && strings.HasPrefix(e.Name(), prefix) {
			list = append(list, Backup{e.Name(), at})
		}
	}
	slices.SortFunc(list, func(a, b Backup) int { return b.At.Compare(a.At) })
	return list, nil
}

// Make makes a backup and removes those that the rule does not keep. One of these is
// brought up to date instead of a new one where there is one: then no more is written
// than what has changed.
func (s *Shelf) Make(ctx context.Context, lib store.Keeper, now time.Time) (Backup, error) {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return Backup{}, fmt.Errorf("backups: %w", err)
	}
	list, err := s.List()
	if err != nil {
		return Backup{}, err
	}
	made := at(now)
	for slices.ContainsFunc(list, func(b Backup) bool { return b.Name == made.Name }) {
		made = at(made.At.Add(time.Second)) // the second one of a second
	}
	work := filepath.Join(s.Dir, working+made.Name)
	if err := s.sweep(); err != nil {
		return Backup{}, err
	}
	done := false
	if old, ok := s.spare(append([]Backup{made}, list...)); ok && os.Rename(filepath.Join(s.Dir, old.Name), work) == nil {
		if done = lib.UpdateBackup(ctx, work) == nil; !done {
			os.RemoveAll(work) // a new one is made
		}
	}
	if !done {
		if err := lib.Backup(ctx, work); err != nil {
			return Backup{}, err
		}
	}
	if err := os.Rename(work, filepath.Join(s.Dir, made.Name)); err != nil {
		return Backup{}, fmt.Errorf("backups: %w", err)
	}
	for {
		list, err := s.List()
		if err != nil {
			return made, err
		}
		old, ok := s.spare(list)
		if !ok {
			return made, nil
		}
		if err := os.RemoveAll(filepath.Join(s.Dir, old.Name)); err != nil {
			return made, fmt.Errorf("backups: %w", err)
		}
	}
}

// spare returns the oldest backup that the rule does not keep.
func (s *Shelf) spare(list []Backup) (Backup, bool) {
	times := make([]time.Time, len(list))
	slices.SortFunc(list, func(a, b Backup) int { return b.At.Compare(a.At) })
	for i := range list {
		times[i] = list[i].At
	}
	keep := s.Rule.Keep(times)
	for i := len(list) - 1; i >= 0; i-- {
		if !keep[i] {
			return list[i], true
		}
	}
	return Backup{}, false
}

// sweep removes what a process that was killed has left unfinished.
func (s *Shelf) sweep() error {
	left, err := filepath.Glob(filepath.Join(s.Dir, working+prefix+"*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		return fmt.Errorf("backups: %w", err)
	}
	return nil
}

// Restore makes a library of a backup, in a new folder beside it, and returns which.
// Nothing that is there is touched.
func (s *Shelf) Restore(ctx context.Context, name string, games game.Catalog) (string, error) {
	list, err := s.List()
	if err != nil {
		return "", err
	}
	if !slices.ContainsFunc(list, func(b Backup) bool { return b.Name == name }) {
		return "", fmt.Errorf("%w: %q", ErrNone, name)
	}
	for n := 1; ; n++ {
		to := filepath.Join(s.Dir, restored+name)
		if n > 1 {
			to += fmt.Sprint("-", n)
		}
		if _, err := os.Lstat(to); errors.Is(err, os.ErrNotExist) {
			return to, library.Restore(ctx, filepath.Join(s.Dir, name), to, games)
		}
	}
}

// ErrNone tells that there is no backup of a name.
var ErrNone = errors.New("there is no such backup")

// Wait returns how long it is until the next backup is due, for a process that runs since
// a moment: from the last one on, but never for longer than usual, however the clock was
// set.
func Wait(list []Backup, every time.Duration, now time.Time) time.Duration {
	if len(list) == 0 {
		return 0
	}
	return min(max(every-now.Sub(list[0].At), 0), every)
}
