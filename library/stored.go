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

// storedChunk is how many games are looked up together.
const storedChunk = 256

// Walk yields games with their records, in the order asked; rising numbers
// are the cheapest. A record that cannot be read comes as an error beside the
// game without it, and the others after it; any other error comes without a game
// and is the end. Nothing but a few hundred games is in memory at a time.
func (l *Library) Walk(ctx context.Context, ids []uint32) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for chunk := range slices.Chunk(ids, storedChunk) {
			games, err := l.store.Records().Games(ctx, chunk)
			if err != nil {
				yield(Stored{}, err)
				return
			}
			i := 0
			for text, err := range l.store.Records().Texts(ctx, chunk) {
				if i == len(games) { // the error of an end
					yield(Stored{}, err)
					return
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
					return
				}
				if i++; !yield(s, err) {
					return
				}
			}
		}
	}
}
