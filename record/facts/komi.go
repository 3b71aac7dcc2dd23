package facts

import (
	"strconv"
	"strings"
)

// Komi is the compensation for moving second, in half points.
type Komi struct {
	Half  int
	Known bool
}

// String returns the komi as SGF has it: "6.5", "-5", or "" where unknown. From
// 20 on it has a fraction always ("53.0"), because whole numbers of that size
// are not taken at their face; see ParseKomi.
func (k Komi) String() string {
	if !k.Known {
		return ""
	}
	if k.Half >= 40 {
		return strconv.FormatFloat(float64(k.Half)/2, 'f', 1, 64)
	}
	return strconv.FormatFloat(float64(k.Half)/2, 'f', -1, 64)
}

// The bounds of what a komi can be. Players do agree on a negative komi
// instead of a handicap, down to the size of a game.
const (
	minKomi = -361
	maxKomi = 361
)

// ParseKomi reads a komi of Go: "6.5", "5 1/2", "6目半", "7½". Numbers that
// cannot be meant as they stand are understood where there is one way to, and
// unknown otherwise:
//
//	750, 650      hundredths of points, as the Fox server writes them
//	375, 3.75     3.75 stones of a Chinese count, which are 7.5 points
//	3 3/4子       the same, and said so
//	20 ... 99     unknown unless written with a fraction ("53.50"): tenths
//	              (65), or a slip of the pen (90, 40)
//
// A text without a number is unknown, but for the words for none. ParseKomi
// knows nothing of the game: see ParseKomiFox.
func ParseKomi(text string) Komi {
	s := fold(text)
	switch s {
	case "":
		return Komi{}
	case "none", "no", "no komi", "なし", "無", "无", "없음", "無し":
		return Komi{0, true}
	}
	value, stones, plain, ok := komiAmount(s)
	if !ok {
		return Komi{}
	}
	quarter := 4 * value
	switch {
	case stones:
	case plain && value >= 20 && value < 100:
		return Komi{}
	case plain && value >= 100:
		if value > 1000 {
			return Komi{}
		}
		value /= 100
		if quarter = 4 * value; quarter != float64(int(quarter)) {
			return Komi{}
		}
		if int(quarter)%2 != 0 {
			value *= 2
		}
	case quarter == float64(int(quarter)) && int(quarter)%2 != 0 && value > 1 && value < 5:
		value *= 2
	}
	half := value * 2
	if half != float64(int(half)) || value < minKomi || value > maxKomi {
		return Komi{}
	}
	return Komi{int(half), true}
}

// komiWords may stand around the amount without changing what it says.
var komiWords = []string{"komi", "コミ", "黒", "黑", "흑", "贴", "貼", "出し", "공제", "덤", "출", "还", "還", "black", "gives", "dum", ":", "=", "(", ")", " "}

// komiAmount finds the one amount in a text. Plain tells that it is a bare
// whole number.
func komiAmount(s string) (value float64, stones, plain, ok bool) {
	trim := func() {
		for again := true; again; {
			again = false
			for _, w := range komiWords {
				if strings.HasPrefix(s, w) {
					s, again = s[len(w):], true
				}
			}
		}
	}
	trim()
	sign := 1.0
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	value, stones, n := points(s)
	if n == 0 {
		return 0, false, false, false
	}
	whole := true
	for i := 0; i < n; i++ {
		whole = whole && isDigit(s[i])
	}
	s = s[n:]
	trim()
	return sign * value, stones, whole && sign > 0, s == ""
}

// ParseKomiFox reads the komi of a record of the Fox server, which a reader
// knows by its place or program ("foxwq"). The server writes hundredths, and
// it writes 0 in even games whose komi was not 0: there it is unknown.
func ParseKomiFox(text string, handicap int) Komi {
	k := ParseKomi(text)
	if k.Half == 0 && handicap < 2 {
		return Komi{}
	}
	return k
}
