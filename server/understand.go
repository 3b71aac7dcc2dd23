package server

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf16"

	"qipu/view/answerview"

	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/gameview"
)

// understand tells how a query is read. A query that is wrong is no mistake of
// the request: it is still being written.
func (s *Server) understand(ctx context.Context, in *Asking) (*view.Understood, error) {
	w := &view.Understood{Conditions: []view.Condition{}, Hints: []string{}}
	if err := s.meant(ctx, in.Game); err != nil {
		return nil, err
	}
	q := in.question()
	p, err := s.lib.Search().Prepare(ctx, q)
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		w.Problem = mistake(wrong, in.Query)
		return w, nil
	}
	if err != nil {
		return nil, err
	}
	tree := p.Query
	w.Text = tree.String()
	if len(p.Parts) == 1 {
		w.Game = gameview.SpecOf(p.Parts[0].Kind)
	}
	list, ok := tree.(query.And)
	if !ok {
		list = query.And{tree}
	}
	for _, part := range list {
		if d, ok := part.(query.Diagram); ok && w.Board == nil {
			if w.Board = prepared(p, &d); w.Board != nil {
				continue
			}
		}
		if part == query.Q(query.Const(true)) {
			continue
		}
		w.Conditions = append(w.Conditions, condition(part))
	}
	return w, nil
}

// prepared returns a diagram of a question as it is on the first kind of its boards;
// nil where it is none there.
func prepared(p *ask.Prepared, d *query.Diagram) *view.Diagram {
	i := slices.IndexFunc(p.Diagrams, func(x ask.Diagram) bool { return x.Written.At == d.At })
	if i < 0 {
		return nil
	}
	return drawn(p.Parts[0].Kind, d, p.Diagrams[i].Bound)
}

// drawn returns a diagram on a kind of board, of which is known what it means.
func drawn(k *index.Kind, d *query.Diagram, bound query.Q) *view.Diagram {
	switch bound := bound.(type) {
	case *query.Shape:
		return answerview.DiagramOf(ask.FrameOf(k, *d, bound), d)
	case *query.Fuzzy:
		w := answerview.DiagramOf(ask.FrameOf(k, *d, &bound.Shape), d)
		w.Min = bound.Min
		return w
	}
	return nil
}

// condition returns a part of a query.
func condition(q query.Q) view.Condition {
	c := view.Condition{Text: q.String(), Any: []view.Condition{}}
	switch q := q.(type) {
	case query.Not:
		c = condition(q.Q)
		c.Negated, c.Text = !c.Negated, query.Not{Q: q.Q}.String()
	case query.Or:
		for _, part := range q {
			c.Any = append(c.Any, condition(part))
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

// mistake returns what is wrong with a query, with its place as browsers count.
func mistake(e *query.Error, text string) *view.Mistake {
	at := max(0, min(e.At, len(text)))
	end := max(at, min(at+e.Length, len(text)))
	return &view.Mistake{Message: e.Message, Hint: e.Hint, At: units(text[:at]), Length: units(text[at:end])}
}

// units returns the length of a text in UTF-16.
func units(text string) (n int) {
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// offset returns how many bytes of a text so many units of UTF-16 are.
func offset(text string, n int) int {
	for i, r := range text {
		if n <= 0 {
			return i
		}
		n -= utf16.RuneLen(r)
	}
	return len(text)
}

// discreet knows no names of files: they are paths of the server.
type discreet struct{ query.Completer }

// Names returns names of a field.
func (d discreet) Names(field, prefix string, limit int) []string {
	if help, ok := query.FieldOf(field); ok && help.Name == "file" {
		return nil
	}
	return d.Completer.Names(field, prefix, limit)
}

type completeInput struct {
	Query string `query:"q" maxLength:"65536" doc:"What is written so far"`
	At    int    `query:"at" minimum:"0" maximum:"65536" doc:"Where the cursor is, in UTF-16 units, as browsers count"`
}

func (s *Server) complete(ctx context.Context, in *completeInput) (*view.Completions, error) {
	w := &view.Completions{Items: []view.Completion{}}
	names := s.lib.Search().Completer(ctx)
	if s.options.Exposed {
		names = discreet{names}
	}
	for _, x := range query.Complete(in.Query, offset(in.Query, in.At), names) {
		w.Items = append(w.Items, view.Completion{
			Text: x.Text, From: units(in.Query[:x.From]), To: units(in.Query[:x.To]), Note: x.Help, Label: x.Label,
		})
	}
	return w, nil
}

func (s *Server) reference(context.Context, *struct{}) (*view.Reference, error) {
	w := &view.Reference{Fields: []view.Field{}, Sorts: retrieve.Orders(), Groups: retrieve.Dimensions(), Anchors: []string{}}
	for a := pattern.Floating; a <= pattern.Centre; a++ {
		w.Anchors = append(w.Anchors, a.String())
	}
	for _, f := range query.Reference() {
		w.Fields = append(w.Fields, answerview.FieldOf(&f))
	}
	return w, nil
}

type gameInput struct {
	Game string `query:"game" required:"true" maxLength:"100" doc:"The kind of game, as a spec"`
}

// weights lists a piece of both sides once: a letter weighs both.
func (s *Server) weights(ctx context.Context, in *gameInput) (*view.Weights, error) {
	k, err := s.kinds.Find(in.Game)
	if err != nil {
		return nil, err
	}
	g := k.Rules.Geometry()
	x := pattern.DefaultWeights(g)
	w := &view.Weights{Pieces: []view.PieceWeight{}, Min: pattern.DefaultMin, Empty: x.Empty, Line: x.Line, Moved: x.Moved, Relation: x.Relation}
	for i := range g.Pieces {
		look := &g.Pieces[i]
		other := int(look.Swap) - 1
		if other >= 0 && other < i {
			continue
		}
		letters := look.Letters[:1]
		if other >= 0 && !strings.Contains(letters, g.Pieces[other].Letters[:1]) {
			letters += g.Pieces[other].Letters[:1]
		}
		w.Pieces = append(w.Pieces, view.PieceWeight{Letters: letters, Weight: x.Piece[i]})
	}
	return w, nil
}
