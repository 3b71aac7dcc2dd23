package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/store"
)

// InsertOnce writes a block of a table, behind which a condition is true of so many
// rows. Where the connection breaks meanwhile, it looks whether the block came
// through before it sends it again. A server takes no block that it has heard of
// already, even where only a replica has it that is dead: so it looks afterwards,
// too. It reports whether it had to look.
func (s *Shard) InsertOnce(ctx context.Context, table string, names []string, columns []any, where string, rows uint64) (doubt bool, err error) {
	return s.once(ctx, table, where, rows, false, func(ctx context.Context, db Conn) error { return db.Insert(ctx, table, names, columns) })
}

// InsertIf is InsertOnce for a statement that inserts rows of its own, or none:
// then it is an error (ErrNotInserted).
func (s *Shard) InsertIf(ctx context.Context, table, sql, where string, rows uint64) error {
	_, err := s.once(ctx, table, where, rows, true, func(ctx context.Context, db Conn) error { return db.Exec(ctx, sql) })
	return err
}

// ErrNotInserted tells that a statement has inserted nothing.
var ErrNotInserted = errors.New("what the rows depend on is no longer so")

// once writes a block by a function. It may be that this writes nothing where it
// is said so.
func (s *Shard) once(ctx context.Context, table, where string, rows uint64, maybe bool, insert func(context.Context, Conn) error) (doubt bool, err error) {
	tried := false
	err = s.Write(ctx, "writing the table "+table, func(db Conn) error {
		arrived := func() (bool, error) {
			var n uint64
			err := db.Query(ctx, "SELECT count() AS n FROM "+table+" WHERE "+where, func() error { return nil }, &n)
			return n >= rows, err
		}
		doubt, tried = tried, true
		if doubt {
			if ok, err := arrived(); err != nil {
				return err
			} else if ok {
				return s.confirm(ctx, table, where, rows)
			}
		}
		if err := insert(s.Everywhere(ctx), db); err != nil {
			s.Probe(ctx)
			return err
		}
		if !doubt && !maybe {
			return nil
		}
		ok, err := arrived()
		switch {
		case err != nil || ok:
			return err
		case maybe:
			return ErrNotInserted
		}
		return errLacking
	})
	return doubt, err
}

// confirm looks whether the other replicas that answer get a block that one of
// them has. A server that lost ZooKeeper while it took the block may have it for
// itself, and throws it away some minutes later: then the batch must not count.
func (s *Shard) confirm(ctx context.Context, table, where string, rows uint64) error {
	if len(s.Replicas) == 1 {
		return nil
	}
	for _, r := range s.Replicas {
		if !r.live() {
			continue
		}
		var n uint64
		err := s.guard(ctx, r, func(line Conn) error {
			if err := syncTables(ctx, line, []string{table}); err != nil {
				return err
			}
			return line.Query(ctx, "SELECT count() AS n FROM "+table+" WHERE "+where, func() error { return nil }, &n)
		})
		switch {
		case IsDown(err) || IsTimeout(err):
			s.lose(r)
		case err != nil:
			return err
		case n < rows:
			return ErrUnshared
		}
	}
	return nil
}

// ErrUnshared tells that one replica alone has a block.
var ErrUnshared = errors.New("one server alone has a block that was interrupted, and will lose it: add the batch again")

// errLacking tells that a server takes a block for one that is there and that it
// does not have. It forgets that soon: whoever waits may try again.
var errLacking error = &refusal{host: "a server", code: codeQuorum, message: "a replica that is dead had the block"}

// Everywhere returns a context in which inserts go to all replicas that answer.
func (s *Shard) Everywhere(ctx context.Context) context.Context {
	live := 0
	for _, r := range s.Replicas {
		if r.live() {
			live++
		}
	}
	if live < 2 {
		return ctx
	}
	return withQuorum(ctx, live)
}

// Probe finds out which replicas answer, where there are several.
func (s *Shard) Probe(ctx context.Context) {
	if len(s.Replicas) == 1 {
		return
	}
	var wait sync.WaitGroup
	for _, r := range s.Replicas {
		if r.Down.Load() {
			continue // somebody asks it already
		}
		wait.Go(func() {
			var one uint8
			err := s.guard(ctx, r, func(line Conn) error {
				return line.Query(WithLimit(ctx, DialTimeout), "SELECT 1 AS one", func() error { return nil }, &one)
			})
			if IsDown(err) {
				s.lose(r)
			}
		})
	}
	wait.Wait()
}

// EveryReplica asks all replicas that answer, of which there must be one.
func (s *Shard) EveryReplica(ctx context.Context, what string, f func(context.Context, Conn) error) error {
	return s.every(ctx, what, s.Replicas, f)
}

// EveryLive is EveryReplica without those that are known not to answer, where
// there is another: what is done often must not wait for them each time. Where
// none answers, it waits as Write does.
func (s *Shard) EveryLive(ctx context.Context, what string, f func(context.Context, Conn) error) error {
	return s.wait(ctx, func() error {
		live := slices.DeleteFunc(slices.Clone(s.Replicas), func(r *Replica) bool { return r.Down.Load() })
		if len(live) == 0 {
			live = s.Replicas
		}
		return s.every(ctx, what, live, f)
	})
}

func (s *Shard) every(ctx context.Context, what string, list []*Replica, f func(context.Context, Conn) error) error {
	limited := ctx
	if len(s.Replicas) > 1 {
		limited = WithLimit(ctx, CatchUp)
	}
	var last error
	reached := false
	for _, r := range list {
		ask := func() error {
			return s.guard(limited, r, func(line Conn) error { return f(limited, line) })
		}
		err := ask()
		if IsDown(err) {
			// The connection may be one to a server that is back since.
			err = ask()
		}
		switch {
		case err == nil:
			reached = true
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case IsDown(err) || IsTimeout(err):
			last = err
			s.lose(r)
		default:
			return fmt.Errorf("cluster: %s: %s: %w", what, s, err)
		}
	}
	if !reached {
		return &store.UnreachableError{Shard: s.String(), Hosts: s.hosts(), Err: last}
	}
	return nil
}

// settleTime is how long a shard is waited for that does not get on with what it
// was told to delete. Old servers leave the part of a replicated table alone that
// came last, until another has come.
const settleTime = 10 * time.Second

// Settle waits until a shard has done what it was told to delete, or as much of it
// as it does for now.
func (s *Shard) Settle(ctx context.Context) error {
	_, err := s.Settled(ctx, settleTime)
	return err
}

// Settled is Settle with as much patience as is said, and reports whether all was done.
func (s *Shard) Settled(ctx context.Context, patience time.Duration) (bool, error) {
	var last int64
	since := time.Now()
	for {
		var n uint64
		var parts int64
		var why string
		err := s.Read(ctx, "sweeping", func(line Conn) error {
			return line.Query(ctx, "SELECT count() AS n, sum(parts_to_do) AS p, max(command) AS c FROM system.mutations WHERE database = currentDatabase() AND is_done = 0", func() error { return nil }, &n, &parts, &why)
		})
		if err != nil || n == 0 {
			return err == nil, err
		}
		if left := int64(n) + parts; left != last {
			last, since = left, time.Now()
			s.Pool.Logf("%v removes documents: %d deletions are left, such as %.60s", s, n, strings.TrimSpace(why))
		}
		if time.Since(since) > patience {
			s.Pool.Logf("%v goes on to remove documents later: %d deletions are left", s, n)
			return false, nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}
