package main

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const unicodeVersion = norm.Version

// The targets that are no characters.
const (
	itself  = "."
	blank   = "_"
	nothing = "~"
)

// letters are those that Unicode does not take apart.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'ø': "o", 'đ': "d", 'ð': "d", 'ħ': "h", 'ı': "i", 'ĸ': "k", 'ł': "l", 'ŋ': "n", 'œ': "oe", 'ŧ': "t",
	'þ': "th", 'ƀ': "b", 'ɨ': "i", 'ɵ': "o", 'ʉ': "u", 'ə': "e", 'ƒ': "f", 'ȷ': "j", 'ſ': "s", 'ʻ': "", 'ʼ': "", 'ʾ': "", 'ʿ': "", 'ʹ': "", 'ʺ': "",
}

// folder computes what a character becomes.
type folder struct {
	han  *classes
	fold cases.Caser
}

// foldTable returns the table: for every character that does not stay itself
// what it becomes. ASCII is included.
func foldTable(head string, han *classes) []byte {
	f := &folder{han: han, fold: cases.Fold()}
	out := bytes.NewBufferString(head)
	member := map[rune]bool{}
	for _, class := range han.members() {
		fmt.Fprintf(out, "=\t%s\n", string(class))
		for _, r := range class {
			member[r] = true
		}
	}
	var run []string
	var start rune
	flush := func() {
		for len(run) > 0 && run[len(run)-1] == itself {
			run = run[:len(run)-1]
		}
		if len(run) > 0 {
			writeRun(out, start, run)
		}
		run = nil
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		to := itself
		if !member[r] && utf8.ValidRune(r) {
			to = f.target(r)
		}
		if to == itself {
			if run = append(run, to); len(run) < 4 || !gap(run) {
				continue
			}
			flush()
			continue
		}
		if len(run) == 0 || allItself(run) {
			run, start = nil, r
		}
		run = append(run, to)
	}
	flush()
	return out.Bytes()
}

// gap reports whether a run ends with four characters that stay themselves,
// which is when a new line is shorter.
func gap(run []string) bool {
	for _, s := range run[len(run)-4:] {
		if s != itself {
			return false
		}
	}
	return true
}

func allItself(run []string) bool {
	for _, s := range run {
		if s != itself {
			return false
		}
	}
	return true
}

// writeRun writes a run of targets, long stretches of one target on lines of
// their own.
func writeRun(out *bytes.Buffer, start rune, run []string) {
	open := false
	for i := 0; i < len(run); {
		n := 1
		for i+n < len(run) && run[i+n] == run[i] {
			n++
		}
		if n >= 10 {
			if open {
				out.WriteByte('\n')
			}
			if run[i] != itself {
				fmt.Fprintf(out, "%X*%d\t%s\n", int(start)+i, n, run[i])
			}
			open = false
			i += n
			continue
		}
		if !open {
			fmt.Fprintf(out, "%X\t", int(start)+i)
			open = true
		}
		for ; n > 0; n-- {
			out.WriteString(run[i])
			i++
		}
	}
	if open {
		out.WriteByte('\n')
	}
}

// target returns what one character becomes.
func (f *folder) target(r rune) string {
	switch {
	case r >= 0xAC00 && r <= 0xD7A3, r >= 0x1100 && r <= 0x11FF: // Hangul: composed when it is folded
		return itself
	case r >= 0x3131 && r <= 0x318E:
		return itself
	case unicode.Is(unicode.Cherokee, r): // its two cases fold into each other
		return itself
	case r >= 0xFFA0 && r <= 0xFFDC: // half-width Hangul letters: as full ones
		if s := norm.NFKD.String(string(r)); s != string(r) {
			return f.compatJamo(r)
		}
		return itself
	case r == 0x3099 || r == 0x309B || r == 0xFF9E: // voiced: joined when it is folded
		return same(r, 0x3099)
	case r == 0x309A || r == 0x309C || r == 0xFF9F:
		return same(r, 0x309A)
	}
	if classOf(r) == nothing {
		return nothing
	}
	var b strings.Builder
	spaced := false
	for _, c := range f.expand(string(r)) {
		switch class := classOf(c); {
		case class == nothing:
		case class == blank:
			spaced = true
			b.WriteByte('_')
		default:
			b.WriteRune(f.han.find(hiragana(c)))
		}
	}
	s := b.String()
	switch {
	case s == "":
		return nothing
	case strings.Trim(s, "_") == "":
		return blank
	case s == string(r):
		return itself
	case utf8.RuneCountInString(s) == 1 && !spaced && !strings.ContainsAny(s, "._~()"):
		return s
	}
	return "(" + s + ")"
}

// expand takes a character apart, folds case and takes apart again until
// nothing changes.
func (f *folder) expand(s string) string {
	for {
		next := norm.NFKD.String(f.fold.String(norm.NFKD.String(s)))
		var b strings.Builder
		for _, r := range next {
			if to, ok := letters[r]; ok {
				b.WriteString(to)
			} else {
				b.WriteRune(r)
			}
		}
		if next = b.String(); next == s {
			return norm.NFC.String(kanaOnly(next))
		}
		s = next
	}
}

// kanaOnly removes the marks of letters, so that composing joins nothing but
// kana, Hangul and scripts whose marks are letters.
func kanaOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if classOf(r) == nothing {
			return -1
		}
		return r
	}, s)
}

func same(r, to rune) string {
	if r == to {
		return itself
	}
	return string(to)
}

// compatJamo returns the letter of the block of Hangul letters for a
// half-width one: the blocks have the same order.
func (f *folder) compatJamo(r rune) string {
	for c := rune(0x3131); c <= 0x3163; c++ {
		if norm.NFKD.String(string(c)) == norm.NFKD.String(string(r)) {
			return string(c)
		}
	}
	return nothing
}

// hiragana returns the hiragana of a katakana.
func hiragana(r rune) rune {
	if r >= 0x30A1 && r <= 0x30F6 || r == 0x30FD || r == 0x30FE {
		return r - 0x60
	}
	return r
}

// classOf returns whether a character is a blank in a folded text, nothing, or
// itself.
func classOf(r rune) string {
	switch {
	case strings.ContainsRune("+#%&@$<=>\u3005\u3007\u30fc", r):
		return itself
	case strings.ContainsRune("-'`´’‘‛′ʹ\u2010\u2011\u00b7\u2022\u2027\u2219\u22c5\u30fb\u0387", r): // hyphens, apostrophes, middle dots
		return nothing
	case r == 0x2044 || r == 0x2215 || r == utf8.RuneError || strings.ContainsRune("|~^〜\u00a6\u00ac", r):
		return blank
	case r == 0x3099 || r == 0x309A:
		return itself
	case unicode.Is(unicode.Mn, r) && letterMark(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Sk, r), unicode.Is(unicode.Me, r):
		return nothing
	case unicode.IsSpace(r), unicode.Is(unicode.Z, r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.P, r):
		return blank
	}
	return itself
}

// letterMark reports whether a mark only adorns a letter: accents, points of
// Hebrew and Arabic, variation selectors. Marks of other scripts are vowels.
func letterMark(r rune) bool {
	return r < 0x0900 || r >= 0x1AB0 && r < 0x1B00 || r >= 0x1DC0 && r < 0x1E00 || r >= 0x20D0 && r < 0x2100 ||
		r >= 0x302A && r <= 0x302F || r >= 0xFE00 && r < 0xFE30 || r >= 0xE0000
}
