package cli

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"qipu/record/facts"
	"qipu/retrieve"
)

// TestBounds: dates are printed as well as they are known.
func TestBounds(t *testing.T) {
	day := func(text string) int32 {
		when, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := facts.Date{From: facts.Day{Year: when.Year(), Month: int(when.Month()), Day: when.Day()}}.Bounds()
		return int32(first)
	}
	for _, c := range [][4]string{
		{"2001-01-01", "2001-12-31", "2001", "2001"}, {"2000-01-01", "2000-12-31", "2000", "2000"}, {"2000-02-01", "2000-02-29", "2000-02", "2000-02"},
		{"2001-03-05", "2001-03-05", "2001-03-05", "2001-03-05"}, {"2001-03-01", "2001-03-02", "2001-03-01", "2001-03-02"},
		{"2001-01-01", "2001-01-01", "2001-01-01", "2001-01-01"}, {"2001-03-01", "2001-05-31", "2001-03", "2001-05"}, {"1999-01-01", "2001-12-31", "1999", "2001"},
	} {
		from, to := day(c[0]), day(c[1])
		s := retrieve.Score{FirstDay: from, LastDay: to, FirstSpan: to - from, LastSpan: to - from}
		if since, until := s.Since(), s.Until(); since != c[2] || until != c[3] {
			t.Errorf("%s to %s: %s, %s; want %s, %s", c[0], c[1], since, until, c[2], c[3])
		}
	}
	if s := new(retrieve.Score); s.Since()+s.Until()+YearsText(s) != "" {
		t.Error("no date is one")
	}
}

// TestRateText: a rate lies in its interval as both are printed.
func TestRateText(t *testing.T) {
	for first := range 40 {
		for second := range 40 {
			s := retrieve.Score{First: first, Second: second}
			var rate, low, high float64
			if first+second == 0 {
				continue
			}
			if _, err := fmt.Sscanf(strings.TrimPrefix(RateText(&s), "~"), "%f%% (%f-%f)", &rate, &low, &high); err != nil || rate < low || rate > high {
				t.Fatalf("%d to %d: %s, %v", first, second, RateText(&s), err)
			}
		}
	}
}
