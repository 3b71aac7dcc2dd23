package retrieve

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/segment"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// frequent returns a query for a shape that most games of a kind have: one piece
// in a region of empty points, wherever.
func (w *world) frequent(t testing.TB, k *index.Kind) query.Q {
	t.Helper()
	p, err := pattern.Parse(k.Rules.Geometry(), "[^.]*")
	if err != nil {
		t.Fatal(err)
	}
	p.Mirror, p.Swap = true, true
	return &query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}
}

// manyGames is a store of small games in several tables.
func manyGames(t testing.TB, games int) (*world, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := shard.Open(context.Background(), dir, shard.Options{Create: true, Games: builtin.Games(), NoMerge: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{store: s, lines: map[*index.Kind][]*line{}}
	maker := storetest.NewMaker(builtin.Games(), 5)
	for games > 0 {
		var batch []*record.Played
		for range min(games, 600) {
			g := maker.Game("weiqi", "9x9", 8)
			maker.Head(g)
			batch = append(batch, maker.Play(g))
		}
		w.add(t, batch)
		games -= len(batch)
	}
	if w.view, err = s.View(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.view.Close() })
	return w, dir
}

// counting is a view that tells when it is read.
type counting struct {
	index.View
	onBatch func(n int)
}

func (c *counting) Scan(ctx context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		n := 0
		for b, err := range c.View.Scan(ctx, p) {
			n++
			c.onBatch(n)
			if !yield(b, err) {
				return
			}
		}
	}
}

// settled waits until there are no more goroutines than before.
func settled(t testing.TB, before int) {
	t.Helper()
	testkit.Until(t, fmt.Sprintf("there are %d goroutines, as before", before), func() bool { return runtime.NumGoroutine() <= before })
}

//qipu:race
func TestCancel(t *testing.T) {
	w, _ := manyGames(t, 3000)
	k := w.kinds()[0]
	r := &Request{Kind: k, Query: w.frequent(t, k), Workers: 2}
	before := runtime.NumGoroutine()
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for name, q := range map[string]query.Q{"scan": r.Query, "look-up": &query.Shape{Pattern: empty(k), Geometry: k.Rules.Geometry()}} {
			if a, err := Find(ctx, w.view, &Request{Kind: k, Query: q}); !errors.Is(err, context.Canceled) || a != nil {
				t.Errorf("%s: %v, %v", name, a, err)
			}
		}
	})
	t.Run("in between", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		batches := 0
		v := &counting{w.view, func(n int) {
			if batches = n; n == 2 {
				cancel()
			}
		}}
		if a, err := Find(ctx, v, r); !errors.Is(err, context.Canceled) || a != nil {
			t.Errorf("%v, %v", a, err)
		}
		if batches > 3 {
			t.Errorf("%d batches were read, though it was over after 2", batches)
		}
	})
	t.Run("for a reason", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		reason := errors.New("the user went away")
		cancel(reason)
		if _, err := Find(ctx, w.view, r); !errors.Is(err, reason) {
			t.Errorf("%v", err)
		}
	})
	t.Run("by a callback", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		again := *r
		again.OnPage = func([]Row) { cancel() }
		if _, err := Find(ctx, w.view, &again); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
	settled(t, before)
}

func empty(k *index.Kind) *pattern.Pattern {
	return pattern.FromBoard(board.NewPlanes(k.Board.Size, k.Board.Kinds))
}

// TestOnPage: the first page comes before the end, is the first page, and is
// the caller's to keep; ticks come in between, in order.
func TestOnPage(t *testing.T) {
	w, _ := manyGames(t, 3000)
	k := w.kinds()[0]
	var page []Row
	pages, ended := 0, false
	games, hits := 0, 0
	v := &counting{w.view, func(int) { time.Sleep(30 * time.Millisecond) }}
	r := &Request{Kind: k, Query: w.frequent(t, k), Limit: 7, All: true}
	ticks := 0
	r.OnPage = func(rows []Row) {
		pages++
		page = rows
		if ended {
			t.Error("a page after the end")
		}
	}
	r.OnTick = func(g, h int) { // not atomic: one goroutine calls it, which the race detector checks
		ticks++
		if g < games || h < hits {
			t.Errorf("%d games, %d hits after %d, %d", g, h, games, hits)
		}
		games, hits = g, h
	}
	a, err := Find(t.Context(), v, r)
	ended = true
	if err != nil {
		t.Fatal(err)
	}
	if pages != 1 || len(page) != 7 || a.Explain.First >= a.Explain.Elapsed || a.Explain.First == 0 {
		t.Fatalf("%d pages, of %d rows, after %v of %v", pages, len(page), a.Explain.First, a.Explain.Elapsed)
	}
	if ticks == 0 || games > a.Games || hits > a.Hits {
		t.Errorf("%d ticks, the last of %d games, %d hits; in the end %d, %d", ticks, games, hits, a.Games, a.Hits)
	}
	for i := range page {
		if page[i].Game != a.Rows[i].Game || page[i].Occurrences != a.Rows[i].Occurrences || !slices.Equal(sorted(page[i].All), a.Rows[i].All) {
			t.Errorf("row %d: first %+v, in the end %+v", i, page[i], a.Rows[i])
		}
	}
	quiet := *r
	quiet.OnPage, quiet.OnTick = nil, nil
	if b, err := Find(t.Context(), v, &quiet); err != nil || b.Explain.First == 0 || b.Explain.First > b.Explain.Elapsed/2 {
		t.Errorf("where nobody waits for it, the first page comes after %v of %v, %v", b.Explain.First, b.Explain.Elapsed, err)
	}
	for name, change := range map[string]func(*Request){
		"another order": func(r *Request) { r.Order = ByDate }, "reverse": func(r *Request) { r.Reverse = true },
		"variations": func(r *Request) { r.Variations = true }, "all rows": func(r *Request) { r.Limit = -1 },
		"a later page": func(r *Request) { r.Cursor = a.Next },
	} {
		other := *r
		change(&other)
		other.OnPage = func(rows []Row) { t.Errorf("%s: a page of %d rows before the end", name, len(rows)) }
		other.OnTick = nil
		if _, err := Find(t.Context(), w.view, &other); err != nil {
			t.Fatal(err)
		}
	}
}

