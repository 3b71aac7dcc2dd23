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
func (sr *Searcher) Explain(ctx context.Context, q *Question) (x *Explanation, err error) {
	p, err := sr.Prepare(ctx, q)
	if err != nil {
		return nil, err
	}
	err = p.run(ctx, func(ctx context.Context, a *asking) error {
		if err := a.tell(ctx, false); err != nil {
			return err
		}
		x = &Explanation{Query: a.prepared.Query, Hints: a.hints}
		for _, part := range a.prepared.Parts {
			r := a.question.Request
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
