package staging

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/cluster/data"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
	"qipu/store/shard"
)

const (
	// direct is from how many records on a batch goes to the servers at once.
	direct = 256

	// shipGames is from how many staged games on they are shipped, and
	// shipAfter how long it lies there at most.
	shipGames = 1000
	shipAfter = 30 * time.Second

	// shipChunk is how many games are shipped together.
	shipChunk = 8192

	// patience is how long few games, and those that are shipped, wait for servers
	// that take no writes for now: they are safe here, and others wait to add theirs.
	patience = time.Second
)

// Add adds a batch of records: to the servers where there are many, and else to
// the staging folder. What belongs to a game that the servers have goes there.
func (d *Library) Add(ctx context.Context, b store.Batch) ([]store.Added, error) {
	if b.Collection != 0 && !b.DryRun {
		defer d.made(ctx)
	}
	d.adding.Lock()
	defer d.adding.Unlock()
	lies, err := d.lies(ctx)
	if err != nil {
		return nil, err
	}
	if len(b.Records) >= direct && (b.DryRun || lies.IsEmpty() || d.ship(ctx) == nil) {
		return d.addMany(ctx, b)
	}
	return d.addFew(ctx, b)
}

// addMany adds records to the servers, while nothing is staged.
func (d *Library) addMany(ctx context.Context, b store.Batch) ([]store.Added, error) {
	// What comes back and what is added are one change.
	ctx = store.Within(ctx, store.Deed{Key: "add:" + rand.Text(), Op: store.OpAdd})
	revived, err := d.revive(ctx, &b)
	if err != nil {
		return nil, err
	}
	added, err := d.far.Add(ctx, b)
	if err != nil || b.DryRun {
		return added, err
	}
	for i := range added {
		if a := &added[i]; a.Status == store.StatusDuplicate && revived.CheckedRemove(a.ID) {
			a.Status = store.StatusNew
		}
	}
	return added, d.enter(ctx, &b, added)
}

// revive brings games back out of the trash that records are of which are new on the servers,
// and returns them.
func (d *Library) revive(ctx context.Context, b *store.Batch) (*roaring.Bitmap, error) {
	back := roaring.New()
	if b.DryRun {
		return back, nil
	}
	if some, err := d.near.Revive(ctx, b, nil, true); err != nil || !some {
		return back, err
	}
	ask := *b
	ask.DryRun = true
	told, err := d.far.Add(ctx, ask)
	if err != nil {
		return nil, err
	}
	if some, err := d.near.Revive(ctx, b, told, false); err != nil || !some {
		return back, err
	}
	lies, err := d.lies(ctx)
	if err != nil {
		return nil, err
	}
	return lies.Clone(), d.ship(ctx)
}

// enter notes in the staging folder what a batch that lies on the servers means for it. A
// file that is not noted as read, because the machine stopped right here, is read
// again, and all its records are known then.
func (d *Library) enter(ctx context.Context, b *store.Batch, added []store.Added) error {
	inputs := b.Noted(added)
	var came []uint32
	places := map[uint32]store.Source{}
	for i, a := range added {
		switch a.Status {
		case store.StatusNew, store.StatusTwin:
			came = append(came, a.ID)
		case store.StatusDuplicate, store.StatusFuller:
			at := b.Records[i].Game.Place
			places[a.ID] = store.Source{File: at.File, Number: at.Number, Offset: at.Offset}
		}
	}
	if b.Collection == 0 && len(inputs) == 0 && len(added) == 0 {
		return nil
	}
	return d.near.Update(ctx, func(tx shard.Tx) error {
		if len(added) > 0 {
			if err := tx.Came(came, places); err != nil {
				return err
			}
			tx.Tally(added)
		}
		if b.Collection != 0 {
			ids := make([]uint32, len(added))
			for i := range added {
				ids[i] = added[i].ID
			}
			if err := tx.Collect(b.Collection, ids); err != nil {
				return err
			}
		}
		for _, in := range inputs {
			if err := tx.MarkInput(in); err != nil {
				return err
			}
		}
		return nil
	})
}

