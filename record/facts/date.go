package facts

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Day is a calendar day; Month and Day are 0 where unknown.
type Day struct {
	Year       int
	Month, Day int
}

// Date is when a game was played: a day, a longer time, or unknown (zero).
type Date struct {
	From, To Day  // equal for a single day; both bounds are inclusive
	Approx   bool // "ca. 1670"
}

// Known reports whether anything is known of the date.
func (d Date) Known() bool { return d.From.Year != 0 }

// First and Last return the first and the last day that a Day may stand for,
// as ordinals: days since the first of January of the year 1, which is 0.
// Dates of all calendars are taken as Gregorian ones.
func (d Day) First() int { return ordinal(d.Year, max(d.Month, 1), max(d.Day, 1)) }

// Last is the counterpart of First: of 1670 it is the 31st of December.
func (d Day) Last() int {
	switch {
	case d.Month == 0:
		return ordinal(d.Year, 12, 31)
	case d.Day == 0:
		return ordinal(d.Year, d.Month, daysIn(d.Year, d.Month))
	}
	return ordinal(d.Year, d.Month, d.Day)
}

// Bounds returns the first and the last day that a date may stand for, as
// ordinals for an index; see Day.First. An unknown date has ok false.
func (d Date) Bounds() (first, last int, ok bool) {
	if !d.Known() {
		return 0, 0, false
	}
	return d.From.First(), max(d.To.Last(), d.From.Last()), true
}

// Compare orders dates by their first day, then by their last; unknown dates
// come last.
func (d Date) Compare(e Date) int {
	if d.Known() != e.Known() {
		if d.Known() {
			return -1
		}
		return 1
	}
	if !d.Known() {
		return 0
	}
	df, dl, _ := d.Bounds()
	ef, el, _ := e.Bounds()
	return cmp.Or(cmp.Compare(df, ef), cmp.Compare(dl, el))
}

// DayOf returns the day of an ordinal: see Day.First.
func DayOf(ordinal int) Day {
	t := time.Date(1, 1, 1+ordinal, 0, 0, 0, 0, time.UTC)
	return Day{Year: t.Year(), Month: int(t.Month()), Day: t.Day()}
}

func ordinal(year, month, day int) int {
	unix := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()
	const start = -62135596800 // 0001-01-01
	return int((unix - start) / 86400)
}

// daysIn returns the number of days of a month.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// String returns the day as "1846", "1846-07" or "1846-07-21".
func (d Day) String() string { return d.from(Day{}) }

// from returns the day without what it shares with the one before, as SGF
// shortens lists. A month cannot be told from a day there, so that it keeps
// its year.
func (d Day) from(prev Day) string {
	switch {
	case d.Year == 0:
		return ""
	case d.Month == 0:
		return fmt.Sprintf("%04d", d.Year)
	case d.Day == 0:
		return fmt.Sprintf("%04d-%02d", d.Year, d.Month)
	case prev.Day == 0 || d.Year != prev.Year:
		return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day)
	case d.Month != prev.Month:
		return fmt.Sprintf("%02d-%02d", d.Month, d.Day)
	}
	return fmt.Sprintf("%02d", d.Day)
}

// SGF returns the date for the property DT: a day as ISO 8601, two days that
// follow each other as a list ("1946-05-15,16"), longer times as from..to,
// which is beyond the standard but common. ParseDate reads it back.
func (d Date) SGF() string {
	if !d.Known() {
		return ""
	}
	var b strings.Builder
	if d.Approx {
		b.WriteString("ca. ")
	}
	b.WriteString(d.From.String())
	if d.To != d.From {
		sep := ".."
		if d.From.Day != 0 && d.To.Day != 0 && d.To.First() == d.From.First()+1 {
			sep = ","
		}
		b.WriteString(sep)
		b.WriteString(d.To.from(d.From))
	}
	return b.String()
}

// String returns the date as SGF does.
func (d Date) String() string { return d.SGF() }

// PGN returns the first day for the tag Date, with question marks for what is
// unknown: "1846.07.??".
func (d Date) PGN() string {
	part := func(n, width int) string {
		if n == 0 {
			return "????"[:width]
		}
		return fmt.Sprintf("%0*d", width, n)
	}
	return part(d.From.Year, 4) + "." + part(d.From.Month, 2) + "." + part(d.From.Day, 2)
}
