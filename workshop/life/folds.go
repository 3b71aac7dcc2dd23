package life

import (
	"context"
	"errors"
	"fmt"
	"time"

	"qipu/cli"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/workshop/counted"
	teaching "qipu/workshop/learn/judging"
)

// foldedVerdict teaches the verdict as many times as there are folds, each time
// without one of them, and returns a method that judges every board by the weights
// that do not know it: what the verdict is worth on boards that nobody has seen.
func foldedVerdict(ctx context.Context, a *cli.App, boards []*counted.Board, folds int) (m counted.Method, err error) {
	bar := a.NewProgress("folds", folds)
	defer bar.Close()
	judges := make([]*judge.Judge, folds)
	for fold := range judges {
		var list []*counted.Board
		for _, b := range boards {
			if b.Fold(folds) != fold {
				list = append(list, b)
			}
		}
		w, _, err := teaching.Teach(ctx, list, teaching.Options{Progress: func(int, int) { bar.Step(0) }})
		if errors.Is(err, teaching.ErrNothing) {
			return m, fmt.Errorf("--folds %d: there are too few boards with known owners to learn from", folds)
		}
		if err != nil {
			return m, err
		}
		judges[fold] = judge.With(w)
		bar.Step(1)
	}
	return counted.Method{Name: "folds", Judge: func(_ context.Context, _ int, b *counted.Board) (*life.Judgement, time.Duration, error) {
		p, j := b.Position(), judges[b.Fold(folds)]
		began := time.Now()
		r, err := j.Judge(p, judge.Options{})
		if err != nil {
			return nil, 0, err
		}
		return &r.Judgement, time.Since(began), nil
	}}, nil
}
