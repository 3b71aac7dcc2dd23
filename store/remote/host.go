package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qipu/game"
	"qipu/play"
	"qipu/store"
)

const (
	// mostClients is how many connections there are at once at most.
	mostClients = 256

	// closeTime is how long a host that closes waits for what clients have begun.
	closeTime = 30 * time.Second
)

// written is a library that notes writes: see store.Once.
type written interface {
	store.Library
	Turn(ctx context.Context, lane string) (turn int64, reply []byte, err error)
}

// host does the changes of other processes. It belongs to the process that has the
// place of the writer.
type host struct {
	lib      written
	games    game.Catalog
	holder   string
	dir      string
	key      keyFile
	listener net.Listener // nil where nobody else is listened to
	sessions play.Store

	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup

	// stall is how long a client is waited for that holds others up. In tests, wrap
	// has connections break.
	stall time.Duration
	wrap  atomic.Pointer[func(net.Conn) net.Conn]

	foreign atomic.Int64 // changes of games and notes that came from others

	// exclusive and marking are leases: who has the token changes files that people
	// keep, or makes columns of marks. They are taken before any lock of the library.
	exclusive, marking chan struct{}

	// mu guards what follows, and is held for no more than that.
	mu      sync.Mutex
	closing bool
	clients map[*client]bool         // whether each is busy
	lanes   map[string]chan struct{} // that have a request; closed at its end
}

func newHost(lib written, o *Options, dir, holder string) *host {
	h := &host{
		lib: lib, games: o.Games, holder: holder, dir: dir, sessions: lib.Notes().Sessions(), clients: map[*client]bool{}, lanes: map[string]chan struct{}{},
		exclusive: make(chan struct{}, 1), marking: make(chan struct{}, 1), stall: stall,
	}
	h.exclusive <- struct{}{}
	h.marking <- struct{}{}
	h.ctx, h.stop = context.WithCancel(context.Background())
	return h
}

// open listens to other processes.
func (h *host) open() error {
	var err error
	if h.listener, h.key, err = listen(h.dir); err != nil {
		return err
	}
	h.wg.Go(func() {
		for {
			c, err := h.listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil { // no more files, for now
				select {
				case <-h.ctx.Done():
					return
				case <-time.After(50 * time.Millisecond):
				}
				continue
			}
			h.wg.Go(func() {
				defer c.Close()
				if welcome(c, h.key.Key, h.holder) == nil {
					h.serve(c)
				}
			})
		}
	})
	return nil
}

// close ends listening, and waits for what clients have begun. The library stays open.
func (h *host) close() {
	h.mu.Lock()
	h.closing = true
	for c, busy := range h.clients {
		if !busy {
			c.Close()
		}
	}
	h.mu.Unlock()
	if h.listener != nil {
		h.listener.Close()
		removeKey(h.dir, h.key)
	}
	hurry := time.AfterFunc(closeTime, func() {
		h.stop()
		h.mu.Lock()
		defer h.mu.Unlock()
		for c := range h.clients {
			c.Close()
		}
	})
	h.wg.Wait()
	hurry.Stop()
	h.stop()
}

// enter takes a client in, or sets whether it is busy. It reports whether the host is
// open.
func (h *host) enter(c *client, busy bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, in := h.clients[c]; h.closing || !in && len(h.clients) >= mostClients {
		return false
	}
	h.clients[c] = busy
	return true
}

func (h *host) leave(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, c)
}

// client is a connection to another process, or to another part of this one.
type client struct {
	talk
	frames chan frame // closed when the connection breaks
	stall  time.Duration
}

type frame struct {
	kind byte
	data []byte
}

// serve answers what a client asks for, after the greeting, until it goes.
func (h *host) serve(conn net.Conn) {
	ctx, cancel := context.WithCancel(h.ctx)
	if wrap := h.wrap.Load(); wrap != nil {
		conn = (*wrap)(conn)
	}
	c := &client{talk{conn}, make(chan frame), h.stall}
	defer h.leave(c)
	var reading sync.WaitGroup
	defer reading.Wait()
	defer conn.Close()
	defer cancel()
	reading.Go(func() {
		defer cancel() // whoever is gone needs no answer
		defer close(c.frames)
		for {
			kind, data, err := readFrame(conn, maxFrame)
			if err != nil {
				return
			}
			select {
			case c.frames <- frame{kind, data}:
			case <-ctx.Done():
				return
			}
		}
	})
	if !h.enter(c, false) {
		return
	}
	for f := range c.frames {
		m, err := parse(f.kind, f.data)
		if err != nil || m.Kind != kindAsk || !h.enter(c, true) {
			return
		}
		value, err := h.answer(ctx, c, m)
		if err := c.send(&message{Kind: kindDone, Args: value, Fault: faultOf(err)}); err != nil {
			return
		}
		if !h.enter(c, false) {
			return
		}
	}
}

