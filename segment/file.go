package segment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// File is an open segment. All methods may be called by many goroutines at
// once.
type File struct {
	data     []byte
	unmap    func([]byte) error // nil in memory
	info     Info
	want     Kinds
	sections []Section

	refs   atomic.Int64 // references that keep the map; the opener's is one
	closed atomic.Bool
}

// Section is a byte string in a file, made of pages.
type Section struct {
	place
	file  *File
	state atomic.Pointer[pageState] // nil before the page table was checked
	whole atomic.Bool               // every page was checked
}

// pageState is what is known of the pages of a section. Ends are copied out of the
// map, so that finding a page that was checked before reads no mapped memory.
type pageState struct {
	ends []int           // of each page in the section, ascending
	seen []atomic.Uint64 // one bit for each page that was checked
}

// Open maps the segment at path, if it is of a kind and version in want. It
// checks both ends, all lengths and the directory, and reads no data: its cost
// does not depend on the size of the file, except on systems without memory
// maps (js, wasip1, plan9), where the file is read. Close frees it.
//
// Errors match ErrCorrupt, ErrNewer, ErrOlder, ErrKind, or are those of the
// file system.
func Open(path string, want Kinds) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("segment: %w", err)
	}
	defer f.Close()
	stat, err := f.Stat()
	switch {
	case err != nil:
		return nil, fmt.Errorf("segment: %w", err)
	case !stat.Mode().IsRegular():
		return nil, fmt.Errorf("segment: %s is no regular file", path)
	case stat.Size() < 2*align:
		return nil, &CorruptError{Path: path, Page: -1, Reason: fmt.Sprintf("it has only %d bytes", stat.Size())}
	case stat.Size() > math.MaxInt:
		return nil, fmt.Errorf("segment: %s: %d bytes are too many for this machine", path, stat.Size())
	}
	data, err := mapFile(f, int(stat.Size()))
	if err != nil {
		return nil, fmt.Errorf("segment: map %s: %w", path, err)
	}
	s, err := open(path, data, want, unmapFile)
	if err != nil {
		unmapFile(data)
		return nil, err
	}
	return s, nil
}

// open makes a File of bytes that it comes to own, unless it fails.
func open(path string, data []byte, want Kinds, unmap func([]byte) error) (*File, error) {
	f := &File{data: data, unmap: unmap, want: want, info: Info{Path: path}}
	var l *layout
	err := f.guard("", -1, func() (err error) {
		l, err = parse(path, data, want)
		return err
	})
	if err != nil {
		return nil, err
	}
	f.info = l.info
	f.sections = make([]Section, len(l.sections))
	for i := range l.sections {
		f.sections[i].place, f.sections[i].file = l.sections[i], f
	}
	f.refs.Store(1)
	return f, nil
}

// guard is Guard with the place of a fault filled in.
func (f *File) guard(section string, page int, fn func() error) error {
	err := Guard(fn)
	var c *CorruptError
	if errors.As(err, &c) && c.Path == "" {
		c.Path, c.Section, c.Page = f.info.Path, section, page
	}
	return err
}

// Info describes the segment. The list of sections is not to be changed.
func (f *File) Info() Info { return f.info }

// Section returns the section of that name.
func (f *File) Section(name string) (*Section, bool) {
	for i := range f.sections {
		if f.sections[i].name == name {
			return &f.sections[i], true
		}
	}
	return nil, false
}

