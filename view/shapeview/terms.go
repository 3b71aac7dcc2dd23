package shapeview

import (
	"cmp"
	"strings"

	"qipu/library/ask"
	"qipu/query"
	"qipu/text"
	"qipu/text/term"
	"qipu/view"
)

// TermsOf returns the terms whose names have words, which are folded, as clients get
// them.
func TermsOf(found *ask.Terms, words string) []view.Term {
	list := []view.Term{}
	for _, t := range found.Known {
		n := t.Names
		called := append([]string{t.ID, n.En, n.Hant, n.Hans, n.Ja, n.Ko}, t.Aliases...)
		if !strings.Contains(text.Fold(strings.Join(called, "\n")), words) {
			continue
		}
		w := view.Term{
			ID: t.ID, Kind: string(t.Kind), Names: n, Aliases: append([]string{}, t.Aliases...), Note: t.Note, Games: t.Games,
			Query: query.Field{Name: "term", Value: cmp.Or(n.Hant, t.ID)}.String(),
		}
		if len(t.Patterns) > 0 {
			w.Name = t.Patterns[0]
		}
		list = append(list, w)
	}
	return list
}

// UnknownOf returns the most frequent unknown terms as clients get them.
func UnknownOf(found *ask.Terms, most int) []view.UnknownTerm {
	list := []view.UnknownTerm{}
	for _, c := range found.Unknown[:min(len(found.Unknown), most)] {
		w := view.UnknownTerm{Text: c.Text, Count: c.Count, Games: c.Games}
		if len(c.Examples) > 0 {
			w.Example = c.Examples[0]
		}
		list = append(list, w)
	}
	return list
}

// SplitOf takes a title apart.
func SplitOf(dict *term.Dict, title string) *view.SplitTerms {
	w := &view.SplitTerms{Title: dict.Title(title), Pieces: []view.TermPart{}}
	if w.Title == "" {
		w.Title = title
	}
	for _, p := range dict.Split(w.Title) {
		part := view.TermPart{Text: p.Text, Side: -1}
		if p.Term != nil {
			part.Term = p.Term.ID
		}
		switch p.Side {
		case term.First:
			part.Side = 0
		case term.Second:
			part.Side = 1
		}
		w.Pieces = append(w.Pieces, part)
	}
	return w
}
