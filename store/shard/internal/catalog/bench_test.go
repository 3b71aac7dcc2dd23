package catalog_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/zeebo/xxh3"

	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// realEntries reads games of the collection of real ones.
func realEntries(t testing.TB, name string, limit int) []store.Entry {
	s := &entrySink{limit: limit}
	if _, err := ingest.Run(t.Context(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Sink: s}, testkit.Data(t, name)); err != nil && err != errEnough {
		t.Fatal(err)
	}
	if len(s.entries) == 0 {
		t.Fatal("no games were read")
	}
	return s.entries
}

type entrySink struct {
	limit   int
	entries []store.Entry
}

var errEnough = context.DeadlineExceeded

func (s *entrySink) Add(_ context.Context, p *record.Played) error {
	if len(s.entries) >= s.limit {
		return errEnough
	}
	g := p.Game
	e := store.Entry{
		Kind: g.Kind + " " + g.Variant, Plies: g.Moves(), Facts: &g.Facts, Format: g.Format, Encoding: g.Encoding,
		Source: store.Source{File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset},
		Raw:    g.Raw, Record: record.AppendGame(nil, g),
	}
	e.Key = xxh3.Hash(e.Record)
	e.Head = e.Key * 3
	s.entries = append(s.entries, e)
	return nil
}

// BenchmarkAdd adds batches of 4,096 games, one or eight in a transaction; one
// operation is one game. Keys are new ones each time, as those of new games
// are.
func BenchmarkAdd(b *testing.B) {
	random := make([]store.Entry, 4096)
	r := rand.New(rand.NewPCG(1, 2))
	bytes := func(n int) []byte {
		p := make([]byte, n)
		for i := range p {
			p[i] = byte(33 + r.IntN(60))
		}
		return p
	}
	for i := range random {
		random[i] = store.Entry{
			Kind: "othello 8x8", Plies: 60, Format: "wthor", Raw: bytes(68), Record: bytes(200), Source: store.Source{File: "WTH_2001.wtb", Number: i},
			Facts: &facts.Facts{
				Players: [2]facts.Player{{Name: string(bytes(1)), Rating: 1500}, {Name: string(bytes(2))}},
				Date:    facts.ParseDate("2001"), Event: string(bytes(1)),
			},
		}
	}
	pro := func(t testing.TB) []store.Entry { return realEntries(t, "go/go-pro-6300.tar.gz", 6144) }
	for _, c := range []struct {
		name string
		adds int // batches in a transaction
		load func(testing.TB) []store.Entry
	}{
		{"random", 1, func(testing.TB) []store.Entry { return random }},
		{"random-8", 8, func(testing.TB) []store.Entry { return random }},
		{"go", 1, pro},
		{"go-8", 8, pro},
		{"othello", 1, func(t testing.TB) []store.Entry { return realEntries(t, "othello/wthor.tar.gz", 40960) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			entries, added := c.load(b), 0
			size := 0
			for _, e := range entries {
				size += len(e.Record) + len(e.Raw)
			}
			b.SetBytes(int64(size / len(entries)))
			db, err := catalog.Open(b.Context(), b.TempDir(), catalog.Options{Create: true})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			b.ReportAllocs()
			b.ResetTimer()
			batch := make([]store.Entry, 0, 4096)
			next := func() (more bool) {
				batch = batch[:0]
				for ; added < b.N && len(batch) < cap(batch); added++ {
					e := entries[added%len(entries)]
					e.Key, e.Head = r.Uint64(), r.Uint64()
					batch = append(batch, e)
				}
				return len(batch) > 0
			}
			for added < b.N {
				err := db.Update(b.Context(), func(tx *catalog.Tx) error {
					for n := 0; n < c.adds && next(); n++ {
						ids, err := tx.Add(batch)
						if err := errors.Join(err, tx.SetWaiting(ids, true)); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			n, err := db.Counts(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n.Bytes)/float64(b.N), "disk-B/op")
			b.ReportMetric(float64(n.ChunkBytes)/float64(b.N), "chunk-B/op")
		})
	}
}

// BenchmarkRead measures what readers do on 200,000 games.
func BenchmarkRead(b *testing.B) {
	db, err := catalog.Open(b.Context(), b.TempDir(), catalog.Options{Create: true})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	const games = 200_000
	ids := add(b, db, entriesFrom(0, games)...)
	ctx := b.Context()
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		name string
		per  int // games of one call
		f    func() error
	}{
		{"generation", 1, func() error { _, err := db.Generation(ctx); return err }},
		{"key", 1, func() error { _, err := db.ByKey(ctx, entry(r.IntN(games)).Key); return err }},
		{"games-100", 100, func() error { at := r.IntN(games - 100); _, err := db.Games(ctx, ids[at:at+100]); return err }},
		{"record", 1, func() error { _, _, err := db.Record(ctx, ids[r.IntN(games)]); return err }},
		{"records-1000", 1000, func() error {
			at := r.IntN(games - 1000)
			for _, err := range db.Texts(ctx, ids[at:at+1000]) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
		{"scan", games, func() error {
			for _, err := range db.ScanKeys(ctx) {
				if err != nil {
					return err
				}
			}
			return nil
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := c.f(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.per), "ns/game")
		})
	}
}
