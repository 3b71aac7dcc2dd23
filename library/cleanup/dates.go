package cleanup

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/record/facts"
	"qipu/store"
)

// A date cannot be where it is further than this from the nearest other game of each player.
const lifetime = 50

// least is how many other dated games a player needs to tell something about a date.
const least = 3

// date proposes another date where the one that is there cannot be, and one that the title
// tells where there is none.
func (f *finder) date(g *store.Game) bool {
	d := g.Facts.Date
	if !d.Known() {
		if day, ok := dayIn(g.Facts.Event); ok && f.fits(g, day.Year, 0) == nil {
			now := facts.Date{From: day, To: day}
			f.add(g.ID, Dates, ByTitle, "\x00"+g.Facts.Event, g.Facts.Event, now.SGF(), set("date", now.SGF()))
			return true
		}
		return false
	}
	year := d.From.Year
	why := ByPlayers
	switch around := f.fits(g, year, 1); {
	case !g.Added.IsZero() && g.Added.Year() > 1980 && year > g.Added.Year():
		why = ByFuture
	case around != nil:
	default:
		return false
	}
	now, reason := f.mended(g, why)
	f.add(g.ID, Dates, reason, d.SGF()+"\x00"+now.SGF(), d.SGF(), now.SGF(), set("date", dateField(now)))
	return reason == ByTitle
}

func dateField(d facts.Date) string {
	f := facts.Facts{Date: d}
	return f.Get("date")
}

// fits returns nil where a year may be one of the games of the players, else the years of
// their other games, rising. Own is how often the year is that of this game itself.
func (f *finder) fits(g *store.Game, year, own int) []int {
	var all []int
	for _, p := range g.Facts.Players {
		if p.Name == "" {
			continue
		}
		list := slices.Clone(f.years[f.person(p.Name)])
		for range own {
			if i := slices.Index(list, year); i >= 0 {
				list = slices.Delete(list, i, i+1)
			}
		}
		for _, y := range list {
			if y-year <= lifetime && year-y <= lifetime {
				return nil
			}
		}
		all = append(all, list...)
	}
	if len(all) < least {
		return nil
	}
	slices.Sort(all)
	return all
}

// mended returns what a date may have been: with the year, or the day, that the title or the
// file tells, or with the one that differs in one digit and lies among the years of the
// players' other games. Unknown where there is none, or more than one.
func (f *finder) mended(g *store.Game, why Reason) (facts.Date, Reason) {
	for _, from := range []struct {
		text   string
		reason Reason
	}{{g.Facts.Event, ByTitle}, {called(g), ByFile}} {
		if day, ok := dayIn(from.text); ok && f.fits(g, day.Year, 0) == nil && day.Year <= g.Added.Year() {
			return facts.Date{From: day, To: day}, from.reason
		}
		if year := yearIn(from.text); year > 0 && f.fits(g, year, 0) == nil && year <= g.Added.Year() {
			return inYear(g.Facts.Date, year), from.reason
		}
	}
	around := f.fits(g, g.Facts.Date.From.Year, 1)
	if around == nil {
		return facts.Date{}, why
	}
	have := fmt.Sprintf("%04d", g.Facts.Date.From.Year)
	var found []int
	for y := around[0] - 1; y <= min(around[len(around)-1]+1, g.Added.Year()); y++ {
		text, differ := fmt.Sprintf("%04d", y), 0
		for i := range text {
			if text[i] != have[i] {
				differ++
			}
		}
		if differ == 1 {
			found = append(found, y)
		}
	}
	if len(found) != 1 {
		return facts.Date{}, why
	}
	return inYear(g.Facts.Date, found[0]), why
}

// inYear returns a date with another year.
func inYear(d facts.Date, year int) facts.Date {
	day := facts.Day{Year: year, Month: d.From.Month, Day: d.From.Day}
	if now := facts.ParseDate(day.String()); now.Known() {
		return now
	}
	day = facts.Day{Year: year}
	return facts.Date{From: day, To: day}
}

// dayIn returns the one full day that a text has in digits: 20011219, 1993-11-06.
func dayIn(text string) (day facts.Day, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		end := i
		for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end < i+10 && strings.IndexByte("-._", text[end]) >= 0) {
			end++
		}
		word := strings.Trim(text[i:end], "-._")
		var d facts.Day
		switch {
		case len(word) == 8 && strings.Trim(word, "0123456789") == "":
			d = facts.Day{Year: atoi(word[:4]), Month: atoi(word[4:6]), Day: atoi(word[6:])}
		case len(word) >= 10 && strings.Trim(word[:4]+word[5:7]+word[8:10], "0123456789") == "" && word[4] == word[7] && (len(word) == 10 || word[10] < '0' || word[10] > '9'):
			d = facts.Day{Year: atoi(word[:4]), Month: atoi(word[5:7]), Day: atoi(word[8:10])}
		default:
			continue
		}
		if got := facts.ParseDate(d.String()); d.Year >= 1800 && d.Year <= 2100 && got.From == d && d.Day > 0 {
			if ok && d != day {
				return facts.Day{}, false
			}
			day, ok = d, true
		}
	}
	return day, ok
}

// yearIn returns the one year that a text tells: 1993年, 93全國, '97.
func yearIn(text string) (year int) {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' || i > 0 && text[i-1] >= '0' && text[i-1] <= '9' {
			continue
		}
		end := i
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		y := 0
		switch n := atoi(text[i:end]); {
		case end-i == 4 && n >= 1800 && n <= 2100:
			y = n
		case end-i == 2 && n >= 40 && (i == 0 || text[i-1] == '\'') && end < len(text) && text[end] >= 0x80:
			y = 1900 + n
		}
		if y > 0 {
			if year > 0 && y != year {
				return 0
			}
			year = y
		}
		i = end
	}
	return year
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
