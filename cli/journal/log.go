package journal

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
	"qipu/view/journalview"
)

func logCommand(a *cli.App) *cobra.Command {
	var limit int
	var op string
	cmd := &cobra.Command{
		Use:   "log [N]",
		Short: "List what was changed in the library, and what can be undone",
		Long: `List the changes of the library, the newest first: imports, deletions, tags,
collections, saved queries, names of players and events, corrected headers, and what
was undone. With the number of a change, tell all of it.

Every change can be undone by its number: see qipu undo. The games that a change was
about are found by import:N.`,
		Example: `  qipu log
  qipu log --op import
  qipu log 1 --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return tellChange(cmd.Context(), a, args[0])
			}
			return listChanges(cmd.Context(), a, store.Page{Limit: limit, Op: op})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "only so many, the newest (0: all)")
	cmd.Flags().StringVar(&op, "op", "", "only changes of this kind: import, delete, edit, tag and so on")
	return cmd
}

func listChanges(ctx context.Context, a *cli.App, p store.Page) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Records().Journal().Changes(ctx, p)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Nothing("nothing was changed yet")
		}
		t := &cli.Table{Columns: []string{"change", "when", "who", "games", "what", "undone"}}
		for i := range list {
			c := &list[i]
			undone := ""
			if c.UndoneBy != 0 {
				undone = fmt.Sprintf("by %d", c.UndoneBy)
			}
			t.Add(cli.Typed("change", journalview.ChangeOf(c)), fmt.Sprint(c.ID), when(c.At), cli.Printable(c.Who), fmt.Sprint(c.Count), cli.Printable(journalview.Sentence(c)), undone)
		}
		return a.Print(t)
	})
}

// when returns a time as tables have it.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// number reads the number of a change.
func number(word string) (int64, error) {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, cli.Usagef("%q is not the number of a change: qipu log lists them", word)
	}
	return n, nil
}

func tellChange(ctx context.Context, a *cli.App, word string) error {
	id, err := number(word)
	if err != nil {
		return err
	}
	return a.Reading(ctx, func(l *qipu.Library) error {
		c, err := l.Records().Journal().Change(ctx, id)
		if err != nil {
			return none(err, id)
		}
		if a.JSON {
			return a.PrintJSON(cli.Typed("change", journalview.ChangeOf(&c)))
		}
		w := journalview.ChangeOf(&c)
		fmt.Fprintf(a.Out, "change %d, %s: %s\n", c.ID, when(c.At), cli.Printable(w.What))
		if c.Who != "" {
			fmt.Fprintf(a.Out, "by %s\n", cli.Printable(c.Who))
		}
		for _, s := range w.Left {
			fmt.Fprintf(a.Out, "left as it is: %s\n", cli.Printable(s))
		}
		switch {
		case c.UndoneBy != 0:
			fmt.Fprintf(a.Out, "undone by change %d; qipu undo %d does it again\n", c.UndoneBy, c.UndoneBy)
		default:
			fmt.Fprintf(a.Out, "qipu undo %d undoes it\n", c.ID)
		}
		if w.Query != "" {
			fmt.Fprintf(a.Out, "qipu find %s lists its games\n", w.Query)
		}
		return nil
	})
}

func undoCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "undo [N]",
		Short: "Undo a change of the library: the last one, or that of a number",
		Long: `Undo a change, by its number in qipu log, or the last one that is not undone yet.
What was changed again since, or is gone for good, stays as it is, and that is said.
Games that were deleted come back with their numbers, tags and collections, for 30
days; those that an import brought go into the trash. An undo is a change itself:
undoing it does again what was done.`,
		Example: `  qipu tags add study 1 2
  qipu undo
  qipu undo 3 --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var id int64
			if len(args) == 1 {
				var err error
				if id, err = number(args[0]); err != nil {
					return err
				}
			}
			ctx := cmd.Context()
			return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
				if id == 0 {
					last, err := latest(ctx, l, "")
					if err != nil {
						return err
					}
					if last == nil {
						return a.Nothing("there is nothing to undo")
					}
					id = last.ID
				}
				return undo(ctx, a, l, id)
			})
		},
	}
}

// latest returns the last change that is not undone, and no undo itself; nil for none.
func latest(ctx context.Context, l *qipu.Library, op string) (*store.Change, error) {
	for p := (store.Page{Limit: 100, Op: op}); ; {
		list, err := l.Records().Journal().Changes(ctx, p)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		for i := range list {
			if c := &list[i]; c.UndoneBy == 0 && c.Count > 0 && (c.Op != store.OpUndo || c.Args["again"] == true) { // an import of what is known changes nothing
				return c, nil
			}
		}
		p.Before = list[len(list)-1].ID
	}
}

func undo(ctx context.Context, a *cli.App, l *qipu.Library, id int64) error {
	done, err := l.Records().Undo(ctx, id)
	if err != nil {
		return none(err, id)
	}
	w := journalview.ChangeOf(&done.Change)
	for _, s := range done.Left {
		fmt.Fprintf(a.Err, "left as it is: %s\n", cli.Printable(s))
	}
	return a.Say(cli.Figures{{Name: "type", Value: "undone"}, {Name: "change", Value: done.ID}, {Name: "undoes", Value: done.Undoes}, {Name: "count", Value: done.Count}, {Name: "left", Value: strings.Join(done.Left, "; ")}},
		"%s; qipu undo %d takes that back", cli.Printable(w.What), done.ID)
}

// none tells what there is instead of a change that is not there.
func none(err error, id int64) error {
	if errors.Is(err, store.ErrNoRow) {
		return fmt.Errorf("there is no change %d: qipu log lists them", id)
	}
	return err
}

func importsCommand(a *cli.App) *cobra.Command {
	list := func(cmd *cobra.Command, _ []string) error {
		return listChanges(cmd.Context(), a, store.Page{Op: store.OpImport})
	}
	cmd := &cobra.Command{
		Use:     "imports",
		Short:   "List what was imported, and undo imports",
		Long:    "List the imports of the library, the newest first, or undo one of them.",
		Example: "  qipu imports\n  qipu imports list --csv",
		Args:    cli.NoArgs,
		RunE:    list,
	}
	cmd.AddCommand(
		&cobra.Command{Use: "list", Short: "List what was imported", Example: "  qipu imports list\n  qipu imports list --json", Args: cli.NoArgs, RunE: list},
		&cobra.Command{
			Use:   "undo [N]",
			Short: "Undo an import: the last one, or that of a number",
			Long: `Undo an import: the games that it brought go into the trash, records that fuller ones
took the place of come back, and places that were noted are forgotten. Games that a
later import brought as well stay.`,
			Example: "  qipu imports undo\n  qipu imports undo --json",
			Args:    cli.ArgCount(0, 1),
			RunE: func(cmd *cobra.Command, args []string) error {
				ctx := cmd.Context()
				var id int64
				if len(args) == 1 {
					var err error
					if id, err = number(args[0]); err != nil {
						return err
					}
				}
				return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
					if id == 0 {
						last, err := latest(ctx, l, store.OpImport)
						if err != nil {
							return err
						}
						if last == nil {
							return a.Nothing("there is no import to undo")
						}
						id = last.ID
					} else if c, err := l.Records().Journal().Change(ctx, id); err != nil {
						return none(err, id)
					} else if c.Op != store.OpImport {
						return cli.Usagef("change %d is no import (%s): qipu undo %d undoes it", id, cli.Printable(journalview.Sentence(&c)), id)
					}
					return undo(ctx, a, l, id)
				})
			},
		})
	return cmd
}
