package staging

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"qipu/store"
	"qipu/store/shard"
)

// What was corrected of a game is kept where the game lies: in the folder while it is staged
// or in the trash, and else with its document on the servers, so that every machine sees it.
// A correction of games on the servers is an entry of the journal of the folder first of all,
// which has what was there before; then it is made there. One that is interrupted in between
// comes to its end when the library is opened again.

// journal is that of the folder, with what is corrected on the servers.
type journal struct {
	store.Journal
	of *Library
}

// Corrections returns what was corrected of games, by rising number and field; of all where
// ids is nil.
func (j journal) Corrections(ctx context.Context, ids []uint32) ([]store.Correction, error) {
	lies, err := j.of.lies(ctx)
	if err != nil {
		return nil, err
	}
	near, far := split(lies, ids)
	if ids == nil {
		near = lies.ToArray()
	}
	var list []store.Correction
	if len(near) > 0 {
		if list, err = j.Journal.Corrections(ctx, near); err != nil {
			return nil, err
		}
	}
	if ids == nil || len(far) > 0 {
		there, err := j.of.far.Corrections(ctx, far)
		if err != nil {
			return nil, err
		}
		for _, c := range there {
			if !lies.Contains(c.Game) {
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(x, y store.Correction) int {
		return cmp.Or(cmp.Compare(x.Game, y.Game), cmp.Compare(x.Field, y.Field))
	})
	return list, nil
}

// Correct corrects headers of games, wherever they lie.
func (d *Library) Correct(ctx context.Context, list []store.Correction) (int, error) {
	d.adding.Lock()
	defer d.adding.Unlock()
	if err := d.finish(ctx); err != nil {
		return 0, err
	}
	ids := make([]uint32, len(list))
	for i, c := range list {
		ids[i] = c.Game
	}
	far, err := d.onlyServed(ctx, ids)
	if err != nil {
		return 0, err
	}
	if len(far) == 0 {
		return d.near.Correct(ctx, list)
	}
	before, behind, err := d.correcting(ctx, far)
	if err != nil {
		return 0, err
	}
	n, err := d.near.CorrectAround(ctx, list, before, behind)
	if err != nil {
		return 0, err
	}
	there, err := d.correctFar(context.WithoutCancel(ctx))
	return n + there, err
}

// uncorrect undoes an entry of the journal that is about corrected headers.
func (d *Library) uncorrect(ctx context.Context, id int64) (store.Undone, error) {
	games, err := d.near.Journal().ChangeGames(ctx, id)
	if err != nil {
		return store.Undone{}, err
	}
	far, err := d.onlyServed(ctx, games.ToArray())
	if err != nil {
		return store.Undone{}, err
	}
	if len(far) == 0 {
		return d.near.Undo(ctx, id)
	}
	before, behind, err := d.correcting(ctx, far)
	if err != nil {
		return store.Undone{}, err
	}
	undone, err := d.near.UndoAround(ctx, id, before, behind)
	if err != nil {
		return undone, err
	}
	_, err = d.correctFar(context.WithoutCancel(ctx))
	return undone, err
}

// onlyServed returns those of some numbers, each once, that are of games on the servers, and
// of none here.
func (d *Library) onlyServed(ctx context.Context, ids []uint32) ([]uint32, error) {
	lies, err := d.lies(ctx)
	if err != nil {
		return nil, err
	}
	_, far := split(lies, ids)
	if len(far) == 0 {
		return nil, nil
	}
	if err := d.far.Refresh(ctx); err != nil { // another machine may have corrected some this moment
		return nil, err
	}
	slices.Sort(far)
	return d.served(ctx, slices.Compact(far))
}

// correcting returns what a transaction of the folder does before and behind something that
// corrects headers of games on the servers: it knows what is corrected of them there, and
// keeps what is to become of that.
func (d *Library) correcting(ctx context.Context, ids []uint32) (before, behind func(shard.Tx) error, err error) {
	had, err := d.far.Corrections(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	before = func(tx shard.Tx) error { return tx.Served(ids, had) }
	behind = func(tx shard.Tx) error {
		now, err := tx.Corrections(ids)
		if err != nil {
			return err
		}
		if err := tx.Served(ids, nil); err != nil {
			return err
		}
		list := differing(had, now)
		if len(list) == 0 {
			return nil
		}
		data, err := json.Marshal(list)
		if err != nil {
			return fmt.Errorf("staging: %w", err)
		}
		return tx.Keep(correctingName, data)
	}
	return before, behind, nil
}

// differing returns the corrections that make one list of another.
func differing(had, now []store.Correction) (list []store.Correction) {
	type field struct {
		game uint32
		name string
	}
	values := map[field]string{}
	for _, c := range had {
		values[field{c.Game, c.Field}] = *c.Value
	}
	for _, c := range now {
		at := field{c.Game, c.Field}
		if value, ok := values[at]; !ok || value != *c.Value {
			list = append(list, c)
		}
		delete(values, at)
	}
	for _, c := range had {
		if _, gone := values[field{c.Game, c.Field}]; gone {
			list = append(list, store.Correction{Game: c.Game, Field: c.Field})
		}
	}
	return list
}

// correctingName is the name under which the folder keeps corrections that its journal has,
// and that may not be on the servers yet.
const correctingName = "staging/correcting"

// correctFar makes the corrections on the servers that the folder keeps, and returns how many
// games have other headers. Made twice, they are made once.
func (d *Library) correctFar(ctx context.Context) (games int, err error) {
	_, data, err := d.near.Turn(ctx, correctingName)
	if err != nil || len(data) == 0 {
		return 0, err
	}
	var list []store.Correction
	if err := json.Unmarshal(data, &list); err != nil {
		return 0, fmt.Errorf("staging: which headers are being corrected cannot be read: %w", err)
	}
	if games, err = d.far.Correct(ctx, list); err != nil {
		return games, fmt.Errorf("staging: the corrections are noted here, and are not on the servers yet: the next command that writes brings them there: %w", err)
	}
	return games, d.near.Update(ctx, func(tx shard.Tx) error { return tx.Keep(correctingName, nil) })
}

// carry has games on the servers that were shipped have the corrections that they have here.
func (d *Library) carry(ctx context.Context, ids []uint32, number map[uint32]uint32) error {
	list, err := d.near.Journal().Corrections(ctx, ids)
	if err != nil || len(list) == 0 {
		return err
	}
	for i := range list {
		list[i].Game = there(number, list[i].Game)
	}
	_, err = d.far.Correct(ctx, list)
	return err
}
