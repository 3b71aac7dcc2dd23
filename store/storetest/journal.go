package storetest

import (
	"context"
	"fmt"
	"slices"
)

// Undoer is a Library that can take changes back.
type Undoer interface {
	// Last returns the number of the last change, 0 where there was none.
	Last(ctx context.Context) (int64, error)

	// Undo undoes a change, and returns the number of the change that this is.
	Undo(ctx context.Context, id int64) (int64, error)

	// Correct gives games another event.
	Correct(ctx context.Context, event string, ids []uint32) error
}

// undone is a change that can be undone, with the store before and after it.
type undone struct {
	id            int64
	before, after *Model
}

// journal checks that a change that is undone has never been, and that an undo that is undone
// has not been either, whatever tables are merged in between.
func (h *History) journal() error {
	u, ok := h.Library.(Undoer)
	if !ok {
		return nil
	}
	small := Effort{Exprs: 1, Keys: 3, Patterns: 1}
	var done []undone
	for range 40 {
		before := h.Model.Clone()
		last, err := u.Last(h.ctx)
		if err != nil {
			return err
		}
		switch n := h.Rng.IntN(8); {
		case n < 3:
			games := h.Random(40)
			err = h.Put(games, h.Random(30), h.Random(20), h.Random(12))
		case n < 4 && len(h.added) > 0:
			err = h.Put(h.added[h.Rng.IntN(len(h.added))])
		case n < 6:
			err = h.forget(1 + h.Rng.IntN(6))
		case n < 7:
			err = h.correct(u)
		default:
			err = h.merge()
		}
		if err != nil {
			return err
		}
		id, err := u.Last(h.ctx)
		if err != nil {
			return err
		}
		if id != last {
			done = append(done, undone{id, before, h.Model.Clone()})
		}
		// The last ones are taken back in their order, some of them again and again.
		for range h.Rng.IntN(4) {
			if len(done) == 0 {
				break
			}
			at := &done[len(done)-1]
			h.steps = append(h.steps, fmt.Sprintf("undo %d", at.id))
			now, err := u.Undo(h.ctx, at.id)
			if err != nil {
				return err
			}
			h.Model = at.before.Clone()
			h.Model.Discard(at.after)
			if err := h.Check(small); err != nil {
				return err
			}
			if h.Rng.IntN(2) == 0 {
				done = done[:len(done)-1]
				continue
			}
			if h.Rng.IntN(2) == 0 {
				if err := h.merge(); err != nil {
					return err
				}
			}
			h.steps = append(h.steps, fmt.Sprintf("undo the undo %d", now))
			if at.id, err = u.Undo(h.ctx, now); err != nil {
				return err
			}
			h.Model = at.after.Clone()
			if err := h.Check(small); err != nil {
				return err
			}
		}
	}
	return h.Check(Effort{Exprs: 20, Keys: 30, Patterns: 20})
}

// correct gives some games another event.
func (h *History) correct(u Undoer) error {
	ids := h.Model.IDs()
	h.Rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	ids = ids[:min(len(ids), 1+h.Rng.IntN(20))]
	slices.Sort(ids)
	event := fmt.Sprintf("event %d", h.Rng.IntN(1000))
	h.steps = append(h.steps, fmt.Sprintf("correct %d", len(ids)))
	for _, id := range ids {
		h.Model.Correct(id, event)
	}
	return u.Correct(h.ctx, event, ids)
}
