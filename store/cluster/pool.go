package cluster

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

	// catchUp is how long a replica may take to get what others have before
	// another is asked.
	catchUp = 5 * time.Second
)

// replica is one server of a shard.
type replica struct {
	host string
	conn conn

	down    atomic.Bool  // it did not answer; somebody asks again in the background
	checked atomic.Int64 // how many connections had been made when it was last known to have everything
	alone   atomic.Int64 // nobody knows what it lacks: when to try again, in nanoseconds
	hangs   atomic.Int64 // it took long to find that it does not answer: when to try again, in nanoseconds; 0 for no
}

// shard is the servers that have the same documents.
type shard struct {
	cluster  *Cluster
	number   int // in the list of all; people count from 1
	replicas []*replica
	told     atomic.Int64 // when somebody was told last that it takes no writes, in nanoseconds
}

// String names the shard to people.
func (s *shard) String() string { return fmt.Sprintf("shard %d", s.number+1) }

func (s *shard) hosts() (list []string) {
	for _, r := range s.replicas {
		list = append(list, r.host)
	}
	return list
}

// order returns the replicas in the order in which they are asked: those that
// answer go first.
func (s *shard) order() []*replica {
	list := slices.Clone(s.replicas)
	slices.SortStableFunc(list, func(a, b *replica) int {
		switch x, y := a.down.Load(), b.down.Load(); {
		case x == y:
			return 0
		case y:
			return -1
		}
		return 1
	})
	return list
}

// read runs statements on the first replica that answers. Where the connection
// breaks, f runs again on another: it must start anew.
func (s *shard) read(ctx context.Context, what string, f func(conn) error) error {
	return s.run(ctx, what, func(r *replica) error { return s.abreast(ctx, r, f) })
}

// write runs statements that change something on the first replica that
// answers, and waits while the shard takes no writes, or while no replica
// answers, as long as the cluster has patience. Where a connection breaks, nobody
// knows what the server has done: f runs again, and must find out itself what is
// there already.
func (s *shard) write(ctx context.Context, what string, f func(conn) error) error {
	return s.wait(ctx, func() error {
		return s.run(ctx, what, func(r *replica) error { return s.guard(ctx, r, f) })
	})
}

