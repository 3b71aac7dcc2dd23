package study

import (
	"fmt"
	"strings"
)

// Ranks are texts of digits and small letters that do not end in 0, compared byte by
// byte: between two of them there is always another.
const rankDigits = "0123456789abcdefghijklmnopqrstuvwxyz"

func isRank(s string) bool {
	if s == "" || len(s) > 1000 || s[len(s)-1] == '0' {
		return false
	}
	for i := range len(s) {
		if strings.IndexByte(rankDigits, s[i]) < 0 {
			return false
		}
	}
	return true
}

// Between returns a rank between two; an empty one is below, or above, all others.
func Between(low, high string) string {
	digit := func(s string, i, none int) int {
		if i < len(s) {
			return strings.IndexByte(rankDigits, s[i])
		}
		return none
	}
	var out []byte
	bounded := high != ""
	for i := 0; ; i++ {
		l, h := digit(low, i, 0), len(rankDigits)
		if bounded {
			h = digit(high, i, 0)
		}
		if mid := (l + h) / 2; mid > l {
			return string(append(out, rankDigits[mid]))
		}
		out = append(out, rankDigits[l])
		bounded = bounded && h == l
	}
}

// rankOf is the rank of a node that was given none: those of the base come first, in the
// order of the record, and others behind them as they were added.
func rankOf(id ID, clock uint64) string {
	if id.Device == baseDevice {
		return fmt.Sprintf("h%015di", id.Seq)
	}
	return fmt.Sprintf("p%015di", clock)
}
