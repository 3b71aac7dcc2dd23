package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/query"
	"qipu/store"
	"qipu/text"
)

// name finds the name of the board that a reply is about, and what else could
// be asked where it was not found.
func (a *asking) name(ctx context.Context, r *Reply) error {
	if r.Games == 0 {
		if like, ok := alike(r.Query); ok {
			r.Fuzzy = like.String()
		}
	}
	shape, ok := r.Bound.(*query.Shape)
	if !ok || len(shape.Next) > 0 {
		return nil
	}
	described := namerOf(r.Kinds[0]).Name(shape.Pattern)
	r.Name = namerIn(r.Kinds[0], a.question.Language).Name(shape.Pattern)
	s, err := a.savedQuery(ctx, r.Kinds[0], described)
	if s == nil || err != nil {
		return err
	}
	r.Saved = s
	if s.Name != "" {
		r.Name = s.Name
	}
	return nil
}

// alike returns a query with its first board that must stand exactly replaced by
// boards that are like it; false where there is none.
func alike(q query.Q) (query.Q, bool) {
	switch q := q.(type) {
	case query.Diagram:
		if q.Word != "board" && q.Word != "position" {
			return nil, false
		}
		q.Word = "fuzzy"
		q.Options = slices.DeleteFunc(slices.Clone(q.Options), func(o query.Option) bool { return o.Name == "next" })
		return q, true
	case query.And:
		for i, part := range q {
			if like, ok := alike(part); ok {
				all := slices.Clone(q)
				all[i] = like
				return all, true
			}
		}
	}
	return nil, false
}

// Remember keeps the board of a reply with its hits under the name that
// describes it, so that it is found by name from now on. It does nothing where
// the query is not just a board, or found nothing. Where another process writes
// to the library it fails with a *store.LockedError.
func (sr *Searcher) Remember(ctx context.Context, r *Reply) error {
	s, ok := r.Noted()
	if !ok {
		return nil
	}
	_, err := sr.save(ctx, s, r)
	return err
}

// Noted returns the board of a reply as Remember keeps it; false where there is nothing
// to be kept.
func (r *Reply) Noted() (store.Saved, bool) {
	shape, ok := r.Bound.(*query.Shape)
	if !ok || r.Games == 0 || len(shape.Next) > 0 {
		return store.Saved{}, false
	}
	described := namerOf(r.Kinds[0]).Name(shape.Pattern)
	return store.Saved{
		Described: described, Alias: text.Fold(described), Kind: r.Kinds[0].Name, Query: shape.String(), Auto: true, Found: r.Games, Hits: r.Hits,
	}, true
}

// SavedQuery returns the saved query that a name means: written exactly so, else
// in another case or script. It fails with store.ErrNoRow where there is none.
func (sr *Searcher) SavedQuery(ctx context.Context, name string) (store.Saved, error) {
	s, err := sr.saved(ctx, name)
	if errors.Is(err, store.ErrNoRow) {
		s, err = sr.saved(ctx, text.Fold(name))
	}
	return s, err
}

// saved returns a saved query for a question, and allSaved all of them: those of who
// asks before those of the library.
func (sr *Searcher) saved(ctx context.Context, name string, kinds ...string) (store.Saved, error) {
	if text, ok := ownOf(ctx).Query(name); ok {
		return store.Saved{Name: name, Query: text}, nil
	}
	if discreet(ctx) {
		return store.Saved{}, store.ErrNoRow
	}
	return sr.library.Notes().SavedQuery(ctx, name, kinds...)
}

func (sr *Searcher) allSaved(ctx context.Context) (list []store.Saved, err error) {
	for _, name := range ownOf(ctx).Called("query") {
		list = append(list, store.Saved{Name: name})
	}
	if discreet(ctx) {
		return list, nil
	}
	all, err := sr.library.Notes().SavedQueries(ctx)
	return append(list, all...), err
}

