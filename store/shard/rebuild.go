package shard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/record"
	"qipu/remedy"
	"qipu/segment"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/table"
)

// mended does something; where tables turn out to be damaged, it makes them anew
// and does it once more. The caller holds no lock.
func mended[T any](ctx context.Context, s *Shard, do func() (T, error)) (T, error) {
	v, err := do()
	if err == nil || !store.Repairable(err) || ctx.Err() != nil {
		return v, err
	}
	if !s.options.ReadOnly {
		_, failed := s.Repair(ctx, nil)
		if _, some := errors.AsType[*store.UnreadableError](failed); failed == nil || some {
			if v, err = do(); err == nil {
				return v, nil
			}
		} else {
			err = errors.Join(err, failed)
		}
	}
	return v, remedy.For(err, remedy.Repair)
}

// Reindex makes all tables anew from the records. Games whose records cannot be
// read are in none, and named by an *UnreadableError.
func (s *Shard) Reindex(ctx context.Context, progress store.Progress) error {
	s.tidy.Lock()
	defer s.tidy.Unlock()
	s.write.Lock()
	defer s.write.Unlock()
	snapshot, err := s.cat.Snapshot(ctx)
	if err != nil {
		return err
	}
	ids, err := s.cat.IDs(ctx, "")
	if err != nil {
		return err
	}
	_, err = s.rebuild(ctx, snapshot, snapshot.Segments, ids, progress)
	return err
}

// Repair makes those tables anew that are damaged, missing, or of an older
// format, and whatever games are in none. It returns how many games it indexed,
// and an *UnreadableError for those whose records cannot be read.
func (s *Shard) Repair(ctx context.Context, progress store.Progress) (done int, err error) {
	err = s.asWriter(ctx, func(w *Shard) (err error) {
		done, err = w.repair(ctx, progress)
		return err
	})
	return done, err
}

func (s *Shard) repair(ctx context.Context, progress store.Progress) (int, error) {
	s.tidy.Lock()
	defer s.tidy.Unlock()
	s.write.Lock()
	defer s.write.Unlock()
	snapshot, err := s.cat.Snapshot(ctx)
	if err != nil {
		return 0, err
	}
	missing, err := s.cat.IDs(ctx, "")
	if err != nil {
		return 0, err
	}
	if err := s.withoutBoard(ctx, missing); err != nil {
		return 0, err
	}
	var bad []catalog.Segment
	for _, seg := range snapshot.Segments {
		switch err := s.verify(ctx, seg); {
		case err == nil:
			if !seg.Variations {
				good := seg.Games.Clone()
				good.AndNot(seg.Dead)
				missing.AndNot(good)
			}
		case ctx.Err() != nil || errors.Is(err, segment.ErrNewer):
			return 0, err
		default:
			bad = append(bad, seg)
		}
	}
	for _, seg := range bad {
		lost := seg.Games.Clone()
		lost.AndNot(seg.Dead)
		missing.Or(lost)
	}
	for _, id := range snapshot.Waiting {
		missing.Remove(id)
	}
	if missing.IsEmpty() && len(bad) == 0 {
		return 0, s.makeFolder()
	}
	return s.rebuild(ctx, snapshot, bad, missing, progress)
}

// withoutBoard takes the games out of a set that no table can hold.
func (s *Shard) withoutBoard(ctx context.Context, ids *roaring.Bitmap) error {
	none, err := s.cat.IDs(ctx, store.UnknownKind)
	if err == nil {
		ids.AndNot(none)
	}
	return err
}

// verify reads every byte of a table.
func (s *Shard) verify(ctx context.Context, seg catalog.Segment) error {
	t, err := s.openTable(seg)
	if err != nil {
		return err
	}
	defer t.File.Close()
	if err := t.File.Verify(ctx); err != nil {
		return err
	}
	return segment.Guard(func() error {
		for i := range t.Opened {
			if _, err := t.Block(i); err != nil {
				return err
			}
		}
		if err := t.Remarks.Each(func(uint32, []byte) error { return nil }); err != nil {
			return err
		}
		games := roaring.New()
		for line := range t.Lines {
			games.Add(t.Columns.Game(line))
		}
		if !games.Equals(seg.Games) {
			return &segment.CorruptError{Path: filepath.Join(s.dir, segmentDir, seg.File), Section: table.SecColumns, Page: -1, Reason: "its games are not those of the manifest"}
		}
		return nil
	})
}

