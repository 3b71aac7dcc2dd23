package segment

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/zeebo/xxh3"
)

// sink is the part of a file that a Writer needs.
type sink interface {
	io.Writer
	Sync() error
	Close() error
}

// Writer writes one segment. It is used by one goroutine. Its first error stays
// and is returned by all calls after it, so that only that of Commit needs to be
// looked at.
//
// Memory: a buffer, and 16 bytes for each page.
type Writer struct {
	file       sink
	out        *bufio.Writer
	temp, path string // empty for a segment in memory
	kind       string
	version    uint32

	pos      int64 // bytes written
	sections []draft
	hash     *xxh3.Hasher // of the page under way
	dirty    bool         // the page under way has bytes
	closed   bool         // file is closed
	done     bool         // committed or aborted
	err      error
}

// draft is a section under way or done.
type draft struct {
	place
	entries []byte // of the page table
}

var zeros [align]byte

// Create begins a segment that will be called name in dir. It is written to a
// temporary file beside it, ".name.tmp-PID-N", and is not to be seen under its
// name before Commit. A name that is in use is refused (fs.ErrExist): segments
// are never replaced, since they may be mapped.
func Create(dir, name, kind string, version uint32) (*Writer, error) {
	path := filepath.Join(dir, name)
	if name == "" || name[0] == '.' || strings.ContainsAny(name, `/\:`) {
		return nil, fmt.Errorf("segment: %q cannot be the name of a segment: give a plain file name", name)
	}
	if err := checkName(kind); err != nil {
		return nil, fmt.Errorf("segment: %s: kind: %w", path, err)
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("segment: create %s: %w: segments are never replaced, choose another name", path, fs.ErrExist)
	}
	for n := 0; ; n++ {
		temp := filepath.Join(dir, fmt.Sprintf(".%s.tmp-%d-%d", name, os.Getpid(), n))
		f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("segment: create %s: %w", path, err)
		}
		w := newWriter(f, kind, version)
		w.temp, w.path = temp, path
		return w, nil
	}
}

func newWriter(file sink, kind string, version uint32) *Writer {
	w := &Writer{file: file, out: bufio.NewWriterSize(file, 1<<16), kind: kind, version: version, hash: xxh3.New()}
	w.put(header(kind, version))
	return w
}

// Section begins a section, and ends the one before.
func (w *Writer) Section(name string) error {
	if w.err == nil {
		w.err = w.mayBegin(name)
	}
	if w.endSection(); w.err == nil {
		w.sections = append(w.sections, draft{place: place{name: name, data: int(w.pos)}})
	}
	return w.err
}

func (w *Writer) mayBegin(name string) error {
	if w.done {
		return w.over()
	}
	if err := checkName(name); err != nil {
		return fmt.Errorf("segment: %s: section: %w", w.path, err)
	}
	for i := range w.sections {
		if w.sections[i].name == name {
			return fmt.Errorf("segment: %s: section %q was written already", w.path, name)
		}
	}
	return nil
}

func (w *Writer) over() error {
	return fmt.Errorf("segment: %s: the writer is done: %w", w.path, fs.ErrClosed)
}

// current returns the section under way, nil if there is none.
func (w *Writer) current() *draft {
	switch {
	case w.err != nil:
	case w.done:
		w.err = w.over()
	case len(w.sections) == 0:
		w.err = fmt.Errorf("segment: %s: bytes before the first section: call Section first", w.path)
	default:
		return &w.sections[len(w.sections)-1]
	}
	return nil
}

// Write appends to the section under way. The bytes are not kept.
func (w *Writer) Write(p []byte) (int, error) {
	if w.current() == nil {
		return 0, w.err
	}
	w.dirty = w.dirty || len(p) > 0
	w.hash.Write(p)
	return w.put(p), w.err
}

// Page ends a page: what was written since the last one, which may be nothing,
// gets a checksum of its own, and what follows begins at the next multiple of
// 64 bytes. The end of a section is the end of a page, if there are bytes.
func (w *Writer) Page() error {
	s := w.current()
	if s == nil {
		return w.err
	}
	s.len = int(w.pos) - s.data
	s.pages++
	w.hash.Write(w.pad())
	s.entries = le.AppendUint64(s.entries, uint64(s.len))
	s.entries = le.AppendUint64(s.entries, w.hash.Sum64())
	w.hash.Reset()
	w.dirty = false
	return w.err
}

func (w *Writer) endSection() {
	if w.err == nil && w.dirty {
		w.Page()
	}
}

// pad writes zeros up to the next multiple of 64 bytes, and returns them.
func (w *Writer) pad() []byte {
	p := zeros[:up(w.pos)-w.pos]
	w.put(p)
	return p
}

// put writes to the file; an error goes to w.err.
func (w *Writer) put(p []byte) int {
	if w.err == nil && w.pos > math.MaxInt-int64(len(p)) {
		w.fail("write", errors.New("too large to be mapped on a machine of 32 bits"))
	}
	if w.err != nil {
		return 0
	}
	n, err := w.out.Write(p)
	w.pos += int64(n)
	w.fail("write", err)
	return n
}

// fail notes an error of the file.
func (w *Writer) fail(what string, err error) {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("segment: %s %s: %w: nothing was published; see to the disk and its free space, and try again", what, w.path, err)
	}
}

