package library

import (
	"context"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard/catalog"
)

// Store is where a library is kept: in a folder, or on servers.
type Store interface {
	index.Store

	// Dir is the folder of the library; of one on servers, that of the desk.
	Dir() string
	Kinds() *index.Kinds

	// Catalog has what people make: collections, tags, saved queries, names of
	// players, games that are being played. Archive has the records.
	Catalog() *catalog.DB

	Preparer() func(*record.Played)
	Add(ctx context.Context, b store.Batch) ([]store.Added, error)
	Delete(ctx context.Context, ids []uint32) error

	// AddSources notes further places where games were found.
	AddSources(ctx context.Context, places map[uint32][]store.Source) error

	Check(ctx context.Context, deep bool, report func(store.Problem)) error
	Repair(ctx context.Context, progress store.Progress) (int, error)
	Reindex(ctx context.Context, progress store.Progress) error
	Merge(ctx context.Context) (bool, error)
	Backup(ctx context.Context, dir string) error
	BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker, progress store.Progress) (store.Marked, error)
	MarksVersion() uint64

	StopMerging()
	Trouble() error
	Close() error
}

// Archive is the records of a library, and what is known of each. The methods are
// those of catalog.DB, which is that of a folder.
type Archive interface {
	Generation(ctx context.Context) (int64, error)
	Counts(ctx context.Context) (store.Counts, error)
	IDs(ctx context.Context, kind string) (*roaring.Bitmap, error)
	Games(ctx context.Context, ids []uint32) ([]store.Game, error)
	Record(ctx context.Context, id uint32) (record, raw []byte, err error)
	Records(ctx context.Context, ids []uint32) iter.Seq2[store.Text, error]
	Sources(ctx context.Context, id uint32) ([]store.Source, error)
	Places(ctx context.Context, ids []uint32) (map[uint32][]store.Source, error)
	Links(ctx context.Context, id uint32) ([]store.Link, error)
	Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[store.ResultRow, error]
	ScanResults(ctx context.Context, kind string) iter.Seq2[store.ResultRow, error]
}
