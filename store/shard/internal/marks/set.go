package marks

import (
	"cmp"
	"context"
	"encoding/binary"
	"path/filepath"
	"slices"
	"sync/atomic"

	"qipu/interval"
	"qipu/segment"
)

const (
	fileKind    = "marks"
	fileVersion = 1

	secHead    = "head"
	secKeys    = "keys"
	secEnds    = "ends"
	secColumns = "columns"

	// pageBytes is what is checked when any byte of it is first touched.
	pageBytes = 64 << 10
)

var fileKinds = segment.Kinds{fileKind: {Min: fileVersion, Max: fileVersion}}

// Set is the columns that are kept of one table. It is safe for concurrent use.
// A nil set has none. Whoever reads columns does so inside segment.Guard.
type Set struct {
	dir   string
	table Table
	names []numbered
	files []file
	bad   []string         // files that cannot be read
	at    map[uint64]place // the columns that count

	refs  atomic.Int64
	sound atomic.Bool // every byte was checked
}

// file is an open file. Its keys and ends are copied out of the map.
type file struct {
	*segment.File
	name    string
	keys    []uint64
	ends    []int
	columns *segment.Section
}

// place is a column of a file.
type place struct {
	file *file
	i    int
}

func openSet(dir string, t Table, names []numbered) *Set {
	s := &Set{dir: dir, table: t, names: names, at: map[uint64]place{}}
	s.refs.Store(1)
	for _, n := range names {
		f, ok := openFile(filepath.Join(dir, n.name), &t)
		if !ok {
			s.bad = append(s.bad, n.name)
			continue
		}
		f.name = n.name
		s.files = append(s.files, f)
	}
	for i := range s.files {
		f := &s.files[i]
		for j, key := range f.keys {
			s.at[key] = place{f, j} // a later one takes the place of an earlier one
		}
	}
	return s
}

// openFile opens a file, if it is one of the table and can be read.
func openFile(path string, t *Table) (f file, ok bool) {
	var err error
	if f.File, err = segment.Open(path, fileKinds); err != nil {
		return f, false
	}
	err = segment.Guard(func() error { ok = f.read(t); return nil })
	if ok = ok && err == nil; !ok {
		f.Close()
	}
	return f, ok
}

// read reads all but the columns, and reports whether it makes sense.
func (f *file) read(t *Table) bool {
	var data [3][]byte
	for i, name := range []string{secHead, secKeys, secEnds} {
		s, ok := f.Section(name)
		if !ok {
			return false
		}
		var err error
		if data[i], err = s.Bytes(); err != nil {
			return false
		}
	}
	le := binary.LittleEndian
	head, keys, ends := data[0], data[1], data[2]
	if len(head) < 16 || le.Uint64(head) != t.Sum || int(le.Uint32(head[8:])) != t.Lines {
		return false
	}
	n := int(le.Uint32(head[12:]))
	var ok bool
	if f.columns, ok = f.Section(secColumns); !ok || len(keys) < 8*n || len(ends) < 8*n {
		return false
	}
	last := 0
	for i := range n {
		key, end := le.Uint64(keys[8*i:]), le.Uint64(ends[8*i:])
		if end < uint64(last) || end > uint64(f.columns.Len()) || i > 0 && key <= f.keys[i-1] {
			return false
		}
		last = int(end)
		f.keys, f.ends = append(f.keys, key), append(f.ends, last)
	}
	return true
}

func (p place) bytes() ([]byte, bool) {
	from := 0
	if p.i > 0 {
		from = p.file.ends[p.i-1]
	}
	data, err := p.file.columns.Range(from, p.file.ends[p.i]-from)
	return data, err == nil
}

// holds reports whether a file has the column of a key, damaged or not.
func (s *Set) holds(key uint64) bool {
	if s == nil {
		return false
	}
	_, ok := s.at[key]
	return ok
}

// Column returns the column of a key, and whether it is kept and can be read.
func (s *Set) Column(key uint64) (c interval.MarkColumn, ok bool) {
	if s == nil {
		return c, false
	}
	p, ok := s.at[key]
	if !ok {
		return c, false
	}
	data, ok := p.bytes()
	if !ok {
		return c, false
	}
	c, err := interval.OpenMarks(data)
	return c, err == nil
}

// Acquire takes a reference, which keeps the set until Release.
func (s *Set) Acquire() *Set {
	if s != nil {
		s.refs.Add(1)
	}
	return s
}

// Release gives a reference back. The last one closes the files.
func (s *Set) Release() {
	if s == nil || s.refs.Add(-1) > 0 {
		return
	}
	for i := range s.files {
		s.files[i].Close()
	}
}

// check reads every byte, unless that was done already, and returns the set, or
// where files are damaged another one without them. The reference is the
// caller's.
func (s *Set) check(ctx context.Context) (*Set, error) {
	if s == nil || s.sound.Load() {
		return s.Acquire(), nil
	}
	var damaged []string
	for i := range s.files {
		f := &s.files[i]
		err := f.Verify(ctx)
		if err == nil {
			err = segment.Guard(func() error { return f.check(s.table.Lines) })
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			damaged = append(damaged, f.name)
		}
	}
	if len(damaged) == 0 {
		s.sound.Store(true)
		return s.Acquire(), nil
	}
	good := slices.DeleteFunc(slices.Clone(s.names), func(n numbered) bool { return slices.Contains(damaged, n.name) })
	t := openSet(s.dir, s.table, good)
	t.bad = append(t.bad, damaged...)
	return t, nil
}

// check reads all columns.
func (f *file) check(lines int) error {
	for i := range f.keys {
		data, ok := place{f, i}.bytes()
		if !ok {
			return segment.ErrCorrupt
		}
		c, err := interval.OpenMarks(data)
		if err == nil {
			err = c.Check(lines)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// column is a column to be written.
type column struct {
	key  uint64
	data []byte
}

// write writes a file of columns and returns its size.
func write(dir, name string, t *Table, list []column) (int64, error) {
	slices.SortFunc(list, func(x, y column) int { return cmp.Compare(x.key, y.key) })
	w, err := segment.Create(dir, name, fileKind, fileVersion)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	le := binary.LittleEndian
	head := le.AppendUint64(nil, t.Sum)
	head = le.AppendUint32(head, uint32(t.Lines))
	head = le.AppendUint32(head, uint32(len(list)))
	var keys, ends, body []byte
	for _, c := range list {
		body = append(body, c.data...)
		keys = le.AppendUint64(keys, c.key)
		ends = le.AppendUint64(ends, uint64(len(body)))
	}
	for _, s := range []struct {
		name string
		data []byte
	}{{secHead, head}, {secKeys, keys}, {secEnds, ends}, {secColumns, body}} {
		w.Section(s.name)
		for page := range slices.Chunk(s.data, pageBytes) {
			w.Write(page)
			w.Page()
		}
	}
	info, err := w.Commit() // the writer keeps its errors until then
	return info.Size, err
}
