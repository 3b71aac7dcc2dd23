package retrieve

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"qipu/index"
	"qipu/interval"
)

// scan verifies what the index lets through, on several cores, and gathers the
// results in the order of the store.
func (f *finder) scan(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	workers := f.Workers
	if workers <= 0 {
		workers = min(runtime.GOMAXPROCS(0), 16)
	}
	jobs := make(chan *job, workers)
	order := make(chan *job, 4*workers)
	var wg sync.WaitGroup
	if p := pacerOf(ctx); p != nil {
		wg.Go(func() { f.pace(ctx, p, jobs, workers) })
	} else {
		for range workers {
			wg.Go(func() { f.work(ctx, jobs) })
		}
	}
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		for batch, err := range f.view.Scan(ctx, f.plan) {
			j := &job{batch: batch, err: err, done: make(chan struct{})}
			if err != nil {
				close(j.done)
			}
			select {
			case order <- j:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				close(j.done)
				return
			}
		}
	})
	defer wg.Wait()
	for j := range order {
		<-j.done
		if err := context.Cause(ctx); err != nil {
			cancel(err)
			return err
		}
		if j.err != nil {
			cancel(j.err)
			if f.Partly && errors.Is(j.err, ErrEnough) {
				f.cut = true
				return nil
			}
			return j.err
		}
		if err := f.take(j); err != nil {
			cancel(err)
			return err
		}
	}
	return context.Cause(ctx)
}

// work looks at blocks as they come.
func (f *finder) work(ctx context.Context, jobs <-chan *job) {
	w := f.worker(ctx)
	for j := range jobs {
		w.do(ctx, j)
	}
}

func (f *finder) worker(ctx context.Context) *worker {
	w := newWorker(f)
	w.stopped = ctx.Done()
	return w
}

// do looks at the block of a job, unless the scan is given up.
func (w *worker) do(ctx context.Context, j *job) {
	defer close(j.done)
	if ctx.Err() == nil {
		j.err = w.view.Guard(func() error { w.run(j); return nil })
	}
}

// job is a batch on its way through a worker.
type job struct {
	batch *index.Batch
	err   error
	done  chan struct{}

	rows  []Row
	hits  int
	table nextMoves
	tree  *Node
	work  interval.Work

	scanned []string // names of marks that no column is kept of
}

// take adds the result of a batch.
func (f *finder) take(j *job) error {
	f.explain.Pages += j.batch.Pages
	f.explain.Lines += int64(j.batch.Lanes.Count())
	f.explain.Work.Add(j.work)
	f.hits += j.hits
	f.scanned = append(f.scanned, j.scanned...)
	f.table.merge(&j.table)
	if j.tree != nil {
		f.tree.merge(j.tree)
	}
	for i := range j.rows {
		if f.byGame == nil {
			f.settle(&j.rows[i])
		} else {
			f.mergeRow(&j.rows[i])
		}
	}
	return f.tell()
}

// tell tells the caller how far the scan has come.
func (f *finder) tell() error {
	if p := &f.pager; !f.paged && p.limit > 0 && len(p.rows) >= p.limit && f.byGame == nil && f.Order == ByStore && !f.Reverse && f.Cursor == "" {
		f.paged = true
		f.explain.First = time.Since(f.began)
		if f.OnPage != nil {
			rows := slices.Clone(p.rows[:p.limit])
			if err := f.differ(rows); err != nil {
				return err
			}
			f.OnPage(rows)
		}
	}
	if f.OnTick != nil && time.Since(f.ticked) > 100*time.Millisecond {
		f.ticked = time.Now()
		f.OnTick(f.games+len(f.rows), f.hits)
	}
	return nil
}
