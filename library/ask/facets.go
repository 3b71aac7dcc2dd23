package ask

import (
	"context"

	"qipu/retrieve"
)

// Facets answers the question, and groups the games that it finds by each of some
// dimensions. That costs one search, and one pass over the facts of the games
// that were found, however many dimensions there are. Persons are those of the
// book of players.
func (p *Prepared) Facets(ctx context.Context, by ...retrieve.Dimension) (reply *Reply, groups [][]retrieve.Group, err error) {
	sr := p.searcher
	err = p.run(ctx, func(ctx context.Context, a *asking) error {
		if reply, err = a.ask(ctx); err != nil {
			return err
		}
		r := retrieve.FacetsRequest{Kinds: reply.Kinds, Games: reply.Found, By: by, Sets: map[retrieve.Dimension][]retrieve.Set{}, Person: a.question.Person}
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

// Facets groups the games of a question: see [Prepared.Facets].
func (sr *Searcher) Facets(ctx context.Context, q *Question, by ...retrieve.Dimension) (*Reply, [][]retrieve.Group, error) {
	p, err := sr.Prepare(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	return p.Facets(ctx, by...)
}
