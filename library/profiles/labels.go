package profiles

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store/people"
)

// Label puts a tag of a profile's own on games, or them into a collection of its own, and
// takes others out. One that has no games any more is gone.
func (r *Room) Label(ctx context.Context, id, kind, name string, add, remove []uint32) error {
	return r.db.Keep(ctx, id, kind, name, "", func(t *people.Thing) (bool, error) {
		if t.Games == nil {
			t.Games = roaring.New()
		}
		t.Games.AddMany(add)
		t.Games.AndNot(roaring.BitmapOf(remove...))
		return !t.Games.IsEmpty(), nil
	})
}

// Labels returns the tags or the collections of a profile's own, the one changed last
// first.
func (r *Room) Labels(ctx context.Context, id, kind string) ([]people.Thing, error) {
	return r.db.Things(ctx, id, kind)
}

// DropLabel forgets one of them.
func (r *Room) DropLabel(ctx context.Context, id, kind, name string) error {
	return r.db.Drop(ctx, id, kind, name)
}
