package simple

import (
	"math/rand/v2"
	"testing"

	"qipu/game"
	"qipu/game/xiangqi"
)

// TestAttacks: whatever a legal move takes is attacked, and the bounds hold the judgement.
func TestAttacks(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	taken := 0
	for range 40 {
		p := xiangqi.Standard.Start()
		for range 80 {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 || p.Outcome().Over() {
				break
			}
			var s attacks
			s.look(p)
			occupied := p.(game.Planar).Planes().Occupied()
			for _, m := range moves {
				if !occupied.Has(m.To()) {
					continue
				}
				taken++
				if s.by[p.Turn()][m.To().Y()][m.To().X()] == 0 {
					t.Fatalf("%s: %s is not attacked", game.FormatPosition(xiangqi.Standard, p), game.FormatMove(xiangqi.Standard, p, m, game.AnyNotation))
				}
			}
			if check := p.(interface{ InCheck() bool }).InCheck(); check && !s.check[p.Turn()] {
				t.Fatalf("%s: the check is not seen", game.FormatPosition(xiangqi.Standard, p))
			}
			low, high := Xiangqi{}.Bounds(p)
			if v := (Xiangqi{}).Evaluate(p); v < low || v > high {
				t.Fatalf("%s: %d is not between %d and %d", game.FormatPosition(xiangqi.Standard, p), v, low, high)
			}
			_ = p.Play(moves[rng.IntN(len(moves))])
		}
	}
	if taken < 1000 {
		t.Errorf("only %d captures were looked at", taken)
	}
}
