package ask

import (
	"context"
	"slices"
	"strings"

	"qipu/query"
	"qipu/retrieve"
)

// Trend tells how the share of the games of a question went over the years:
// among those that meet the rest of its query, with everything about boards
// taken out. Of a query that asks nothing about boards, that is all games of the
// same kinds and dates. The reply has the games by year.
func (sr *Searcher) Trend(ctx context.Context, q *Question) (trend *retrieve.Trend, reply *Reply, err error) {
	byYear := *q
	byYear.By, byYear.NoContinuations = retrieve.ByYear, true
	p, err := sr.Prepare(ctx, &byYear)
	if err != nil {
		return nil, nil, err
	}
	err = p.run(ctx, func(ctx context.Context, a *asking) error {
		if reply, err = a.ask(ctx); err != nil {
			return err
		}
		// What asks about boards asks one kind of game. Of what does not, the
		// dates are all that is left of the query.
		parts, keep := []retrieve.Part{{Kind: reply.Kinds[0], Query: reply.Bound}}, isPlain
		if !aboutMoments(reply.Bound) {
			parts, keep = slices.Clone(a.prepared.Parts), isDate
		}
		for i := range parts {
			parts[i].Query = query.Simplify(rest(parts[i].Query, keep))
		}
		all, err := retrieve.Find(ctx, a.view, &retrieve.Request{
			Kind: parts[0].Kind, Query: parts[0].Query, Also: parts[1:], By: retrieve.ByYear, Limit: 1,
			OnTick: a.question.OnTick, Workers: a.question.Workers,
		})
		if err != nil {
			return err
		}
		trend = retrieve.TrendOf(reply.Groups, all.Groups)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return trend, reply, nil
}

// rest returns a wider query: a bound one without the conditions that are not to
// be kept. Only a conjunction can do without some of its parts.
func rest(q query.Q, keep func(query.Q) bool) query.Q {
	if parts, ok := q.(query.And); ok {
		var kept query.And
		for _, part := range parts {
			kept = append(kept, rest(part, keep))
		}
		return kept
	}
	if keep(q) {
		return q
	}
	return query.Const(true)
}

// isPlain reports whether a bound query asks nothing about boards. The games
// that a saved query found are those of the query beside them.
func isPlain(q query.Q) bool {
	games, ok := q.(query.Games)
	return !aboutMoments(q) && !(ok && strings.HasPrefix(games.Why, "named:"))
}

// isDate reports whether a bound query asks for dates alone. A constant is what
// the game that was asked for has become.
func isDate(q query.Q) bool {
	return !query.Some(q, func(q query.Q) bool {
		switch q := q.(type) {
		case query.And, query.Or, query.Not, query.Const:
			return false
		case *query.Fact:
			return q.Column != query.FirstDay && q.Column != query.LastDay
		}
		return true
	})
}

// aboutMoments reports whether a bound query asks for moments of games.
func aboutMoments(q query.Q) bool {
	return query.Some(q, func(q query.Q) bool {
		switch q.(type) {
		case *query.Shape, *query.Fuzzy, *query.Mark, *query.Count, query.Ply, query.Turn:
			return true
		}
		return false
	})
}
