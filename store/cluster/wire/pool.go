package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"qipu/index"
	"qipu/store"
)

// How patient statements are. A server of several that hangs costs quiet and
// ProbeLimit once, and a shard of which all hang is told after lastLimit more.
const (
	// quiet is how long a statement may take before somebody asks its server, on a
	// connection of its own, whether it is there, and watchEvery how often from then
	// on, as long as it is.
	quiet      = 250 * time.Millisecond
	watchEvery = time.Second

	// ProbeLimit is how long a server may take to answer that, where another one
	// can be asked instead, and lastLimit where there is none.
	ProbeLimit = time.Second
	lastLimit  = 2 * time.Second

	// probeEvery is how often a server that was found dead is asked whether it is
	// back.
	probeEvery = 2 * time.Second

	// restart is how long a write waits for a shard of which no server answers: one
	// that is started again takes seconds.
	restart = 20 * time.Second

	// CatchUp is how long a replica may take to get what others have before
	// another is asked.
	CatchUp = 5 * time.Second
)

// Pool is the lines to all servers of a library. Fields are set before it is used,
// but for what the types of them guard themselves.
type Pool struct {
	Shards []*Shard

	replicated atomic.Pointer[[]string] // the tables that replicas share; nil where there is one of each

	// patience is how long a write waits for servers that take none for now.
	patience time.Duration
	Logf     func(format string, args ...any)

	// Closing ends what goes on in the background, when stop is called.
	Closing    context.Context
	Stop       context.CancelFunc
	Background sync.WaitGroup
}

// NewPool returns a pool without servers.
func NewPool(patience time.Duration, logf func(string, ...any)) *Pool {
	p := &Pool{patience: patience, Logf: logf}
	p.Closing, p.Stop = context.WithCancel(context.Background())
	return p
}

// Share tells which tables replicas share. It is to be called before anything is read,
// and again where it turns out that there are more: what was known of replicas counts
// no longer then.
func (p *Pool) Share(tables []string) {
	p.replicated.Store(&tables)
	for _, s := range p.Shards {
		for _, r := range s.Replicas {
			r.checked.Store(0)
		}
	}
}

// Replicated returns the tables that replicas share; none where there is one of each.
func (p *Pool) Replicated() []string {
	if tables := p.replicated.Load(); tables != nil {
		return *tables
	}
	return nil
}

// Connect makes the lines to the servers of all shards.
func (p *Pool) Connect(shards [][]string, database string, dial Dialer) error {
	for i, hosts := range shards {
		s := &Shard{Pool: p, Number: i}
		p.Shards = append(p.Shards, s)
		for _, host := range hosts {
			line, err := dial(host, database)
			if err != nil {
				return err
			}
			s.Replicas = append(s.Replicas, &Replica{Host: host, Conn: line})
		}
	}
	return nil
}

// Suspect notes that some servers have been silent, and that others were away a
// while ago. All of these are asked behind the others, and only when they have said
// that they are there; somebody asks them for that in the background, at once. Those
// that were away must have caught up, too, with what was written meanwhile.
func (p *Pool) Suspect(silent, away []string) {
	for _, s := range p.Shards {
		for _, r := range s.Replicas {
			before := slices.Contains(away, r.Host) && len(s.Replicas) > 1
			if !before && !slices.Contains(silent, r.Host) && !slices.Contains(away, r.Host) {
				continue
			}
			r.hangs.Store(suspected)
			switch {
			case !before:
				p.Background.Go(func() {
					if s.stillHangs(p.Closing, r, false) && p.Closing.Err() == nil {
						s.lose(r)
					}
				})
			case !r.Down.Swap(true):
				s.pursue(r, 0)
			}
		}
	}
}

// suspected is what a replica has for hangs whose server was not asked yet.
const suspected = 1

// Away returns the servers that do not answer, as far as is known.
func (p *Pool) Away() (hosts []string) {
	for _, s := range p.Shards {
		for _, r := range s.Replicas {
			if !r.live() {
				hosts = append(hosts, r.Host)
			}
		}
	}
	return hosts
}

