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

// What is fair is reckoned in work: the time for which places are held.
const (
	// mostWaiting bounds how many requests of one client wait at a gate.
	mostWaiting = 64
	// slice is about as much work as is done between two pauses, and so what a place
	// that is held counts before it is known what it was.
	slice = 25 * time.Millisecond
	// lead is by how much work requests are ahead of those of which it is foreseen that
	// they are heavy. What they have worked comes off it.
	lead = 250 * time.Millisecond
	// Light is how much work a light request has at most: one that turns out to have
	// more has a place of the heavy ones from then on.
	Light = 40 * time.Millisecond
)

// Gate rations work, not requests. It gives out places, each good for one goroutine
// that keeps a processor busy, and has the others wait.
//
// It is fair by client, a profile or an address: a place that becomes free goes to
// the client that had the least work, and of a client to the session that had the
// least. Light requests are ahead of heavy ones by so much work, but no client's of
// another one's for ever. Heavy ones have half of the places at most, and long ones
// pause now and then, so that whoever is before them goes on. The last free place is
// never given to a client that holds others, so that whoever comes next finds it. Work
// of the server itself is not held back.
type Gate struct {
	places int
	heavy  int // places of heavy requests at most
	wait   time.Duration
	budget time.Duration                                  // of work, for one request; 0 for no bound
	done   func(heavy bool, worked, waited time.Duration) // hears of every turn; may be nil

	mu      sync.Mutex
	taken   int
	laden   int // places that heavy requests have
	waiting int
	refused int
	cut     int               // requests whose budget ended before their work
	clients map[string]*guest // those who hold a place or wait for one, and those who had more than others
	kept    int               // clients when they were gone through last
	clock   time.Duration     // where who comes in begins: the least that those have had who are there
}

// share is how much work somebody had, and how many places there are now.
type share struct {
	held int
	had  time.Duration // of work, from where the others were when it came
}

// standing is what a share is compared by: less goes first.
func (s *share) standing() time.Duration { return s.had + time.Duration(s.held)*slice }

// guest is a client at a gate.
type guest struct {
	share
	whose    string
	sessions map[string]*share
	clock    time.Duration // where its sessions begin: what those had had who went on
	queue    []*waiter     // the oldest first
}

// waiter is a request that waits. Its channel is closed when it has a place.
type waiter struct {
	in      chan struct{}
	heavy   bool
	ahead   time.Duration
	session *share
}

// NewGate returns a gate for n at once, twice the processors where n is 0, at
// which others wait as long as wait, 10 seconds where it is 0.
func NewGate(n int, wait time.Duration) *Gate {
	n = cmp.Or(n, 2*runtime.NumCPU())
	return &Gate{places: n, heavy: max(1, n/2), wait: cmp.Or(wait, 10*time.Second), clients: map[string]*guest{}}
}

// Turn is a request that was let in. Its methods are called by one goroutine at a
// time, but for Help.
type Turn struct {
	gate    *Gate
	guest   *guest
	session *share

	// Of what follows the gate's lock takes care.
	inside bool // it has its place
	over   bool
	heavy  bool
	lead   time.Duration // that it began with
	since  time.Time     // when its work was counted last
	asked  time.Time     // when it came
	worked time.Duration // with its helpers
	waited time.Duration
	spent  bool // its budget has ended
}

// Enter waits for a place. The caller calls leave when the work is done; calling
// it twice does no harm. The error is a *Problem with status 503 where no place
// became free in time, or the cause of the end of the context.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	t, err := g.Turn(ctx, 0)
	if err != nil {
		return nil, err
	}
	return t.Leave, nil
}

// Turn is Enter for work that may take long, and of which it is foreseen how much
// there is.
func (g *Gate) Turn(ctx context.Context, foreseen time.Duration) (*Turn, error) {
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	t := &Turn{gate: g, heavy: foreseen > Light, asked: time.Now()}
	if !t.heavy {
		t.lead = lead
	}
	return t, g.admit(ctx, t, timer.C)
}

