package relation

import "qipu/pattern/relation/syntax"

// casesOf returns the patterns whose parent is a pattern, in order.
func casesOf(b *syntax.Base, id string) (list []*syntax.Pattern) {
	for _, p := range b.Patterns {
		if p.Parent == id && id != "" {
			list = append(list, p)
		}
	}
	return list
}

// Patterns returns the patterns in their order. They belong to the set.
func (s *Set) Patterns() []*syntax.Pattern { return s.patterns }
