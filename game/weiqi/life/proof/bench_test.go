package proof

import (
	"testing"

	"qipu/game/weiqi/life"
)

// benchBoards are the counted boards of the first three sets, ready to be judged.
func benchBoards(t testing.TB) []life.Board {
	boards, _ := readCounted(t, 0)
	list := make([]life.Board, len(boards))
	for i := range boards {
		list[i].Reset(boards[i].planes)
	}
	return list
}

func BenchmarkBenson(b *testing.B) {
	list := benchBoards(b)
	var p Prover
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Benson(&list[i%len(list)])
	}
}

func BenchmarkStatic(b *testing.B) {
	list := benchBoards(b)
	var p Prover
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p.Static(&list[i%len(list)])
	}
}
