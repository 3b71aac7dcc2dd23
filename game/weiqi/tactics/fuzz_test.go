package tactics_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
)

// FuzzSymmetry states that a verdict does not depend on how the board is turned
// or which colour is which, and that a proof is not contradicted by the picture.
// A reading that comes to its limit may do so in one picture only.
func FuzzSymmetry(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed, uint8(seed), uint8(20+4*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, picture, stones uint8) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		size := board.Size{W: 9, H: 9}
		p := randomBoard(rnd, size, int(stones))
		sym, swap := board.Symmetry(picture%8), picture&8 != 0
		pieces := []board.Piece{1, 2}
		if swap {
			pieces = []board.Piece{2, 1}
		}
		setup := game.SetupOf(p)
		setup.Ko = board.NoPoint
		plain := arrange(t, p.Rules(), setup)
		setup.Board = setup.Board.Transform(sym, pieces)
		turned := arrange(t, p.Rules(), setup)
		a, b := tactics.New(plain), tactics.New(turned)
		for at := range size.Points() {
			if plain.Head(at) != at {
				continue
			}
			for first := range game.Side(2) {
				second, there := first, sym.Apply(size, at)
				if swap {
					second = first.Opponent()
				}
				v, w := a.Ladder(at, first).Verdict, b.Ladder(there, second).Verdict
				if v != w && v != tactics.Unknown && w != tactics.Unknown {
					t.Fatalf("ladder: %v and %v; %v first\n%v", v, w, first, show(plain, at))
				}
				v, w = a.Capture(at, first).Verdict, b.Capture(there, second).Verdict
				if v == tactics.Caught && w == tactics.Free || v == tactics.Free && w == tactics.Caught {
					t.Fatalf("capture: %v and %v; %v first\n%v", v, w, first, show(plain, at))
				}
			}
		}
	})
}

func arrange(t *testing.T, r *weiqi.Rules, s game.Setup) *weiqi.Position {
	t.Helper()
	p, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position)
}
