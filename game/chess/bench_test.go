package chess_test

import (
	"testing"

	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
)

// BenchmarkPerft counts leaves through the interface; the figure is leaves a second of
// processor time, since the machine may have other work.
func BenchmarkPerft(b *testing.B) {
	p := chess.Standard.Start()
	n := uint64(0)
	began := testkit.CPU()
	for b.Loop() {
		n += game.Perft(p, 5, game.PerftOptions{})
	}
	b.ReportMetric(float64(n)/(testkit.CPU()-began).Seconds()/1e6, "Mleaves/cpu-s")
}

// BenchmarkMoves reads and plays the moves of a game.
func BenchmarkMoves(b *testing.B) {
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O", "h3", "Nb8", "d4", "Nbd7"}
	p := chess.Standard.Start()
	b.ReportAllocs()
	for b.Loop() {
		for _, text := range moves {
			m, err := chess.Standard.ParseMove(p, text, chess.SAN)
			if err != nil || p.Play(m) != nil {
				b.Fatal(text, err)
			}
		}
		for range moves {
			p.Undo()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(moves)), "ns/move")
}
