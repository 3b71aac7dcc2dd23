package search

import (
	"context"
	"errors"
	"strings"

	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// understand tells how a query is read. A query that is wrong is no mistake of
// the request: it is still being written.
func (s *room) understand(ctx context.Context, in *api.Asking) (*view.Understood, error) {
	w := &view.Understood{Conditions: []view.Condition{}, Hints: []string{}}
	if err := s.Meant(in.Game); err != nil {
		return nil, err
	}
	q := in.Question()
	p, err := s.Lib.Search().Prepare(ctx, q)
	if wrong, ok := errors.AsType[*query.Error](err); ok {
		w.Problem = answerview.MistakeOf(wrong, in.Query)
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
			if w.Board = answerview.PreparedDiagram(p, &d); w.Board != nil {
				continue
			}
		}
		if part == query.Q(query.Const(true)) {
			continue
		}
		w.Conditions = append(w.Conditions, answerview.ConditionOf(part))
	}
	return w, nil
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

func (s *room) complete(ctx context.Context, in *completeInput) (*view.Completions, error) {
	w := &view.Completions{Items: []view.Completion{}}
	names := s.Lib.Search().Completer(ctx)
	if !s.Owns(ctx) {
		names = discreet{names}
	}
	for _, x := range query.Complete(in.Query, answerview.Offset(in.Query, in.At), names) {
		w.Items = append(w.Items, view.Completion{
			Text: x.Text, From: answerview.Units(in.Query[:x.From]), To: answerview.Units(in.Query[:x.To]), Note: x.Help, Label: x.Label,
		})
	}
	return w, nil
}

func (s *room) reference(context.Context, *struct{}) (*view.Reference, error) {
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
func (s *room) weights(ctx context.Context, in *gameInput) (*view.Weights, error) {
	k, err := s.Kinds.Find(in.Game)
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
