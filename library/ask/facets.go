package ask

import (
	"context"

	"qipu/retrieve"
)

// Facets answers a question, and groups the games that it finds by each of some
// dimensions. That costs one search, and one pass over the facts of the games
// that were found, however many dimensions there are. Persons are those of the
// book of players.
func (sr *Searcher) Facets(ctx context.Context, q *Question, by ...retrieve.Dimension) (reply *Reply, groups [][]retrieve.Group, err error) {
	err = sr.asking(ctx, q, func(a *asking) error {
		if reply, err = a.ask(q); err != nil {
			return err
		}
		r := retrieve.FacetsRequest{Kinds: reply.Kinds, Games: reply.Found, By: by, Sets: map[retrieve.Dimension][]retrieve.Set{}, Person: q.Person}
		for _, d := range by {
			if r.Sets[d], err = sr.sets(ctx, d); err != nil {
				return err
			}
			if d == retrieve.ByPlayer && r.Person == nil {
				book, err := sr.players.Book(ctx)
				if err != nil {
					return err
				}
				r.Person = func(spelled string) (key, name string) { return book.Key(spelled), book.Canonical(spelled) }
			}
		}
		groups, err = retrieve.Facets(ctx, a.view, &r)
		return err
	})
	return reply, groups, err
}
