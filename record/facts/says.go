package facts

import (
	"slices"
	"strconv"
	"strings"
)

// Says reports whether a header of a record tells nothing beyond the facts: it
// has one of the names that formats have for a fact, and its value is that
// fact, in whatever spelling. Writers of other formats ask it which headers
// they have to carry along; they ask the facts that they have written. Headers
// about the file, its encoding and its board say nothing to another format.
func (f *Facts) Says(sides Sides, name, value string) bool {
	value = CleanName(value)
	black, white := &f.Players[0], &f.Players[1]
	if sides.White() {
		black, white = white, black
	}
	switch name {
	case "GM", "FF", "CA", "SZ", "BO", "Game", "FEN", "SetUp":
		return true
	case "PB", "Black":
		return value == CleanName(black.Name)
	case "PW", "White", "Red":
		return value == CleanName(white.Name)
	case "BT", "BlackTeam":
		return value == CleanName(black.Team)
	case "WT", "WhiteTeam", "RedTeam":
		return value == CleanName(white.Team)
	case "BR", "RB", "BlackRating":
		return value == "" || value == strconv.Itoa(black.Rating)
	case "WR", "RW", "WhiteRating", "RedRating":
		return value == "" || value == strconv.Itoa(white.Rating)
	case "EV", "Event":
		return value == CleanName(f.Event)
	case "RO", "Round":
		return value == CleanName(f.Round)
	case "PC", "Place", "Site":
		return value == CleanName(f.Place)
	case "ON", "Opening":
		return value == CleanName(f.Opening)
	case "SO", "Source":
		return value == CleanName(f.Source)
	case "AN", "Annotator", "Author":
		return value == CleanName(f.Author)
	case "DT", "Date", "Year":
		return f.Date.says(value)
	case "RE", "Result":
		return f.Result.says(sides, value)
	case "TM", "TI", "Time":
		return value == CleanName(f.Time) || strings.HasPrefix(f.Time, value+" + ")
	case "OT":
		return value == CleanName(f.Time) || strings.HasSuffix(f.Time, " + "+value)
	}
	return value == ""
}

// says reports whether a text is this date and nothing else: a time of day, or
// a word about the date, is more.
func (d Date) says(text string) bool {
	if strings.Trim(text, "0123456789-./?, ") != "" {
		return false
	}
	return ParseDate(text) == d && slices.Equal(numbers(text), numbers(d.String()))
}

// numbers returns the numbers in a text.
func numbers(text string) (list []int) {
	for _, s := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(s)
		list = append(list, n)
	}
	return list
}

// says reports whether a text means this result. Of a result that is unknown
// it may be said that it is.
func (r Result) says(sides Sides, text string) bool {
	if r != (Result{}) {
		return ParseResult(sides, text) == r
	}
	switch strings.ToLower(text) {
	case "", "?", "*", "unknown":
		return true
	}
	return false
}
