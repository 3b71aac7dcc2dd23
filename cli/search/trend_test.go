package search

import (
	"testing"

	"qipu/internal/testkit"
	"qipu/retrieve"
)

// TestSpans: many years are drawn by decades, which have all games.
func TestSpans(t *testing.T) {
	var trend retrieve.Trend
	for year := 1895; year < 1995; year++ {
		trend.Years = append(trend.Years, retrieve.Year{Year: year, Games: 1, Of: 4})
	}
	list, of := spansOf(&trend, mostBars)
	if of != "decade" || len(list) != 11 || spanText(list[0].Year, of) != "1890s" || list[0].Of != 20 || list[1].Games != 10 || list[1].Share != 0.25 {
		t.Errorf("%s: %+v", of, list)
	}
	if list, of := spansOf(&trend, 100); of != "year" || len(list) != 100 {
		t.Errorf("%s: %d", of, len(list))
	}
	testkit.WellFormed(t, trendPicture(&trend, `board:"X<O&"`))
	testkit.WellFormed(t, trendPicture(&retrieve.Trend{}, ""))
}

// TestQuoted: a hint can be pasted into a shell.
func TestQuoted(t *testing.T) {
	if got := quoted(`board:"it's"`); got != `'board:"it'\''s"'` {
		t.Error(got)
	}
}

// TestTrendText: the direction is told as a factor of the odds.
func TestTrendText(t *testing.T) {
	for want, trend := range map[string]retrieve.Trend{
		"the odds rise x1.8 in ten years (1.3-2.5)":           {Direction: "rising", Change: 1.8, Low: 1.3, High: 2.5},
		"the odds fall x0.25 in ten years (0.10-0.90)":        {Direction: "falling", Change: .25, Low: .1, High: .9},
		"steady: the odds change x1.0 in ten years (0.80-12)": {Direction: "steady", Change: 1, Low: .8, High: 12},
		"unknown: too few years or games":                     {Direction: "unknown"},
		"the odds rise x999+ in ten years (1.1-999+)":         {Direction: "rising", Change: 1e6, Low: 1.1, High: 1e9},
	} {
		if got := trendText(&trend); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestFirstDecade: decades before the first game are not drawn, years of three
// digits are written like all others.
func TestFirstDecade(t *testing.T) {
	var trend retrieve.Trend
	for year := 690; year < 790; year++ {
		games := 0
		if year >= 725 {
			games = 1
		}
		trend.Years = append(trend.Years, retrieve.Year{Year: year, Games: games, Of: 2})
	}
	list, of := spansOf(&trend, mostBars)
	if len(list) != 7 || spanText(list[0].Year, of) != "0720s" || list[0].Games != 5 || list[0].Of != 20 {
		t.Errorf("%s: %+v", of, list)
	}
}

func TestReachedText(t *testing.T) {
	if reachedText(-1) != "-" || reachedText(0) != "0" {
		t.Errorf("reached: %s, %s", reachedText(-1), reachedText(0))
	}
}
