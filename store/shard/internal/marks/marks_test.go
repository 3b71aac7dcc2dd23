package marks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"qipu/game"
	"qipu/interval"
)

// lengths is a marker: column i is true of one side in the last slots of lines
// whose length it divides.
type lengths struct {
	divide []uint16
	walked *atomic.Int64 // lines
}

func (m *lengths) Keys() (keys []uint64) {
	for _, n := range m.divide {
		keys = append(keys, uint64(n)*0x9E3779B97F4A7C15)
	}
	return keys
}

func (m *lengths) AppendMarks(dst []interval.Mark, l *interval.Line, want func(int) bool) []interval.Mark {
	if m.walked != nil {
		m.walked.Add(1)
	}
	for i, n := range m.divide {
		if want(i) && l.End%n == 0 {
			dst = append(dst, interval.Mark{Column: uint16(i), Side: game.Side(n & 1), From: l.End - 1, To: l.End})
		}
	}
	return dst
}

// source returns a table of so many lines, two blocks or more.
func source(t testing.TB, lines int) *Source {
	t.Helper()
	var blocks []*interval.Block
	var firsts []int
	b := interval.NewBuilder(9, []uint8{0, 1}, false)
	for line := range lines {
		l := &interval.Line{Changes: []interval.Change{{Slot: 1, Point: uint16(line % 9), Piece: 1}}, End: endOf(line)}
		if _, ok := b.Add(l); !ok {
			t.Fatal("a line that does not fit")
		}
		if b.Full() || line == lines-1 || line == 3 {
			block, err := interval.Open(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			firsts = append(firsts, line+1-b.Len())
			blocks = append(blocks, block)
			b.Reset()
		}
	}
	return &Source{Table: Table{File: "some.seg", Sum: 0x1234, Lines: lines}, Blocks: len(blocks), Block: func(i int) (*interval.Block, int, error) {
		return blocks[i], firsts[i], nil
	}}
}

func endOf(line int) uint16 { return uint16(2 + line*7%31) }

func build(t testing.TB, dir string, src *Source, divide ...uint16) *Built {
	t.Helper()
	b, err := Read(dir).Build(t.Context(), src, []interval.Marker{&lengths{divide: divide}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Remove()
	return b
}

// same checks columns against the lines. Those that are not kept are counted.
func same(t testing.TB, dir string, src *Source, divide ...uint16) (missing int) {
	t.Helper()
	set := Read(dir).Open(src.Table, nil)
	defer set.Release()
	for i, key := range (&lengths{divide: divide}).Keys() {
		c, ok := set.Column(key)
		if !ok {
			missing++
			continue
		}
		var want []uint32
		for line := range src.Lines {
			if endOf(line)%divide[i] == 0 {
				want = append(want, uint32(line))
			}
		}
		if got := c.AppendLines(nil, interval.FirstSide+interval.Owner(divide[i]&1)); !slices.Equal(got, want) {
			t.Fatalf("%d: %d lines, want %d", divide[i], len(got), len(want))
		}
	}
	return missing
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBuild makes columns that are missing, and none else.
func TestBuild(t *testing.T) {
	dir, src := t.TempDir(), source(t, 1300)
	for _, step := range []struct {
		divide []uint16
		built  int
		files  int
	}{
		{[]uint16{2, 3}, 2, 1},
		{[]uint16{2, 3}, 0, 1},
		{[]uint16{2, 5}, 1, 2},                // of 3 columns, one is not asked for
		{[]uint16{2, 5, 7}, 1, 3},             //
		{[]uint16{7, 1000}, 1, 2},             // two files have nothing that is asked for; one column is empty
		{[]uint16{7, 1000, 11, 13, 17}, 3, 3}, //
		{[]uint16{11, 19}, 1, 1},              // one column in three is asked for: it is copied
		{nil, 0, 0},
		{[]uint16{4}, 1, 1},
	} {
		if b := build(t, dir, src, step.divide...); b.Columns != step.built || (b.Bytes > 0) != (step.built > 0) {
			t.Errorf("%v: %+v, want %d columns", step.divide, b, step.built)
		}
		if n := len(files(t, dir)); n != step.files {
			t.Errorf("%v: %d files, want %d", step.divide, n, step.files)
		}
		if n := same(t, dir, src, step.divide...); n != 0 {
			t.Errorf("%v: %d columns are missing", step.divide, n)
		}
	}
}

// TestOneWalk checks that all missing columns of all markers take one walk, and
// that columns which are there take none.
func TestOneWalk(t *testing.T) {
	dir, src := t.TempDir(), source(t, 600)
	var walked atomic.Int64
	one, two := &lengths{divide: []uint16{2, 3}, walked: &walked}, &lengths{divide: []uint16{3, 5}, walked: &walked}
	lines := 0
	for _, want := range []int64{1200, 0} {
		walked.Store(0)
		if _, err := Read(dir).Build(t.Context(), src, []interval.Marker{one, two}, nil, func(n int) { lines += n }); err != nil {
			t.Fatal(err)
		}
		if walked.Load() != want {
			t.Errorf("%d lines were walked along, want %d", walked.Load(), want)
		}
	}
	if lines != 600 {
		t.Errorf("%d lines were told of, want 600", lines)
	}
}

// TestManyFiles: a marker that grows column by column has no more files than it
// should.
func TestManyFiles(t *testing.T) {
	dir, src := t.TempDir(), source(t, 700)
	var divide []uint16
	most := 0
	for n := range uint16(20) {
		divide = append(divide, n+2)
		build(t, dir, src, divide...)
		most = max(most, len(files(t, dir)))
		if missing := same(t, dir, src, divide...); missing > 0 {
			t.Fatalf("%d columns are missing", missing)
		}
	}
	if most != maxFiles {
		t.Errorf("there were %d files, want %d at most and once", most, maxFiles)
	}
}

// TestDamage flips bytes: a column is right or not there, and the next build
// makes what is not.
func TestDamage(t *testing.T) {
	src := source(t, 900)
	divide := []uint16{2, 3, 5}
	dir := t.TempDir()
	build(t, dir, src, divide...)
	path := files(t, dir)[0]
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for at := 0; at < len(good); at += 97 {
		bad := slices.Clone(good)
		bad[at] ^= 0x41
		if at%2 == 0 {
			bad = bad[:at]
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		lost += same(t, dir, src, divide...)
		build(t, dir, src, divide...)
		if n := same(t, dir, src, divide...); n != 0 {
			t.Fatalf("byte %d: %d columns are missing after they were made anew", at, n)
		}
		if n := len(files(t, dir)); n != 1 {
			t.Fatalf("byte %d: %d files", at, n)
		}
	}
	if lost == 0 {
		t.Error("no damage was ever noticed: the test tests nothing")
	}
}

// TestOtherTable: columns are of one table, not of one with the same name.
func TestOtherTable(t *testing.T) {
	dir, src := t.TempDir(), source(t, 40)
	build(t, dir, src, 2)
	other := source(t, 41)
	other.Sum++
	if n := same(t, dir, other, 2); n != 1 {
		t.Error("the columns of another table are taken")
	}
	lying := source(t, 41) // the same name and sum, but another number of lines
	if n := same(t, dir, lying, 2); n != 1 {
		t.Error("the columns of a table of other lines are taken")
	}
	build(t, dir, other, 2)
	Clean(dir, func(table string) bool { return table == "some.seg" })
	if n := len(files(t, dir)); n != 2 {
		t.Errorf("%d files, want 2", n)
	}
	Clean(dir, func(string) bool { return false })
	if n := len(files(t, dir)); n != 0 {
		t.Errorf("%d files are left of tables that are gone", n)
	}
}

// TestCancelled: what is cancelled, or fails, leaves no file.
func TestCancelled(t *testing.T) {
	src := source(t, 2000)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	lines := 0
	_, err := Read(dir).Build(ctx, src, []interval.Marker{&lengths{divide: []uint16{2}}}, nil, func(n int) {
		lines += n
		cancel()
	})
	if !errors.Is(err, context.Canceled) || lines == 0 || lines == 2000 {
		t.Errorf("%v after %d lines", err, lines)
	}
	broken := *src
	fault := errors.New("no such block")
	broken.Block = func(i int) (*interval.Block, int, error) {
		if i == 2 {
			return nil, 0, fault
		}
		return src.Block(i)
	}
	if _, err := Read(dir).Build(t.Context(), &broken, []interval.Marker{&lengths{divide: []uint16{2}}}, nil, nil); !errors.Is(err, fault) {
		t.Errorf("%v, want %v", err, fault)
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("%v is left", list)
	}
}

// TestRefresh: a folder notices files that come and go, also right behind each
// other, and sets stay open as long as somebody has them.
func TestRefresh(t *testing.T) {
	dir, src := filepath.Join(t.TempDir(), "marks"), source(t, 50)
	f, same := Read(dir).Refresh()
	if !same {
		t.Error("a folder that is not there has changed")
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		build(t, dir, src, uint16(2+i))
		if f, same = f.Refresh(); same {
			t.Fatalf("file %d was not noticed", i)
		}
		if f, same = f.Refresh(); !same {
			t.Fatalf("nothing has changed after file %d", i)
		}
	}
	set := f.Open(src.Table, nil)
	if again := f.Open(src.Table, set); again != set {
		t.Error("the same files were opened again")
	}
	set.Release()
	for _, path := range files(t, dir) {
		os.Remove(path)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(dir, old, old); err != nil {
		t.Fatal(err)
	}
	if f, same = f.Refresh(); same || f.Open(src.Table, nil) != nil {
		t.Error("a file that is gone was not noticed")
	}
	if _, same = f.Refresh(); !same {
		t.Error("a folder that nobody touches has changed")
	}
	if c, ok := set.Column((&lengths{divide: []uint16{6}}).Keys()[0]); !ok || c.Lines() == 0 {
		t.Error("a set that is open has lost its columns")
	}
	set.Release()
	if _, ok := (*Set)(nil).Column(1); ok {
		t.Error("no set has a column")
	}
}

func TestTableOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.seg")
	sums := map[uint64]bool{}
	for i := range 3 {
		if err := os.WriteFile(path, fmt.Appendf(make([]byte, 100), "%064d", i), 0o666); err != nil {
			t.Fatal(err)
		}
		table, err := TableOf(path, 7)
		if err != nil || table.File != "x.seg" || table.Lines != 7 {
			t.Fatal(table, err)
		}
		sums[table.Sum] = true
	}
	if len(sums) != 3 {
		t.Errorf("three files have %d sums", len(sums))
	}
	if _, err := TableOf(path+"x", 7); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
