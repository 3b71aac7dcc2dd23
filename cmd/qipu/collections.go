package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/catalog"
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
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q%s", args[0], didYouMean(args[0], commandNames(cmd)))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return a.listCollections(cmd.Context()) },
	}
	cmd.AddCommand(a.collectionsList(), a.collectionsCreate(), a.collectionsRename(), a.collectionsDrop(),
		a.collectionsChange("add", "Put games into a collection", "added to", (*catalog.Tx).Collect),
		a.collectionsChange("remove", "Take games out of a collection; they stay in the library", "removed from", (*catalog.Tx).Uncollect))
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
	Name    string `json:"name"`
	Games   int    `json:"games"`
	Note    string `json:"note"`
	Created string `json:"created"`
}

func (a *app) listCollections(ctx context.Context) error {
	return a.reading(ctx, func(l *qipu.Library) error {
		list, err := l.Catalog().Collections(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			fmt.Fprintln(a.err, "there are no collections: qipu collections create NAME makes one")
			return silent(exitNothing)
		}
		t := &table{columns: []string{"name", "games", "note"}}
		for _, c := range list {
			t.add(collectionJSON{c.Name, c.Games, c.Note, c.Created.UTC().Format(time.RFC3339)}, printable(c.Name), fmt.Sprint(c.Games), printable(c.Note))
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
			return a.changeCollections(cmd, func(_ *qipu.Library, tx *catalog.Tx) (int, error) {
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
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeCollections(cmd, func(l *qipu.Library, tx *catalog.Tx) (int, error) {
				c, err := l.Collection(cmd.Context(), args[0])
				if err != nil {
					return 0, noCollection(err)
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
		Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.changeCollections(cmd, func(l *qipu.Library, tx *catalog.Tx) (int, error) {
				c, err := l.Collection(cmd.Context(), args[0])
				if err != nil {
					return 0, noCollection(err)
				}
				return c.Games, tx.DropCollection(c.ID)
			}, args[0], "collection %q dropped: its games stay in the library", args[0])
		},
	}
}

// collectionsChange is the command that puts games into a collection, or takes
// them out of it.
func (a *app) collectionsChange(verb, short, done string, change func(*catalog.Tx, int64, []uint32) error) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " NAME ID...",
		Short: short,
		Long:  `Numbers of games come as arguments, or from standard input for "-".`,
		Example: fmt.Sprintf(`  qipu collections %s masters 3
  echo 4 5 | qipu collections %s masters -`, verb, verb),
		Args: argCount(2, 1<<30),
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := a.numbers(args[1:])
			if err != nil {
				return err
			}
			return a.changeCollections(cmd, func(l *qipu.Library, tx *catalog.Tx) (int, error) {
				c, err := l.Collection(cmd.Context(), args[0])
				if err != nil {
					return 0, noCollection(err)
				}
				if err := present(cmd.Context(), l, ids); err != nil {
					return 0, err
				}
				return len(ids), change(tx, c.ID, ids)
			}, args[0], "%s %s collection %q", plural(len(ids), "game"), done, args[0])
		},
	}
}

// changeCollections changes something about collections and says so. The
// function returns how many games it concerned.
func (a *app) changeCollections(cmd *cobra.Command, change func(*qipu.Library, *catalog.Tx) (int, error), name, format string, args ...any) error {
	ctx := cmd.Context()
	return a.writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
		games := 0
		err := l.Catalog().Update(ctx, func(tx *catalog.Tx) (err error) {
			games, err = change(l, tx)
			return err
		})
		if err != nil {
			return err
		}
		return a.say(figures{{"type", "collection"}, {"change", cmd.Name()}, {"name", name}, {"games", games}}, format, args...)
	})
}
