package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// trashBefore is how many columns of the trash stand before those of games.
const trashBefore = 4

var (
	trashedColumns = "game, " + strings.Join(columns[1:], ", ")
	trashColumns   = "id, journal, at, replaced, " + trashedColumns
	insertTrash    = "INSERT INTO trash (" + trashColumns + ") VALUES (?" + strings.Repeat(", ?", trashBefore+len(columns)-1) + ")"
	takeBack       = "UPDATE game SET (" + strings.Join(columns[1:], ", ") + ") = (SELECT " + strings.Join(columns[1:], ", ") + " FROM trash WHERE trash.id = ?) WHERE id = ?"
)

// entryOf returns a stored game as one that is to be stored.
func entryOf(g *store.Game, text store.Text) store.Entry {
	return store.Entry{
		Kind: g.Kind, Key: g.Key, Head: g.Head, Plies: g.Plies, Facts: &g.Facts, Format: g.Format, Encoding: g.Encoding,
		Marked: g.Marked, Source: g.Source, Record: text.Record, Raw: text.Raw,
	}
}

// bury deletes games that are there: they go into the trash, and what people made of them is
// told by the journal, so that it can come back with them.
func (t *Tx) bury(ids []uint32) error {
	if err := t.forgetInputs(ids); err != nil {
		return explain(err)
	}
	games := roaring.BitmapOf(ids...)
	if err := t.forgetGames(games); err != nil {
		return err
	}
	if !t.journal {
		return t.remove(ids)
	}
	// What cannot be read cannot come back.
	readable, err := t.readable(ids)
	if err != nil {
		return err
	}
	t.about(ids...)
	if len(readable) == 0 {
		t.note(step{Gone: &goneStep{}})
		return t.remove(ids)
	}
	if _, err := t.putAway(readable, false); err != nil {
		return err
	}
	s := &goneStep{}
	for block := range slices.Chunk(ids, idBlock) {
		in := idList(block)
		err := t.eachOnce(bg, "SELECT s.game, coalesce(n.text, '') || s.base, s.number, s.offset FROM source s LEFT JOIN name n ON n.id = s.folder WHERE s.game IN "+in, func(row []driver.Value) error {
			s.Places = append(s.Places, placeStep{uint32(num(row[0])), textOf(row[1]), intOf(row[2]), num(row[3])})
			return nil
		})
		if err == nil {
			err = t.eachOnce(bg, "SELECT a, b, why FROM link WHERE a IN "+in+" OR b IN "+in, func(row []driver.Value) error {
				s.Links = append(s.Links, linkStep{uint32(num(row[0])), uint32(num(row[1])), textOf(row[2])})
				return nil
			})
		}
		if err != nil {
			return explain(err)
		}
	}
	if s.Games, err = bitmapBytes(roaring.BitmapOf(readable...)); err != nil {
		return err
	}
	t.note(step{Gone: s}, ids...)
	if t.spares == nil {
		t.spares = roaring.New()
	}
	t.spares.AddMany(readable)
	return t.remove(ids)
}

// Adopt stores games that lie elsewhere under the numbers that they have there, in no
// segment. It is no change that the journal has.
func (t *Tx) Adopt(games []store.Game, texts []store.Text) error {
	now, next := t.now, t.counters[nextGame]
	defer func() { t.now, t.counters[nextGame] = now, next }()
	ids, added, entries := make([]uint32, len(games)), make([]int64, len(games)), make([]store.Entry, len(games))
	for i := range games {
		ids[i], added[i], entries[i] = games[i].ID, games[i].Added.Unix(), entryOf(&games[i], texts[i])
	}
	return t.AddAs(ids, added, entries)
}

// Came tells the journal of games that came to lie elsewhere, and of places where games were
// found that lie there.
func (t *Tx) Came(games []uint32, places map[uint32]store.Source) error {
	t.Adds()
	if len(games) > 0 {
		data, err := bitmapBytes(roaring.BitmapOf(games...))
		if err != nil {
			return err
		}
		t.note(step{Come: data}, games...)
	}
	for _, id := range slices.Sorted(maps.Keys(places)) {
		t.notePlace(id, places[id])
	}
	return nil
}

// Alive returns those of some games that are in the catalogue.
func (t *Tx) Alive(games *roaring.Bitmap) (*roaring.Bitmap, error) { return t.alive(games) }

