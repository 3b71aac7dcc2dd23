package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record/facts"
	"qipu/store"
)

// field names a header of a game.
type field struct {
	game uint32
	name string
}

// Correct corrects headers of games that are there, and returns what the headers of those
// are now that have changed.
func (t *Tx) Correct(db *DB, list []store.Correction, headers Headers) (map[uint32]*facts.Facts, error) {
	if !t.journal {
		return nil, fmt.Errorf("catalog: %w: its format is too old", store.ErrReadOnly)
	}
	var ids []uint32
	for _, c := range list {
		ids = append(ids, c.Game)
	}
	slices.Sort(ids)
	if t.served != nil {
		ids = slices.DeleteFunc(ids, t.served.Contains)
	}
	if err := t.exist(slices.Compact(ids)); err != nil {
		return nil, err
	}
	t.does(store.OpEdit, 0, told(list))
	changed, err := t.setLayer(list)
	if err != nil {
		return nil, err
	}
	return t.Relayer(db, changed, headers)
}

// told returns what people are told of corrections.
func told(list []store.Correction) map[string]any {
	args := map[string]any{}
	var fields []string
	same := true
	for _, c := range list {
		if !slices.Contains(fields, c.Field) {
			fields = append(fields, c.Field)
		}
		same = same && (c.Value == nil) == (list[0].Value == nil) && (c.Value == nil || *c.Value == *list[0].Value)
	}
	slices.Sort(fields)
	args["fields"] = fields
	if len(fields) == 1 && same && list[0].Value != nil {
		args["value"] = *list[0].Value
	}
	return args
}