// HangUp closes all connections.
func (p *Pool) HangUp() error {
	var errs []error
	for _, s := range p.Shards {
		for _, r := range s.Replicas {
			errs = append(errs, r.Conn.Close())
		}
	}
	return errors.Join(errs...)
}

// Replica is one server of a shard.
type Replica struct {
	Host string
	Conn Conn

	Down    atomic.Bool               // it did not answer; somebody asks again in the background
	checked atomic.Int64              // how many connections had been made when it was last known to have everything
	alone   atomic.Int64              // nobody knows what it lacks: when to try again, in nanoseconds
	hangs   atomic.Int64              // it took long to find that it does not answer: until when it is probed briefly, in nanoseconds; 0 for no
	why     atomic.Pointer[DownError] // what came of the last probe that it did not answer
}

// live reports whether a replica answers, as far as is known.
func (r *Replica) live() bool { return !r.Down.Load() && r.hangs.Load() == 0 }

// Shard is the servers that have the same documents.
type Shard struct {
	Pool     *Pool
	Number   int // in the list of all; people count from 1
	Replicas []*Replica
	told     atomic.Int64 // when somebody was told last that it takes no writes, in nanoseconds
}

// String names the shard to people.
func (s *Shard) String() string { return fmt.Sprintf("shard %d", s.Number+1) }

func (s *Shard) hosts() (list []string) {
	for _, r := range s.Replicas {
		list = append(list, r.Host)
	}
	return list
}

// order returns the replicas in the order in which they are asked: those that
// answer go first.
func (s *Shard) order() []*Replica {
	list := slices.Clone(s.Replicas)
	slices.SortStableFunc(list, func(a, b *Replica) int {
		switch x, y := a.live(), b.live(); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
	return list
}

// Read runs statements on the first replica that answers. Where the connection
// breaks, f runs again on another: it must start anew.
func (s *Shard) Read(ctx context.Context, what string, f func(Conn) error) error {
	return s.run(ctx, what, func(r *Replica) error { return s.abreast(ctx, r, f) })
}

// Write runs statements that change something on the first replica that
// answers, and waits while the shard takes no writes, or while no replica
// answers, as long as the pool and the context have patience. Where a connection breaks, nobody
// knows what the server has done: f runs again, and must find out itself what is
// there already.
func (s *Shard) Write(ctx context.Context, what string, f func(Conn) error) error {
	return s.wait(ctx, func() error {
		return s.run(ctx, what, func(r *Replica) error { return s.guard(ctx, r, f) })
	})
}

// run does something with one replica after the other, until one answers.
func (s *Shard) run(ctx context.Context, what string, try func(*Replica) error) error {
	var last error
	for _, r := range s.order() {
		for range 2 {
			err := try(r)
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case !IsDown(err):
				return fmt.Errorf("cluster: %s: %v: %w", what, s, err)
			}
			last = err
			// A connection that was made earlier may have ended with a server that
			// is back since.
			var down *DownError
			if errors.As(err, &down) && down.fresh {
				break
			}
		}
		s.lose(r)
	}
	return &store.UnreachableError{Shard: s.String(), Hosts: s.hosts(), Err: last}
}

// patienceKey is that of WithPatience in a context.
type patienceKey struct{}

// WithPatience returns a context in which writes wait no longer than is said for
// servers that take none for now.
func WithPatience(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, patienceKey{}, d)
}