// readable returns those of some games whose records are in chunks that are whole.
func (t *Tx) readable(ids []uint32) (good []uint32, err error) {
	slots := map[int64]int{}
	for block := range slices.Chunk(ids, idBlock) {
		var places []place
		var games []uint32
		err := t.eachOnce(bg, "SELECT id, chunk, slot FROM game WHERE id IN "+idList(block)+" ORDER BY id", func(row []driver.Value) error {
			games, places = append(games, uint32(num(row[0]))), append(places, place{num(row[1]), intOf(row[2])})
			return nil
		})
		if err != nil {
			return nil, explain(err)
		}
		for i, at := range places {
			if _, ok := slots[at.chunk]; !ok {
				slots[at.chunk] = 0
				if err := t.each(bg, "SELECT sum, data FROM chunk WHERE id = ?", func(row []driver.Value) error {
					if n, err := checkChunk(blobOf(row[1]), uint64(num(row[0]))); err == nil {
						slots[at.chunk] = n
					}
					return nil
				}, at.chunk); err != nil {
					return nil, explain(err)
				}
			}
			if at.slot >= 0 && at.slot < slots[at.chunk] {
				good = append(good, games[i])
			}
		}
	}
	return good, nil
}

// putAway copies rows of games into the trash, and returns the number of the first there.
func (t *Tx) putAway(ids []uint32, replaced bool) (int64, error) {
	entry, err := t.entryID()
	if err != nil {
		return 0, err
	}
	first := t.counters["trash"]
	for block := range slices.Chunk(ids, idBlock) {
		text := fmt.Sprintf("INSERT INTO trash (%s) SELECT %d + row_number() OVER (ORDER BY id), %d, %d, %d, %s FROM game WHERE id IN %s",
			trashColumns, t.counters["trash"]-1, entry, t.now, flag(replaced), gameColumns, idList(block))
		if err := t.script(bg, text); err != nil {
			return 0, explain(err)
		}
		t.counters["trash"] += int64(len(block))
	}
	return first, nil
}

// inTrash is a row of the trash.
type inTrash struct {
	id, kind int64
	game     uint32
}

// trashed returns rows of the trash by a condition, in their order.
func (t *Tx) trashed(where string, args ...driver.Value) (list []inTrash, err error) {
	err = t.each(bg, "SELECT id, kind, game FROM trash WHERE "+where+" ORDER BY id", func(row []driver.Value) error {
		list = append(list, inTrash{num(row[0]), num(row[1]), uint32(num(row[2]))})
		return nil
	}, args...)
	return list, explain(err)
}

// takeOut gives a game the record of a row of the trash, which goes.
func (t *Tx) takeOut(trash int64, game uint32) error {
	kind := func(delta int64) error {
		id, _, err := t.number(bg, "SELECT kind FROM game WHERE id = ?", int64(game))
		t.kindDelta[id] += delta
		return err
	}
	err := kind(-1)
	if err == nil {
		_, err = t.exec(bg, takeBack, trash, int64(game))
	}
	if err == nil {
		err = kind(1)
	}
	if err == nil {
		_, err = t.exec(bg, "DELETE FROM trash WHERE id = ?", trash)
	}
	return explain(err)
}

// revive brings games back out of the trash, and returns those that were there. They are in
// no segment yet.
func (t *Tx) revive(games *roaring.Bitmap) (*roaring.Bitmap, error) {
	found := roaring.New()
	if t.digest != nil {
		t.digest.copies = true
		defer func() { t.digest.copies = false }()
	}
	for block := range slices.Chunk(games.ToArray(), idBlock) {
		var list []byte
		err := t.eachOnce(bg, "SELECT max(id), game FROM trash WHERE replaced = 0 AND game NOT IN (SELECT id FROM game WHERE id IN "+idList(block)+") AND game IN "+idList(block)+" GROUP BY game", func(row []driver.Value) error {
			list = strconv.AppendInt(append(list, ','), num(row[0]), 10)
			found.Add(uint32(num(row[1])))
			return nil
		})
		if err != nil {
			return nil, explain(err)
		}
		if len(list) == 0 {
			continue
		}
		in := " WHERE id IN (" + string(list[1:]) + ")"
		err = t.eachOnce(bg, "SELECT kind, count(*) FROM trash"+in+" GROUP BY kind", func(row []driver.Value) error {
			t.kindDelta[num(row[0])] += num(row[1])
			return nil
		})
		if err == nil {
			err = t.script(bg, "INSERT INTO game ("+gameColumns+") SELECT "+trashedColumns+" FROM trash"+in+" ORDER BY game")
		}
		if err == nil {
			err = t.script(bg, "DELETE FROM trash"+in)
		}
		if err != nil {
			return nil, explain(err)
		}
	}
	if found.IsEmpty() {
		return found, nil
	}
	data, err := bitmapBytes(found)
	if err == nil {
		t.note(step{Come: data}, found.ToArray()...)
	}
	return found, err
}

