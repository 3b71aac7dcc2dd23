package search

import (
	"context"
	"slices"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/view"
	"qipu/view/answerview"
)

// answer dresses a reply. The page of its rows is made by the caller, who may
// have it already.
func (s *room) answer(ctx context.Context, r *ask.Reply, in *FindInput, began time.Time) (*view.Answer, error) {
	of, err := s.searched(ctx, r.Kinds)
	if err != nil {
		return nil, err
	}
	w := answerview.AnswerOf(r, of, func(spec string) game.Notation { return s.notationOf(spec, in.Write) }, in.Groups)
	if w.Rows, err = s.Rows.Rows(ctx, r.Rows, answerview.RowOptionsOf(r.Bound, in.Boards, in.Write)); err != nil {
		return nil, err
	}
	if w.Cut != nil {
		w.Cut.Budget = float64(s.Guard.Gate().Budget().Milliseconds())
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

// searched returns how many games there are of some kinds.
func (s *room) searched(ctx context.Context, kinds []*index.Kind) (n int64, err error) {
	tally, err := s.Lib.Records().Tally(ctx)
	for _, t := range tally {
		if slices.Contains(kinds, t.Kind) {
			n += int64(t.Games)
		}
	}
	return n, err
}

// notationOf returns a notation where the game has it, else its usual one.
func (s *room) notationOf(spec, name string) game.Notation {
	if k, err := s.Kinds.Find(spec); err == nil && k.Writes(name) {
		return game.Notation(name)
	}
	return game.AnyNotation
}
