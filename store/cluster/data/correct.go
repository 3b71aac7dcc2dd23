package data

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
	"qipu/store/dedupe"
)

// correctGames is of how many games one commit corrects headers.
const correctGames = 4096

// Correct corrects headers of games, and returns how many have others now: a game gets a new
// document of the same record, as it gets one of a fuller record. Corrections of games that
// are not there, and such as change nothing, are passed over, so that it can be done again
// where it is not known how far it came. The values are canonical.
func (rs *Records) Correct(ctx context.Context, list []store.Correction) (games int, err error) {
	by := map[uint32][]store.Correction{}
	for _, c := range list {
		by[c.Game] = append(by[c.Game], c)
	}
	for part := range slices.Chunk(slices.Sorted(maps.Keys(by)), correctGames) {
		n, err := rs.correctPart(ctx, part, by)
		if games += n; err != nil {
			return games, err
		}
	}
	return games, nil
}

// correctPart corrects headers in one commit.
func (rs *Records) correctPart(ctx context.Context, ids []uint32, by map[uint32][]store.Correction) (games int, err error) {
	st, err := rs.enter(ctx, true)
	if err != nil {
		return 0, err
	}
	defer rs.leave()
	return rs.correctIn(ctx, st, ids, by)
}

// correctIn is correctPart for whoever has entered.
func (rs *Records) correctIn(ctx context.Context, st *ledger.State, ids []uint32, by map[uint32][]store.Correction) (games int, err error) {
	for try, repeats := 1, false; ; {
		a := &addition{Records: rs, State: st, repeats: repeats}
		games, err := a.relay(ctx, ids, by)
		if err == nil && len(a.items) > 0 {
			err = a.store(ctx, nil)
		}
		switch {
		case err == nil:
			return games, nil
		case errors.Is(err, errOvertaken):
			rs.Logf("headers are corrected anew: %v", err)
		case try == addTries || !errors.Is(err, wire.ErrUnshared):
			return 0, err
		default:
			try++
			repeats = true
			rs.Logf("corrected headers are written again: %v", err)
		}
		if st, err = rs.Fresh(ctx); err != nil {
			return 0, err
		}
	}
}

// relay makes the documents of games whose corrections are others now, and returns how many
// have other headers.
func (a *addition) relay(ctx context.Context, ids []uint32, by map[uint32][]store.Correction) (games int, err error) {
	var docs []uint32
	for _, id := range ids {
		if doc, ok := a.State.Doc(id); ok {
			docs = append(docs, doc)
		}
	}
	var had []*gameRow
	layers := map[uint32][]store.Correction{} // by document
	err = a.gameRows(ctx, docs, withTexts, func(g *gameRow) {
		if now, changed := laid(g.layer, by[a.Game(g.doc)]); changed {
			had, layers[g.doc] = append(had, g), now
		}
	})
	if err != nil || len(had) == 0 {
		return 0, err
	}
	slices.SortFunc(had, func(x, y *gameRow) int { return cmp.Compare(a.Game(x.doc), a.Game(y.doc)) })
	referee := record.NewReferee(a.Records.games)
	referee.Trace = true
	var played []*record.Played
	had = slices.DeleteFunc(had, func(g *gameRow) bool {
		rec, err := record.DecodeGame(g.record)
		if err != nil { // it would keep all others from being corrected for ever
			a.Logf("game %d keeps its headers, since its record cannot be read: %v", a.Game(g.doc), err)
			return true
		}
		rec.Raw = g.raw
		played = append(played, referee.Play(rec))
		return false
	})
	if len(had) == 0 {
		return 0, nil
	}
	a.items = dedupe.Items(played, nil, a.Kinds())
	low, err := a.takeNumbers(ctx, len(had))
	if err != nil {
		return 0, err
	}
	a.row.Low, a.row.High = low, low+uint32(len(had))
	for i, it := range a.items {
		g, number := had[i], low+uint32(i)
		it.ID, it.Status = a.Game(g.doc), store.StatusFuller
		it.Of = dedupe.Candidate{ID: it.ID, Batch: -1}
		// What the row says of the record is what it said when it came.
		it.Entry.Format, it.Entry.Encoding, it.Entry.Source, it.Entry.Record = g.format, g.encoding, g.source(), g.record
		before := g.Game(it.ID).Facts
		it.Lay(layers[g.doc])
		if store.Storable(*it.Entry.Facts) != before {
			games++
		}
		a.row.Docs, a.row.Games = append(a.row.Docs, number), append(a.row.Games, it.ID)
		a.documents = append(a.documents, rows.Document{Number: number, Added: g.added, Run: low, Item: it, Layer: layers[g.doc]})
	}
	return games, nil
}

// laid returns a layer with corrections laid over it, in the order of fields, and whether it
// is another one.
func laid(layer, list []store.Correction) (now []store.Correction, changed bool) {
	values := map[string]*string{}
	for _, c := range layer {
		values[c.Field] = c.Value
	}
	for _, c := range list {
		had, ok := values[c.Field]
		switch {
		case c.Value == nil:
			changed = changed || ok
			delete(values, c.Field)
		case !ok || *had != *c.Value:
			changed = true
			values[c.Field] = c.Value
		}
	}
	for _, field := range slices.Sorted(maps.Keys(values)) {
		now = append(now, store.Correction{Field: field, Value: values[field]})
	}
	return now, changed
}

// Corrections returns what was corrected of games, by rising number and field; of all where
// ids is nil. Games that are not there are passed over.
func (rs *Records) Corrections(ctx context.Context, ids []uint32) (list []store.Correction, err error) {
	st, err := rs.State(ctx)
	if err != nil {
		return nil, err
	}
	var docs []uint32
	if ids == nil {
		some := roaring.New()
		if err := rs.docsWhere(ctx, rows.HasLayer, some); err != nil {
			return nil, err
		}
		docs = slices.DeleteFunc(some.ToArray(), func(doc uint32) bool { return !st.Has(doc) })
	}
	for _, id := range ids {
		if doc, ok := st.Doc(id); ok {
			docs = append(docs, doc)
		}
	}
	err = rs.gameRows(ctx, docs, withoutTexts, func(g *gameRow) {
		for _, c := range g.layer {
			c.Game = st.Game(g.doc)
			list = append(list, c)
		}
	})
	slices.SortStableFunc(list, func(x, y store.Correction) int {
		return cmp.Or(cmp.Compare(x.Game, y.Game), cmp.Compare(x.Field, y.Field))
	})
	return list, err
}
