package query

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/record/facts"
)

// columnFields are the fields that ask for a column alone.
var columnFields = [Columns]string{
	FirstPlayer: "first", SecondPlayer: "second", Event: "event", Opening: "opening", Code: "code", Round: "round", Place: "place",
	FirstTeam: "team.first", SecondTeam: "team.second", Ruleset: "ruleset", How: "how", Origin: "source", Author: "author",
	Format: "format", File: "file", Plies: "moves", Komi: "komi", Handicap: "handicap", Margin: "margin", Result: "result",
	FirstRating: "rating.first", SecondRating: "rating.second", FirstRank: "rank.first", SecondRank: "rank.second",
	FirstDay: "date", LastDay: "date",
}

// String returns the name of the field that asks for the column.
func (c Column) String() string {
	if int(c) < len(columnFields) {
		return columnFields[c]
	}
	return fmt.Sprintf("column %d", uint8(c))
}

// Days returns the first and the last day that a date means, as ordinals.
func Days(text string) (float64, float64, error) {
	bad := fmt.Errorf("%q is no date: write 1990, 1990-06 or 1990-06-30", text)
	if strings.Trim(text, "0123456789-") != "" {
		d := facts.ParseDate(text)
		first, last, ok := d.Bounds()
		if !ok || d.Approx {
			return 0, 0, bad
		}
		return float64(first), float64(last), nil
	}
	var parts [3]int
	list := strings.Split(text, "-")
	if len(list) > 3 || len(list[0]) > 4 {
		return 0, 0, bad
	}
	for i, part := range list {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return 0, 0, bad
		}
		parts[i] = n
	}
	d := facts.Day{Year: parts[0], Month: parts[1], Day: parts[2]}
	month := facts.Day{Year: d.Year, Month: d.Month}
	if d.Month > 12 || d.Day > 0 && d.Day > month.Last()-month.First()+1 {
		return 0, 0, fmt.Errorf("%q: there is no such day", text)
	}
	return float64(d.First()), float64(d.Last()), nil
}
