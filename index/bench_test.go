package index_test

import (
	"context"
	"sync"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/record"
)

// corpus is real games, read once for all benchmarks.
type corpus struct {
	once   sync.Once
	err    error
	played []*record.Played
	kind   *index.Kind
	docs   []*index.Document
	blocks []*interval.Block
	moves  int
}

var professional corpus

// Add is for package ingest.
func (c *corpus) Add(_ context.Context, p *record.Played) error {
	c.played = append(c.played, p)
	c.moves += len(p.Steps)
	return nil
}

// load reads professional games of Go and makes blocks of their main lines.
func load(b *testing.B) *corpus {
	c := &professional
	name := testkit.Data(b, "go/go-pro-6300.tar.gz")
	c.once.Do(func() {
		o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Sink: c, Trace: true}
		if _, c.err = ingest.Run(context.Background(), o, name); c.err != nil {
			return
		}
		maker := index.Documents{Kinds: index.NewKinds(builtin.Games())}
		c.kind, c.err = maker.Kinds.Find("weiqi 19x19")
		for _, p := range c.played {
			if doc, ok := maker.Make(p); ok && doc.Kind == c.kind {
				c.docs = append(c.docs, doc)
			}
		}
		c.blocks = c.build(b)
	})
	if c.err != nil {
		b.Fatal(c.err)
	}
	return c
}

// build makes blocks of all documents.
func (c *corpus) build(b *testing.B) (blocks []*interval.Block) {
	build := interval.NewBuilder(c.kind.Board.Size.Area(), c.kind.Owners, c.kind.Moving)
	flush := func() {
		block, err := interval.Open(build.Bytes())
		if err != nil {
			b.Fatal(err)
		}
		blocks = append(blocks, block)
		build.Reset()
	}
	for _, doc := range c.docs {
		if _, ok := build.Add(&doc.Lines[0]); !ok {
			flush()
			build.Add(&doc.Lines[0])
		}
	}
	if build.Len() > 0 {
		flush()
	}
	return blocks
}

// perSecond reports how many of n a second were done in each round.
func perSecond(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), unit)
}

// BenchmarkDocuments makes documents of played records.
func BenchmarkDocuments(b *testing.B) {
	c := load(b)
	maker := index.Documents{Kinds: index.NewKinds(builtin.Games())}
	for b.Loop() {
		for _, p := range c.played {
			maker.Make(p)
		}
	}
	perSecond(b, len(c.played), "games/s")
}

// BenchmarkPositions computes the hashes of all positions.
func BenchmarkPositions(b *testing.B) {
	c := load(b)
	var positions index.Positions
	var list []index.Position
	total := 0
	for b.Loop() {
		total = 0
		for _, doc := range c.docs {
			list = positions.Append(list[:0], c.kind, &doc.Lines[0])
			total += len(list)
		}
	}
	perSecond(b, len(c.docs), "games/s")
	b.ReportMetric(float64(total)/float64(len(c.docs)), "positions/game")
}

// BenchmarkWindows finds the classes of all lines.
func BenchmarkWindows(b *testing.B) {
	c := load(b)
	var scan index.Scanner
	var list []uint16
	total := 0
	for b.Loop() {
		total = 0
		for _, doc := range c.docs {
			list = scan.Append(list[:0], c.kind, &doc.Lines[0])
			total += len(list)
		}
	}
	perSecond(b, len(c.docs), "games/s")
	b.ReportMetric(float64(total)/float64(len(c.docs)), "classes/game")
}

// BenchmarkBuild makes blocks and reports what of their bytes is what.
func BenchmarkBuild(b *testing.B) {
	c := load(b)
	for b.Loop() {
		c.build(b)
	}
	perSecond(b, len(c.docs), "games/s")
	games, all, ever, first := 0, 0, 0, 0
	for _, block := range c.blocks {
		lanes := (block.N + 63) &^ 63
		games += block.N
		all += len(block.Bytes())
		ever += block.Points * block.Kinds * lanes / 8
		first += block.Points * lanes
	}
	for unit, n := range map[string]int{"B/game": all, "ever-B/game": ever, "first-B/game": first, "rest-B/game": all - ever - first} {
		b.ReportMetric(float64(n)/float64(games), unit)
	}
}

// shapes are the patterns that searching is measured on.
var shapes = []struct{ name, text string }{
	{"corner-7x7", `
+-------
|.......
|.......
|.....O.
|...X...
|.......
|..X....
|.......`},
	{"side-7x5", `
---------
 . . . . . . .
 . . . . . . .
 . . X . . X .
 . . . . . . .
 . . . . . . .`},
	{"centre-5x5", `
@centre
*****
*..**
*XO**
*OX.*
*****`},
	{"hane-3x3", ".X./XO./..."},
	{"cut-2x2", "XO/OX"},
}

// BenchmarkHits looks for shapes in all games, block by block, in all their
// pictures.
func BenchmarkHits(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			c := load(b)
			p, err := pattern.Parse(c.kind.Rules.Geometry(), shape.text)
			if err != nil {
				b.Fatal(err)
			}
			p.Mirror, p.Swap = true, true
			places, err := pattern.Compile(p, c.kind.Board)
			if err != nil {
				b.Fatal(err)
			}
			program := interval.Compile(places, p, c.kind.Board.Size.Area(), c.kind.Board.Kinds)
			var m interval.Matcher
			var hits []interval.Hit
			found, games := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				m.Work, found, games = interval.Work{}, 0, 0
				for _, block := range c.blocks {
					all := block.All()
					hits = m.AppendHits(hits[:0], block, program, &all)
					var met interval.Mask
					for _, h := range hits {
						met.Set(int(h.Lane))
					}
					found += len(hits)
					games += met.Count()
				}
			}
			b.ReportMetric(float64(len(places)), "placements")
			b.ReportMetric(float64(found), "hits")
			b.ReportMetric(float64(games), "games")
			b.ReportMetric(float64(m.Work.Verified), "verified")
			b.ReportMetric(float64(m.Work.Leapfrogs), "leapfrogs")
		})
	}
}
