package shard

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/storetest"
)

// slow is a marker that takes its time, and calls somebody at every line.
type slow struct {
	*storetest.Points
	line func()
}

func (m slow) AppendMarks(dst []interval.Mark, l *interval.Line, want func(int) bool) []interval.Mark {
	m.line()
	return m.Points.AppendMarks(dst, l, want)
}

// small9x9 fills a store with small games of Go, and returns their kind.
func small9x9(t testing.TB, h *storetest.History, games int) *index.Kind {
	t.Helper()
	var list []*record.Game
	for range games {
		g := h.Game("weiqi", "9x9", 4+h.Rng.IntN(20))
		if h.Rng.IntN(4) == 0 {
			h.Branch(g, 2)
		}
		list = append(list, g)
	}
	if err := h.Put(list...); err != nil {
		t.Fatal(err)
	}
	k, err := h.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func pointsOf(k *index.Kind, edition int) map[*index.Kind][]interval.Marker {
	return map[*index.Kind][]interval.Marker{k: {storetest.NewPoints(k, edition)}}
}

// markFiles returns what is in the folder of columns.
func markFiles(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(dir, marksFolder))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// hasColumns reports whether a store has the columns of an edition for all tables
// of a kind.
func hasColumns(t testing.TB, s *Shard, k *index.Kind, edition int) bool {
	t.Helper()
	v, err := s.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	n := 0
	for b, err := range v.Scan(t.Context(), &index.Plan{Kind: k, Variations: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range storetest.NewPoints(k, edition).Keys() {
			if !b.Fresh && (b.Marks == nil || !b.Marks.Has(key)) {
				return false
			}
		}
		n += b.N()
	}
	return n > 0
}

// TestMarksRemoved: columns may be removed or damaged at any time. Others read on
// without them, nobody calls the store unsound, and they are made anew.
func TestMarksRemoved(t *testing.T) {
	l := newLibrary(t, small())
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 4)
	defer h.Close()
	k := small9x9(t, h, 60)
	reading := open(t, l.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	other, err := reading.Kinds().Find(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	if hasColumns(t, reading, other, 0) {
		t.Fatal("columns that nobody made")
	}
	build := func() store.Marked {
		t.Helper()
		done, err := l.Shard.BuildMarks(t.Context(), pointsOf(k, 0), nil)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	check := func(step string, want bool) {
		t.Helper()
		if got := hasColumns(t, l.Shard, k, 0); got != want {
			t.Errorf("%s: columns %t, want %t", step, got, want)
		}
		if got := hasColumns(t, reading, other, 0); got != want {
			t.Errorf("%s: who reads has columns %t, want %t", step, got, want)
		}
		if err := h.Check(storetest.Effort{Exprs: 10}); err != nil {
			t.Errorf("%s: %v", step, err)
		}
		sound(t, l.Shard)
	}
	for round := range 4 {
		if done := build(); done.Tables == 0 || done.Columns < 4*done.Tables || done.Lines == 0 || done.Bytes == 0 {
			t.Errorf("round %d: %+v", round, done)
		}
		check("made", true)
		if done := build(); done != (store.Marked{}) {
			t.Errorf("round %d: made again: %+v", round, done)
		}
		folder := filepath.Join(l.Dir(), marksFolder)
		for i, name := range markFiles(t, l.Dir()) {
			switch path := filepath.Join(folder, name); {
			case round == 0:
				os.RemoveAll(folder)
			case round == 1:
				os.Remove(path)
			case i == 0:
				// Mapped files are not written to: a new one takes its place.
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				data[len(data)/(round+1)] ^= 4
				os.Remove(path)
				if err := os.WriteFile(path, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		if round >= 2 {
			if err := l.Reopen(t.Context()); err != nil {
				t.Fatal(err)
			}
			reading = open(t, l.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
			k, _ = l.Kinds().Find(k.Name)
			other, _ = reading.Kinds().Find(k.Name)
		}
		check("removed", false)
	}
	if _, err := reading.BuildMarks(t.Context(), pointsOf(other, 0), nil); err == nil {
		t.Error("who reads alone makes columns")
	}
}

// TestMarksVersion: the version of columns changes when some come or go, also for a
// process that only reads, and views see then what it tells of.
func TestMarksVersion(t *testing.T) {
	writer := newLibrary(t, small())
	h := storetest.NewHistory(t.Context(), builtin.Games(), writer, 31)
	defer h.Close()
	k := small9x9(t, h, 60)
	reader := open(t, writer.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	other, err := reader.Kinds().Find(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	empty := reader.MarksVersion() // before there is a view
	seen := map[store.Version]bool{empty: true}
	for edition := range 3 {
		if _, err := writer.Shard.BuildMarks(t.Context(), pointsOf(k, edition), nil); err != nil {
			t.Fatal(err)
		}
		now := writer.MarksVersion()
		if seen[now] || reader.MarksVersion() != now || writer.MarksVersion() != now {
			t.Errorf("edition %d: version %d, %d for a reader", edition, now, reader.MarksVersion())
		}
		seen[now] = true
		if !hasColumns(t, reader, other, edition) || !hasColumns(t, writer.Shard, k, edition) {
			t.Errorf("edition %d: the columns are not seen", edition)
		}
	}
	for _, name := range markFiles(t, writer.Dir()) {
		if err := os.Remove(filepath.Join(writer.Dir(), marksFolder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if writer.MarksVersion() != empty || hasColumns(t, writer.Shard, k, 2) {
		t.Error("columns are seen that are gone")
	}
}

// TestMarksOfGoneTables: columns go with their tables, and backups have none.
func TestMarksOfGoneTables(t *testing.T) {
	l := newLibrary(t, small())
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 6)
	defer h.Close()
	var k *index.Kind
	for range 3 {
		k = small9x9(t, h, 30)
	}
	if err := l.BuildMarks(t.Context(), pointsOf(k, 0)); err != nil {
		t.Fatal(err)
	}
	before := markFiles(t, l.Dir())
	if err := l.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := markFiles(t, l.Dir()); len(after) >= len(before) {
		t.Errorf("%d files of columns, of %d before a merge", len(after), len(before))
	}
	copied := filepath.Join(t.TempDir(), "copy")
	if err := l.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	if list := markFiles(t, copied); len(list) > 0 {
		t.Errorf("a backup has %v", list)
	}
	if err := l.Reindex(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if list := markFiles(t, l.Dir()); len(list) > 0 {
		t.Errorf("no table is as it was, but there is %v", list)
	}
	total := 0
	if _, err := l.Shard.BuildMarks(t.Context(), pointsOf(k, 0), func(done, of int) {
		if done > of {
			t.Errorf("%d lines of %d", done, of)
		}
		total = of
	}); err != nil {
		t.Fatal(err)
	}
	if !hasColumns(t, l.Shard, k, 0) || total == 0 {
		t.Error("no columns of the new tables")
	}
}

// TestMarksGivenUp: making columns ends when it is cancelled, or the store is
// closed, and leaves no half of a file.
func TestMarksGivenUp(t *testing.T) {
	for _, how := range []string{"cancel", "close"} {
		t.Run(how, func(t *testing.T) {
			l := newLibrary(t, small())
			h := storetest.NewHistory(t.Context(), builtin.Games(), l, 8)
			defer h.Close()
			k := small9x9(t, h, 60)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			closed := make(chan error, 1)
			begun := false
			_, err := l.Shard.BuildMarks(ctx, map[*index.Kind][]interval.Marker{k: {slow{storetest.NewPoints(k, 0), func() {
				if begun {
					time.Sleep(time.Millisecond)
				}
			}}}}, func(int, int) {
				switch {
				case begun:
				case how == "cancel":
					cancel()
				default:
					go func() { closed <- l.Close() }()
					<-l.stopped.Done()
				}
				begun = true
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want it to be cancelled", err)
			}
			if how == "close" {
				if err := <-closed; err != nil {
					t.Error(err)
				}
			}
			for _, name := range markFiles(t, l.Dir()) {
				if !strings.HasSuffix(name, ".marks") {
					t.Errorf("%s is left", name)
				}
			}
		})
	}
}

// TestMarksAtOnce makes columns and merges tables while others read.
//
//qipu:race
func TestMarksAtOnce(t *testing.T) {
	o := small()
	l := newLibrary(t, o)
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 12)
	defer h.Close()
	var k *index.Kind
	for range 4 {
		k = small9x9(t, h, 15)
	}
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 12 && err == nil; i++ {
			if err = l.BuildMarks(t.Context(), pointsOf(k, i%3)); err == nil && i == 5 {
				err = l.Merge(t.Context())
			}
		}
		done <- err
	}()
	for busy, rounds := true, 0; busy || rounds == 0; rounds++ {
		select {
		case err := <-done:
			if busy = false; err != nil {
				t.Fatal(err)
			}
		default:
		}
		if err := h.Check(storetest.Effort{Exprs: 10}); err != nil {
			t.Fatal(err)
		}
	}
	if !hasColumns(t, l.Shard, k, 2) {
		t.Error("the last columns are not there")
	}
}

// marker makes columns, one edition after the other, for ever.
func marker(dir string) error {
	s, err := Open(context.Background(), dir, small())
	if err != nil {
		return err
	}
	k, err := s.Kinds().Find("weiqi 9x9")
	if err != nil {
		return err
	}
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); {
		for edition := range 3 {
			if _, err := s.BuildMarks(context.Background(), pointsOf(k, edition), nil); err != nil {
				return err
			}
			fmt.Println("made", edition)
		}
	}
	return s.Close()
}

// TestMarksKilled kills a process that makes columns at random moments: what is
// there is right, and nothing is left of what is not.
func TestMarksKilled(t *testing.T) {
	l := newLibrary(t, small())
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 9)
	defer h.Close()
	small9x9(t, h, 40)
	small9x9(t, h, 40)
	rng := rand.New(rand.NewPCG(4, 4))
	made := 0
	for round := range testkit.Scale(4, 60) {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		c := start(t, "mark", l.Dir())
		delay := time.Duration(rng.IntN(60)) * time.Millisecond
		for first := true; c.out.Scan(); first = false {
			if text := c.out.Text(); strings.HasPrefix(text, "failed") {
				t.Fatal(text)
			}
			if first {
				time.AfterFunc(delay, func() { c.Process.Kill() })
			}
			made++
		}
		c.Wait()
		if err := l.Reopen(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, name := range markFiles(t, l.Dir()) {
			if !strings.HasSuffix(name, ".marks") {
				t.Errorf("round %d: %s is left", round, name)
			}
		}
		if err := h.Check(storetest.Effort{Exprs: 40}); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		sound(t, l.Shard)
	}
	if made == 0 {
		t.Error("nothing was ever made: the test tests nothing")
	}
}
