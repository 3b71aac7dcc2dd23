package manage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library"
	"qipu/remedy/shellwords"
	"qipu/store"
)

func doctorCommand(a *cli.App) *cobra.Command {
	var d doctor
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Verify the library, and repair it",
		Long: `Verify the catalogue and every byte of every table, and that each game is in
exactly one table. With --deep every record is unpacked and played again, and
compared with what the tables hold.

With --repair, tables that are damaged, missing or of an older format are made
anew from the records. The records themselves cannot be made anew: qipu backup is
for them. Exit code 3 if any problem is left.`,
		Example: `  qipu doctor
  qipu doctor --deep --json
  qipu doctor --repair`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.app = a
			err := d.run(cmd.Context())
			if errors.Is(err, store.ErrDamaged) {
				return fmt.Errorf("%w: qipu restore BACKUP --library DIR makes a library of a backup", err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&d.deep, "deep", false, "unpack and play every record, and compare it with the tables")
	cmd.Flags().BoolVar(&d.repair, "repair", false, "make anew what is damaged")
	return cmd
}

type doctor struct {
	app          *cli.App
	deep, repair bool
}

// problemJSON is a problem as doctor --json prints it.
type problemJSON struct {
	Type     string `json:"type"` // "problem"
	What     string `json:"what"`
	Name     string `json:"name"`
	Reason   string `json:"reason"`
	Advice   string `json:"advice"`
	Repaired bool   `json:"repaired"`
}

func (d *doctor) run(ctx context.Context) error {
	began := time.Now()
	var found, left []store.Problem
	var told cli.Figures
	look := func(l *qipu.Library) (err error) {
		if found, err = d.examine(ctx, l); err != nil {
			return err
		}
		left = found
		if d.repair && len(found) > 0 {
			if left, err = d.mend(ctx, l); err != nil {
				return err
			}
		}
		told, err = measure(ctx, l)
		return err
	}
	open := func() error { return d.app.Reading(ctx, look) }
	if d.repair {
		open = func() error { return d.app.Writing(ctx, "qipu doctor", look) }
	}
	if err := open(); err != nil {
		return err
	}
	if err := d.list(found, left); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	told = append(cli.Figures{{Name: "type", Value: "total"}, {Name: "problems", Value: len(left)}, {Name: "repaired", Value: len(found) - len(left)}}, told...)
	told = append(told, cli.Figure{Name: "seconds", Value: seconds})
	verdict := "all is well"
	if len(left) > 0 {
		verdict = cli.Plural(len(left), "problem") + " left"
	}
	if !d.app.CSV {
		err := d.app.Say(told, "%s: %v games, %v tables, %s checked in %.1f s", verdict, told.Of("games"), told.Of("tables"), cli.Size(told.Of("bytes").(int64)), seconds)
		if err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return cli.Silent(cli.ExitData)
	}
	return nil
}

// examine returns what is wrong.
func (d *doctor) examine(ctx context.Context, l *qipu.Library) ([]store.Problem, error) {
	found, partial, err := l.Records().Check(ctx, d.deep)
	if partial && !d.repair {
		fmt.Fprintln(d.app.Err, "note: records were not compared with tables, which have to be repaired first")
	}
	return found, err
}

// mend repairs what can be repaired, first the damaged tables and, if that is
// not enough, all of them. It returns what is left.
func (d *doctor) mend(ctx context.Context, l *qipu.Library) ([]store.Problem, error) {
	bar := d.app.NewProgress("games", 0)
	defer bar.Close()
	if err := readable(l.Records().Repair(ctx, bar.Games)); err != nil {
		return nil, err
	}
	left, err := d.examine(ctx, l)
	if err != nil || !slices.ContainsFunc(left, func(p store.Problem) bool {
		return p.What != "catalogue" && p.What != "record" && p.What != library.ShapeProblem
	}) {
		return left, err
	}
	if err := readable(l.Records().Keeper().Reindex(ctx, bar.Games)); err != nil {
		return nil, err
	}
	return d.examine(ctx, l)
}

// readable passes over records that cannot be read, which a check names.
func readable(err error) error {
	if _, some := errors.AsType[*store.UnreadableError](err); some {
		return nil
	}
	return err
}

// measure returns how much there was to check.
func measure(ctx context.Context, l *qipu.Library) (cli.Figures, error) {
	counts, err := l.Records().Counts(ctx)
	if err != nil {
		return nil, err
	}
	games := 0
	for _, n := range counts.Games {
		games += n
	}
	return cli.Figures{{Name: "games", Value: games}, {Name: "tables", Value: counts.Segments}, {Name: "bytes", Value: counts.Bytes + counts.SegmentBytes}}, nil
}

// list prints the problems: those that were repaired, and those that are left
// with what to do about them.
func (d *doctor) list(found, left []store.Problem) error {
	all := slices.Clone(found)
	for _, p := range left {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	t := &cli.Table{Columns: []string{"what", "name", "reason", "advice", "repaired"}}
	for _, p := range all {
		repaired := !slices.Contains(left, p)
		t.Add(problemJSON{"problem", p.What, p.Name, p.Reason, shellwords.Say(p.Remedy), repaired}, p.What, p.Name, p.Reason, shellwords.Say(p.Remedy), fmt.Sprint(repaired))
		if d.app.JSON || d.app.CSV {
			continue
		}
		name := strings.TrimSpace(p.What + " " + p.Name)
		if repaired {
			fmt.Fprintf(d.app.Out, "repaired: %s: %s\n", name, p.Reason)
		} else {
			fmt.Fprintf(d.app.Out, "problem: %s: %s\n  %s\n", name, p.Reason, shellwords.Say(p.Remedy))
		}
	}
	if d.app.JSON || d.app.CSV {
		return d.app.Print(t)
	}
	return nil
}

func reindexCommand(a *cli.App) *cobra.Command {
	var compact bool
	cmd := &cobra.Command{
		Use:   "reindex",
		Short: "Make all tables of the library anew",
		Long: `Make the tables for searching anew from the records. Nothing is lost if it is
interrupted: the old tables stay until the new ones are complete, and searches
go on meanwhile. Records that cannot be read are named, and left out; then the
exit code is 3.

With --compact the catalogue is rewritten too, without the records of games that
were deleted or replaced: that needs as much free space as it has, and gives the
space of these records back.`,
		Example: `  qipu reindex
  qipu reindex --compact --progress plain`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return reindex(cmd.Context(), a, compact) },
	}
	cmd.Flags().BoolVar(&compact, "compact", false, "give back the space of deleted and replaced games, too")
	return cmd
}

func reindex(ctx context.Context, a *cli.App, compact bool) error {
	return a.Writing(ctx, "qipu reindex", func(l *qipu.Library) error {
		bar := a.NewProgress("games", 0)
		defer bar.Close()
		unreadable := l.Records().Keeper().Reindex(ctx, bar.Games)
		if err := readable(unreadable); err != nil {
			return err
		}
		before, err := l.Records().Counts(ctx)
		if err == nil && compact {
			err = l.Records().Keeper().Compact(ctx)
		}
		if err != nil {
			return err
		}
		told, err := measure(ctx, l)
		if err != nil {
			return err
		}
		told = append(cli.Figures{{Name: "type", Value: "reindexed"}}, told[:2]...)
		text := fmt.Sprintf("%s in %s", cli.Plural(told.Of("games").(int), "game"), cli.Plural(told.Of("tables").(int), "new table"))
		if compact {
			after, err := l.Records().Counts(ctx)
			if err != nil {
				return err
			}
			freed := max(0, before.Bytes-after.Bytes)
			told = append(told, cli.Figure{Name: "freed", Value: freed})
			text += fmt.Sprintf(", %s of the catalogue given back", cli.Size(freed))
		}
		if err := a.Say(told, "%s", text); err != nil {
			return err
		}
		return unreadable
	})
}
