package ask

import (
	"context"

	"qipu/query"
	"qipu/retrieve"
)

// Explanation tells how a question is understood, and what answering it would
// cost.
type Explanation struct {
	Query query.Q // as it was read
	Parts []ExplainedPart
	Hints []string // what may have been meant otherwise
}

// ExplainedPart is what a question means for one kind of game.
type ExplainedPart struct {
	retrieve.Part
	retrieve.Explain
}

// Explain tells how a question is understood, and what it would look at in each
// kind of game that it may be about. It reads the index, and no games.
func (sr *Searcher) Explain(ctx context.Context, q *Question) (*Explanation, error) {
	var x *Explanation
	err := sr.asking(ctx, q, func(a *asking) error {
		b, err := a.resolve(q)
		if err == nil {
			err = a.tell(false)
		}
		if err != nil {
			return err
		}
		x = &Explanation{Query: b.query, Hints: a.hints}
		for _, part := range b.parts {
			r := q.Request
			r.Kind, r.Query = part.Kind, part.Query
			cost, err := retrieve.Estimate(ctx, a.view, &r)
			if err != nil {
				return err
			}
			x.Parts = append(x.Parts, ExplainedPart{part, *cost})
		}
		return nil
	})
	return x, err
}