func sorted(list []Occurrence) []Occurrence {
	sortOccurrences(list)
	return list
}

// TestDamage reads tables that are damaged under an open view: an error that
// says so, and no crash.
func TestDamage(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, path string){
		"flipped":   flip,
		"shortened": func(t *testing.T, path string) { must(t, os.Truncate(path, 4096)) },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "shortened" && runtime.GOOS == "windows" {
				t.Skip("a mapped file cannot be shortened there")
			}
			w, dir := manyGames(t, 1200)
			k := w.kinds()[0]
			files, err := filepath.Glob(filepath.Join(dir, "segments", "*.seg"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no tables: %v", err)
			}
			for _, f := range files {
				harm(t, f)
			}
			before := runtime.NumGoroutine()
			star := k.Rules.Start()
			for what, err := range map[string]error{
				"scan":    second(Find(t.Context(), w.view, &Request{Kind: k, Query: w.frequent(t, k)})),
				"all":     second(Find(t.Context(), w.view, &Request{Kind: k})),
				"look-up": second(Find(t.Context(), w.view, &Request{Kind: k, Query: &query.Shape{Pattern: empty(k), Geometry: k.Rules.Geometry()}})),
				"explore": second(Explore(t.Context(), w.view, &ExploreRequest{Kind: k, Position: star, Mirror: true})),
			} {
				if what == "all" && name == "flipped" {
					continue // the columns were checked when the table was opened, and no board is looked at
				}
				if !errors.Is(err, segment.ErrCorrupt) {
					t.Errorf("%s: %v", what, err)
				}
			}
			settled(t, before)
		})
	}
}

// flip changes bytes all over the pages of a table, but for its two ends.
func flip(t *testing.T, path string) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	must(t, err)
	info, err := f.Stat()
	must(t, err)
	for at := int64(4096); at < info.Size()-4096; at += 64 {
		_, err := f.WriteAt([]byte{0xA5}, at)
		must(t, err)
	}
	must(t, f.Close())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestRefuses(t *testing.T) {
	w := library(t, "weiqi", "9x9", "gtp", "first:E5")
	k := w.kinds()[0]
	shape := func(change func(*pattern.Pattern)) query.Q {
		p := empty(k)
		change(p)
		return &query.Shape{Pattern: p, Geometry: k.Rules.Geometry()}
	}
	for name, c := range map[string]struct {
		q    query.Q
		want string
	}{
		"a name":            {query.Field{Name: "collection", Value: "best"}, "bind"},
		"a name, deep down": {query.Or{query.Const(false), query.Not{Q: query.Field{Name: "collection", Value: "best"}}}, "bind"},
		"too few cells":     {shape(func(p *pattern.Pattern) { p.Cells = p.Cells[1:] }), "cells"},
		"no such turn":      {shape(func(p *pattern.Pattern) { p.Turn = 7 }), "turn"},
		"no such piece":     {shape(func(p *pattern.Pattern) { p.Cells[3] = pattern.Of(5) }), "piece"},
	} {
		if a, err := Find(t.Context(), w.view, &Request{Kind: k, Query: c.q}); err == nil || a != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	large := shape(func(p *pattern.Pattern) { p.Size, p.Cells = board.Size{W: 10, H: 10}, slices.Repeat(p.Cells[:10], 10) })
	a, err := Find(t.Context(), w.view, &Request{Kind: k, Query: query.Or{large, w.frequent(t, k)}})
	if err != nil || a.Games != 1 || a.Hits == 0 {
		t.Errorf("a shape for a larger board beside one that is found: %+v, %v", a, err)
	}
}
