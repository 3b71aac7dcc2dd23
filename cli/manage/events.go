package manage

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/players"
	"qipu/view/answerview"
)

var gathering = &subject{"events", 1, func(l *qipu.Library) *players.Directory { return l.Players().Events() }}

func eventsCommand(a *cli.App) *cobra.Command {
	var game string
	var limit int
	cmd := &cobra.Command{
		Use:   "events [TEXT]",
		Short: "List events with their games, and say which names are one event",
		Long: `List the events of the library, or those whom a text may mean. Records spell one
event in many ways: merge, split and rename say which names are one, for queries
(event:NAME), facets and this list. Records stay as they are; every change is an
entry of the journal and can be undone. To correct the headers themselves there
are qipu edit and qipu cleanup.`,
		Example: `  qipu events
  qipu events cup --json
  qipu events merge "Qipu Demo Cup" "棋譜演示盃" --into "Qipu Demo Cup"`,
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: a.CompleteFirst("event", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return cli.Usagef("--limit %d: want a number of events, or 0 for all", limit)
			}
			return listEvents(cmd.Context(), a, strings.Join(args, ""), game, limit)
		},
	}
	a.TakesGame(cmd, &game)
	cmd.Flags().IntVar(&limit, "limit", 30, "events to list (0: all)")
	cmd.AddCommand(eventsMerge(a), eventsSplit(a), eventsRename(a), gathering.history(a), gathering.undoing(a))
	return cmd
}

func listEvents(ctx context.Context, a *cli.App, asked, game string, limit int) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		if game != "" {
			if _, err := a.Game(game); err != nil {
				return err
			}
		}
		r, err := l.Players().Events().Register(ctx, game)
		if err != nil {
			return err
		}
		list := r.All()
		if asked != "" {
			list = r.Find(asked)
		}
		if len(list) == 0 {
			message := "the library names no events"
			if asked != "" {
				message = fmt.Sprintf("no event is called %q: qipu events lists all", asked)
				if near := r.Nearest(asked, 3); len(near) > 0 {
					message = fmt.Sprintf("no event is called %q: is it %s?", asked, strings.Join(near, " or "))
				}
			}
			return a.Nothing("%s", cli.Printable(message))
		}
		shown := list
		if limit > 0 {
			shown = list[:min(limit, len(list))]
		}
		t := &cli.Table{Columns: []string{"event", "games", "since", "until", "also written"}}
		for _, p := range shown {
			row, also := answerview.EventOf(p), otherSpellings(p)
			if !a.CSV {
				also = cli.Shorten(cli.Printable(also), 60)
			}
			t.Add(cli.Typed("event", row), cli.Printable(p.Name), strconv.Itoa(p.Games), row.Since, row.Until, also)
		}
		if err := a.Print(t); err != nil {
			return err
		}
		if more := len(list) - len(shown); more > 0 && !a.JSON && !a.CSV {
			fmt.Fprintf(a.Out, "%s: --limit 0\n", cli.Plural(more, "more event"))
		}
		return nil
	})
}

func eventsMerge(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "merge NAME...",
		Short: "Say that several names are one event",
		Long: `Say that several names are one event, which is listed under the name of --into.
Every name brings along the names that are one with it. Records do not change.`,
		Example: `  qipu events merge "Qipu Demo Cup" "棋譜演示盃" --into "The Demo Cup" --dry-run
  qipu events merge "Qipu Demo Cup" "棋譜演示盃" --into "Qipu Demo Cup"`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteNames("event"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.into == "" {
				return cli.Usagef("events merge: --into is missing: the name that the event is listed under")
			}
			return gathering.edit(a, cmd, (*players.Directory).Merge, args, &e)
		},
	}
	cmd.Flags().StringVar(&e.into, "into", "", "name that the event is listed under")
	_ = cmd.RegisterFlagCompletionFunc("into", a.CompleteNames("event"))
	e.register(cmd)
	return cmd
}

func eventsSplit(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "split NAME...",
		Short: "Say that names are an event of their own",
		Long: `Take names from the events whose they were counted as, and make them one event of
their own, listed under --into or the first of them.`,
		Example: `  qipu events split "棋譜演示盃" --dry-run
  qipu events split "棋譜演示盃"`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteNames("event"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return gathering.edit(a, cmd, (*players.Directory).Split, args, &e)
		},
	}
	cmd.Flags().StringVar(&e.into, "into", "", "name that the event is listed under (default: the first)")
	e.register(cmd)
	return cmd
}

func eventsRename(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "List an event under another name",
		Example: `  qipu events rename "Qipu Demo Cup" "Demo Cup" --dry-run
  qipu events rename "Qipu Demo Cup" "Demo Cup"`,
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: a.CompleteFirst("event", 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.into = args[1]
			rename := func(d *players.Directory, ctx context.Context, into string, names []string, o players.EditOptions) (*players.Edited, error) {
				return d.Rename(ctx, names[0], into, o)
			}
			return gathering.edit(a, cmd, rename, args[:1], &e)
		},
	}
	e.register(cmd)
	return cmd
}
