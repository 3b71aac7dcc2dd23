package xiangqi

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"qipu/engine/tree"
	"qipu/game/xiangqi"
)

// TestNetSays: the net says of positions what the training said when it wrote the file.
func TestNetSays(t *testing.T) {
	text, err := os.ReadFile("testdata/net.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Rows [][]int
		Said []int
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	pieces := [Men]piece{}
	for p, first := range manOf[:15] {
		if p == 0 {
			continue
		}
		last := Men
		for _, other := range manOf[1:15] {
			if other > first && other < last {
				last = other
			}
		}
		for i := first; i < last; i++ {
			pieces[i] = piece(p)
		}
	}
	for i, row := range known.Rows {
		var b position
		for man, at := range row[:Men] {
			if at < area {
				b.put(square(at), pieces[man])
			}
		}
		b.turn = row[34]
		var e eyes
		e.open(shippedNet())
		if v := e.judge(&b); v != known.Said[i] {
			t.Errorf("row %d: %d, want %d", i, v, known.Said[i])
		}
	}
	if len(known.Rows) < 40 {
		t.Errorf("%d rows", len(known.Rows))
	}
}

// TestEyes: what is kept along lines, with passes and moves that are taken back, is what a
// fresh look sees.
func TestEyes(t *testing.T) {
	w := new(worker)
	start := arrange(xiangqi.Standard.Start())
	w.reset(&shared{table: tree.NewTable(1)}, start, []uint64{start.hash}, true)
	rng := rand.New(rand.NewPCG(1, 9))
	looked, kings := 0, 0
	var line func(ply int)
	line = func(ply int) {
		if rng.IntN(3) > 0 {
			var fresh eyes
			fresh.open(shippedNet())
			want := fresh.judge(&w.b)
			if v := w.eyes.judge(&w.b); v != want {
				t.Fatalf("ply %d: kept %d, fresh %d", ply, v, want)
			}
			looked++
		}
		if ply > 90 {
			return
		}
		if rng.IntN(12) == 0 && !w.b.attacked(w.b.turn) {
			w.b.pass()
			w.eyes.move(0, 0, 0)
			w.stack[ply+frames+1].check = false
			line(ply + 1)
			w.eyes.back()
			w.b.pass()
			return
		}
		moves := w.b.moves(nil, w.b.captures().Or(w.b.empty()))
		for range 1 + rng.IntN(12)/11 {
			m := moves[rng.IntN(len(moves))]
			if rng.IntN(4) == 0 {
				for _, k := range moves {
					if k.from() == w.b.king[w.b.turn] {
						m = k
						kings++
					}
				}
			}
			if f, ok := w.play(m, ply); ok {
				line(ply + 1)
				w.back(m, f)
			}
		}
	}
	for range 15 {
		line(0)
	}
	if looked < 300 || kings < 20 {
		t.Errorf("%d positions were looked at, %d moves of kings", looked, kings)
	}
}

// BenchmarkJudge measures the net on positions after random moves, against the terms.
func BenchmarkJudge(b *testing.B) {
	p := arrange(xiangqi.Standard.Start())
	var e eyes
	e.open(shippedNet())
	b.Run("fresh", func(b *testing.B) {
		for range b.N {
			e.open(shippedNet())
			e.judge(&p)
		}
	})
	b.Run("known", func(b *testing.B) {
		for range b.N {
			e.judge(&p)
		}
	})
	b.Run("terms", func(b *testing.B) {
		for range b.N {
			p.evaluate()
		}
	})
}