// next returns the next message of a client that holds others up.
func (c *client) next() (*message, error) {
	timer := time.NewTimer(c.stall)
	defer timer.Stop()
	select {
	case f, ok := <-c.frames:
		if !ok {
			return nil, net.ErrClosed
		}
		return parse(f.kind, f.data)
	case <-timer.C:
		return nil, ErrStalled
	}
}

// answer does what a client asks for. What panics ends that request alone.
func (h *host) answer(ctx context.Context, c *client, m *message) (value []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("remote: internal error: %v", v)
		}
	}()
	ctx = store.As(ctx, m.Who)
	if m.Deed != nil {
		var deed store.Deed
		if err := json.Unmarshal(m.Deed, &deed); err != nil {
			return nil, fmt.Errorf("%w: %w", errFrame, err)
		}
		ctx = store.Within(ctx, deed)
	}
	var records *batch
	if m.Op == opAdd { // it comes in any case
		if records, err = c.batch(m); err != nil {
			return nil, err
		}
	}
	if m.Lane != "" {
		leave, err := h.queue(ctx, m.Lane)
		if err != nil {
			return nil, err
		}
		defer leave()
		if m.Again {
			if turn, reply, err := h.lib.Turn(ctx, m.Lane); err != nil || turn >= m.Turn {
				return reply, err
			}
		}
	}
	switch m.Op {
	case opEdit:
		err = h.edit(ctx, c, m)
	case opAdd:
		value, err = h.add(ctx, c, m, records)
	case opExclusive:
		return nil, h.lease(ctx, c, h.exclusive, func(give func() error) error { return h.lib.Exclusive(ctx, give) })
	case opMarks:
		return nil, h.lease(ctx, c, h.marking, func(give func() error) error { return give() })
	default:
		value, err = h.call(ctx, c, m)
	}
	if m.Op == opAdd || m.Op == opEdit || strings.HasPrefix(m.Op, "library.") {
		h.foreign.Add(1)
	}
	return value, err
}

