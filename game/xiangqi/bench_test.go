package xiangqi_test

import (
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
)

// BenchmarkPerft and BenchmarkPerftConcrete walk the same tree by the same
// way, once through game.Position and once through the concrete type.
func BenchmarkPerft(b *testing.B) {
	p := xiangqi.Standard.Start()
	n := uint64(0)
	for b.Loop() {
		n += game.Perft(p, 4, game.PerftOptions{})
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

func BenchmarkPerftConcrete(b *testing.B) {
	p := xiangqi.Standard.Start().(*xiangqi.Position)
	stack := make([]game.Move, 0, 1024)
	n := uint64(0)
	for b.Loop() {
		n += perft(p, 4, &stack)
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}

func perft(p *xiangqi.Position, depth int, stack *[]game.Move) uint64 {
	if depth == 1 {
		return uint64(p.CountMoves())
	}
	base := len(*stack)
	*stack = p.AppendMoves(*stack)
	n := uint64(0)
	for _, m := range (*stack)[base:] {
		if err := p.Play(m); err != nil {
			panic(err)
		}
		n += perft(p, depth-1, stack)
		p.Undo()
	}
	*stack = (*stack)[:base]
	return n
}

const middleGame = "r1bakab1r/9/1cn3nc1/p1p1p3p/6p2/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 b - - 3 5"

func BenchmarkAppendMoves(b *testing.B) {
	p := position(b, middleGame)
	var buf []game.Move
	for b.Loop() {
		buf = p.AppendMoves(buf[:0])
	}
}

func BenchmarkCountMoves(b *testing.B) {
	p := position(b, middleGame).(game.MoveCounter)
	for b.Loop() {
		p.CountMoves()
	}
}

func BenchmarkPlayUndo(b *testing.B) {
	p := position(b, middleGame)
	m := game.Step(board.At(8, 0), board.At(7, 0))
	for b.Loop() {
		if p.Play(m) != nil {
			b.Fatal("refused")
		}
		p.Undo()
	}
}

func BenchmarkPlanes(b *testing.B) {
	p := position(b, middleGame)
	m := game.Step(board.At(8, 0), board.At(7, 0))
	for b.Loop() {
		if p.Play(m) != nil {
			b.Fatal("refused")
		}
		p.(game.Planar).Planes()
		p.Undo()
	}
}

func BenchmarkOutcome(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"middle", middleGame},
		{"chase", "5k3/9/9/6n2/9/R8/9/9/9/3K5 w moves a4a6 g6h4 a6a4 h4g6 a4a6 g6h4 a6a4 h4g6"},
	} {
		p := position(b, c.text)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				p.Outcome()
			}
		})
	}
}

func BenchmarkParseMove(b *testing.B) {
	p := position(b, middleGame)
	for _, text := range []string{"i9h9", "i10h10", "R9=8", "車９平８", "车９平８"} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := xiangqi.Standard.ParseMove(p, text, game.AnyNotation); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendMove(b *testing.B) {
	p := position(b, middleGame)
	m := game.Step(board.At(8, 0), board.At(7, 0))
	var buf []byte
	for _, n := range xiangqi.Standard.Info().Notations {
		b.Run(string(n.Name), func(b *testing.B) {
			for b.Loop() {
				buf = xiangqi.Standard.AppendMove(buf[:0], p, m, n.Name)
			}
		})
	}
}
