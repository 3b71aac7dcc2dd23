package wire

import (
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

// How patient statements are.
const (
	// probeEvery is how often a server that was found dead is asked whether it
	// is back, and watchEvery how often one of several that is slow whether it is
	// there.
	probeEvery = 2 * time.Second
	watchEvery = time.Second

	// CatchUp is how long a replica may take to get what others have before
	// another is asked.
	CatchUp = 5 * time.Second
)

// Pool is the lines to all servers of a library. Fields are set before it is used,
// but for what the types of them guard themselves.
type Pool struct {
	Shards     []*Shard
	Replicated []string // the tables that replicas share; none where there is one of each

	// patience is how long a write waits for servers that take none for now.
	patience time.Duration
	Logf     func(format string, args ...any)

	// Closing ends what goes on in the background, when stop is called.
	Closing    context.Context
	Stop       context.CancelFunc
	Background sync.WaitGroup
}

// restart is how long a write waits for a shard of which no server answers: one
// that is started again takes seconds.
const restart = 20 * time.Second

// NewPool returns a pool without servers.
func NewPool(patience time.Duration, logf func(string, ...any)) *Pool {
	p := &Pool{patience: patience, Logf: logf}
	p.Closing, p.Stop = context.WithCancel(context.Background())
	return p
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

	Down    atomic.Bool  // it did not answer; somebody asks again in the background
	checked atomic.Int64 // how many connections had been made when it was last known to have everything
	alone   atomic.Int64 // nobody knows what it lacks: when to try again, in nanoseconds
	hangs   atomic.Int64 // it took long to find that it does not answer: when to try again, in nanoseconds; 0 for no
}

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
		switch x, y := a.Down.Load(), b.Down.Load(); {
		case x == y:
			return 0
		case y:
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
// answers, as long as the cluster has patience. Where a connection breaks, nobody
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

// wait does something again and again while the shard takes no writes, or while
// no replica answers.
func (s *Shard) wait(ctx context.Context, do func() error) error {
	began := time.Now()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := do()
		if err == nil || ctx.Err() != nil {
			return err
		}
		patience := time.Duration(0)
		switch {
		case isReadOnly(err):
			patience = s.Pool.patience
		case IsDown(err):
			patience = min(s.Pool.patience, restart)
		}
		if time.Since(began)+pause > patience {
			return err
		}
		// Tables wait at the same time: one of them tells.
		if last, now := s.told.Load(), time.Now().UnixNano(); time.Duration(now-last) >= 5*time.Second && s.told.CompareAndSwap(last, now) {
			s.Pool.Logf("%v takes no writes for now, waiting: %v", s, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// guard runs statements on a replica. Where there are others, or the caller puts
// up with less, it is given up when it hangs.
func (s *Shard) guard(ctx context.Context, r *Replica, f func(Conn) error) error {
	partial := index.PartialAllowed(ctx)
	if len(s.Replicas) == 1 && !partial {
		return f(r.Conn)
	}
	if partial && r.stillHangs(ctx) {
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
	if IsDown(err) && time.Since(began) > probeEvery/2 {
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

// watch asks a replica that takes long whether it is still there, and gives it
// up where it does not answer twice.
func (s *Shard) watch(ctx context.Context, r *Replica, giveUp context.CancelCauseFunc) {
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for failed := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		if failed++; r.ping(ctx) == nil {
			failed = 0
		}
		if failed == 2 && ctx.Err() == nil {
			giveUp(r.hung())
			return
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

// hung is the error of a replica that hangs.
func (r *Replica) hung() error {
	return &DownError{Host: r.Host, fresh: true, Err: errors.New("it hangs")}
}

// stillHangs reports whether a replica hung a moment ago, and does so still: what
// is stuck on it is found out anew by every statement otherwise.
func (r *Replica) stillHangs(ctx context.Context) bool {
	until := r.hangs.Load()
	switch {
	case until == 0:
		return false
	case time.Now().UnixNano() < until:
		return true
	case r.ping(ctx) == nil:
		r.hangs.Store(0)
		return false
	}
	r.hangs.Store(time.Now().Add(probeEvery).UnixNano())
	return true
}

// lose notes that a replica does not answer. Where there are others, somebody
// asks in the background until it does, and has caught up.
func (s *Shard) lose(r *Replica) {
	if len(s.Replicas) == 1 || r.Down.Swap(true) {
		return
	}
	s.Pool.Logf("%v: %s does not answer; the others are asked", s, r.Host)
	s.Pool.Background.Go(func() {
		for {
			select {
			case <-s.Pool.Closing.Done():
				return
			case <-time.After(probeEvery):
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
	err := s.guard(ctx, r, func(line Conn) error { return syncTables(ctx, line, s.Pool.Replicated) })
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
		if err != nil {
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
		if r.Down.Load() {
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