// Whole has a reply be about the query with the game that the question names,
// where it would not be known without: a query without a board does not know its
// game by itself.
func (r *Reply) Whole(q *Question) {
	if q.Game != "" && !query.HasBoards(r.Query) {
		r.Query = query.And{query.Field{Name: "game", Value: q.Game}, r.Query}
	}
}

// Save keeps the query of a reply with its hits under a name of the user's.
func (sr *Searcher) Save(ctx context.Context, name, note string, r *Reply) (int64, error) {
	s, err := sr.Named(ctx, name, note, r)
	if err != nil {
		return 0, err
	}
	return sr.save(ctx, s, r)
}

// Named returns the query of a reply as it is kept under a name, for who keeps it
// elsewhere. A name that the query cannot have is an error.
func (sr *Searcher) Named(ctx context.Context, name, note string, r *Reply) (none store.Saved, err error) {
	const most = 200
	switch {
	case text.Fold(name) == "":
		return none, fmt.Errorf("qipu: %q is no name for a query: give it a word", name)
	case utf8.RuneCountInString(name) > most || strings.ContainsFunc(name, unicode.IsControl):
		return none, fmt.Errorf("qipu: a name is a line of at most %d characters", most)
	}
	if err := sr.cycle(ctx, r.Query, text.Fold(name), 0); err != nil {
		return none, err
	}
	s := store.Saved{Name: name, Fold: text.Fold(name), Query: r.Query.String(), Note: note, Found: r.Games, Hits: r.Hits}
	if shape, ok := r.Bound.(*query.Shape); ok && len(shape.Next) == 0 {
		s.Described = namerOf(r.Kinds[0]).Name(shape.Pattern)
		s.Alias = text.Fold(s.Described)
	}
	if query.HasBoards(r.Query) {
		s.Kind = r.Kinds[0].Name
	}
	return s, nil
}

// ErrNamedInside tells that a query names what is to be named after it.
var ErrNamedInside = errors.New("the query would be named inside itself")

// cycle fails where a query names what is to be named after it, itself or
// through others.
func (sr *Searcher) cycle(ctx context.Context, q query.Q, name string, depth int) (err error) {
	const deep = 20 // deeper ones are refused when they are asked
	query.Walk(q, func(q query.Q) bool {
		n, ok := q.(query.Named)
		if !ok || err != nil || depth > deep {
			return err == nil
		}
		if text.Fold(n.Name) == name {
			err = fmt.Errorf("qipu: %w, through named:%s: give it another name", ErrNamedInside, n.Name)
			return false
		}
		s, e := sr.saved(ctx, text.Fold(n.Name))
		if e != nil {
			return true // asking for it fails, or describes a board
		}
		if inner, e := query.Parse(s.Query); e == nil {
			err = sr.cycle(ctx, inner, name, depth+1)
		}
		return err == nil
	})
	return err
}

func (sr *Searcher) save(ctx context.Context, s store.Saved, r *Reply) (id int64, err error) {
	// Where nothing was found, what is known of the query before stays.
	if s.Version = r.version; s.Version != (store.Version{}) {
		s.Games, s.Hits = r.Found, r.Hits
	} else if s.Version, err = sr.library.Version(ctx); err != nil {
		return 0, err
	}
	err = sr.library.Edit(ctx, func(t store.Tx) error {
		id, err = t.SaveQuery(s)
		return err
	})
	return id, err
}

// Mentions returns the names of the saved queries that name another: they fail
// once it is called otherwise, or is gone.
func (sr *Searcher) Mentions(ctx context.Context, name string) (list []string, err error) {
	queries, err := sr.library.Notes().SavedQueries(ctx)
	if err != nil {
		return nil, err
	}
	folded := text.Fold(name)
	for i := range queries {
		tree, err := query.Parse(queries[i].Query)
		if err != nil {
			continue // it fails in any case
		}
		query.Walk(tree, func(q query.Q) bool {
			if n, ok := q.(query.Named); ok && text.Fold(n.Name) == folded && !slices.Contains(list, queries[i].Name) {
				list = append(list, queries[i].Name)
			}
			return true
		})
	}
	return list, nil
}
