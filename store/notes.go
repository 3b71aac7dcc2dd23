package store

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/book/theory"
	"qipu/play"
)

// Notes is what people make in a library, and what is noted for them. Of a
// library on servers collections, tags and saved queries are the same for everybody, and
// the rest lies in the folder of whoever opened it.
type Notes interface {
	Labels
	Queries
	Inputs

	// Sessions keeps the games that are being played. No answer of a search
	// depends on them. The library has to be open for writing.
	Sessions() play.Store

	// Values keeps what engines and people say of the positions of a kind of
	// game. ValuesVersion is another one after every change of values, of whatever
	// kind.
	Values(kind string) theory.Store
	ValuesVersion(ctx context.Context) (int64, error)

	// PlayerEdits returns what was said of the names of players, in the order in
	// which it was said; what was undone, too.
	PlayerEdits(ctx context.Context) ([]PlayerEdit, error)

	// Edit changes notes in one transaction, which happens as a whole or not at
	// all. Inside it, other methods see the notes as they were before. A library
	// that is open for reading only takes the place of the writer for that while:
	// it fails with a *LockedError where another process has it.
	Edit(ctx context.Context, change func(Tx) error) error
}

// Labels is the collections and tags of games. Bitmaps are the caller's. What is
// not there is ErrNoRow.
type Labels interface {
	Collections(ctx context.Context) ([]Collection, error)
	CollectionsOf(ctx context.Context, game uint32) ([]Collection, error)
	Members(ctx context.Context, collection int64) (*roaring.Bitmap, error)
	Tags(ctx context.Context) ([]Tag, error)
	TagsOf(ctx context.Context, game uint32) ([]Tag, error)
	Tagged(ctx context.Context, tag string) (*roaring.Bitmap, error)
}

// Queries is the saved queries.
type Queries interface {
	// SavedQueries returns all of them: those with a name first, by name.
	SavedQueries(ctx context.Context) ([]Saved, error)

	// SavedQuery returns the query that a name means: written exactly so, else
	// folded; else the one of the given kinds that the name describes. It fails
	// with ErrNoRow where there is none.
	SavedQuery(ctx context.Context, name string, kinds ...string) (Saved, error)

	// SavedGames returns what the last search of a query found.
	SavedGames(ctx context.Context, id int64) (*roaring.Bitmap, error)
}

// Inputs is the files that were read to their end.
type Inputs interface {
	InputDone(ctx context.Context, in Input) (bool, error)
	InputOf(ctx context.Context, path string) (*Input, error) // nil where nothing was noted
}

// Tx is a transaction of Notes.Edit. It is used by one goroutine, and not after
// the function that it was given to has returned.
type Tx interface {
	LabelTx
	QueryTx

	AddPlayerEdit(e PlayerEdit) (int64, error)
	UndoPlayerEdit(id int64) error

	MarkInput(in Input) error
}

// LabelTx changes collections and tags. A name that is taken is ErrExists, and
// what is not there ErrNoRow; a tag comes into being with its first use.
type LabelTx interface {
	CreateCollection(name, note string) (int64, error)
	RenameCollection(id int64, name, note string) error
	DropCollection(id int64) error
	Collect(id int64, games []uint32) error
	Uncollect(id int64, games []uint32) error

	Tag(name string, games []uint32) error
	Untag(name string, games []uint32) error
	RenameTag(old, name string) error
	DropTag(name string) error
}

// QueryTx changes saved queries.
type QueryTx interface {
	// SaveQuery saves a query in the place of the one of its name, or of the
	// automatic one of its text, and returns its number. What was found at
	// Saved.Version stays good after it, though the version is another one.
	SaveQuery(s Saved) (int64, error)
	RenameQuery(id int64, name, fold string) error
	DropQuery(id int64) error
}
