package ask

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
)

// here returns the games of a kind that were played in this program: records that were
// made, and not read from a file.
func (sr *Searcher) here(ctx context.Context, v index.View, k *index.Kind, version store.Version) (*roaring.Bitmap, error) {
	return sr.played.Get(ctx, k, version, func() (*roaring.Bitmap, error) {
		found := roaring.New()
		_, err := retrieve.Find(ctx, v, &retrieve.Request{Kind: k, Query: madeHere, Into: found, Limit: 1, NoContinuations: true})
		return found, err
	})
}

// madeHere is true of records without a format, from the file of played games. Names of files
// are put together when they are asked for: those of others are not.
var madeHere = query.And{
	query.Not{Q: &query.Fact{Column: query.Format, Text: &query.Texts{Parts: []string{""}}, Why: "format"}},
	&query.Fact{Column: query.File, Text: &query.Texts{Whole: map[string]struct{}{record.PlayFile: {}}}, Why: "file=" + record.PlayFile},
}

// Origin narrows a query, nil for all games, to records that were read, or to games that were
// played in this program. apart finds the games that it leaves out; nil where there are
// none.
func (sr *Searcher) Origin(ctx context.Context, k *index.Kind, q query.Q, here bool) (counted, apart query.Q, err error) {
	version, err := sr.library.Version(ctx)
	if err != nil {
		return nil, nil, err
	}
	none := false
	err = sr.library.View(ctx, func(v index.View) error {
		games, err := sr.here(ctx, v, k, version)
		none = err == nil && games.IsEmpty()
		return err
	})
	if err != nil || none && !here {
		return q, nil, err
	}
	counted, apart = query.Field{Name: "played", Value: "here"}, query.Not{Q: query.Field{Name: "played", Value: "here"}}
	if !here {
		counted, apart = apart, counted
	}
	if q != nil {
		counted, apart = query.And{q, counted}, query.And{q, apart}
	}
	return counted, apart, nil
}

// Reach counts the games of a query that come to a board; nil is the query for none.
func (sr *Searcher) Reach(ctx context.Context, k *index.Kind, shape *query.Shape, q query.Q, variations bool) (int, error) {
	if q == nil {
		return 0, nil
	}
	a, err := sr.Find(ctx, &retrieve.Request{Kind: k, Query: query.And{shape, q}, Variations: variations, NoContinuations: true, Limit: 1})
	if err != nil {
		return 0, err
	}
	return a.Games, nil
}
