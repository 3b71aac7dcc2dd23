package players

import (
	"context"

	"qipu/index"
	"qipu/library"
	"qipu/library/cache"
	"qipu/query"
	"qipu/store"
)

// Directory is who plays in a library. It is safe for concurrent use. What it works
// out is kept until the library changes.
type Directory struct {
	library   *library.Library
	known     cache.Cache[struct{}, store.Version, spelt]
	registers cache.Cache[string, store.Version, *Register] // by the names of kinds of game
}

// New returns the players of a library.
func New(l *library.Library) *Directory { return &Directory{library: l} }

// spelt is who is known of all games.
type spelt struct {
	book *Identities
	roll *Roll
}

// Book returns the book of players' names: the well-known ones and what the user has
// made of them.
func (d *Directory) Book(ctx context.Context) (*Identities, error) {
	edits, err := d.Edits(ctx)
	if err != nil {
		return nil, err
	}
	return NewBook(edits), nil
}

// Known returns the book of players' names, and how the players of all games are
// spelled. The view is of the version, or a later one.
func (d *Directory) Known(ctx context.Context, v index.View, version store.Version) (*Identities, *Roll, error) {
	k, err := d.known.Get(ctx, struct{}{}, version, func() (k spelt, err error) {
		if k.book, err = d.Book(ctx); err != nil {
			return k, err
		}
		k.roll = NewRoll(func(yield func(name, folded string) bool) {
			for _, col := range []query.Column{query.FirstPlayer, query.SecondPlayer} {
				for name, e := range v.Names(ctx, nil, col) {
					if err = e; err != nil || !yield(name.Text, name.Folded) {
						return
					}
				}
			}
		})
		return k, err
	})
	return k.book, k.roll, err
}
