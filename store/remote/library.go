package remote

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
)

// Options say how to open a library.
type Options struct {
	ReadOnly bool
	Create   bool   // make it where there is none
	Holder   string // the program, for the message to a client of another version
	Games    game.Catalog

	// Open opens the library itself.
	Open func(ctx context.Context, how How) (store.Library, error)
}

// How says how the library itself is opened.
type How struct {
	ReadOnly bool
	Create   bool
	Kinds    *index.Kinds // to be shared with another one; nil for none
	Marking  bool         // columns of marks may be made in spite of ReadOnly
}

// patience is how long a library waits for whoever has the place of the writer to
// listen or to go: one that closes may still be busy with its tables.
const patience = 20 * time.Second

// Library is a library that any number of processes change. It is safe for concurrent
// use.
type Library struct {
	store.Library // what is read; where direct, what is written too

	o      Options
	dir    string
	direct bool // this process has had the place of the writer from the beginning

	taking sync.Mutex // held by who takes the place of the writer

	mu     sync.Mutex // guards what follows, and is held for no more than that
	host   *host      // nil where another process writes, or nobody
	own    store.Library
	free   []*lane
	closed bool
}

var _ store.Library = (*Library)(nil)

// Open opens the library in a folder. Where another process writes to it, changes go
// through that one.
func Open(ctx context.Context, dir string, o Options) (*Library, error) {
	l := &Library{o: o, dir: dir}
	var err error
	if o.ReadOnly {
		l.Library, err = o.Open(ctx, How{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		return l, nil
	}
	for begin := time.Now(); ; {
		l.Library, err = o.Open(ctx, How{Create: o.Create})
		if err == nil {
			l.direct = true
			l.listen(ctx, l.Library)
			return l, nil
		}
		locked, ok := errors.AsType[*store.LockedError](err)
		if !ok {
			return nil, err
		}
		if done, err := l.follow(ctx); done || err != nil {
			return l, err
		}
		if time.Since(begin) > patience {
			return nil, locked
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// pause waits a moment before something is tried again.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(30 * time.Millisecond):
		return nil
	}
}

// follow opens the library behind another process, if that listens.
func (l *Library) follow(ctx context.Context) (bool, error) {
	c, err := dial(ctx, l.dir)
	if errors.Is(err, errNobody) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	near, err := l.o.Open(ctx, How{ReadOnly: true, Marking: true})
	if err != nil {
		c.Close()
		return false, err
	}
	l.Library = near
	l.put(&lane{id: newLane(), conn: talk{c}})
	return true, nil
}

// listen has other processes change the library through this one. Where no socket can
// be had, they are refused as long as this one writes.
func (l *Library) listen(_ context.Context, lib store.Library) {
	w, ok := lib.(written)
	if !ok {
		return
	}
	h := newHost(w, &l.o, l.dir, l.o.Holder)
	_ = h.open()
	l.mu.Lock()
	l.host = h
	l.mu.Unlock()
}

// Leads reports whether this process has the place of the writer.
func (l *Library) Leads() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.direct || l.host != nil
}

// Foreign counts the changes that other processes made through this one. It is -1 where
// this one does not write: anybody may have made some then.
func (l *Library) Foreign() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !l.direct:
		return -1
	case l.host == nil:
		return 0
	}
	return l.host.foreign.Load()
}

// take makes this process the writer, after another one has gone.
func (l *Library) take(ctx context.Context) error {
	l.taking.Lock()
	defer l.taking.Unlock()
	l.mu.Lock()
	have, closed := l.host != nil, l.closed
	l.mu.Unlock()
	if have || closed {
		return nil
	}
	own, err := l.o.Open(ctx, How{Kinds: l.Kinds()})
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.own = own
	l.mu.Unlock()
	l.listen(ctx, own)
	return nil
}

// Close closes the library. What other processes have begun here is done first.
func (l *Library) Close() error {
	l.mu.Lock()
	l.closed = true
	free, host, own := l.free, l.host, l.own
	l.free = nil
	l.mu.Unlock()
	for _, ln := range free {
		ln.drop()
	}
	if host != nil {
		host.close()
	}
	var err error
	if own != nil {
		err = own.Close()
	}
	return errors.Join(err, l.Library.Close())
}

