package cluster

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/remedy"
	"qipu/store"
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
	config   wire.Config
	options  Options
	topology *Topology
	id       string
	caps     caps

	using  sync.Mutex
	views  int // that are open
	closed bool

	kinds  *index.Kinds
	ledger *ledger
	writer writer

	facts   cache[factsKey, *facts]
	hot     cache[hotKey, hot]
	classes cache[classKey, classDocs]
	pages   cache[pageKey, pageList]
	leaves  cache[openKey, openPage]
	weights weights
	marks   marksCache
}

// caps is what all servers can do, as far as they could be asked.
type caps struct {
	version release
	bitmaps bool // there is the table bits
	codecs  bool
}

// release is the version of a server, as in 18.16.
type release struct{ major, minor int }

func (v release) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

// before reports whether v is older than another.
func (v release) before(o release) bool {
	return v.major < o.major || v.major == o.major && v.minor < o.minor
}

// parseRelease reads what version() says.
func parseRelease(s string) (v release) {
	list := strings.Split(s, ".")
	if len(list) >= 2 {
		v.major, _ = strconv.Atoi(list[0])
		v.minor, _ = strconv.Atoi(list[1])
	}
	return v
}

// capsOf returns what a server of a version can do.
func capsOf(v release) caps {
	modern := !v.before(release{20, 8})
	return caps{version: v, bitmaps: modern, codecs: modern}
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
	t, err := readTopology(ctx, cfg, dial)
	if err != nil {
		return nil, err
	}
	c := &Cluster{config: *cfg, options: o, topology: t, Pool: wire.NewPool(patience, o.Logf), kinds: o.Kinds, ledger: newLedger(len(t.Shards)), writer: newWriter()}
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
		if err := c.repair(ctx); err != nil && !wire.IsDown(err) {
			c.Close()
			return nil, err
		}
	}
	return c, nil
}

// inspect asks every shard that answers what it is and can do.
func (c *Cluster) inspect(ctx context.Context) error {
	var mu sync.Mutex
	var found []about
	err := c.Each(ctx, "open", func(s *wire.Shard) error {
		err := s.Read(ctx, "open", func(line wire.Conn) error {
			a, err := inspect(ctx, line, c.config.Database)
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
		if a.schema > schemaVersion {
			return fmt.Errorf("cluster: the library has format %d, and this program knows formats up to %d: use a newer version of the program", a.schema, schemaVersion)
		}
		if a.schema < schemaVersion && !c.options.ReadOnly {
			return remedy.ForThis(fmt.Errorf("cluster: the library has format %d, and this program writes format %d", a.schema, schemaVersion), remedy.Init.With(c.config.String()))
		}
		one := capsOf(a.version)
		one.bitmaps = one.bitmaps && a.bits
		if i == 0 {
			c.caps, c.id = one, a.id
			continue
		}
		if a.id != c.id {
			return remedy.For(errors.New("cluster: the servers have parts of different libraries"), remedy.Servers)
		}
		if one.version.before(c.caps.version) {
			c.caps.version = one.version
		}
		c.caps.bitmaps = c.caps.bitmaps && one.bitmaps
		c.caps.codecs = c.caps.codecs && one.codecs
	}
	if c.topology.Replicas() > 1 {
		if c.Replicated = replicatedTables(); c.caps.bitmaps {
			c.Replicated = append(c.Replicated, bits.name)
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
func (c *Cluster) Topology() *Topology { return c.topology }

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
