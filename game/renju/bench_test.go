package renju

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
)

// midgame returns a position with 60 stones close together and the game still
// open, as after a hard fight.
func midgame(t testing.TB) *Position {
	rng := rand.New(rand.NewPCG(60, 60))
	p := Renju.Start().(*Position)
	for last := board.At(7, 7); p.count < 60; {
		x, y := last.X()+rng.IntN(5)-2, last.Y()+rng.IntN(5)-2
		if x < 0 || y < 0 || x > 14 || y > 14 || p.Play(game.Drop(board.At(x, y))) != nil {
			last = board.At(4+rng.IntN(7), 4+rng.IntN(7))
			continue
		}
		if p.Outcome().Over() {
			p.Undo()
		}
	}
	if p.Outcome().Over() {
		t.Fatal("the game is over")
	}
	return p
}

// BenchmarkPlayUndo is a pair of Play and Undo, of Black and White in turn.
func BenchmarkPlayUndo(b *testing.B) {
	for _, set := range []Set{SetRenju, SetFree} {
		b.Run(set.String(), func(b *testing.B) {
			r := game.Must(New(plainSize, set))
			setup := game.SetupOf(midgame(b))
			pos, err := r.Arrange(setup)
			if err != nil {
				b.Fatal(err)
			}
			p := pos.(*Position)
			moves := p.AppendMoves(nil)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				m := moves[i%len(moves)]
				if p.Play(m) != nil {
					b.Fatal("refused")
				}
				p.Undo()
				i++
				if i%len(moves) == 0 {
					p.setTurn(p.turn.Opponent())
				}
			}
		})
	}
}
