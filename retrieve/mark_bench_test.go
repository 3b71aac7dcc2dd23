package retrieve

import (
	"context"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/query"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// batches adds records to a store.
type batches struct {
	*shard.Shard
	list []*record.Played
}

func (b *batches) Add(ctx context.Context, p *record.Played) error {
	if b.list = append(b.list, p); len(b.list) < 8192 {
		return nil
	}
	return b.flush(ctx)
}

func (b *batches) flush(ctx context.Context) error {
	_, err := b.Shard.Add(ctx, store.Batch{Records: b.list})
	b.list = b.list[:0]
	return err
}

// benchPoints returns a marker of a few points: where horses and cannons go to
// attack, and one where a rook stands in every game.
func benchPoints(k *index.Kind, edition int) *storetest.Points {
	at := func(x, y int) uint16 { return uint16(y*k.Board.Size.W + x) }
	return &storetest.Points{Kind: k, Edition: edition, At: [][]uint16{
		{at(2, 1)}, {at(2, 1), at(6, 1)}, {at(4, 3)}, {at(4, 5)}, {at(0, 0)},
	}}
}

// xiangqi is a store of real games of Xiangqi with columns of benchPoints.
type xiangqi struct {
	store *shard.Shard
	view  index.View
	kind  *index.Kind
	built store.Marked
	games int
}

func openXiangqi(b *testing.B) *xiangqi {
	b.Helper()
	check := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	name := testkit.Data(b, "xiangqi/xiangqi-games.tar.gz")
	s, err := shard.Open(b.Context(), b.TempDir(), shard.Options{Create: true, Games: builtin.Games()})
	check(err)
	b.Cleanup(func() { s.Close() })
	sink := &batches{Shard: s}
	_, err = ingest.Run(b.Context(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Trace: true, Sink: sink}, name)
	check(err)
	check(sink.flush(b.Context()))
	x := &xiangqi{store: s}
	x.kind, err = s.Kinds().Find("xiangqi 9x10")
	check(err)
	x.built, err = s.BuildMarks(b.Context(), map[*index.Kind][]interval.Marker{x.kind: {benchPoints(x.kind, 0)}}, nil)
	check(err)
	x.view, err = s.View(b.Context())
	check(err)
	b.Cleanup(func() { x.view.Close() })
	for _, t := range x.view.Tally() {
		if t.Kind == x.kind {
			x.games = t.Games
		}
	}
	return x
}

// BenchmarkMark asks for marks in real games: count, score and the first page.
// Columns are of an edition that is kept, or of one that is not.
func BenchmarkMark(b *testing.B) {
	x := openXiangqi(b)
	for _, c := range []struct {
		name    string
		edition int
		column  int
		of      interval.Owner
	}{
		{"one-point", 0, 0, interval.FirstSide},
		{"two-points", 0, 1, interval.FirstSide},
		{"soldier", 0, 2, interval.Anyone},
		{"river", 0, 3, interval.Anyone},
		{"every-game", 0, 4, interval.Anyone},
		{"walk", 1, 0, interval.FirstSide},
	} {
		b.Run(c.name, func(b *testing.B) {
			q := newMark(benchPoints(x.kind, c.edition), c.of, c.column)
			var a *Answer
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if a, err = Find(b.Context(), x.view, &Request{Kind: x.kind, Query: query.Q(q)}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(a.Games), "games")
			b.ReportMetric(float64(a.Hits), "intervals")
			b.ReportMetric(float64(x.built.Bytes)/float64(x.games)/float64(x.built.Columns/x.built.Tables), "B/game/column")
		})
	}
	b.Run("build", func(b *testing.B) {
		edition := 2
		for b.Loop() { // each is new, so that its columns are
			if _, err := x.store.BuildMarks(b.Context(), map[*index.Kind][]interval.Marker{x.kind: {benchPoints(x.kind, edition)}}, nil); err != nil {
				b.Fatal(err)
			}
			edition++
		}
		b.ReportMetric(float64(x.games)*float64(b.N)/b.Elapsed().Seconds(), "games/s")
	})
}