// rebuild makes tables of games and puts them in the place of old ones. The
// games must include all living ones of the old tables; in other tables they
// are dead from then on. It returns how many games it indexed. The caller writes.
func (s *Shard) rebuild(ctx context.Context, snapshot *catalog.Snapshot, old []catalog.Segment, ids *roaring.Bitmap, progress store.Progress) (int, error) {
	if err := s.makeFolder(); err != nil {
		return 0, err
	}
	r := &rebuilder{Shard: s, progress: progress, total: int(ids.GetCardinality())}
	c := &change{Shard: s}
	err := s.eachDocument(ctx, ids.ToArray(), r.add)
	unreadable, some := errors.AsType[*store.UnreadableError](err)
	if some {
		err = nil
	}
	if err == nil {
		err = r.flush(0)
	}
	for _, seg := range r.segments {
		c.files = append(c.files, seg.File)
	}
	if err != nil {
		c.undo()
		return 0, err
	}
	if some && r.done == 0 && len(old) == 0 {
		return 0, unreadable
	}
	err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
		var drop []int64
		for _, seg := range old {
			drop = append(drop, seg.ID)
		}
		if err := tx.DropSegments(drop, nil); err != nil {
			return err
		}
		for _, seg := range r.segments {
			if _, err := tx.AddSegment(seg); err != nil {
				return err
			}
		}
		for _, seg := range snapshot.Segments {
			if !slices.Contains(drop, seg.ID) && seg.Games.Intersects(ids) {
				dead := roaring.And(seg.Games, ids)
				dead.Or(seg.Dead)
				if err := tx.SetDead(seg.ID, dead); err != nil {
					return err
				}
			}
		}
		var done []uint32
		for _, id := range snapshot.Waiting {
			if ids.Contains(id) {
				done = append(done, id)
			}
		}
		return tx.SetWaiting(done, false)
	})
	if err != nil {
		c.undo()
		return 0, err
	}
	s.mu.Lock()
	err = s.load(context.WithoutCancel(ctx), nil)
	s.mu.Unlock()
	for _, seg := range old {
		// One that does not even begin like a segment is left alone by clean.
		os.Remove(filepath.Join(s.dir, segmentDir, seg.File))
	}
	err = errors.Join(err, s.clean(context.WithoutCancel(ctx)))
	if err == nil && some {
		err = unreadable
	}
	return r.done, err
}

// rebuilder gathers documents into tables and writes them when they are large
// enough.
type rebuilder struct {
	*Shard
	progress    store.Progress
	done, total int
	builders    builders
	segments    []catalog.Segment
}

func (r *rebuilder) add(doc *index.Document) error {
	if doc != nil {
		r.builders.add(doc)
	}
	r.done++
	if r.progress != nil && (r.done%1000 == 0 || r.done == r.total) {
		r.progress(r.done, r.total)
	}
	return r.flush(mergeLines / 2)
}

// flush writes the tables that have so many lines.
func (r *rebuilder) flush(lines int) error {
	var err error
	r.builders.list = slices.DeleteFunc(r.builders.list, func(b *table.Builder) bool {
		if b.Len() < lines || err != nil {
			return false
		}
		var seg catalog.Segment
		if seg, err = r.writeFile(b); err == nil {
			r.segments = append(r.segments, seg)
		}
		return true
	})
	return err
}

