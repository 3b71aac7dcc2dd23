package facts

import "strings"

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

// seasons give the months of a season in the north; a winter has two years.
var seasons = map[string][2]int{"spring": {3, 5}, "summer": {6, 8}, "autumn": {9, 11}, "fall": {9, 11}, "winter": {0, 0}}

// fillers are words that a date in English may hold besides.
var fillers = map[string]bool{
	"and": true, "of": true, "the": true, "to": true, "gmt": true, "utc": true, "ut": true, "am": true, "pm": true, "t": true,
	"mon": true, "tue": true, "wed": true, "thu": true, "fri": true, "sat": true, "sun": true,
	"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true,
}

// english reads dates with the names of months: "Sun Mar 16 16:12:48 2014",
// "12th and 13th march 94", "March 5, 1999". Any word beyond those of dates
// leaves it unknown, as "published 5 May 1932" is no day of play.
func (p *dateParser) english() (Date, bool) {
	var days, names, years []int
	for _, token := range strings.FieldsFunc(p.s, func(r rune) bool { return strings.ContainsRune(" ,.-~/", r) }) {
		if strings.Contains(token, ":") {
			continue
		}
		if m := monthNamed(token); m > 0 {
			names = append(names, m)
			continue
		}
		n, length := digits(token)
		switch tail := token[length:]; {
		case length == 0 && fillers[tail]:
		case length == 4 && tail == "":
			years = append(years, n)
		case length > 2 || length == 0 || tail != "" && tail != "st" && tail != "nd" && tail != "rd" && tail != "th":
			return Date{}, len(names) > 0
		case n > 31:
			years = append(years, century(n))
		default:
			days = append(days, n)
		}
	}
	if len(names) == 0 {
		return Date{}, false
	}
	if len(names) > 2 || len(years) == 0 || len(years) > 2 {
		return Date{}, true
	}
	days = append(days, 0)
	if len(days) > 1 {
		days = days[:len(days)-1]
	}
	from, ok := day(years[0], names[0], days[0])
	to, ok2 := day(years[len(years)-1], names[len(names)-1], days[len(days)-1])
	if !ok || !ok2 {
		return Date{}, true
	}
	return Date{From: from, To: to}, true
}

// monthNamed returns the number of a month by its English name or the first
// letters of it, at least three; 0 for others.
func monthNamed(word string) int {
	if len(word) < 3 {
		return 0
	}
	for i, name := range months {
		if strings.HasPrefix(name, word) {
			return i + 1
		}
	}
	return 0
}
