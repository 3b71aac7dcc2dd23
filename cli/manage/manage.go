package manage

import (
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
never used again. Deleted games are in the trash for 30 days: qipu undo, or qipu trash
restore, brings them back with their tags and collections. The files that the games
came from are not touched, and the next import of them brings the games back: it reads
them again, though they have not changed.

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
			if err := a.Confirm("delete %s from %s?", cli.Plural(len(ids), "game"), l.Records().Place()); err != nil {
				return err
			}
		}
		if err := l.Records().Delete(ctx, ids...); err != nil {
			return err
		}
		return a.Say(told, "%s deleted; qipu undo brings them back", cli.Plural(len(ids), "game"))
	})
}
