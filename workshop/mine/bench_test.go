package mine

import (
	"testing"

	"qipu/pattern/kb/shipped"
)

// BenchmarkCount is the time that a move takes with the shipped base.
func BenchmarkCount(b *testing.B) {
	games := realGames(b, 40, professional[0])
	moves := 0
	for i := range games {
		moves += games[i].Len()
	}
	for b.Loop() {
		if _, err := Count(b.Context(), shipped.Base(), list(games), Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*moves), "ns/move")
}
