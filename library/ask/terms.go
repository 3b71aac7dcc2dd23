package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"qipu/index"
	"qipu/library"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/text/term"
)

// Term returns what finds the texts of records in which a word of the game stands,
// in all forms that it is written in; a word that no dictionary has, as it is.
func (n *names) Term(word string) (query.Q, error) {
	dict := term.Of(n.kind.Rules.Info().Name)
	forms := []string{word}
	if t := dict.Find(word); t != nil {
		forms = dict.Forms(t)
	} else if near := dict.Nearest(word, 3); len(near) > 0 {
		n.asking.hint("no term is called %q: is it %s?", word, strings.Join(near, " or "))
	}
	return termQuery(forms), nil
}

// termQuery returns what finds texts with one of some forms in titles, openings or
// comments. Titles of Xiangqi games stand in the name of the event.
func termQuery(forms []string) query.Q {
	var any query.Or
	for _, field := range []string{"event", "opening", "comment"} {
		for _, form := range forms {
			any = append(any, query.Field{Name: field, Value: form})
		}
	}
	return any
}

// TermCount is a term with the number of games whose titles or comments have it.
type TermCount struct {
	*term.Term
	Games int
}

// Terms are the words of a game in the records of a library. They are not changed once
// they are made.
type Terms struct {
	Known   []TermCount      // all that the dictionary has, the most frequent first
	Unknown []term.Candidate // what may be terms and is in no dictionary, the most frequent first
}

// The bounds of what is read for unknown terms: games for their comments, and titles
// of games, each time that one stands somewhere.
const (
	maxCommented = 20_000
	maxTitled    = 500_000
)

// Terms counts the terms of a kind of game in the titles and comments of its
// records, and lists what may be terms that nobody has defined. It takes a second
// for some ten thousand games. What it returns is kept until the library changes.
func (sr *Searcher) Terms(ctx context.Context, k *index.Kind) (*Terms, error) {
	version, err := sr.library.Version(ctx)
	if err != nil {
		return nil, err
	}
	return sr.terms.Get(ctx, k, version, func() (*Terms, error) { return sr.countTerms(ctx, k) })
}

func (sr *Searcher) countTerms(ctx context.Context, k *index.Kind) (*Terms, error) {
	dict := term.Of(k.Rules.Info().Name)
	list := &Terms{}
	for t := range dict.All() {
		a, err := sr.Find(ctx, &retrieve.Request{Kind: k, Query: termQuery(dict.Forms(t)), Limit: 1, NoContinuations: true})
		if err != nil {
			return nil, err
		}
		list.Known = append(list.Known, TermCount{t, a.Games})
	}
	slices.SortStableFunc(list.Known, func(x, y TermCount) int { return cmp.Compare(y.Games, x.Games) })
	err := sr.library.View(ctx, func(v index.View) error {
		// Titles are short, and few of them are unknown.
		miner := term.NewMiner(dict, term.MinerOptions{MinCount: 2, MinBranch: .5, MinCohesion: 1})
		number := int64(0) // of the game that a text is of, as far as it is known
		for _, col := range []query.Column{query.Event, query.Opening} {
			for name, err := range v.Names(ctx, k, col) {
				if err != nil {
					return err
				}
				title := dict.Title(name.Text)
				for range name.Games {
					if number == maxTitled || ctx.Err() != nil {
						break
					}
					number++
					miner.Add(number, title)
				}
			}
		}
		games, err := v.Comments(ctx, k, "")
		if err != nil {
			return err
		}
		ids := games.ToArray()
		err = sr.comments(ctx, ids[:min(len(ids), maxCommented)], func(texts []string) {
			number++
			for _, text := range texts {
				miner.Add(number, text)
			}
		})
		list.Unknown = miner.Candidates()
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// comments reads the comments of games. A record that cannot be read has none.
func (sr *Searcher) comments(ctx context.Context, ids []uint32, each func(texts []string)) error {
	var texts []string
	for stored, err := range sr.library.Texts(ctx, ids) {
		var g *record.Game
		if err == nil {
			g, err = record.DecodeGame(stored.Record)
		}
		if err != nil {
			if library.Damaged(err) {
				continue
			}
			return err
		}
		texts = texts[:0]
		for i := range g.Nodes {
			if s := g.Nodes[i].Text(); s != "" {
				texts = append(texts, s)
			}
		}
		each(texts)
	}
	return ctx.Err()
}