// run does something with one replica after the other, until one answers.
func (s *shard) run(ctx context.Context, what string, try func(*replica) error) error {
	var last error
	for _, r := range s.order() {
		for range 2 {
			err := try(r)
			switch {
			case err == nil:
				return nil
			case ctx.Err() != nil:
				return context.Cause(ctx)
			case !isDown(err):
				return fmt.Errorf("cluster: %s: %v: %w", what, s, err)
			}
			last = err
			// A connection that was made earlier may have ended with a server that
			// is back since.
			var down *downError
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
func (s *shard) wait(ctx context.Context, do func() error) error {
	began := time.Now()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := do()
		if err == nil || ctx.Err() != nil {
			return err
		}
		patience := time.Duration(0)
		switch {
		case isReadOnly(err):
			patience = s.cluster.patience
		case isDown(err):
			patience = min(s.cluster.patience, restart)
		}
		if time.Since(began)+pause > patience {
			return err
		}
		// Tables wait at the same time: one of them tells.
		if last, now := s.told.Load(), time.Now().UnixNano(); time.Duration(now-last) >= 5*time.Second && s.told.CompareAndSwap(last, now) {
			s.cluster.logf("%v takes no writes for now, waiting: %v", s, err)
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
func (s *shard) guard(ctx context.Context, r *replica, f func(conn) error) error {
	partial := index.PartialAllowed(ctx)
	if len(s.replicas) == 1 && !partial {
		return f(r.conn)
	}
	if partial && r.stillHangs(ctx) {
		return r.hung()
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.watch(inner, r, cancel)
	began := time.Now()
	err := f(watched{r.conn, inner})
	if cause := context.Cause(inner); err != nil && cause != nil && ctx.Err() == nil {
		err = cause
	}
	if isDown(err) && time.Since(began) > probeEvery/2 {
		r.hangs.Store(time.Now().Add(probeEvery).UnixNano())
	}
	return err
}

// abreast runs statements on a replica. Where there are others, what it answers
// does not count when it lacks something that others have: it may have been away,
// and have come back just now.
func (s *shard) abreast(ctx context.Context, r *replica, f func(conn) error) error {
	for {
		if err := s.guard(ctx, r, f); err != nil || len(s.replicas) == 1 {
			return err
		}
		made := connectionsOf(r.conn)
		if made == r.checked.Load() || time.Now().UnixNano() < r.alone.Load() {
			return nil
		}
		switch err := s.level(ctx, r); {
		case errors.Is(err, errAlone) && !r.down.Load():
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
	conn
	until context.Context
}

func (w watched) join(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(w.until, func() { cancel(context.Cause(w.until)) })
	return ctx, func() { stop(); cancel(nil) }
}

func (w watched) exec(ctx context.Context, sql string) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.conn.exec(ctx, sql)
}

func (w watched) query(ctx context.Context, sql string, row func() error, dest ...any) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.conn.query(ctx, sql, row, dest...)
}

func (w watched) insert(ctx context.Context, table string, names []string, columns []any) error {
	ctx, end := w.join(ctx)
	defer end()
	return w.conn.insert(ctx, table, names, columns)
}

// connectionsOf counts the connections that were made so far, where that can be
// known.
func connectionsOf(c conn) int64 {
	if n, ok := c.(interface{ made() int64 }); ok {
		return n.made()
	}
	return 0
}

// watch asks a replica that takes long whether it is still there, and gives it
// up where it does not answer twice.
func (s *shard) watch(ctx context.Context, r *replica, giveUp context.CancelCauseFunc) {
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
func (r *replica) ping(ctx context.Context) error {
	if p, ok := r.conn.(interface{ ping(context.Context) error }); ok {
		return p.ping(ctx)
	}
	return nil
}

// hung is the error of a replica that hangs.
func (r *replica) hung() error {
	return &downError{host: r.host, fresh: true, err: errors.New("it hangs")}
}

// stillHangs reports whether a replica hung a moment ago, and does so still: what
// is stuck on it is found out anew by every statement otherwise.
func (r *replica) stillHangs(ctx context.Context) bool {
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
func (s *shard) lose(r *replica) {
	if len(s.replicas) == 1 || r.down.Swap(true) {
		return
	}
	s.cluster.logf("%v: %s does not answer; the others are asked", s, r.host)
	s.cluster.background.Go(func() {
		for {
			select {
			case <-s.cluster.closing.Done():
				return
			case <-time.After(probeEvery):
			}
			ctx, cancel := context.WithTimeout(s.cluster.closing, catchUp)
			made := connectionsOf(r.conn)
			err := s.level(ctx, r)
			cancel()
			if err == nil {
				r.checked.Store(made)
				r.down.Store(false)
				return
			}
		}
	})
}

// errAlone tells that there is no ZooKeeper. Nothing can be known of what a
// replica lacks, and nothing new can come: one that was there all the time is as
// good as any.
var errAlone error = &downError{host: "ZooKeeper", fresh: true, err: errors.New("nobody knows what a server lacks that was away")}

// level waits until a replica has what others have.
func (s *shard) level(ctx context.Context, r *replica) error {
	ctx = uncounted(withLimit(ctx, catchUp))
	err := s.guard(ctx, r, func(line conn) error { return syncTables(ctx, line, s.cluster.replicated) })
	switch code(err) {
	case codeReadOnly, codeAborted, codeNoZooKeeper, codeKeeper:
		return errAlone
	}
	if isTimeout(err) && ctx.Err() == nil {
		return &downError{host: r.host, fresh: true, err: errors.New("it has not caught up with what was written while it was away")}
	}
	return err
}

// mostSyncs is how many statements may wait on a server for what others have.
// Servers of 2018 end none of them when the client goes, and take a hundred
// statements at a time.
const mostSyncs = 32

// errBehind tells that a server has long not got what others have.
var errBehind error = &downError{host: "a replica", fresh: true, err: errors.New("it has not caught up, and many statements wait for that")}

// syncTables brings tables of a replica up to date.
func syncTables(ctx context.Context, line conn, tables []string) error {
	var waiting uint64
	err := line.query(ctx, "SELECT count() AS n FROM system.processes WHERE query LIKE 'SYSTEM SYNC%'", func() error { return nil }, &waiting)
	if err != nil {
		return err
	}
	if waiting >= mostSyncs {
		return errBehind
	}
	errs := make([]error, len(tables))
	var wg sync.WaitGroup
	for i, name := range tables {
		wg.Go(func() { errs[i] = line.exec(ctx, "SYSTEM SYNC REPLICA "+name) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// sync brings tables up to date on every replica that answers, so that nothing
// of them is lost with one server. It is to be done before a commit. One that does
// not get there in time is not asked until it has.
func (s *shard) sync(ctx context.Context, tables []string) error {
	if len(s.replicas) == 1 {
		return nil
	}
	reached := 0
	for _, r := range s.replicas {
		if r.down.Load() {
			continue
		}
		var lost error
		err := s.wait(ctx, func() error {
			err := s.guard(ctx, r, func(line conn) error { return syncTables(ctx, line, tables) })
			if isDown(err) || isTimeout(err) {
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
			s.cluster.logf("%v goes on without a server: %v", s, lost)
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

// each runs something on all shards at once, and returns the first error in their
// order. A shard that cannot be reached is an error, except where the context
// allows partial answers and has somebody who keeps account of them: see collect.
// That all of them are missing is an error in any case.
func (c *Cluster) each(ctx context.Context, what string, f func(s *shard) error) error {
	errs := make([]error, len(c.shards))
	var wg sync.WaitGroup
	for i, s := range c.shards {
		wg.Go(func() { errs[i] = f(s) })
	}
	wg.Wait()
	left := len(errs)
	for i, err := range errs {
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return fmt.Errorf("cluster: %s: %w", what, context.Cause(ctx))
		case !excused(ctx, c.shards[i], err):
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

// missing are the shards that an answer goes without. It is safe for concurrent
// use.
type missing struct {
	mu    sync.Mutex
	names map[int]string
}

// list names them in their order.
func (m *missing) list() (names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, number := range slices.Sorted(maps.Keys(m.names)) {
		names = append(names, m.names[number])
	}
	return names
}

type missingKey struct{}

// collect returns a context in which each notes in m what it goes without.
func collect(ctx context.Context, m *missing) context.Context {
	return context.WithValue(ctx, missingKey{}, m)
}

// excused reports whether an answer may go without a shard after an error, and
// notes it if so.
func excused(ctx context.Context, s *shard, err error) bool {
	m, ok := ctx.Value(missingKey{}).(*missing)
	if !ok || !isDown(err) || !index.PartialAllowed(ctx) || ctx.Err() != nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.names == nil {
		m.names = map[int]string{}
	}
	m.names[s.number] = s.String()
	return true
}
