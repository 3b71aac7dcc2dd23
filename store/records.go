package store

import (
	"context"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"
)

// Records is the games of a library, and what is known of each.
type Records interface {
	// Version is another one whenever an answer of the library may be another
	// one. It costs little, so that readers can ask often.
	Version(ctx context.Context) (Version, error)
	Counts(ctx context.Context) (Counts, error)

	// IDs returns the games of a kind, or all for "". The bitmap is the caller's.
	IDs(ctx context.Context, kind string) (*roaring.Bitmap, error)

	// Games returns games in the order asked. It fails with ErrNoGame where one
	// is not there.
	Games(ctx context.Context, ids []uint32) ([]Game, error)

	// Record returns the encoded record of a game and its original bytes, which
	// are the caller's.
	Record(ctx context.Context, id uint32) (record, raw []byte, err error)

	// Texts yields the records of games in the order asked; rising numbers are
	// the cheapest. The slices are shared: keep copies, change nothing. One that
	// is damaged comes as an error ErrDamaged beside the number of its game, and
	// the others after it, as may ErrNoGame; any other error is the end.
	Texts(ctx context.Context, ids []uint32) iter.Seq2[Text, error]

	// Sources returns all places where a game was found, the first one first.
	// Places returns those beside the first, of games that have others.
	Sources(ctx context.Context, id uint32) ([]Source, error)
	Places(ctx context.Context, ids []uint32) (map[uint32][]Source, error)

	// Links returns the games that a game is linked to.
	Links(ctx context.Context, id uint32) ([]Link, error)

	// Results yields some games, given by rising number: those of them that
	// there are, and are of a kind. ScanResults yields all of a kind, by rising
	// number. Both end after an error.
	Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[ResultRow, error]
	ScanResults(ctx context.Context, kind string) iter.Seq2[ResultRow, error]
}
