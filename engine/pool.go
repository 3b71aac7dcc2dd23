package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"qipu/game"
)

// ErrBusy is the answer of a Pool whose queue is full: come again later.
var ErrBusy = errors.New("too many are waiting for an engine: try again in a moment")

// PoolOptions say how a Pool is made.
type PoolOptions struct {
	Size  int // how many engines think at once; default 1
	Queue int // how many may wait; default 64 for each engine

	// Idle is how long an engine may rest before it is closed; 0 for as long as the
	// pool is open.
	Idle time.Duration

	// Make returns an engine for a game. It is called when one is needed, and
	// not by two at once.
	Make func(r game.Rules) (Engine, error)
}

// Pool shares a few engines among many games. At most Size of them think at
// once; the others wait, and those who ask take turns by their name, so that one
// with twenty games does not keep one with a single game waiting. Engines that
// have finished are kept for the next game of their kind. A Pool is safe for
// concurrent use.
type Pool struct {
	o PoolOptions

	mu      sync.Mutex
	closed  bool
	busy    int // engines that are lent, or being made
	waiting int
	turns   []*owner // those with somebody waiting, the next one first
	idle    []*lent  // the one that rested longest first; with busy, at most Size

	making sync.Mutex
	open   map[*lent]bool // lent or idle, for Close
}

// owner is one of those who wait, with what it waits for.
type owner struct {
	name  string
	queue []*waiter
}

type waiter struct{ ready chan struct{} } // closed when a place is its own

type lent struct {
	kind   string
	rested time.Time // since when
	Engine
}

// NewPool returns a pool without engines: they are made when they are needed.
func NewPool(o PoolOptions) *Pool {
	o.Size = max(o.Size, 1)
	if o.Queue <= 0 {
		o.Queue = 64 * o.Size
	}
	return &Pool{o: o, open: map[*lent]bool{}}
}

// Do waits for an engine of a game and hands it to use, which has it alone. name
// tells who asks: a user, an address. It returns ErrBusy at once where the queue
// is full, the cause of the context where that ends first, ErrClosed where the
// pool is closed, and otherwise what use returns.
func (p *Pool) Do(ctx context.Context, name string, r game.Rules, use func(Engine) error) error {
	if err := p.enter(ctx, name); err != nil {
		return err
	}
	e, err := p.take(r)
	if err != nil {
		p.leave(nil)
		return err
	}
	// An engine that panicked is in no state to be used again.
	sound := false
	defer func() {
		if !sound {
			p.discard(e)
			e = nil
		}
		p.leave(e)
	}()
	err = use(e.Engine)
	sound = true
	return err
}

// discard closes an engine that is not to be lent again.
func (p *Pool) discard(e *lent) {
	p.mu.Lock()
	delete(p.open, e)
	p.mu.Unlock()
	_ = e.Close() // why it cannot be used is on its way already
}

// Think answers a task at a level, by an engine of the pool; level 0 is the
// engine as it is.
func (p *Pool) Think(ctx context.Context, name string, level int, t *Task, l Limits, watch func(*Report)) (r *Report, err error) {
	err = p.Do(ctx, name, t.Rules, func(e Engine) error {
		if level > 0 {
			e = AtLevel(e, level)
		}
		var err error
		r, err = e.Think(ctx, t, l, watch)
		return err
	})
	return r, err
}

