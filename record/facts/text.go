package facts

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CleanName returns the name of a player, team, event or place without spaces
// around it and with every run of spaces inside it, wide ones as Chinese files
// pad short names with them among them, as one plain space. Nothing else is
// changed. It allocates only if there is something to change in the middle.
func CleanName(text string) string {
	text = strings.TrimFunc(text, isSpace)
	space := false
	for i, r := range text {
		if !isSpace(r) {
			space = false
			continue
		}
		if r != ' ' || space {
			return joinSpaces(text, i)
		}
		space = true
	}
	return text
}

func joinSpaces(text string, from int) string {
	var b strings.Builder
	b.Grow(len(text))
	b.WriteString(text[:from])
	space := from > 0 && text[from-1] == ' '
	for _, r := range text[from:] {
		if !isSpace(r) {
			b.WriteRune(r)
			space = false
		} else if !space {
			b.WriteByte(' ')
			space = true
		}
	}
	return b.String()
}

// isSpace tells spaces and what is as invisible: control characters, the zero
// width space, the byte order mark.
func isSpace(r rune) bool {
	return r <= ' ' || r > 0x7E && (unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u200B' || r == '\uFEFF')
}

// fold returns text trimmed, in lower case, with full-width letters, digits
// and spaces as plain ones. Plain lower-case text is returned as it is.
func fold(text string) string {
	text = strings.TrimFunc(text, isSpace)
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.Map(foldRune, text)
		}
	}
	return text
}

func foldRune(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case 0xFF01 <= r && r <= 0xFF5E:
		return foldRune(r - 0xFF01 + '!')
	case isSpace(r):
		return ' '
	}
	return unicode.ToLower(r)
}

// numerals are the Chinese digits.
var numerals = map[rune]int{
	'〇': 0, '零': 0, '一': 1, '二': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9, '十': 10,
	'壱': 1, '弐': 2, '参': 3, '两': 2, '兩': 2,
}

// number reads a whole number at the start of text, in digits or in Chinese
// numerals below 100. It returns its value and length; length 0 for none.
func number(text string) (value, length int) {
	if value, length = digits(text); length > 0 {
		return value, length
	}
	tens := false
	for i, r := range text {
		d, ok := numerals[r]
		if !ok {
			break
		}
		switch {
		case d == 10 && tens:
			return 0, 0
		case d == 10:
			value, tens = max(value, 1)*10, true
		case value%10 != 0 || value > 90:
			return 0, 0
		default:
			value += d
		}
		length = i + utf8.RuneLen(r)
	}
	return value, length
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// decimal reads digits with an optional fraction behind a point or comma:
// "6", "6.50", ".5".
func decimal(text string) (value float64, length int) {
	for length < len(text) && isDigit(text[length]) {
		length++
	}
	if m := length + 1; m < len(text) && (text[length] == '.' || text[length] == ',') && isDigit(text[m]) {
		for m < len(text) && isDigit(text[m]) {
			m++
		}
		value, err := strconv.ParseFloat(text[:length]+"."+text[length+1:m], 64)
		if err != nil {
			return 0, 0
		}
		return value, m
	}
	if length == 0 || length > 9 {
		return 0, 0
	}
	whole, _ := strconv.Atoi(text[:length])
	return float64(whole), length
}

// over reads "/4" at the start of text.
func over(text string) (bottom, length int) {
	if len(text) < 2 || text[0] != '/' {
		return 0, 0
	}
	bottom, n := number(text[1:])
	if bottom == 0 {
		return 0, 0
	}
	return bottom, n + 1
}

// marks are the fractions that are one character.
var marks = []struct {
	mark  string
	value float64
}{{"½", 0.5}, {"半", 0.5}, {"반", 0.5}, {"¼", 0.25}, {"¾", 0.75}, {"⅓", 1.0 / 3}, {"⅔", 2.0 / 3}}

func mark(text string) (value float64, length int) {
	for _, m := range marks {
		if strings.HasPrefix(text, m.mark) {
			return m.value, len(m.mark)
		}
	}
	return 0, 0
}

// amount reads a number with its fraction at the start of text: "6.5", ".5",
// "5 1/2", "1又3/4", "7½", "1半", "六". Length 0 means that there is none.
func amount(text string) (value float64, length int) {
	value, n := decimal(text)
	if n == 0 {
		var whole int
		whole, n = number(text)
		value = float64(whole)
	}
	if part, m := mark(text[n:]); m > 0 {
		return value + part, n + m
	}
	if n == 0 {
		return 0, 0
	}
	if bottom, m := over(text[n:]); m > 0 {
		return value / float64(bottom), n + m
	}
	rest := strings.TrimPrefix(strings.TrimLeft(text[n:], " "), "又")
	if len(rest) < len(text)-n {
		top, k := number(rest)
		if bottom, m := over(rest[k:]); k > 0 && m > 0 {
			return value + float64(top)/float64(bottom), len(text) - len(rest) + k + m
		}
	}
	return value, n
}

// units are the words behind an amount, longer ones first; stones are the
// count of Chinese rules, where one stone is two points.
var units = []struct {
	word   string
	points float64
}{
	{"points", 1}, {"point", 1}, {"pts", 1}, {"pt", 1}, {"moku", 1}, {"stones", 2}, {"stone", 2},
	{"目", 1}, {"點", 1}, {"点", 1}, {"집", 1}, {"호", 1}, {"子", 2}, {"자", 2},
}

// points reads an amount with its unit: "6目半", "3.75子", "4 points". The
// value is in points, and stones tells that it was given in stones.
func points(text string) (value float64, stones bool, length int) {
	value, n := amount(text)
	if n == 0 {
		return 0, false, 0
	}
	rest := strings.TrimLeft(text[n:], " ")
	for _, u := range units {
		if !strings.HasPrefix(rest, u.word) {
			continue
		}
		n = len(text) - len(rest) + len(u.word)
		if part, m := mark(text[n:]); m > 0 && value == float64(int(value)) {
			value, n = value+part, n+m
		}
		return value * u.points, u.points == 2, n
	}
	return value, false, n
}
