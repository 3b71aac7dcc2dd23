package nim_test

import (
	"testing"

	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/nim"
)

var specs = []string{"", "misere", "heaps=1-3-5-7", "most=3", "wythoff", "kayles", "kayles,heaps=5-4", "misere,heaps=2-2-1"}

func variant(t *testing.T, spec string) game.Rules {
	t.Helper()
	r, err := nim.Standard.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLaws(t *testing.T) {
	for _, spec := range specs {
		t.Run(spec, func(t *testing.T) { gametest.Run(t, variant(t, spec), gametest.Options{}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, nim.Standard, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, nim.Standard, "testdata/play.txt") }

// TestTheory holds the theory against reading to the end, in all positions that can
// come about.
func TestTheory(t *testing.T) {
	for _, spec := range specs {
		p := variant(t, spec).Start().(*nim.Position)
		known := map[uint64]bool{}
		var wins func() bool
		wins = func() bool {
			if o := p.Outcome(); o.Over() {
				return o.Winner == p.Turn()
			}
			if w, ok := known[p.Hash()]; ok {
				return w
			}
			won := false
			for _, m := range p.AppendMoves(nil) {
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				won = !wins() || won
				p.Undo()
			}
			known[p.Hash()] = won
			if won != p.Wins() {
				t.Fatalf("%q: %s: theory says %v, reading %v", spec, game.FormatPosition(nim.Standard, p), p.Wins(), won)
			}
			return won
		}
		wins()
	}
}

// TestNumbers: Wythoff's lost positions are (1,2) (3,5) (4,7) (6,10) (8,13); the
// numbers of Kayles are 1 2 3 1 4 3 2 1 4 2 6 4 (Guy and Smith 1956).
func TestNumbers(t *testing.T) {
	for _, spec := range []string{"1-2", "3-5", "4-7", "6-10", "8-13"} {
		if p := variant(t, "wythoff,heaps="+spec).Start().(*nim.Position); p.Wins() {
			t.Errorf("wythoff %s is lost", spec)
		}
	}
	for i, want := range []int{1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4} {
		p := variant(t, "kayles,heaps="+[]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}[i]).Start().(*nim.Position)
		if p.Grundy() != want {
			t.Errorf("kayles of %d: %d, want %d", i+1, p.Grundy(), want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, spec := range []string{"heaps=", "heaps=0", "heaps=16", "heaps=1-2-3-4-5-6-7-8-9", "wythoff,heaps=1-2-3", "most=0", "most=x", "kayles,misere", "chomp"} {
		if _, err := nim.Standard.Variant(spec); err == nil {
			t.Errorf("%q: accepted", spec)
		}
	}
	for _, text := range []string{"A", "A rows=ooo", "A rows=o-o,-,-", "A rows=ooooooo,-,-", "A rows=o-,-,-", "A rows=ox,-,-"} {
		if _, err := game.ParsePosition(nim.Standard, text); err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
}