// notePlaces notes places where games were found, those that are there; unnotePlaces forgets
// such.
func (t *Tx) notePlaces(list []placeStep) error {
	for _, p := range list {
		s := store.Source{File: p.File, Number: p.Number, Offset: p.Offset}
		there, err := t.alive(roaring.BitmapOf(p.Game))
		if err != nil {
			return err
		}
		if there.IsEmpty() {
			continue
		}
		added, err := t.addPlace(p.Game, s)
		if err != nil {
			return err
		}
		if added {
			t.notePlace(p.Game, s)
		}
	}
	return nil
}

func (t *Tx) unnotePlaces(list []placeStep) error {
	var gone []placeStep
	for _, p := range list {
		folder, base, err := t.sourceParts(store.Source{File: p.File, Number: p.Number, Offset: p.Offset})
		if err != nil {
			return err
		}
		n, err := t.exec(bg, "DELETE FROM source WHERE game = ? AND folder = ? AND base = ? AND number = ? AND offset = ?", int64(p.Game), folder, base, int64(p.Number), p.Offset)
		if err != nil {
			return explain(err)
		}
		if n > 0 {
			gone = append(gone, p)
			t.entry.things++
		}
	}
	if len(gone) == 0 {
		return nil
	}
	t.note(step{Unnote: gone})
	var files []string
	for i, p := range gone {
		if i == 0 || gone[i-1].File != p.File {
			files = append(files, p.File)
		}
	}
	return t.ForgetInputs(files)
}

// notePlace tells the journal of a place. Many of them are one step.
func (t *Tx) notePlace(id uint32, s store.Source) {
	if !t.journal {
		return
	}
	p := placeStep{id, s.File, s.Number, s.Offset}
	if n := len(t.entry.steps); n > 0 && t.entry.steps[n-1].Source != nil {
		t.entry.steps[n-1].Source = append(t.entry.steps[n-1].Source, p)
	} else {
		t.note(step{Source: []placeStep{p}})
	}
	t.entry.things++
}

// InTrash returns the games in the trash that have one of the hashes of moves, with their
// records.
func (db *DB) InTrash(ctx context.Context, keys []uint64) (games []store.Game, texts []store.Text, err error) {
	err = db.readTx(ctx, func(c *conn) error {
		if ok, err := c.has(ctx, "trash"); !ok {
			return err
		}
		if _, some, err := c.number(ctx, "SELECT 1 FROM trash WHERE replaced = 0 LIMIT 1"); err != nil || !some {
			return err
		}
		for block := range slices.Chunk(keys, idBlock) {
			text := []byte("SELECT " + trashedColumns + " FROM trash WHERE replaced = 0 AND key IN (0")
			for _, key := range block {
				text = strconv.AppendInt(append(text, ','), int64(key), 10)
			}
			list, places, err := db.trashRows(ctx, c, string(text)+") ORDER BY id")
			if err != nil {
				return err
			}
			for i := range list {
				record, raw, err := db.text(ctx, list[i].ID, places[i])
				if ofGame(err) {
					continue
				} else if err != nil {
					return err
				}
				games, texts = append(games, list[i]), append(texts, store.Text{ID: list[i].ID, Record: record, Raw: raw})
			}
		}
		return nil
	})
	return games, texts, err
}

// trashRows returns games of rows that have the columns of the trash first.
func (db *DB) trashRows(ctx context.Context, c *conn, text string) (games []store.Game, places []place, err error) {
	var rows [][]driver.Value
	names, kinds := map[int64]string{}, map[int64]string{}
	err = c.eachOnce(ctx, text, func(row []driver.Value) error {
		rows = append(rows, slices.Clone(row))
		for _, i := range nameColumns {
			if id, ok := row[i].(int64); ok {
				names[id] = ""
			}
		}
		return nil
	})
	if err == nil {
		err = c.each(ctx, "SELECT id, text FROM kind", func(row []driver.Value) error {
			kinds[num(row[0])] = textOf(row[1])
			return nil
		})
	}
	if err == nil {
		err = db.names.resolve(ctx, c, names)
	}
	for _, row := range rows {
		games, places = append(games, scan(row, kinds, names)), append(places, place{num(row[5]), intOf(row[6])})
	}
	return games, places, err
}

