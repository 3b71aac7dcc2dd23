package retrieve

import (
	"context"
	"time"

	"qipu/index"
)

// Estimate tells what a request would look at, without looking: its plan, and
// the blocks and lines that the index lets through. It costs the part of Find
// that reads the index, and no verifying.
func Estimate(ctx context.Context, v index.View, r *Request) (*Explain, error) {
	f, err := newFinder(v, r)
	if err != nil {
		return nil, err
	}
	if err := f.estimate(ctx); err != nil {
		return nil, err
	}
	f.explain.Total = f.total()
	f.explain.Elapsed = time.Since(f.began)
	return &f.explain, nil
}

func (f *finder) estimate(ctx context.Context) error {
	if shape, games, ok := among(f.query); ok && f.Depth == 0 && shape.Pattern.From <= 0 && shape.Pattern.To < 0 {
		if stones := wholeBoard(f.Kind, shape.Pattern); stones != nil {
			l := newLookup(f.Kind, shape.Pattern, stones, games)
			f.explain.Plan = Text{index.Reaches(l.key)}
			for postings, err := range f.view.Positions(ctx, f.lookupOf(l)) {
				if err != nil {
					return err
				}
				f.explain.Pages++
				f.explain.Lines += int64(len(postings.Rows))
			}
			return nil
		}
	}
	if err := f.compile(); err != nil {
		return err
	}
	for batch, err := range f.view.Scan(ctx, f.plan) {
		if err != nil {
			return err
		}
		f.explain.Pages += batch.Pages
		f.explain.Lines += int64(batch.Lanes.Count())
	}
	return nil
}
