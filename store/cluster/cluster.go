package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Options tells how to open a library. Games is needed.
type Options struct {
	Games    game.Catalog
	Kinds    *index.Kinds // of Games; nil for new ones
	ReadOnly bool

	// Take returns the first of n numbers in a row for new documents. Where it is
	// nil, numbers are claimed in blocks, and what is left of one is lost with the
	// process.
	Take func(ctx context.Context, n int) (low uint32, err error)

	// Logf is told of what takes long, such as waiting for a server; nil for
	// nobody.
	Logf func(format string, args ...any)
}

// patience is how long a write waits for servers that take none for now.
const patience = 5 * time.Minute

// Cluster is a library on ClickHouse. It is safe for concurrent use.
type Cluster struct {
	*wire.Pool
	*ledger.Ledger
	config   wire.Config
	options  Options
	topology *ledger.Topology
	id       string
	caps     ledger.Caps

	using  sync.Mutex
	views  int // that are open
	closed bool

	kinds  *index.Kinds
	writer writer

	facts   cache[factsKey, *facts]
	hot     cache[hotKey, hot]
	classes cache[classKey, classDocs]
	pages   cache[pageKey, pageList]
	leaves  cache[openKey, openPage]
	weights weights
	marks   marksCache
}

// Open opens the library that an address names. It works while servers are
// missing, as long as one that the address names is there: what needs the others
// says so then.
func Open(ctx context.Context, cfg *wire.Config, o Options) (*Cluster, error) {
	dial, err := cfg.Dial()
	if err != nil {
		return nil, err
	}
	return openWith(ctx, cfg, o, dial)
}

// openWith opens a library through lines of another make.
func openWith(ctx context.Context, cfg *wire.Config, o Options, dial wire.Dialer) (*Cluster, error) {
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	if o.Kinds == nil {
		o.Kinds = index.NewKinds(o.Games)
	}
	t, err := ledger.ReadTopology(ctx, cfg, dial)
	if err != nil {
		return nil, err
	}
	c := &Cluster{config: *cfg, options: o, topology: t, Pool: wire.NewPool(patience, o.Logf), kinds: o.Kinds, writer: newWriter()}
	c.Ledger = ledger.NewLedger(c.Pool, o.Kinds, len(t.Shards))
	c.facts.most, c.hot.most, c.classes.most, c.pages.most = keptBytes, hotBytes, classBytes, listBytes
	c.leaves.most = openBytes
	if err := c.Connect(t.Shards, cfg.Database, dial); err != nil {
		c.Close()
		return nil, err
	}
	if err := c.inspect(ctx); err != nil {
		c.Close()
		return nil, err
	}
	if !o.ReadOnly {
		// A shard that is missing is repaired by the next who writes.
		if err := c.Repair(ctx); err != nil && !wire.IsDown(err) {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// inspect asks every shard that answers what it is and can do.
func (c *Cluster) inspect(ctx context.Context) error {
	var mu sync.Mutex
	var found []ledger.About
	err := c.Each(ctx, "open", func(s *wire.Shard) error {
		err := s.Read(ctx, "open", func(line wire.Conn) error {
			a, err := ledger.Inspect(ctx, line, c.config.Database)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			found = append(found, a)
			return nil
		})
		if wire.IsDown(err) {
			c.Logf("%v", err)
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return remedy.For(fmt.Errorf("cluster: no shard of %s answers", c.config), remedy.Servers)
	}
	for i, a := range found {
		if a.Schema > ledger.SchemaVersion {
			return fmt.Errorf("cluster: the library has format %d, and this program knows formats up to %d: use a newer version of the program", a.Schema, ledger.SchemaVersion)
		}
		if a.Schema < ledger.SchemaVersion && !c.options.ReadOnly {
			return remedy.ForThis(fmt.Errorf("cluster: the library has format %d, and this program writes format %d", a.Schema, ledger.SchemaVersion), remedy.Init.With(c.config.String()))
		}
		one := ledger.CapsOf(a.Version)
		one.Bitmaps = one.Bitmaps && a.Bits
		if i == 0 {
			c.caps, c.id = one, a.Id
			continue
		}
		if a.Id != c.id {
			return remedy.For(errors.New("cluster: the servers have parts of different libraries"), remedy.Servers)
		}
		if one.Version.Before(c.caps.Version) {
			c.caps.Version = one.Version
		}
		c.caps.Bitmaps = c.caps.Bitmaps && one.Bitmaps
		c.caps.Codecs = c.caps.Codecs && one.Codecs
	}
	if c.topology.Replicas() > 1 {
		if c.Replicated = ledger.ReplicatedTables(); c.caps.Bitmaps {
			c.Replicated = append(c.Replicated, ledger.Bits.Name)
		}
	}
	return nil
}

// ID returns the name that the library got when it was made, and that no other
// has.
func (c *Cluster) ID() string { return c.id }

// Address returns the address of the library, without a password.
func (c *Cluster) Address() string { return c.config.String() }

// Topology returns the servers.
func (c *Cluster) Topology() *ledger.Topology { return c.topology }

// Close closes the library. Connections are given up when the last of its views
// is closed, too: those that are open stay valid.
func (c *Cluster) Close() error {
	c.Stop()
	c.Background.Wait()
	c.using.Lock()
	defer c.using.Unlock()
	c.closed = true
	if c.views > 0 {
		return nil
	}
	return c.HangUp()
}

// use counts a view that is opened (1) or closed (-1).
func (c *Cluster) use(n int) error {
	c.using.Lock()
	defer c.using.Unlock()
	if c.closed && n > 0 {
		return store.ErrClosed
	}
	c.views += n
	if c.closed && c.views == 0 {
		return c.HangUp()
	}
	return nil
}
