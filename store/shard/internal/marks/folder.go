package marks

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"qipu/segment"
)

// Table is a table that columns are kept for.
type Table struct {
	File  string // its name
	Sum   uint64 // of its last bytes, which are a checksum of all others
	Lines int
}

// trailerSize is the size of the end of a segment.
const trailerSize = 64

// TableOf describes the table in a file.
func TableOf(path string, lines int) (Table, error) {
	t := Table{File: filepath.Base(path), Lines: lines}
	f, err := os.Open(path)
	if err != nil {
		return t, fmt.Errorf("marks: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	var end [trailerSize]byte
	if err == nil {
		_, err = f.ReadAt(end[:], max(0, info.Size()-trailerSize))
	}
	if err != nil {
		return t, fmt.Errorf("marks: %w", err)
	}
	t.Sum = xxh3.Hash(end[:])
	return t, nil
}

const suffix = ".marks"

// stem returns what the names of a table's files begin with.
func (t *Table) stem() string { return fmt.Sprintf("%s-%016x-", t.File, t.Sum) }

// parseName returns the table that the name of a file speaks of, what the names
// of all files of that table begin with, and the number of the file.
func parseName(name string) (table, stem string, number uint64, ok bool) {
	rest, ok := strings.CutSuffix(name, suffix)
	at := strings.LastIndexByte(rest, '-')
	if !ok || at < 18 || rest[at-17] != '-' {
		return "", "", 0, false
	}
	number, err := strconv.ParseUint(rest[at+1:], 10, 63)
	_, bad := strconv.ParseUint(rest[at-16:at], 16, 64)
	return rest[:at-17], rest[:at+1], number, err == nil && bad == nil
}

// Folder is the folder of the files at one moment. It is immutable.
type Folder struct {
	dir     string
	files   map[string][]numbered // by stem
	version uint64                // of the names of the files; 0 where there are none
	changed time.Time             // zero where there is no folder
	settled bool
}

type numbered struct {
	name   string
	number uint64
}

// settleTime is how long a folder must have been left alone for the time of its
// last change to tell whether it was changed again: clocks of file systems are
// coarse.
const settleTime = 2 * time.Second

// Read reads a folder. One that cannot be read is as good as empty.
func Read(dir string) *Folder {
	f := &Folder{dir: dir, files: map[string][]numbered{}}
	now := time.Now()
	info, err := os.Stat(dir)
	if err != nil {
		f.settled = errors.Is(err, fs.ErrNotExist)
		return f
	}
	f.changed = info.ModTime()
	f.settled = now.Sub(f.changed) > settleTime
	entries, _ := os.ReadDir(dir)
	h := xxh3.New()
	for _, e := range entries { // in the order of their names
		if _, stem, number, ok := parseName(e.Name()); ok {
			f.files[stem] = append(f.files[stem], numbered{e.Name(), number})
			_, _ = h.WriteString(e.Name() + "\n")
		}
	}
	if len(f.files) > 0 {
		f.version = h.Sum64()
	}
	for _, list := range f.files {
		slices.SortFunc(list, func(x, y numbered) int { return cmp.Compare(x.number, y.number) })
	}
	return f
}

// Refresh returns the folder as it is now, and whether its files are the same. It
// costs a look at the folder; where that was changed a moment ago, it is read.
func (f *Folder) Refresh() (now *Folder, same bool) {
	if f.settled {
		info, err := os.Stat(f.dir)
		if err != nil && f.changed.IsZero() || err == nil && info.ModTime().Equal(f.changed) {
			return f, true
		}
	}
	now = Read(f.dir)
	return now, maps.EqualFunc(f.files, now.files, slices.Equal[[]numbered])
}

// Version is the same for folders with the same files.
func (f *Folder) Version() uint64 { return f.version }

// Open opens the columns of a table, with one reference for the caller; nil where
// there are none. Files are not opened again that a set has open which was made
// of the same ones.
func (f *Folder) Open(t Table, before *Set) *Set {
	list := f.files[t.stem()]
	if len(list) == 0 {
		return nil
	}
	if before != nil && before.table == t && slices.Equal(before.names, list) {
		return before.Acquire()
	}
	return openSet(f.dir, t, list)
}

// next returns the name of a new file of a table. It is none that a file had
// which was removed since: readers may have that open.
func (f *Folder) next(t *Table) string {
	number := uint64(time.Now().UnixMilli())
	if list := f.files[t.stem()]; len(list) > 0 {
		number = max(number, list[len(list)-1].number+1)
	}
	return t.stem() + strconv.FormatUint(number, 10) + suffix
}

// Clean removes from a folder the files of tables that are not kept any more,
// and what killed writers left. What cannot be removed, such as a file that is
// mapped on Windows, is left to the next time. Nobody may be writing.
func Clean(dir string, keep func(table string) bool) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if table, _, _, ok := parseName(e.Name()); ok && !keep(table) {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
	_, _ = segment.Clean(dir, func(string) bool { return true }, 0)
}
