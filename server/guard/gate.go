package guard

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"
)

// mostWaiting bounds how many requests of one client wait at a gate.
const mostWaiting = 64

// Gate admits heavy work: so many at once, and the others wait for a while.
// Work that shares the processors among too many is late for all of them.
//
// It is fair by client, a profile or an address, and not by request. The last free
// place is never given to a client that holds others, so that whoever comes next
// finds it. A place that becomes free goes to the client that holds the fewest,
// among those to the one that has had the least time since it came, and there to the
// oldest request. Work of the server itself is not held back.
type Gate struct {
	places int
	wait   time.Duration

	mu      sync.Mutex
	taken   int
	waiting int
	refused int
	clients map[string]*guest // those who hold a place or wait for one
	clock   time.Duration     // where who comes in begins: what the client admitted last had had
}

// guest is a client at a gate.
type guest struct {
	whose string
	held  int
	had   time.Duration // in places, since the client came
	queue []*waiter     // the oldest first
}

// waiter is a request that waits. Its channel is closed when it has a place.
type waiter struct{ in chan struct{} }

// NewGate returns a gate for n at once, twice the processors where n is 0, at
// which others wait as long as wait, 10 seconds where it is 0.
func NewGate(n int, wait time.Duration) *Gate {
	return &Gate{places: cmp.Or(n, 2*runtime.NumCPU()), wait: cmp.Or(wait, 10*time.Second), clients: map[string]*guest{}}
}

// place is one that was given to somebody.
type place struct {
	gate  *Gate
	guest *guest
	since time.Time
	left  bool
}

// Enter waits for a place. The caller calls leave when the work is done; calling
// it twice does no harm. The error is a *Problem with status 503 where no place
// became free in time, or the cause of the end of the context.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	p, err := g.enter(ctx)
	if err != nil {
		return nil, err
	}
	return p.leave, nil
}

// Turns is Enter for work that takes long: pause, called now and then by the goroutine
// that works, lends the place to a client that waits and holds fewer, and returns when
// it is this one's turn again, or the context ends. Where nobody waits it returns at once.
func (g *Gate) Turns(ctx context.Context) (pause, leave func(), err error) {
	p, err := g.enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex // of p, which pause replaces
	over := false
	pause = func() {
		mu.Lock()
		last := p
		mu.Unlock()
		if !last.wanted() {
			return
		}
		last.leave()
		next, err := g.admit(ctx, nil) // it was admitted once: no time-out but that of its context
		if err != nil {
			return // the work ends by its context
		}
		mu.Lock()
		defer mu.Unlock()
		if p = next; over {
			p.leave()
		}
	}
	leave = func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
		p.leave()
	}
	return pause, leave, nil
}

func (g *Gate) enter(ctx context.Context) (*place, error) {
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	return g.admit(ctx, timer.C)
}

// party returns whom the work of a context is for: a profile, or an address where nobody
// logged in, or "" for the server itself.
func party(ctx context.Context) string {
	if who, ok := ctx.Value(identityKey{}).(Identity); ok && who.ID != "" {
		return "profile " + who.ID
	}
	return Client(ctx)
}

// admit waits for a place until the context ends or late, unless it is nil, says
// that it is.
func (g *Gate) admit(ctx context.Context, late <-chan time.Time) (*place, error) {
	if ctx.Err() != nil {
		return nil, fmt.Errorf("guard: gave up before the work: %w", context.Cause(ctx))
	}
	whose := party(ctx)
	g.mu.Lock()
	k := g.clients[whose]
	if k == nil {
		k = &guest{whose: whose, had: g.clock}
		g.clients[whose] = k
	}
	if len(k.queue) == 0 && g.may(k) {
		p := g.give(k)
		g.mu.Unlock()
		return p, nil
	}
	if late != nil && len(k.queue) >= mostWaiting {
		g.refused++
		g.mu.Unlock()
		return nil, g.busy()
	}
	w := &waiter{make(chan struct{})}
	k.queue = append(k.queue, w)
	g.waiting++
	g.mu.Unlock()
	var err error
	select {
	case <-w.in:
		return &place{gate: g, guest: k, since: time.Now()}, nil
	case <-ctx.Done():
		err = fmt.Errorf("guard: gave up waiting for other work: %w", context.Cause(ctx))
	case <-late:
		err = g.busy()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(k.queue, w)
	if i < 0 { // a place came at the last moment
		p := &place{gate: g, guest: k, since: time.Now()}
		if ctx.Err() == nil {
			return p, nil
		}
		p.leaveLocked()
		return nil, err
	}
	k.queue = slices.Delete(k.queue, i, i+1)
	g.waiting--
	if ctx.Err() == nil {
		g.refused++
	}
	g.forget(k)
	return nil, err
}

// may reports whether a client may have one of the free places. The lock is held.
func (g *Gate) may(k *guest) bool {
	free := g.places - g.taken
	return free > 1 || free == 1 && (k.held == 0 || k.whose == "")
}

// give gives a place to a client that may have it. The lock is held.
func (g *Gate) give(k *guest) *place {
	g.taken++
	k.held++
	g.clock = max(g.clock, k.had)
	return &place{gate: g, guest: k, since: time.Now()}
}

// serve gives what is free to those who wait. The lock is held.
func (g *Gate) serve() {
	for g.taken < g.places && g.waiting > 0 {
		var next *guest
		for _, k := range g.clients {
			if len(k.queue) > 0 && g.may(k) && (next == nil || k.before(next)) {
				next = k
			}
		}
		if next == nil {
			return
		}
		w := next.queue[0]
		next.queue = slices.Delete(next.queue, 0, 1)
		g.waiting--
		g.give(next)
		close(w.in)
	}
}

// before reports whether k's turn is before that of another client.
func (k *guest) before(other *guest) bool {
	return cmp.Or(cmp.Compare(k.held, other.held), cmp.Compare(k.had, other.had), cmp.Compare(k.whose, other.whose)) < 0
}

// forget forgets a client that neither holds a place nor waits. The lock is held.
func (g *Gate) forget(k *guest) {
	if k.held == 0 && len(k.queue) == 0 {
		delete(g.clients, k.whose)
	}
}

// wanted reports whether a client that holds fewer places than the one of p waits.
func (p *place) wanted() bool {
	g := p.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting == 0 || p.left {
		return false
	}
	for _, k := range g.clients {
		if len(k.queue) > 0 && k != p.guest && k.held < p.guest.held {
			return true
		}
	}
	return false
}

func (p *place) leave() {
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	p.leaveLocked()
}

func (p *place) leaveLocked() {
	if p.left {
		return
	}
	p.left = true
	g, k := p.gate, p.guest
	g.taken--
	k.held--
	k.had += time.Since(p.since)
	g.serve()
	g.forget(k)
}

// load returns how many are inside, how many wait, and how many were refused.
func (g *Gate) load() (inside, waiting, refused int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.taken, g.waiting, g.refused
}

func (g *Gate) busy() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "busy",
		"the server is busy with other requests",
		"try again when Retry-After says, or ask for less").After(g.wait / 2)
}