// party returns whom the work of a context is for: a profile, or an address where nobody
// logged in, or "" for the server itself; and which of its sessions.
func party(ctx context.Context) (whose, session string) {
	who, _ := ctx.Value(identityKey{}).(Identity)
	if who.ID != "" {
		return "profile " + who.ID, who.Session
	}
	return Client(ctx), who.Session
}

// admit waits for a place for a turn until the context ends or late, unless it is nil,
// says that it is.
func (g *Gate) admit(ctx context.Context, t *Turn, late <-chan time.Time) error {
	if ctx.Err() != nil {
		return fmt.Errorf("guard: gave up before the work: %w", context.Cause(ctx))
	}
	began := time.Now()
	g.mu.Lock()
	k := g.enlist(ctx, t)
	if g.may(k, t.heavy) && !g.passed(k, t) {
		g.give(t)
		g.mu.Unlock()
		return nil
	}
	if late != nil && len(k.queue) >= mostWaiting {
		g.refused++
		g.forget(k)
		g.mu.Unlock()
		return g.busy()
	}
	w := &waiter{make(chan struct{}), t.heavy, t.ahead(), t.session}
	k.queue = append(k.queue, w)
	g.waiting++
	g.mu.Unlock()
	var err error
	select {
	case <-w.in:
	case <-ctx.Done():
		err = fmt.Errorf("guard: gave up waiting for other work: %w", context.Cause(ctx))
	case <-late:
		err = g.busy()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	t.waited += time.Since(began)
	if i := slices.Index(k.queue, w); i >= 0 {
		k.queue = slices.Delete(k.queue, i, i+1)
		g.waiting--
		if ctx.Err() == nil {
			g.refused++
		}
		g.forget(k)
		return err
	}
	t.inside, t.since = true, time.Now() // a place was given, perhaps at the last moment
	if ctx.Err() != nil {
		g.leave(t)
		return err
	}
	return nil
}

// enlist returns the client of a turn, made where it is not known, with its session. The
// lock is held.
func (g *Gate) enlist(ctx context.Context, t *Turn) *guest {
	whose, session := party(ctx)
	k := g.clients[whose]
	if k == nil {
		k = &guest{whose: whose, sessions: map[string]*share{}}
		g.clients[whose] = k
	}
	if k.sessions[session] == nil && len(k.sessions) > mostWaiting { // whoever makes them up is one
		session = ""
	}
	s := k.sessions[session]
	if s == nil {
		s = &share{}
		k.sessions[session] = s
	}
	if k.held == 0 && len(k.queue) == 0 {
		k.had = max(k.had, g.now())
	}
	if s.held == 0 {
		s.had = max(s.had, k.clock)
	}
	t.guest, t.session = k, s
	return k
}

// now returns where a client begins that comes in: level with whoever of those who are
// there has had the least, so that it is behind none of them for work that it has not
// had. It never falls. The lock is held.
func (g *Gate) now() time.Duration {
	least, any := time.Duration(0), false
	for _, k := range g.clients {
		if k.whose != "" && (k.held > 0 || len(k.queue) > 0) && (!any || k.had < least) {
			least, any = k.had, true
		}
	}
	g.clock = max(g.clock, least)
	return g.clock
}

// may reports whether a client may have one of the free places. The lock is held.
func (g *Gate) may(k *guest, heavy bool) bool {
	free := g.places - g.taken
	if k.whose == "" {
		return free > 0
	}
	return (free > 1 || free == 1 && k.held == 0) && (!heavy || g.laden < g.heavy)
}

// passed reports whether another request of the client goes before one that has just
// come. The lock is held.
func (g *Gate) passed(k *guest, t *Turn) bool {
	return slices.ContainsFunc(k.queue, func(w *waiter) bool { return g.may(k, w.heavy) && (!w.heavy || t.heavy) })
}

// give gives a place to a turn. The lock is held.
func (g *Gate) give(t *Turn) {
	g.hand(t.guest, t.session, t.heavy)
	t.inside, t.since = true, time.Now()
}

// hand gives a place to a client that may have it. The lock is held.
func (g *Gate) hand(k *guest, s *share, heavy bool) {
	g.taken++
	if heavy {
		g.laden++
	}
	k.held++
	s.held++
	k.pass(s)
}

// pass notes that a session goes on, behind which none begins that comes in. The lock is
// held.
func (k *guest) pass(s *share) { k.clock = max(k.clock, s.had) }

// serve gives what is free to those who wait. The lock is held.
func (g *Gate) serve() {
	for g.taken < g.places && g.waiting > 0 {
		k, i := g.next()
		if k == nil {
			return
		}
		w := k.queue[i]
		k.queue = slices.Delete(k.queue, i, i+1)
		g.waiting--
		g.hand(k, w.session, w.heavy)
		close(w.in)
	}
}

// next returns whose turn it is, and which of its requests. The lock is held.
func (g *Gate) next() (best *guest, at int) {
	var least time.Duration
	for _, k := range g.clients {
		for _, heavy := range [2]bool{false, true} {
			i := k.first(heavy)
			if i < 0 || !g.may(k, heavy) {
				continue
			}
			standing := k.standing() - k.queue[i].ahead
			if best == nil || standing < least || standing == least && k.whose < best.whose {
				best, at, least = k, i, standing
			}
			break // its heavy ones are behind its light ones
		}
	}
	return best, at
}

// first returns the request of a client that is before its others of the same weight: of
// the session that had the least, the oldest; -1 for none.
func (k *guest) first(heavy bool) int {
	best := -1
	for i, w := range k.queue {
		if w.heavy == heavy && (best < 0 || w.session.standing() < k.queue[best].session.standing()) {
			best = i
		}
	}
	return best
}

// ahead is by how much work a turn is ahead of those that were foreseen to be heavy.
func (t *Turn) ahead() time.Duration { return max(0, t.lead-t.worked) }

// forget forgets a client that neither holds a place nor waits, unless it had more than
// whoever comes in begins with: who leaves and comes again begins no better. Where
// nobody is there, all begin anew. The lock is held.
func (g *Gate) forget(k *guest) {
	if g.taken == 0 && g.waiting == 0 {
		clear(g.clients)
		g.kept = 0
		return
	}
	if g.past(k) {
		delete(g.clients, k.whose)
	}
	if len(g.clients) > 2*g.kept+mostWaiting { // seldom enough to look at all
		for whose, k := range g.clients {
			if g.past(k) {
				delete(g.clients, whose)
			}
		}
		g.kept = len(g.clients)
	}
}

// past reports whether nothing needs to be known of a client any more. The lock is held.
func (g *Gate) past(k *guest) bool { return k.held == 0 && len(k.queue) == 0 && k.had <= g.clock }

// count counts the work of a turn since it was counted last. The lock is held.
func (t *Turn) count(now time.Time) {
	d := now.Sub(t.since)
	t.since = now
	t.worked += d
	t.guest.had += d
	t.session.had += d
}

// Pause is called between two parts of the work, of some milliseconds each. It counts
// what was done, and lends the place where somebody waits who is before this turn; then
// it waits until it is its turn again. More is false where the turn has had as much
// work as one may have, or so little time is left that what was found should be told;
// the error is that of the context.
func (t *Turn) Pause(ctx context.Context) (more bool, err error) {
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	now := time.Now()
	soon, hasDeadline := ctx.Deadline()
	if hasDeadline {
		soon = soon.Add(-soon.Sub(t.asked) / 20)
	}
	g := t.gate
	g.mu.Lock()
	if !t.inside {
		g.mu.Unlock()
		return false, nil
	}
	t.count(now)
	if g.budget > 0 && t.worked > g.budget || hasDeadline && now.After(soon) {
		t.end()
		g.mu.Unlock()
		return false, nil
	}
	if !t.heavy && t.worked > Light {
		t.heavy = true
		g.laden++
	}
	if !g.wanted(t) {
		t.guest.pass(t.session)
		g.mu.Unlock()
		return true, nil
	}
	g.leave(t)
	g.mu.Unlock()
	wait := ctx
	if hasDeadline {
		var cancel context.CancelFunc
		wait, cancel = context.WithDeadline(ctx, soon)
		defer cancel()
	}
	if err := g.admit(wait, t, nil); err != nil {
		if ctx.Err() != nil {
			return false, context.Cause(ctx)
		}
		g.mu.Lock() // what was found is told without a place: that is little work
		t.end()
		g.mu.Unlock()
		return false, nil
	}
	return true, nil
}

// end notes that the budget of a turn has ended. The lock is held.
func (t *Turn) end() {
	if !t.spent {
		t.spent = true
		t.gate.cut++
	}
}

// wanted reports whether somebody who is before a turn waits for a place, or there are
// more heavy turns inside than may be. The lock is held.
func (g *Gate) wanted(t *Turn) bool {
	if g.waiting == 0 {
		return false
	}
	mine := t.guest.standing() - slice - t.ahead()
	for _, k := range g.clients {
		for i := range k.queue {
			w := k.queue[i]
			if !g.could(k, w.heavy, t) {
				continue
			}
			standing := k.standing() - w.ahead
			if k == t.guest {
				standing -= slice
				if w.heavy == t.heavy && w.session.standing() < t.session.standing()-slice {
					return true
				}
			}
			if standing < mine {
				return true
			}
		}
	}
	return false
}

// could reports whether a client might have the place of a turn if that left it. The
// lock is held.
func (g *Gate) could(k *guest, heavy bool, t *Turn) bool {
	g.taken--
	if t.heavy {
		g.laden--
	}
	t.guest.held--
	ok := g.may(k, heavy)
	g.taken++
	if t.heavy {
		g.laden++
	}
	t.guest.held++
	return ok
}

// Help lends another place for a part of the work, where one is free that nobody waits
// for. The caller calls done behind the part.
func (t *Turn) Help() (done func(), ok bool) {
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.over || g.waiting > 0 || !g.may(t.guest, true) {
		return nil, false
	}
	k, s, since := t.guest, t.session, time.Now()
	g.hand(k, s, true)
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		d := time.Since(since)
		t.worked += d
		g.back(k, s, true, d)
	}, true
}

