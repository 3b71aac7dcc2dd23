package remote

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"time"

	"qipu/store"
)

// The requests that are more than a method.
const (
	opEdit      = "edit"
	opAdd       = "add"
	opExclusive = "exclusive"
	opMarks     = "marks"
)

// lane is a client's row of requests, one at a time. It outlives its connections.
type lane struct {
	id   string
	turn int64
	conn talk // its Conn is nil where there is none
}

func newLane() string { return rand.Text() }

func (ln *lane) drop() {
	if ln.conn.Conn != nil {
		ln.conn.Close()
		ln.conn = talk{}
	}
}

func (l *Library) lane() *lane {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		ln := l.free[n-1]
		l.free = l.free[:n-1]
		return ln
	}
	return &lane{id: newLane()}
}

func (l *Library) put(ln *lane) {
	l.mu.Lock()
	closed := l.closed
	if !closed {
		l.free = append(l.free, ln)
	}
	l.mu.Unlock()
	if closed {
		ln.drop()
	}
}

// connect has a lane have a connection to whoever writes. Where nobody does, this
// process takes the place, and the lane leads to its own host; where it may not, errNobody
// tells.
func (l *Library) connect(ctx context.Context, ln *lane) error {
	if ln.conn.Conn != nil {
		return nil
	}
	for begin := time.Now(); ; {
		l.mu.Lock()
		host, closed := l.host, l.closed
		l.mu.Unlock()
		if closed {
			return store.ErrClosed
		}
		if host != nil {
			near, far := net.Pipe()
			host.wg.Go(func() { host.serve(far) })
			ln.conn = talk{near}
			return nil
		}
		c, err := dial(ctx, l.dir)
		if err == nil {
			ln.conn = talk{c}
			return nil
		}
		if !errors.Is(err, errNobody) || l.o.ReadOnly {
			return err
		}
		if err = l.take(ctx); err == nil {
			continue
		}
		if _, locked := errors.AsType[*store.LockedError](err); !locked || time.Since(begin) > patience {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// tries is how often a request is sent. One that was done is not done again.
const tries = 8

// ask sends a request and returns its answer. Talk sends it and talks until the answer
// is there; its error means that the connection is broken.
func (l *Library) ask(ctx context.Context, m *message, speak func(talk, *message) (*message, error)) (*message, error) {
	ln := l.lane()
	defer l.put(ln)
	ln.turn++
	m.Kind, m.Who, m.Deed, m.Lane, m.Turn = kindAsk, store.Who(ctx), deedOf(ctx), ln.id, ln.turn
	var broken error
	for range tries {
		reply, err := l.askOnce(ctx, ln, m, speak)
		if err == nil {
			return reply, reply.Fault.err()
		}
		ln.drop()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if broken = err; !errors.Is(err, errBroken) {
			return nil, err
		}
		m.Again = true
	}
	return nil, broken
}

// errBroken tells that a connection broke in the middle of a request.
var errBroken = errors.New("remote: the process that writes to the library went away in the middle of a change")

func (l *Library) askOnce(ctx context.Context, ln *lane, m *message, speak func(talk, *message) (*message, error)) (*message, error) {
	if err := l.connect(ctx, ln); err != nil {
		return nil, err
	}
	conn := ln.conn
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	reply, err := speak(conn, m)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errBroken, err)
	case reply.Kind != kindDone:
		return nil, fmt.Errorf("%w: %q is no answer", errBroken, reply.Kind)
	case errors.Is(reply.Fault.err(), store.ErrClosed):
		return nil, fmt.Errorf("%w: %w", errBroken, store.ErrClosed)
	}
	return reply, nil
}

// await sends a request and waits for the answer.
func (c talk) await(m *message, progress store.Progress) (*message, error) {
	if err := c.send(m); err != nil {
		return nil, err
	}
	for {
		r, err := c.receive()
		if err != nil || r.Kind != kindProgress {
			return r, err
		}
		if progress != nil {
			progress(r.Done, r.Total)
		}
	}
}