// wait does something again and again while the shard takes no writes, or while
// no replica answers.
func (s *Shard) wait(ctx context.Context, do func() error) error {
	began := time.Now()
	var down time.Time // since when no replica answers; zero while one does
	longest := s.Pool.patience
	if d, ok := ctx.Value(patienceKey{}).(time.Duration); ok {
		longest = min(longest, d)
	}
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := do()
		if err == nil || ctx.Err() != nil {
			return err
		}
		since, patience := began, time.Duration(0)
		switch {
		case TakesNoWrites(err):
			patience, down = longest, time.Time{}
		case IsDown(err):
			if down.IsZero() {
				down = time.Now()
			}
			since, patience = down, min(longest, restart)
		}
		if time.Since(since)+pause > patience || time.Since(began)+pause > longest {
			return err
		}
		// Tables wait at the same time: one of them tells.
		if last, now := s.told.Load(), time.Now().UnixNano(); time.Duration(now-last) >= 5*time.Second && s.told.CompareAndSwap(last, now) {
			s.Pool.Logf("%v takes no writes for now, waiting %v at most: %v", s, patience, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// guard runs statements on a replica, which is given up when it hangs. One that
// hung has to say first that it is there.
func (s *Shard) guard(ctx context.Context, r *Replica, f func(Conn) error) error {
	if s.stillHangs(ctx, r, r.Down.Load()) {
		return r.hung()
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.watch(inner, r, cancel)
	began := time.Now()
	err := f(watched{r.Conn, inner})
	if cause := context.Cause(inner); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	if IsDown(err) && time.Since(began) > quiet {
		r.hangs.Store(time.Now().Add(probeEvery).UnixNano())
	}
	return err
}

// abreast runs statements on a replica. Where there are others, what it answers
// does not count when it lacks something that others have: it may have been away,
// and have come back just now.
func (s *Shard) abreast(ctx context.Context, r *Replica, f func(Conn) error) error {
	for {
		if err := s.guard(ctx, r, f); err != nil || len(s.Replicas) == 1 {
			return err
		}
		made := connectionsOf(r.Conn)
		if made == r.checked.Load() || time.Now().UnixNano() < r.alone.Load() {
			return nil
		}
		switch err := s.level(ctx, r); {
		case errors.Is(err, errAlone) && !r.Down.Load():
			r.alone.Store(time.Now().Add(probeEvery).UnixNano())
			return nil
		case err != nil:
			return err
		}
		r.checked.Store(made)
	}
}

// watched is a conn whose statements end with a context too: callers use their
// own, and a replica that hangs is given up under them.
type watched struct {
	Conn
	until context.Context
}

func (w watched) join(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(w.until, func() { cancel(context.Cause(w.until)) })
	return ctx, func() { stop(); cancel(nil) }
}

func (w watched) Exec(ctx context.Context, sql string) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.Conn.Exec(ctx, sql)
}

func (w watched) Query(ctx context.Context, sql string, row func() error, dest ...any) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.Conn.Query(ctx, sql, row, dest...)
}

func (w watched) Insert(ctx context.Context, table string, names []string, columns []any) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.Conn.Insert(ctx, table, names, columns)
}

// connectionsOf counts the connections that were made so far, where that can be
// known.
func connectionsOf(c Conn) int64 {
	if n, ok := c.(interface{ made() int64 }); ok {
		return n.made()
	}
	return 0
}

// watch asks a replica that takes long whether it is still there, and gives it up
// where it is not.
func (s *Shard) watch(ctx context.Context, r *Replica, giveUp context.CancelCauseFunc) {
	t := time.NewTimer(quiet)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if r.probe(ctx, s.limit(r)) != nil {
			giveUp(r.hung())
			return
		}
		t.Reset(watchEvery)
	}
}

// limit is how long a replica may take to say that it is there.
func (s *Shard) limit(r *Replica) time.Duration {
	if slices.ContainsFunc(s.Replicas, func(o *Replica) bool { return o != r && o.live() }) {
		return ProbeLimit
	}
	return lastLimit
}

// probe asks a replica whether it is there, again and again until it is, or the
// limit is over: one that is started again, or has much to do, may refuse
// connections for a moment.
func (r *Replica) probe(ctx context.Context, limit time.Duration) error {
	inner, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var why *DownError
	told := limit > quiet
	for {
		err := r.ping(inner)
		if err == nil {
			return nil
		}
		// What was told within the limit is the reason, and not that the limit is over,
		// which means little where it is short.
		told = told || inner.Err() == nil
		if inner.Err() == nil || why == nil {
			if !errors.As(err, &why) || !why.fresh {
				why = &DownError{Host: r.Host, fresh: true, Err: errors.New("it hangs")}
			}
		}
		select {
		case <-inner.Done():
			if told && ctx.Err() == nil {
				r.why.Store(why)
			}
			return why
		case <-time.After(quiet):
		}
	}
}

