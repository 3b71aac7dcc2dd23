package ledger

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qipu/index"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/wire"
)

const (
	// patience is how long a write waits for servers that take none for now.
	patience = 5 * time.Minute

	// slower is how much later than the first the other servers may say who belongs
	// to the library.
	slower = 500 * time.Millisecond
)

// Options tells how to open a library.
type Options struct {
	Kinds    *index.Kinds
	ReadOnly bool
	Away     []string // servers that did not answer a while ago, and are asked last
	Logf     func(format string, args ...any)
}

// Library is the servers of an open library: the lines to them, their log, and
// what they can do. Whatever reads or writes documents stands on one. It is safe
// for concurrent use.
type Library struct {
	*Ledger
	Config   wire.Config
	Caps     Caps
	readOnly bool
	topology *Topology
	id       string

	using  sync.Mutex // guards what follows; nothing else is locked under it
	users  int
	closed bool
}

// Open opens the library that an address names, through lines of some make. It
// works while servers are missing, as long as one that the address names is there:
// what needs the others says so then.
func Open(ctx context.Context, cfg *wire.Config, o Options, dial wire.Dialer) (*Library, error) {
	t, silent, err := askTopology(ctx, cfg, dial, slower, o.Away)
	if err != nil {
		return nil, err
	}
	l := &Library{Config: *cfg, readOnly: o.ReadOnly, topology: t, Ledger: NewLedger(wire.NewPool(patience, o.Logf), o.Kinds, len(t.Shards))}
	err = l.Connect(t.Shards, cfg.Database, dial)
	if err == nil {
		if t.Replicas() > 1 {
			l.Share(ReplicatedTables()) // first of all: nothing is read of a replica that lacks something
		}
		l.Suspect(silent, o.Away)
		err = l.inspect(ctx)
	}
	if err == nil && !o.ReadOnly {
		// A shard that is missing, or takes no writes, is repaired by the next who writes.
		if err = l.Repair(wire.WithPatience(ctx, 0)); wire.IsDown(err) || wire.TakesNoWrites(err) {
			err = nil
		}
	}
	if err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// inspect asks every shard that answers what it is and can do.
func (l *Library) inspect(ctx context.Context) error {
	var mu sync.Mutex
	var found []About
	err := l.Each(ctx, "open", func(s *wire.Shard) error {
		err := s.Read(ctx, "open", func(line wire.Conn) error {
			a, err := Inspect(ctx, line, l.Config.Database)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			found = append(found, a)
			return nil
		})
		if wire.IsDown(err) {
			l.Logf("%v", err)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return remedy.For(fmt.Errorf("cluster: no shard of %s answers", l.Config), remedy.Servers)
	}
	for i, a := range found {
		if a.Schema > SchemaVersion {
			return fmt.Errorf("cluster: the library has format %d, and this program knows formats up to %d: use a newer version of the program", a.Schema, SchemaVersion)
		}
		if a.Schema < SchemaVersion && !l.readOnly {
			return remedy.ForThis(fmt.Errorf("cluster: the library has format %d, and this program writes format %d", a.Schema, SchemaVersion), remedy.Init.With(l.Config.String()))
		}
		one := CapsOf(a.Version)
		one.Bitmaps = one.Bitmaps && a.Bits
		if i == 0 {
			l.Caps, l.id = one, a.Id
			continue
		}
		if a.Id != l.id {
			return remedy.For(errors.New("cluster: the servers have parts of different libraries"), remedy.Servers)
		}
		if one.Version.Before(l.Caps.Version) {
			l.Caps.Version = one.Version
		}
		l.Caps.Bitmaps = l.Caps.Bitmaps && one.Bitmaps
		l.Caps.Codecs = l.Caps.Codecs && one.Codecs
	}
	if l.topology.Replicas() > 1 && l.Caps.Bitmaps {
		l.Share(append(ReplicatedTables(), Bits.Name))
	}
	return nil
}

// ID returns the name that the library got when it was made, and that no other
// has.
func (l *Library) ID() string { return l.id }

// Kinds returns the kinds of game that the library knows.
func (l *Library) Kinds() *index.Kinds { return l.kinds }

// Address returns the address of the library, without a password.
func (l *Library) Address() string { return l.Config.String() }

// Topology returns the servers.
func (l *Library) Topology() *Topology { return l.topology }

// Writable is an error (store.ErrReadOnly) where the library is open for reading
// only.
func (l *Library) Writable() error {
	if l.readOnly {
		return fmt.Errorf("cluster: %w: open it for writing", store.ErrReadOnly)
	}
	return nil
}

// Close closes the library. Connections are given up when the last who uses it
// has released it, too.
func (l *Library) Close() error {
	l.Stop()
	l.Background.Wait()
	l.using.Lock()
	defer l.using.Unlock()
	l.closed = true
	if l.users > 0 {
		return nil
	}
	return l.HangUp()
}

// Use keeps the connections open beyond Close until Release is called. It is an
// error (store.ErrClosed) where the library is closed.
func (l *Library) Use() error {
	l.using.Lock()
	defer l.using.Unlock()
	if l.closed {
		return store.ErrClosed
	}
	l.users++
	return nil
}

// Release is called once for each Use.
func (l *Library) Release() error {
	l.using.Lock()
	defer l.using.Unlock()
	if l.users--; l.closed && l.users == 0 {
		return l.HangUp()
	}
	return nil
}
