package ask

import (
	"context"
	"slices"

	"qipu/library/players"
	"qipu/retrieve"
)

// Portrait is the games of a person in parts.
type Portrait struct {
	Games  int            // a game against oneself counts once
	Score  retrieve.Score // First are the person's wins
	Rivals []retrieve.Group

	// Years and Openings count the games without their results being those of
	// the person.
	Years, Openings []retrieve.Group
}

// Portrait returns the games of a person of the register of a game by opponent,
// by year and by opening. Keys of rivals are those of persons; what is unknown
// is left out.
func (sr *Searcher) Portrait(ctx context.Context, r *players.Register, p *players.Person, spec string) (*Portrait, error) {
	q := &Question{Tree: p.Query(), Game: spec, Request: retrieve.Request{Limit: 1, NoContinuations: true, Person: r.Who}}
	reply, groups, err := sr.Facets(ctx, q, retrieve.ByPlayer, retrieve.ByYear, retrieve.ByOpening)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		groups[i] = slices.DeleteFunc(groups[i], func(g retrieve.Group) bool { return g.Key == "" || i == 0 && g.Key == p.Key })
	}
	for i := range groups[0] { // what the rivals won, the person lost
		g := &groups[0][i]
		g.First, g.Second = g.Second, g.First
	}
	o := &Portrait{Games: reply.Games, Score: p.Score, Rivals: groups[0], Years: groups[1], Openings: groups[2]}
	if reply.Whose != nil {
		o.Score = *reply.Whose
	}
	return o, nil
}
