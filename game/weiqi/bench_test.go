package weiqi_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// semiRandom returns a game of n moves that looks like Go: random moves near
// earlier ones, captures where there are some, and no own eye filled.
func semiRandom(tb testing.TB, r *weiqi.Rules, n int) (line []game.Move, captures int) {
	rng := rand.New(rand.NewPCG(19, 200))
	p := r.Start().(*weiqi.Position)
	var moves []game.Move
	for len(line) < n {
		moves = p.AppendMoves(moves[:0])
		best, bestScore := game.Pass, -1
		for range 12 {
			m := moves[rng.IntN(len(moves))]
			if m == game.Pass || fillsEye(p, m.To()) {
				continue
			}
			if score := appeal(p, m); score > bestScore {
				best, bestScore = m, score
			}
		}
		if err := p.Play(best); err != nil {
			tb.Fatal(err)
		}
		line = append(line, best)
	}
	s := game.SetupOf(p)
	return line, s.Prisoners[0] + s.Prisoners[1]
}

// fillsEye reports whether all neighbours of a point are stones of the side to
// move.
func fillsEye(p *weiqi.Position, q board.Point) bool {
	size := p.Rules().Size()
	var set board.Plane
	set.Add(q)
	around := set.Neighbours(size)
	return around.Within(&p.Planes().Of[p.Turn()])
}

// appeal prefers captures, then contact with other stones.
func appeal(p *weiqi.Position, m game.Move) int {
	before := game.SetupOf(p).Prisoners
	side := p.Turn()
	if p.Play(m) != nil {
		return -1
	}
	taken := game.SetupOf(p).Prisoners[side] - before[side]
	p.Undo()
	var set board.Plane
	set.Add(m.To())
	around := set.Neighbours(p.Rules().Size())
	all := p.Planes().Occupied()
	around.And(&all)
	return 10*taken + around.Count()
}

// TestGame200 checks that the game of the benchmarks is worth timing.
func TestGame200(t *testing.T) {
	line, captures := semiRandom(t, weiqi.Standard, 200)
	if len(line) != 200 || captures < 20 || slices.Contains(line, game.Pass) {
		t.Errorf("%d moves, %d captures", len(line), captures)
	}
}

// BenchmarkGame200 plays and undoes a game of 200 moves through the interface.
func BenchmarkGame200(b *testing.B) {
	line, captures := semiRandom(b, weiqi.Standard, 200)
	var p game.Position = weiqi.Standard.Start()
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range line {
			if p.Play(m) != nil {
				b.Fatal("refused")
			}
		}
		for range line {
			p.Undo()
		}
	}
	b.ReportMetric(float64(captures), "captures")
}

// BenchmarkGame200Concrete is the same on the concrete type.
func BenchmarkGame200Concrete(b *testing.B) {
	line, captures := semiRandom(b, weiqi.Standard, 200)
	p := weiqi.Standard.Start().(*weiqi.Position)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range line {
			if p.Play(m) != nil {
				b.Fatal("refused")
			}
		}
		for range line {
			p.Undo()
		}
	}
	b.ReportMetric(float64(captures), "captures")
}

// BenchmarkGame200Superko is the same under positional superko.
func BenchmarkGame200Superko(b *testing.B) {
	r, err := weiqi.New(weiqi.Options{RuleSet: weiqi.Chinese})
	if err != nil {
		b.Fatal(err)
	}
	line, captures := semiRandom(b, r, 200)
	p := r.Start()
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range line {
			if p.Play(m) != nil {
				b.Fatal("refused")
			}
		}
		for range line {
			p.Undo()
		}
	}
	b.ReportMetric(float64(captures), "captures")
}

func middleGame(b *testing.B) *weiqi.Position {
	line, _ := semiRandom(b, weiqi.Standard, 200)
	p := weiqi.Standard.Start().(*weiqi.Position)
	for _, m := range line {
		if err := p.Play(m); err != nil {
			b.Fatal(err)
		}
	}
	return p
}

// BenchmarkAppendMoves lists the moves after 200.
func BenchmarkAppendMoves(b *testing.B) {
	p := middleGame(b)
	var moves []game.Move
	b.ReportAllocs()
	for b.Loop() {
		moves = p.AppendMoves(moves[:0])
	}
	b.ReportMetric(float64(len(moves)), "moves")
}

// BenchmarkScore counts the board after 200 moves.
func BenchmarkScore(b *testing.B) {
	p := middleGame(b)
	b.ReportAllocs()
	for b.Loop() {
		p.Score(weiqi.ScoreOptions{Scoring: weiqi.Area})
	}
}
