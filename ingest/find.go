package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"qipu/record"
)

// Input is a stream with a name for messages.
type Input struct {
	Name   string
	Reader io.Reader
}

// finder walks paths and archives and hands the files in them to workers. Where
// inline is set, it reads them itself instead: a worker that waited for other
// workers could wait for itself.
type finder struct {
	*run
	inline *worker
}

// findAll finds all files below the paths.
func (r *run) findAll(paths []string) {
	f := &finder{run: r}
	w := &worker{run: r, referee: r.newReferee(), finder: true} // for what is read inline, and for faults
	for _, p := range paths {
		if r.ctx.Err() != nil {
			return
		}
		f.path(w, p)
	}
}

// path finds the files below one path.
func (f *finder) path(w *worker, path string) {
	if path == "-" {
		name := f.Stdin.Name
		if name == "" {
			name = "standard input"
		}
		if f.Stdin.Reader == nil {
			w.reject(name, record.KindIO, errors.New("there is none"))
			return
		}
		f.stream(w, name, f.Stdin.Reader)
		return
	}
	if info, err := os.Stat(path); err == nil {
		switch mode := info.Mode(); {
		case mode.IsDir():
			path += string(filepath.Separator) // a link to a folder is that folder
		case mode&(fs.ModeNamedPipe|fs.ModeCharDevice|fs.ModeSocket) != 0:
			f.pipe(w, path)
			return
		}
	}
	err := filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case f.ctx.Err() != nil:
			return fs.SkipAll
		case err != nil:
			w.reject(f.Names(name), record.KindIO, err)
			return nil
		case d.IsDir():
			return nil
		}
		info, err := d.Info()
		if err == nil && d.Type()&fs.ModeSymlink != 0 {
			info, err = os.Stat(name)
		}
		if err != nil {
			w.reject(f.Names(name), record.KindIO, err)
			return nil
		}
		if !info.Mode().IsRegular() {
			w.note(f.Names(name), record.KindUnknown, "no regular file: skipped; name it as an argument to read it")
			return nil
		}
		if f.Skip != nil && f.Skip(name, info) {
			f.unchanged.Add(1)
			return nil
		}
		f.total.Add(info.Size())
		f.onDisk(w, &onDisk{name, info})
		return nil
	})
	if err != nil {
		w.reject(f.Names(path), record.KindIO, err)
	}
}

// pipe reads a named pipe or device that was asked for by name.
func (f *finder) pipe(w *worker, path string) {
	file, err := os.Open(path)
	if err != nil {
		w.reject(f.Names(path), record.KindIO, err)
		return
	}
	defer file.Close()
	f.stream(w, f.Names(path), file)
}

// stream finds the files of a stream.
func (f *finder) stream(w *worker, name string, r io.Reader) {
	a := archive{name: name, raw: new(atomic.Int64), out: new(atomic.Int64), kept: new(int64)}
	a.reader = &counter{r: &counter{r: r, n: a.raw}, n: &f.bytes}
	f.unpack(w, a)
}

// onDisk hands a file to the workers, or unpacks it.
func (f *finder) onDisk(w *worker, d *onDisk) {
	name := f.Names(d.path)
	if !packedName(d.path) {
		f.send(&item{name: name, path: d.path, disk: d, sibling: f.folderSibling(d.path)})
		return
	}
	file, err := os.Open(d.path)
	if err != nil {
		w.reject(name, record.KindIO, err)
		return
	}
	defer file.Close()
	w.unread = false
	f.open(w, name, file, d.info.Size())
	if !w.unread && f.ctx.Err() == nil {
		w.alone(func() { w.send(event{read: d}) })
	}
}

// open finds the files of a packed file on disk.
func (f *finder) open(w *worker, name string, file *os.File, size int64) {
	raw := new(atomic.Int64)
	f.unpack(w, archive{
		name: name, reader: &counter{r: &counter{r: file, n: raw}, n: &f.bytes},
		at: file, size: size, raw: raw, out: new(atomic.Int64), kept: new(int64),
	})
}

// send hands a file to the workers.
func (f *finder) send(it *item) {
	it.number = f.next.Add(1) - 1
	select {
	case f.items <- it:
	case <-f.ctx.Done():
		it.release()
	}
}

// folderSibling opens another file of the same folder, by its name in any
// case. Such files are tables and small: they are read whole.
func (f *finder) folderSibling(path string) func(string) (*record.Source, error) {
	return func(name string) (*record.Source, error) {
		dir := filepath.Dir(path)
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if strings.EqualFold(e.Name(), name) {
				at := filepath.Join(dir, e.Name())
				return readSibling(at, f.Names(at))
			}
		}
		return nil, fs.ErrNotExist
	}
}

func readSibling(path, name string) (*record.Source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, siblingLimit+1))
	if err == nil && len(data) > siblingLimit {
		err = fmt.Errorf("%s: larger than %d bytes", name, siblingLimit)
	}
	return memory(name, data), err
}

// siblingLimit bounds a table that belongs to another file.
const siblingLimit = 16 << 20

func memory(name string, data []byte) *record.Source {
	return &record.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data)), At: bytes.NewReader(data)}
}

// counter counts the bytes that are read through it.
type counter struct {
	r io.Reader
	n *atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}
