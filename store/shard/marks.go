package shard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/store"
	"qipu/store/shard/internal/marks"
)

// marksFolder is the folder of the columns of marks in that of the store.
const marksFolder = "marks"

func (s *Shard) marksDir() string { return filepath.Join(s.dir, marksFolder) }

// followMarks makes the state anew where columns of marks have come or gone. The
// caller holds mu.
func (s *Shard) followMarks() {
	var same bool
	if s.kept, same = s.kept.Refresh(); same {
		return
	}
	old := s.state
	next := &state{generation: old.generation, waiting: old.waiting, count: 1}
	same = true
	for _, p := range old.parts {
		q := *p
		if p.segment.ID != 0 {
			q.marks = s.kept.Open(p.Identity, p.marks)
			same = same && q.marks == p.marks
		}
		p.File.Acquire()
		next.parts = append(next.parts, &q)
	}
	if same {
		next.release()
		return
	}
	old.release()
	s.state = next
}

// MarksVersion is the same as long as no columns of marks have come or gone, of this
// process or another. It costs a look at their folder.
func (s *Shard) MarksVersion() store.Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.state != nil: // which must not be left with columns of before
		s.followMarks()
	case s.kept == nil:
		s.kept = marks.Read(s.marksDir())
	default:
		s.kept, _ = s.kept.Refresh()
	}
	return store.Version{Near: int64(s.kept.Version())}
}

// marked returns the lines that have a mark; nil for all lines where a column is
// not kept.
func (p *part) marked(e index.Marked) *roaring.Bitmap {
	m := roaring.New()
	var lines []uint32
	for _, key := range e.Keys {
		c, ok := p.marks.Column(key)
		if !ok {
			return nil
		}
		lines = c.AppendLines(lines[:0], e.Of)
		m.AddMany(lines)
	}
	return m
}

// blockMarks are the columns of one block.
type blockMarks struct {
	set      *marks.Set
	first, n int // lines
}

var _ index.Marks = (*blockMarks)(nil)

// Has reports whether the column of a key is kept.
func (b *blockMarks) Has(key uint64) bool {
	_, ok := b.set.Column(key)
	return ok
}

// AppendMarks appends the intervals of a column.
func (b *blockMarks) AppendMarks(dst []interval.Owned, key uint64, lanes *interval.Mask) ([]interval.Owned, bool) {
	c, ok := b.set.Column(key)
	return c.AppendOwned(dst, b.first, b.n, lanes), ok
}

// BuildMarks makes the columns of what markers know, for all tables of their
// kinds of game that do not have them, and removes columns that nobody asks for
// any more. Kinds that are not named keep what they have. Views see a column from
// the next one on. Games that wait for a table have none, and neither have those
// that are added meanwhile, if it does not come to them.
//
// It is done by one at a time. Where it fails or is cancelled, what was written
// until then is of use. Progress counts lines.
func (s *Shard) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (store.Marked, error) {
	var done store.Marked
	if s.options.ReadOnly && !s.options.Marking {
		return done, errors.New("shard: the library is open for reading alone: open it for writing to keep columns of marks")
	}
	s.marking.Lock()
	defer s.marking.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.stopped, func() { cancel(s.stopped.Err()) })()
	if err := os.MkdirAll(s.marksDir(), 0o777); err != nil {
		return done, fmt.Errorf("shard: %w", err)
	}
	err := s.buildMarks(ctx, markers, progress, &done)
	if snapshot, e := s.cat.Snapshot(context.WithoutCancel(ctx)); e == nil {
		named := map[string]bool{}
		for _, seg := range snapshot.Segments {
			named[seg.File] = true
		}
		marks.Clean(s.marksDir(), func(table string) bool { return named[table] })
	}
	return done, err
}

func (s *Shard) buildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress, done *store.Marked) error {
	st, err := s.current(ctx)
	if err != nil {
		return err
	}
	defer st.release()
	total, seen := 0, 0
	for _, p := range st.parts {
		if _, asked := markers[p.Kind]; asked && p.segment.ID != 0 {
			total += p.Lines
		}
	}
	for _, p := range st.parts {
		list, asked := markers[p.Kind]
		if !asked || p.segment.ID == 0 {
			continue
		}
		src := &marks.Source{Table: p.Identity, Blocks: len(p.Opened), Block: func(i int) (*interval.Block, int, error) {
			b, err := p.Block(i)
			return b, p.Bases[i], err
		}}
		walked := 0
		built, err := marks.Read(s.marksDir()).Build(ctx, src, list, p.marks, func(lines int) {
			walked += lines
			if progress != nil {
				progress(seen+walked, total)
			}
		})
		if err != nil {
			return err
		}
		seen += p.Lines
		done.Lines += walked
		done.Columns += built.Columns
		if built.Bytes > 0 {
			done.Tables++
			done.Bytes += built.Bytes
			s.mu.Lock()
			if s.state != nil {
				s.followMarks()
			}
			s.mu.Unlock()
		}
		built.Remove()
	}
	return nil
}