// Trash returns the games that can be brought back, those deleted last first.
func (db *DB) Trash(ctx context.Context, p store.Page) (list []store.Trashed, err error) {
	err = db.readTx(ctx, func(c *conn) error {
		if ok, err := c.has(ctx, "trash"); !ok {
			return err
		}
		where := " FROM trash WHERE replaced = 0"
		if p.Before > 0 {
			where += fmt.Sprintf(" AND id < (SELECT max(id) FROM trash WHERE replaced = 0 AND game = %d)", p.Before)
		}
		if where += " ORDER BY id DESC"; p.Limit > 0 {
			where += fmt.Sprintf(" LIMIT %d", p.Limit)
		}
		games, _, err := db.trashRows(ctx, c, "SELECT "+trashedColumns+where)
		if err != nil {
			return err
		}
		for i := range games {
			list = append(list, store.Trashed{Game: games[i]})
		}
		i := 0
		return c.eachOnce(ctx, "SELECT at, journal"+where, func(row []driver.Value) error {
			list[i].At, list[i].By = time.Unix(num(row[0]), 0), num(row[1])
			list[i].Until = list[i].At.Add(store.TrashTerm)
			i++
			return nil
		})
	})
	return list, err
}

// Purge deletes what has been in the trash since a moment or longer, for good. Chunks that
// had something of it are packed anew without, and the pages that held it overwritten.
func (db *DB) Purge(ctx context.Context, until time.Time) (games int, err error) {
	w, err := db.acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer db.release()
	if !w.journal {
		return 0, nil
	}
	oldest, some, err := w.number(ctx, "SELECT min(at) FROM trash")
	if err != nil || !some || oldest > until.Unix() {
		return 0, explain(err)
	}
	if err := w.script(ctx, "PRAGMA secure_delete = 1"); err != nil {
		return 0, explain(err)
	}
	defer func() { _ = w.script(bg, "PRAGMA secure_delete = 0") }()
	touched := map[int64]bool{}
	err = w.update(ctx, func(t *Tx) (err error) {
		games, err = t.purge(until.Unix(), touched)
		return err
	})
	if err != nil {
		return 0, err
	}
	moves, empty, err := w.untidy(ctx, touched)
	if err == nil {
		empty = slices.DeleteFunc(empty, func(id int64) bool { return !touched[id] })
		var chunks []int64
		for id := range moves {
			if touched[id] {
				chunks = append(chunks, id)
			}
		}
		slices.Sort(chunks)
		err = w.update(ctx, func(t *Tx) error {
			if err := t.dropChunks(empty); err != nil {
				return err
			}
			return t.repack(db, chunks, moves)
		})
	}
	if err == nil {
		err = w.eachOnce(ctx, "PRAGMA wal_checkpoint(TRUNCATE)", func([]driver.Value) error { return nil })
	}
	return games, explain(err)
}

func (t *Tx) purge(until int64, touched map[int64]bool) (games int, err error) {
	if err := t.readyQuiet(); err != nil {
		return 0, err
	}
	gone := roaring.New()
	entries := map[int64]bool{}
	err = t.each(bg, "SELECT game, chunk, replaced, journal FROM trash WHERE at <= ?", func(row []driver.Value) error {
		touched[num(row[1])], entries[num(row[3])] = true, true
		if num(row[2]) == 0 {
			gone.Add(uint32(num(row[0])))
		}
		return nil
	}, until)
	if err != nil {
		return 0, explain(err)
	}
	if _, err := t.exec(bg, "DELETE FROM trash WHERE at <= ?", until); err != nil {
		return 0, explain(err)
	}
	for block := range slices.Chunk(gone.ToArray(), idBlock) {
		in := idList(block)
		if err := t.script(bg, "DELETE FROM layer WHERE game IN "+in+" AND game NOT IN (SELECT id FROM game) AND game NOT IN (SELECT game FROM trash)"); err != nil {
			return 0, explain(err)
		}
	}
	// What it would take to undo a deletion is of no use any more, and tells of the games.
	for id := range entries {
		if _, err := t.exec(bg, `DELETE FROM delta WHERE journal = ? AND NOT EXISTS (SELECT 1 FROM trash WHERE trash.journal = ?) AND journal IN
			(SELECT id FROM journal WHERE op IN ('delete', 'undo'))`, id, id); err != nil {
			return 0, explain(err)
		}
	}
	return int(gone.GetCardinality()), t.loseSpares(gone)
}

