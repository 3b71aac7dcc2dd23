package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"qipu/store"
)

// InsertOnce writes a block of a table, behind which a condition is true of so many
// rows. Where the connection breaks meanwhile, it looks whether the block came
// through before it sends it again. A server takes no block that it has heard of
// already, even where only a replica has it that is dead: so it looks afterwards,
// too. It reports whether it had to look.
func (s *Shard) InsertOnce(ctx context.Context, table string, names []string, columns []any, where string, rows uint64) (doubt bool, err error) {
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
		if err := db.Insert(s.Everywhere(ctx), table, names, columns); err != nil {
			s.Probe(ctx)
			return err
		}
		if doubt {
			if ok, err := arrived(); !ok || err != nil {
				return cmp.Or(err, errLacking)
			}
		}
		return nil
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
		if r.Down.Load() {
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
		if !r.Down.Load() {
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
			err := r.Conn.Query(WithLimit(ctx, DialTimeout), "SELECT 1 AS one", func() error { return nil }, &one)
			if IsDown(err) {
				s.lose(r)
			}
		})
	}
	wait.Wait()
}

// EveryReplica asks all replicas that answer, of which there must be one.
func (s *Shard) EveryReplica(ctx context.Context, f func(context.Context, Conn) error) error {
	ctx = WithLimit(ctx, CatchUp)
	var last error
	reached := false
	for _, r := range s.Replicas {
		err := f(ctx, r.Conn)
		switch {
		case err == nil:
			reached = true
		case !IsDown(err):
			return fmt.Errorf("cluster: claiming numbers: %s: %w", s, err)
		default:
			last = err
		}
	}
	if !reached {
		return &store.UnreachableError{Shard: s.String(), Hosts: s.hosts(), Err: last}
	}
	return nil
}