// addFew adds a few records. Where the servers cannot be asked whether they have
// them, they are taken for new: a game that was just played must not be lost.
func (d *Library) addFew(ctx context.Context, b store.Batch) ([]store.Added, error) {
	if len(b.Records) == 0 {
		if b.DryRun {
			return nil, nil
		}
		return nil, d.enter(ctx, &b, nil)
	}
	ask := b
	ask.DryRun = true
	added, err := d.far.Add(ctx, ask)
	switch _, down := errors.AsType[*store.UnreachableError](err); {
	case down && !d.options.ReadOnly:
		d.options.Logf("staging: the servers were not asked whether they have these games: %v", err)
		added = make([]store.Added, len(b.Records)) // all new
	case err != nil:
		return nil, err
	}
	near, far := b, b
	near.Records, far.Records = nil, nil
	far.Inputs, far.Note, far.Collection = nil, nil, 0
	isFar := make([]bool, len(added))
	linked := false // one is of a game, or belongs to one, that is in the batch
	for i, a := range added {
		if isFar[i] = a.ID != 0 || a.Of != 0; isFar[i] {
			far.Records = append(far.Records, b.Records[i])
		} else {
			near.Records = append(near.Records, b.Records[i])
			linked = linked || a.Status != store.StatusNew
		}
	}
	if linked && len(far.Records) > 0 && !b.DryRun && d.ship(ctx) == nil {
		return d.addMany(ctx, b) // they must not be parted
	}
	if !b.DryRun {
		if err := d.number(wire.WithPatience(ctx, patience), len(near.Records)); err != nil {
			return nil, err
		}
	}
	told, wasFar := added, isFar
	there, err := d.addFar(wire.WithPatience(ctx, patience), far, added, isFar)
	switch {
	case err == nil:
	case waits(err):
		// They belong to games that the servers have, which is found out again when
		// they are shipped.
		d.options.Logf("staging: what belongs to games on the servers lies here until they take it: %v", err)
		near.Records, far.Records, isFar = b.Records, nil, make([]bool, len(added))
		if err := d.number(wire.WithPatience(ctx, patience), len(near.Records)); err != nil {
			return nil, err
		}
	default:
		return nil, err
	}
	if b.Note != nil {
		near.Note = func(here []store.Added) []store.Input { return b.Note(joined(here, there, isFar)) }
	}
	here, err := d.near.Add(ctx, near)
	if err != nil {
		return nil, err
	}
	added = joined(here, there, isFar)
	for i := range added {
		if wasFar[i] && !isFar[i] {
			added[i].Status = told[i].Status
		}
	}
	if !b.DryRun && b.Collection != 0 && len(far.Records) > 0 {
		ids := make([]uint32, len(added))
		for i := range added {
			ids[i] = added[i].ID
		}
		if err := d.near.Update(ctx, func(tx shard.Tx) error { return tx.Collect(b.Collection, ids) }); err != nil {
			return nil, err
		}
	}
	select {
	case d.wake <- struct{}{}:
	default:
	}
	return added, nil
}

// joined returns what became of records of which some are staged and some on the
// servers, in their order.
func joined(here, there []store.Added, isFar []bool) []store.Added {
	added := make([]store.Added, len(isFar))
	for i := range added {
		from := &here
		if isFar[i] {
			from = &there
		}
		added[i], *from = (*from)[0], (*from)[1:]
	}
	return added
}

// addFar adds what belongs to games on the servers. A dry run has told already.
func (d *Library) addFar(ctx context.Context, far store.Batch, told []store.Added, isFar []bool) ([]store.Added, error) {
	if !far.DryRun {
		if len(far.Records) == 0 {
			return nil, nil
		}
		return d.far.Add(ctx, far)
	}
	var list []store.Added
	for i := range told {
		if isFar[i] {
			list = append(list, told[i])
		}
	}
	return list, nil
}

