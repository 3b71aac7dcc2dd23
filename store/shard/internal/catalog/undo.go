package catalog

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record/facts"
	"qipu/store"
)

// Headers returns the headers of a record with corrections laid over them.
type Headers func(record []byte, list []store.Correction) (*facts.Facts, error)

// Reverted is what an undo means for the index.
type Reverted struct {
	store.Undone
	Again   []uint32                // games that are to be indexed anew
	Headers map[uint32]*facts.Facts // games that have other headers now
}

// undoing is one call of Undo or Restore.
type undoing struct {
	*Tx
	db      *DB
	of      store.Change
	headers Headers
	only    *roaring.Bitmap // these games alone come back; nil for all
	back    *roaring.Bitmap // games that came back
	r       *Reverted
}

func (u *undoing) left(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(u.r.Left, s) {
		u.r.Left = append(u.r.Left, s)
	}
}

// Undo undoes an entry, as an entry of its own.
func (t *Tx) Undo(db *DB, id int64, headers Headers) (*Reverted, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	of, err := readChange(bg, t.conn, id)
	if err != nil {
		return nil, explain(err)
	}
	if of.UndoneBy != 0 {
		return nil, fmt.Errorf("change %d: %w, by change %d", id, store.ErrUndone, of.UndoneBy)
	}
	t.entry.fixed, t.entry.op, t.entry.undoes = true, store.OpUndo, id
	t.entry.args = maps.Clone(of.Args)
	t.entry.args["of"] = of.Op
	if of.Op == store.OpUndo {
		t.entry.args["of"] = of.Text("of")
		t.entry.args["again"] = of.Text("again") == "" // what was undone holds again
	}
	delete(t.entry.args, "left")
	t.unread = new([]string)
	u := &undoing{Tx: t, db: db, of: of, headers: headers, back: roaring.New(), r: &Reverted{Headers: map[uint32]*facts.Facts{}}}
	steps, err := t.stepsOf(id)
	if err != nil {
		return nil, err
	}
	for _, s := range slices.Backward(steps) {
		if err := u.undo(&s); err != nil {
			return nil, err
		}
	}
	if len(t.entry.steps) == 0 {
		return nil, &store.NotUndoneError{ID: id, Left: u.r.Left}
	}
	now, err := t.entryID()
	if err != nil {
		return nil, err
	}
	if _, err := t.exec(bg, "UPDATE journal SET undone_by = ? WHERE id = ?", now, id); err != nil {
		return nil, explain(err)
	}
	if of.Undoes != 0 {
		if _, err := t.exec(bg, "UPDATE journal SET undone_by = NULL WHERE id = ? AND undone_by = ?", of.Undoes, id); err != nil {
			return nil, explain(err)
		}
	}
	return u.end()
}

