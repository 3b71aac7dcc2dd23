package ask

import (
	"context"
	"errors"
	"slices"

	"qipu/index"
	"qipu/library/knowledge"
	"qipu/named"
	"qipu/retrieve"
	"qipu/store"
)

// NameScores are how everything that has a name fared in the records of a kind of
// game, by id: from the view of the side that had it, or of the first side where
// it belongs to both. They are not changed once they are made.
type NameScores struct {
	Scores map[string]retrieve.Score

	// Ready tells that the index of names is complete. Where it is not, the names
	// that need it have no score.
	Ready bool
}

// NameScores counts the records of all names of a kind of game: in tenths of a second
// for a hundred thousand games. What it returns is kept until the library, its patterns
// or its index of names change.
func (sr *Searcher) NameScores(ctx context.Context, k *index.Kind) (*NameScores, error) {
	p := sr.library.Knowledge().Patterns()
	version, err := sr.library.Version(ctx)
	if err != nil {
		return nil, err
	}
	at := namesVersion{version, p.Version, sr.library.MarksVersion()}
	return sr.scores.Get(ctx, k, at, func() (*NameScores, error) {
		book, err := p.Book(k)
		if err != nil {
			return nil, err
		}
		return sr.countNames(ctx, k, book)
	})
}

// countNames counts the records of all names of a book.
func (sr *Searcher) countNames(ctx context.Context, k *index.Kind, book *named.Items) (*NameScores, error) {
	s := &NameScores{Scores: map[string]retrieve.Score{}}
	err := sr.library.View(ctx, func(v index.View) error {
		counts, missing, err := retrieve.Census(ctx, v, k, book.Markers())
		if err != nil {
			return err
		}
		s.Ready = true
		for _, it := range book.Items() {
			marker, columns := it.Columns()
			switch {
			case len(columns) == 0:
			case slices.ContainsFunc(columns, func(c int) bool { return missing[marker][c] }):
				s.Ready = false
			default:
				s.Scores[it.ID] = retrieve.Total(counts[marker], columns)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, it := range book.Items() {
		if it.Marked() {
			continue
		}
		a, err := sr.Find(ctx, &retrieve.Request{Kind: k, Query: it.Query(), Limit: 1, NoContinuations: true})
		switch {
		case err == nil:
			s.Scores[it.ID] = a.Score
		case !errors.Is(err, retrieve.ErrTooMuch): // it has no score then
			return nil, err
		}
	}
	return s, nil
}

// namesVersion is the state of a library that the scores of names depend on.
type namesVersion struct {
	library  store.Version
	patterns knowledge.Version
	marks    store.Version
}
