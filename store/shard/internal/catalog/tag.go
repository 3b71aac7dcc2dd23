package catalog

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// Tag marks games; those that have the tag already keep it. The tag is made if
// need be.
func (t *Tx) Tag(name string, games []uint32) error {
	if err := t.known(games); err != nil {
		return err
	}
	add := func(b *roaring.Bitmap) { b.AddMany(games) }
	err := tags.change(t, "name", name, add)
	if !errors.Is(err, store.ErrNoRow) {
		return err
	}
	if err := tags.named(name); err != nil {
		return err
	}
	if _, err := t.exec(bg, "INSERT INTO tag (id, name, created, games) VALUES (?, ?, ?, ?)", t.next("tag"), name, t.now, emptySet); err != nil {
		return explain(err)
	}
	return tags.change(t, "name", name, add)
}

// Untag takes a tag off games. The tag stays when no game is left, until it is
// dropped.
func (t *Tx) Untag(name string, games []uint32) error {
	return tags.change(t, "name", name, func(b *roaring.Bitmap) { b.AndNot(roaring.BitmapOf(games...)) })
}

// RenameTag gives a tag another name, which must be new (ErrExists).
func (t *Tx) RenameTag(old, name string) error {
	if err := t.ready(); err != nil {
		return err
	}
	if err := tags.named(name); err != nil {
		return err
	}
	return tags.taken(name, t.changeRow("tag", old, "UPDATE tag SET name = ? WHERE name = ?", name, old))
}

// DropTag takes a tag off all games and forgets it.
func (t *Tx) DropTag(name string) error {
	if err := t.ready(); err != nil {
		return err
	}
	return t.changeRow("tag", name, "DELETE FROM tag WHERE name = ?", name)
}

// Tags returns all tags by name.
func (db *DB) Tags(ctx context.Context) ([]store.Tag, error) {
	return db.tags(ctx, func(*roaring.Bitmap) bool { return true })
}

// TagsOf returns the tags of a game, by name.
func (db *DB) TagsOf(ctx context.Context, id uint32) ([]store.Tag, error) {
	return db.tags(ctx, func(games *roaring.Bitmap) bool { return games.Contains(id) })
}

func (db *DB) tags(ctx context.Context, want func(games *roaring.Bitmap) bool) (list []store.Tag, err error) {
	err = db.read(func(c *conn) error {
		return tags.each(ctx, c, ", name, created", func(id int64, games *roaring.Bitmap, rest []driver.Value) {
			if want(games) {
				list = append(list, store.Tag{ID: id, Name: textOf(rest[0]), Created: time.Unix(num(rest[1]), 0), Games: int(games.GetCardinality())})
			}
		})
	})
	return list, err
}

// Tagged returns the games that have a tag. The bitmap is the caller's.
func (db *DB) Tagged(ctx context.Context, name string) (*roaring.Bitmap, error) {
	return tags.members(ctx, db, "name", name)
}
