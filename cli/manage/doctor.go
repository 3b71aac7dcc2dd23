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
	"qipu/library/results"
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
for them. Exit code 3 if any problem is left.

With --results, the results of games that were played here are looked at: versions up
to 0.1 counted every stone on the board as alive when both sides had passed in Go. What
is wrong is listed; --repair puts a record with the right result and marks of territory
in the place of each game whose count is sure, under a new number, with its collections
and tags, after asking (--yes: without). --undo gives the old results back.

Where there is no backup, --salvage makes a new library in the folder TO of all that
can still be read of a damaged one, which stays as it is. Games keep their numbers.
Records that are whole come along, with their sources, collections, tags and saved
queries; a game whose record is gone is rebuilt of its moves and headers in a table,
without comments and variations, and gets the tag "rebuilt". Every game that is not
whole is told; --json tells of all. Exit code 3 if anything is lost or rebuilt.`,
		Example: `  qipu doctor
  qipu doctor --deep --json
  qipu doctor --repair
  qipu doctor --results
  qipu doctor --results --repair --yes
  qipu doctor --salvage salvaged`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			d.app = a
			switch {
			case d.salvage != "" && (d.repair || d.deep):
				return cli.Usagef("--salvage reads the library past its damage: leave out --deep and --repair")
			case d.salvage != "":
				return d.rescue(cmd.Context())
			case d.undo && !d.results || d.undo && d.repair:
				return cli.Usagef("--undo goes with --results, and without --repair")
			case d.results:
				return d.recount(cmd.Context())
			}
			err := d.run(cmd.Context())
			if errors.Is(err, store.ErrDamaged) {
				return fmt.Errorf("%w: qipu restore BACKUP --library DIR makes a library of a backup, qipu doctor --salvage DIR one of what can still be read", err)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&d.deep, "deep", false, "unpack and play every record, and compare it with the tables")
	cmd.Flags().BoolVar(&d.repair, "repair", false, "make anew what is damaged")
	cmd.Flags().BoolVar(&d.results, "results", false, "count games of Go that were played here anew, and list wrong results")
	cmd.Flags().BoolVar(&d.undo, "undo", false, "with --results: give the results back that --repair has changed")
	cmd.Flags().BoolVar(&d.yes, "yes", false, "with --results: do not ask")
	cmd.Flags().StringVar(&d.salvage, "salvage", "", "folder of a new library for all that can still be read")
	return cmd
}

type doctor struct {
	app          *cli.App
	deep, repair bool
	salvage      string

	results, undo, yes bool
}

// wrongResult is a game as doctor --results --json prints it.
type wrongResult struct {
	Game   uint32   `json:"game"`
	Stored string   `json:"stored"`
	Right  string   `json:"right"`
	Dead   []string `json:"dead"`
	Sure   bool     `json:"sure"`
	Mended uint32   `json:"mended,omitempty"` // its new number
}

// recount looks for wrong results, mends them where it is told to, or gives the old
// ones back.
func (d *doctor) recount(ctx context.Context) error {
	a := d.app
	if d.undo {
		return a.Writing(ctx, "qipu doctor", func(l *qipu.Library) error {
			back, err := results.Undo(ctx, l.Records())
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "undone"}, {Name: "games", Value: len(back)}}, "%s with the old result again", cli.Plural(len(back), "game"))
		})
	}
	open := func(f func(*qipu.Library) error) error { return a.Reading(ctx, f) }
	if d.repair {
		open = func(f func(*qipu.Library) error) error { return a.Writing(ctx, "qipu doctor", f) }
	}
	return open(func(l *qipu.Library) error {
		wrong, err := results.Find(ctx, l.Records())
		if err != nil {
			return err
		}
		sure := 0
		for i := range wrong {
			if wrong[i].Sure {
				sure++
			}
		}
		var mended map[uint32]uint32
		if d.repair && sure > 0 {
			if !d.yes {
				if err := a.Confirm("mend the results of %s?", cli.Plural(sure, "game")); err != nil {
					return err
				}
			}
			if mended, err = results.Mend(ctx, l.Records(), wrong); err != nil {
				return err
			}
		}
		return d.listResults(wrong, mended)
	})
}

// listResults prints what is wrong, and what has become of it.
func (d *doctor) listResults(wrong []results.Wrong, mended map[uint32]uint32) error {
	a := d.app
	t := &cli.Table{Columns: []string{"game", "stored", "right", "dead", "note"}}
	for i := range wrong {
		w := &wrong[i]
		row := wrongResult{Game: w.Game, Stored: w.Stored.String(), Right: w.Counted.String(), Dead: w.Names(), Sure: w.Sure, Mended: mended[w.Game]}
		note := ""
		switch {
		case row.Mended != 0:
			note = fmt.Sprintf("now game %d", row.Mended)
		case !w.Sure:
			note = "not sure: look at it"
		}
		t.Add(cli.Typed("result", row), fmt.Sprint(w.Game), row.Stored, row.Right, strings.Join(row.Dead, " "), note)
	}
	if len(wrong) > 0 || a.JSON || a.CSV {
		if err := a.Print(t); err != nil || a.CSV {
			return err
		}
	}
	left := len(wrong) - len(mended)
	told := cli.Figures{{Name: "type", Value: "total"}, {Name: "wrong", Value: len(wrong)}, {Name: "mended", Value: len(mended)}}
	switch {
	case len(wrong) == 0:
		return a.Say(told, "no result is wrong")
	case len(mended) > 0:
		if err := a.Say(told, "%s mended, %d left; qipu doctor --results --undo gives the old ones back", cli.Plural(len(mended), "result"), left); err != nil || left == 0 {
			return err
		}
	default:
		if err := a.Say(told, "%s wrong; qipu doctor --results --repair mends those that are sure", cli.Plural(len(wrong), "result")); err != nil {
			return err
		}
	}
	return cli.Silent(cli.ExitData)
}

// rescue makes a new library of what is left of a damaged one.
func (d *doctor) rescue(ctx context.Context) error {
	a := d.app
	dir, err := qipu.Locate(a.Library, a.LookupOS)
	if err != nil {
		return err
	}
	if store.OnServers(dir) {
		return fmt.Errorf("%s are servers, which keep copies of what they hold: qipu cluster status tells of them", dir)
	}
	t := &cli.Table{Columns: []string{"game", "state", "reason"}}
	sum, err := library.Salvage(ctx, dir, d.salvage, a.Games, func(f store.Fate) {
		t.Add(cli.Typed("game", f), fmt.Sprint(f.Game), f.State, f.Reason)
	})
	switch {
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	if a.JSON || a.CSV {
		err = a.Print(t)
	}
	for _, row := range t.Rows {
		if !a.JSON && !a.CSV && row[1] != store.FateWhole {
			fmt.Fprintf(a.Out, "game %s: %s: %s\n", row[0], row[1], row[2])
		}
	}
	for _, what := range sum.Notes {
		fmt.Fprintf(a.Err, "lost: %s\n", what)
	}
	if err == nil && !a.CSV {
		err = a.Say(cli.Figures{
			{Name: "type", Value: "salvaged"}, {Name: "folder", Value: d.salvage}, {Name: "whole", Value: sum.Whole}, {Name: "rebuilt", Value: sum.Rebuilt},
			{Name: "lost", Value: sum.Lost}, {Name: "unnamed", Value: sum.Unnamed}, {Name: "notes", Value: len(sum.Notes)},
		}, "%s whole in %s, %d rebuilt from tables, %d lost%s", cli.Plural(sum.Whole, "game"), d.salvage, sum.Rebuilt, sum.Lost+sum.Unnamed, unnamed(sum.Unnamed))
	}
	if err == nil && !sum.Complete() {
		err = cli.Silent(cli.ExitData)
	}
	return err
}

// unnamed says how many of the games that are lost have no number.
func unnamed(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", of %d of them not even the number is known", n)
}

// problem is a problem as doctor --json prints it.
type problem struct {
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
	bar := d.app.NewProgress("games", 0)
	found, partial, err := l.Records().Check(ctx, d.deep, bar.Games)
	bar.Close()
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
		t.Add(cli.Typed("problem", problem{p.What, p.Name, p.Reason, shellwords.Say(p.Remedy), repaired}), p.What, p.Name, p.Reason, shellwords.Say(p.Remedy), fmt.Sprint(repaired))
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
		games := told.Of("games").(int)
		if left, some := errors.AsType[*store.UnreadableError](unreadable); some {
			games -= len(left.Games)
		}
		told = cli.Figures{{Name: "type", Value: "reindexed"}, {Name: "games", Value: games}, told[1]}
		text := fmt.Sprintf("%s in %s", cli.Plural(games, "game"), cli.Plural(told.Of("tables").(int), "new table"))
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
