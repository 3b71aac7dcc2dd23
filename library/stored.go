package library

import (
	"context"
	"errors"
	"iter"
	"slices"

	"qipu/record"
	"qipu/remedy"
	"qipu/store"
)

// Stored is a game of the library with its record, and the bytes of its source
// as its Raw.
type Stored struct {
	*store.Game
	Record *record.Game
}

// Damaged reports whether an error is about the record of one game alone.
func Damaged(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, record.ErrDamaged)
}

// List returns the numbers of all games, and how many more there should be by the
// count of the catalogue: a damaged one may pass over games without a word.
func (l *Library) List(ctx context.Context) (ids []uint32, unlisted int, err error) {
	for range 10 {
		before, err := l.Version(ctx)
		if err != nil {
			return nil, 0, err
		}
		all, err := l.IDs(ctx, "")
		if err != nil {
			return nil, 0, remedy.For(err, remedy.Restore)
		}
		counts, err := l.Counts(ctx)
		if err != nil {
			return nil, 0, remedy.For(err, remedy.Restore)
		}
		after, err := l.Version(ctx)
		if err != nil {
			return nil, 0, err
		}
		unlisted = -int(all.GetCardinality())
		for _, n := range counts.Games {
			unlisted += n
		}
		if unlisted <= 0 || before == after { // else somebody may have deleted some
			return all.ToArray(), max(unlisted, 0), nil
		}
	}
	return nil, 0, errors.New("the library changes faster than its games can be listed: wait until its writer is done")
}

// storedChunk is how many games are looked up together.
const storedChunk = 256

// Walk yields games with their records, in the order asked; rising numbers
// are the cheapest. A game that cannot be read comes as an error beside what is
// known of it, its number at least, and the others after it; any other error
// comes without a game and is the end. Nothing but a few hundred games is in
// memory at a time.
func (l *Library) Walk(ctx context.Context, ids []uint32) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for chunk := range slices.Chunk(ids, storedChunk) {
			if !l.walk(ctx, chunk, yield) {
				return
			}
		}
	}
}

// walk yields the games of one chunk, and reports whether to go on.
func (l *Library) walk(ctx context.Context, ids []uint32, yield func(Stored, error) bool) bool {
	games, err := l.store.Records().Games(ctx, ids)
	switch {
	case Damaged(err) && len(ids) > 1: // by one of them, and the others can be read
		for i := range ids {
			if !l.walk(ctx, ids[i:i+1], yield) {
				return false
			}
		}
		return true
	case Damaged(err):
		return yield(Stored{Game: &store.Game{ID: ids[0]}}, remedy.For(err, remedy.Restore))
	case err != nil:
		yield(Stored{}, err)
		return false
	}
	i := 0
	for text, err := range l.store.Records().Texts(ctx, ids) {
		if i == len(games) { // the error of an end
			yield(Stored{}, err)
			return false
		}
		s := Stored{Game: &games[i]}
		if err == nil {
			s.Record, err = record.DecodeGame(text.Record)
		}
		switch {
		case err == nil:
			s.Record.Raw = text.Raw
		case Damaged(err):
			err = remedy.For(err, remedy.Check)
		default:
			yield(Stored{}, err)
			return false
		}
		if i++; !yield(s, err) {
			return false
		}
	}
	return true
}
