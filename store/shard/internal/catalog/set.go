package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"
	sqlite3 "modernc.org/sqlite/lib"

	"qipu/store"
)

// sets is a table whose rows are sets of games, bitmaps in the column games,
// under a name that is unique.
type sets struct{ table, word string }

var (
	collections = sets{"collection", "collection"}
	tags        = sets{"tag", "tag"}
	saved       = sets{"saved", "saved query"}

	allSets = []sets{collections, tags, saved}
)

// emptySet is the bitmap of a new row.
var emptySet = []byte{}

// taken explains the error of a statement that gives a row its name.
func (s sets) taken(name string, err error) error {
	if hasCode(err, sqlite3.SQLITE_CONSTRAINT) {
		return fmt.Errorf("%w: there is a %s called %q already", store.ErrExists, s.word, name)
	}
	return explain(err)
}

// named returns an error for an empty name.
func (s sets) named(name string) error {
	if name == "" {
		return fmt.Errorf("catalog: a %s needs a name", s.word)
	}
	return nil
}

// missing is the error for a row that is not there; which is its number or name.
func (s sets) missing(which any) error { return noRow(s.word, which) }

func noRow(word string, which any) error {
	if name, ok := which.(string); ok {
		return fmt.Errorf("%w: %s %q", store.ErrNoRow, word, name)
	}
	return fmt.Errorf("%w: %s %v", store.ErrNoRow, word, which)
}

// has reports whether the database has a table. One of an older version that
// is open for reading only may lack it; what the table would hold is empty then.
// Another process may bring the database up to date meanwhile, so that this is
// asked every time; it costs some microseconds.
func (c *conn) has(ctx context.Context, table string) (bool, error) {
	_, ok, err := c.number(ctx, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", table)
	return ok, err
}

// each calls f for all sets by name, with the number, the bitmap, and the
// further columns that are asked for (", note").
func (s sets) each(ctx context.Context, c *conn, more string, f func(id int64, games *roaring.Bitmap, rest []driver.Value)) error {
	if ok, err := c.has(ctx, s.table); !ok {
		return err
	}
	return c.each(ctx, "SELECT id, games"+more+" FROM "+s.table+" ORDER BY name", func(row []driver.Value) error {
		games, err := bitmapOf(row[1])
		if err == nil {
			f(num(row[0]), games, row[2:])
		}
		return err
	})
}

// read returns the number and the bitmap of the row whose column, id or name,
// has a value. The bitmap is the caller's.
func (s sets) read(ctx context.Context, c *conn, column string, value driver.Value) (id int64, b *roaring.Bitmap, err error) {
	ok, err := c.has(ctx, s.table)
	if ok {
		err = c.each(ctx, "SELECT id, games FROM "+s.table+" WHERE "+column+" = ?", func(row []driver.Value) (err error) {
			id = num(row[0])
			b, err = bitmapOf(row[1])
			return err
		}, value)
	}
	if err == nil && b == nil {
		err = s.missing(value)
	}
	return id, b, explain(err)
}

// members returns the bitmap of a row for whoever asks a DB.
func (s sets) members(ctx context.Context, db *DB, column string, value driver.Value) (*roaring.Bitmap, error) {
	return ask(db, func(c *conn) (*roaring.Bitmap, error) {
		_, b, err := s.read(ctx, c, column, value)
		return b, err
	})
}

// change changes the bitmap of a row.
func (s sets) change(t *Tx, column string, value driver.Value, change func(*roaring.Bitmap)) error {
	if err := t.ready(); err != nil {
		return err
	}
	id, b, err := s.read(bg, t.conn, column, value)
	if err != nil {
		return err
	}
	before := b.Clone()
	change(b)
	if err := s.write(t, id, b); err != nil || s == saved || !t.journal {
		return err
	}
	return s.noteChange(t, id, before, b)
}

// noteChange tells the journal which games came into a set, and which went.
func (s sets) noteChange(t *Tx, id int64, before, now *roaring.Bitmap) error {
	add, del := roaring.AndNot(now, before), roaring.AndNot(before, now)
	if add.IsEmpty() && del.IsEmpty() {
		return nil
	}
	note := &setStep{Table: s.table, ID: id}
	err := t.each(bg, "SELECT name FROM "+s.table+" WHERE id = ?", func(row []driver.Value) error {
		note.Name = textOf(row[0])
		return nil
	}, id)
	if err == nil && !add.IsEmpty() {
		note.Add, err = bitmapBytes(add)
	}
	if err == nil && !del.IsEmpty() {
		note.Del, err = bitmapBytes(del)
	}
	if err != nil {
		return explain(err)
	}
	t.note(step{Set: note}, roaring.Or(add, del).ToArray()...)
	return nil
}

// write sets the bitmap of a row.
func (s sets) write(t *Tx, id int64, b *roaring.Bitmap) error {
	data, err := bitmapBytes(b)
	if err != nil {
		return err
	}
	if s == saved {
		return t.changeRow(s.word, id, "UPDATE saved SET games = ?, found = ? WHERE id = ?", data, int64(b.GetCardinality()), id)
	}
	return t.changeRow(s.word, id, "UPDATE "+s.table+" SET games = ? WHERE id = ?", data, id)
}

// forgetGames takes deleted games out of all sets. It reads all of them.
func (t *Tx) forgetGames(gone *roaring.Bitmap) error {
	for _, s := range allSets {
		var holders []int64
		err := s.each(bg, t.conn, "", func(id int64, games *roaring.Bitmap, _ []driver.Value) {
			if games.Intersects(gone) {
				holders = append(holders, id)
			}
		})
		if err != nil {
			return explain(err)
		}
		for _, id := range holders {
			if err := s.change(t, "id", id, func(b *roaring.Bitmap) { b.AndNot(gone) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// changeRow runs a statement that changes one row, and returns ErrNoRow where
// there was none to change.
func (t *Tx) changeRow(word string, which any, text string, args ...driver.Value) error {
	n, err := t.exec(bg, text, args...)
	if err == nil && n == 0 {
		return noRow(word, which)
	}
	return explain(err)
}
