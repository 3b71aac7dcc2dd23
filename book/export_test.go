package book

import (
	"context"
	"fmt"
	"iter"
	"qipu/game"
)

// Merge returns a book in memory of the games of several, each counted as often
// as it is in one of them. It gives all of them new numbers, and no stamps. It
// does not matter in which order books are merged.
func Merge(ctx context.Context, r game.Rules, books ...*Book) (*Book, error) {
	id := uint32(0)
	return Build(ctx, r, func(yield func(*Game, error) bool) {
		for _, b := range books {
			if b.kind != kindOf(r) {
				yield(nil, fmt.Errorf("book: a book of %s cannot be merged into one of %s", b.kind, kindOf(r)))
				return
			}
			for g, err := range b.List() {
				if err == nil {
					id++
					g.ID, g.Stamp = id, 0
				}
				if !yield(g, err) || err != nil {
					return
				}
			}
		}
	}, BuildOptions{})
}

// Build makes a book of games, which come by rising number and may be used again
// by the sequence when it goes on. The same games make the same file, byte by
// byte.
func Build(ctx context.Context, r game.Rules, games iter.Seq2[*Game, error], o BuildOptions) (*Book, error) {
	b := New(r)
	made, err := b.make(ctx, games, o)
	if err != nil {
		return nil, err
	}
	b.reset(made)
	return b, nil
}

// Bytes returns the size of the file of the book.
func (b *Book) Bytes() int64 { return b.Info().Bytes }

// Stamp returns the stamp of a game, and whether it is in the book.
func (b *Book) Stamp(id uint32) (stamp uint64, ok bool) {
	b.read(func() {
		if g := b.delta.games[id]; g != nil {
			stamp, ok = g.Stamp, true
		} else if i, found := b.base.game(id); found && !b.delta.gone[id] {
			_, stamp = b.base.stamp(i)
			ok = true
		}
	})
	return stamp, ok
}