// Acquire takes a reference, which keeps the map until Release. It returns false
// after Close: the caller then looks up which segments are current, and opens
// those.
func (f *File) Acquire() bool {
	for !f.closed.Load() {
		if n := f.refs.Load(); n <= 0 {
			break
		} else if f.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
	return false
}

// Release gives a reference of Acquire back. The last one unmaps the file.
func (f *File) Release() error {
	n := f.refs.Add(-1)
	if n > 0 {
		return nil
	}
	if n < 0 {
		panic("segment: Release without Acquire")
	}
	if f.unmap == nil {
		return nil
	}
	if err := f.unmap(f.data); err != nil {
		return fmt.Errorf("segment: unmap %s: %w", f.info.Path, err)
	}
	return nil
}

// Close gives the reference of the opener back: the map goes now, or with the
// last reader that has acquired one. Closing again does nothing.
func (f *File) Close() error {
	if f.closed.Swap(true) {
		return nil
	}
	return f.Release()
}

// Verify reads and checks the whole file, whatever was checked before.
func (f *File) Verify(ctx context.Context) error {
	if f.refs.Load() <= 0 {
		return f.gone()
	}
	err := f.guard("", -1, func() error {
		_, err := parse(f.info.Path, f.data, f.want)
		return err
	})
	for i := range f.sections {
		if err != nil {
			return err
		}
		err = f.sections[i].verify(ctx)
	}
	return err
}

func (f *File) gone() error {
	return fmt.Errorf("segment: %s: %w", f.info.Path, fs.ErrClosed)
}

// Len returns the number of bytes, with the padding between pages.
func (s *Section) Len() int { return s.len }

// Pages returns the number of pages.
func (s *Section) Pages() int { return s.pages }

// Bytes returns the section with the padding between its pages. The first call
// reads and checks all of it.
func (s *Section) Bytes() ([]byte, error) {
	if s.file.refs.Load() <= 0 {
		return nil, s.file.gone()
	}
	if !s.whole.Load() {
		for i := range s.pages {
			if _, err := s.Page(i); err != nil {
				return nil, err
			}
		}
		s.whole.Store(true)
	}
	return s.file.data[s.data : s.data+s.len : s.data+s.len], nil
}

// Page returns page i without its padding. The first call for a page reads and
// checks it; when several goroutines are first, each of them may. A page that
// was found damaged is checked again by the next call.
//
// What it returns is mapped memory: see the package for how long it is valid
// and how to read it.
func (s *Section) Page(i int) ([]byte, error) {
	if s.file.refs.Load() <= 0 {
		return nil, s.file.gone()
	}
	if uint(i) >= uint(s.pages) {
		return nil, fmt.Errorf("segment: %s: section %q has %d pages, there is no page %d", s.file.info.Path, s.name, s.pages, i)
	}
	p := s.state.Load()
	if p == nil {
		var err error
		if p, err = s.readTable(); err != nil {
			return nil, err
		}
		if !s.state.CompareAndSwap(nil, p) {
			p = s.state.Load()
		}
	}
	bit := uint64(1) << (i & 63)
	if p.seen[i>>6].Load()&bit == 0 {
		if err := s.check(context.Background(), p, i); err != nil {
			return nil, err
		}
		p.seen[i>>6].Or(bit)
	}
	start, end := p.bounds(i)
	return s.file.data[s.data+start : s.data+end : s.data+end], nil
}

// bounds returns where page i lies in its section.
func (p *pageState) bounds(i int) (start, end int) {
	if i > 0 {
		start = int(up(int64(p.ends[i-1])))
	}
	return start, p.ends[i]
}

// readTable checks the page table and copies it.
func (s *Section) readTable() (*pageState, error) {
	p := &pageState{ends: make([]int, s.pages), seen: make([]atomic.Uint64, (s.pages+63)/64)}
	err := s.file.guard(s.name, -1, func() error {
		table := s.file.data[s.table : s.table+s.tableLen()]
		if xxh3.Hash(table) != s.tableSum {
			return s.bad(-1, "the checksum of its page table differs")
		}
		for i := range p.ends {
			end := le.Uint64(table[i*pageSize:])
			if end > uint64(s.len) {
				return s.bad(i, "it ends outside of its section")
			}
			p.ends[i] = int(end)
			if start, end := p.bounds(i); start > end {
				return s.bad(i, "it ends before it begins")
			}
		}
		if s.pages > 0 && p.ends[s.pages-1] != s.len {
			return s.bad(-1, "its last page does not end where it ends")
		}
		return nil
	})
	return p, err
}

// checkStep is how many bytes are read between looks at the context.
const checkStep = 4 << 20

// check compares page i, with its padding, with its checksum.
func (s *Section) check(ctx context.Context, p *pageState, i int) error {
	start, end := p.bounds(i)
	end = int(up(int64(end)))
	return s.file.guard(s.name, i, func() error {
		data := s.file.data[s.data+start : s.data+end]
		var sum uint64
		if len(data) <= checkStep {
			sum = xxh3.Hash(data)
		} else {
			h := xxh3.New()
			for len(data) > 0 && ctx.Err() == nil {
				n := min(len(data), checkStep)
				h.Write(data[:n])
				data = data[n:]
			}
			sum = h.Sum64()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if sum != le.Uint64(s.file.data[s.table+i*pageSize+8:]) {
			return s.bad(i, "its checksum differs")
		}
		return nil
	})
}

// verify checks the page table and all pages.
func (s *Section) verify(ctx context.Context) error {
	p, err := s.readTable()
	for i := 0; err == nil && i < s.pages; i++ {
		err = s.check(ctx, p, i)
	}
	return err
}

func (s *Section) bad(page int, reason string) error {
	return &CorruptError{Path: s.file.info.Path, Section: s.name, Page: page, Reason: reason}
}

// OpenBytes opens a segment that lies in memory, such as one that comes with the
// program. The bytes stay the caller's and must not change.
func OpenBytes(data []byte, want Kinds) (*File, error) { return open("", data, want, nil) }
