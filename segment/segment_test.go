//qipu:race

package segment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zeebo/xxh3"

	"qipu/internal/testkit"
)

// part is a section as a test wants it: the bytes of its pages.
type part struct {
	name  string
	pages [][]byte
}

// sample has every shape of section: none, empty, an empty page at each place,
// full lines of 64 bytes, and ragged ends.
var sample = []part{
	{"empty", nil},
	{"one", [][]byte{[]byte("a single page")}},
	{"hollow", [][]byte{{}, []byte("x"), {}}},
	{"lines", [][]byte{bytes.Repeat([]byte("0123456789abcdef"), 4), bytes.Repeat([]byte{0xff}, 65), []byte("end")}},
	{"void", [][]byte{{}}},
}

// build writes parts, each page in two pieces; the last page of a section that
// has bytes is left to be ended by what follows.
func build(w *Writer, parts []part) error {
	for _, p := range parts {
		w.Section(p.name)
		for i, page := range p.pages {
			half := len(page) / 2
			w.Write(page[:half])
			w.Write(page[half:])
			if i < len(p.pages)-1 || len(page) == 0 {
				w.Page()
			}
		}
	}
	return w.err
}

func inMemory(t testing.TB, parts []part) *File {
	t.Helper()
	f, err := Memory("test", 7, func(w *Writer) error { return build(w, parts) })
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func commit(t testing.TB, dir, name string, parts []part) Info {
	t.Helper()
	w, err := Create(dir, name, "test", 7)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	build(w, parts)
	info, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// compare checks that a file holds the parts, and nothing else.
func compare(t *testing.T, f *File, parts []part) {
	t.Helper()
	if got := len(f.Info().Sections); got != len(parts) {
		t.Fatalf("%d sections, want %d", got, len(parts))
	}
	for _, p := range parts {
		s, ok := f.Section(p.name)
		if !ok {
			t.Fatalf("no section %q", p.name)
		}
		if s.Name() != p.name || s.Pages() != len(p.pages) {
			t.Errorf("section %q has %d pages, want %q with %d", s.Name(), s.Pages(), p.name, len(p.pages))
		}
		var whole []byte
		for i, want := range p.pages {
			whole = append(whole, make([]byte, int(up(int64(len(whole))))-len(whole))...)
			whole = append(whole, want...)
			got, err := s.Page(i)
			if err != nil || !bytes.Equal(got, want) || cap(got) != len(got) {
				t.Errorf("section %q page %d: %q (cap %d), %v, want %q", p.name, i, got, cap(got), err, want)
			}
		}
		got, err := s.Bytes()
		if err != nil || !bytes.Equal(got, whole) || s.Len() != len(whole) {
			t.Errorf("section %q: %d bytes %q, %v, want %q", p.name, s.Len(), got, err, whole)
		}
	}
	if err := f.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func(sections, pages, size int) (parts []part) {
		for i := range sections {
			p := part{name: fmt.Sprintf("section-%d", i)}
			for range r.IntN(pages + 1) {
				page := make([]byte, r.IntN(size+1))
				for j := range page {
					page[j] = byte(r.Uint32())
				}
				p.pages = append(p.pages, page)
			}
			parts = append(parts, p)
		}
		return parts
	}
	tests := map[string][]part{
		"nothing": nil,
		"sample":  sample,
		"long":    {{"sixteen-bytes-xy", [][]byte{bytes.Repeat([]byte{1}, checkStep+checkStep/2)}}},
		"many":    random(50, 3, 10),
		"large":   random(3, 200, 3000),
	}
	for name, parts := range tests {
		t.Run(name, func(t *testing.T) {
			info := commit(t, t.TempDir(), "x.seg", parts)
			f, err := Open(info.Path, Kinds{"test": {7, 7}})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if got := f.Info(); !reflect.DeepEqual(got, info) {
				t.Errorf("Open says %+v, Commit %+v", got, info)
			}
			compare(t, f, parts)
			m := inMemory(t, parts)
			defer m.Close()
			compare(t, m, parts)
			if onDisk, err := os.ReadFile(info.Path); err != nil || !bytes.Equal(onDisk, m.data) {
				t.Errorf("file and memory differ (%v)", err)
			}
			if _, ok := f.Section("no-such"); ok {
				t.Error("a section that was not written")
			}
		})
	}
}

// TestOldFormats reads the samples of all formats that this program reads. A
// new format adds a sample; those of older ones are never written again.
func TestOldFormats(t *testing.T) {
	testkit.Golden(t, "testdata/format1.seg", inMemory(t, sample).data)
	f, err := Open("testdata/format1.seg", Kinds{"test": {7, 7}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	compare(t, f, sample)
	if f.Info().Format != 1 {
		t.Errorf("format %d", f.Info().Format)
	}
}

// inspect reads a file in all ways and returns how many pages cannot be read,
// and the first error of Open or else of Verify.
func inspect(t *testing.T, data []byte) (badPages int, err error) {
	t.Helper()
	f, err := open("x", data, Kinds{"test": {7, 7}}, nil)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for i := range f.sections {
		s, bad := &f.sections[i], 0
		for j := range s.pages {
			if _, err := s.Page(j); err != nil {
				if !errors.Is(err, ErrCorrupt) {
					t.Fatal(err)
				}
				bad++
			}
		}
		if _, err := s.Bytes(); (err != nil) != (bad > 0) {
			t.Fatalf("%d bad pages, but Bytes says %v", bad, err)
		}
		badPages += bad
	}
	return badPages, f.Verify(context.Background())
}

func TestFlips(t *testing.T) {
	m := inMemory(t, sample)
	data, last := m.data, &m.sections[len(m.sections)-1]
	tables := m.sections[0].table
	for at := range data {
		for bit := range 8 {
			data[at] ^= 1 << bit
			bad, err := inspect(t, data)
			data[at] ^= 1 << bit
			var c *CorruptError
			if !errors.As(err, &c) || c.Path != "x" || c.Reason == "" {
				t.Fatalf("byte %d bit %d: %v", at, bit, err)
			}
			switch {
			case at >= align && at < tables: // in a page: that one alone is lost
				if bad != 1 || c.Section == "" || c.Page < 0 {
					t.Fatalf("byte %d bit %d: %d bad pages, %v", at, bit, bad, err)
				}
			case at >= tables && at < last.table+last.tableLen(): // in a table: its section is lost
				if s, _ := m.Section(c.Section); s == nil || bad != s.pages || c.Page != -1 {
					t.Fatalf("byte %d bit %d: %d bad pages, %v", at, bit, bad, err)
				}
			case c.Section != "":
				t.Fatalf("byte %d bit %d: %v", at, bit, err)
			}
		}
	}
	if _, err := inspect(t, data); err != nil {
		t.Fatal(err)
	}
}

func TestTruncations(t *testing.T) {
	data := inMemory(t, sample).data
	path := filepath.Join(t.TempDir(), "cut.seg")
	check := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d of %d bytes: %v", len(b), len(data), err)
		}
	}
	for n := range data {
		check(data[:n])
		check(append(slices.Clone(data[:n]), make([]byte, len(data)-n)...)) // as a crash may leave it
	}
	for _, more := range []int{1, 63, 64, 4096} {
		check(append(slices.Clone(data), make([]byte, more)...))
	}
	check(append(slices.Clone(data), data...))
	check(append(header("test", 8), data[align:]...)) // the head of another file
}

func TestVersions(t *testing.T) {
	info := commit(t, t.TempDir(), "x.seg", sample)
	tests := []struct {
		want Kinds
		err  error
	}{
		{nil, nil},
		{Kinds{"test": {7, 7}}, nil},
		{Kinds{"test": {1, 9}, "other": {1, 1}}, nil},
		{Kinds{"test": {1, 6}}, ErrNewer},
		{Kinds{"test": {8, 9}}, ErrOlder},
		{Kinds{"other": {1, 9}}, ErrKind},
		{Kinds{}, ErrKind},
	}
	for _, tt := range tests {
		f, err := Open(info.Path, tt.want)
		if !errors.Is(err, tt.err) || errors.Is(err, ErrCorrupt) {
			t.Errorf("%v: %v, want %v", tt.want, err, tt.err)
		}
		if err == nil {
			f.Close()
		} else if !strings.Contains(err.Error(), info.Path) {
			t.Errorf("the error does not name the file: %v", err)
		}
	}
	// A newer container may have any form behind its header.
	for format, want := range map[uint32]error{0: ErrOlder, Format + 1: ErrNewer} {
		b := header("test", 7)
		le.PutUint32(b[8:], format)
		seal(b)
		if _, err := open("x", append(b, "whatever"...), nil, nil); !errors.Is(err, want) || errors.Is(err, ErrCorrupt) {
			t.Errorf("format %d: %v, want %v", format, err, want)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(dir, nil); err == nil || errors.Is(err, ErrCorrupt) {
		t.Errorf("a folder was opened: %v", err)
	}
}

func TestReferences(t *testing.T) {
	f, err := Open(commit(t, t.TempDir(), "x.seg", sample).Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	unmapped := 0
	unmap := f.unmap
	f.unmap = func(b []byte) error { unmapped++; return unmap(b) }
	if !f.Acquire() {
		t.Fatal("an open file cannot be acquired")
	}
	for range 2 {
		if err := f.Close(); err != nil || unmapped != 0 {
			t.Fatalf("Close under a reader: %v, unmapped %d times", err, unmapped)
		}
	}
	if f.Acquire() {
		t.Error("a closed file can be acquired")
	}
	compare(t, f, sample) // the reader still has it
	if err := f.Release(); err != nil || unmapped != 1 {
		t.Fatalf("the last Release: %v, unmapped %d times", err, unmapped)
	}
	s, _ := f.Section("one")
	_, pageErr := s.Page(0)
	_, bytesErr := s.Bytes()
	for _, err := range []error{pageErr, bytesErr, f.Verify(context.Background())} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after the last Release: %v", err)
		}
	}
}

func TestConcurrent(t *testing.T) {
	var p part
	p.name = "pages"
	for i := range 300 {
		p.pages = append(p.pages, bytes.Repeat([]byte{byte(i)}, i))
	}
	info := commit(t, t.TempDir(), "x.seg", []part{p})
	for range testkit.Scale(20, 500) {
		f, err := Open(info.Path, nil)
		if err != nil {
			t.Fatal(err)
		}
		var readers sync.WaitGroup
		under := make(chan bool, 1) // some reader has read everything once
		for g := range 4 {
			readers.Go(func() {
				for f.Acquire() {
					s, _ := f.Section("pages")
					for j := range p.pages {
						i := (j*7 + g*75) % len(p.pages)
						if page, err := s.Page(i); err != nil || !bytes.Equal(page, p.pages[i]) {
							t.Errorf("page %d: %d bytes, %v", i, len(page), err)
						}
					}
					f.Release()
					select {
					case under <- true:
					default:
					}
					runtime.Gosched() // js has one thread, and takes it from nobody
				}
			})
		}
		<-under
		f.Close()
		readers.Wait()
		if n := f.refs.Load(); n != 0 {
			t.Fatalf("%d references are left", n)
		}
	}
}

func TestPageCost(t *testing.T) {
	f := inMemory(t, sample)
	s, _ := f.Section("lines")
	if n := testing.AllocsPerRun(100, func() {
		s.Page(1)
		s.Bytes()
	}); n != 0 {
		t.Errorf("%v allocations for pages that were checked before", n)
	}
	for _, i := range []int{-1, 3, math.MaxInt} {
		if _, err := s.Page(i); err == nil {
			t.Errorf("there is a page %d", i)
		}
	}
}

// TestFirstTouch checks that Open reads no data, that a page is checked at its
// first touch and not again, and that Verify always looks.
func TestFirstTouch(t *testing.T) {
	data := slices.Clone(inMemory(t, sample).data)
	f, err := open("x", data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, _ := f.Section("lines")
	if _, err := s.Page(0); err != nil {
		t.Fatal(err)
	}
	data[s.data] ^= 1    // page 0
	data[s.data+64] ^= 1 // page 1
	if _, err := s.Page(0); err != nil {
		t.Errorf("a page was checked twice: %v", err)
	}
	var c *CorruptError
	if _, err := s.Page(1); !errors.As(err, &c) || c.Section != "lines" || c.Page != 1 {
		t.Errorf("page 1: %v", err)
	}
	if err := f.Verify(context.Background()); !errors.As(err, &c) || c.Page != 0 {
		t.Errorf("Verify: %v", err)
	}
	data[s.data] ^= 1
	data[s.data+64] ^= 1
	if _, err := s.Page(1); err != nil {
		t.Errorf("a page that is whole again: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := f.Verify(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Verify under a cancelled context: %v", err)
	}
}

// reseal makes all checksums of a file right that can be found, so that fuzzing
// comes to what lies behind them.
func reseal(data []byte) {
	if len(data) < 2*align {
		return
	}
	at := len(data) - align
	copy(data, headMagic)
	le.PutUint32(data[8:], Format)
	seal(data)
	tail := data[at:]
	copy(tail, tailMagic)
	le.PutUint64(tail[8:], uint64(len(data)))
	copy(tail[40:48], data[align-8:align])
	if dir := le.Uint64(tail[16:]); dir <= uint64(at) {
		for e := data[dir:at]; len(e) >= align; e = e[align:] {
			table, pages := le.Uint64(e[32:]), le.Uint64(e[40:])
			if end := table + (pages*pageSize+align-1)/align*align; pages < 1<<20 && table < end && end <= dir {
				le.PutUint64(e[48:], xxh3.Hash(data[table:end]))
			}
		}
		le.PutUint64(tail[32:], xxh3.Hash(data[dir:at]))
	}
	seal(tail)
}

// The laws for any bytes: nothing panics, and a file that verifies can be read
// to its last page, which lies inside its section.
func fuzzLaws(t *testing.T, data []byte) {
	f, err := open("x", data, nil, nil)
	if err != nil {
		return
	}
	defer f.Close()
	whole := f.Verify(context.Background()) == nil
	for i := range f.sections {
		s := &f.sections[i]
		if s.Pages() > len(data) || s.Len() > len(data) {
			t.Fatalf("%d pages and %d bytes in a file of %d", s.Pages(), s.Len(), len(data))
		}
		for j := range s.Pages() {
			if page, err := s.Page(j); whole && err != nil || len(page) > s.Len() {
				t.Fatalf("page %d: %d of %d bytes, %v", j, len(page), s.Len(), err)
			}
		}
		if b, err := s.Bytes(); whole && err != nil || err == nil && len(b) != s.Len() {
			t.Fatalf("%d of %d bytes, %v", len(b), s.Len(), err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	data := inMemory(f, sample).data
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add(inMemory(f, nil).data)
	f.Add([]byte(headMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzLaws(t, data)
		whole := slices.Clone(data)
		reseal(whole)
		fuzzLaws(t, whole)
	})
}

// FuzzRoundTrip writes what the bytes say, a page or section after each zero,
// and reads it back.
func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte("one\x00two\x00\x00three"))
	f.Fuzz(func(t *testing.T, script []byte) {
		var parts []part
		for i, s := range bytes.Split(script, []byte{0, 0}) {
			parts = append(parts, part{fmt.Sprint(i), bytes.Split(s, []byte{0})})
		}
		compare(t, inMemory(t, parts), parts)
	})
}

// TestResealed breaks what checksums hide: a writer that writes nonsense must
// be noticed too.
func TestResealed(t *testing.T) {
	m := inMemory(t, sample)
	tail := int(m.Info().Size) - align
	dir := tail - len(sample)*align
	lines, _ := m.Section("lines")
	tests := []struct {
		name  string
		at    int
		value uint64
	}{
		{"directory beyond the end", tail + 16, 1 << 40},
		{"directory in the header", tail + 16, 0},
		{"directory off by eight", tail + 16, uint64(dir) + 8},
		{"one section too many", tail + 24, uint64(len(sample)) + 1},
		{"no name", dir, 0},
		{"name twice", dir, le.Uint64(m.data[dir+align:])},
		{"data elsewhere", dir + 16, 128},
		{"length", dir + align + 24, 1 << 62},
		{"length that wraps", dir + align + 24, math.MaxUint64 - 63},
		{"length of a section without pages", dir + 24, 1},
		{"table elsewhere", dir + 32, 64},
		{"pages", dir + 40, 1 << 60},
		{"one page too many", dir + 40, 1},
		{"not zero", dir + 56, 1},
		{"page beyond its section", lines.table, 1 << 40},
		{"page before the last", lines.table + pageSize, 1},
		{"last page too short", lines.table + 2*pageSize, 193},
	}
	for _, tt := range tests {
		data := slices.Clone(m.data)
		le.PutUint64(data[tt.at:], tt.value)
		if bytes.Equal(data, m.data) {
			t.Errorf("%s: nothing was changed", tt.name)
		}
		reseal(data)
		if _, err := inspect(t, data); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	// Bytes that no checksum covers, before the directory and after it.
	hole := slices.Insert(slices.Clone(m.data), dir, zeros[:]...)
	le.PutUint64(hole[tail+align+16:], uint64(dir)+align)
	ragged := slices.Insert(slices.Clone(m.data), tail, zeros[:8]...)
	for i, data := range [][]byte{hole, ragged} {
		reseal(data)
		if _, err := inspect(t, data); !errors.Is(err, ErrCorrupt) {
			t.Errorf("hole %d: %v", i, err)
		}
	}
}
