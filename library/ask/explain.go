package ask

import (
	"context"
	"time"

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

// Foresee tells before the question is answered how much work that may be: see
// [retrieve.Foresee]. What cannot be asked is no work.
func (p *Prepared) Foresee(ctx context.Context) (work time.Duration, err error) {
	err = p.run(ctx, func(_ context.Context, a *asking) error {
		parts := a.prepared.Parts
		r := a.question.Request
		r.Kind, r.Query, r.Also = parts[0].Kind, parts[0].Query, parts[1:]
		work, err = retrieve.Foresee(a.view, &r)
		if err != nil {
			work = 0 // whoever asks is told why
		}
		return nil
	})
	return work, err
}
