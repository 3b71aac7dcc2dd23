package manage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/view"
	"qipu/view/answerview"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/players"
)

func playersMerge(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "merge NAME...",
		Short: "Say that several names are one player",
		Long: `Say that several names are one player, who is listed under the name of --into.
Every name brings along the names that are one with it. Records do not change.`,
		Example: `  qipu players merge "Demo Alpha" "Demo Beta" --into "Demo Alpha" --dry-run
  qipu players merge "demo.ada" "Demo Alpha" --into "Ada Alpha"`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteNames("player"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.into == "" {
				return cli.Usagef("players merge: --into is missing: the name that the player is listed under")
			}
			return playing.edit(a, cmd, (*players.Directory).Merge, args, &e)
		},
	}
	cmd.Flags().StringVar(&e.into, "into", "", "name that the player is listed under")
	_ = cmd.RegisterFlagCompletionFunc("into", a.CompleteNames("player"))
	e.register(cmd)
	return cmd
}

func playersSplit(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "split NAME...",
		Short: "Say that names are a player of their own",
		Long: `Take names from the players whose they were counted as, and make them one player
of their own, listed under --into or the first of them.`,
		Example: `  qipu players split demo.ada --dry-run
  qipu players split demo.ada`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteNames("player"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return playing.edit(a, cmd, (*players.Directory).Split, args, &e)
		},
	}
	cmd.Flags().StringVar(&e.into, "into", "", "name that the player is listed under (default: the first)")
	e.register(cmd)
	return cmd
}

func playersRename(a *cli.App) *cobra.Command {
	var e edit
	cmd := &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "List a player under another name",
		Example: `  qipu players rename "Demo Beta" "Beta, the second" --dry-run
  qipu players rename "Demo Beta" "Beta"`,
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: a.CompleteFirst("player", 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.into = args[1]
			rename := func(d *players.Directory, ctx context.Context, into string, names []string, o players.EditOptions) (*players.Edited, error) {
				return d.Rename(ctx, names[0], into, o)
			}
			return playing.edit(a, cmd, rename, args[:1], &e)
		},
	}
	e.register(cmd)
	return cmd
}

// subject is what names are of that can be made one: players, or events.
type subject struct {
	command string
	example int // number of a change, in the help
	of      func(*qipu.Library) *players.Directory
}

var playing = &subject{"players", 4, (*qipu.Library).Players}

// edit is the flags of a change to the names of players.
type edit struct {
	into          string
	dryRun, force bool
}

func (e *edit) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&e.dryRun, "dry-run", false, "say what would become of them, and change nothing")
	cmd.Flags().BoolVar(&e.force, "force", false, "take names that nobody knows yet")
}

// editing is one of the library's ways to change the names of players.
type editing func(d *players.Directory, ctx context.Context, into string, names []string, o players.EditOptions) (*players.Edited, error)

// edit changes how names are counted, and tells who has how many games then.
func (s *subject) edit(a *cli.App, cmd *cobra.Command, change editing, names []string, e *edit) error {
	ctx := cmd.Context()
	return a.Opening(cmd, e.dryRun, func(l *qipu.Library) error {
		r, err := s.of(l).Register(ctx, "")
		if err != nil {
			return err
		}
		edited, err := change(s.of(l), ctx, e.into, names, players.EditOptions{DryRun: e.dryRun, Force: e.force})
		switch {
		case errors.Is(err, players.ErrSamePlayers):
			return a.Nothing("%s", cli.Printable(strings.TrimPrefix(err.Error(), "qipu: ")))
		case errors.Is(err, players.ErrNoPlayer), errors.Is(err, players.ErrNoEvent):
			return fmt.Errorf("%w (--force takes the name all the same)", err)
		case err != nil:
			return err
		}
		return s.tell(a, cmd, r, edited, e.dryRun)
	})
}

// editedPlayers is an edit as --json prints it.
type editedPlayers struct {
	view.PlayerEdited
	Games  int      `json:"games"` // of the player then
	Known  []string `json:"known"` // all names of the player then
	DryRun bool     `json:"dryRun"`
}

