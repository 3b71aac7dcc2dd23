package answerview

import (
	"slices"
	"unicode/utf16"

	"qipu/index"
	"qipu/library/ask"
	"qipu/query"
	"qipu/query/bind"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

// BoundDiagram returns a diagram on a kind of board, of which is known what it means.
func BoundDiagram(k *index.Kind, d *query.Diagram, bound query.Q) *view.Diagram {
	switch bound := bound.(type) {
	case *query.Shape:
		return DiagramOf(ask.FrameOf(k, *d, bound), d)
	case *query.Fuzzy:
		w := DiagramOf(ask.FrameOf(k, *d, &bound.Shape), d)
		w.Min = bound.Min
		return w
	}
	return nil
}

// PreparedDiagram returns a diagram of a question as it is on the first kind of its boards;
// nil where it is none there.
func PreparedDiagram(p *ask.Prepared, d *query.Diagram) *view.Diagram {
	i := slices.IndexFunc(p.Diagrams, func(x ask.Diagram) bool { return x.Written.At == d.At })
	if i < 0 {
		return nil
	}
	return BoundDiagram(p.Parts[0].Kind, d, p.Diagrams[i].Bound)
}

// ConditionOf returns a part of a query.
func ConditionOf(q query.Q) view.Condition {
	c := view.Condition{Text: q.String(), Any: []view.Condition{}}
	switch q := q.(type) {
	case query.Not:
		c = ConditionOf(q.Q)
		c.Negated, c.Text = !c.Negated, query.Not{Q: q.Q}.String()
	case query.Or:
		for _, part := range q {
			c.Any = append(c.Any, ConditionOf(part))
		}
	case query.Field:
		c.Field, c.Op, c.Value = q.Name, q.Op.String(), q.Value
	case query.Named:
		c.Field, c.Op, c.Value = "named", query.Is.String(), q.Name
		if q.Side != "" {
			c.Field += "." + q.Side
		}
	case query.Diagram:
		c.Field, c.Op, c.Value = q.Word, query.Is.String(), q.Text
	}
	return c
}

// MistakeOf returns what is wrong with a query, with its place as browsers count.
func MistakeOf(e *query.Error, text string) *view.Mistake {
	at := max(0, min(e.At, len(text)))
	end := max(at, min(at+e.Length, len(text)))
	return &view.Mistake{Message: e.Message, Hint: e.Hint, At: Units(text[:at]), Length: Units(text[at:end])}
}

// Units returns the length of a text in UTF-16.
func Units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Offset returns how many bytes of a text so many units of UTF-16 are.
func Offset(text string, n int) int {
	for i, r := range text {
		if n <= 0 {
			return i
		}
		n -= utf16.RuneLen(r)
	}
	return len(text)
}

// ExplanationOf returns how a query would be answered.
func ExplanationOf(x *ask.Explanation) *view.Explanation {
	w := &view.Explanation{Query: x.Query.String(), Hints: append([]string{}, x.Hints...), Parts: []view.ExplainedPart{}}
	for i := range x.Parts {
		w.Parts = append(w.Parts, ExplainedOf(&x.Parts[i]))
	}
	return w
}

// SavedOf returns a saved query, with the board of it where it has one.
func SavedOf(kinds *index.Kinds, q *store.Saved) view.Saved {
	w := view.Saved{
		Name: q.Name, Described: q.Described, Query: q.Query, Game: q.Kind, Note: q.Note, Games: q.Found, Hits: q.Hits, Used: q.Used,
	}
	k, err := kinds.Find(q.Kind)
	if err != nil {
		return w
	}
	w.Game = gameview.SpecOf(k)
	if tree, err := query.Parse(q.Query); err == nil {
		if d := firstDiagram(tree); d != nil {
			binder := bind.Binder{Rules: k.Rules}
			if bound, err := binder.Bind(*d); err == nil { // else a list is of use without
				w.Board = BoundDiagram(k, d, bound)
			}
		}
	}
	return w
}

// firstDiagram returns the first board among the conditions that a query makes;
// nil where there is none.
func firstDiagram(q query.Q) *query.Diagram {
	switch q := q.(type) {
	case query.Diagram:
		return &q
	case query.And:
		for _, part := range q {
			if d, ok := part.(query.Diagram); ok {
				return &d
			}
		}
	}
	return nil
}
