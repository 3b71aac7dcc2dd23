package ask

import (
	"context"

	"qipu/index"
	"qipu/library"
	"qipu/library/cache"
	"qipu/library/players"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
)

// Find answers a request. Names in its query are looked up in the library.
func (sr *Searcher) Find(ctx context.Context, r *retrieve.Request) (answer *retrieve.Answer, err error) {
	err = sr.asking(ctx, &Question{Request: *r}, func(a *asking) (err error) {
		bound := *r
		if bound.Query, err = a.bind(r.Kind, r.Query); err == nil {
			answer, err = retrieve.Find(ctx, a.view, &bound)
		}
		return err
	})
	return answer, err
}

// Explore answers what was played in a position.
func (sr *Searcher) Explore(ctx context.Context, r *retrieve.ExploreRequest) (answer *retrieve.Answer, err error) {
	q := &Question{Request: retrieve.Request{Variations: r.Variations}}
	err = sr.asking(ctx, q, func(a *asking) (err error) {
		bound := *r
		if bound.Within, err = a.bind(r.Kind, r.Within); err == nil {
			answer, err = retrieve.Explore(ctx, a.view, &bound)
		}
		return err
	})
	return answer, err
}

// bind binds a query to one kind of game. No query stays none.
func (a *asking) bind(k *index.Kind, q query.Q) (query.Q, error) {
	if q == nil {
		return nil, nil
	}
	binder := query.Binder{Rules: k.Rules, Names: a.names(k), Games: a.library.Rules()}
	return binder.Bind(q)
}

// Searcher answers questions about a library. It is safe for concurrent use.
type Searcher struct {
	library *library.Library
	players *players.Directory
	scores  cache.Cache[*index.Kind, namesVersion, *NameScores]
	terms   cache.Cache[*index.Kind, store.Version, *Terms]
}

// New returns who answers questions about a library and its players.
func New(l *library.Library, p *players.Directory) *Searcher {
	return &Searcher{library: l, players: p}
}
