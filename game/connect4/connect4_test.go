package connect4_test

import (
	"testing"

	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/gametest"
)

func TestLaws(t *testing.T) { gametest.Run(t, connect4.Rules{}, gametest.Options{}) }

func TestPerft(t *testing.T) { gametest.Perft(t, connect4.Rules{}, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, connect4.Rules{}, "testdata/play.txt") }

// TestDistinctPositions counts positions, not lines, after n moves: the
// figures of John Tromp (OEIS A212693).
func TestDistinctPositions(t *testing.T) {
	want := []int{1, 7, 49, 238, 1120, 4263, 16422}
	seen := make([]map[uint64]bool, len(want))
	for i := range seen {
		seen[i] = map[uint64]bool{}
	}
	p := connect4.Rules{}.Start()
	var walk func(ply int)
	walk = func(ply int) {
		if seen[ply][p.Hash()] {
			return
		}
		seen[ply][p.Hash()] = true
		if ply+1 == len(want) {
			return
		}
		for _, m := range p.AppendMoves(nil) {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			walk(ply + 1)
			p.Undo()
		}
	}
	walk(0)
	for i, n := range want {
		if len(seen[i]) != n {
			t.Errorf("%d positions after %d moves, want %d", len(seen[i]), i, n)
		}
	}
}

func TestArrange(t *testing.T) {
	if _, err := game.ParsePosition(connect4.Rules{}, "7/7/7/7/X6/7 O"); err == nil {
		t.Error("a disc hangs in the air")
	}
}
