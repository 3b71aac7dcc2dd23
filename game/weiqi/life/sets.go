package life

// Sets are disjoint sets of strings, by number. The root of a set, which names it, is
// the lowest of its numbers.
type Sets []int16

// Reset makes n sets of one string each.
func (s *Sets) Reset(n int) {
	*s = (*s)[:0]
	for i := range n {
		*s = append(*s, int16(i))
	}
}

// Root returns the root of the set of a string.
func (s Sets) Root(i int16) int16 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join makes one set of those of two strings.
func (s Sets) Join(a, b int16) {
	a, b = s.Root(a), s.Root(b)
	s[max(a, b)] = min(a, b)
}
