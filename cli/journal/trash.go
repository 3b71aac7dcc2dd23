package journal

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
	"qipu/view/journalview"
)

func trashCommand(a *cli.App) *cobra.Command {
	list := func(cmd *cobra.Command, limit int) error { return listTrash(cmd.Context(), a, limit) }
	cmd := &cobra.Command{
		Use:   "trash",
		Short: "List deleted games, bring them back, or delete them for good",
		Long: `List the games that were deleted in the last 30 days, bring some back with their
numbers, tags and collections, or delete them for good.`,
		Example: "  qipu delete 21 --yes\n  qipu trash",
		Args:    cli.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return list(cmd, 0) },
	}
	var limit int
	listing := &cobra.Command{Use: "list", Short: "List deleted games, those deleted last first", Example: "  qipu delete 22 --yes\n  qipu trash list --limit 10", Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return list(cmd, limit) }}
	listing.Flags().IntVar(&limit, "limit", 0, "only so many (0: all)")
	restore := &cobra.Command{Use: "restore ID...", Short: "Bring deleted games back", Example: "  qipu delete 23 --yes\n  qipu trash restore 23",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := a.Numbers(args)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
				done, err := l.Records().Restore(ctx, ids)
				if err != nil {
					return err
				}
				for _, s := range done.Left {
					fmt.Fprintf(a.Err, "left as it is: %s\n", cli.Printable(s))
				}
				return a.Say(cli.Figures{{Name: "type", Value: "restored"}, {Name: "games", Value: done.Count}, {Name: "change", Value: done.ID}}, "%s brought back", cli.Plural(done.Count, "game"))
			})
		}}
	var yes bool
	empty := &cobra.Command{Use: "empty", Short: "Delete what is in the trash for good", Args: cli.NoArgs,
		Long: `Delete what is in the trash for good: deleted games, and records that fuller ones took
the place of. Their bytes are overwritten; earlier backups still have them.`,
		Example: "  qipu trash empty --yes\n  qipu trash empty --yes --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
				if !yes {
					if err := a.Confirm("delete all that is in the trash of %s for good?", l.Records().Place()); err != nil {
						return err
					}
				}
				n, err := l.Records().Purge(ctx, time.Now().Add(100*365*24*time.Hour))
				if err != nil {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "purged"}, {Name: "games", Value: n}}, "%s deleted for good", cli.Plural(n, "game"))
			})
		}}
	empty.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.AddCommand(listing, restore, empty)
	return cmd
}

func listTrash(ctx context.Context, a *cli.App, limit int) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Records().Journal().Trash(ctx, store.Page{Limit: limit})
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Nothing("the trash is empty")
		}
		t := &cli.Table{Columns: []string{"id", "game", "first", "second", "date", "deleted", "until"}}
		for i := range list {
			w := journalview.TrashedOf(&list[i])
			t.Add(cli.Typed("trashed", w), fmt.Sprint(w.ID), cli.Printable(w.Game), cli.Printable(w.First), cli.Printable(w.Second), cli.Printable(w.Date), when(list[i].At), when(list[i].Until))
		}
		return a.Print(t)
	})
}
