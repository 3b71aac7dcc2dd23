package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"qipu/store"
	"qipu/store/cluster/wire"
)

// InitOptions tells how to make a library.
type InitOptions struct {
	// Replicas is how many servers each shard has: every so many hosts of the
	// address are one. 0 is one for a new library, and as many as it has for an
	// old one.
	Replicas int

	// Logf is told of what is done; nil for nobody.
	Logf func(format string, args ...any)
}

// oldest is the first version of servers that understands what it is told.
var oldest = Release{18, 16}

// Init makes the library that an address names on the servers that it names, or
// adds the hosts at its end as new shards to one that is there. What is done
// already it leaves alone, so that it can be run again after it was interrupted.
// All servers must answer. Nothing is ever removed.
func Init(ctx context.Context, cfg *wire.Config, o InitOptions) (*Topology, error) {
	dial, err := cfg.Dial()
	if err != nil {
		return nil, err
	}
	return InitWith(ctx, cfg, o, dial)
}

// InitWith is Init through lines of another make.
func InitWith(ctx context.Context, cfg *wire.Config, o InitOptions, dial wire.Dialer) (*Topology, error) {
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	f := &founder{Config: cfg, options: o, dial: dial}
	defer f.Close()
	if err := f.find(ctx); err != nil {
		return nil, err
	}
	return f.topology, f.build(ctx)
}

// founder makes a library.
type founder struct {
	*wire.Config
	options InitOptions
	dial    wire.Dialer

	old, topology *Topology
	lines         []wire.Conn // to the database on each host, in the order of the topology
	caps          Caps
	schema        int
	id            string
}

func (f *founder) Close() {
	for _, line := range f.lines {
		line.Close()
	}
}

// find makes the database on every server, and finds out what there is already.
// The servers that lack it are new ones: a topology that any of them knows must
// go on in the new one.
func (f *founder) find(ctx context.Context) error {
	for _, host := range f.Hosts {
		if err := f.prepare(ctx, host); wire.IsDown(err) {
			return fmt.Errorf("cluster: %w: start it: all servers of the address must be there", err)
		} else if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	for i, line := range f.lines {
		a, err := Inspect(ctx, line, f.Database)
		if err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
		if a.nodes {
			t, err := TopologyOf(ctx, line)
			if err != nil && !errors.Is(err, store.ErrNoLibrary) {
				return fmt.Errorf("cluster: %w", err)
			}
			if t != nil && (f.old == nil || t.Epoch > f.old.Epoch) {
				f.old = t
			}
		}
		if f.schema = max(f.schema, a.Schema); f.schema > SchemaVersion {
			return fmt.Errorf("cluster: the library has format %d, and this program knows formats up to %d: use a newer version of the program", f.schema, SchemaVersion)
		}
		if f.id == "" {
			f.id = a.Id
		}
		if a.Id != "" && a.Id != f.id {
			return fmt.Errorf("cluster: %s has a part of another library in the database %s: name another database", f.Hosts[i], f.Database)
		}
		if a.Version.Before(oldest) {
			return fmt.Errorf("cluster: %s has version %v, which is too old: it takes %v at least", f.Hosts[i], a.Version, oldest)
		}
		c := CapsOf(a.Version)
		if i == 0 {
			f.caps = c
			continue
		}
		if f.caps.Version != c.Version {
			f.options.Logf("%s has version %v and %s has %v: servers of one library should have the same", f.Hosts[0], f.caps.Version, f.Hosts[i], c.Version)
		}
		f.caps.Bitmaps = f.caps.Bitmaps && c.Bitmaps
		f.caps.Codecs = f.caps.Codecs && c.Codecs
	}
	var err error
	f.topology, err = Plan(f.old, f.Hosts, f.options.Replicas)
	return err
}

// prepare makes the database on a host, and the line to it.
func (f *founder) prepare(ctx context.Context, host string) error {
	root, err := f.dial(host, "")
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Exec(ctx, "CREATE DATABASE IF NOT EXISTS "+f.Database); err != nil {
		return err
	}
	line, err := f.dial(host, f.Database)
	if err != nil {
		return err
	}
	f.lines = append(f.lines, line)
	return nil
}

// build makes tables everywhere, then tells all servers of each other, new ones
// first: whoever knows of a server finds it ready.
func (f *founder) build(ctx context.Context) error {
	replicas := f.topology.Replicas()
	for i, line := range f.lines {
		p := site{database: f.Database, shard: i/replicas + 1, caps: f.caps}
		if replicas > 1 {
			p.replica = i%replicas + 1
		}
		if err := build(ctx, line, p); err != nil {
			return fmt.Errorf("cluster: shard %d: %w", p.shard, err)
		}
	}
	if f.id == "" {
		f.id = rand.Text()
	}
	for i := len(f.lines) - 1; i >= 0; i-- {
		if err := f.tell(ctx, f.lines[i], i%replicas == 0); err != nil {
			return fmt.Errorf("cluster: %w", err)
		}
	}
	switch {
	case f.old == nil:
		f.options.Logf("the library is made: shards %d, servers of each %d", len(f.topology.Shards), replicas)
	case f.topology.Epoch > f.old.Epoch:
		f.options.Logf("shards added: %d", len(f.topology.Shards)-len(f.old.Shards))
	}
	return nil
}

// tell writes on a server what all servers know. The first of a shard writes for
// its replicas what they share.
func (f *founder) tell(ctx context.Context, line wire.Conn, first bool) error {
	if first {
		values, err := ReadMeta(ctx, line)
		if err != nil {
			return err
		}
		for key, value := range map[string]string{metaID: f.id, metaSchema: strconv.Itoa(SchemaVersion)} {
			if values[key] == value {
				continue
			}
			if err := WriteMeta(ctx, line, key, value); err != nil {
				return err
			}
		}
	}
	t, err := TopologyOf(ctx, line)
	if err != nil && !errors.Is(err, store.ErrNoLibrary) {
		return err
	}
	if t != nil && t.Epoch == f.topology.Epoch {
		return nil
	}
	return writeTopology(ctx, line, f.topology)
}

// Upgrade brings the tables of a library to the format of this program, on all of
// its servers, which must answer. It returns the format that they had, and the one
// that they have now.
func Upgrade(ctx context.Context, cfg *wire.Config, logf func(string, ...any)) (from, to int, err error) {
	dial, err := cfg.Dial()
	if err != nil {
		return 0, 0, err
	}
	t, err := ReadTopology(ctx, cfg, dial)
	if err != nil {
		return 0, 0, err
	}
	all := *cfg
	all.Hosts = t.Hosts()
	if logf == nil {
		logf = func(string, ...any) {}
	}
	f := &founder{Config: &all, options: InitOptions{Logf: logf}, dial: dial}
	defer f.Close()
	if err := f.find(ctx); err != nil {
		return 0, 0, err
	}
	return f.schema, SchemaVersion, f.build(ctx)
}
