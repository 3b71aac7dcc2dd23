package catalog

import (
	"context"
	"database/sql/driver"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// CreateCollection makes an empty collection and returns its number. The name
// must be new (ErrExists).
func (t *Tx) CreateCollection(name, note string) (int64, error) {
	if err := t.ready(); err != nil {
		return 0, err
	}
	if err := collections.named(name); err != nil {
		return 0, err
	}
	t.does(store.OpCreateCollection, 1, map[string]any{"name": name})
	id := t.next("collection")
	return id, t.changeSet("collection", id, func() error {
		_, err := t.exec(bg, "INSERT INTO collection (id, name, note, created, games) VALUES (?, ?, ?, ?, ?)", id, name, note, t.now, emptySet)
		return collections.taken(name, err)
	})
}

// RenameCollection gives a collection another name and note.
func (t *Tx) RenameCollection(id int64, name, note string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := collections.named(name); err != nil {
		return err
	}
	t.does(store.OpRenameCollection, 1, map[string]any{"name": t.nameOf(collections, id), "into": name})
	return t.changeSet("collection", id, func() error {
		return collections.taken(name, t.changeRow("collection", id, "UPDATE collection SET name = ?, note = ? WHERE id = ?", name, note, id))
	})
}

// DropCollection removes a collection. Its games stay.
func (t *Tx) DropCollection(id int64) error {
	if err := t.ready(); err != nil {
		return err
	}
	t.does(store.OpDropCollection, 1, map[string]any{"name": t.nameOf(collections, id)})
	return collections.drop(t, id)
}

// Collect puts games into a collection; those that are in it already stay.
func (t *Tx) Collect(id int64, games []uint32) error {
	if err := t.known(games); err != nil {
		return err
	}
	t.does(store.OpCollect, 0, map[string]any{"name": t.nameOf(collections, id)})
	return collections.change(t, "id", id, func(b *roaring.Bitmap) { b.AddMany(games) })
}

// Uncollect takes games out of a collection.
func (t *Tx) Uncollect(id int64, games []uint32) error {
	t.does(store.OpUncollect, 0, map[string]any{"name": t.nameOf(collections, id)})
	return collections.change(t, "id", id, func(b *roaring.Bitmap) { b.AndNot(roaring.BitmapOf(games...)) })
}

// nameOf returns the name of a row, to tell of it; "" where there is none.
func (t *Tx) nameOf(s sets, id int64) (name string) {
	_ = t.each(bg, "SELECT name FROM "+s.table+" WHERE id = ?", func(row []driver.Value) error {
		name = textOf(row[0])
		return nil
	}, id)
	return name
}

// Collections returns all collections by name.
func (db *DB) Collections(ctx context.Context) ([]store.Collection, error) {
	return db.collections(ctx, func(*roaring.Bitmap) bool { return true })
}

// CollectionsOf returns the collections that hold a game, by name.
func (db *DB) CollectionsOf(ctx context.Context, id uint32) ([]store.Collection, error) {
	return db.collections(ctx, func(games *roaring.Bitmap) bool { return games.Contains(id) })
}

func (db *DB) collections(ctx context.Context, want func(games *roaring.Bitmap) bool) (list []store.Collection, err error) {
	err = db.read(func(c *conn) error {
		return collections.each(ctx, c, ", name, note, created", func(id int64, games *roaring.Bitmap, rest []driver.Value) {
			if want(games) {
				list = append(list, store.Collection{ID: id, Name: textOf(rest[0]), Note: textOf(rest[1]), Created: time.Unix(num(rest[2]), 0), Games: int(games.GetCardinality())})
			}
		})
	})
	return list, err
}

// Members returns the games of a collection. The bitmap is the caller's.
func (db *DB) Members(ctx context.Context, id int64) (*roaring.Bitmap, error) {
	return collections.members(ctx, db, "id", id)
}