// number sees to it that the staging folder has numbers for so many games.
func (d *Library) number(ctx context.Context, games int) error {
	low, high, err := d.near.Numbers(ctx)
	if err != nil || high != 0 && int(high-low) >= games {
		return err
	}
	if low, high, err = d.far.Claim(ctx); waits(err) {
		return remedy.For(fmt.Errorf("staging: %s has no numbers for new games: servers give them, and give none for now, so that nothing of %d was stored: %w", d.Dir(), games, err), remedy.Servers)
	} else if err != nil {
		return err
	}
	if games > int(high-low) {
		return fmt.Errorf("staging: %d records at once are more than a block of numbers has (%d): add them in smaller batches", games, high-low)
	}
	return d.near.Update(ctx, func(tx shard.Tx) error { return tx.SetNumbers(low, high) })
}

// take takes numbers in a row for documents on the servers.
func (d *Library) take(ctx context.Context, n int) (low uint32, err error) {
	if err := d.number(ctx, n); err != nil {
		return 0, err
	}
	err = d.near.Update(ctx, func(tx shard.Tx) (err error) {
		low, err = tx.TakeIDs(n)
		return err
	})
	return low, err
}

// Ship brings the games that are staged to the servers. Killed at any moment,
// it loses none, and none is there twice: they keep their numbers, and leave the
// staging folder when the servers have them. Where those take none for now, that is
// told at once, as a *store.StagedError.
func (d *Library) Ship(ctx context.Context) error {
	d.adding.Lock()
	defer d.adding.Unlock()
	err := d.ship(ctx)
	if !waits(err) {
		return err
	}
	lies, failed := d.lies(ctx)
	if failed != nil || lies.IsEmpty() {
		return err
	}
	return &store.StagedError{Games: lies.GetCardinality(), Dir: d.Dir(), Err: err}
}

// waits reports whether an error is one of servers that cannot take games for now.
func waits(err error) bool {
	return wire.IsDown(err) || wire.TakesNoWrites(err) || errors.Is(err, data.ErrUncleared)
}

func (d *Library) ship(ctx context.Context) error {
	lies, err := d.lies(ctx)
	if err != nil || lies.IsEmpty() {
		return err
	}
	ctx = wire.WithPatience(ctx, patience)
	for _, run := range runs(lies) {
		if err := d.shipRun(ctx, run); err != nil {
			return err
		}
	}
	return nil
}

// runs parts a set into numbers in a row, shipChunk at most.
func runs(set *roaring.Bitmap) (list [][]uint32) {
	var run []uint32
	for it := set.Iterator(); it.HasNext(); {
		id := it.Next()
		if n := len(run); n > 0 && (run[n-1]+1 != id || n == shipChunk) {
			list, run = append(list, run), nil
		}
		run = append(run, id)
	}
	return append(list, run)
}