// eachDocument makes the documents of games, on all cores, and hands them on in
// order; nil for a game without a board. It goes on past records that cannot be
// read, and ends with an *UnreadableError for them.
func (s *Shard) eachDocument(ctx context.Context, ids []uint32, take func(*index.Document) error) error {
	const chunk = 256
	type job struct {
		ids  []uint32
		docs []*index.Document
		bad  store.UnreadableError
		err  error
		done chan struct{}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	jobs := make(chan *job)
	queue := make(chan *job, workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		defer close(queue)
		defer close(jobs)
		for part := range slices.Chunk(ids, chunk) {
			j := &job{ids: part, done: make(chan struct{})}
			for _, to := range []chan *job{queue, jobs} {
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
			maker := index.Documents{Kinds: s.kinds}
			referee := record.NewReferee(s.options.Games)
			referee.Trace = true
			for j := range jobs {
				layers, failed := s.layers(ctx, j.ids)
				if j.err = failed; failed != nil {
					close(j.done)
					continue
				}
				for text, err := range s.cat.Texts(ctx, j.ids) {
					doc, err := makeDocument(&maker, referee, text, layers[text.ID], err)
					if errors.Is(err, store.ErrDamaged) {
						j.bad.Add(text.ID, err)
						continue
					}
					if err != nil {
						j.err = err
						break
					}
					j.docs = append(j.docs, doc)
				}
				close(j.done)
			}
		})
	}
	var bad store.UnreadableError
	for j := range queue {
		select {
		case <-j.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if j.err != nil {
			return j.err
		}
		for _, id := range j.bad.Games {
			bad.Add(id, j.bad.Reason)
		}
		for _, doc := range j.docs {
			if err := take(doc); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil || len(bad.Games) == 0 {
		return err
	}
	return &bad
}

// Check verifies everything: the catalogue, every byte of every table, and that
// each game is in exactly one. With deep it also compares what the tables hold
// with what the records give. Others may read and write meanwhile. Progress, which may
// be nil, counts the games whose tables, or with deep whose records, were looked at.
func (s *Shard) Check(ctx context.Context, deep bool, progress store.Progress, report func(store.Problem)) error {
	if progress == nil {
		progress = func(int, int) {}
	}
	if err := checkSums(ctx, s.dir, report); err != nil {
		return err
	}
	err := s.cat.Verify(ctx, deep, func(p catalog.Problem) {
		report(store.Problem{What: "catalogue", Name: p.What, Reason: p.String(), Remedy: remedy.Restore.With("")})
	})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		before, err := s.cat.Generation(ctx)
		if err != nil {
			return err
		}
		var found []store.Problem
		faulty := s.checkTables(ctx, deep, progress, func(p store.Problem) { found = append(found, p) })
		after, err := s.cat.Generation(ctx)
		if err != nil {
			return err
		}
		// What is found while games are added and tables merged may be nothing
		// but that: it is looked at again.
		if before != after && (faulty != nil || len(found) > 0) && try < checkTries && ctx.Err() == nil {
			continue
		}
		for _, p := range found {
			report(p)
		}
		return faulty
	}
}

// checkTries is how often Check looks at tables that change under it.
const checkTries = 8

func (s *Shard) checkTables(ctx context.Context, deep bool, progress store.Progress, report func(store.Problem)) error {
	snapshot, err := s.cat.Snapshot(ctx)
	if err != nil {
		return err
	}
	missing, err := s.cat.IDs(ctx, "")
	if err != nil {
		return err
	}
	if err := s.withoutBoard(ctx, missing); err != nil {
		return err
	}
	all := missing.Clone()
	twice := roaring.New()
	found := map[bool]*roaring.Bitmap{false: roaring.New(), true: roaring.New()}
	for _, seg := range snapshot.Segments {
		if err := s.verify(ctx, seg); err != nil {
			if ctx.Err() != nil {
				return err
			}
			report(store.Problem{What: "table", Name: seg.File, Reason: err.Error(), Remedy: remedy.Repair.With("")})
		}
		live := seg.Games.Clone()
		live.AndNot(seg.Dead)
		if !seg.Variations {
			twice.Or(roaring.And(found[false], live))
		}
		found[seg.Variations].Or(live)
		if !deep {
			progress(int(found[false].GetCardinality()), int(all.GetCardinality()))
		}
	}
	for _, id := range snapshot.Waiting {
		if found[false].Contains(id) {
			twice.Add(id)
		}
		found[false].Add(id)
	}
	missing.AndNot(found[false])
	// A game whose record cannot be read is in no table, and will be in none.
	err = s.eachDocument(ctx, missing.ToArray(), func(*index.Document) error { return nil })
	lost := reportUnreadable(err, report)
	if err != nil && lost == nil {
		return err
	}
	readable := all.Clone()
	for _, id := range lost {
		missing.Remove(id)
		readable.Remove(id)
	}
	strays := found[false].Clone()
	strays.Or(found[true])
	strays.AndNot(all)
	for _, set := range []struct {
		ids    *roaring.Bitmap
		reason string
	}{{missing, "is in no table"}, {twice, "is in two tables"}, {strays, "is in a table, but not in the catalogue"}} {
		for i, id := range set.ids.ToArray() {
			if i == 20 {
				report(store.Problem{What: "game", Reason: fmt.Sprintf("%d more of the same", int(set.ids.GetCardinality())-i), Remedy: remedy.Reindex.With("")})
				break
			}
			report(store.Problem{What: "game", Name: fmt.Sprint(id), Reason: set.reason, Remedy: remedy.Reindex.With("")})
		}
	}
	if deep {
		if err := s.compare(ctx, readable, progress, report); err != nil && reportUnreadable(err, report) == nil {
			return err
		}
	}
	return nil
}

// reportUnreadable reports the records that an *UnreadableError names, and
// returns their games.
func reportUnreadable(err error, report func(store.Problem)) []uint32 {
	unreadable, ok := errors.AsType[*store.UnreadableError](err)
	if !ok {
		return nil
	}
	for _, id := range unreadable.Games {
		name := fmt.Sprint(id)
		report(store.Problem{What: "record", Name: name, Reason: "cannot be read: " + unreadable.Reason.Error(),
			Remedy: remedy.Replace.With(name)})
	}
	return unreadable.Games
}
