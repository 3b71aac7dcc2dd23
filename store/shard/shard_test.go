package shard

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/storetest"
)

// small are options that make tables and merges come often.
func small() Options {
	return Options{Create: true, Games: builtin.Games(), NoMerge: true, tableLines: 12, mergeWidth: 3}
}

// library is a store as the kit wants it.
type library struct {
	*Shard
	options Options
}

var (
	_ storetest.Library  = (*library)(nil)
	_ storetest.Merger   = (*library)(nil)
	_ storetest.Reopener = (*library)(nil)
	_ storetest.Keeper   = (*library)(nil)
	_ storetest.Undoer   = (*library)(nil)
)

func open(t testing.TB, dir string, o Options) *Shard {
	t.Helper()
	s, err := Open(context.Background(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newLibrary(t testing.TB, o Options) *library {
	t.Helper()
	l := &library{open(t, t.TempDir(), o), o}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return l
}

func (l *library) Add(ctx context.Context, records []*record.Played) ([]store.Added, error) {
	return l.Shard.Add(ctx, store.Batch{Records: records})
}

func (l *library) Merge(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = l.Shard.Merge(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (l *library) Reopen(ctx context.Context) error {
	if err := l.Close(); err != nil {
		return err
	}
	s, err := Open(ctx, l.Dir(), l.options)
	if err == nil {
		l.Shard = s
	}
	return err
}

func (l *library) Last(ctx context.Context) (int64, error) {
	list, err := l.Journal().Changes(ctx, store.Page{Limit: 1})
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0].ID, nil
}

func (l *library) Undo(ctx context.Context, id int64) (int64, error) {
	undone, err := l.Shard.Undo(ctx, id)
	if err == nil && len(undone.Left) > 0 {
		err = errors.New(strings.Join(undone.Left, "; "))
	}
	return undone.ID, err
}

func (l *library) Correct(ctx context.Context, event string, ids []uint32) error {
	var list []store.Correction
	for _, id := range ids {
		list = append(list, store.Correction{Game: id, Field: "event", Value: &event})
	}
	_, err := l.Shard.Correct(ctx, list)
	return err
}

func (l *library) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker) error {
	_, err := l.Shard.BuildMarks(ctx, markers, nil)
	return err
}

// sound fails where anything is wrong with a store.
func sound(t testing.TB, s *Shard) {
	t.Helper()
	if err := problems(s); err != nil {
		t.Error(err)
	}
}

func problems(s *Shard) (found error) {
	err := s.Check(context.Background(), true, nil, func(p store.Problem) {
		found = errors.Join(found, errors.New(p.What+" "+p.Name+": "+p.Reason))
	})
	return errors.Join(err, found)
}

// samples returns the records of the demo set.
func samples(t testing.TB) []*record.Played {
	return storetest.Samples(t, builtin.Games(), builtin.Formats())
}

// TestConformance runs the kit: with tables that are written and merged all the
// time, with the usual sizes, and with merges in the background.
func TestConformance(t *testing.T) {
	list := samples(t)
	for name, o := range map[string]Options{
		"small":      small(),
		"usual":      {Create: true, Games: builtin.Games(), NoMerge: true},
		"background": {Create: true, Games: builtin.Games(), tableLines: 12, mergeWidth: 3},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, storetest.Config{Games: builtin.Games(), Samples: list, Seed: 21, Restless: !o.NoMerge, Open: func(t *testing.T) storetest.Library {
				l := newLibrary(t, o)
				t.Cleanup(func() { sound(t, l.Shard) })
				return l
			}})
		})
	}
}

// FuzzHistory: whatever is added, deleted, merged and reopened in whatever
// order, the store says what the records say, and is sound.
func FuzzHistory(f *testing.F) {
	for seed := range uint64(3) {
		f.Add(seed, uint8(12), uint8(3))
	}
	f.Fuzz(func(t *testing.T, seed uint64, lines, width uint8) {
		o := small()
		o.tableLines, o.mergeWidth = 2+int(lines)%60, 2+int(width)%6
		l := newLibrary(t, o)
		h := storetest.NewHistory(t.Context(), builtin.Games(), l, seed)
		defer h.Close()
		for range 12 {
			if err := h.Step(); err != nil {
				t.Fatal(err)
			}
		}
		sound(t, l.Shard)
	})
}

// segments returns the paths of the tables of a store.
func segments(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, segmentDir, "*.seg"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// gamesOf returns games of a store as lists show them.
func gamesOf(t testing.TB, s *Shard, ids ...uint32) []store.Game {
	t.Helper()
	list, err := s.cat.Games(context.Background(), ids)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