// shipRun ships games with numbers in a row. Another writer may have brought one
// of them meanwhile: then it is known by the number that it has there.
func (d *Library) shipRun(ctx context.Context, ids []uint32) error {
	referee := record.NewReferee(d.options.Games)
	referee.Trace = true
	var b store.Batch
	for text, err := range d.near.Records().Texts(ctx, ids) {
		if err != nil {
			return err
		}
		g, err := record.DecodeGame(text.Record)
		if err != nil {
			return remedy.For(fmt.Errorf("staging: game %d: %w", text.ID, err), remedy.Check)
		}
		g.Raw = text.Raw
		b.Records, b.Numbers = append(b.Records, referee.Play(g)), append(b.Numbers, text.ID)
	}
	places, err := d.near.Records().Places(ctx, ids)
	if err != nil {
		return err
	}
	links := map[uint32][]store.Link{}
	for _, id := range ids {
		list, err := d.near.Records().Links(ctx, id)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			links[id] = list
		}
	}
	if b.Again, err = d.begun(ctx); err != nil {
		return err
	}
	added, err := d.send(ctx, b)
	for tries := 0; errors.Is(err, data.ErrTakesPlace) && tries < sendTries; tries++ {
		added, err = d.send(ctx, b) // another writer has brought a shorter record meanwhile
	}
	if err != nil {
		return err
	}
	number := map[uint32]uint32{} // there, where it is another one
	sources := map[uint32][]store.Source{}
	for i, id := range ids {
		if added[i].ID != id {
			number[id] = added[i].ID
		}
		if list := places[id]; len(list) > 0 {
			sources[added[i].ID] = list
		}
	}
	if err := d.far.AddSources(ctx, sources); err != nil {
		return err
	}
	for id, list := range links {
		for _, l := range list {
			if err := d.far.Link(ctx, there(number, id), there(number, l.Game), l.Why); err != nil {
				return err
			}
		}
	}
	if err := d.carry(ctx, ids, number); err != nil {
		return err
	}
	return d.near.Update(context.WithoutCancel(ctx), func(tx shard.Tx) error {
		if err := d.renumber(ctx, tx, number); err != nil {
			return err
		}
		if err := tx.MarkInput(store.Input{Path: shipping, ModTime: time.Unix(0, 0)}); err != nil {
			return err
		}
		return tx.Release(ids)
	})
}

// sendTries is how often a run is sent again of which others bring games meanwhile.
const sendTries = 10

// shipping is the name under which the catalogue notes that games are being
// shipped.
const shipping = "shipping"

// begun notes that a shipping begins, and reports whether one before it did not
// come to its end.
func (d *Library) begun(ctx context.Context) (again bool, err error) {
	before, err := d.near.Notes().InputOf(ctx, shipping)
	if err != nil || before != nil && before.Size != 0 {
		return true, err
	}
	return false, d.near.Update(ctx, func(tx shard.Tx) error {
		return tx.MarkInput(store.Input{Path: shipping, Size: 1, ModTime: time.Unix(0, 0)})
	})
}

// send sends records with numbers. Those that belong to a game that the servers
// have go without, behind the others.
func (d *Library) send(ctx context.Context, b store.Batch) ([]store.Added, error) {
	ask := b
	ask.Numbers, ask.DryRun = nil, true
	added, err := d.far.Add(ctx, ask)
	if err != nil {
		return nil, err
	}
	st, err := d.far.State(ctx)
	if err != nil {
		return nil, err
	}
	const fresh, deleted, rest = 0, 1, 2 // new games, such as were deleted before, and others
	parts := [3]store.Batch{fresh: {Again: b.Again}}
	of := make([]int, len(added))
	for i, a := range added {
		n := b.Numbers[i]
		switch _, there := st.Doc(n); {
		case a.Status != store.StatusNew && a.Status != store.StatusTwin, there:
			of[i] = rest
		case st.Spans.Has(n):
			of[i] = deleted
		}
		part := &parts[of[i]]
		if part.Records = append(part.Records, b.Records[i]); of[i] != rest {
			part.Numbers = append(part.Numbers, n)
		}
	}
	var done [3][]store.Added
	for i, add := range []func(context.Context, store.Batch) ([]store.Added, error){d.far.Add, d.far.Revive, d.far.Add} {
		if len(parts[i].Records) > 0 {
			if done[i], err = add(ctx, parts[i]); err != nil {
				return nil, err
			}
		}
	}
	for i := range added {
		from := &done[of[i]]
		added[i], *from = (*from)[0], (*from)[1:]
	}
	return added, nil
}

func there(number map[uint32]uint32, id uint32) uint32 {
	if n, ok := number[id]; ok {
		return n
	}
	return id
}

