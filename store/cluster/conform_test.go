package cluster

import (
	"context"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/storetest"
)

// library is a store as the kit wants it.
type library struct {
	*Cluster
	open func(ctx context.Context) (*Cluster, error)
}

var (
	_ storetest.Library  = (*library)(nil)
	_ storetest.Reopener = (*library)(nil)
	_ storetest.Keeper   = (*library)(nil)
)

// newLibrary makes an empty library on a fleet.
func newLibrary(t testing.TB, f *clickhouse.Fleet) *library {
	t.Helper()
	cfg := parse(t, f.URL())
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	l := &library{open: func(ctx context.Context) (*Cluster, error) {
		c, err := Open(ctx, cfg, Options{Games: builtin.Games(), Logf: t.Logf})
		if err == nil {
			t.Cleanup(func() { c.Close() })
		}
		return c, err
	}}
	var err error
	if l.Cluster, err = l.open(t.Context()); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *library) Add(ctx context.Context, records []*record.Played) ([]store.Added, error) {
	return l.Cluster.Add(ctx, store.Batch{Records: records})
}

// BuildMarks makes columns of marks.
func (l *library) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker) error {
	_, err := l.Cluster.BuildMarks(ctx, markers, nil)
	return err
}

// Reopen closes the library and opens it again.
func (l *library) Reopen(ctx context.Context) error {
	if err := l.Close(); err != nil {
		return err
	}
	c, err := l.open(ctx)
	if err == nil {
		l.Cluster = c
	}
	return err
}

// samples returns the records of the demo set.
func samples(t testing.TB) []*record.Played {
	return storetest.Samples(t, builtin.Games(), builtin.Formats())
}

// TestConformance runs the kit on two shards.
func TestConformance(t *testing.T) {
	// Every look at a store takes some milliseconds here: the history is shorter
	// than others have it.
	config := storetest.Config{Games: builtin.Games(), Samples: samples(t), Seed: 7, Steps: testkit.Scale(8, 400)}
	config.Open = func(t *testing.T) storetest.Library { return newLibrary(t, clickhouse.Shared(t)) }
	storetest.Run(t, config)
}
