package knowledge

import (
	"cmp"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern/kb"
	"qipu/text"
)

// ShapeOrders are the orders in which shapes may be listed: by their main terms, by
// urgency, by how often records have them, by how often they were played then, or
// by name.
var ShapeOrders = []string{"base", "urgency", "seen", "rate", "name"}

// Sorted returns the shapes of the base in one of the ShapeOrders; those that are
// equal in it as in the files.
func (s *Shapes) Sorted(order string) []*kb.Entry {
	list := make([]*kb.Entry, len(s.Base.Entries))
	for i := range list {
		list[i] = &s.Base.Entries[i]
	}
	term := map[string]int{} // terms stand in the order of their files, none at the end
	for i := range s.Base.Terms {
		term[s.Base.Terms[i].ID] = i - len(s.Base.Terms)
	}
	main := func(e *kb.Entry) int {
		if len(e.Terms) == 0 {
			return 0
		}
		return term[e.Terms[0]]
	}
	evidence := func(e *kb.Entry) (seen int, rate float64) {
		if v := s.evidence[e.ID]; v != nil {
			return v.Seen, v.Rate(e)
		}
		return -1, -1
	}
	slices.SortStableFunc(list, func(x, y *kb.Entry) int {
		seenX, rateX := evidence(x)
		seenY, rateY := evidence(y)
		switch order {
		case "urgency":
			return int(y.Urgency) - int(x.Urgency)
		case "seen":
			return seenY - seenX
		case "rate":
			return cmp.Compare(rateY, rateX)
		case "name":
			return cmp.Compare(s.Base.Title(x).En, s.Base.Title(y).En)
		}
		return main(x) - main(y)
	})
	return list
}

// Mentions tells whether a shape has all words, which are folded, in its id, its
// names, those of its terms, its source or its note.
func (s *Shapes) Mentions(e *kb.Entry, words []string) bool {
	if len(words) == 0 {
		return true
	}
	names := func(n board.Names) []string { return []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko} }
	list := slices.Concat([]string{e.ID, e.Note, e.Source}, e.Aliases, names(e.Names))
	for _, id := range e.Terms {
		if t := s.Base.Term(id); t != nil {
			list = slices.Concat(list, t.Aliases, names(t.Names))
		}
	}
	all := text.Fold(strings.Join(list, "\n"))
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(all, word) })
}
