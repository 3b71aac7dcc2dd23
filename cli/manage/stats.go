package manage

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/index"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

func statsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Say how much is in the library",
		Long: `Count the games of every kind, their variations and plies, and say how large the
library is: the catalogue, which holds the records, and the tables for searching,
which are made from them. --csv prints the kinds of games alone.`,
		Example: `  qipu stats
  qipu stats --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return stats(cmd.Context(), a) },
	}
}

// gameStats is what stats tells about a kind of game.
type gameStats struct {
	view.GameCount
	Variations int    `json:"variations"`
	Plies      int64  `json:"plies"`
	Bytes      int64  `json:"bytes"` // of its tables
	name       string // with the board
}

// libraryStats is what stats tells about the library; sizes are in bytes.
type libraryStats struct {
	Records     int   `json:"records"`
	Catalogue   int64 `json:"catalogueBytes"`
	RecordBytes int64 `json:"recordBytes"`
	FreeBytes   int64 `json:"freeBytes"`
	IndexBytes  int64 `json:"indexBytes"`
	Names       int   `json:"names"`
	Sources     int   `json:"furtherSources"`
	Links       int   `json:"links"`
	Files       int   `json:"files"`
	Collections int   `json:"collections"`
	Tables      int   `json:"tables"`
	Waiting     int   `json:"waiting"`
}

func stats(ctx context.Context, a *cli.App) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		tally, err := l.Records().Tally(ctx)
		if err != nil {
			return err
		}
		counts, err := l.Records().Counts(ctx)
		if err != nil {
			return err
		}
		kinds := kindsOf(tally, &counts)
		t := &cli.Table{Columns: []string{"game", "games", "variations", "plies", "index a game"}}
		all := libraryStats{
			Catalogue: counts.Bytes, RecordBytes: counts.ChunkBytes, FreeBytes: counts.FreeBytes,
			Names: counts.Names, Sources: counts.Sources, Links: counts.Links, Files: counts.Inputs,
			Collections: counts.Collections, Tables: counts.Segments, Waiting: counts.Waiting,
		}
		for _, k := range kinds {
			index := k.Bytes / int64(max(k.Records, 1))
			cell := cli.Size(index)
			if a.CSV {
				cell = fmt.Sprint(index)
			}
			t.Add(cli.Typed("game", k), k.name, fmt.Sprint(k.Records), fmt.Sprint(k.Variations), fmt.Sprint(k.Plies), cell)
			all.Records += k.Records
			all.IndexBytes += k.Bytes
		}
		if err := a.Print(t); err != nil || a.CSV {
			return err
		}
		if a.JSON {
			return a.PrintJSON(cli.Typed("library", all))
		}
		fmt.Fprintln(a.Out)
		return a.Print(all.table())
	})
}

// kindsOf joins what the tables and the catalogue say about kinds of games.
// Records without a board are in the catalogue alone.
func kindsOf(tally []index.Tally, counts *store.Counts) []gameStats {
	byName := map[string]gameStats{}
	for _, t := range tally {
		byName[t.Kind.Name] = gameStats{view.GameCount{Game: gameview.SpecOf(t.Kind), Records: t.Games}, t.Variations, t.Plies, t.Bytes, t.Kind.Name}
	}
	for name, n := range counts.Games {
		k := byName[name]
		k.Game, k.Records, k.name = cmp.Or(k.Game, name), n, name
		byName[name] = k
	}
	return slices.SortedFunc(maps.Values(byName), func(x, y gameStats) int {
		return cmp.Or(y.Records-x.Records, strings.Compare(x.name, y.name))
	})
}

func (all *libraryStats) table() *cli.Table {
	t := &cli.Table{Columns: []string{"library", ""}}
	for _, row := range []struct {
		name  string
		value any
	}{
		{"games", all.Records}, {"names of people, events, places", all.Names}, {"further sources of games", all.Sources},
		{"links between games", all.Links}, {"files read to their end", all.Files}, {"collections", all.Collections},
		{"tables", all.Tables}, {"games that wait for a table", all.Waiting},
		{"catalogue", cli.Size(all.Catalogue)}, {"of it records", cli.Size(all.RecordBytes)}, {"of it free", cli.Size(all.FreeBytes)},
		{"tables and waiting games", cli.Size(all.IndexBytes)},
	} {
		t.Add(nil, row.name, fmt.Sprint(row.value))
	}
	return t
}
