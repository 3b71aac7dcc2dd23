package text

import (
	"unicode/utf8"
)

// Version is that of the folded form. Folded texts of different versions must
// not be compared.
const Version = 1

// What a character becomes, where it is not another character. Numbers below
// expanded are places in the list of expansions.
const (
	toBlank   rune = 0
	toNothing rune = -1
	expanded  rune = -2
)

// ascii is the table for single bytes: the byte that one becomes, ' ' for a
// blank, 0 for nothing.
var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := range t {
		switch {
		case c >= 'A' && c <= 'Z':
			t[c] = byte(c) + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '#', c == '%', c == '&', c == '@', c == '$', c == '<', c == '=', c == '>':
			t[c] = byte(c)
		case c == '-', c == '\'', c == '`':
			t[c] = 0
		default:
			t[c] = ' '
		}
	}
	return t
}()

// Fold returns the form of a text under which it is compared and searched:
//
//   - letters in lower case and without diacritics, full-width and other
//     compatibility forms as plain ones;
//   - katakana as hiragana, Hangul composed;
//   - traditional, simplified and Japanese forms of a Han character, and common
//     variants, as one of them, 々 as the character before it;
//   - punctuation as blanks, runs of blanks as one, none at the ends and none
//     between two characters of Chinese, Japanese or Korean; hyphens,
//     apostrophes and middle dots as nothing.
//
// Bytes that are not UTF-8 are blanks. Fold(Fold(s)) is Fold(s). A text that is
// folded already and ASCII is returned as it is, without allocation.
func Fold(s string) string {
	if isFolded(s) {
		return s
	}
	var buf [256]byte
	return string(AppendFold(buf[:0], s))
}

// isFolded reports whether a text is ASCII and stays as it is.
func isFolded(s string) bool {
	last := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf || ascii[c] != c || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return len(s) == 0 || last != ' '
}

// AppendFold appends the folded form of s to dst, which it does not look at.
// ASCII is folded without allocation.
func AppendFold(dst []byte, s string) []byte {
	start := len(dst)
	blank := false // one is due before the next character
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			f := folding{dst: dst, start: start, blank: blank, table: loadTable()}
			if len(dst) > start {
				f.last = rune(dst[len(dst)-1])
			}
			return f.run(s[i:])
		}
		switch t := ascii[c]; t {
		case 0:
		case ' ':
			blank = len(dst) > start
		default:
			if blank {
				dst, blank = append(dst, ' '), false
			}
			dst = append(dst, t)
		}
	}
	return dst
}

// folding is the state behind the first character that is not ASCII.
type folding struct {
	dst   []byte
	start int  // where the text begins in dst
	blank bool // one is due before the next character
	last  rune // the last character in dst, 0 if there is none
	table *foldTable
}

func (f *folding) run(s string) []byte {
	for len(s) > 0 {
		if c := s[0]; c < utf8.RuneSelf {
			s = s[1:]
			switch t := ascii[c]; t {
			case 0:
			case ' ':
				f.blank = true
			default:
				f.emit(rune(t))
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch to := f.table.fold(r); {
		case to > 0:
			f.emit(to)
		case to == toBlank:
			f.blank = true
		case to <= expanded:
			for _, r := range f.table.expansions[expanded-to] {
				if r == toBlank {
					f.blank = true
				} else {
					f.emit(r)
				}
			}
		}
	}
	return f.dst
}

// emit writes a character that is in folded form, with the blank that is due
// before it, or joins it with the one before. Every pair of neighbours in the
// outcome has gone through here, which is why folding again changes nothing.
func (f *folding) emit(r rune) {
	if r < utf8.RuneSelf || !dense(r) {
		if f.blank && f.last != 0 {
			f.dst = append(f.dst, ' ')
		}
		f.blank = false
		f.dst = utf8.AppendRune(f.dst, r)
		f.last = r
		return
	}
	if r == 0x3099 || r == 0x309A { // a mark that has no kana to stand on is nothing
		if v := voiced(f.last, r == 0x3099); v != 0 {
			f.replace(v)
		}
		return
	}
	if f.blank && f.last != 0 && !dense(f.last) {
		f.dst = append(f.dst, ' ')
		f.last = ' '
	}
	f.blank = false
	switch {
	case r == '々' && isHan(f.last):
		r = f.last
	case hangul(r):
		if c := compose(f.last, r); c != 0 {
			f.replace(c)
			return
		}
	}
	f.dst = utf8.AppendRune(f.dst, r)
	f.last = r
}

// replace puts a character in the place of the last one.
func (f *folding) replace(r rune) {
	f.dst = utf8.AppendRune(f.dst[:len(f.dst)-utf8.RuneLen(f.last)], r)
	f.last = r
}

// dense reports whether a character is of a script that needs no blanks: Han,
// kana, Hangul. In Korean blanks part words, but no two writers put them in the
// same places.
func dense(r rune) bool {
	return r >= 0x2E80 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7FF || r >= 0x1100 && r <= 0x11FF ||
		r >= 0xA960 && r <= 0xA97F || r >= 0xF900 && r <= 0xFAFF || r >= 0x20000 && r <= 0x3FFFF
}

// isHan reports whether a folded character is Han.
func isHan(r rune) bool { return r >= 0x3400 && r <= 0x9FFF || r >= 0x20000 && r <= 0x3FFFF }

// voiced returns the kana with a mark, 0 where there is none.
func voiced(r rune, dakuten bool) rune {
	switch {
	case !dakuten:
		if r >= 'は' && r <= 'ほ' && (r-'は')%3 == 0 {
			return r + 2
		}
	case r >= 'か' && r <= 'ち' && (r-'か')%2 == 0, r >= 'つ' && r <= 'と' && (r-'つ')%2 == 0, r == 'ゝ':
		return r + 1
	case r >= 'は' && r <= 'ほ' && (r-'は')%3 == 0:
		return r + 1
	case r == 'う':
		return 'ゔ'
	}
	return 0
}

// The letters that Hangul syllables are computed from.
const (
	firstL, firstV, firstT, firstS = 0x1100, 0x1161, 0x11A7, 0xAC00
	countL, countV, countT         = 19, 21, 28
	countS                         = countL * countV * countT
)

func hangul(r rune) bool { return r >= firstV && r < firstT+countT }

// compose joins a vowel or final letter with what stands before it, 0 where
// they do not join.
func compose(a, b rune) rune {
	switch {
	case b < firstV+countV && a >= firstL && a < firstL+countL:
		return firstS + ((a-firstL)*countV+b-firstV)*countT
	case b > firstT && a >= firstS && a < firstS+countS && (a-firstS)%countT == 0:
		return a + b - firstT
	}
	return 0
}
