package switching_test

import (
	"testing"

	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/switching"
)

func sized(t *testing.T, spec string) game.Rules {
	t.Helper()
	r, err := switching.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLaws(t *testing.T) {
	for _, spec := range []string{"", "2x2", "4x3"} {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, sized(t, spec), gametest.Options{Games: 8}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, sized(t, "3x2"), "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, switching.Standard, "testdata/play.txt") }

// TestLehman holds the two trees against reading to the end, in all positions that can
// come about, with either side to begin.
func TestLehman(t *testing.T) {
	for _, spec := range []string{"2x2", "3x2", "2x3", "3x3", "4x2"} {
		r := sized(t, spec)
		for _, first := range []game.Side{switching.Short, switching.Cut} {
			s := game.NewSetup(r)
			s.Turn = first
			q, err := r.Arrange(s)
			if err != nil {
				t.Fatal(err)
			}
			p := q.(*switching.Position)
			known := map[uint64]game.Side{}
			var winner func() game.Side
			winner = func() game.Side {
				if o := p.Outcome(); o.Over() {
					return o.Winner
				}
				if w, ok := known[p.Hash()]; ok {
					return w
				}
				me := p.Turn()
				won := me.Opponent()
				for _, m := range p.AppendMoves(nil) {
					if err := p.Play(m); err != nil {
						t.Fatal(err)
					}
					if winner() == me {
						won = me
					}
					p.Undo()
				}
				known[p.Hash()] = won
				if got := p.Wins(); got != won {
					t.Fatalf("%s: %s: theory says %d wins, reading %d", spec, game.FormatPosition(r, p), got, won)
				}
				return won
			}
			winner()
		}
	}
}

// TestGale: where there is one column of points more than rows, cuts and links are
// mirror images of each other, and who begins wins (Gale's game).
func TestGale(t *testing.T) {
	for _, spec := range []string{"3x2", "4x3", "5x4", "6x5"} {
		r := sized(t, spec)
		for _, first := range []game.Side{switching.Short, switching.Cut} {
			s := game.NewSetup(r)
			s.Turn = first
			p, err := r.Arrange(s)
			if err != nil {
				t.Fatal(err)
			}
			if got := p.(*switching.Position).Wins(); got != first {
				t.Errorf("%s: side %d begins, and %d wins", spec, first, got)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, spec := range []string{"1x4", "9x9", "4", "axb"} {
		if _, err := switching.Standard.Variant(spec); err == nil {
			t.Errorf("%q: accepted", spec)
		}
	}
	if _, err := game.ParsePosition(switching.Standard, "S8/9/9/9/9/9/9 S"); err == nil {
		t.Error("a link where there is none")
	}
}
