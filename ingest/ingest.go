package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"qipu/game"
	"qipu/record"
)

// Sink takes records. Calls come from one goroutine at a time, in the order of
// files and of the games in them.
type Sink interface {
	Add(ctx context.Context, p *record.Played) error
}

// Deliver hands a record on, as a Sink takes it.
type Deliver func(ctx context.Context) error

// SinkFunc makes a sink of a function.
type SinkFunc func(*record.Played) error

// Add gives the record to the function.
func (f SinkFunc) Add(_ context.Context, p *record.Played) error { return f(p) }

// Options say how to read; the zero value of a field means its default.
type Options struct {
	Formats []record.Format
	Games   game.Catalog
	Sink    Sink // may be nil

	Workers  int           // files read at the same time; default: one per core
	Encoding string        // overrides what files declare
	Limits   record.Limits // of one file
	Archives ArchiveLimits
	Ahead    int64 // bytes of memory for what was read ahead of the file whose turn it is; default 24 MiB

	// Variations plays all lines, not only the main one.
	Variations bool

	// Trace has every record come with all changes of its board, as
	// record.Referee.Trace does.
	Trace bool

	// MaxErrors stops after so many rejected records or files; 0 never stops.
	MaxErrors int

	// Prepare is called once for each worker and returns what the worker does to
	// every record before it is handed on: work that needs no order and can be done
	// on all cores. What that returns is called in the place of Sink.Add, so that
	// what was made of the record need not travel with it.
	Prepare func() func(*record.Played) Deliver

	// Names returns the name of a file on disk as users know it, which records,
	// faults and companions bear instead of its path. It is called by several
	// goroutines.
	Names func(path string) string

	// Track follows what is handed on, where it is given. A track that has come
	// some way already has Run go on behind it.
	Track *Track

	// Skip is asked about every file on disk before it is opened; what it
	// returns true for is counted as unchanged. Calls come from one goroutine.
	Skip func(path string, info fs.FileInfo) bool

	// OnRead hears of every file on disk that was read to its end, archives
	// included, when the sink has all records of it. Calls come from the
	// goroutine that calls the sink.
	OnRead func(path string, info fs.FileInfo)

	// OnFault hears of every fault: of files and of records. Calls come from
	// the goroutine that calls the sink.
	OnFault func(*record.Fault)

	// OnFaultBytes hears of every fault too, with the bytes of the file from its
	// place on: a few, or none where they are not at hand.
	OnFaultBytes func(f *record.Fault, at []byte)

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

// maxWorkers bounds the default: each worker holds a few records in memory.
const maxWorkers = 8

// ErrTooMany tells that MaxErrors was reached.
var ErrTooMany = errors.New("ingest: too many errors")

// Run reads all paths. The error is that of the context, of a sink, or
// ErrTooMany; what went wrong inside files is in the report alone.
func Run(ctx context.Context, o Options, paths ...string) (*Report, error) {
	if o.Workers <= 0 {
		o.Workers = min(runtime.GOMAXPROCS(0), maxWorkers)
	}
	o.Limits = o.Limits.WithDefaults()
	o.Archives = o.Archives.withDefaults()
	o.Ahead = cmp.Or(o.Ahead, maxHeld)
	if o.Names == nil {
		o.Names = func(path string) string { return path }
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &run{
		Options: o, ctx: ctx, cancel: cancel,
		items:  make(chan *item, 4*o.Workers),
		events: make(chan []event, 2),
		budget: budget{free: o.Archives.Buffer, full: o.Archives.Buffer},
	}
	r.budget.open(ctx)
	r.queue.open(ctx)
	r.queue.most = o.Ahead
	if o.Track != nil {
		r.behind = o.Track.File
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
	report, err := r.collect()
	if err != nil && ctx.Err() == nil {
		cancel(err)
	}
	report.Unchanged = int(r.unchanged.Load())
	return report, context.Cause(ctx)
}

// run is one call of Run.
type run struct {
	Options
	ctx    context.Context
	cancel context.CancelCauseFunc

	items  chan *item   // files found, to be read by workers
	events chan []event // what workers read, to be handed to the sink
	budget budget       // memory of files waiting to be read
	queue  queue        // the order in which events are handed on

	next                       atomic.Int64 // number of the next file
	behind                     int64        // files before this one were handed on by an earlier run
	files, games, bytes, total atomic.Int64
	unchanged                  atomic.Int64
}

// event is something that was read: a record, a fault, or the end of a file.
type event struct {
	number int64 // of the file, in the order of finding
	played *record.Played
	hand   Deliver // the record on; nil where the sink takes it
	fault  *record.Fault
	at     [][]byte // the bytes at the place of the fault, or of each fault of the record
	bare   bool     // the record was not played: an earlier run has handed it on
	file   bool     // the file was gone through
	skip   bool     // and is of no known format
	read   *onDisk  // a file on disk that was read to its end
	last   bool     // nothing more comes of this file
}

// onDisk is a file on disk.
type onDisk struct {
	path string
	info fs.FileInfo
}

// weight is about how much memory an event holds.
func (e *event) weight() int64 {
	if e.played == nil {
		return 256
	}
	g := e.played.Game
	return int64(2*len(g.Raw)+len(g.Nodes)*96+len(e.played.Changes)*8) + 1024
}

// Events travel together, so many or so heavy at the most: a channel operation
// costs as much as reading a small record, but records may be large.
const (
	batchSize   = 64
	batchWeight = 1 << 20
)

// work reads files until there are no more.
func (r *run) work() {
	w := &worker{run: r, referee: r.newReferee()}
	for it := range r.items {
		w.number = it.number
		if r.ctx.Err() == nil {
			w.unread = false
			w.item(it)
			if it.disk != nil && !w.unread && r.ctx.Err() == nil {
				w.send(event{read: it.disk})
			}
		}
		it.release()
		w.end()
	}
}

func (r *run) newReferee() *record.Referee {
	referee := record.NewReferee(r.Games)
	referee.Trace = r.Trace
	return referee
}

// collect puts what the workers read back into order, hands it to the sink,
// and counts it.
func (r *run) collect() (*Report, error) {
	c := &collector{run: r, report: newReport(), waiting: map[int64][]event{}}
	if t := r.Track; t != nil {
		c.start(t)
	}
	for batch := range r.events {
		for _, e := range batch {
			c.take(e)
		}
	}
	if c.pass > 0 {
		return c.report, ErrChanged
	}
	return c.report, nil
}

// collector hands events on in the order of files.
type collector struct {
	*run
	report  *Report
	waiting map[int64][]event
	passing
}

// take takes an event in the order of reading.
func (c *collector) take(e event) {
	if e.number > c.queue.current() {
		c.waiting[e.number] = append(c.waiting[e.number], e)
		c.queue.hold(e.weight())
		return
	}
	c.handle(e)
	for last := e.last; last; {
		n := c.queue.advance()
		last = false
		for _, w := range c.waiting[n] {
			c.handle(w)
			c.queue.hold(-w.weight())
			last = last || w.last
		}
		delete(c.waiting, n)
	}
}

// queue is the order of files: the file whose events go straight through, and
// how many events of files behind it wait. Workers that are too far ahead wait
// themselves; the one that reads the current file never does.
type queue struct {
	gate
	number int64
	held   int64 // memory of the events that wait
	most   int64 // of it
}

// maxHeld is how much may wait for an earlier file by default.
const maxHeld = 24 << 20

func (q *queue) current() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.number
}

// hold counts memory of events that wait, or with a negative n no longer wait.
func (q *queue) hold(n int64) {
	q.mu.Lock()
	q.held += n
	q.mu.Unlock()
}

// advance goes on to the next file and returns its number.
func (q *queue) advance() (n int64) {
	q.change(func() {
		q.number++
		n = q.number
	})
	return n
}

// await waits until events of a file may be sent.
func (q *queue) await(number int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for number > q.number && q.held > q.most && !q.closed {
		q.cond.Wait()
	}
}

// handle hands one event on.
func (c *collector) handle(e event) {
	// Nothing of an event is handed on after the end, or all of it: a track
	// stands between events.
	if c.ctx.Err() != nil || c.tracked(&e) {
		return
	}
	switch {
	case e.fault != nil:
		c.fault(e.fault, e.bytes(0))
	case e.file:
		c.report.file(e.skip)
		c.files.Add(1)
	case e.read != nil:
		if c.OnRead != nil {
			c.OnRead(e.read.path, e.read.info)
		}
	case e.played != nil:
		c.report.game(e.played)
		c.games.Add(1)
		for i := range e.played.Game.Faults {
			c.fault(&e.played.Game.Faults[i], e.bytes(i))
		}
		if err := c.deliver(e); err != nil {
			c.cancel(err)
		}
	}
}

func (c *collector) deliver(e event) error {
	switch {
	case e.hand != nil:
		return e.hand(c.ctx)
	case c.Sink != nil:
		return c.Sink.Add(c.ctx, e.played)
	}
	return nil
}

func (c *collector) fault(f *record.Fault, at []byte) {
	c.report.fault(f)
	if c.OnFaultBytes != nil {
		c.OnFaultBytes(f, at)
	}
	if c.OnFault != nil {
		c.OnFault(f)
	}
	if c.MaxErrors > 0 && c.report.Rejected >= c.MaxErrors {
		c.cancel(fmt.Errorf("%w: stopped after %d", ErrTooMany, c.report.Rejected))
	}
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
	gate
	free, full int64
}

// take waits until n bytes are free. More than the whole budget is granted
// when nothing else is out.
func (b *budget) take(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.free < n && b.free < b.full && !b.closed {
		b.cond.Wait()
	}
	b.free -= n
}

func (b *budget) give(n int64) { b.change(func() { b.free += n }) }

// gate is where goroutines wait for what others change, until the run ends.
type gate struct {
	mu     sync.Mutex
	cond   *sync.Cond
	closed bool // the run was cancelled: nobody waits any more
}

// open makes the gate ready for a run.
func (g *gate) open(ctx context.Context) {
	g.cond = sync.NewCond(&g.mu)
	context.AfterFunc(ctx, func() { g.change(func() { g.closed = true }) })
}

// change does something under the lock, and has those who wait look again.
func (g *gate) change(do func()) {
	g.mu.Lock()
	do()
	g.mu.Unlock()
	g.cond.Broadcast()
}