// ping asks a replica on a connection of its own whether it is there, where that
// can be known.
func (r *Replica) ping(ctx context.Context) error {
	if p, ok := r.Conn.(interface{ ping(context.Context) error }); ok {
		return p.ping(ctx)
	}
	return nil
}

// hung is the error of a replica that did not answer a probe.
func (r *Replica) hung() error {
	return cmp.Or(r.why.Load(), &DownError{Host: r.Host, fresh: true, Err: errors.New("it hangs")})
}

// stillHangs reports whether a replica hung, and does so still: what is stuck on it
// is found out anew by every statement otherwise. One that hung a moment ago is
// asked briefly, so that it is used as soon as it is back, and so is one that
// somebody else asks for longer. Where several of a shard are to be asked for longer,
// they are at the same time.
func (s *Shard) stillHangs(ctx context.Context, r *Replica, briefly bool) bool {
	due := func(r *Replica) bool {
		until := r.hangs.Load()
		return until != 0 && time.Now().UnixNano() >= until
	}
	switch until := r.hangs.Load(); {
	case until == 0:
		return false
	case until != suspected && briefly || !due(r):
		if r.probe(ctx, quiet) == nil {
			r.hangs.Store(0)
		}
	default:
		var wait sync.WaitGroup
		for _, r := range slices.DeleteFunc(slices.Clone(s.Replicas), func(r *Replica) bool { return !due(r) }) {
			limit := s.limit(r)
			wait.Go(func() {
				switch err := r.probe(ctx, limit); {
				case err == nil:
					r.hangs.Store(0)
				case ctx.Err() == nil:
					r.hangs.Store(time.Now().Add(probeEvery).UnixNano())
				}
			})
		}
		wait.Wait()
	}
	return r.hangs.Load() != 0
}

// lose notes that a replica does not answer. Where there are others, somebody
// asks in the background until it does, and has caught up.
func (s *Shard) lose(r *Replica) {
	if len(s.Replicas) == 1 || r.Down.Swap(true) {
		return
	}
	s.Pool.Logf("%v: %s does not answer; the others are asked", s, r.Host)
	s.pursue(r, probeEvery)
}

// pursue asks a replica that is down, after a pause and then every probeEvery,
// until it answers and has caught up.
func (s *Shard) pursue(r *Replica, pause time.Duration) {
	s.Pool.Background.Go(func() {
		for ; ; pause = probeEvery {
			select {
			case <-s.Pool.Closing.Done():
				return
			case <-time.After(pause):
			}
			if s.stillHangs(s.Pool.Closing, r, false) {
				continue
			}
			ctx, cancel := context.WithTimeout(s.Pool.Closing, CatchUp)
			made := connectionsOf(r.Conn)
			err := s.level(ctx, r)
			cancel()
			if err == nil {
				r.checked.Store(made)
				r.Down.Store(false)
				return
			}
		}
	})
}

// errAlone tells that there is no ZooKeeper. Nothing can be known of what a
// replica lacks, and nothing new can come: one that was there all the time is as
// good as any.
var errAlone error = &DownError{Host: "ZooKeeper", fresh: true, Err: errors.New("nobody knows what a server lacks that was away")}

// level waits until a replica has what others have.
func (s *Shard) level(ctx context.Context, r *Replica) error {
	ctx = uncounted(WithLimit(ctx, CatchUp))
	err := s.guard(ctx, r, func(line Conn) error { return syncTables(ctx, line, s.Pool.Replicated()) })
	switch Code(err) {
	case codeReadOnly, codeAborted, codeNoZooKeeper, codeKeeper:
		return errAlone
	}
	if IsTimeout(err) && ctx.Err() == nil {
		return &DownError{Host: r.Host, fresh: true, Err: errors.New("it has not caught up with what was written while it was away")}
	}
	return err
}

