//qipu:race

package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestPublish(t *testing.T) {
	dir := t.TempDir()
	begin := func(text string) *Writer {
		w, err := Create(dir, "x.seg", "test", 7)
		if err != nil {
			t.Fatal(err)
		}
		w.Section("s")
		w.Write([]byte(text))
		return w
	}
	first, second, third := begin("first"), begin("second"), begin("third")
	for _, name := range names(t, dir) {
		if !isTemp(name) {
			t.Errorf("%s is there before Commit", name)
		}
	}
	if _, err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	first.Abort() // does nothing
	if _, err := first.Commit(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a second Commit: %v", err)
	}
	if _, err := second.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a segment was replaced: %v", err)
	}
	second.Abort()
	third.Abort()
	third.Abort()
	if err := third.Section("s"); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a section after Abort: %v", err)
	}
	if _, err := Create(dir, "x.seg", "test", 7); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create under a name in use: %v", err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"x.seg"}) {
		t.Errorf("left behind: %q", got)
	}
	f, err := Open(filepath.Join(dir, "x.seg"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, _ := f.Section("s")
	if b, err := s.Bytes(); string(b) != "first" {
		t.Errorf("%q, %v", b, err)
	}
}

func TestMisuse(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", ".hidden", "a/b", `a\b`, "c:d"} {
		if _, err := Create(dir, name, "test", 1); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
	for _, kind := range []string{"", "seventeen-bytes-x", "with space", "棋譜"} {
		if _, err := Create(dir, "x", kind, 1); err == nil {
			t.Errorf("the kind %q was taken", kind)
		}
		if _, err := Memory(kind, 1, func(*Writer) error { return nil }); err == nil {
			t.Errorf("the kind %q was taken", kind)
		}
	}
	if _, err := Create(filepath.Join(dir, "none"), "x", "test", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("left behind: %q", got)
	}
	own := errors.New("own")
	tests := []struct {
		name  string
		build func(*Writer) error
		want  string
	}{
		{"write first", func(w *Writer) error { w.Write([]byte("x")); return nil }, "before the first section"},
		{"page first", func(w *Writer) error { w.Page(); return nil }, "before the first section"},
		{"twice", func(w *Writer) error { w.Section("a"); w.Section("b"); w.Section("a"); return nil }, `"a" was written already`},
		{"no name", func(w *Writer) error { w.Section(""); w.Write([]byte("x")); return nil }, "has not 1 to 16 bytes"},
		{"long name", func(w *Writer) error { return w.Section("seventeen-bytes-x") }, "has not 1 to 16 bytes"},
		{"odd name", func(w *Writer) error { return w.Section("a\x00") }, "printable"},
		{"own commit", func(w *Writer) error { _, err := w.Commit(); return err }, "is done"},
		{"own error", func(w *Writer) error { return own }, "own"},
	}
	for _, tt := range tests {
		if _, err := Memory("test", 1, tt.build); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

var errFull = errors.New("no space left on device")

// failing is a file on a disk that fills up, or that fails in the end.
type failing struct {
	sink
	room              int
	syncErr, closeErr error
}

func (f *failing) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n, _ := f.sink.Write(p[:f.room])
		f.room = 0
		return n, errFull
	}
	f.room -= len(p)
	return f.sink.Write(p)
}

func (f *failing) Sync() error { return errors.Join(f.syncErr, f.sink.Sync()) }

func (f *failing) Close() error { return errors.Join(f.sink.Close(), f.closeErr) }

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	size := int(inMemory(t, sample).Info().Size)
	tests := map[string]failing{
		"sync":  {room: size, syncErr: errFull},
		"close": {room: size, closeErr: errFull},
	}
	for room := 0; room < size; room += 17 {
		tests[fmt.Sprintf("room for %d", room)] = failing{room: room}
	}
	for name, disk := range tests {
		w, err := Create(dir, "x.seg", "test", 7)
		if err != nil {
			t.Fatal(err)
		}
		disk.sink = w.file
		w.file = &disk
		w.out.Reset(&disk)
		w.pos = 0
		w.put(header("test", 7))
		build(w, sample)
		_, err = w.Commit()
		if !errors.Is(err, errFull) || !strings.Contains(err.Error(), filepath.Join(dir, "x.seg")) {
			t.Errorf("%s: %v", name, err)
		}
		if got := names(t, dir); len(got) != 1 || !isTemp(got[0]) {
			t.Errorf("%s: the folder holds %q", name, got)
		}
		w.Abort()
		if got := names(t, dir); len(got) != 0 {
			t.Errorf("%s: left behind: %q", name, got)
		}
	}
	commit(t, dir, "x.seg", sample) // once there is room again
}

// TestErrorStays fills a disk in the midst of a large section: the error is told
// there and then, by all calls.
func TestErrorStays(t *testing.T) {
	w := newWriter(&failing{sink: &memory{}, room: 100_000}, "test", 1)
	w.Section("s")
	block := make([]byte, 4096)
	var err error
	for n := 0; err == nil; n++ {
		if _, err = w.Write(block); n > 100 {
			t.Fatal("no error after 400 KB")
		}
	}
	n, again := w.Write(block)
	_, commitErr := w.Commit()
	for _, e := range []error{err, again, w.Page(), w.Section("t"), commitErr} {
		if e != err || !errors.Is(e, errFull) {
			t.Errorf("%v, want %v", e, err)
		}
	}
	if n != 0 {
		t.Errorf("%d bytes were written after the error", n)
	}
}

func TestClean(t *testing.T) {
	dir := t.TempDir()
	kill := func(name string) string { // a writer that never ends
		w, err := Create(dir, name, "test", 1)
		if err != nil {
			t.Fatal(err)
		}
		w.close()
		return filepath.Base(w.temp)
	}
	oldTemp, newTemp := kill("a.seg"), kill("a.seg")
	commit(t, dir, "kept.seg", sample)
	commit(t, dir, "orphan.seg", sample)
	commit(t, dir, "young.seg", sample)
	for _, other := range []string{"library.db", ".x.tmp-1", ".x.tmp-1-b", "x.tmp-1-2", ".tmp-1-2"} {
		if err := os.WriteFile(filepath.Join(dir, other), []byte("no segment"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".d.tmp-1-2"), 0o777); err != nil {
		t.Fatal(err)
	}
	hourAgo := time.Now().Add(-time.Hour)
	for _, name := range names(t, dir) {
		if name != newTemp && name != "young.seg" {
			if err := os.Chtimes(filepath.Join(dir, name), hourAgo, hourAgo); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep := func(name string) bool {
		if name != "kept.seg" && name != "orphan.seg" && name != "young.seg" {
			t.Errorf("asked for %s", name)
		}
		return name == "kept.seg"
	}
	for _, step := range []struct {
		olderThan time.Duration
		want      []string
	}{
		{2 * time.Hour, nil},
		{time.Minute, []string{oldTemp, "orphan.seg"}},
		{0, []string{newTemp, "young.seg"}},
		{0, nil},
	} {
		removed, err := Clean(dir, keep, step.olderThan)
		if err != nil || !slices.Equal(removed, step.want) {
			t.Errorf("older than %v: %q, %v, want %q", step.olderThan, removed, err, step.want)
		}
	}
	want := []string{".d.tmp-1-2", ".tmp-1-2", ".x.tmp-1", ".x.tmp-1-b", "kept.seg", "library.db", "x.tmp-1-2"}
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
	if _, err := Clean(filepath.Join(dir, "none"), keep, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}