// Leave ends a turn.
func (t *Turn) Leave() {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if t.over {
		return
	}
	t.over = true
	t.gate.leave(t)
	if t.gate.done != nil {
		t.gate.done(t.heavy, t.worked, t.waited)
	}
}

// Used tells how much work a turn had, how long it waited, and whether its budget ended
// before its work.
func (t *Turn) Used() (worked, waited time.Duration, cut bool) {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	if t.inside {
		t.count(time.Now())
	}
	return t.worked, t.waited, t.spent
}

// Budget returns how much work one request may have; 0 for any.
func (g *Gate) Budget() time.Duration { return g.budget }

// leave gives up the place of a turn, if it has one. The lock is held.
func (g *Gate) leave(t *Turn) {
	if !t.inside {
		return
	}
	t.inside = false
	d := time.Since(t.since)
	t.worked += d
	g.back(t.guest, t.session, t.heavy, d)
}

// back takes a place back that was held for so long. The lock is held.
func (g *Gate) back(k *guest, s *share, heavy bool, d time.Duration) {
	g.taken--
	if heavy {
		g.laden--
	}
	k.held--
	s.held--
	k.had += d
	s.had += d
	g.serve()
	g.forget(k)
}

// load returns how many places are taken, how many requests wait, and how many were
// refused and cut.
func (g *Gate) load() (inside, waiting, refused, cut int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.taken, g.waiting, g.refused, g.cut
}

func (g *Gate) busy() *Problem {
	return NewProblem(http.StatusServiceUnavailable, "busy",
		"the server is busy with other requests",
		"try again when Retry-After says, or ask for less").After(g.wait / 2)
}
