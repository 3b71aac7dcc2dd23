package courses

import (
	"context"
	"errors"
	"slices"

	"qipu/book/theory"
	"qipu/engine/sight"
	"qipu/index"
	"qipu/library"
	"qipu/record"
	"qipu/store"
)

// Lacking returns the games of a kind of which there is no course by today's net, the
// latest first, and of how many there is one. Games that nobody can see are in neither.
func (r *Room) Lacking(ctx context.Context, k *index.Kind) (ids []uint32, have int, err error) {
	eye, err := sight.New()
	if err != nil || !Fits(k.Rules) {
		return nil, 0, err
	}
	all, err := r.library.IDs(ctx, k.Name)
	if err != nil {
		return nil, 0, err
	}
	corrected := map[uint32][]store.Correction{}
	list, err := r.library.Journal().Corrections(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range list {
		corrected[c.Game] = append(corrected[c.Game], c)
	}
	referee := record.NewReferee(r.library.Rules())
	for s, err := range r.library.Walk(ctx, all.ToArray()) {
		switch {
		case err != nil && library.Damaged(err):
			continue
		case err != nil:
			return nil, 0, err
		}
		for _, c := range corrected[s.ID] {
			_ = s.Record.Facts.Set(c.Field, *c.Value) // as Library.Record has it
		}
		g := GameOf(referee.Play(s.Record))
		if g == nil {
			continue
		}
		list, err := r.Of(ctx, g)
		if err != nil {
			return nil, 0, err
		}
		if g.by(list, eye) != nil {
			have++
		} else {
			ids = append(ids, s.ID)
		}
	}
	slices.Reverse(ids)
	return ids, have, nil
}

// Learner makes the courses of games one after the other, and keeps some together. It is
// for one goroutine.
type Learner struct {
	room    *Room
	eye     *sight.Eye
	referee *record.Referee
	kind    string
	rows    []theory.Row
}

// Learner returns one for games of a kind. Close keeps what it still has.
func (r *Room) Learner(k *index.Kind) (*Learner, error) {
	eye, err := sight.New()
	return &Learner{room: r, eye: eye, referee: record.NewReferee(r.library.Rules()), kind: kindOf(k)}, err
}

// together is how many courses are kept at a time: every time that something is kept,
// answers that a server remembers are worth nothing any more.
const together = 16

// Learn makes the course of a game. One that is gone, or cannot be seen, is no error.
func (l *Learner) Learn(ctx context.Context, id uint32) error {
	record, _, err := l.room.library.Record(ctx, id)
	switch {
	case errors.Is(err, store.ErrNoGame):
		return nil
	case err != nil:
		return err
	}
	g := GameOf(l.referee.Play(record))
	if g == nil {
		return nil
	}
	c, err := g.see(ctx, l.eye)
	if err != nil {
		return err
	}
	if l.rows = append(l.rows, g.row(c)); len(l.rows) < together {
		return nil
	}
	return l.Close(ctx)
}

// Close keeps what was made.
func (l *Learner) Close(ctx context.Context) error {
	rows := l.rows
	l.rows = nil
	return l.room.keep(ctx, l.kind, rows...)
}
