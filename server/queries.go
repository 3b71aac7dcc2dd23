package server

import (
	"context"
	"errors"
	"net/http"

	"qipu/library/ask"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
	"qipu/text"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

func (s *Server) registerQueries() {
	get(s, fresh, "/queries", "list-queries", "query", "Saved queries, and those that searches noted", s.queries)
	get(s, fresh, "/queries/{name}", "get-query", "query", "A saved query", s.savedQuery)
	register(s, change, http.MethodPost, "/queries/note", "note-query", "query", "Note a query as one of the last searches", s.noteQuery)
	register(s, change, http.MethodPut, "/queries/{name}", "save-query", "query", "Save a query under a name", s.saveQuery)
	register(s, change, http.MethodPost, "/queries/{name}/rename", "rename-query", "query", "Rename a saved query, or give one that a search noted its first name", s.renameQuery)
	register(s, change, http.MethodDelete, "/queries/{name}", "drop-query", "query", "Forget a saved query", s.dropQuery)
}

type queriesInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200" doc:"Queries a page"`
	Cursor string `query:"cursor" maxLength:"40" doc:"Of the page: next of the answer before"`
}

func (s *Server) queries(ctx context.Context, in *queriesInput) (*view.SavedList, error) {
	list, err := s.lib.Notes().SavedQueries(ctx)
	if err != nil {
		return nil, err
	}
	list, next, err := pageOf(list, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	w := &view.SavedList{Queries: make([]view.Saved, len(list)), Next: next}
	for i := range list {
		w.Queries[i] = s.savedOf(&list[i])
	}
	return w, nil
}

func (s *Server) savedQuery(ctx context.Context, in *NamedInput) (*view.Saved, error) {
	q, err := s.lib.Search().SavedQuery(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	w := s.savedOf(&q)
	return &w, nil
}

// savedOf returns a saved query, with the board of it where it has one.
func (s *Server) savedOf(q *store.Saved) view.Saved {
	w := view.Saved{
		Name: q.Name, Described: q.Described, Query: q.Query, Game: q.Kind, Note: q.Note, Games: q.Found, Hits: q.Hits, Used: q.Used,
	}
	k, err := s.lib.Records().Kinds().Find(q.Kind)
	if err != nil {
		return w
	}
	w.Game = gameview.SpecOf(k)
	if tree, err := query.Parse(q.Query); err == nil {
		if d := firstDiagram(tree); d != nil {
			binder := query.Binder{Rules: k.Rules}
			if bound, err := binder.Bind(*d); err == nil { // else a list is of use without
				w.Board = answerview.BoundDiagram(k, d, bound)
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

// found asks a query for its games alone.
func (s *Server) found(ctx context.Context, in *view.SaveQuery) (*ask.Question, *ask.Reply, error) {
	if err := s.meant(ctx, in.Game); err != nil {
		return nil, nil, err
	}
	q := &ask.Question{Text: in.Query, Game: in.Game, Request: retrieve.Request{Limit: 1, NoContinuations: true}}
	r, err := s.ask(ctx, q)
	return q, r, inField(err, "body.query")
}

type noteInput struct{ Body view.SaveQuery }

// noteQuery notes a search. Where nothing can be noted, nobody misses it.
func (s *Server) noteQuery(ctx context.Context, in *noteInput) (*nothing, error) {
	_, r, err := s.found(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	err = s.lib.Search().Remember(ctx, r)
	if _, locked := errors.AsType[*store.LockedError](err); locked || errors.Is(err, store.ErrReadOnly) {
		err = nil
	}
	return nil, err
}

type saveInput struct {
	NamedInput
	Body view.SaveQuery
}

func (s *Server) saveQuery(ctx context.Context, in *saveInput) (*view.Saved, error) {
	name, err := queryName(in.Name)
	if err != nil {
		return nil, err
	}
	q, r, err := s.found(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	r.Whole(q)
	switch old, err := s.lib.Search().SavedQuery(ctx, name); {
	case errors.Is(err, store.ErrNoRow):
	case err != nil:
		return nil, err
	case old.Name != "" && old.Query != r.Query.String() && !in.Body.Replace:
		return nil, conflict("exists", "Choose another name, or replace the query.", "the name %q stands for %s", old.Name, old.Query)
	}
	if _, err = s.lib.Search().Save(ctx, name, in.Body.Note, r); err != nil {
		if errors.Is(err, ask.ErrNamedInside) {
			err = bad("cycle", "Give it another name.", "%v", err)
		}
		return nil, err
	}
	return s.savedQuery(ctx, &NamedInput{Name: name})
}

// queryName checks a name that a query is to have.
func queryName(name string) (string, error) {
	name, err := newName(name)
	if err == nil && text.Fold(name) == "" {
		err = bad("name", "Write one line with at least one letter.", "%q is no name for a query", name)
	}
	return name, err
}

func (s *Server) renameQuery(ctx context.Context, in *renameInput) (*nothing, error) {
	name, err := queryName(in.Body.Name)
	if err != nil {
		return nil, err
	}
	q, err := s.lib.Search().SavedQuery(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.RenameQuery(q.ID, name, text.Fold(name)) })
}

func (s *Server) dropQuery(ctx context.Context, in *NamedInput) (*nothing, error) {
	q, err := s.lib.Search().SavedQuery(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.DropQuery(q.ID) })
}
