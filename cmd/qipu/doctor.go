package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/library"
	"qipu/store"
)

func (a *app) doctorCommand() *cobra.Command {
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
		Args: argCount(0, 0),
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
	*app
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
	var told figures
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
	open := func() error { return d.reading(ctx, look) }
	if d.repair {
		open = func() error { return d.writing(ctx, "qipu doctor", look) }
	}
	if err := open(); err != nil {
		return err
	}
	if err := d.list(found, left); err != nil {
		return err
	}
	seconds := time.Since(began).Seconds()
	told = append(figures{{"type", "total"}, {"problems", len(left)}, {"repaired", len(found) - len(left)}}, told...)
	told = append(told, figure{"seconds", seconds})
	verdict := "all is well"
	if len(left) > 0 {
		verdict = plural(len(left), "problem") + " left"
	}
	if !d.csv {
		err := d.say(told, "%s: %v games, %v tables, %s checked in %.1f s", verdict, told.of("games"), told.of("tables"), size(told.of("bytes").(int64)), seconds)
		if err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return silent(exitData)
	}
	return nil
}

func (f figures) of(name string) any {
	for _, g := range f {
		if g.name == name {
			return g.value
		}
	}
	return nil
}

// examine returns what is wrong.
func (d *doctor) examine(ctx context.Context, l *qipu.Library) ([]store.Problem, error) {
	found, partial, err := l.Check(ctx, d.deep)
	if partial && !d.repair {
		fmt.Fprintln(d.err, "note: records were not compared with tables, which have to be repaired first")
	}
	return found, err
}

// mend repairs what can be repaired, first the damaged tables and, if that is
// not enough, all of them. It returns what is left.
func (d *doctor) mend(ctx context.Context, l *qipu.Library) ([]store.Problem, error) {
	bar := d.newProgress("games", 0)
	defer bar.close()
	if err := readable(l.Repair(ctx, bar.games)); err != nil {
		return nil, err
	}
	left, err := d.examine(ctx, l)
	if err != nil || !slices.ContainsFunc(left, func(p store.Problem) bool {
		return p.What != "catalogue" && p.What != "record" && p.What != library.ShapeProblem
	}) {
		return left, err
	}
	if err := readable(l.Store().Reindex(ctx, bar.games)); err != nil {
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
func measure(ctx context.Context, l *qipu.Library) (figures, error) {
	counts, err := l.Archive().Counts(ctx)
	if err != nil {
		return nil, err
	}
	games := 0
	for _, n := range counts.Games {
		games += n
	}
	return figures{{"games", games}, {"tables", counts.Segments}, {"bytes", counts.Bytes + counts.SegmentBytes}}, nil
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
	t := &table{columns: []string{"what", "name", "reason", "advice", "repaired"}}
	for _, p := range all {
		repaired := !slices.Contains(left, p)
		t.add(problemJSON{"problem", p.What, p.Name, p.Reason, p.Advice, repaired}, p.What, p.Name, p.Reason, p.Advice, fmt.Sprint(repaired))
		if d.json || d.csv {
			continue
		}
		name := strings.TrimSpace(p.What + " " + p.Name)
		if repaired {
			fmt.Fprintf(d.out, "repaired: %s: %s\n", name, p.Reason)
		} else {
			fmt.Fprintf(d.out, "problem: %s: %s\n  %s\n", name, p.Reason, p.Advice)
		}
	}
	if d.json || d.csv {
		return d.print(t)
	}
	return nil
}

func (a *app) reindexCommand() *cobra.Command {
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
		Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.reindex(cmd.Context(), compact) },
	}
	cmd.Flags().BoolVar(&compact, "compact", false, "give back the space of deleted and replaced games, too")
	return cmd
}

func (a *app) reindex(ctx context.Context, compact bool) error {
	return a.writing(ctx, "qipu reindex", func(l *qipu.Library) error {
		bar := a.newProgress("games", 0)
		defer bar.close()
		unreadable := l.Store().Reindex(ctx, bar.games)
		if err := readable(unreadable); err != nil {
			return err
		}
		before, err := l.Archive().Counts(ctx)
		if err == nil && compact {
			err = l.Store().Compact(ctx)
		}
		if err != nil {
			return err
		}
		told, err := measure(ctx, l)
		if err != nil {
			return err
		}
		told = append(figures{{"type", "reindexed"}}, told[:2]...)
		text := fmt.Sprintf("%s in %s", plural(told.of("games").(int), "game"), plural(told.of("tables").(int), "new table"))
		if compact {
			after, err := l.Archive().Counts(ctx)
			if err != nil {
				return err
			}
			freed := max(0, before.Bytes-after.Bytes)
			told = append(told, figure{"freed", freed})
			text += fmt.Sprintf(", %s of the catalogue given back", size(freed))
		}
		if err := a.say(told, "%s", text); err != nil {
			return err
		}
		return unreadable
	})
}
