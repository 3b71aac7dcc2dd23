package marks

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"qipu/interval"
	"qipu/segment"
)

// maxFiles is how many files a table may have before they are made into one.
const maxFiles = 8

// Source is a table whose columns are to be made.
type Source struct {
	Table
	Blocks int

	// Block returns a block and the number of its first line. It is called by
	// several goroutines, each inside segment.Guard.
	Block func(i int) (b *interval.Block, first int, err error)
}

// Built is what was done for a table.
type Built struct {
	Columns int   // made anew
	Bytes   int64 // of the file that was written; 0 where none was

	dir   string
	stale []string
}

// Remove removes the files that have become superfluous. Readers should have been
// shown the new ones by then.
func (b *Built) Remove() {
	for _, name := range b.stale {
		os.Remove(filepath.Join(b.dir, name))
	}
}

// Build makes the columns of markers that a table does not have yet, all in one
// walk along its lines, and writes them to a new file. Files that are damaged or
// hold nothing that the markers ask for become superfluous; where there are many
// files, or most of what they hold is not asked for any more, the new one takes
// in what still is. Nobody else may be writing to the folder.
//
// A set of the table that is open already saves opening its files, and reading
// all of them once more.
//
// It takes the memory of the columns, and of a few blocks for each core.
func (f *Folder) Build(ctx context.Context, src *Source, markers []interval.Marker, have *Set, done func(lines int)) (*Built, error) {
	open := f.Open(src.Table, have)
	set, err := open.check(ctx)
	open.Release()
	if err != nil {
		return nil, err
	}
	defer set.Release()
	w := newWalk(src, markers, set)
	list, err := w.columns(ctx, done)
	if err != nil {
		return nil, err
	}
	built := &Built{Columns: len(list), dir: f.dir}
	copies, stale, err := set.tidy(w.wanted, len(list) > 0)
	if err != nil {
		return nil, err
	}
	built.stale = stale
	if list = append(list, copies...); len(list) > 0 {
		built.Bytes, err = write(f.dir, f.next(&src.Table), &src.Table, list)
	}
	return built, err
}

// tidy returns the files that are superfluous, given the keys that are asked for
// and whether there will be one file more, and copies of the columns in them
// that the new one is to take in.
func (s *Set) tidy(wanted map[uint64]bool, more bool) (copies []column, stale []string, err error) {
	if s == nil {
		return nil, nil, nil
	}
	stale = slices.Clone(s.bad)
	var rest []*file
	serve, total := 0, 0
	for i := range s.files {
		f := &s.files[i]
		n := 0
		for _, key := range f.keys {
			if wanted[key] && s.at[key].file == f {
				n++
			}
		}
		if n == 0 {
			stale = append(stale, f.name)
			continue
		}
		rest = append(rest, f)
		serve, total = serve+n, total+len(f.keys)
	}
	files := len(rest)
	if more {
		files++
	}
	if files <= maxFiles && 2*serve >= total {
		return nil, stale, nil
	}
	err = segment.Guard(func() error {
		for key, p := range s.at {
			if wanted[key] {
				data, ok := p.bytes()
				if !ok {
					return segment.ErrCorrupt // since it was checked
				}
				copies = append(copies, column{key, slices.Clone(data)})
			}
		}
		return nil
	})
	for _, f := range rest {
		stale = append(stale, f.name)
	}
	return copies, stale, err
}

// walk makes the columns of one table.
type walk struct {
	src    *Source
	wanted map[uint64]bool // keys
	keys   []uint64        // that are missing
	legs   []leg
}

// leg is what one marker has to do: at has, for each of its columns, the number
// of the missing key, or -1.
type leg struct {
	interval.Marker
	at []int
}

func newWalk(src *Source, markers []interval.Marker, have *Set) *walk {
	w := &walk{src: src, wanted: map[uint64]bool{}}
	for _, m := range markers {
		l := leg{Marker: m}
		some := false
		for _, key := range m.Keys() {
			at := -1
			if !have.holds(key) && !w.wanted[key] {
				at, some = len(w.keys), true
				w.keys = append(w.keys, key)
			}
			w.wanted[key] = true
			l.at = append(l.at, at)
		}
		if some {
			w.legs = append(w.legs, l)
		}
	}
	return w
}

// job is a block on its way through a worker.
type job struct {
	block  int
	first  int // line
	lines  int
	found  [][]interval.Owned // of each missing key
	err    error
	closed chan struct{}
}

// columns walks along all lines.
func (w *walk) columns(ctx context.Context, done func(lines int)) ([]column, error) {
	if len(w.keys) == 0 {
		return nil, nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	workers := min(runtime.GOMAXPROCS(0), w.src.Blocks)
	jobs, order := make(chan *job), make(chan *job, 2*workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel(nil)
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		for i := range w.src.Blocks {
			j := &job{block: i, closed: make(chan struct{})}
			for _, to := range []chan *job{order, jobs} {
				select {
				case to <- j:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.err = segment.Guard(func() error { return w.mark(ctx, j) })
				close(j.closed)
			}
		})
	}
	writers := make([]interval.MarkWriter, len(w.keys))
	for j := range order {
		select {
		case <-j.closed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		if j.err != nil {
			return nil, j.err
		}
		for i, list := range j.found {
			for len(list) > 0 {
				n := 1
				for n < len(list) && list[n].Lane == list[0].Lane {
					n++
				}
				writers[i].Add(uint32(j.first)+uint32(list[0].Lane), list[:n])
				list = list[n:]
			}
		}
		if done != nil {
			done(j.lines)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	list := make([]column, len(w.keys))
	for i, key := range w.keys {
		list[i] = column{key, writers[i].AppendTo(nil)}
	}
	return list, nil
}

// mark finds the marks of the lines of a block.
func (w *walk) mark(ctx context.Context, j *job) error {
	b, first, err := w.src.Block(j.block)
	if err != nil {
		return err
	}
	j.first, j.lines = first, b.N
	j.found = make([][]interval.Owned, len(w.keys))
	begin := make([]int, len(w.keys)) // of the line at hand
	var marks []interval.Mark
	for lane := range b.N {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l := b.Line(lane)
		for i := range begin {
			begin[i] = len(j.found[i])
		}
		for _, leg := range w.legs {
			marks = leg.AppendMarks(marks[:0], &l, func(column int) bool { return leg.at[column] >= 0 })
			for _, m := range marks {
				if at := leg.at[m.Column]; at >= 0 {
					j.found[at] = interval.AppendMarks(j.found[at], lane, &l, []interval.Mark{m})
				}
			}
		}
		for i, from := range begin {
			line := interval.UniteOwned(j.found[i][from:])
			j.found[i] = j.found[i][:from+len(line)]
		}
	}
	return nil
}
