package remote

import (
	"context"
	"encoding/json"
	"time"

	"qipu/store"
)

// deedOf returns what the changes of a context are part of, on its way to another process.
func deedOf(ctx context.Context) []byte {
	deed := store.DeedOf(ctx)
	if deed.Key == "" && deed.Op == "" {
		return nil
	}
	data, err := json.Marshal(deed)
	if err != nil {
		return nil // of values that no journal could keep
	}
	return data
}

// Undo undoes a change.
func (l *Library) Undo(ctx context.Context, id int64) (undone store.Undone, err error) {
	err = l.change(ctx, func() (err error) { undone, err = l.Library.Undo(ctx, id); return err },
		func() error { return l.call(ctx, "library.Undo", nil, []any{id}, &undone) })
	return undone, err
}

// Restore brings games back out of the trash.
func (l *Library) Restore(ctx context.Context, ids []uint32) (undone store.Undone, err error) {
	err = l.change(ctx, func() (err error) { undone, err = l.Library.Restore(ctx, ids); return err },
		func() error { return l.call(ctx, "library.Restore", nil, []any{ids}, &undone) })
	return undone, err
}

// Correct corrects headers of games.
func (l *Library) Correct(ctx context.Context, list []store.Correction) (n int, err error) {
	err = l.change(ctx, func() (err error) { n, err = l.Library.Correct(ctx, list); return err },
		func() error { return l.call(ctx, "library.Correct", nil, []any{list}, &n) })
	return n, err
}

// Purge deletes what has been in the trash for long.
func (l *Library) Purge(ctx context.Context, until time.Time) (n int, err error) {
	err = l.change(ctx, func() (err error) { n, err = l.Library.Purge(ctx, until); return err },
		func() error { return l.call(ctx, "library.Purge", nil, []any{until}, &n) })
	return n, err
}
