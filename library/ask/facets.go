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
	p, err := sr.Prepare(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	err = p.run(ctx, func(ctx context.Context, a *asking) error {
		if reply, err = a.ask(ctx); err != nil {
			return err
		}
		r := retrieve.FacetsRequest{Kinds: reply.Kinds, Games: reply.Found, By: by, Sets: map[retrieve.Dimension][]retrieve.Set{}, Person: a.question.Person}
		for _, d := range by {
			if r.Sets[d], err = sr.sets(ctx, d); err != nil {
				return err
			}
		}
		if r.Person == nil {
			if r.Person, err = a.called(ctx, retrieve.ByPlayer, by...); err != nil {
				return err
			}
		}
		if r.Event, err = a.called(ctx, retrieve.ByEvent, by...); err != nil {
			return err
		}
		groups, err = retrieve.Facets(ctx, a.view, &r)
		return err
	})
	return reply, groups, err
}
