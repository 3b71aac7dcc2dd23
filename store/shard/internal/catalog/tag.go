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
	t.does(store.OpTag, 0, map[string]any{"name": name})
	add := func(b *roaring.Bitmap) { b.AddMany(games) }
	err := tags.change(t, "name", name, add)
	if !errors.Is(err, store.ErrNoRow) {
		return err
	}
	if err := tags.named(name); err != nil {
		return err
	}
	id := t.next("tag")
	if err := t.changeSet("tag", id, func() error {
		_, err := t.exec(bg, "INSERT INTO tag (id, name, created, games) VALUES (?, ?, ?, ?)", id, name, t.now, emptySet)
		return explain(err)
	}); err != nil {
		return err
	}
	return tags.change(t, "name", name, add)
}

// Untag takes a tag off games. The tag stays when no game is left, until it is
// dropped.
func (t *Tx) Untag(name string, games []uint32) error {
	t.does(store.OpUntag, 0, map[string]any{"name": name})
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
	t.does(store.OpRenameTag, 1, map[string]any{"name": old, "into": name})
	id, err := t.tagID(old)
	if err != nil {
		return err
	}
	return t.changeSet("tag", id, func() error {
		return tags.taken(name, t.changeRow("tag", old, "UPDATE tag SET name = ? WHERE id = ?", name, id))
	})
}

// DropTag takes a tag off all games and forgets it.
func (t *Tx) DropTag(name string) error {
	if err := t.ready(); err != nil {
		return err
	}
	t.does(store.OpDropTag, 1, map[string]any{"name": name})
	id, err := t.tagID(name)
	if err != nil {
		return err
	}
	return tags.drop(t, id)
}

func (t *Tx) tagID(name string) (int64, error) {
	id, ok, err := t.number(bg, "SELECT id FROM tag WHERE name = ?", name)
	if err == nil && !ok {
		err = noRow("tag", name)
	}
	return id, explain(err)
}

// drop empties a set, so that the journal knows its games, and deletes it.
func (s sets) drop(t *Tx, id int64) error {
	if err := s.change(t, "id", id, (*roaring.Bitmap).Clear); err != nil {
		return err
	}
	return t.changeSet(s.table, id, func() error {
		return t.changeRow(s.word, id, "DELETE FROM "+s.table+" WHERE id = ?", id)
	})
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
