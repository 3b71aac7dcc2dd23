package cli

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/view"

	"qipu/retrieve"
)

// fewGames is the number of results below which a rate is marked as doubtful.
const fewGames = 10

// Results is the number of games with a result.
func Results(s *retrieve.Score) int { return s.First + s.Second + s.Draws }

// RateText returns the score of the first side with its interval, marked where
// it rests on few games.
func RateText(s *retrieve.Score) string {
	n := Results(s)
	if n == 0 {
		return "-"
	}
	text := ShareRange(s.Rate())
	if n < fewGames {
		text = "~" + text
	}
	return text
}

// ShareRange returns a share with the interval around it, as people read it.
func ShareRange(share, low, high float64) string {
	return fmt.Sprintf("%.1f%% (%.1f-%.1f)", 100*share, 100*low, 100*high)
}

// RangeText returns what lies between two dates.
func RangeText(first, last, between string) string {
	if first == last {
		return first
	}
	return first + between + last
}

// YearsText returns the years of a score.
func YearsText(s *retrieve.Score) string {
	first, _, _ := strings.Cut(s.Since(), "-")
	last, _, _ := strings.Cut(s.Until(), "-")
	return RangeText(first, last, "-")
}

// RateCells returns the rate of a score as CSV has it: nothing where it is not known.
func RateCells(s *view.Score) []string {
	list := make([]string, 3)
	for i, f := range []*float64{s.Rate, s.Low, s.High} {
		if f != nil {
			list[i] = ShareText(*f)
		}
	}
	return list
}

// ShareText returns a share as CSV has it.
func ShareText(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }
