package ask

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
)

// Sheet writes games as the rows of a table: all that the catalogue knows of
// them, with the collections and tags as they are when the sheet is made.
type Sheet struct {
	searcher          *Searcher
	collections, tags []retrieve.Set
}

// sheetColumns are the columns of a sheet.
var sheetColumns = []string{
	"id", "game", "date", "first", "first_rank", "first_rating", "first_team", "second", "second_rank", "second_rating", "second_team",
	"result", "how", "margin", "event", "round", "place", "moves", "komi", "handicap", "ruleset", "opening", "code", "source", "author", "time",
	"format", "encoding", "file", "number", "marked", "added", "collections", "tags",
}

// Sheet returns a sheet for games of the library.
func (sr *Searcher) Sheet(ctx context.Context) (*Sheet, error) {
	s := &Sheet{searcher: sr}
	var err error
	if s.collections, err = sr.sets(ctx, retrieve.ByCollection); err == nil {
		s.tags, err = sr.sets(ctx, retrieve.ByTag)
	}
	return s, err
}

// Columns returns the names of the columns.
func (s *Sheet) Columns() []string { return slices.Clone(sheetColumns) }

// Cells returns what the columns have for a game; empty where it is not known.
func (s *Sheet) Cells(g *store.Game) []string {
	f := &g.Facts
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	cells := append(make([]string, 0, len(sheetColumns)+8), strconv.Itoa(int(g.ID)), g.Kind, f.Date.String())
	for _, p := range f.Players {
		cells = append(cells, p.Name, p.Rank.String(), number(p.Rating), p.Team)
	}
	margin, komi, marked := "", "", ""
	if f.Result.Margin != 0 {
		margin = strconv.FormatFloat(f.Result.Margin, 'f', -1, 64)
	}
	if f.Komi.Known {
		komi = strconv.FormatFloat(float64(f.Komi.Half)/2, 'f', -1, 64)
	}
	if g.Marked {
		marked = "true"
	}
	return append(cells, s.verdict(g), f.Result.How, margin, f.Event, f.Round, f.Place, strconv.Itoa(g.Plies), komi, number(f.Handicap),
		f.Ruleset, f.Opening, f.Code, f.Source, f.Author, f.Time, g.Format, g.Encoding, g.Source.File, strconv.Itoa(g.Source.Number), marked,
		g.Added.UTC().Format(time.RFC3339), holding(s.collections, g.ID), holding(s.tags, g.ID))
}

// verdict returns who won a game: a side by its name, or the verdict.
func (s *Sheet) verdict(g *store.Game) string {
	verdict := g.Facts.Result.Verdict
	name, _, _ := strings.Cut(g.Kind, " ")
	rules, err := s.searcher.library.Rules().Find(name)
	switch {
	case err != nil:
		return verdict.String()
	case verdict == facts.Unknown:
		return ""
	case verdict == facts.FirstWon:
		return rules.Info().Sides[0].Name
	case verdict == facts.SecondWon:
		return rules.Info().Sides[1].Name
	}
	return verdict.String()
}

// holding returns the names of the sets that a game is in.
func holding(sets []retrieve.Set, id uint32) string {
	var list []string
	for _, x := range sets {
		if x.Games.Contains(id) {
			list = append(list, x.Name)
		}
	}
	return strings.Join(list, ";")
}
