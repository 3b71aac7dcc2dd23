package staging

import (
	"context"
	"errors"
	"iter"
	"maps"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store"
)

// on does something at the place where a game lies. It may be shipped at that
// moment: then it is done again on the servers.
func (d *Library) on(ctx context.Context, id uint32, do func(store.Records) error) error {
	lies, err := d.lies(ctx)
	if err != nil {
		return err
	}
	if lies.Contains(id) {
		if err := do(d.near.Records()); !errors.Is(err, store.ErrNoGame) {
			return err
		}
	}
	return do(d.far)
}

// Version is that of the folder and of the servers. For whoever allows partial
// answers it is another one every time: nothing of these may be kept.
func (d *Library) Version(ctx context.Context) (store.Version, error) {
	if !d.options.ReadOnly {
		d.look()
	}
	if index.PartialAllowed(ctx) {
		return store.Unique(), nil
	}
	near, err := d.near.Records().Version(ctx)
	if err != nil {
		return near, err
	}
	far, err := d.far.Version(ctx)
	return store.Version{Near: near.Near, Far: far.Far}, err
}

// Counts adds up both places.
func (d *Library) Counts(ctx context.Context) (store.Counts, error) {
	near, err := d.near.Records().Counts(ctx)
	if err != nil {
		return near, err
	}
	far, err := d.far.Counts(ctx)
	if err != nil {
		return far, err
	}
	for kind, n := range far.Games {
		near.Games[kind] += n
	}
	near.Bytes += far.ChunkBytes
	near.ChunkBytes, near.Sources, near.Links = near.ChunkBytes+far.ChunkBytes, near.Sources+far.Sources, near.Links+far.Links
	return near, nil
}

// IDs returns the numbers of the games of a kind, "" for all.
func (d *Library) IDs(ctx context.Context, kind string) (*roaring.Bitmap, error) {
	near, err := d.near.Records().IDs(ctx, kind)
	if err != nil {
		return nil, err
	}
	if _, err := d.lies(ctx); err != nil { // see Library.lies
		return nil, err
	}
	far, err := d.far.IDs(ctx, kind)
	if err != nil {
		return nil, err
	}
	far.Or(near)
	return far, nil
}

// Games returns games in the order asked.
func (d *Library) Games(ctx context.Context, ids []uint32) ([]store.Game, error) {
	lies, err := d.lies(ctx)
	if err != nil {
		return nil, err
	}
	near, far := split(lies, ids)
	if len(near) == 0 {
		return d.far.Games(ctx, far)
	}
	here, err := d.near.Records().Games(ctx, near)
	if errors.Is(err, store.ErrNoGame) {
		if now, failed := d.lies(ctx); failed == nil && now != lies {
			return d.Games(ctx, ids) // some were shipped meanwhile
		}
	}
	if err != nil {
		return nil, err
	}
	if len(far) == 0 {
		return here, nil // whether the servers answer or not
	}
	there, err := d.far.Games(ctx, far)
	if err != nil {
		return nil, err
	}
	list := make([]store.Game, len(ids))
	for i, id := range ids {
		from := &there
		if lies.Contains(id) {
			from = &here
		}
		list[i], *from = (*from)[0], (*from)[1:]
	}
	return list, nil
}

// Record returns the record of a game and its original bytes.
func (d *Library) Record(ctx context.Context, id uint32) (record, raw []byte, err error) {
	err = d.on(ctx, id, func(s store.Records) (err error) {
		record, raw, err = s.Record(ctx, id)
		return err
	})
	return record, raw, err
}

// Texts yields the texts of games in the order asked.
func (d *Library) Texts(ctx context.Context, ids []uint32) iter.Seq2[store.Text, error] {
	return func(yield func(store.Text, error) bool) {
		for ids := ids; len(ids) > 0; {
			lies, err := d.lies(ctx) // anew: whoever reads may take long over what came so far
			if err != nil {
				yield(store.Text{}, err)
				return
			}
			n, near := 1, lies.Contains(ids[0])
			for n < len(ids) && lies.Contains(ids[n]) == near {
				n++
			}
			var from store.Records = d.far
			if near {
				from = d.near.Records()
			}
			done := 0
			for text, err := range from.Texts(ctx, ids[:n]) {
				if near && errors.Is(err, store.ErrNoGame) {
					if now, failed := d.lies(ctx); failed == nil && now != lies {
						n = done // the others were shipped meanwhile
						break
					}
				}
				if !yield(text, err) || err != nil && !errors.Is(err, store.ErrDamaged) {
					return
				}
				done++
			}
			ids = ids[n:]
		}
	}
}

// Sources returns where a game was found.
func (d *Library) Sources(ctx context.Context, id uint32) (list []store.Source, err error) {
	err = d.on(ctx, id, func(s store.Records) (err error) {
		list, err = s.Sources(ctx, id)
		return err
	})
	return list, err
}

// Places returns the places where games were found beside the first.
func (d *Library) Places(ctx context.Context, ids []uint32) (map[uint32][]store.Source, error) {
	lies, err := d.lies(ctx)
	if err != nil {
		return nil, err
	}
	near, far := split(lies, ids)
	places, err := d.far.Places(ctx, far)
	if err != nil || len(near) == 0 {
		return places, err
	}
	here, err := d.near.Records().Places(ctx, near)
	maps.Copy(places, here)
	return places, err
}

// Links returns the games that a game is linked to.
func (d *Library) Links(ctx context.Context, id uint32) (list []store.Link, err error) {
	err = d.on(ctx, id, func(s store.Records) (err error) {
		list, err = s.Links(ctx, id)
		return err
	})
	return list, err
}

// AddSources notes further places where games were found.
func (d *Library) AddSources(ctx context.Context, places map[uint32][]store.Source) error {
	lies, err := d.lies(ctx)
	if err != nil {
		return err
	}
	near, far := map[uint32][]store.Source{}, map[uint32][]store.Source{}
	for id, list := range places {
		if lies.Contains(id) {
			near[id] = list
		} else {
			far[id] = list
		}
	}
	if err := d.near.AddSources(ctx, near); err != nil {
		return err
	}
	return d.far.AddSources(ctx, far)
}

// Results yields what a book needs of games.
func (d *Library) Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		lies, err := d.lies(ctx)
		if err != nil {
			yield(store.ResultRow{}, err)
			return
		}
		near, far := split(lies, ids)
		byNumber(yield, d.far.Results(ctx, kind, far), d.near.Records().Results(ctx, kind, near))
	}
}

// ScanResults yields what a book needs of all games of a kind.
func (d *Library) ScanResults(ctx context.Context, kind string) iter.Seq2[store.ResultRow, error] {
	return func(yield func(store.ResultRow, error) bool) {
		byNumber(yield, d.far.ScanResults(ctx, kind), d.near.Records().ScanResults(ctx, kind))
	}
}

// byNumber yields the rows of two sequences, both by rising number, so.
func byNumber(yield func(store.ResultRow, error) bool, far, near iter.Seq2[store.ResultRow, error]) {
	next, stop := iter.Pull2(near)
	defer stop()
	n, err, some := next()
	for f, failed := range far {
		for some && err == nil && failed == nil && n.ID < f.ID {
			if !yield(n, nil) {
				return
			}
			n, err, some = next()
		}
		if !yield(f, failed) || failed != nil {
			return
		}
	}
	for ; some; n, err, some = next() {
		if !yield(n, err) || err != nil {
			return
		}
	}
}