// setLayer notes corrections, and returns the games of those that change something, by
// rising number.
func (t *Tx) setLayer(list []store.Correction) ([]uint32, error) {
	entry, err := t.entryID()
	if err != nil {
		return nil, err
	}
	steps := make([]layerStep, len(list))
	for i, c := range list {
		steps[i] = layerStep{Game: c.Game, Field: c.Field, After: c.Value}
	}
	now, err := t.corrections(steps)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	kept := steps[:0]
	for _, s := range steps {
		at := field{s.Game, s.Field}
		have, ok := now[at]
		if ok {
			s.Before = &have
		}
		switch {
		case s.After == nil && !ok, s.After != nil && ok && have == *s.After:
			continue
		case s.After == nil:
			delete(now, at)
			_, err = t.exec(bg, "DELETE FROM layer WHERE game = ? AND field = ?", int64(s.Game), s.Field)
		default:
			now[at] = *s.After
			_, err = t.exec(bg, "INSERT OR REPLACE INTO layer (game, field, value, journal) VALUES (?, ?, ?, ?)", int64(s.Game), s.Field, *s.After, entry)
		}
		if err != nil {
			return nil, explain(err)
		}
		kept, ids = append(kept, s), append(ids, s.Game)
	}
	if len(ids) > 0 {
		t.note(step{Layer: kept}, ids...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Served tells of games that lie elsewhere, and of all that was corrected of them there, so
// that corrections of them can be made, or taken back, in this transaction. It is no change
// that the journal has.
func (t *Tx) Served(ids []uint32, list []store.Correction) error {
	if err := t.readyQuiet(); err != nil || !t.journal {
		return err
	}
	if t.served == nil {
		t.served = roaring.New()
	}
	t.served.AddMany(ids)
	if err := t.dropLayers(ids); err != nil {
		return err
	}
	for _, c := range list {
		if _, err := t.exec(bg, "INSERT INTO layer (game, field, value, journal) VALUES (?, ?, ?, 0)", int64(c.Game), c.Field, *c.Value); err != nil {
			return explain(err)
		}
	}
	return nil
}

func (t *Tx) dropLayers(ids []uint32) error {
	for block := range slices.Chunk(ids, idBlock) {
		if _, err := t.exec(bg, "DELETE FROM layer WHERE game IN "+idList(block)); err != nil {
			return explain(err)
		}
	}
	return nil
}

// Corrections returns what was corrected of games, as the transaction sees it.
func (t *Tx) Corrections(ids []uint32) (list []store.Correction, err error) {
	err = eachCorrection(bg, t.conn, slices.Clip(append([]uint32{}, ids...)), func(game uint32, field, value string) {
		list = append(list, store.Correction{Game: game, Field: field, Value: &value})
	})
	return list, explain(err)
}

// corrections returns the corrections that there are of the games of steps.
func (t *Tx) corrections(steps []layerStep) (map[field]string, error) {
	var ids []uint32
	for i, s := range steps {
		if i == 0 || steps[i-1].Game != s.Game {
			ids = append(ids, s.Game)
		}
	}
	list := map[field]string{}
	err := eachCorrection(bg, t.conn, ids, func(game uint32, name, value string) { list[field{game, name}] = value })
	return list, explain(err)
}

func eachCorrection(ctx context.Context, c *conn, ids []uint32, f func(game uint32, field, value string)) error {
	take := func(row []driver.Value) error {
		f(uint32(num(row[0])), textOf(row[1]), textOf(row[2]))
		return nil
	}
	if ids == nil {
		return c.each(ctx, "SELECT game, field, value FROM layer ORDER BY game, field", take)
	}
	for block := range slices.Chunk(ids, idBlock) {
		if err := c.eachOnce(ctx, "SELECT game, field, value FROM layer WHERE game IN "+idList(block)+" ORDER BY game, field", take); err != nil {
			return err
		}
	}
	return nil
}

// Corrections returns what was corrected of games; of all where ids is nil.
func (db *DB) Corrections(ctx context.Context, ids []uint32) (list []store.Correction, err error) {
	err = db.read(func(c *conn) error {
		if ok, err := c.has(ctx, "layer"); !ok {
			return err
		}
		return eachCorrection(ctx, c, ids, func(game uint32, field, value string) {
			list = append(list, store.Correction{Game: game, Field: field, Value: &value})
		})
	})
	return list, err
}

// Relayer has the rows of games say what their records and the corrections of them say, and
// returns the headers of those that have changed.
func (t *Tx) Relayer(db *DB, ids []uint32, headers Headers) (map[uint32]*facts.Facts, error) {
	changed := map[uint32]*facts.Facts{}
	layers := map[uint32][]store.Correction{}
	if err := eachCorrection(bg, t.conn, slices.Clip(append([]uint32{}, ids...)), func(game uint32, field, value string) {
		layers[game] = append(layers[game], store.Correction{Game: game, Field: field, Value: &value})
	}); err != nil {
		return nil, explain(err)
	}
	names := newNameCache() // of its own: what is not committed may get another number
	for block := range slices.Chunk(ids, idBlock) {
		if err := t.ctx.Err(); err != nil {
			return nil, err
		}
		games, places, err := t.rowsOf(names, block)
		if err != nil {
			return nil, err
		}
		for i := range games {
			g := &games[i]
			record, _, err := db.text(t.ctx, g.ID, places[i])
			if err != nil {
				return nil, err
			}
			f, err := headers(record, layers[g.ID])
			if err != nil {
				return nil, fmt.Errorf("%w: game %d: %w", store.ErrDamaged, g.ID, err)
			}
			now := store.Storable(*f)
			if now == g.Facts {
				continue
			}
			if err := t.setHeaders(g, &now); err != nil {
				return nil, err
			}
			changed[g.ID] = f
		}
	}
	return changed, nil
}

// rowsOf returns games as the transaction sees them, and where their records are.
func (t *Tx) rowsOf(names *nameCache, ids []uint32) ([]store.Game, []place, error) {
	db := &DB{names: names}
	games, places, err := db.trashRows(bg, t.conn, "SELECT "+gameColumns+" FROM game WHERE id IN "+idList(ids)+" ORDER BY id")
	return games, places, explain(err)
}

// setHeaders writes the columns of a game that are others for its new headers.
func (t *Tx) setHeaders(g *store.Game, now *facts.Facts) error {
	kind, err := t.kind(g.Kind)
	if err != nil {
		return err
	}
	e := entryOf(g, store.Text{})
	if err := t.fill(int64(g.ID), &e, kind, 0, 0, g.Added.Unix()); err != nil {
		return err
	}
	before := t.row.all()
	e.Facts = now
	if err := t.fill(int64(g.ID), &e, kind, 0, 0, g.Added.Unix()); err != nil {
		return err
	}
	text, values := "", []driver.Value{}
	for i, v := range t.row.all() {
		if v != before[i] {
			text, values = text+", "+columns[i+1]+" = ?", append(values, v)
		}
	}
	if text == "" {
		return nil
	}
	_, err = t.exec(bg, "UPDATE game SET "+text[2:]+" WHERE id = ?", append(values, int64(g.ID))...)
	return explain(err)
}
