package sight_test

import (
	"testing"

	"qipu/board"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
)

// TestJudge has a wall on the third line for each side: the stones live and the land
// behind them is theirs, though no proof says so, and the same the other way round.
func TestJudge(t *testing.T) {
	for turned := range 2 {
		rules, err := weiqi.Standard.Variant("9x9")
		if err != nil {
			t.Fatal(err)
		}
		p := rules.Start().(*weiqi.Position)
		for x := range 8 {
			for _, y := range [][]int{{3, 5}, {5, 3}}[turned] {
				if err := p.Play(game.Drop(board.At(x, y))); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := sight.Judge().Judge(p, judge.Options{Method: judge.Sight})
		if err != nil || r.Guess == nil {
			t.Fatal(r, err)
		}
		for i := range r.Strings {
			if r.Strings[i].Chance < 0.8 {
				t.Errorf("%v of %v stays with %.2f", r.Strings[i].Head, r.Strings[i].Side, r.Strings[i].Chance)
			}
		}
		top, bottom := r.Guess.Black[board.At(4, 0)], r.Guess.Black[board.At(4, 8)]
		if turned == 1 {
			top, bottom = bottom, top
		}
		t.Logf("behind Black %.2f, behind White %.2f, lead %.1f ± %.1f", top, bottom, r.Guess.Lead, r.Guess.Spread)
		if top < 0.8 || bottom > 0.2 {
			t.Error("land is not seen")
		}
	}
	// A board that no eye sees is judged as before.
	rules, err := weiqi.Standard.Variant("5x5")
	if err != nil {
		t.Fatal(err)
	}
	r, err := sight.Judge().Judge(rules.Start().(*weiqi.Position), judge.Options{})
	if err != nil || r.Guess != nil {
		t.Error(r, err)
	}
}

// TestPlayedOn has a border with one open point, Black's to close: counted as it stands
// White has half of the board more, and what the judge expects is near to what comes of
// closing it.
func TestPlayedOn(t *testing.T) {
	rules, err := weiqi.Standard.Variant("9x9,chinese,komi=7")
	if err != nil {
		t.Fatal(err)
	}
	p := rules.Start().(*weiqi.Position)
	for x := range 9 {
		for _, y := range []int{4, 5} {
			m := game.Drop(board.At(x, y))
			if x == 8 && y == 4 {
				m = game.Pass // the end of Black's wall is missing
			}
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := sight.Judge().Judge(p, judge.Options{Method: judge.Sight})
	if err != nil || r.Guess == nil {
		t.Fatal(r, err)
	}
	t.Logf("counted %d, expected %d half points, the net says %.1f ± %.1f points", r.Score.Total[0]-r.Score.Total[1], r.Guess.Count, r.Guess.Lead, r.Guess.Spread)
	if r.Guess.Count < -4 || r.Guess.Count > 8 {
		t.Errorf("expected %d half points: Black has 45 points, White 36 and a komi of 7", r.Guess.Count)
	}
}