// renumber has collections and tags know games by the numbers that they have on
// the servers.
func (d *Library) renumber(ctx context.Context, tx shard.Tx, number map[uint32]uint32) error {
	if len(number) == 0 {
		return nil
	}
	known := func(set *roaring.Bitmap) (list []uint32) {
		for old, now := range number {
			if set.Contains(old) {
				list = append(list, now)
			}
		}
		return list
	}
	collections, err := d.near.Notes().Collections(ctx)
	if err != nil {
		return err
	}
	for _, c := range collections {
		set, err := d.near.Notes().Members(ctx, c.ID)
		if err != nil {
			return err
		}
		if list := known(set); len(list) > 0 {
			if err := tx.Collect(c.ID, list); err != nil {
				return err
			}
		}
	}
	tags, err := d.near.Notes().Tags(ctx)
	if err != nil {
		return err
	}
	for _, t := range tags {
		set, err := d.near.Notes().Tagged(ctx, t.Name)
		if err != nil {
			return err
		}
		if list := known(set); len(list) > 0 {
			if err := tx.Tag(t.Name, list); err != nil {
				return err
			}
		}
	}
	old := make([]uint32, 0, len(number))
	for id := range number {
		old = append(old, id)
	}
	slices.Sort(old)
	return tx.Forget(old)
}

// rejoin has collections and tags know games by the numbers under which they were
// joined with others on the servers, by whomsoever.
func (d *Library) rejoin(ctx context.Context, st *ledger.State) error {
	if len(st.Games) == 0 {
		return nil
	}
	old := roaring.New()
	for game := range st.Games {
		old.Add(game)
	}
	number := map[uint32]uint32{}
	note := func(set *roaring.Bitmap, err error) error {
		if err == nil {
			for it := roaring.And(set, old).Iterator(); it.HasNext(); {
				game := it.Next()
				number[game] = st.Joined(game)
			}
		}
		return err
	}
	collections, err := d.near.Notes().Collections(ctx)
	if err != nil {
		return err
	}
	for _, c := range collections {
		if err := note(d.near.Notes().Members(ctx, c.ID)); err != nil {
			return err
		}
	}
	tags, err := d.near.Notes().Tags(ctx)
	if err != nil {
		return err
	}
	for _, t := range tags {
		if err := note(d.near.Notes().Tagged(ctx, t.Name)); err != nil {
			return err
		}
	}
	if len(number) == 0 {
		return nil
	}
	return d.near.Update(ctx, func(tx shard.Tx) error { return d.renumber(ctx, tx, number) })
}

// shipInBackground ships when many games are staged, or some have lain there
// for a while.
func (d *Library) shipInBackground() {
	tick := time.NewTicker(shipAfter)
	defer tick.Stop()
	for {
		least := uint64(1)
		select {
		case <-d.stopped.Done():
			return
		case <-d.wake:
			least = shipGames
		case <-tick.C:
		}
		lies, err := d.lies(d.stopped)
		if err == nil {
			if lies.GetCardinality() < least {
				continue
			}
			err = d.Ship(d.stopped)
		}
		if d.stopped.Err() != nil {
			return
		}
		if d.note(err); err != nil {
			d.options.Logf("%v", err)
		}
	}
}

// Delete deletes games, wherever they lie. Those on the servers go into the trash of the
// folder.
func (d *Library) Delete(ctx context.Context, ids []uint32) error {
	defer d.made(ctx)
	d.adding.Lock()
	defer d.adding.Unlock()
	if err := d.finish(ctx); err != nil {
		return err
	}
	lies, err := d.lies(ctx)
	if err != nil {
		return err
	}
	// One may be in both places, where shipping was interrupted: it would be back
	// when only the staging folder forgot it.
	near, _ := split(lies, ids)
	far, err := d.served(ctx, ids)
	if err != nil {
		return err
	}
	ctx = store.Within(ctx, store.Deed{Key: "delete:" + rand.Text(), Op: store.OpDelete})
	for part := range slices.Chunk(far, shipChunk) {
		if err := d.bury(ctx, part, lies); err != nil {
			return err
		}
	}
	if len(near) > 0 {
		return d.near.Delete(ctx, near)
	}
	return nil
}

