package profiles

import (
	"context"
	"fmt"
	"slices"

	"qipu/store/people"
	"qipu/text"
)

// maxNames is how many players of a library one person may be.
const maxNames = 50

// AddName keeps that a profile is a player of the library: one of its names.
func (r *Room) AddName(ctx context.Context, id, name string) error {
	list, err := r.Names(ctx, id)
	if err != nil {
		return err
	}
	if len(list) >= maxNames && !slices.Contains(list, name) {
		return people.ErrFull
	}
	fold := text.Fold(name)
	if fold == "" || len(name) > maxBytes {
		return &NameError{fmt.Sprintf("%.80q is no name of a player", name)}
	}
	return r.db.Keep(ctx, id, Names, name, fold, func(t *people.Thing) (bool, error) {
		t.Name = name
		return true, nil
	})
}

// DropName forgets that a profile is a player.
func (r *Room) DropName(ctx context.Context, id, name string) error {
	return r.db.Drop(ctx, id, Names, text.Fold(name))
}

// Names returns the players of the library that a profile is, the first said first.
func (r *Room) Names(ctx context.Context, id string) (names []string, err error) {
	list, err := r.db.Things(ctx, id, Names)
	for _, t := range slices.Backward(list) {
		names = append(names, t.Name)
	}
	return names, err
}
