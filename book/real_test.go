package book_test

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"qipu/book"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/othello"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
)

// archive is the collection of Othello games that speed is measured with.
const archive = "othello/wthor.tar.gz"

type games []book.Game

func (l *games) Add(_ context.Context, p *record.Played) error {
	*l = append(*l, book.FromPlayed(othello.Standard, uint32(len(*l)+1), 0, p))
	return nil
}

// all yields games as Build wants them.
func (l games) all() iter.Seq2[*book.Game, error] {
	return func(yield func(*book.Game, error) bool) {
		for i := range l {
			if !yield(&l[i], nil) {
				return
			}
		}
	}
}

var wthor struct {
	sync.Mutex
	games
}

// realGames returns all games of the collection.
func realGames(t testing.TB) games {
	path := testkit.Data(t, archive)
	wthor.Lock()
	defer wthor.Unlock()
	if wthor.games == nil {
		o := ingest.Options{Formats: builtin.Formats(), Games: builtin.Games(), Sink: &wthor.games}
		if _, err := ingest.Run(t.Context(), o, path); err != nil {
			t.Fatal(err)
		}
	}
	return wthor.games
}

// BenchmarkBuild measures making the file of a book, on disk and synchronised.
func BenchmarkBuild(b *testing.B) {
	list := realGames(b)
	for b.Loop() {
		made, err := book.Build(b.Context(), othello.Standard, list.all(), book.BuildOptions{Dir: b.TempDir(), Name: "o.seg"})
		if err != nil {
			b.Fatal(err)
		}
		i := made.Info()
		b.ReportMetric(float64(i.Bytes)/float64(i.Positions), "bytes/position")
		b.ReportMetric(float64(i.Positions), "positions")
		made.Close()
	}
	b.ReportMetric(float64(len(list))*float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

// realBook returns the book of all games, in a file.
func realBook(b testing.TB) *book.Book {
	made, err := book.Build(b.Context(), othello.Standard, realGames(b).all(), book.BuildOptions{Dir: b.TempDir(), Name: "o.seg"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { made.Close() })
	return made
}

func BenchmarkOpen(b *testing.B) {
	list, dir := realGames(b), b.TempDir()
	made, err := book.Build(b.Context(), othello.Standard, list.all(), book.BuildOptions{Dir: dir, Name: "o.seg"})
	if err != nil {
		b.Fatal(err)
	}
	made.Close()
	for b.Loop() {
		o, err := book.Open(dir+"/o.seg", othello.Standard)
		if err != nil {
			b.Fatal(err)
		}
		o.Close()
	}
}

// BenchmarkNode measures a look-up with the making of the move and of the key.
func BenchmarkNode(b *testing.B) {
	list, made := realGames(b), realBook(b)
	k := book.NewKeyer(othello.Standard)
	n, hits := 0, 0
	for b.Loop() {
		g := &list[n*7919%len(list)]
		n++
		p := othello.Standard.Start()
		for _, m := range g.Moves {
			if p.Play(m) != nil {
				b.Fatal("an illegal move")
			}
			key, _ := k.Key(p)
			if _, ok := made.Node(key); ok {
				hits++
			}
		}
	}
	b.ReportMetric(float64(hits)/b.Elapsed().Seconds(), "look-ups/s")
}

// BenchmarkLook measures what a page asks for, along the first moves of games.
func BenchmarkLook(b *testing.B) {
	list, made := realGames(b), realBook(b)
	n, looks := 0, 0
	var worst time.Duration
	spent := testkit.CPU()
	for b.Loop() {
		g := &list[n*7919%len(list)]
		n++
		p := othello.Standard.Start()
		for _, m := range g.Moves[:12] {
			p.Play(m)
			began := time.Now()
			made.Look(p, book.LookOptions{})
			worst = max(worst, time.Since(began))
			looks++
		}
	}
	b.ReportMetric(float64(looks)/b.Elapsed().Seconds(), "look-ups/s")
	b.ReportMetric(worst.Seconds()*1e3, "worst-ms")
	b.ReportMetric((testkit.CPU()-spent).Seconds()*1e3/float64(looks), "cpu-ms/look-up")
}

// BenchmarkAdd measures folding in a finished game and looking at it, with the
// values of two thresholds kept.
func BenchmarkAdd(b *testing.B) {
	list, made := realGames(b), realBook(b)
	start := othello.Standard.Start()
	first := map[string]float64{}
	for _, t := range []int{1, 20} {
		began := time.Now()
		made.Look(start, book.LookOptions{Threshold: t, NoBelow: true})
		first[fmt.Sprintf("first-T%d-ms", t)] = time.Since(began).Seconds() * 1e3
	}
	n := 0
	for b.Loop() {
		g := list[n*7919%len(list)]
		n++
		g.ID = uint32(1000000 + n)
		g.Moves = append([]game.Move(nil), g.Moves[:len(g.Moves)-1]...)
		if err := made.Add(g); err != nil {
			b.Fatal(err)
		}
		if e, ok := made.Look(start, book.LookOptions{NoBelow: true}); !ok || e.N != len(list)+n {
			b.Fatal("the game is not counted")
		}
	}
	for name, ms := range first {
		b.ReportMetric(ms, name)
	}
}
