package ask

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/retrieve"
)

// RecordsOf returns the records of a kind that came from files: one for each, 0 where
// the library has none of it, or several so that nobody knows which. The folder that
// holds all of the files may be called otherwise here.
func (sr *Searcher) RecordsOf(ctx context.Context, k *index.Kind, files []string) ([]uint32, error) {
	records := make([]uint32, len(files))
	if len(files) == 0 {
		return records, nil
	}
	const most = 100 // a name that many have tells nothing
	below := make([]string, len(files))
	var any query.Or
	for i, file := range files {
		below[i] = file
		if _, rest, ok := strings.Cut(file, "/"); ok {
			below[i] = rest
		}
		any = append(any, query.Field{Name: "file", Value: below[i]})
	}
	found := roaring.New()
	if _, err := sr.Find(ctx, &retrieve.Request{Kind: k, Query: any, Into: found, Limit: 1, NoContinuations: true}); err != nil || found.GetCardinality() > most {
		return records, err
	}
	games, err := sr.library.Games(ctx, found.ToArray())
	if err != nil {
		return nil, err
	}
	slashes := strings.NewReplacer("!", "/", `\`, "/") // of archives, and of Windows
	for i := range files {
		for j := range games {
			if !strings.HasSuffix("/"+slashes.Replace(games[j].Source.File), "/"+below[i]) {
				continue
			}
			if records[i] != 0 {
				records[i] = 0
				break
			}
			records[i] = games[j].ID
		}
	}
	return records, nil
}
