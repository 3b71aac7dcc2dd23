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
	id := t.next("collection")
	_, err := t.exec(bg, "INSERT INTO collection (id, name, note, created, games) VALUES (?, ?, ?, ?, ?)", id, name, note, t.now, emptySet)
	return id, collections.taken(name, err)
}

// RenameCollection gives a collection another name and note.
func (t *Tx) RenameCollection(id int64, name, note string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := collections.named(name); err != nil {
		return err
	}
	return collections.taken(name, t.changeRow("collection", id, "UPDATE collection SET name = ?, note = ? WHERE id = ?", name, note, id))
}

// DropCollection removes a collection. Its games stay.
func (t *Tx) DropCollection(id int64) error {
	if err := t.ready(); err != nil {
		return err
	}
	return t.changeRow("collection", id, "DELETE FROM collection WHERE id = ?", id)
}

// Collect puts games into a collection; those that are in it already stay.
func (t *Tx) Collect(id int64, games []uint32) error {
	if err := t.known(games); err != nil {
		return err
	}
	return collections.change(t, "id", id, func(b *roaring.Bitmap) { b.AddMany(games) })
}

// Uncollect takes games out of a collection.
func (t *Tx) Uncollect(id int64, games []uint32) error {
	return collections.change(t, "id", id, func(b *roaring.Bitmap) { b.AndNot(roaring.BitmapOf(games...)) })
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
