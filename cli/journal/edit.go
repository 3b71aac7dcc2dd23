package journal

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/record/facts"
	"qipu/store"
)

func editCommand(a *cli.App) *cobra.Command {
	var chosen cli.Choice
	var set, reset []string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "edit [ID...]",
		Short: "Correct headers of games: names, result, event, date, komi",
		Long: `Correct headers of games, by their numbers, those that a query finds, or all of a
collection. Records stay as they came: corrections are laid over them, lists, searches,
facets, players and the book follow at once, and qipu undo takes them back. --reset
has a header be what the record says again. Without --set and --reset, the corrections
that there are are listed. qipu export --edited writes corrected headers.

Headers: ` + strings.Join(facts.Fields, ", ") + `.
A result is first, second, draw, void or unfinished, with a margin or a reason if you
like: "first 3.5", "second resign". An empty value makes a header unknown.`,
		Example: `  qipu edit 1 --set event="Spring Cup" --set date=1993-05-02
  qipu edit 1
  qipu edit --query event:spring --set round=2 --dry-run
  qipu edit 1 --reset event`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.Take(a, args, ", --query or --collection"); err != nil {
				return err
			}
			change, err := parse(set, reset)
			if err != nil {
				return err
			}
			if len(change) == 0 {
				return listCorrections(cmd.Context(), a, &chosen)
			}
			return edit(a, cmd, &chosen, change, dryRun)
		},
	}
	chosen.Register(a, cmd, "edit")
	chosen.RegisterCollection(a, cmd, "edit")
	f := cmd.Flags()
	f.StringArrayVar(&set, "set", nil, "HEADER=VALUE; may be given several times")
	f.StringArrayVar(&reset, "reset", nil, "HEADER that is to be what the record says again")
	f.BoolVar(&dryRun, "dry-run", false, "say how many games there are, and change nothing")
	return cmd
}

// parse reads corrections of any game.
func parse(set, reset []string) (map[string]*string, error) {
	change := map[string]*string{}
	for _, word := range set {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			return nil, cli.Usagef("--set %s: write it as HEADER=VALUE, such as --set event=\"Spring Cup\"", cli.Printable(cli.Shorten(word, 80)))
		}
		value, err := facts.Canon(strings.TrimSpace(name), value)
		if err != nil {
			return nil, cli.Usagef("--set %s: %v", cli.Printable(cli.Shorten(word, 80)), err)
		}
		change[strings.TrimSpace(name)] = &value
	}
	for _, name := range reset {
		if !slices.Contains(facts.Fields, name) {
			return nil, cli.Usagef("--reset %s: there is no such header: there are %s", name, strings.Join(facts.Fields, ", "))
		}
		change[name] = nil
	}
	return change, nil
}

func edit(a *cli.App, cmd *cobra.Command, chosen *cli.Choice, change map[string]*string, dryRun bool) error {
	ctx := cmd.Context()
	return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
		ids, err := chosen.Games(ctx, a, l)
		if err != nil {
			return err
		}
		told := cli.Figures{{Name: "type", Value: "edited"}, {Name: "games", Value: len(ids)}, {Name: "dryRun", Value: dryRun}}
		if dryRun {
			return a.Say(told, "headers of %s would be corrected", cli.Plural(len(ids), "game"))
		}
		n, err := l.Records().Correct(ctx, corrections(ids, change))
		if err != nil {
			return err
		}
		told[1].Value = n
		if n == 0 {
			return a.Say(told, "nothing to correct: the headers say that already")
		}
		return a.Say(told, "headers of %s corrected; qipu undo takes that back", cli.Plural(n, "game"))
	})
}

func corrections(ids []uint32, change map[string]*string) []store.Correction {
	list := make([]store.Correction, 0, len(ids)*len(change))
	for _, id := range ids {
		for _, name := range slices.Sorted(maps.Keys(change)) {
			list = append(list, store.Correction{Game: id, Field: name, Value: change[name]})
		}
	}
	return list
}

func listCorrections(ctx context.Context, a *cli.App, chosen *cli.Choice) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		ids, err := chosen.Games(ctx, a, l)
		if err != nil {
			return err
		}
		list, err := l.Records().Journal().Corrections(ctx, ids)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Nothing("no headers were corrected: --set HEADER=VALUE corrects one")
		}
		t := &cli.Table{Columns: []string{"id", "header", "value"}}
		for _, c := range list {
			t.Add(cli.Typed("correction", map[string]any{"id": c.Game, "header": c.Field, "value": *c.Value}), fmt.Sprint(c.Game), c.Field, cli.Printable(*c.Value))
		}
		return a.Print(t)
	})
}
