package staging

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/store/shard"
)

// Journal tells what was changed, as the staging folder knows it, and what is corrected now,
// wherever the games lie.
func (d *Library) Journal() store.Journal { return journal{d.near.Journal(), d} }

// brings are the changes by which games may have come.
var brings = []string{store.OpImport, store.OpAdd, store.OpRestore, store.OpDelete}

// Undo undoes an entry of the journal. Games that came by it, and lie on the servers, are
// fetched, and go into the trash of the folder; such as come back are staged, and shipped
// with the numbers that they had.
func (d *Library) Undo(ctx context.Context, id int64) (store.Undone, error) {
	defer d.made(ctx)
	d.adding.Lock()
	defer d.adding.Unlock()
	if err := d.finish(ctx); err != nil {
		return store.Undone{}, err
	}
	of, err := d.near.Journal().Change(ctx, id)
	if err != nil {
		return store.Undone{}, err
	}
	far := roaring.New()
	if op := cmp.Or(of.Text("of"), of.Op); slices.Contains(brings, op) && of.UndoneBy == 0 {
		games, err := d.near.Journal().ChangeGames(ctx, id)
		if err != nil {
			return store.Undone{}, err
		}
		lies, err := d.lies(ctx)
		if err != nil {
			return store.Undone{}, err
		}
		games.AndNot(lies)
		there, err := d.served(ctx, games.ToArray())
		if err != nil {
			return store.Undone{}, err
		}
		far.AddMany(there)
	}
	if op := cmp.Or(of.Text("of"), of.Op); op == store.OpEdit && of.UndoneBy == 0 {
		return d.uncorrect(ctx, id)
	}
	if far.IsEmpty() {
		return d.near.Undo(ctx, id)
	}
	undone, err := d.near.UndoAround(ctx, id, func(tx shard.Tx) error { return d.adopt(ctx, tx, far.ToArray()) }, func(tx shard.Tx) error {
		stay, err := tx.Alive(far)
		if err != nil {
			return err
		}
		if err := tx.Release(stay.ToArray()); err != nil {
			return err
		}
		far.AndNot(stay)
		return keepDeleting(tx, far)
	})
	if err != nil {
		return undone, err
	}
	if n, _ := of.Args[store.StatusFuller.String()].(int64); n > 0 && of.Op == store.OpImport {
		undone.Left = append(undone.Left, fmt.Sprintf("%d games on servers keep the fuller records that this import brought", n))
	}
	return undone, d.finish(context.WithoutCancel(ctx))
}

// Restore brings games back out of the trash: they are staged, and shipped with the numbers
// that they had.
func (d *Library) Restore(ctx context.Context, ids []uint32) (store.Undone, error) {
	defer d.made(ctx)
	d.adding.Lock()
	defer d.adding.Unlock()
	if err := d.finish(ctx); err != nil {
		return store.Undone{}, err
	}
	return d.near.Restore(ctx, ids)
}

// Purge deletes what has been in the trash of the staging folder for long.
func (d *Library) Purge(ctx context.Context, until time.Time) (int, error) {
	return d.near.Purge(ctx, until)
}
