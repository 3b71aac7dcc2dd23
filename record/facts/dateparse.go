package facts

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// ParseDate reads a date as records have it: ISO dates and times, lists and
// ranges of SGF ("1934-03-04,04-01,08"), dots, slashes and Chinese, Japanese
// and Korean date words, eras of Japan, the years of the Republic of China,
// English months, seasons, "ca. 1670", "1840s", "1670 or 1671", "1832-40".
//
// It goes as far as is certain and no further: of "03-04-2001" only the year
// is known, of a date without a year nothing. Two digits are a year where they
// cannot be a day or where a word says so: "83-1-20" is 1983. A time of day is
// left out. Readings that are open ("or", "and later", "?") are Approx.
func ParseDate(text string) Date {
	if d, ok := isoDay(text); ok {
		return Date{From: d, To: d}
	}
	p := dateParser{s: dateText(text)}
	p.stripDoubt()
	if p.s == "" {
		return Date{}
	}
	d, ok := p.decade()
	if !ok {
		d, ok = p.english()
	}
	if !ok {
		d = p.list()
	}
	if d.From.Year == 0 {
		return Date{}
	}
	if d.To.Last() < d.From.First() {
		d.To, p.approx = d.From, true
	}
	d.Approx = p.approx
	return d
}

// isoDay is the fast way for the one form that nine records in ten have.
func isoDay(s string) (d Day, ok bool) {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return d, false
	}
	for i, c := range []byte(s) {
		if i != 4 && i != 7 && !isDigit(c) {
			return d, false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	d = Day{two(0)*100 + two(2), two(5), two(8)}
	return d, d.Year >= minYear && d.Year <= maxYear && d.Month >= 1 && d.Month <= 12 && d.Day >= 1 && d.Day <= daysIn(d.Year, d.Month)
}

// The years that dates with a month may have. Alone, years go back to 100:
// there are records from the second century.
const (
	minYear = 1000
	maxYear = 2200
)

// dateParser reads one date. In s, the words for year, month and day are the
// letters Y, M and D (all other letters are in lower case), and separators of
// other scripts are plain ones.
type dateParser struct {
	s      string
	approx bool
	prev   Day // the day before in a list
}

var dateRunes = map[rune]string{
	'年': "Y", '년': "Y", '月': "M", '월': "M", '日': "D", '号': "D", '號': "D", '일': "D",
	'·': ".", '。': ".", '、': ".", '．': ".", '・': ".", '－': "-", '—': "-", '–': "-", '−': "-", '～': "~", '〜': "~", '至': "~", '到': "~",
	'約': "ca.", '约': "ca.", '頃': "?", '顷': "?",
}

// eras are years that are counted from another one.
var eras = []struct {
	name  string
	start int
}{{"明治", 1868}, {"大正", 1912}, {"昭和", 1926}, {"平成", 1989}, {"令和", 2019}, {"民國", 1912}, {"民国", 1912}}

// dateText folds a text for dateParser.
func dateText(text string) string {
	s := fold(text)
	start := 0
	for _, e := range eras {
		if rest, ok := strings.CutPrefix(s, e.name); ok {
			s, start = strings.TrimLeft(rest, " "), e.start
		}
	}
	var b strings.Builder
	for i, r := range s {
		next := s[i+utf8.RuneLen(r):]
		switch to, ok := dateRunes[r]; {
		case ok:
			b.WriteString(to)
		case r == '元' && (strings.HasPrefix(next, "月") || strings.HasPrefix(next, "年")):
			b.WriteByte('1')
		default:
			b.WriteRune(r)
		}
	}
	s = b.String()
	if start == 0 {
		return s
	}
	n, length := number(s)
	if length == 0 || n == 0 || n > 99 || !strings.HasPrefix(s[length:], "Y") {
		return ""
	}
	if start == 1868 && n <= 5 {
		return strconv.Itoa(start + n - 1) // the months were still those of the moon
	}
	return strconv.Itoa(start+n-1) + s[length:]
}

// The words that make a date an approximate one, before and behind it.
var (
	doubtBefore = []string{"ca.", "ca ", "c.", "circa", "about", "around", "approx.", "before", "after"}
	doubtBehind = []string{"approx", "?", "+", "onwards", "and later", "or later", "or earlier", "circa"}
	plainBehind = []string{" ad", " ce"}
)

// stripDoubt takes off what says that a date is not exact, comments in
// parentheses, and the question marks that PGN has for unknown parts.
func (p *dateParser) stripDoubt() {
	for _, mark := range []string{"(", ".?", "-?", ".*", "-*"} {
		if i := strings.Index(p.s, mark); i >= 0 {
			p.s = p.s[:i]
		}
	}
	if rest, ok := strings.CutSuffix(p.s, "xx"); ok { // 199604XX
		p.s = strings.ReplaceAll(rest, "x", "0") + "00"
	}
	for again := true; again; {
		p.s, again = strings.Trim(p.s, " .,;:`'\""), false
		for _, w := range doubtBefore {
			if rest, ok := strings.CutPrefix(p.s, w); ok {
				p.s, p.approx, again = rest, true, true
			}
		}
		for _, w := range doubtBehind {
			if rest, ok := strings.CutSuffix(p.s, w); ok {
				p.s, p.approx, again = rest, true, true
			}
		}
		for _, w := range plainBehind {
			if rest, ok := strings.CutSuffix(p.s, w); ok {
				p.s, again = rest, true
			}
		}
	}
}

// decade reads "1840s" and 1930年代.
func (p *dateParser) decade() (Date, bool) {
	y, n := digits(p.s)
	if n != 4 || y < minYear || y%10 != 0 || y > maxYear || p.s[n:] != "s" && p.s[n:] != "Y代" {
		return Date{}, false
	}
	return Date{From: Day{Year: y}, To: Day{Year: y + 9}}, true
}

// digits reads a number in plain digits.
func digits(s string) (value, length int) {
	for length < len(s) && length < 9 && isDigit(s[length]) {
		value = value*10 + int(s[length]-'0')
		length++
	}
	return value, length
}

// list reads days that are parted by commas, or by the signs and words for a
// range. It ends at the first part that is no day; what was read before it
// stands.
func (p *dateParser) list() Date {
	from, to, ok := p.item()
	if !ok {
		return Date{}
	}
	d := Date{From: from, To: to}
	for {
		p.prev = d.To
		sep := p.separator()
		if sep == "" {
			return d
		}
		approx := p.approx
		_, to, ok := p.item()
		if !ok {
			return d
		}
		// A dash is a range only at the end: 2016-3-26-11-12-58 is a time.
		if sep == "-" && strings.Trim(p.s, " .?") != "" {
			p.approx = approx
			return d
		}
		p.approx = p.approx || sep == "or " || sep == "/"
		d.To = to
	}
}

// separator steps over a time of day and over what parts the days of a list,
// which it returns.
func (p *dateParser) separator() string {
	for n := 1; n > 0; p.s = p.s[n:] {
		p.s = strings.TrimLeft(p.s, " ")
		n = clockLen(p.s)
	}
	for _, w := range []string{"..", "~", ",", "or ", "and ", "-", "/"} {
		if rest, ok := strings.CutPrefix(p.s, w); ok {
			p.s = strings.TrimLeft(rest, " -")
			return w
		}
	}
	return ""
}

// clockLen returns the length of a time of day at the start of s, with what
// belongs to it: "t09:59:32.868+00:00", "[09:51]", "15:00-18:00".
func clockLen(s string) int {
	i := 0
	for i < len(s) && strings.IndexByte("t[,-", s[i]) >= 0 {
		i++
	}
	_, n := digits(s[i:])
	if n == 0 || n > 2 || i+n+1 >= len(s) || s[i+n] != ':' || !isDigit(s[i+n+1]) {
		return 0
	}
	for i < len(s) && (isDigit(s[i]) || strings.IndexByte(":.+-]zut ", s[i]) >= 0) {
		i++
	}
	return i
}

// item reads one day, month, year or season, as its first and last day.
func (p *dateParser) item() (from, to Day, ok bool) {
	p.s = strings.TrimLeft(p.s, " ")
	word, rest, _ := strings.Cut(p.s, " ")
	if months, ok := seasons[word]; ok {
		year, n := digits(rest)
		p.s, p.approx = rest[n:], true
		if year < minYear || year > maxYear {
			return Day{}, Day{}, false
		}
		return Day{Year: year, Month: months[0]}, Day{Year: year, Month: months[1]}, true
	}
	from, ok = p.plain()
	return from, from, ok
}

// plain reads a date in numbers.
func (p *dateParser) plain() (Day, bool) {
	if len(p.s) > 4 && isLetter(p.s[0]) {
		if _, n := digits(p.s[1:]); n >= 4 {
			p.s = p.s[1:] // C2005.11.02
		}
	}
	n, length := digits(p.s)
	switch {
	case length == 0:
		return Day{}, false
	case length <= 2 && p.prev.Year != 0:
		return p.short(n, length)
	case length <= 2:
		return p.small(n, length)
	case length == 3:
		rest := strings.Trim(p.s[length:], " Y")
		p.s = ""
		return Day{Year: n}, rest == "" && n >= 100
	case length == 4:
		p.s = p.s[length:]
		return p.full(n)
	}
	return p.compact(n, length)
}

// compact reads digits without separators: 20050116. Where one is missing or
// too many, the year alone is certain.
func (p *dateParser) compact(n, length int) (Day, bool) {
	if length == 8 {
		p.s = p.s[length:]
		return day(n/10000, n/100%100, n%100)
	}
	year, _ := digits(p.s[:4])
	two := func(i int) int { v, _ := digits(p.s[i : i+2]); return v }
	if length == 6 && day6(two(2), two(4)) {
		return Day{}, false // YYMMDD or YYYYMM
	}
	p.s = ""
	return Day{Year: year}, year >= 1500 && year <= 2100
}

func day6(month, day int) bool { return month >= 1 && month <= 12 && day >= 1 && day <= 31 }

// day returns a day with what is valid of it.
func day(year, month, day int) (Day, bool) {
	switch {
	case year < minYear || year > maxYear:
		return Day{}, false
	case month < 1 || month > 12:
		return Day{Year: year}, true
	case day < 1 || day > daysIn(year, month):
		return Day{Year: year, Month: month}, true
	}
	return Day{year, month, day}, true
}

// full reads what follows a year.
func (p *dateParser) full(year int) (Day, bool) {
	if year < 100 || year > maxYear {
		return Day{}, false
	}
	before := p.s
	month, ok := p.part("YM")
	if !ok {
		p.s = strings.TrimPrefix(p.s, "Y")
		return Day{Year: year}, true
	}
	if laterYear(year, month, p.s) && (before[0] == '-' || before[0] == '/') {
		p.s = before // 1832-40
		return Day{Year: year}, true
	}
	if year < minYear || month < 1 || month > 12 {
		p.s = ""
		return day(year, 0, 0)
	}
	d, ok := p.part("MD")
	if !ok {
		p.s = strings.TrimLeft(p.s, "M")
		return day(year, month, 0)
	}
	if d < 1 || d > daysIn(year, month) {
		p.s = ""
	}
	p.s = strings.TrimPrefix(p.s, "D")
	return day(year, month, d)
}

// part reads a separator and a number of one or two digits. Of marks, the
// first is the word for what stands before the separator, the second the one
// for the number: 1986年11有13日 has a month without its word, and is no month.
// Where the number has another length, nothing more of the text is certain.
func (p *dateParser) part(marks string) (value int, ok bool) {
	if clockLen(p.s) > 0 && p.s[0] != ':' || p.s == "" {
		return 0, false
	}
	sep := p.s[0]
	if strings.IndexByte("-./: ", sep) < 0 && sep != marks[0] {
		return 0, false
	}
	rest := strings.TrimLeft(p.s[1:], " ")
	value, n := digits(rest)
	switch {
	case n == 0:
		return 0, false
	case n == 4 && (sep == '-' || sep == '/'):
		return 0, false // another year
	case n > 2, sep == marks[0] && marks == "YM" && len(rest) > n && strings.IndexByte("M.-/", rest[n]) < 0:
		p.s = ""
		return 0, false
	}
	p.s = rest[n:]
	return value, true
}

// short reads a day, month, or month and day, of the year before it in a list.
func (p *dateParser) short(n, length int) (Day, bool) {
	rest := p.s[length:]
	if rest != "" && strings.IndexByte("-./M", rest[0]) >= 0 {
		if d, m := digits(rest[1:]); m == 1 || m == 2 {
			p.s = strings.TrimPrefix(rest[1+m:], "D")
			return Day{p.prev.Year, n, d}, day6(n, d) && d <= daysIn(p.prev.Year, n)
		}
	}
	switch {
	case p.prev.Day != 0:
		p.s = strings.TrimPrefix(rest, "D")
		return Day{p.prev.Year, p.prev.Month, n}, n >= 1 && n <= daysIn(p.prev.Year, p.prev.Month)
	case p.prev.Month != 0:
		p.s = strings.TrimPrefix(rest, "M")
		return Day{Year: p.prev.Year, Month: n}, n >= 1 && n <= 12
	case length == 2 && laterYear(p.prev.Year, n, rest):
		p.s = ""
		return Day{Year: p.prev.Year - p.prev.Year%100 + n}, true
	}
	return Day{}, false
}

// laterYear reports whether two digits at the end of a text are a later year of
// the same century, because they are no month.
func laterYear(year, n int, rest string) bool {
	return year >= minYear && n > 12 && n > year%100 && n < 100 && strings.Trim(rest, " .?Y") == ""
}

// small reads a date that begins with one or two digits: a day or month with
// the year behind, or a short year.
func (p *dateParser) small(a, length int) (Day, bool) {
	zero := a == 0 && length == 2
	p.s = p.s[length:]
	if strings.HasPrefix(p.s, "Y") && length == 2 && !strings.HasPrefix(p.s, "Y代") {
		return p.full(century(a))
	}
	b, c, last, ok := p.two()
	switch {
	case !ok:
		return Day{}, false
	case last == 4:
		return dayFirst(a, b, c)
	case last != 2 && last != 1:
		return Day{}, false
	case a > 31 || zero:
		return day(century(a), b, c)
	case c > 31 || c == 0 && last == 2:
		return dayFirst(a, b, century(c))
	}
	return Day{}, false
}

// two reads two further numbers behind separators; last is the length of the
// second.
func (p *dateParser) two() (b, c, last int, ok bool) {
	s := p.s
	for i, n := range []*int{&b, &c} {
		if s == "" || strings.IndexByte("-./, ", s[0]) < 0 {
			return 0, 0, 0, false
		}
		s = strings.TrimLeft(s[1:], " ")
		*n, last = digits(s)
		if last == 0 || i == 0 && last > 2 {
			return 0, 0, 0, false
		}
		s = s[last:]
	}
	p.s = s
	return b, c, last, true
}

// century completes a year of two digits.
func century(year int) int {
	if year < 32 {
		return 2000 + year
	}
	return 1900 + year
}

// dayFirst reads day and month in either order, the American one included: of
// 03-04-2001 only the year is certain.
func dayFirst(a, b, year int) (Day, bool) {
	switch {
	case a == b || a > 12 && b <= 12:
		return day(year, b, a)
	case b > 12 && a <= 12:
		return day(year, a, b)
	}
	return day(year, 0, 0)
}