// Spare lines: dead lines of segments that are right again when their games come back.

func (t *Tx) readSpares() (map[int64]*roaring.Bitmap, error) {
	list := map[int64]*roaring.Bitmap{}
	if !t.journal {
		return list, nil
	}
	err := t.each(bg, "SELECT segment, games FROM spare", func(row []driver.Value) (err error) {
		list[num(row[0])], err = bitmapOf(row[1])
		return err
	})
	return list, explain(err)
}

func (t *Tx) writeSpare(id int64, games *roaring.Bitmap) error {
	if !t.journal {
		return nil
	}
	if games == nil || games.IsEmpty() {
		_, err := t.exec(bg, "DELETE FROM spare WHERE segment = ?", id)
		return explain(err)
	}
	data, err := bitmapBytes(games)
	if err == nil {
		_, err = t.exec(bg, "INSERT OR REPLACE INTO spare (segment, file, games) VALUES (?, coalesce((SELECT file FROM segment WHERE id = ?), ''), ?)", id, id, data)
	}
	return explain(err)
}

// loseSpares has no spare line of games be left.
func (t *Tx) loseSpares(games *roaring.Bitmap) error {
	spares, err := t.readSpares()
	for id, b := range spares {
		if err == nil && b.Intersects(games) {
			b.AndNot(games)
			err = t.writeSpare(id, b)
		}
	}
	return err
}

// wakeLines has spare lines of games live again, and returns the games that have theirs. The
// others have none any more.
func (t *Tx) wakeLines(games *roaring.Bitmap) (*roaring.Bitmap, error) {
	if err := t.flushStale(); err != nil {
		return nil, err
	}
	segments, err := readSegments(bg, t.conn)
	if err != nil {
		return nil, explain(err)
	}
	found := roaring.New()
	for i := range segments {
		if s := &segments[i]; !s.Variations {
			found.Or(roaring.And(s.Spare, games))
		}
	}
	for i := range segments {
		s := &segments[i]
		if !s.Spare.Intersects(games) {
			continue
		}
		if err := t.writeDead(s.ID, roaring.AndNot(s.Dead, roaring.And(s.Spare, found))); err != nil {
			return nil, err
		}
		if err := t.writeSpare(s.ID, roaring.AndNot(s.Spare, games)); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// trash checks that the records in the trash are there, and that the journal can be
// read.
func (v *verifier) trash(bool) error {
	if ok, err := v.has(v.ctx, "trash"); !ok {
		return err
	}
	known := v.all.Clone()
	if err := v.each(v.ctx, "SELECT game, chunk, slot FROM trash", func(row []driver.Value) error {
		known.Add(uint32(num(row[0])))
		games, ok := v.chunks[num(row[1])]
		switch {
		case !ok:
			v.problem("trash", num(row[0]), "the record of a game in the trash is not there (chunk %d)", num(row[1]))
		case games < 0:
			v.problem("trash", num(row[0]), "the record of a game in the trash is damaged (chunk %d)", num(row[1]))
		case intOf(row[2]) >= games:
			v.problem("trash", num(row[0]), "the record of a game in the trash is not in its chunk %d", num(row[1]))
		}
		return nil
	}); err != nil {
		return err
	}
	if err := v.each(v.ctx, "SELECT DISTINCT game FROM layer", func(row []driver.Value) error {
		if id := num(row[0]); !v.elsewhere && !known.Contains(uint32(id)) {
			v.problem("reference", 0, "headers were corrected of game %d, which is not there", id)
		}
		return nil
	}); err != nil {
		return err
	}
	return v.each(v.ctx, entryQuery, func(row []driver.Value) error {
		_, err := bitmapOf(row[9])
		if err == nil {
			_, err = changeOf(row)
		}
		if err != nil {
			v.problem("journal", num(row[0]), "it cannot be read")
		}
		return nil
	})
}
