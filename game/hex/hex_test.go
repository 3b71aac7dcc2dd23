package hex_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/hex"
)

func sized(t *testing.T, spec string) game.Rules {
	t.Helper()
	r, err := hex.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLaws(t *testing.T) {
	for _, spec := range []string{"", "2x2", "5x5"} {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, sized(t, spec), gametest.Options{Games: 6}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, sized(t, "3x3"), "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, hex.Standard, "testdata/play.txt") }

// TestFull fills boards in every way that 3x3 allows: one side has always joined its
// sides, and never both.
func TestFull(t *testing.T) {
	r := sized(t, "3x3")
	for mask := range 1 << 9 {
		s := game.NewSetup(r)
		for i := range 9 {
			s.Board.Of[mask>>i&1].Add(board.At(i%3, i/3))
		}
		p, err := r.Arrange(s)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Outcome().Over() {
			t.Errorf("%s: nobody has won", game.FormatPosition(r, p))
		}
		red, blue := p.(*hex.Position).Missing(game.First), p.(*hex.Position).Missing(game.Second)
		if (red == 0) == (blue == 0) || (red == 0) != (p.Outcome().Winner == game.First) {
			t.Errorf("%s: red lacks %d, blue %d, %v", game.FormatPosition(r, p), red, blue, p.Outcome())
		}
	}
}

// TestMissing: the empty board lacks a whole row, a stone makes it one less.
func TestMissing(t *testing.T) {
	r := sized(t, "5x5")
	p := r.Start().(*hex.Position)
	for i, text := range []string{"c3", "c4", "d4"} {
		if got, want := p.Missing(game.First), 5-(i+1)/2; got != want && i < 2 {
			t.Errorf("before %s red lacks %d, want %d", text, got, want)
		}
		m, err := r.ParseMove(p, text, game.AnyNotation)
		if err == nil {
			err = p.Play(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if p.Missing(game.First) != 3 || p.Missing(game.Second) != 4 {
		t.Errorf("red lacks %d, blue %d", p.Missing(game.First), p.Missing(game.Second))
	}
}

func TestRefused(t *testing.T) {
	for _, spec := range []string{"1x1", "12x12", "3x4", "big"} {
		if _, err := hex.Standard.Variant(spec); err == nil {
			t.Errorf("%q: accepted", spec)
		}
	}
}

// TestSolved: on small boards who wins is known, as plain reading of all games finds it
// too; the first side wins an empty board.
func TestSolved(t *testing.T) {
	var first func(p game.Position) game.Side
	first = func(p game.Position) game.Side {
		if o := p.Outcome(); o.Over() {
			return o.Winner
		}
		side := p.Turn()
		for _, m := range p.AppendMoves(nil) {
			_ = p.Play(m)
			won := first(p) == side
			p.Undo()
			if won {
				return side
			}
		}
		return side.Opponent()
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for spec, least := range map[string]int{"2x2": 0, "3x3": 0, "4x4": 7} {
		r := sized(t, spec)
		if side, ok := r.Start().(*hex.Position).Solved(); !ok || side != game.First {
			t.Errorf("%s: side %d wins (%v)", spec, side, ok)
		}
		for range 60 {
			p := r.Start().(*hex.Position)
			for range least + rng.IntN(3) {
				if moves := p.AppendMoves(nil); len(moves) > 0 {
					_ = p.Play(moves[rng.IntN(len(moves))])
				}
			}
			if side, ok := p.Solved(); !ok || side != first(p) {
				t.Errorf("%s: side %d wins (%v)", game.FormatPosition(r, p), side, ok)
			}
		}
	}
	if _, ok := sized(t, "5x5").Start().(*hex.Position).Solved(); ok {
		t.Error("5x5 is solved")
	}
}
