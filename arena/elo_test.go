package arena

import (
	"math"
	"testing"
)

// score makes one of pairs alone.
func score(test *SPRT, pairs ...int) Score {
	var s Score
	copy(s.Pairs[:], pairs)
	for i, n := range pairs { // games of a pair do not matter beyond its points
		s.Games += 2 * n
		s.Draws += n * (i & 1)
		s.Wins += n * (i / 2)
	}
	s.Losses = s.Games - s.Wins - s.Draws
	s.reckon(test, true)
	return s
}

// TestReckon holds the figures to what can be reckoned by hand.
func TestReckon(t *testing.T) {
	near := func(what string, got, want, within float64) {
		t.Helper()
		if math.Abs(got-want) > within {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	even := score(nil, 10, 0, 20, 0, 10)
	near("Elo of an even match", even.Elo, 0, 1e-9)
	near("its probability", even.Better, 0.5, 1e-9)
	near("its points", even.Points, 40, 0)

	// Three quarters of the points are 190.8 Elo. A pair has half of them or
	// all, with a deviation of a quarter; the mean of 100 has a fortieth, and
	// 1.96 of that is 0.049.
	ahead := score(nil, 0, 0, 50, 0, 50)
	near("Elo of three quarters", ahead.Elo, 190.85, 0.01)
	near("its margin", ahead.Margin, (elo(0.75+0.049)-elo(0.75-0.049))/2, 0.1)
	behind := score(nil, 50, 0, 50, 0, 0)
	near("Elo the other way round", behind.Elo, -ahead.Elo, 1e-9)
	near("probability the other way round", behind.Better, 1-ahead.Better, 1e-9)

	// Four times the games halve the error. Pairs that are drawn by exchanged
	// colours tell more than single games of the same results would.
	if more := score(nil, 40, 0, 80, 0, 40); math.Abs(even.Margin/more.Margin-2) > 0.1 {
		t.Errorf("margins %g and, with four times the games, %g", even.Margin, more.Margin)
	}
	if split := score(nil, 0, 0, 40, 0, 0); split.Margin > even.Margin/2 {
		t.Errorf("margin %g where every pair is split, %g where they are not", split.Margin, even.Margin)
	}

	for _, s := range []Score{score(nil), score(nil, 0, 0, 0, 0, 10), score(nil, 10), score(nil, 0, 0, 1)} {
		for _, v := range []float64{s.Elo, s.Margin, s.Better} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%v: %+v", s.Pairs, s)
			}
		}
	}

	test := &SPRT{Low: 0, High: 50}
	for _, c := range []struct {
		s    Score
		want string
	}{
		{score(test, 10, 0, 20, 0, 10), ""},
		{score(test, 0, 0, 10, 0, 40), ProvesHigh},
		{score(test, 40, 0, 10, 0, 0), ProvesLow},
		{score(test, 100, 0, 300, 0, 100), ProvesLow},
	} {
		if c.s.Verdict != c.want {
			t.Errorf("pairs %v: verdict %q with a ratio of %g, want %q", c.s.Pairs, c.s.Verdict, c.s.LLR, c.want)
		}
	}
}
