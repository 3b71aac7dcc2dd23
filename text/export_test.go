package text

import "unicode/utf8"

// ReadingMatch is SoundMatcher for one query and one name.
func ReadingMatch(query, name string) bool {
	s := SoundOf(name)
	return SoundMatcher(query)(&s)
}

// Distance returns the number of characters to change, leave out, add or swap
// with their neighbour to make one folded text of another.
func Distance(a, b string) int {
	var s speller
	x, y := []rune(Fold(a)), []rune(Fold(b))
	return s.measure(x, y, max(utf8.RuneCountInString(a), len(x))+len(y))
}