// bury deletes games on the servers, which go into the trash of the folder first of all.
func (d *Library) bury(ctx context.Context, ids []uint32, lies *roaring.Bitmap) error {
	files, err := d.files(ctx, ids)
	if err != nil {
		return err
	}
	gone := roaring.BitmapOf(ids...)
	err = d.near.Update(ctx, func(tx shard.Tx) error {
		if err := tx.ForgetInputs(files); err != nil {
			return err
		}
		if err := d.adopt(ctx, tx, roaring.AndNot(gone, lies).ToArray()); err != nil {
			return err
		}
		if err := tx.Delete(ids); err != nil {
			return err
		}
		return keepDeleting(tx, gone)
	})
	if err != nil {
		return err
	}
	return d.finish(context.WithoutCancel(ctx))
}

// adopt fetches games from the servers into a transaction of the folder. Those whose records
// cannot be read there are left out.
func (d *Library) adopt(ctx context.Context, tx shard.Tx, ids []uint32) error {
	for part := range slices.Chunk(ids, adoptChunk) {
		games, err := d.far.Games(ctx, part)
		if err != nil {
			return err
		}
		var have []store.Game
		var texts []store.Text
		i := 0
		for text, err := range d.far.Texts(ctx, part) {
			switch {
			case err == nil:
				text.Record, text.Raw = slices.Clone(text.Record), slices.Clone(text.Raw)
				have, texts = append(have, games[i]), append(texts, text)
			case !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNoGame):
				return err
			}
			i++
		}
		if err := tx.Adopt(have, texts); err != nil {
			return err
		}
		layer, err := d.far.Corrections(ctx, part)
		if err != nil {
			return err
		}
		if err := tx.Served(part, layer); err != nil {
			return err
		}
	}
	return nil
}

// adoptChunk is how many games are fetched from the servers at once.
const adoptChunk = 2048

// deletingName is the name under which the folder keeps which games are in its trash, and
// may be on the servers still.
const deletingName = "staging/deleting"

func keepDeleting(tx shard.Tx, games *roaring.Bitmap) error {
	data, err := writeSet(games)
	if err != nil {
		return err
	}
	return tx.Keep(deletingName, data)
}

// finish deletes on the servers what is in the trash of the folder already, and corrects there
// what the journal says. What was interrupted comes to its end.
func (d *Library) finish(ctx context.Context) error {
	if err := d.finishDeleting(ctx); err != nil {
		return err
	}
	_, err := d.correctFar(ctx)
	return err
}

func (d *Library) finishDeleting(ctx context.Context) error {
	_, data, err := d.near.Turn(ctx, deletingName)
	if err != nil || len(data) == 0 {
		return err
	}
	games, err := readSet(data)
	if err != nil {
		return fmt.Errorf("staging: which games are being deleted cannot be read: %w", err)
	}
	if err := d.far.Delete(ctx, games.ToArray()); err != nil {
		return err
	}
	d.knows(games.ToArray())
	return d.near.Update(ctx, func(tx shard.Tx) error { return tx.Keep(deletingName, nil) })
}

// served returns those of some numbers that are of games on the servers.
func (d *Library) served(ctx context.Context, ids []uint32) ([]uint32, error) {
	v, err := d.far.View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	has := v.(servers)
	return slices.DeleteFunc(slices.Clone(ids), func(id uint32) bool { return !has.Has(id) }), nil
}

// files returns the files that games on the servers came from.
func (d *Library) files(ctx context.Context, ids []uint32) (files []string, err error) {
	games, err := d.far.Games(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i := range games {
		files = append(files, games[i].Source.File)
	}
	places, err := d.far.Places(ctx, ids)
	for _, list := range places {
		for _, p := range list {
			files = append(files, p.File)
		}
	}
	return files, err
}

// split parts numbers by where their games lie.
func split(lies *roaring.Bitmap, ids []uint32) (near, far []uint32) {
	for _, id := range ids {
		if lies.Contains(id) {
			near = append(near, id)
		} else {
			far = append(far, id)
		}
	}
	return near, far
}
