package staging

import (
	"context"
	"time"

	"qipu/store"
)

// Journal tells what was changed, as the staging folder knows it.
func (d *Library) Journal() store.Journal { return d.near.Journal() }

// Undo undoes an entry of the journal of the staging folder: games that lie on the servers
// stay, and it says so.
func (d *Library) Undo(ctx context.Context, id int64) (store.Undone, error) {
	defer d.made(ctx)
	d.adding.Lock()
	defer d.adding.Unlock()
	return d.near.Undo(ctx, id)
}

// Restore brings games back out of the trash of the staging folder.
func (d *Library) Restore(ctx context.Context, ids []uint32) (store.Undone, error) {
	defer d.made(ctx)
	d.adding.Lock()
	defer d.adding.Unlock()
	return d.near.Restore(ctx, ids)
}

// Correct corrects headers of games that are staged.
func (d *Library) Correct(ctx context.Context, list []store.Correction) (int, error) {
	d.adding.Lock()
	defer d.adding.Unlock()
	return d.near.Correct(ctx, list)
}

// Purge deletes what has been in the trash of the staging folder for long.
func (d *Library) Purge(ctx context.Context, until time.Time) (int, error) {
	return d.near.Purge(ctx, until)
}