// mostSyncs is how many statements may wait on a server for what others have.
// Servers of 2018 end none of them when the client goes, and take a hundred
// statements at a time.
const mostSyncs = 32

// errBehind tells that a server has long not got what others have.
var errBehind error = &DownError{Host: "a replica", fresh: true, Err: errors.New("it has not caught up, and many statements wait for that")}

// syncTables brings tables of a replica up to date.
func syncTables(ctx context.Context, line Conn, tables []string) error {
	var waiting uint64
	err := line.Query(ctx, "SELECT count() AS n FROM system.processes WHERE query LIKE 'SYSTEM SYNC%'", func() error { return nil }, &waiting)
	if err != nil {
		return err
	}
	if waiting >= mostSyncs {
		return errBehind
	}
	errs := make([]error, len(tables))
	var wg sync.WaitGroup
	for i, name := range tables {
		wg.Go(func() { errs[i] = line.Exec(ctx, "SYSTEM SYNC REPLICA "+name) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil && Code(err) != CodeUnknownTable { // of an older library, which is told elsewhere
			return err
		}
	}
	return nil
}

// Sync brings tables up to date on every replica that answers, so that nothing
// of them is lost with one server. It is to be done before a commit. One that does
// not get there in time is not asked until it has.
func (s *Shard) Sync(ctx context.Context, tables []string) error {
	if len(s.Replicas) == 1 {
		return nil
	}
	reached := 0
	for _, r := range s.Replicas {
		if !r.live() {
			continue
		}
		var lost error
		err := s.wait(ctx, func() error {
			err := s.guard(ctx, r, func(line Conn) error { return syncTables(ctx, line, tables) })
			if IsDown(err) || IsTimeout(err) {
				lost = err
				return nil
			}
			return err
		})
		switch {
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return fmt.Errorf("cluster: bringing replicas up to date: %v: %w", s, err)
		case lost != nil:
			s.Pool.Logf("%v goes on without a server: %v", s, lost)
			s.lose(r)
		default:
			reached++
		}
	}
	if reached == 0 {
		return &store.UnreachableError{Shard: s.String(), Hosts: s.hosts(), Err: errors.New("no replica answers")}
	}
	return nil
}

// Each runs something on all shards at once, and returns the first error in their
// order. A shard that cannot be reached is an error, except where the context
// allows partial answers and has somebody who keeps account of them: see collect.
// That all of them are missing is an error in any case.
func (p *Pool) Each(ctx context.Context, what string, f func(s *Shard) error) error {
	errs := make([]error, len(p.Shards))
	var wg sync.WaitGroup
	for i, s := range p.Shards {
		wg.Go(func() { errs[i] = f(s) })
	}
	wg.Wait()
	left := len(errs)
	for i, err := range errs {
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return fmt.Errorf("cluster: %s: %w", what, context.Cause(ctx))
		case !Excused(ctx, p.Shards[i], err):
			return err
		default:
			left--
		}
	}
	if left == 0 {
		return fmt.Errorf("cluster: %s: no shard answers: %w", what, errs[0])
	}
	return nil
}

// Together runs functions at the same time and returns the first error.
func Together(list ...func() error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, f := range list {
		wait.Go(func() { errs[i] = f() })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// Missing are the shards that an answer goes without. It is safe for concurrent
// use.
type Missing struct {
	mu    sync.Mutex
	names map[int]string
}

// List names them in their order.
func (m *Missing) List() (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(m.names)) {
		names = append(names, m.names[number])
	}
	return names
}

type missingKey struct{}

// Collect returns a context in which each notes in m what it goes without.
func Collect(ctx context.Context, m *Missing) context.Context {
	return context.WithValue(ctx, missingKey{}, m)
}

// Excused reports whether an answer may go without a shard after an error, and
// notes it if so.
func Excused(ctx context.Context, s *Shard, err error) bool {
	m, ok := ctx.Value(missingKey{}).(*Missing)
	if !ok || !IsDown(err) || !index.PartialAllowed(ctx) || ctx.Err() != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names == nil {
		m.names = map[int]string{}
	}
	m.names[s.Number] = s.String()
	return true
}
