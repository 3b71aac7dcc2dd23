//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

//qipu:race

package segment

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// What is read goes here, so that reading is not optimised away.
var (
	use  int
	text string
)

// TestTruncatedUnderMap shortens files that are mapped and reads what is gone,
// in plain code and in the assembly of the standard library. Windows refuses to
// shorten a mapped file.
func TestTruncatedUnderMap(t *testing.T) {
	page := bytes.Repeat([]byte{1}, 1<<20)
	parts := []part{{"s", [][]byte{page, page}}}
	buffer := make([]byte, len(page))
	reads := map[string]func(b []byte, f *File) error{
		"load": func(b []byte, _ *File) error { use += int(b[len(b)/2]); return nil },
		"range": func(b []byte, _ *File) error {
			for _, c := range b {
				use += int(c)
			}
			return nil
		},
		"uint64":    func(b []byte, _ *File) error { use += int(le.Uint64(b[4096:])); return nil },
		"copy":      func(b []byte, _ *File) error { use += copy(buffer, b); return nil },
		"string":    func(b []byte, _ *File) error { text = string(b); return nil },
		"indexbyte": func(b []byte, _ *File) error { use += bytes.IndexByte(b, 0); return nil },
		"equal": func(b []byte, _ *File) error {
			if bytes.Equal(b, page[:len(b)]) {
				use++
			}
			return nil
		},
		"compare":  func(b []byte, _ *File) error { use += bytes.Compare(b, page); return nil },
		"count":    func(b []byte, _ *File) error { use += bytes.Count(b, []byte{1}); return nil },
		"checksum": func(b []byte, _ *File) error { use += int(xxh3.Hash(b)); return nil },
		"nested":   func(b []byte, _ *File) error { return Guard(func() error { use += int(b[0]); return nil }) },
	}
	// These guard themselves and know the place.
	inside := map[string]func(b []byte, f *File) error{
		"page":   func(_ []byte, f *File) error { _, err := f.sections[0].Page(1); return err },
		"bytes":  func(_ []byte, f *File) error { _, err := f.sections[0].Bytes(); return err },
		"table":  func(_ []byte, f *File) error { _, err := f.sections[0].readTable(); return err },
		"verify": func(_ []byte, f *File) error { return f.Verify(context.Background()) },
	}
	run := func(name string, read func([]byte, *File) error, guard func(func() error) error) error {
		path := commit(t, t.TempDir(), "x.seg", parts).Path
		f, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		b, err := f.sections[0].Page(0)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 8192); err != nil {
			t.Fatal(err)
		}
		err = guard(func() error { return read(b[1<<17:], f) })
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		return err
	}
	for name, read := range reads {
		run(name, read, Guard)
	}
	for name, read := range inside {
		err := run(name, read, func(fn func() error) error { return fn() })
		if err != nil && !strings.Contains(err.Error(), "x.seg") {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
	if debug.SetPanicOnFault(false) {
		t.Error("Guard left the goroutine to panic on faults")
	}
}

// TestCutBetween shortens a file between the look at its size and its map.
func TestCutBetween(t *testing.T) {
	info := commit(t, t.TempDir(), "x.seg", []part{{"s", [][]byte{make([]byte, 1<<16)}}})
	file, err := os.Open(info.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := mapFile(file, int(info.Size))
	if err != nil {
		t.Fatal(err)
	}
	defer unmapFile(data)
	if err := os.Truncate(info.Path, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := open(info.Path, data, nil, nil); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), info.Path) {
		t.Errorf("%v", err)
	}
}

func TestMapOutlivesName(t *testing.T) {
	info := commit(t, t.TempDir(), "x.seg", sample)
	f, err := Open(info.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if removed, err := Clean(filepath.Dir(info.Path), func(string) bool { return false }, 0); err != nil || len(removed) != 1 {
		t.Fatalf("%q, %v", removed, err)
	}
	compare(t, f, sample)
}