// Restore brings games back out of the trash.
func (t *Tx) Restore(db *DB, ids []uint32) (*Reverted, error) {
	if err := t.ready(); err != nil {
		return nil, err
	}
	if t.entry.op == "" {
		t.does(store.OpRestore, 0, map[string]any{})
	}
	t.unread = new([]string)
	u := &undoing{Tx: t, db: db, back: roaring.New(), r: &Reverted{Headers: map[uint32]*facts.Facts{}}}
	by := map[int64]*roaring.Bitmap{} // entries
	for block := range slices.Chunk(ids, idBlock) {
		err := t.eachOnce(bg, "SELECT game, journal FROM trash WHERE replaced = 0 AND game IN "+idList(block), func(row []driver.Value) error {
			if by[num(row[1])] == nil {
				by[num(row[1])] = roaring.New()
			}
			by[num(row[1])].Add(uint32(num(row[0])))
			return nil
		})
		if err != nil {
			return nil, explain(err)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(by)) {
		steps, err := t.stepsOf(id)
		if err != nil {
			return nil, err
		}
		u.only = by[id]
		for _, s := range slices.Backward(steps) {
			if s.Gone == nil && (s.Set == nil || s.Set.Del == nil) {
				continue
			}
			if err := u.undo(&s); err != nil {
				return nil, err
			}
		}
	}
	if u.back.IsEmpty() && len(ids) > 0 {
		return nil, fmt.Errorf("%w: %d is not in the trash", store.ErrNoGame, ids[0])
	}
	return u.end()
}

// end tells what was done.
func (u *undoing) end() (*Reverted, error) {
	if len(u.r.Left) > 0 && u.entry.args != nil {
		u.entry.args["left"] = u.r.Left
	}
	files := *u.unread
	if u.unread = nil; len(files) > 0 {
		if err := u.ForgetInputs(files); err != nil {
			return nil, err
		}
	}
	if err := u.wake(); err != nil {
		return nil, err
	}
	if err := u.wait(); err != nil {
		return nil, err
	}
	// The entry is written with the transaction: what it will say is known by now.
	id, err := u.entryID()
	if err != nil {
		return nil, err
	}
	u.r.Change = store.Change{ID: id, Who: store.Who(u.ctx), Op: u.entry.op, Args: u.entry.args, Undoes: u.entry.undoes, Count: u.entry.things}
	if u.entry.games != nil && !u.entry.games.IsEmpty() {
		u.r.Count = int(u.entry.games.GetCardinality())
	}
	return u.r, nil
}

// undo takes one step back.
func (u *undoing) undo(s *step) error {
	switch {
	case s.Set != nil:
		return u.set(s.Set)
	case s.Row != nil:
		return u.row(s.Row)
	case s.Edit != nil:
		u.entry.things++
		err := u.markEdit(s.Edit.ID, !s.Edit.Undone)
		if errors.Is(err, store.ErrNoRow) {
			u.left("the change %d of the names of players is gone", s.Edit.ID)
			return nil
		}
		return err
	case s.Gone != nil:
		return u.bring(s.Gone)
	case s.Come != nil:
		return u.take(s.Come)
	case s.Record != nil:
		return u.exchange(s.Record)
	case s.Source != nil:
		return u.unnotePlaces(s.Source)
	case s.Unnote != nil:
		return u.notePlaces(s.Unnote)
	case s.Link != nil:
		return nil // links of games that go, go with them; others are true
	case s.Layer != nil:
		return u.layer(s.Layer)
	}
	return nil
}

// set takes games out of a set that came into it, and puts others back.
func (u *undoing) set(s *setStep) error {
	in, out, err := bitmaps(s.Add, s.Del)
	if err != nil {
		return err
	}
	if u.only != nil {
		in, out = roaring.New(), roaring.And(out, u.only)
	}
	if in.IsEmpty() && out.IsEmpty() {
		return nil
	}
	if !out.IsEmpty() && !u.elsewhere() {
		all, err := u.alive(out)
		if err != nil {
			return err
		}
		out = all
	}
	table := sets{s.Table, s.Table}
	err = table.change(u.Tx, "id", s.ID, func(b *roaring.Bitmap) {
		b.AndNot(in)
		b.Or(out)
	})
	if errors.Is(err, store.ErrNoRow) {
		u.left("the %s %q is not there any more", s.Table, s.Name)
		return nil
	}
	return err
}

func bitmaps(a, b []byte) (x, y *roaring.Bitmap, err error) {
	if x, err = bitmapOf(driver.Value(a)); err == nil {
		y, err = bitmapOf(driver.Value(b))
	}
	return x, y, err
}

// alive returns those of some games that are there.
func (t *Tx) alive(games *roaring.Bitmap) (*roaring.Bitmap, error) {
	there := roaring.New()
	for block := range slices.Chunk(games.ToArray(), idBlock) {
		err := t.eachOnce(bg, "SELECT id FROM game WHERE id IN "+idList(block), func(row []driver.Value) error {
			there.Add(uint32(num(row[0])))
			return nil
		})
		if err != nil {
			return nil, explain(err)
		}
	}
	return there, nil
}

// row gives a row its old values back, as far as it still has the ones that it got then.
func (u *undoing) row(s *rowStep) error {
	table := sets{s.Table, s.Table}
	what := func(values map[string]any) string {
		name, _ := values["name"].(string)
		return fmt.Sprintf("the %s %q", wordOf(s.Table), name)
	}
	now, err := u.rowOfSet(s.Table, s.ID)
	if err != nil {
		return err
	}
	u.entry.things++
	switch {
	case s.Before == nil: // it was made
		if now == nil {
			u.left("%s is not there any more", what(s.After))
			return nil
		}
		_, games, err := table.read(bg, u.conn, "id", s.ID)
		if err != nil {
			return err
		}
		if !games.IsEmpty() && s.Table != saved.table {
			u.left("%s has games that came into it since", what(now))
			return nil
		}
		return u.changeSet(s.Table, s.ID, func() error {
			return u.changeRow(s.Table, s.ID, "DELETE FROM "+s.Table+" WHERE id = ?", s.ID)
		})
	case now == nil && s.After != nil:
		u.left("%s is not there any more", what(s.After))
		return nil
	case now == nil: // it was dropped
		names, marks := "games", "?"
		values := []driver.Value{emptySet}
		for name, v := range s.Before {
			names, marks, values = names+", "+name, marks+", ?", append(values, plain(v))
		}
		if s.Table == saved.table {
			names, marks = names+", generation, found, hits, used", marks+", 0, 0, 0, 0"
		}
		err := u.changeSet(s.Table, s.ID, func() error {
			_, err := u.exec(bg, "INSERT INTO "+s.Table+" ("+names+") VALUES ("+marks+")", values...)
			return table.taken(fmt.Sprint(s.Before["name"]), err)
		})
		if errors.Is(err, store.ErrExists) {
			u.left("there is another %s called %q by now", wordOf(s.Table), fmt.Sprint(s.Before["name"]))
			return nil
		}
		return err
	case s.After == nil:
		u.left("%s is there again", what(now))
		return nil
	}
	text, values := "", []driver.Value{}
	for _, name := range slices.Sorted(maps.Keys(s.Before)) {
		if plain(s.Before[name]) == plain(s.After[name]) {
			continue
		}
		if plain(s.After[name]) != plain(now[name]) {
			u.left("%s was changed again since", what(now))
			return nil
		}
		text, values = text+", "+name+" = ?", append(values, plain(s.Before[name]))
	}
	if text == "" {
		return nil
	}
	if s.Table == saved.table {
		text += ", generation = 0"
	}
	err = u.changeSet(s.Table, s.ID, func() error {
		return table.taken(fmt.Sprint(s.Before["name"]), u.changeRow(s.Table, s.ID, "UPDATE "+s.Table+" SET "+strings.TrimPrefix(text, ", ")+" WHERE id = ?", append(values, s.ID)...))
	})
	if errors.Is(err, store.ErrExists) {
		u.left("there is another %s called %q by now", wordOf(s.Table), fmt.Sprint(s.Before["name"]))
		return nil
	}
	return err
}

// wordOf returns what people call a row of a table.
func wordOf(table string) string {
	if table == saved.table {
		return saved.word
	}
	return table
}

// bring brings games back that went into the trash.
func (u *undoing) bring(s *goneStep) error {
	games, err := bitmapOf(driver.Value(s.Games))
	if err != nil {
		return err
	}
	if u.only != nil {
		games.And(u.only)
	}
	wanted := int(games.GetCardinality())
	found, err := u.revive(games)
	if err != nil {
		return err
	}
	u.back.Or(found)
	if n := wanted - int(found.GetCardinality()); n > 0 {
		there, err := u.alive(roaring.AndNot(games, found))
		if err != nil {
			return err
		}
		if n -= int(there.GetCardinality()); n > 0 {
			u.left("%d games are not in the trash any more: their term is over", n)
		}
	}
	for _, p := range s.Places {
		if found.Contains(p.Game) {
			if _, err := u.addPlace(p.Game, store.Source{File: p.File, Number: p.Number, Offset: p.Offset}); err != nil {
				return err
			}
		}
	}
	for _, l := range s.Links {
		there, err := u.alive(roaring.BitmapOf(l.A, l.B))
		if err != nil {
			return err
		}
		if there.GetCardinality() == 2 {
			if _, err := u.exec(bg, "INSERT OR IGNORE INTO link (a, b, why) VALUES (?, ?, ?)", int64(l.A), int64(l.B), l.Why); err != nil {
				return explain(err)
			}
		}
	}
	return nil
}

// take takes games away again that had come, but for those that something later has brought,
// too.
func (u *undoing) take(set []byte) error {
	games, err := bitmapOf(driver.Value(set))
	if err != nil {
		return err
	}
	later, err := u.broughtLater(games)
	if err != nil {
		return err
	}
	if later != nil {
		u.left("%d games stay: a later import brought them as well", later.GetCardinality())
		games.AndNot(later)
	}
	there, err := u.alive(games)
	if err != nil {
		return err
	}
	if u.elsewhere() {
		if far := roaring.AndNot(games, there); !far.IsEmpty() {
			u.left("%d games lie on servers", far.GetCardinality())
		}
	}
	if there.IsEmpty() {
		return nil
	}
	return u.bury(there.ToArray())
}

// broughtLater returns those of some games that a later entry, which holds, has brought as
// well; nil for none.
func (u *undoing) broughtLater(games *roaring.Bitmap) (*roaring.Bitmap, error) {
	if u.of.Op == store.OpUndo || u.of.Op == store.OpRestore {
		return nil, nil
	}
	var later []int64
	err := u.each(bg, "SELECT id FROM journal WHERE id > ? AND undone_by IS NULL AND op IN (?, ?)", func(row []driver.Value) error {
		later = append(later, num(row[0]))
		return nil
	}, u.of.ID, store.OpImport, store.OpAdd)
	if err != nil {
		return nil, explain(err)
	}
	both := roaring.New()
	for _, id := range later {
		steps, err := u.stepsOf(id)
		if err != nil {
			return nil, err
		}
		for i := range steps {
			for _, p := range steps[i].Source {
				both.Add(p.Game)
			}
			if r := steps[i].Record; r != nil {
				both.Add(r.Game)
			}
		}
	}
	if both.And(games); both.IsEmpty() {
		return nil, nil
	}
	return both, nil
}

// exchange puts the record of a game back that another one took the place of.
func (u *undoing) exchange(s *recordStep) error {
	at, err := u.trashed("id = ?", s.Trash)
	if err != nil {
		return err
	}
	there, err := u.alive(roaring.BitmapOf(s.Game))
	if err != nil {
		return err
	}
	switch {
	case there.IsEmpty():
		u.left("game %d is not there any more", s.Game)
		return nil
	case len(at) == 0:
		u.left("the earlier record of game %d is gone: its term is over", s.Game)
		return nil
	}
	had, err := u.placeOf(s.Game)
	if err != nil {
		return err
	}
	now, err := u.putAway([]uint32{s.Game}, true)
	if err != nil {
		return err
	}
	if err := u.takeOut(at[0].id, s.Game); err != nil {
		return err
	}
	has, err := u.placeOf(s.Game)
	if err != nil {
		return err
	}
	if err := u.dropPlace(s.Game, has); err != nil {
		return err
	}
	if !s.Noted {
		if _, err := u.addPlace(s.Game, had); err != nil {
			return err
		}
	}
	u.note(step{Record: &recordStep{Game: s.Game, Trash: now, Noted: !s.Noted}}, s.Game)
	u.r.Again = append(u.r.Again, s.Game)
	u.markStale(s.Game)
	return u.relayer([]uint32{s.Game})
}

// layer gives headers the values back that they had.
func (u *undoing) layer(list []layerStep) error {
	now, err := u.corrections(list)
	if err != nil {
		return err
	}
	var changes []store.Correction
	newer, gone := 0, 0
	for _, s := range list {
		have, ok := now[field{s.Game, s.Field}]
		if ok != (s.After != nil) || ok && have != *s.After {
			newer++
			continue
		}
		changes = append(changes, store.Correction{Game: s.Game, Field: s.Field, Value: s.Before})
	}
	ids := map[uint32]bool{}
	for _, c := range changes {
		ids[c.Game] = true
	}
	there, err := u.alive(roaring.BitmapOf(slices.Collect(maps.Keys(ids))...))
	if err != nil {
		return err
	}
	if u.served != nil {
		there.Or(u.served)
	}
	changes = slices.DeleteFunc(changes, func(c store.Correction) bool {
		if !there.Contains(c.Game) {
			gone++
			return true
		}
		return false
	})
	if newer > 0 {
		u.left("%d headers were changed again since", newer)
	}
	if gone > 0 {
		u.left("%d headers are of games that are not there any more", gone)
	}
	if len(changes) == 0 {
		return nil
	}
	changed, err := u.setLayer(changes)
	if err != nil {
		return err
	}
	return u.relayer(changed)
}

// relayer brings the headers of games up to date.
func (u *undoing) relayer(ids []uint32) error {
	list, err := u.Relayer(u.db, ids, u.headers)
	maps.Copy(u.r.Headers, list)
	return err
}

// wait puts games on the list of those that wait for a segment, if one can hold them.
func (u *undoing) wait() error {
	slices.Sort(u.r.Again)
	for block := range slices.Chunk(u.r.Again, idBlock) {
		var ids []uint32
		err := u.eachOnce(bg, "SELECT g.id FROM game g JOIN kind k ON k.id = g.kind WHERE k.text <> '"+store.UnknownKind+"' AND g.id IN "+idList(block), func(row []driver.Value) error {
			ids = append(ids, uint32(num(row[0])))
			return nil
		})
		if err == nil {
			err = u.SetWaiting(ids, true)
		}
		if err != nil {
			return explain(err)
		}
	}
	return nil
}

// placeOf returns where the record of a game was found.
func (t *Tx) placeOf(id uint32) (s store.Source, err error) {
	err = t.each(bg, "SELECT coalesce(n.text, '') || coalesce(g.base, ''), coalesce(g.number, 0), coalesce(g.offset, 0) FROM game g LEFT JOIN name n ON n.id = g.folder WHERE g.id = ?", func(row []driver.Value) error {
		s = store.Source{File: textOf(row[0]), Number: intOf(row[1]), Offset: num(row[2])}
		return nil
	}, int64(id))
	return s, explain(err)
}

// wake has games that came back be found again: where a dead line of a segment is theirs, it
// lives again, and others are to be indexed anew.
func (u *undoing) wake() error {
	// Those whose record was exchanged are indexed anew: their dead lines are of the other one.
	back := roaring.AndNot(u.back, roaring.BitmapOf(u.r.Again...))
	if back.IsEmpty() {
		return nil
	}
	found, err := u.wakeLines(back)
	if err != nil {
		return err
	}
	u.r.Again = append(u.r.Again, roaring.AndNot(back, found).ToArray()...)
	return nil
}
