package retrieve

import (
	"math"
	"strconv"
	"testing"
)

// groupsOf returns groups by year with so many games each.
func groupsOf(counts map[int]int) (list []Group) {
	for year := 1900; year < 2100; year++ {
		if n := counts[year]; n > 0 {
			list = append(list, Group{Key: strconv.Itoa(year), Score: Score{Count: n, First: n}})
		}
	}
	return list
}

func TestTrend(t *testing.T) {
	// Shares that follow a logistic curve exactly give its slope back.
	for _, slope := range []float64{-.08, 0, .03} {
		found, all := map[int]int{}, map[int]int{}
		for year := 1990; year < 2010; year++ {
			all[year] = 1_000_000
			found[year] = int(math.Round(1e6 / (1 + math.Exp(1-slope*float64(year-2000)))))
		}
		got := TrendOf(groupsOf(found), groupsOf(all))
		if want := math.Exp(10 * slope); math.Abs(got.Change-want) > 1e-3 || got.Low > want || got.High < want || got.High-got.Low > .02 {
			t.Errorf("slope %v: changes by %v (%v-%v) in ten years, want %v", slope, got.Change, got.Low, got.High, want)
		}
		if want := map[float64]string{-.08: "falling", 0: "steady", .03: "rising"}[slope]; got.Direction != want {
			t.Errorf("slope %v: %s, want %s", slope, got.Direction, want)
		}
	}
	// Few games say little.
	few := TrendOf(groupsOf(map[int]int{1991: 1, 1992: 2}), groupsOf(map[int]int{1990: 4, 1991: 4, 1992: 4}))
	if few.Direction != "steady" || few.Low > 1 || few.High < 1 {
		t.Errorf("three games: %+v", few)
	}
	if y := few.Years[0]; y.Year != 1990 || y.Of != 4 || y.Share != 0 || y.Low != 0 || y.High < .4 {
		t.Errorf("a year without hits: %+v", y)
	}
	for name, counts := range map[string][2]map[int]int{
		"no hits":   {{}, {1990: 4, 1991: 4, 1992: 4}},
		"two years": {{1990: 1}, {1990: 4, 1991: 4}},
		"all games": {{1990: 4, 1991: 4, 1992: 4}, {1990: 4, 1991: 4, 1992: 4}},
		"no games":  {{}, {}},
	} {
		if got := TrendOf(groupsOf(counts[0]), groupsOf(counts[1])); got.Direction != "unknown" || got.Change != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// Years that differ by more than chance make it less sure.
	wild, even := map[int]int{}, map[int]int{}
	all := map[int]int{}
	for year := 1990; year < 2010; year++ {
		all[year], even[year] = 1000, 300
		wild[year] = 100 + 400*(year%2)
	}
	a, b := TrendOf(groupsOf(even), groupsOf(all)), TrendOf(groupsOf(wild), groupsOf(all))
	if b.High/b.Low < 3*a.High/a.Low {
		t.Errorf("years that differ: %v-%v, years that do not: %v-%v", b.Low, b.High, a.Low, a.High)
	}
	// No slope is steep enough for none and then all: that ends too.
	if got := TrendOf(groupsOf(map[int]int{1992: 9, 1993: 9}), groupsOf(map[int]int{1990: 9, 1991: 9, 1992: 9, 1993: 9})); got.Direction != "unknown" {
		t.Errorf("none and then all: %+v", got)
	}
}

func TestCompare(t *testing.T) {
	// 60 of 100 against 45 of 100: the standard error of the pooled test is
	// sqrt(.525*.475*2/100) = .07062, so z = 2.124 and p = .0337.
	c := Compare(&Score{First: 60, Second: 40}, &Score{First: 40, Second: 50, Draws: 10})
	if c.A != .6 || c.B != .45 || math.Abs(c.Difference+.15) > 1e-12 || math.Abs(c.P-.0337) > 2e-4 {
		t.Errorf("%+v", c)
	}
	if c.High >= 0 || c.Low < -.30 {
		t.Errorf("the interval %v-%v", c.Low, c.High)
	}
	if c := Compare(&Score{First: 3, Second: 2}, &Score{First: 3, Second: 2}); c.Difference != 0 || c.P != 1 || c.Low >= 0 || c.High <= 0 {
		t.Errorf("the same twice: %+v", c)
	}
	if c := Compare(&Score{}, &Score{First: 3}); c.P != 1 || c.Low != 0 || c.High != 0 {
		t.Errorf("nothing to compare with: %+v", c)
	}
	if c := Compare(&Score{First: 5}, &Score{First: 9}); c.P != 1 || c.Difference != 0 {
		t.Errorf("both always: %+v", c)
	}
}