// Commit ends the segment, forces it to disk and gives it its name. When it
// returns an error, nothing has that name that had it not before, and Abort is
// left to be called.
func (w *Writer) Commit() (Info, error) {
	if w.done && w.err == nil {
		w.err = w.over()
	}
	w.endSection()
	info := w.finish()
	if w.err == nil {
		w.fail("write", w.out.Flush())
	}
	if w.err == nil {
		w.fail("sync", w.file.Sync())
	}
	w.close()
	if w.err == nil && w.temp != "" {
		w.fail("publish", publish(w.temp, w.path))
	}
	if w.err != nil {
		return Info{}, w.err
	}
	w.done = true
	return info, nil
}

// finish writes tables, directory and trailer.
func (w *Writer) finish() Info {
	info := Info{Path: w.path, Format: Format, Kind: w.kind, Version: w.version}
	var dir []byte
	for i := range w.sections {
		s := &w.sections[i]
		s.table = int(w.pos)
		s.entries = append(s.entries, make([]byte, s.tableLen()-len(s.entries))...)
		w.put(s.entries)
		e := make([]byte, align)
		copy(e, s.name)
		le.PutUint64(e[16:], uint64(s.data))
		le.PutUint64(e[24:], uint64(s.len))
		le.PutUint64(e[32:], uint64(s.table))
		le.PutUint64(e[40:], uint64(s.pages))
		le.PutUint64(e[48:], xxh3.Hash(s.entries))
		dir = append(dir, e...)
		info.Sections = append(info.Sections, SectionInfo{Name: s.name, Len: int64(s.len), Pages: s.pages})
	}
	info.Size = w.pos + int64(len(dir)) + align
	tail := make([]byte, align)
	copy(tail, tailMagic)
	le.PutUint64(tail[8:], uint64(info.Size))
	le.PutUint64(tail[16:], uint64(w.pos))
	le.PutUint64(tail[24:], uint64(len(w.sections)))
	le.PutUint64(tail[32:], xxh3.Hash(dir))
	copy(tail[40:48], header(w.kind, w.version)[align-8:])
	seal(tail)
	w.put(dir)
	w.put(tail)
	return info
}

func (w *Writer) close() {
	if !w.closed {
		w.closed = true
		w.fail("close", w.file.Close())
	}
}

// Abort gives the segment up and removes what was written. After Commit without
// error, and when called again, it does nothing.
func (w *Writer) Abort() {
	if w.done {
		return
	}
	w.close()
	w.done = true
	if w.temp != "" {
		os.Remove(w.temp) // what cannot be removed is left to Clean
	}
}

// publish gives a finished file its name, unless the name is in use, and forces
// the folder to disk. A hard link is the one portable way that never replaces a
// file; file systems without links get a look and a rename, which a second
// writer could slip between.
func publish(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case err == nil:
		os.Remove(temp) // a second name of the same file does no harm; Clean takes it
	case errors.Is(err, fs.ErrExist):
		return err
	default:
		if _, err := os.Lstat(path); err == nil {
			return &fs.PathError{Op: "rename to", Path: path, Err: fs.ErrExist}
		}
		if err := os.Rename(temp, path); err != nil {
			return err
		}
	}
	if err := SyncDir(filepath.Dir(path)); err != nil {
		os.Remove(path) // nobody knows of it yet
		return err
	}
	return nil
}

// memory is a file that is none.
type memory struct{ bytes.Buffer }

func (*memory) Sync() error  { return nil }
func (*memory) Close() error { return nil }

// Memory makes a segment without a file, for tests and small deltas: build
// writes the sections, and leaves Commit to Memory. Its bytes begin at multiples
// of 64 of the segment, not of the machine's memory.
func Memory(kind string, version uint32, build func(*Writer) error) (*File, error) {
	if err := checkName(kind); err != nil {
		return nil, fmt.Errorf("segment: kind: %w", err)
	}
	var m memory
	w := newWriter(&m, kind, version)
	if err := build(w); err != nil {
		return nil, err
	}
	if _, err := w.Commit(); err != nil {
		return nil, err
	}
	return open("", m.Bytes(), nil, nil)
}

// Clean removes from dir what killed writers left: temporary files, and
// segments that keep does not want, such as those of no manifest. Files that
// changed within the last olderThan are left alone, since their writer may be
// at work. Files that are no segments are never removed, nor asked for.
//
// It returns the names of removed files. What cannot be removed, such as a file
// that is still mapped on Windows, is in the error, and does not stop it.
func Clean(dir string, keep func(name string) bool, olderThan time.Duration) (removed []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("segment: clean: %w", err)
	}
	var faults []error
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || time.Since(info.ModTime()) < olderThan {
			continue // removed meanwhile, a folder or link, or too young
		}
		if !isTemp(e.Name()) && (!isSegment(path) || keep(e.Name())) {
			continue
		}
		if err := os.Remove(path); err != nil {
			faults = append(faults, fmt.Errorf("segment: clean: %w", err))
			continue
		}
		removed = append(removed, e.Name())
	}
	return removed, errors.Join(faults...)
}

// isTemp reports whether a name is one that Create gives to temporary files.
func isTemp(name string) bool {
	at := strings.LastIndex(name, ".tmp-")
	if at < 2 || name[0] != '.' {
		return false
	}
	var pid, n int
	rest := name[at+len(".tmp-"):]
	_, err := fmt.Sscanf(rest, "%d-%d", &pid, &n)
	return err == nil && rest == fmt.Sprintf("%d-%d", pid, n)
}

// isSegment reports whether a file begins like a segment.
func isSegment(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [len(headMagic)]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:]) == headMagic
}
