package profiles

import (
	"context"
	"errors"

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

// NotePlayed notes that a profile has played the game of a record here. One that is
// gone by now has nothing noted.
func (r *Room) NotePlayed(ctx context.Context, id string, record uint32) error {
	err := r.Label(ctx, id, Games, played, []uint32{record}, nil)
	if errors.Is(err, people.ErrNobody) {
		return nil
	}
	return err
}

// Played returns the records of the games that a profile has played here.
func (r *Room) Played(ctx context.Context, id string) (*roaring.Bitmap, error) {
	t, err := r.db.Thing(ctx, id, Games, played)
	if errors.Is(err, people.ErrNoThing) {
		return roaring.New(), nil
	}
	return t.Games, err
}

// played is the name under which the games lie that a profile has played.
const played = "played"
