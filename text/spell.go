package text

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Nearest returns at most n of the candidates that a misspelled word may mean,
// the likeliest first: those with the fewest letters changed, left out, added
// or swapped with their neighbour, as long as these are no more than about a
// third of the word. Of equals, those that sound more alike come first, then
// those that come first. Texts are compared folded; a word that has no blank is
// also held against each word of a candidate.
//
// It costs about a microsecond a candidate of 20 letters and keeps n of them.
func Nearest(word string, candidates iter.Seq[string], n int) []string {
	best := nearest(word, candidates, n)
	list := make([]string, len(best))
	for i, e := range best {
		list[i] = e.text
	}
	return list
}

func nearest(word string, candidates iter.Seq[string], n int) []near {
	target := []rune(Fold(word))
	if len(target) == 0 || n <= 0 {
		return nil
	}
	s := speller{word: target, key: []rune(Reading(word)), split: !slices.Contains(target, ' ')}
	bound := bound(len(target))
	var best []near
	for c := range candidates {
		d := s.distance(Fold(c), bound)
		if d > bound {
			continue
		}
		e := near{c, d, s.measure([]rune(Reading(c)), s.key, len(s.key)+len(c))}
		at, _ := slices.BinarySearchFunc(best, e, func(a, e near) int {
			if a.sound <= e.sound && a.letters == e.letters {
				return -1 // of equals, those that come first
			}
			return cmp.Or(a.letters-e.letters, 1)
		})
		if at == n || slices.ContainsFunc(best, func(a near) bool { return a.text == c }) {
			continue
		}
		best = slices.Insert(best, at, e)
		if len(best) > n {
			best = best[:n]
		}
		if len(best) == n {
			bound = min(bound, best[n-1].letters)
		}
	}
	return best
}

// Suggest returns a question for an error message, "did you mean player?", that
// names the nearest candidate, or up to three that are equally near, or nothing
// where none is.
func Suggest(word string, candidates iter.Seq[string]) string {
	var names []string
	best := nearest(word, candidates, 3)
	for _, e := range best {
		if e.letters == best[0].letters {
			names = append(names, e.text)
		}
	}
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return fmt.Sprintf("did you mean %s?", names[0])
	default:
		return fmt.Sprintf("did you mean %s or %s?", strings.Join(names[:last], ", "), names[last])
	}
}

// near is a candidate and how far it is off, by letters and by sound.
type near struct {
	text           string
	letters, sound int
}

// bound is the greatest distance at which a word of so many letters may still
// be meant: a Han name of three characters with one wrong, not of one.
func bound(letters int) int { return min((letters+1)/3, letters-1) }

// speller compares with one word, in rows that are used again.
type speller struct {
	word, key []rune
	split     bool
	buf       []rune
	rows      [3][]int
}

// distance returns the distance of a folded candidate, or of its nearest word;
// more than bound where it is more than bound.
func (s *speller) distance(folded string, bound int) int {
	s.buf = appendRunes(s.buf[:0], folded)
	d := s.measure(s.buf, s.word, bound)
	if s.split && strings.IndexByte(folded, ' ') >= 0 {
		for part := range strings.SplitSeq(folded, " ") {
			s.buf = appendRunes(s.buf[:0], part)
			d = min(d, s.measure(s.buf, s.word, bound))
		}
	}
	return d
}

func appendRunes(dst []rune, s string) []rune {
	for _, r := range s {
		dst = append(dst, r)
	}
	return dst
}

// measure returns the number of changes, omissions, additions and swaps of
// neighbours that make b of a, no letter being touched twice; something above
// bound as soon as it must be above bound.
func (s *speller) measure(a, b []rune, bound int) int {
	if d := len(a) - len(b); d > bound || -d > bound {
		return bound + 1
	}
	for i := range s.rows {
		if cap(s.rows[i]) <= len(b) {
			s.rows[i] = make([]int, len(b)+1)
		}
		s.rows[i] = s.rows[i][:len(b)+1]
	}
	before, last, row := s.rows[0], s.rows[1], s.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := last[j-1]
			if a[i-1] != b[j-1] {
				d = min(d, last[j], row[j-1]) + 1
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d = min(d, before[j-2]+1)
				}
			}
			row[j] = d
			least = min(least, d)
		}
		if least > bound && i > 1 {
			return bound + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