// change makes a change: here, where this process writes or nobody does, and else
// through who does.
func (l *Library) change(ctx context.Context, here, there func() error) error {
	if l.direct {
		return here()
	}
	if !l.o.ReadOnly {
		return there()
	}
	for begin := time.Now(); ; {
		err := here() // it takes the place of the writer for that while
		locked, ok := errors.AsType[*store.LockedError](err)
		if !ok {
			return err
		}
		if err = there(); !errors.Is(err, errNobody) {
			return err
		}
		if time.Since(begin) > patience {
			return locked
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// call makes a change that is a method.
func (l *Library) call(ctx context.Context, op string, progress store.Progress, args []any, results ...any) error {
	data, err := pack(args...)
	if err != nil {
		return err
	}
	reply, err := l.ask(ctx, &message{Op: op, Args: data}, func(c talk, m *message) (*message, error) {
		return c.await(m, progress)
	})
	if err != nil || len(reply.Args) == 0 {
		return err
	}
	return unpack(reply.Args, results...)
}

// Preparer returns a function that does the part of Add that can be done ahead. For
// another process that is no more than to encode a record.
func (l *Library) Preparer() func(*record.Played) *store.Prepared {
	if l.direct || l.o.ReadOnly {
		return l.Library.Preparer()
	}
	return func(p *record.Played) *store.Prepared {
		p.Changes = nil
		return &store.Prepared{Record: record.AppendGame(nil, p.Game)}
	}
}

// Add adds a batch of records.
func (l *Library) Add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	if l.direct || l.o.ReadOnly {
		return l.Library.Add(ctx, b)
	}
	data := appendRecords(nil, &b)
	if len(data) > maxBatch {
		return nil, fmt.Errorf("%w: a batch of %d bytes", store.ErrTooLarge, len(data))
	}
	if b.DryRun {
		list, err := cutRecords(data, len(b.Records))
		if err == nil {
			b.Records, b.Prepared, err = revive(ctx, l.Library, l.o.Games, list)
		}
		if err != nil {
			return nil, err
		}
		return l.Library.Add(ctx, b)
	}
	head, err := pack(batchHead{
		Count: len(b.Records), Bytes: int64(len(data)), Collection: b.Collection, Inputs: b.Inputs, Note: b.Note != nil, Numbers: b.Numbers, Again: b.Again,
	})
	if err != nil {
		return nil, err
	}
	reply, err := l.ask(ctx, &message{Op: opAdd, Args: head}, func(c talk, m *message) (*message, error) { return c.add(m, data, b.Note) })
	if err != nil {
		return nil, err
	}
	var added []store.Added
	if err := unpack(reply.Args, &added); err != nil {
		return nil, err
	}
	if len(added) != len(b.Records) {
		return nil, fmt.Errorf("%w: %d records, and %d are told of", errFrame, len(b.Records), len(added))
	}
	return added, nil
}

// add sends a batch and answers what the host wants to know.
func (c talk) add(m *message, data []byte, note func([]store.Added) []store.Input) (*message, error) {
	if err := c.send(m); err != nil {
		return nil, err
	}
	// The host may have stored it before, and answers at once then: it has gone when
	// the rest is sent, and the answer lies here.
	sent := c.sendBytes(data)
	for {
		r, err := c.receive()
		if err != nil {
			return nil, errors.Join(err, sent)
		}
		if r.Kind != kindNote {
			return r, nil
		}
		var added []store.Added
		if err := unpack(r.Args, &added); err != nil {
			return nil, err
		}
		var list []store.Input
		if note != nil {
			list = note(added)
		}
		args, err := pack(list)
		if err == nil {
			err = c.send(&message{Kind: kindNote, Args: args})
		}
		if err != nil {
			return nil, err
		}
	}
}

// Delete deletes games.
func (l *Library) Delete(ctx context.Context, ids []uint32) error {
	if l.direct || l.o.ReadOnly {
		return l.Library.Delete(ctx, ids)
	}
	return l.call(ctx, "library.Delete", nil, []any{ids})
}

// AddSources notes further places where games were found.
func (l *Library) AddSources(ctx context.Context, places map[uint32][]store.Source) error {
	if l.direct || l.o.ReadOnly || len(places) == 0 {
		return l.Library.AddSources(ctx, places)
	}
	return l.call(ctx, "library.AddSources", nil, []any{places})
}

// Repair makes damaged tables anew.
func (l *Library) Repair(ctx context.Context, progress store.Progress) (n int, err error) {
	err = l.change(ctx, func() (err error) { n, err = l.Library.Repair(ctx, progress); return err },
		func() error { return l.call(ctx, "library.Repair", progress, nil, &n) })
	return n, err
}

// Reindex makes all tables anew.
func (l *Library) Reindex(ctx context.Context, progress store.Progress) error {
	if l.direct || l.o.ReadOnly {
		return l.Library.Reindex(ctx, progress)
	}
	return l.call(ctx, "library.Reindex", progress, nil)
}

// Compact gives back the space of games that were deleted or replaced.
func (l *Library) Compact(ctx context.Context) error {
	if l.direct || l.o.ReadOnly {
		return l.Library.Compact(ctx)
	}
	return l.call(ctx, "library.Compact", nil, nil)
}

// Merge makes small tables into larger ones, once.
func (l *Library) Merge(ctx context.Context) (more bool, err error) {
	if l.direct || l.o.ReadOnly {
		return l.Library.Merge(ctx)
	}
	err = l.call(ctx, "library.Merge", nil, nil, &more)
	return more, err
}

// StopMerging ends work in the background for good.
func (l *Library) StopMerging() {
	l.Library.StopMerging()
	if own := l.taken(); own != nil {
		own.StopMerging()
	}
}

// Ship brings what is staged to the servers of a library on servers. Where another
// process writes, that one does so by itself.
func (l *Library) Ship(ctx context.Context) error {
	own := l.taken()
	if own == nil && l.direct {
		own = l.Library
	}
	if s, ok := own.(interface{ Ship(context.Context) error }); ok {
		return s.Ship(ctx)
	}
	return nil
}

func (l *Library) taken() store.Library {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.own
}

// Trouble returns why work in the background failed the last time.
func (l *Library) Trouble() error {
	if own := l.taken(); own != nil {
		return own.Trouble()
	}
	return l.Library.Trouble()
}

// BuildMarks makes columns of marks: here, for whoever makes them knows what they are.
// Nobody else does meanwhile.
func (l *Library) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (done store.Marked, err error) {
	build := func() (err error) {
		done, err = l.Library.BuildMarks(ctx, markers, progress)
		return err
	}
	if l.o.ReadOnly {
		return done, build()
	}
	return done, l.leased(ctx, opMarks, build)
}

// Exclusive runs a change of files of the library that people keep, while nobody else
// writes to them.
func (l *Library) Exclusive(ctx context.Context, change func() error) error {
	if l.direct {
		return l.leased(ctx, opExclusive, func() error { return l.Library.Exclusive(ctx, change) })
	}
	return l.change(ctx, func() error { return l.Library.Exclusive(ctx, change) }, func() error { return l.leased(ctx, opExclusive, change) })
}

// leased runs something that one process at a time may do.
func (l *Library) leased(ctx context.Context, op string, do func() error) error {
	if l.direct {
		l.mu.Lock()
		h := l.host
		l.mu.Unlock()
		if h == nil {
			return do()
		}
		token := h.exclusive
		if op == opMarks {
			token = h.marking
		}
		select {
		case <-token:
			defer func() { token <- struct{}{} }()
			return do()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	var result error
	_, err := l.ask(ctx, &message{Op: op}, func(c talk, m *message) (*message, error) {
		if err := c.send(m); err != nil {
			return nil, err
		}
		r, err := c.receive()
		if err != nil || r.Kind != kindGo {
			return r, err
		}
		stop := c.keepAlive()
		result = do()
		stop()
		// It is done, whatever becomes of the connection.
		if err := c.send(&message{Kind: kindCommit}); err != nil {
			return &message{Kind: kindDone}, nil
		}
		if r, err = c.receive(); err != nil {
			return &message{Kind: kindDone}, nil
		}
		return r, nil
	})
	if result != nil {
		return result
	}
	return err
}

// keepAlive says all the while that the owner of a lease is there.
func (c talk) keepAlive() (stop func()) {
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(stall / 5)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				if c.send(&message{Kind: kindAlive}) != nil {
					return
				}
			}
		}
	})
	return func() {
		close(end)
		wg.Wait()
	}
}
