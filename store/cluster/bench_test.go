package cluster

import (
	"context"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
	"qipu/store/dedupe"
	embedded "qipu/store/shard"
)

// importer adds records in batches; while one is stored, the next is read.
type importer struct {
	add   func(context.Context, store.Batch) ([]store.Added, error)
	batch store.Batch
	done  chan error
	games int
	took  time.Duration
}

// take takes a record on its way into the store.
func (m *importer) take(ctx context.Context, p *record.Played, ready *store.Prepared) error {
	if m.batch.Prepared == nil {
		m.batch.Prepared = store.Preparations{}
	}
	m.batch.Records, m.batch.Prepared[p] = append(m.batch.Records, p), ready
	if len(m.batch.Records) < 8192 {
		return nil
	}
	return m.flush(ctx)
}

func (m *importer) flush(ctx context.Context) error {
	if m.done != nil {
		if err := <-m.done; err != nil {
			return err
		}
	}
	m.done = make(chan error, 1)
	m.games += len(m.batch.Records)
	go func(b store.Batch, done chan error) {
		began := time.Now()
		_, err := m.add(context.WithoutCancel(ctx), b)
		m.took += time.Since(began)
		done <- err
	}(m.batch, m.done)
	m.batch = store.Batch{}
	return nil
}

// BenchmarkImport reads games of Go into an embedded store and into two servers
// on the same machine: how much slower those are.
func BenchmarkImport(b *testing.B) {
	path := testkit.Data(b, "go/go-pro-more.tar.gz")
	run := func(b *testing.B, open func() (kinds *index.Kinds, add func(context.Context, store.Batch) ([]store.Added, error))) {
		for range b.N {
			b.StopTimer()
			kinds, add := open()
			b.StartTimer()
			for _, name := range []string{"games/s", "games/s-again"} {
				began := time.Now()
				m := &importer{add: add}
				o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Trace: true, Prepare: func() func(*record.Played) ingest.Deliver {
					prepare := dedupe.Preparer(kinds)
					return func(p *record.Played) ingest.Deliver {
						ready := prepare(p)
						return func(ctx context.Context) error { return m.take(ctx, p, ready) }
					}
				}}
				_, err := ingest.Run(context.Background(), o, path)
				if err == nil {
					err = m.flush(context.Background())
				}
				if err == nil {
					err = <-m.done
				}
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(m.games)/time.Since(began).Seconds(), name)
				b.ReportMetric(float64(m.games)/m.took.Seconds(), name+"-of-Add")
			}
		}
	}
	b.Run("embedded", func(b *testing.B) {
		run(b, func() (*index.Kinds, func(context.Context, store.Batch) ([]store.Added, error)) {
			s, err := embedded.Open(b.Context(), b.TempDir(), embedded.Options{Create: true, Games: builtin.Games()})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { s.Close() })
			return s.Kinds(), s.Add
		})
	})
	b.Run("cluster", func(b *testing.B) {
		run(b, func() (*index.Kinds, func(context.Context, store.Batch) ([]store.Added, error)) {
			d := newDesk(b, foundOn(b, clickhouse.Shared(b)), 1)
			return d.Kinds(), d.Cluster.Add
		})
	})
}
