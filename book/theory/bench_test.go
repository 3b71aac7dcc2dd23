package theory

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// large returns rows of so many positions of random games.
func large(b *testing.B, n int) []Row {
	b.Helper()
	r := othello.Standard
	k := graph.NewKeyer(r)
	rnd := rand.New(rand.NewPCG(7, 8))
	seen := map[string]bool{}
	var rows []Row
	for len(rows) < n {
		p := r.Start()
		for ply := range 30 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 || p.Play(moves[rnd.IntN(min(len(moves), 2+ply/8))]) != nil {
				break
			}
			q, row, _, err := k.Smallest(p)
			if err != nil {
				b.Fatal(err)
			}
			if q.Outcome().Final() || seen[row.Position] {
				continue
			}
			seen[row.Position] = true
			leaf := q.AppendMoves(nil)[0]
			row.Leaf, row.Level = game.FormatMove(r, q, leaf, ""), 10
			row.Value = engine.Value(rnd.IntN(2000) - 1000)
			row.Lower, row.Upper = row.Value-MarginMid, row.Value+MarginMid
			rows = append(rows, row)
		}
	}
	return rows
}

// BenchmarkOpen reads a theory: time and memory a position.
func BenchmarkOpen(b *testing.B) {
	const n = 20_000
	store := &Memory{}
	if err := store.Put(b.Context(), large(b, n)); err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var t *Theory
	for b.Loop() {
		t = open(b, othello.Standard, Options{Store: store})
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/position")
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "bytes/position")
	runtime.KeepAlive(t)
}

// BenchmarkLook looks a position up with all of its moves.
func BenchmarkLook(b *testing.B) {
	store := &Memory{}
	rows := large(b, 20_000)
	if err := store.Put(b.Context(), rows); err != nil {
		b.Fatal(err)
	}
	t := open(b, othello.Standard, Options{Store: store})
	var list []game.Position
	for _, row := range rows[:1000] {
		list = append(list, position(b, othello.Standard, row.Position))
	}
	i := 0
	for b.Loop() {
		t.Look(list[i%len(list)])
		i++
	}
}

// BenchmarkBackUp changes a value deep in the graph, and works out what follows.
func BenchmarkBackUp(b *testing.B) {
	store := &Memory{}
	rows := large(b, 20_000)
	if err := store.Put(b.Context(), rows); err != nil {
		b.Fatal(err)
	}
	t := open(b, othello.Standard, Options{Store: store})
	rnd := rand.New(rand.NewPCG(9, 10))
	for b.Loop() {
		row := rows[rnd.IntN(len(rows))]
		row.Value = engine.Value(rnd.IntN(2000) - 1000)
		t.mu.Lock()
		err := t.put(row)
		t.mu.Unlock()
		if err != nil {
			b.Fatal(err)
		}
	}
}
