package tictactoe_test

import (
	"testing"

	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/tictactoe"
)

func variant(t *testing.T, spec string) game.Rules {
	t.Helper()
	r, err := tictactoe.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLaws(t *testing.T) {
	for _, spec := range []string{"", "4x4", "5x5,row=4", "8x8,row=5", "cube", "cube,gravity"} {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, variant(t, spec), gametest.Options{Games: 8}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, tictactoe.Standard, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, tictactoe.Standard, "testdata/play.txt") }

// TestCensus counts games and positions of the 3x3 board: 255,168 games, of which X
// wins 131,184, O 77,904 and nobody 46,080, through 5,478 positions. These are the
// well-known figures.
func TestCensus(t *testing.T) {
	p := tictactoe.Standard.Start()
	var ends [3]int
	seen := map[uint64]bool{}
	var walk func()
	walk = func() {
		seen[p.Hash()] = true
		if o := p.Outcome(); o.Over() {
			if o.State == game.Drawn {
				ends[2]++
			} else {
				ends[o.Winner]++
			}
			return
		}
		for _, m := range p.AppendMoves(nil) {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			walk()
			p.Undo()
		}
	}
	walk()
	if ends != [3]int{131184, 77904, 46080} || len(seen) != 5478 {
		t.Errorf("games %v, positions %d", ends, len(seen))
	}
}

// TestRows counts the rows that win: 8, 10, and the 76 of the cube. The start has
// all of them open for both.
func TestRows(t *testing.T) {
	for spec, want := range map[string]int{"": 8, "4x4": 10, "cube": 76, "4x4,row=3": 24} {
		p := variant(t, spec).Start().(*tictactoe.Position)
		if rows := p.Open(); rows[0][0] != want || rows[1][0] != want {
			t.Errorf("%q: %d rows, want %d", spec, rows[0][0], want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, spec := range []string{"2x2", "9x9", "3x4", "row=2", "row=9", "gravity", "4x4,gravity", "cube,row=3", "x", "row=x", "axa"} {
		if r, err := tictactoe.Standard.Variant(spec); err == nil {
			t.Errorf("%q: accepted as %v", spec, r.Info().Variant)
		}
	}
	for _, text := range []string{"XXX/OOO/3 X", "XX/3/3 X", ""} {
		if _, err := tictactoe.Standard.Variant(""); err != nil {
			t.Fatal(err)
		}
		if _, err := game.ParseSetup(tictactoe.Standard, text); err == nil && text != "XXX/OOO/3 X" {
			t.Errorf("%q: accepted", text)
		}
	}
	if _, err := game.ParsePosition(tictactoe.Standard, "XXX/OOO/3 X"); err == nil {
		t.Error("two rows accepted")
	}
	if _, err := game.ParsePosition(variant(t, "cube,gravity"), "16/16/16/4X11 O"); err == nil {
		t.Error("a stone hangs in the air")
	}
}
