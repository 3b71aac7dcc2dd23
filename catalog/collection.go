package catalog

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	sqlite3 "modernc.org/sqlite/lib"
)

// Collection is a set of games that people gave a name.
type Collection struct {
	ID      int64
	Name    string
	Note    string
	Created time.Time
	Games   int
}

// CreateCollection makes an empty collection and returns its number. The name
// must be new (ErrExists).
func (t *Tx) CreateCollection(name, note string) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}
	if name == "" {
		return 0, fmt.Errorf("catalog: a collection needs a name")
	}
	data, err := bitmapBytes(nil)
	if err != nil {
		return 0, err
	}
	id := t.next("collection")
	_, err = t.exec(bg, "INSERT INTO collection (id, name, note, created, games) VALUES (?, ?, ?, ?, ?)", id, name, note, t.now, data)
	return id, taken(name, err)
}

func taken(name string, err error) error {
	if hasCode(err, sqlite3.SQLITE_CONSTRAINT) {
		return fmt.Errorf("%w: there is a collection called %q already", ErrExists, name)
	}
	return explain(err)
}

// RenameCollection gives a collection another name and note.
func (t *Tx) RenameCollection(id int64, name, note string) error {
	if err := t.ready(); err != nil {
		return err
	}
	n, err := t.exec(bg, "UPDATE collection SET name = ?, note = ? WHERE id = ?", name, note, id)
	if err == nil && n == 0 {
		return noCollection(id)
	}
	return taken(name, err)
}

func noCollection(id int64) error { return fmt.Errorf("%w: collection %d", ErrNoRow, id) }

// DropCollection removes a collection. Its games stay.
func (t *Tx) DropCollection(id int64) error {
	if err := t.ready(); err != nil {
		return err
	}
	n, err := t.exec(bg, "DELETE FROM collection WHERE id = ?", id)
	if err == nil && n == 0 {
		return noCollection(id)
	}
	return explain(err)
}

// Collect puts games into a collection; those that are in it already stay.
func (t *Tx) Collect(id int64, games []uint32) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := t.exist(games); err != nil {
		return err
	}
	return t.changeMembers(id, func(b *roaring.Bitmap) { b.AddMany(games) })
}

// Uncollect takes games out of a collection.
func (t *Tx) Uncollect(id int64, games []uint32) error {
	if err := t.ready(); err != nil {
		return err
	}
	return t.changeMembers(id, func(b *roaring.Bitmap) { b.AndNot(roaring.BitmapOf(games...)) })
}

func (t *Tx) changeMembers(id int64, change func(*roaring.Bitmap)) error {
	b, err := readMembers(bg, t.conn, id)
	if err != nil {
		return explain(err)
	}
	change(b)
	data, err := bitmapBytes(b)
	if err != nil {
		return err
	}
	_, err = t.exec(bg, "UPDATE collection SET games = ? WHERE id = ?", data, id)
	return explain(err)
}

// uncollectAll takes deleted games out of all collections.
func (t *Tx) uncollectAll(gone *roaring.Bitmap) error {
	var holders []int64
	err := eachCollection(bg, t.conn, func(c Collection, games *roaring.Bitmap) {
		if games.Intersects(gone) {
			holders = append(holders, c.ID)
		}
	})
	if err != nil {
		return explain(err)
	}
	for _, id := range holders {
		if err := t.changeMembers(id, func(b *roaring.Bitmap) { b.AndNot(gone) }); err != nil {
			return err
		}
	}
	return nil
}

func eachCollection(ctx context.Context, c *conn, f func(Collection, *roaring.Bitmap)) error {
	return c.each(ctx, "SELECT id, name, note, created, games FROM collection ORDER BY name", func(row []driver.Value) error {
		games, err := bitmapOf(row[4])
		if err != nil {
			return err
		}
		f(Collection{num(row[0]), textOf(row[1]), textOf(row[2]), time.Unix(num(row[3]), 0), int(games.GetCardinality())}, games)
		return nil
	})
}

func readMembers(ctx context.Context, c *conn, id int64) (b *roaring.Bitmap, err error) {
	err = c.each(ctx, "SELECT games FROM collection WHERE id = ?", func(row []driver.Value) (err error) {
		b, err = bitmapOf(row[0])
		return err
	}, id)
	if err == nil && b == nil {
		err = noCollection(id)
	}
	return b, err
}

// Collections returns all collections by name.
func (db *DB) Collections(ctx context.Context) (list []Collection, err error) {
	err = db.read(func(c *conn) error {
		return eachCollection(ctx, c, func(col Collection, _ *roaring.Bitmap) { list = append(list, col) })
	})
	return list, err
}

// CollectionsOf returns the collections that hold a game, by name.
func (db *DB) CollectionsOf(ctx context.Context, id uint32) (list []Collection, err error) {
	err = db.read(func(c *conn) error {
		return eachCollection(ctx, c, func(col Collection, games *roaring.Bitmap) {
			if games.Contains(id) {
				list = append(list, col)
			}
		})
	})
	return list, err
}

// Members returns the games of a collection. The bitmap is the caller's.
func (db *DB) Members(ctx context.Context, id int64) (b *roaring.Bitmap, err error) {
	err = db.read(func(c *conn) error {
		b, err = readMembers(ctx, c, id)
		return err
	})
	return b, err
}
