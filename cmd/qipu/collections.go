package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/store"
)

func (a *app) collectionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "collections",
		Short: "Keep collections: sets of games under a name",
		Long: `List the collections of the library, or make, change and drop them. A game may be
in any number of collections, and searches can be narrowed to one.`,
		Example: `  qipu collections create masters --note "games of strong players"
  qipu collections
  qipu collections add masters 1 2 3`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listCollections(cmd.Context()) },
	}
	cmd.AddCommand(a.collectionsList(), a.collectionsCreate(), a.collectionsRename(), a.collectionsDrop(),
		a.collectionsChange("add", "Put games into a collection", "added to collection", store.Tx.Collect),
		a.collectionsChange("remove", "Take games out of a collection; they stay in the library", "removed from collection", store.Tx.Uncollect))
	return cmd
}

func (a *app) collectionsList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the collections",
		Example: `  qipu collections list
  qipu collections list --json`,
		Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listCollections(cmd.Context()) },
	}
}

// collectionJSON is a collection as --json prints it.
type collectionJSON struct {
	Type    string `json:"type"` // "collection"
	Name    string `json:"name"`
	Games   int    `json:"games"`
	Note    string `json:"note"`
	Created string `json:"created"`
}

func (a *app) listCollections(ctx context.Context) error {
	return a.reading(ctx, func(l *qipu.Library) error {
		list, err := l.Notes().Collections(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			fmt.Fprintln(a.err, "there are no collections: qipu collections create NAME makes one")
			return silent(exitNothing)
		}
		t := &table{columns: []string{"name", "games", "note"}}
		for _, c := range list {
			t.add(collectionJSON{"collection", c.Name, c.Games, c.Note, c.Created.UTC().Format(time.RFC3339)}, printable(c.Name), fmt.Sprint(c.Games), printable(c.Note))
		}
		return a.print(t)
	})
}

func (a *app) collectionsCreate() *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Make an empty collection",
		Example: `  qipu collections create openings
  qipu collections create "my games" --note "played at the club"`,
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeCollections(cmd, func(_ *qipu.Library, tx store.Tx) (int, error) {
				_, err := tx.CreateCollection(args[0], note)
				return 0, err
			}, args[0], "collection %q made", args[0])
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "what the collection is")
	return cmd
}

func (a *app) collectionsRename() *cobra.Command {
	var note string
	cmd := &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "Give a collection another name, or another note",
		Example: `  qipu collections rename masters pros
  qipu collections rename pros masters --note "games of professionals"`,
		Args:              argCount(2, 2),
		ValidArgsFunction: a.completeFirst("collection", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeCollections(cmd, func(l *qipu.Library, tx store.Tx) (int, error) {
				c, err := wantCollection(cmd.Context(), l, args[0])
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

func (a *app) collectionsDrop() *cobra.Command {
	return &cobra.Command{
		Use:   "drop NAME",
		Short: "Remove a collection; its games stay in the library",
		Example: `  qipu collections drop openings
  qipu collections drop "my games" --json`,
		Args:              argCount(1, 1),
		ValidArgsFunction: a.completeFirst("collection", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeCollections(cmd, func(l *qipu.Library, tx store.Tx) (int, error) {
				c, err := wantCollection(cmd.Context(), l, args[0])
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
func (a *app) collectionsChange(verb, short, done string, change func(store.Tx, int64, []uint32) error) *cobra.Command {
	return a.membershipCommand(membership{
		noun: "collection", verb: verb, short: short, done: done, would: "would be " + done,
		example: fmt.Sprintf(`  qipu collections %s masters 3
  echo 4 5 | qipu collections %s masters -
  qipu collections %s masters --query game:renju --dry-run
  qipu collections %s masters --query game:renju`, verb, verb, verb, verb),
		check: func(ctx context.Context, l *qipu.Library, name string) error {
			_, err := wantCollection(ctx, l, name)
			return err
		},
		change: func(ctx context.Context, l *qipu.Library, tx store.Tx, name string, ids []uint32) error {
			c, err := wantCollection(ctx, l, name)
			if err != nil {
				return err
			}
			return change(tx, c.ID, ids)
		},
	})
}

// wantCollection returns a collection that must be there.
func wantCollection(ctx context.Context, l *qipu.Library, name string) (*store.Collection, error) {
	c, err := l.Collection(ctx, name)
	return c, noCollection(err)
}

// changeCollections changes something about collections and says so. The
// function returns how many games it concerned.
func (a *app) changeCollections(cmd *cobra.Command, change func(*qipu.Library, store.Tx) (int, error), name, format string, args ...any) error {
	return a.changeSet(cmd, "collection", name, false, func(l *qipu.Library) (games int, err error) {
		err = l.Edit(cmd.Context(), func(tx store.Tx) (err error) {
			games, err = change(l, tx)
			return err
		})
		return games, err
	}, func(int) string { return fmt.Sprintf(format, args...) })
}
