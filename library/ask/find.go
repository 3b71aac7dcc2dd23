package ask

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/library"
	"qipu/library/cache"
	"qipu/library/players"
	"qipu/query"
	"qipu/query/bind"
	"qipu/retrieve"
	"qipu/store"
)

// Find answers a request. Names in its query are looked up in the library.
func (sr *Searcher) Find(ctx context.Context, r *retrieve.Request) (answer *retrieve.Answer, err error) {
	err = sr.bound(ctx, r.Kind, r.Query, r.Variations, func(v index.View, q query.Q) (err error) {
		bound := *r
		bound.Query = q
		answer, err = retrieve.Find(ctx, v, &bound)
		return err
	})
	return answer, err
}

// Explore answers what was played in a position.
func (sr *Searcher) Explore(ctx context.Context, r *retrieve.ExploreRequest) (answer *retrieve.Answer, err error) {
	err = sr.bound(ctx, r.Kind, r.Within, r.Variations, func(v index.View, q query.Q) (err error) {
		bound := *r
		bound.Within = q
		answer, err = retrieve.Explore(ctx, v, &bound)
		return err
	})
	return answer, err
}

// Bind looks up the names of a query about one kind of game. What it returns may be
// asked by Find and Explore several times: nothing in it is looked up again.
func (sr *Searcher) Bind(ctx context.Context, k *index.Kind, q query.Q, variations bool) (bound query.Q, err error) {
	err = sr.bound(ctx, k, q, variations, func(_ index.View, q query.Q) error { bound = q; return nil })
	return bound, err
}

// bound runs what answers a query about one kind of game, which is bound first. No
// query stays none.
func (sr *Searcher) bound(ctx context.Context, k *index.Kind, q query.Q, variations bool, answer func(index.View, query.Q) error) error {
	version, err := sr.library.Version(ctx)
	if err != nil {
		return err
	}
	return sr.library.View(ctx, func(v index.View) error {
		if q == nil {
			return answer(v, nil)
		}
		a := sr.asking(&Question{Request: retrieve.Request{Variations: variations}}, v, version)
		binder := bind.Binder{Rules: k.Rules, Names: a.names(ctx, k), Games: sr.library.Rules()}
		bound, err := binder.Bind(q)
		if err != nil {
			return err
		}
		return answer(v, bound)
	})
}

// Searcher answers questions about a library. It is safe for concurrent use.
type Searcher struct {
	library *library.Library
	players *players.Directory

	prepared cache.Cache[spoken, version, *Prepared]
	scores   cache.Cache[*index.Kind, namesVersion, *NameScores]
	terms    cache.Cache[*index.Kind, store.Version, *Terms]
	played   cache.Cache[*index.Kind, store.Version, *roaring.Bitmap]

	onBind func(*index.Kind) // is told when a question is bound to a kind of game; for tests
}

// New returns who answers questions about a library and its players.
func New(l *library.Library, p *players.Directory) *Searcher {
	return &Searcher{library: l, players: p}
}
