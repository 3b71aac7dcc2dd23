package manage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
)

func deleteCommand(a *cli.App) *cobra.Command {
	var chosen cli.Choice
	var dryRun, yes bool
	cmd := &cobra.Command{
		Use:   "delete [ID...]",
		Short: "Delete games from the library",
		Long: `Delete games, by their numbers ("-" reads them from standard input), those that a
query finds, or all of a collection, which then stays behind empty. Numbers are
never used again. The files that the games came from are not touched, and the next
import of them brings the games back: it reads them again, though they have not
changed. The space in the catalogue is given back by qipu reindex --compact.

The command asks first, unless --yes is given; where there is no terminal to ask at,
it deletes nothing without it. Where any of the numbers is of no game, nothing is
deleted.`,
		Example: `  qipu delete 25 26 --dry-run
  qipu delete 26 --yes
  qipu delete --query "game:renju moves<30" --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.Take(a, args, ", --query or --collection"); err != nil {
				return err
			}
			return deleteGames(a, cmd, &chosen, dryRun, yes)
		},
	}
	chosen.Register(a, cmd, "delete")
	chosen.RegisterCollection(a, cmd, "delete")
	f := cmd.Flags()
	f.BoolVar(&dryRun, "dry-run", false, "say how many games would be deleted, and delete nothing")
	f.BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func deleteGames(a *cli.App, cmd *cobra.Command, chosen *cli.Choice, dryRun, yes bool) error {
	ctx := cmd.Context()
	return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
		ids, err := chosen.Games(ctx, a, l)
		if err != nil {
			return err
		}
		told := cli.Figures{{Name: "type", Value: "deleted"}, {Name: "games", Value: len(ids)}, {Name: "dryRun", Value: dryRun}}
		if dryRun {
			return a.Say(told, "%s would be deleted", cli.Plural(len(ids), "game"))
		}
		if !yes && len(ids) > 0 {
			if err := confirm(a, "delete %s from %s?", cli.Plural(len(ids), "game"), l.Place()); err != nil {
				return err
			}
		}
		if err := l.Records().Delete(ctx, ids...); err != nil {
			return err
		}
		return a.Say(told, "%s deleted", cli.Plural(len(ids), "game"))
	})
}

// confirm asks a user at a terminal. Elsewhere nobody can be asked, and nothing is
// done.
func confirm(a *cli.App, format string, args ...any) error {
	if !a.InTerm || !a.ErrTerm {
		return cli.Usagef(format+" There is nobody to ask: add --yes", args...)
	}
	fmt.Fprintf(a.Err, format+" [y/N] ", args...)
	var line []byte
	for c := make([]byte, 1); ; {
		n, err := a.In.Read(c)
		if errors.Is(err, cli.ErrInterrupted) {
			return err
		}
		if n == 0 && err != nil || n > 0 && c[0] == '\n' {
			break
		}
		line = append(line, c[:n]...)
	}
	if slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(string(line)))) {
		return nil
	}
	return a.Nothing("nothing was done")
}
