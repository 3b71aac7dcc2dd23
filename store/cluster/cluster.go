package cluster

import (
	"context"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/store"
	"qipu/store/cluster/changes"
	"qipu/store/cluster/data"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/marks"
	"qipu/store/cluster/search"
	"qipu/store/cluster/wire"
)

// Options tells how to open a library. Games is needed.
type Options struct {
	Games    game.Catalog
	Kinds    *index.Kinds // of Games; nil for new ones
	ReadOnly bool
	Away     []string // servers that did not answer a while ago, and are asked last

	// Take returns the first of n numbers in a row for new documents. Where it is
	// nil, numbers are claimed in blocks, and what is left of one is lost with the
	// process.
	Take func(ctx context.Context, n int) (low uint32, err error)

	// Logf is told of what takes long, such as waiting for a server; nil for
	// nobody.
	Logf func(format string, args ...any)
}

// Cluster is a library on ClickHouse. It is safe for concurrent use.
type Cluster struct {
	*ledger.Library
	*data.Records
	*search.Index
	columns *marks.Columns

	Made changes.Table // what people made
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
	l, err := ledger.Open(ctx, cfg, ledger.Options{Kinds: o.Kinds, ReadOnly: o.ReadOnly, Away: o.Away, Logf: o.Logf}, dial)
	if err != nil {
		return nil, err
	}
	columns := marks.New(l)
	return &Cluster{Library: l, Records: data.New(l, o.Games, o.Take), Index: search.New(l, columns), columns: columns, Made: changes.Table{Library: l}}, nil
}

// BuildMarks makes the columns of what markers know: see marks.Columns.Build.
func (c *Cluster) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (store.Marked, error) {
	return c.columns.Build(ctx, markers, progress)
}

// MarksVersion is the same as long as no columns of marks have come or gone.
func (c *Cluster) MarksVersion() store.Version { return c.columns.Version() }