// tell tells what became of the players that an edit is about.
func (s *subject) tell(a *cli.App, cmd *cobra.Command, r *players.Register, e *players.Edited, dryRun bool) error {
	names, book := e.Names, e.After
	games := map[string]int{} // by canonical name
	for _, p := range r.All() {
		for _, s := range p.Spellings {
			games[book.Canonical(s.Name)] += s.Games
		}
	}
	var listed []string
	total := 0
	for _, name := range names {
		if c := book.Canonical(name); !slices.Contains(listed, c) {
			listed = append(listed, c)
			total += games[c]
		}
	}
	verb := "is"
	switch {
	case dryRun:
		verb = "would be"
	case len(names) > 1:
		verb = "are"
	}
	_, also := book.Person(listed[0])
	sentence := fmt.Sprintf("%s %s listed as %q, in %s", quotedList(names), verb, listed[0], cli.Plural(total, "game"))
	if len(also) > 0 {
		sentence += ", with the names " + quotedList(also)
	}
	if !dryRun {
		sentence += fmt.Sprintf("\nqipu %s undo %d takes it back", s.command, e.ID)
	}
	if a.JSON {
		return a.PrintJSON(cli.Typed("edit", editedPlayers{PlayerEdited: answerview.EditedOf(e), Games: total, Known: append([]string{listed[0]}, also...), DryRun: dryRun}))
	}
	return a.Say(cli.Figures{{Name: "type", Value: s.command}, {Name: "change", Value: cmd.Name()}, {Name: "edit", Value: e.ID}, {Name: "name", Value: listed[0]}, {Name: "names", Value: also}, {Name: "games", Value: total}, {Name: "dryRun", Value: dryRun}},
		"%s", sentence)
}

func quotedList(names []string) string {
	var list []string
	for _, name := range names {
		list = append(list, strconv.Quote(name))
	}
	return strings.Join(list, ", ")
}

func (s *subject) history(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "history",
		Short:   "List what was said about the names of " + s.command,
		Example: "  qipu " + s.command + " history\n  qipu " + s.command + " history --json",
		Args:    cli.ArgCount(0, 0),
		RunE:    func(cmd *cobra.Command, _ []string) error { return s.edits(cmd.Context(), a) },
	}
}

func (s *subject) edits(ctx context.Context, a *cli.App) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := s.of(l).Edits(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Nothing("nothing was said about the names of %[1]s yet: qipu %[1]s merge makes several one", s.command)
		}
		t := &cli.Table{Columns: []string{"edit", "change", "names", "into", "state", "when"}}
		for _, e := range list {
			state := "holds"
			if e.Undone {
				state = "undone"
			}
			t.Add(cli.Typed("edit", answerview.EditOf(&e)),
				fmt.Sprint(e.ID), e.Op, cli.Printable(strings.Join(e.Names, "; ")), cli.Printable(e.Into), state, cli.When(e.When))
		}
		return a.Print(t)
	})
}

func (s *subject) undoing(a *cli.App) *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "undo ID",
		Short: "Take back a change to the names of " + s.command,
		Long: "Take back one change by its number, which qipu " + s.command + ` history lists. Everything
is as if it had never been made; later changes stay.`,
		Example: fmt.Sprintf("  qipu %[1]s undo %[2]d --dry-run\n  qipu %[1]s undo %[2]d", s.command, s.example),
		Args:    cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || id < 1 {
				return cli.Usagef("%q is no number of a change: qipu %s history lists them", args[0], s.command)
			}
			return s.undo(a, cmd, id, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what would be undone, and change nothing")
	return cmd
}

func (s *subject) undo(a *cli.App, cmd *cobra.Command, id int64, dryRun bool) error {
	ctx := cmd.Context()
	return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
		e, err := s.of(l).Undo(ctx, id, dryRun)
		if err != nil {
			return err
		}
		verb := "is undone"
		if dryRun {
			verb = "would be undone"
		}
		what := e.Op + " of " + quotedList(e.Names)
		if e.Into != "" {
			what += fmt.Sprintf(" into %q", e.Into)
		}
		if a.JSON {
			w := editedPlayers{PlayerEdited: answerview.EditOf(e), Known: []string{}, DryRun: dryRun}
			w.Undone = !dryRun
			return a.PrintJSON(cli.Typed("edit", w))
		}
		return a.Say(cli.Figures{{Name: "type", Value: s.command}, {Name: "change", Value: "undo"}, {Name: "edit", Value: id}, {Name: "undone", Value: e.Op}, {Name: "names", Value: e.Names}, {Name: "into", Value: e.Into}, {Name: "dryRun", Value: dryRun}},
			"%s %s", cli.Printable(what), verb)
	})
}
