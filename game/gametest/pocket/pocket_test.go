package pocket_test

import (
	"testing"

	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/gametest/pocket"
)

func TestLaws(t *testing.T) { gametest.Run(t, pocket.Rules{}, gametest.Options{}) }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, pocket.Rules{}, "testdata/play.txt") }

func TestArrange(t *testing.T) {
	for _, text := range []string{
		"P3/4/4/4/4 w", "4/4/4/4/p3 w", "pppp/4/4/4/PPPP w hand=K", "pppp/4/4/4/PPPP w hand=BP", "pppp/4/4/4/PPPP w castling=K", "pppp/4/4/4/PPPP w hand=",
	} {
		if _, err := game.ParsePosition(pocket.Rules{}, text); err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
}

// TestExtra: hands are kept by texts, go over with the sides, and are part of
// the hash.
func TestExtra(t *testing.T) {
	r := pocket.Rules{}
	s, err := game.ParseSetup(r, "1ppp/4/4/4/PPP1 b hand=PRb")
	if err != nil {
		t.Fatal(err)
	}
	swapped := s.Transform(r, game.Symmetry{Board: 3, Swap: true})
	if s.Extra != "hand=PRb" || swapped.Extra != "hand=Bpr" || swapped.Turn != game.First {
		t.Errorf("%q becomes %q", s.Extra, swapped.Extra)
	}
	full, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	s.Extra = ""
	bare, err := r.Arrange(s)
	if err != nil || full.Hash() == bare.Hash() {
		t.Errorf("pieces in hand do not change the hash (%v)", err)
	}
}
