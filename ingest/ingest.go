package ingest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"qipu/game"
	"qipu/record"
)

// Sink takes records. Calls come from one goroutine at a time; the games of a
// file come in their order.
type Sink interface {
	Add(ctx context.Context, p *record.Played) error
}

// Options say how to read; the zero value of a field means its default.
type Options struct {
	Formats []record.Format
	Games   game.Catalog
	Sink    Sink // may be nil

	Workers  int           // files read at the same time; default: one per core
	Encoding string        // overrides what files declare
	Limits   record.Limits // of one file
	Archives ArchiveLimits

	// Variations plays all lines, not only the main one.
	Variations bool

	// MaxErrors stops after so many rejected records or files; 0 never stops.
	MaxErrors int

	// OnFault hears of every fault: of files and of records. Calls come from
	// the goroutine that calls the sink.
	OnFault func(*record.Fault)

	// OnProgress is called about ten times a second from a goroutine of its own.
	OnProgress func(Progress)

	// Stdin is read for the path "-".
	Stdin Input
}

// Progress tells how far an import has come.
type Progress struct {
	Files, Games int64
	Bytes        int64 // of the files on disk, compressed as they are
	Total        int64 // bytes to read, as far as known
	Elapsed      time.Duration
}

// ErrTooMany tells that MaxErrors was reached.
var ErrTooMany = errors.New("ingest: too many errors")

// Run reads all paths. The error is that of the context, of a sink, or
// ErrTooMany; what went wrong inside files is in the report alone.
func Run(ctx context.Context, o Options, paths ...string) (*Report, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Limits = o.Limits.WithDefaults()
	o.Archives = o.Archives.withDefaults()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{
		Options: o, ctx: ctx, cancel: cancel,
		items:  make(chan *item, 4*o.Workers),
		events: make(chan []event, 4*o.Workers),
		budget: newBudget(o.Archives.Buffer),
	}
	stopTicker := r.tick()
	defer stopTicker()

	var workers sync.WaitGroup
	for range o.Workers {
		workers.Go(r.work)
	}
	go func() {
		r.findAll(paths)
		close(r.items)
		workers.Wait()
		close(r.events)
	}()
	report := r.collect()
	return report, context.Cause(ctx)
}

// run is one call of Run.
type run struct {
	Options
	ctx    context.Context
	cancel context.CancelCauseFunc

	items  chan *item   // files found, to be read by workers
	events chan []event // what workers read, to be handed to the sink
	budget *budget      // memory of files waiting to be read

	files, games, bytes, total atomic.Int64
}

// event is something that was read: a record, a fault, or the end of a file.
type event struct {
	played *record.Played
	fault  *record.Fault
	file   *fileStat
}

// batchSize is how many events travel together: a channel operation costs as
// much as reading a small record.
const batchSize = 64

// work reads files until there are no more.
func (r *run) work() {
	w := &worker{run: r, referee: record.NewReferee(r.Games)}
	for it := range r.items {
		if r.ctx.Err() == nil {
			w.item(it)
		}
		it.release()
	}
	w.flush()
}

// collect hands everything to the sink, in the order in which it comes, and
// counts it.
func (r *run) collect() *Report {
	report := newReport()
	fault := func(f *record.Fault) {
		report.fault(f)
		if r.OnFault != nil {
			r.OnFault(f)
		}
		if r.MaxErrors > 0 && report.Rejected >= r.MaxErrors {
			r.cancel(fmt.Errorf("%w: stopped after %d", ErrTooMany, report.Rejected))
		}
	}
	for batch := range r.events {
		for _, e := range batch {
			switch {
			case e.fault != nil:
				fault(e.fault)
			case e.file != nil:
				report.file(e.file)
				r.files.Add(1)
			case r.ctx.Err() == nil:
				report.game(e.played)
				r.games.Add(1)
				for i := range e.played.Game.Faults {
					fault(&e.played.Game.Faults[i])
				}
				if r.Sink == nil {
					continue
				}
				if err := r.Sink.Add(r.ctx, e.played); err != nil {
					r.cancel(err)
				}
			}
		}
	}
	return report
}

// tick reports progress until the returned function is called.
func (r *run) tick() func() {
	if r.OnProgress == nil {
		return func() {}
	}
	began := time.Now()
	stop, stopped := make(chan struct{}), make(chan struct{})
	show := func() {
		r.OnProgress(Progress{
			Files: r.files.Load(), Games: r.games.Load(), Bytes: r.bytes.Load(), Total: r.total.Load(), Elapsed: time.Since(began),
		})
	}
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				show()
				return
			case <-ticker.C:
				show()
			}
		}
	}()
	return func() { close(stop); <-stopped }
}

// budget bounds the memory of files that wait to be read.
type budget struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int64
	full int64
}

func newBudget(n int64) *budget {
	b := &budget{free: n, full: n}
	b.cond = sync.NewCond(&b.mu)
	return b
}

// take waits until n bytes are free. More than the whole budget is granted
// when nothing else is out.
func (b *budget) take(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n && b.free < b.full {
		b.cond.Wait()
	}
	b.free -= n
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	b.free += n
	b.mu.Unlock()
	b.cond.Broadcast()
}
