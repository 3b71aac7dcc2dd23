package manage

import (
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

// kindJSON is what stats --json prints about a kind of game.
type kindJSON struct {
	Type       string `json:"type"` // "kind"
	Kind       string `json:"kind"`
	Games      int    `json:"games"`
	Variations int    `json:"variations"`
	Plies      int64  `json:"plies"`
	IndexBytes int64  `json:"index_bytes"`
}

// libraryJSON is what stats --json prints about the library.
type libraryJSON struct {
	Type           string `json:"type"` // "library"
	Games          int    `json:"games"`
	CatalogueBytes int64  `json:"catalogue_bytes"`
	RecordBytes    int64  `json:"record_bytes"`
	FreeBytes      int64  `json:"free_bytes"`
	IndexBytes     int64  `json:"index_bytes"`
	Names          int    `json:"names"`
	Sources        int    `json:"further_sources"`
	Links          int    `json:"links"`
	Files          int    `json:"files"`
	Collections    int    `json:"collections"`
	Tables         int    `json:"tables"`
	Waiting        int    `json:"waiting"`
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
		all := libraryJSON{
			Type: "library", CatalogueBytes: counts.Bytes, RecordBytes: counts.ChunkBytes, FreeBytes: counts.FreeBytes,
			Names: counts.Names, Sources: counts.Sources, Links: counts.Links, Files: counts.Inputs,
			Collections: counts.Collections, Tables: counts.Segments, Waiting: counts.Waiting,
		}
		for _, k := range kinds {
			index := k.IndexBytes / int64(max(k.Games, 1))
			cell := cli.Size(index)
			if a.CSV {
				cell = fmt.Sprint(index)
			}
			t.Add(k, k.Kind, fmt.Sprint(k.Games), fmt.Sprint(k.Variations), fmt.Sprint(k.Plies), cell)
			all.Games += k.Games
			all.IndexBytes += k.IndexBytes
		}
		if err := a.Print(t); err != nil || a.CSV {
			return err
		}
		if a.JSON {
			return a.PrintJSON(all)
		}
		fmt.Fprintln(a.Out)
		return a.Print(all.table())
	})
}

// kindsOf joins what the tables and the catalogue say about kinds of games.
// Records without a board are in the catalogue alone.
func kindsOf(tally []index.Tally, counts *store.Counts) []kindJSON {
	byName := map[string]kindJSON{}
	for _, t := range tally {
		byName[t.Kind.Name] = kindJSON{"kind", t.Kind.Name, t.Games, t.Variations, t.Plies, t.Bytes}
	}
	for name, n := range counts.Games {
		k := byName[name]
		k.Type, k.Kind, k.Games = "kind", name, n
		byName[name] = k
	}
	return slices.SortedFunc(maps.Values(byName), func(x, y kindJSON) int {
		if x.Games != y.Games {
			return y.Games - x.Games
		}
		return strings.Compare(x.Kind, y.Kind)
	})
}

func (all *libraryJSON) table() *cli.Table {
	t := &cli.Table{Columns: []string{"library", ""}}
	for _, row := range []struct {
		name  string
		value any
	}{
		{"games", all.Games}, {"names of people, events, places", all.Names}, {"further sources of games", all.Sources},
		{"links between games", all.Links}, {"files read to their end", all.Files}, {"collections", all.Collections},
		{"tables", all.Tables}, {"games that wait for a table", all.Waiting},
		{"catalogue", cli.Size(all.CatalogueBytes)}, {"of it records", cli.Size(all.RecordBytes)}, {"of it free", cli.Size(all.FreeBytes)},
		{"tables and waiting games", cli.Size(all.IndexBytes)},
	} {
		t.Add(nil, row.name, fmt.Sprint(row.value))
	}
	return t
}