// Shared returns an engine of a game that takes one of the pool for each thought:
// who has many of them to do, as a review has, leaves others their turns between
// two. Where the queue is full, its thoughts wait until it is not. Closing it does
// nothing.
func (p *Pool) Shared(ctx context.Context, name string, r game.Rules) (Engine, error) {
	s := &shared{pool: p, name: name}
	err := s.patiently(ctx, func() error {
		return p.Do(ctx, name, r, func(e Engine) error {
			s.info = e.Info()
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

type shared struct {
	pool *Pool
	name string
	info Info
}

func (s *shared) Info() Info { return s.info }

func (s *shared) Close() error { return nil }

func (s *shared) Think(ctx context.Context, t *Task, l Limits, watch func(*Report)) (r *Report, err error) {
	err = s.patiently(ctx, func() (err error) {
		r, err = s.pool.Think(ctx, s.name, 0, t, l, watch)
		return err
	})
	return r, err
}

// patiently does what needs an engine as soon as the queue is not full.
func (s *shared) patiently(ctx context.Context, do func() error) error {
	for {
		err := do()
		if !errors.Is(err, ErrBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Waiting returns how many wait for an engine.
func (p *Pool) Waiting() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting
}

// Busy returns how many engines are at work.
func (p *Pool) Busy() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.busy
}

// Close ends all thoughts and closes the engines. Those who wait get ErrClosed.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	for _, o := range p.turns {
		for _, w := range o.queue {
			close(w.ready)
		}
	}
	p.turns, p.waiting, p.idle = nil, 0, nil
	var errs []error
	for e := range p.open {
		errs = append(errs, e.Close())
	}
	clear(p.open)
	p.mu.Unlock()
	return errors.Join(errs...)
}

// enter waits for a place.
func (p *Pool) enter(ctx context.Context, name string) error {
	p.mu.Lock()
	switch {
	case p.closed:
		p.mu.Unlock()
		return ErrClosed
	case ctx.Err() != nil:
		p.mu.Unlock()
		return context.Cause(ctx)
	case p.busy < p.o.Size: // nobody waits, or a place would not be free
		p.busy++
		p.mu.Unlock()
		return nil
	case p.waiting >= p.o.Queue:
		p.mu.Unlock()
		return ErrBusy
	}
	w := &waiter{ready: make(chan struct{})}
	p.waiting++
	at := slices.IndexFunc(p.turns, func(o *owner) bool { return o.name == name })
	if at < 0 {
		at = len(p.turns)
		p.turns = append(p.turns, &owner{name: name})
	}
	p.turns[at].queue = append(p.turns[at].queue, w)
	p.mu.Unlock()

	select {
	case <-w.ready:
	case <-ctx.Done():
		if p.forget(name, w) {
			return context.Cause(ctx)
		}
		<-w.ready // the place came at the same moment
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	if ctx.Err() != nil {
		p.pass()
		return context.Cause(ctx)
	}
	return nil
}

// forget takes one out of the queue, and reports whether it was in it.
func (p *Pool) forget(name string, w *waiter) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, o := range p.turns {
		at := slices.Index(o.queue, w)
		if o.name != name || at < 0 {
			continue
		}
		o.queue = slices.Delete(o.queue, at, at+1)
		if len(o.queue) == 0 {
			p.turns = slices.Delete(p.turns, i, i+1)
		}
		p.waiting--
		return true
	}
	return false
}

// pass gives a place that has become free to the next one. The lock is held.
func (p *Pool) pass() {
	if len(p.turns) == 0 {
		p.busy--
		return
	}
	o := p.turns[0]
	p.turns = slices.Delete(p.turns, 0, 1)
	w := o.queue[0]
	if o.queue = o.queue[1:]; len(o.queue) > 0 {
		p.turns = append(p.turns, o)
	}
	p.waiting--
	close(w.ready)
}

// take returns an engine of a game: one that rests, or a new one, for which the
// one that has rested longest is closed where there are enough.
func (p *Pool) take(r game.Rules) (*lent, error) {
	kind := r.Info().Name + ":" + r.Info().Variant
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	for i, e := range slices.Backward(p.idle) {
		if e.kind == kind {
			p.idle = slices.Delete(p.idle, i, i+1)
			p.mu.Unlock()
			return e, nil
		}
	}
	var old *lent
	if len(p.idle)+p.busy > p.o.Size {
		old = p.idle[0]
		p.idle = slices.Delete(p.idle, 0, 1)
		delete(p.open, old)
	}
	p.mu.Unlock()
	if old != nil {
		if err := old.Close(); err != nil {
			return nil, fmt.Errorf("close an engine that is no longer needed: %w", err)
		}
	}

	p.making.Lock()
	defer p.making.Unlock()
	e, err := p.o.Make(r)
	if err != nil {
		return nil, err
	}
	l := &lent{kind: kind, Engine: e}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.Join(ErrClosed, e.Close())
	}
	p.open[l] = true
	return l, nil
}

// leave gives an engine back, nil where there was none, and the place with it.
func (p *Pool) leave(e *lent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	if e != nil {
		e.rested = time.Now()
		p.idle = append(p.idle, e)
		if p.o.Idle > 0 {
			time.AfterFunc(p.o.Idle, p.retire)
		}
	}
	p.pass()
}

// retire closes the engines that have rested too long.
func (p *Pool) retire() {
	p.mu.Lock()
	var old []*lent
	for len(p.idle) > 0 && time.Since(p.idle[0].rested) >= p.o.Idle {
		old = append(old, p.idle[0])
		delete(p.open, p.idle[0])
		p.idle = p.idle[1:]
	}
	p.mu.Unlock()
	for _, e := range old {
		_ = e.Close() // nobody waits for it
	}
}
