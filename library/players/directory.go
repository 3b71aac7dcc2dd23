package players

import (
	"context"

	"qipu/index"
	"qipu/library"
	"qipu/library/cache"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
)

// Directory is who plays in a library, or which events there are: names that headers
// spell in many ways. It is safe for concurrent use. What it works out is kept until the
// library changes.
type Directory struct {
	library   *library.Library
	of        *subject
	events    *Directory // nil of events
	books     cache.Cache[struct{}, store.Version, *Identities]
	known     cache.Cache[struct{}, store.Version, spelt]
	registers cache.Cache[string, store.Version, *Register] // by the names of kinds of game
}

// New returns the players of a library.
func New(l *library.Library) *Directory {
	return &Directory{library: l, of: playing, events: &Directory{library: l, of: gathering}}
}

// Events returns the events of the library. All that is said of players here is true
// of events, too; nothing is known of them but what the user says.
func (d *Directory) Events() *Directory { return d.events }

// subject is what the names of a directory are names of.
type subject struct {
	name    string // as remedies have it
	prefix  string // of the operations of its edits, as the library keeps them
	columns []query.Column
	by      retrieve.Dimension
	empty   func() *Identities // what is known before anybody has said anything

	none, other error // nothing, or something else, is called so
}

var (
	playing = &subject{
		name: "players", columns: []query.Column{query.FirstPlayer, query.SecondPlayer}, by: retrieve.ByPlayer,
		empty: wellKnown, none: ErrNoPlayer, other: ErrOtherPlayer,
	}
	gathering = &subject{
		name: "events", prefix: "event-", columns: []query.Column{query.Event}, by: retrieve.ByEvent,
		empty: func() *Identities { return &Identities{persons: map[string]*person{}, plain: true} }, none: ErrNoEvent, other: ErrOtherEvent,
	}
)

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
	return d.of.book(edits), nil
}

func (s *subject) book(edits []Edit) *Identities {
	b := s.empty()
	for _, e := range edits {
		if !e.Undone {
			b.apply(e)
		}
	}
	return b
}

// BookOf returns the book of a library that has a version, or of a later one. It is
// made once.
func (d *Directory) BookOf(ctx context.Context, version store.Version) (*Identities, error) {
	return d.books.Get(ctx, struct{}{}, version, func() (*Identities, error) { return d.Book(ctx) })
}

// Known returns the book of players' names, and how the players of all games are
// spelled. The view is of the version, or a later one.
func (d *Directory) Known(ctx context.Context, v index.View, version store.Version) (*Identities, *Roll, error) {
	k, err := d.known.Get(ctx, struct{}{}, version, func() (k spelt, err error) {
		if k.book, err = d.Book(ctx); err != nil {
			return k, err
		}
		k.roll = NewRoll(func(yield func(name, folded string) bool) {
			for _, col := range d.of.columns {
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
