package term

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/text"
)

// words tells how texts of a game are written. All words are folded.
type words struct {
	same  map[rune]rune   // what a character counts as
	class map[rune][]rune // all that count as one, for those that do

	link, against, first, second []string

	piece, verb, mark map[rune]bool
}

const numerals = "一二三四五六七八九"

// digit returns the number that a folded character is, 0 where it is none.
func digit(r rune) int {
	if r >= '1' && r <= '9' {
		return int(r - '0')
	}
	if r < 0x4E00 {
		return 0
	}
	if i := strings.IndexRune(numerals, r); i >= 0 {
		return i/utf8.RuneLen(r) + 1
	}
	return 0
}

// numeral returns the Han character of 1 to 9.
func numeral(n int) rune {
	r, _ := utf8.DecodeRuneInString(numerals[(n-1)*3:])
	return r
}

// setSame makes the characters of a group count as its first.
func (w *words) setSame(group string) {
	if w.same == nil {
		w.same, w.class = map[rune]rune{}, map[rune][]rune{}
	}
	folded := []rune(text.Fold(group))
	for _, r := range folded {
		w.same[r] = folded[0]
		w.class[r] = folded
	}
}

// reduce returns what a character that text.Fold has folded counts as.
func (w *words) reduce(r rune) rune {
	if to, ok := w.same[r]; ok {
		return to
	}
	if n := digit(r); n > 0 {
		return numeral(n)
	}
	return r
}

// key returns the form of a name under which it is found.
func (w *words) key(name string) string {
	return strings.Map(w.reduce, text.Fold(name))
}

// variants returns a folded form in all writings that text.Fold does not make
// one: with the other characters of its classes, and with digits for numerals.
// Those of one class, and all numerals, change together, since writers do not mix
// them.
func (w *words) variants(form string) []string {
	list := []string{form}
	also := func(change func(rune) rune) {
		for _, s := range list {
			if s = strings.Map(change, s); !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	also(func(r rune) rune {
		if n := digit(r); n > 0 {
			return rune('0' + n)
		}
		return r
	})
	for _, r := range form {
		class := w.class[r]
		for _, to := range class {
			also(func(c rune) rune {
				if slices.Contains(class, c) {
					return to
				}
				return c
			})
		}
	}
	return list
}

// maxExpanded is how many texts one form may stand for.
const maxExpanded = 64

// expand writes out the classes of a form: [左右]?炮 is 炮, 左炮 and 右炮, and
// #路 is 一路 to 九路.
func expand(form string) ([]string, error) {
	list := []string{""}
	rest := form
	for rest != "" {
		var options []string
		r, n := utf8.DecodeRuneInString(rest)
		switch r {
		case '[':
			end := strings.IndexByte(rest, ']')
			if end < 2 {
				return nil, fmt.Errorf("the form %s has a [ without characters or without ]", form)
			}
			options = strings.Split(rest[1:end], "")
			rest = rest[end+1:]
			if strings.HasPrefix(rest, "?") {
				options = append(options, "")
				rest = rest[1:]
			}
		case ']', '?':
			return nil, fmt.Errorf("the form %s has a %c without [", form, r)
		case '#':
			options = strings.Split(numerals, "")
			rest = rest[n:]
		default:
			options = []string{rest[:n]}
			rest = rest[n:]
		}
		next := make([]string, 0, len(list)*len(options))
		for _, head := range list {
			for _, o := range options {
				next = append(next, head+o)
			}
		}
		if list = next; len(list) > maxExpanded {
			return nil, fmt.Errorf("the form %s stands for more than %d texts", form, maxExpanded)
		}
	}
	return list, nil
}

// trie finds the terms that begin at a character.
type trie struct {
	next  map[edge]int32
	terms []int32 // of a node: the term that ends there, -1 for none, less for words
}

type edge struct {
	node int32
	r    rune
}

// add puts a key in place: a term, unless one is there, or the number of a
// word, which is negative, and which a term of the same writing replaces.
func (t *trie) add(key string, term int32) {
	if t.next == nil {
		t.next, t.terms = map[edge]int32{}, []int32{-1}
	}
	at := int32(0)
	for _, r := range key {
		to, ok := t.next[edge{at, r}]
		if !ok {
			to = int32(len(t.terms))
			t.terms = append(t.terms, -1)
			t.next[edge{at, r}] = to
		}
		at = to
	}
	if t.terms[at] < 0 {
		t.terms[at] = term
	}
}

// cell is a character of a text as it is compared, and where it begins there.
type cell struct {
	r     rune // 0 for blanks and punctuation
	start int
}

// cells folds a text character by character. What stands in brackets and only
// repeats the character before it for the other side, as 兵(卒) and 3(7), is part
// of that character.
func (w *words) cells(s string) []cell {
	list := make([]cell, 0, len(s)/2+1)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if (r == '(' || r == '（') && len(list) > 0 {
			if n := w.aside(s[i:], list[len(list)-1].r); n > 0 {
				i += n
				continue
			}
		}
		list = append(list, cell{w.foldRune(s[i:i+n], r), i})
		i += n
		i += spaced(s, list[len(list)-1].start, i)
	}
	return list
}

// spaced returns the length of the blanks behind the character from start to end
// if they only spread out a word, as in 順 手 炮: there are blanks on both sides of
// this character and of the next.
func spaced(s string, start, end int) int {
	if this, _ := utf8.DecodeRuneInString(s[start:]); !unicode.Is(unicode.Han, this) {
		return 0
	}
	if before, _ := utf8.DecodeLastRuneInString(s[:start]); start > 0 && !unicode.IsSpace(before) {
		return 0
	}
	rest := strings.TrimLeftFunc(s[end:], unicode.IsSpace)
	blanks := len(s) - end - len(rest)
	if blanks == 0 || rest == "" {
		return 0
	}
	next, n := utf8.DecodeRuneInString(rest)
	behind, _ := utf8.DecodeRuneInString(rest[n:])
	if !unicode.Is(unicode.Han, next) || len(rest) > n && !unicode.IsSpace(behind) {
		return 0
	}
	return blanks
}

// foldRune returns what a character counts as, 0 for blanks and punctuation.
func (w *words) foldRune(s string, r rune) rune {
	if r == utf8.RuneError {
		return 0
	}
	f := text.Fold(s)
	if f == "" {
		return 0
	}
	if folded, n := utf8.DecodeRuneInString(f); n == len(f) {
		r = folded
	}
	return w.reduce(r)
}

// aside returns the length of a bracket that repeats the character before it,
// 0 where it does not.
func (w *words) aside(s string, before rune) int {
	number := digit(before) > 0
	if !number && !w.piece[before] {
		return 0
	}
	inside := 0
	for i, r := range s {
		switch {
		case i == 0:
		case r == ')' || r == '）':
			if inside == 0 {
				return 0
			}
			return i + utf8.RuneLen(r)
		default:
			f := w.foldRune(string(r), r)
			if inside++; inside > 2 || number != (digit(f) > 0) || !number && !w.piece[f] {
				return 0
			}
		}
	}
	return 0
}
