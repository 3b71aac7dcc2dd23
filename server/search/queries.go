package search

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/server/api"
	"qipu/store"
	"qipu/text"
	"qipu/view"
	"qipu/view/answerview"
)

func (s *room) registerQueries() {
	api.Get(s.Service, api.Mine, "/queries", "list-queries", "query", "Saved queries, and those that searches noted: one's own, and for the owner those of the library", s.queries)
	api.Get(s.Service, api.Mine, "/queries/{name}", "get-query", "query", "A saved query", s.savedQuery)
	api.Register(s.Service, api.Noting, http.MethodPost, "/queries/note", "note-query", "query", "Note a query as one of the last searches", s.noteQuery)
	api.Register(s.Service, api.Noting, http.MethodPut, "/queries/{name}", "save-query", "query", "Save a query under a name", s.saveQuery)
	api.Register(s.Service, api.Noting, http.MethodPost, "/queries/{name}/rename", "rename-query", "query", "Rename a saved query, or give one that a search noted its first name", s.renameQuery)
	api.Register(s.Service, api.Noting, http.MethodDelete, "/queries/{name}", "drop-query", "query", "Forget a saved query", s.dropQuery)
}

type queriesInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" default:"200" doc:"Queries a page"`
	Cursor string `query:"cursor" maxLength:"40" doc:"Of the page: next of the answer before"`
}

func (s *room) queries(ctx context.Context, in *queriesInput) (*view.SavedList, error) {
	var list []store.Saved
	var err error
	if who := store.Who(ctx); who != "" {
		list, err = s.Lib.People().SavedQueries(ctx, who)
	}
	if err == nil && s.Owns(ctx) {
		var shared []store.Saved
		shared, err = s.Lib.Notes().SavedQueries(ctx)
		if store.Who(ctx) != "" { // what searches noted of others is not theirs
			shared = slices.DeleteFunc(shared, func(s store.Saved) bool { return s.Auto })
		}
		list = append(list, shared...)
	}
	if err != nil {
		return nil, err
	}
	list, next, err := api.Page(list, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	w := &view.SavedList{Queries: make([]view.Saved, len(list)), Next: next}
	for i := range list {
		w.Queries[i] = answerview.SavedOf(s.Lib.Records().Kinds(), &list[i])
	}
	return w, nil
}

func (s *room) savedQuery(ctx context.Context, in *api.NamedInput) (*view.Saved, error) {
	q, err := s.kept(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	w := answerview.SavedOf(s.Lib.Records().Kinds(), &q)
	return &w, nil
}

// kept returns the saved query that a name means: one's own, or for the owner one of the
// library.
func (s *room) kept(ctx context.Context, name string) (store.Saved, error) {
	if who := store.Who(ctx); who != "" {
		q, err := s.Lib.People().SavedQuery(ctx, who, name)
		if !errors.Is(err, store.ErrNoRow) {
			return q, err
		}
	}
	if !s.Owns(ctx) {
		return store.Saved{}, store.ErrNoRow
	}
	return s.Lib.Search().SavedQuery(ctx, name)
}

// found asks a query for its games alone.
func (s *room) found(ctx context.Context, in *view.SaveQuery) (*ask.Question, *ask.Reply, error) {
	if err := s.Meant(in.Game); err != nil {
		return nil, nil, err
	}
	q := &ask.Question{Text: in.Query, Game: in.Game, Request: retrieve.Request{Limit: 1, NoContinuations: true}}
	r, err := s.Ask(ctx, q)
	return q, r, api.InField(err, "body.query")
}

type noteInput struct{ Body view.SaveQuery }

// noteQuery notes a search. Where nothing can be noted, nobody misses it.
func (s *room) noteQuery(ctx context.Context, in *noteInput) (*api.Nothing, error) {
	_, r, err := s.found(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	if who := store.Who(ctx); who != "" {
		if q, ok := r.Noted(); ok {
			return nil, s.Lib.People().NoteSearch(ctx, who, q)
		}
		return nil, nil
	}
	err = s.Lib.Search().Remember(ctx, r)
	if _, locked := errors.AsType[*store.LockedError](err); locked || errors.Is(err, store.ErrReadOnly) {
		err = nil
	}
	return nil, err
}

type saveInput struct {
	api.NamedInput
	Body view.SaveQuery
}

func (s *room) saveQuery(ctx context.Context, in *saveInput) (*view.Saved, error) {
	name, err := queryName(in.Name)
	if err != nil {
		return nil, err
	}
	q, r, err := s.found(ctx, &in.Body)
	if err != nil {
		return nil, err
	}
	r.Whole(q)
	switch old, err := s.kept(ctx, name); {
	case errors.Is(err, store.ErrNoRow):
	case err != nil:
		return nil, err
	case old.Name != "" && old.Query != r.Query.String() && !in.Body.Replace:
		return nil, api.Conflict("exists", "Choose another name, or replace the query.", "the name %q stands for %s", old.Name, old.Query)
	}
	if who := store.Who(ctx); who != "" {
		var q store.Saved
		if q, err = s.Lib.Search().Named(ctx, name, in.Body.Note, r); err == nil {
			err = s.Lib.People().SaveQuery(ctx, who, q)
		}
	} else {
		_, err = s.Lib.Search().Save(ctx, name, in.Body.Note, r)
	}
	if err != nil {
		if errors.Is(err, ask.ErrNamedInside) {
			err = api.Bad("cycle", "Give it another name.", "%v", err)
		}
		return nil, err
	}
	return s.savedQuery(ctx, &api.NamedInput{Name: name})
}

// queryName checks a name that a query is to have.
func queryName(name string) (string, error) {
	name, err := api.NewName(name)
	if err == nil && text.Fold(name) == "" {
		err = api.Bad("name", "Write one line with at least one letter.", "%q is no name for a query", name)
	}
	return name, err
}

func (s *room) renameQuery(ctx context.Context, in *api.RenameInput) (*api.Nothing, error) {
	name, err := queryName(in.Body.Name)
	if err != nil {
		return nil, err
	}
	if who := store.Who(ctx); who != "" {
		if done, err := s.renameOwn(ctx, who, in.Name, name); done || err != nil {
			return nil, err
		}
	}
	q, err := s.kept(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.RenameQuery(q.ID, name, text.Fold(name)) })
}

func (s *room) dropQuery(ctx context.Context, in *api.NamedInput) (*api.Nothing, error) {
	if who := store.Who(ctx); who != "" {
		if err := s.Lib.People().DropQuery(ctx, who, in.Name); !errors.Is(err, store.ErrNoRow) {
			return nil, err
		}
	}
	q, err := s.kept(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.DropQuery(q.ID) })
}

// renameOwn renames a query or a search of a profile, and reports whether it has it.
func (s *room) renameOwn(ctx context.Context, who, old, name string) (bool, error) {
	list, err := s.Lib.People().SavedQueries(ctx, who)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(list, func(q store.Saved) bool {
		return q.Name != "" && text.Fold(q.Name) == text.Fold(old) || q.Name == "" && q.Described == old
	})
	if at < 0 {
		return false, nil
	}
	if _, err := s.Lib.People().SavedQuery(ctx, who, name); err == nil && text.Fold(name) != text.Fold(old) {
		return false, store.ErrExists
	}
	q := list[at]
	if q.Name != "" && text.Fold(name) != text.Fold(old) {
		if err := s.Lib.People().DropQuery(ctx, who, q.Name); err != nil {
			return false, err
		}
	}
	q.Name, q.Fold, q.Auto = name, text.Fold(name), false
	return true, s.Lib.People().SaveQuery(ctx, who, q)
}
