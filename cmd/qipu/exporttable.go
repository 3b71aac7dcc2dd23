package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/catalog"
	"qipu/game"
)

// gameColumns are the columns of a table of games.
var gameColumns = []string{
	"id", "game", "date", "first", "first_rank", "first_rating", "first_team", "second", "second_rank", "second_rating", "second_team",
	"result", "how", "margin", "event", "round", "place", "moves", "komi", "handicap", "ruleset", "opening", "code", "source", "author", "time",
	"format", "encoding", "file", "number", "marked", "added", "collections", "tags", "hits", "ply", "variation", "likeness", "differs",
}

// intoTable writes a row a game.
func (e *exporter) intoTable(ctx context.Context, ids []uint32) error {
	if err := e.ready(); err != nil {
		return err
	}
	collections, tags, err := e.sets(ctx)
	if err != nil {
		return err
	}
	write := func(to io.Writer) error {
		buf := bufio.NewWriter(to)
		w := csv.NewWriter(buf)
		if err := w.Write(gameColumns); err != nil {
			return err
		}
		for chunk := range slices.Chunk(ids, exportChunk) {
			games, err := e.library.Catalog().Games(ctx, chunk)
			if err != nil {
				return err
			}
			for i := range games {
				g := &games[i]
				cells := append(e.cells(g), collections.of(g.ID), tags.of(g.ID))
				if err := w.Write(append(cells, e.hit(g.ID)...)); err != nil {
					return err
				}
				e.written++
				e.bar.step(1)
			}
		}
		w.Flush()
		if err := w.Error(); err != nil {
			return err
		}
		return buf.Flush()
	}
	switch {
	case e.options.dryRun:
		return write(io.Discard)
	case e.options.output == "-":
		return write(e.out)
	}
	return atomically(e.options.output, write)
}

// cells returns what is known of a game.
func (e *exporter) cells(g *catalog.Game) []string {
	f := &g.Facts
	cells := []string{strconv.Itoa(int(g.ID)), g.Kind, f.Date.String()}
	for _, p := range f.Players {
		cells = append(cells, p.Name, p.Rank.String(), numberText(p.Rating), p.Team)
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
	return append(cells, verdictText(e.games, g), f.Result.How, margin, f.Event, f.Round, f.Place, strconv.Itoa(g.Plies), komi, numberText(f.Handicap),
		f.Ruleset, f.Opening, f.Code, f.Source, f.Author, f.Time, g.Format, g.Encoding, g.Source.File, strconv.Itoa(g.Source.Number), marked,
		g.Added.UTC().Format(time.RFC3339))
}

// verdictText returns who won a game: a side by its name, or the verdict.
func verdictText(games game.Catalog, g *catalog.Game) string {
	result := g.Facts.Result
	result.Margin, result.How = 0, ""
	name, _, _ := strings.Cut(g.Kind, " ")
	if rules, err := games.Find(name); err == nil {
		return resultText(rules.Info().Sides, &result)
	}
	return result.Verdict.String()
}

// hit returns where the board of the query occurs in a game.
func (e *exporter) hit(id uint32) []string {
	row := e.rows[id]
	if row == nil || row.Ply < 0 {
		return []string{"", "", "", "", ""}
	}
	likeness, differs := "", ""
	if e.frame != nil {
		likeness, differs = shareText(row.Likeness), e.frame.differences(row)
	}
	return []string{strconv.Itoa(int(row.Occurrences)), strconv.Itoa(int(row.Ply)), fmt.Sprint(row.Variation), likeness, differs}
}

// namedSets are sets of games under names.
type namedSets []namedSet

type namedSet struct {
	name  string
	games *roaring.Bitmap
}

// of returns the names of the sets that a game is in.
func (s namedSets) of(id uint32) string {
	var list []string
	for _, x := range s {
		if x.games.Contains(id) {
			list = append(list, x.name)
		}
	}
	return strings.Join(list, ";")
}

// sets returns the collections and the tags of the library.
func (e *exporter) sets(ctx context.Context) (collections, tags namedSets, err error) {
	db := e.library.Catalog()
	list, err := db.Collections(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range list {
		games, err := db.Members(ctx, c.ID)
		if err != nil {
			return nil, nil, err
		}
		collections = append(collections, namedSet{c.Name, games})
	}
	marks, err := db.Tags(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range marks {
		games, err := db.Tagged(ctx, t.Name)
		if err != nil {
			return nil, nil, err
		}
		tags = append(tags, namedSet{t.Name, games})
	}
	return collections, tags, nil
}
