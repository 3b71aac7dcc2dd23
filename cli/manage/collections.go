package manage

import (
	"context"
	"fmt"

	"qipu/view/answerview"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
)

func collectionsCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "collections",
		Short: "Keep collections: sets of games under a name",
		Long: `List the collections of the library, or make, change and drop them. A game may be
in any number of collections, and searches can be narrowed to one.`,
		Example: `  qipu collections create masters --note "games of strong players"
  qipu collections
  qipu collections add masters 1 2 3`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listCollections(cmd.Context(), a) },
	}
	cmd.AddCommand(collectionsList(a), collectionsCreate(a), collectionsRename(a), collectionsDrop(a),
		collectionsChange(a, "add", "Put games into a collection", "added to collection", store.Tx.Collect),
		collectionsChange(a, "remove", "Take games out of a collection; they stay in the library", "removed from collection", store.Tx.Uncollect))
	return cmd
}

func collectionsList(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the collections",
		Example: `  qipu collections list
  qipu collections list --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return listCollections(cmd.Context(), a) },
	}
}

func listCollections(ctx context.Context, a *cli.App) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Notes().Collections(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Nothing("there are no collections: qipu collections create NAME makes one")
		}
		t := &cli.Table{Columns: []string{"name", "games", "note"}}
		for _, c := range list {
			t.Add(cli.Typed("collection", answerview.CollectionOf(&c)), cli.Printable(c.Name), fmt.Sprint(c.Games), cli.Printable(c.Note))
		}
		return a.Print(t)
	})
}

func collectionsCreate(a *cli.App) *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make an empty collection",
		Example: `  qipu collections create openings
  qipu collections create "my games" --note "played at the club"`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeCollections(a, cmd, func(_ *qipu.Library, tx store.Tx) (int, error) {
				_, err := tx.CreateCollection(args[0], note)
				return 0, err
			}, args[0], "collection %q made", args[0])
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "what the collection is")
	return cmd
}

func collectionsRename(a *cli.App) *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "Give a collection another name, or another note",
		Example: `  qipu collections rename masters pros
  qipu collections rename pros masters --note "games of professionals"`,
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: a.CompleteFirst("collection", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeCollections(a, cmd, func(l *qipu.Library, tx store.Tx) (int, error) {
				c, err := cli.WantCollection(cmd.Context(), l, args[0])
				if err != nil {
					return 0, err
				}
				if !cmd.Flags().Changed("note") {
					note = c.Note
				}
				return c.Games, tx.RenameCollection(c.ID, args[1], note)
			}, args[1], "collection %q is now %q", args[0], args[1])
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "another note (default: the old one)")
	return cmd
}

func collectionsDrop(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drop NAME",
		Short: "Remove a collection; its games stay in the library",
		Example: `  qipu collections drop openings
  qipu collections drop "my games" --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: a.CompleteFirst("collection", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeCollections(a, cmd, func(l *qipu.Library, tx store.Tx) (int, error) {
				c, err := cli.WantCollection(cmd.Context(), l, args[0])
				if err != nil {
					return 0, err
				}
				return c.Games, tx.DropCollection(c.ID)
			}, args[0], "collection %q dropped: its games stay in the library", args[0])
		},
	}
}

// collectionsChange is the command that puts games into a collection, or takes
// them out of it.
func collectionsChange(a *cli.App, verb, short, done string, change func(store.Tx, int64, []uint32) error) *cobra.Command {
	return membershipCommand(a, membership{
		noun: "collection", verb: verb, short: short, done: done, would: "would be " + done,
		example: fmt.Sprintf(`  qipu collections %s masters 3
  echo 4 5 | qipu collections %s masters -
  qipu collections %s masters --query game:renju --dry-run
  qipu collections %s masters --query game:renju`, verb, verb, verb, verb),
		check: func(ctx context.Context, l *qipu.Library, name string) error {
			_, err := cli.WantCollection(ctx, l, name)
			return err
		},
		change: func(ctx context.Context, l *qipu.Library, tx store.Tx, name string, ids []uint32) error {
			c, err := cli.WantCollection(ctx, l, name)
			if err != nil {
				return err
			}
			return change(tx, c.ID, ids)
		},
	})
}

// changeCollections changes something about collections and says so. The
// function returns how many games it concerned.
func changeCollections(a *cli.App, cmd *cobra.Command, change func(*qipu.Library, store.Tx) (int, error), name, format string, args ...any) error {
	return changeSet(a, cmd, "collection", name, false, func(l *qipu.Library) (games int, err error) {
		err = l.Records().Edit(cmd.Context(), func(tx store.Tx) (err error) {
			games, err = change(l, tx)
			return err
		})
		return games, err
	}, func(int) string { return fmt.Sprintf(format, args...) })
}
