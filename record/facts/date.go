package facts

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

// ParseDate reads a date as records have it.
func ParseDate(text string) Date { return Date{} }