// queue waits until no other request of a lane runs: the client of a connection that
// broke may be back before the end of what it had asked for.
func (h *host) queue(ctx context.Context, lane string) (leave func(), err error) {
	for {
		h.mu.Lock()
		other := h.lanes[lane]
		if other == nil {
			mine := make(chan struct{})
			h.lanes[lane] = mine
			h.mu.Unlock()
			return func() {
				h.mu.Lock()
				defer h.mu.Unlock()
				delete(h.lanes, lane)
				close(mine)
			}, nil
		}
		h.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// errAborted ends a transaction that its client gives up.
var errAborted = errors.New("remote: given up")

// edit runs a transaction that a client leads.
func (h *host) edit(ctx context.Context, c *client, m *message) error {
	ready := false
	ctx = store.WithOnce(ctx, &store.Once{Lane: m.Lane, Turn: m.Turn, Reply: func() ([]byte, bool) { return nil, ready }})
	err := h.lib.Notes().Edit(ctx, func(tx store.Tx) error {
		if err := c.send(&message{Kind: kindGo}); err != nil {
			return err
		}
		for {
			m, err := c.next()
			if err != nil {
				return err
			}
			switch m.Kind {
			case kindCall:
				value, err := invoke(reflect.ValueOf(tx), reflect.TypeFor[store.Tx](), m, nil)
				if err := c.send(&message{Kind: kindAnswer, Args: value, Fault: faultOf(err)}); err != nil {
					return err
				}
			case kindCommit:
				ready = true
				return nil
			case kindAbort:
				return errAborted
			default:
				return errFrame
			}
		}
	})
	if errors.Is(err, errAborted) {
		return nil
	}
	return err
}

// lease gives a client the right to change files, until it gives that back or is gone.
func (h *host) lease(ctx context.Context, c *client, token chan struct{}, hold func(func() error) error) error {
	select {
	case <-token:
		defer func() { token <- struct{}{} }()
	case <-ctx.Done():
		return ctx.Err()
	}
	return hold(func() error {
		if err := c.send(&message{Kind: kindGo}); err != nil {
			return err
		}
		for {
			m, err := c.next()
			if err != nil || m.Kind == kindCommit {
				return err
			}
			if m.Kind != kindAlive {
				return errFrame
			}
		}
	})
}

// calls are the methods that clients may ask for outside of a transaction: of a
// library, of its sessions, of its values.
var calls = map[string]reflect.Type{
	"library": reflect.TypeFor[libraryCalls](), "sessions": reflect.TypeFor[sessionCalls](), "values": reflect.TypeFor[valueCalls](),
}

type (
	libraryCalls interface {
		Delete(ctx context.Context, ids []uint32) error
		AddSources(ctx context.Context, places map[uint32][]store.Source) error
		Repair(ctx context.Context, progress store.Progress) (int, error)
		Reindex(ctx context.Context, progress store.Progress) error
		Compact(ctx context.Context) error
		Merge(ctx context.Context) (bool, error)

		Undo(ctx context.Context, id int64) (store.Undone, error)
		Restore(ctx context.Context, ids []uint32) (store.Undone, error)
		Correct(ctx context.Context, list []store.Correction) (int, error)
		Purge(ctx context.Context, until time.Time) (int, error)
	}
	sessionCalls interface {
		Create(ctx context.Context, s *play.Stored) (id int64, err error)
		Save(ctx context.Context, s *play.Stored) error
		Drop(ctx context.Context, id int64) error
		Tidy(ctx context.Context, before time.Time) error
	}
)

// call does one change.
func (h *host) call(ctx context.Context, c *client, m *message) ([]byte, error) {
	room, method, _ := strings.Cut(m.Op, ".")
	allowed := calls[room]
	if allowed == nil {
		return nil, fmt.Errorf("%w: it asks for %q", errFrame, m.Op)
	}
	var target any = h.lib
	switch room {
	case "sessions":
		target = h.sessions
	case "values":
		var kind string
		kind, method, _ = strings.Cut(method, ".")
		target = h.lib.Notes().Values(kind)
	}
	if m.Lane != "" {
		ctx = store.WithOnce(ctx, &store.Once{Lane: m.Lane, Turn: m.Turn, Reply: func() ([]byte, bool) { return nil, true }})
	}
	last := time.Time{}
	progress := func(done, total int) {
		if now := time.Now(); now.Sub(last) > time.Second/10 || done == total {
			last = now
			c.send(&message{Kind: kindProgress, Done: done, Total: total})
		}
	}
	given := map[reflect.Type]reflect.Value{
		reflect.TypeFor[context.Context](): reflect.ValueOf(ctx), reflect.TypeFor[store.Progress](): reflect.ValueOf(store.Progress(progress)),
	}
	return invoke(reflect.ValueOf(target), allowed, &message{Op: method, Args: m.Args}, given)
}

// invoke calls a method that an interface has. Arguments of some types are given, the
// others come with the message; what it returns but for the error comes back packed.
func invoke(target reflect.Value, allowed reflect.Type, m *message, given map[reflect.Type]reflect.Value) ([]byte, error) {
	if _, ok := allowed.MethodByName(m.Op); !ok {
		return nil, fmt.Errorf("%w: it asks for %q", errFrame, m.Op)
	}
	f := target.MethodByName(m.Op)
	args := make([]reflect.Value, f.Type().NumIn())
	var open []reflect.Type
	for i := range args {
		if v, ok := given[f.Type().In(i)]; ok {
			args[i] = v
		} else {
			open = append(open, f.Type().In(i))
		}
	}
	come, err := unpackValues(m.Args, open)
	if err != nil {
		return nil, err
	}
	for i := range args {
		if !args[i].IsValid() {
			args[i], come = come[0], come[1:]
		}
	}
	results := f.Call(args)
	err, _ = results[len(results)-1].Interface().(error)
	var values []any
	for _, r := range results[:len(results)-1] {
		values = append(values, r.Interface())
	}
	data, failed := pack(values...)
	return data, errors.Join(err, failed)
}
