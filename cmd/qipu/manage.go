package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/library"
	"qipu/retrieve"
)

// figures are what a command tells at its end: one object in JSON, one row in
// CSV, and a sentence for people.
type figures []figure

type figure struct {
	name  string
	value any
}

// MarshalJSON keeps the order.
func (f figures) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, g := range f {
		if i > 0 {
			out = append(out, ',')
		}
		value, err := marshalLine(g.value)
		if err != nil {
			return nil, err
		}
		out = append(strconv.AppendQuote(out, g.name), ':')
		out = append(out, value...)
	}
	return append(out, '}'), nil
}

// say prints figures, or the sentence for people.
func (a *app) say(f figures, format string, args ...any) error {
	if !a.json && !a.csv {
		_, err := fmt.Fprintf(a.out, format+"\n", args...)
		return err
	}
	t := new(table)
	var cells []string
	for _, g := range f {
		t.columns = append(t.columns, g.name)
		cells = append(cells, fmt.Sprint(g.value))
	}
	t.add(f, cells...)
	return a.print(t)
}

// plural returns a number with what it counts.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// size returns a number of bytes as people read it.
func size(n int64) string {
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/(1<<10), "KiB"
	for _, next := range []string{"MiB", "GiB", "TiB"} {
		if value < 1<<10 {
			break
		}
		value, unit = value/(1<<10), next
	}
	return fmt.Sprintf("%.1f %s", value, unit)
}

// numbers returns the numbers of games that arguments name; "-" stands for
// those on standard input. Each comes once, in the order given.
func (a *app) numbers(args []string) ([]uint32, error) {
	var ids []uint32
	had := map[uint32]bool{}
	for _, arg := range args {
		words := []string{arg}
		if arg == "-" {
			text, err := a.text(arg)
			if err != nil {
				return nil, err
			}
			words = strings.Fields(text)
		}
		for _, word := range words {
			id, err := strconv.ParseUint(word, 10, 32)
			if err != nil || id == 0 {
				return nil, usagef("%q is no number of a game: qipu find lists games with their numbers", word)
			}
			if !had[uint32(id)] {
				had[uint32(id)] = true
				ids = append(ids, uint32(id))
			}
		}
	}
	return ids, nil
}

// present checks that games are in the library, and names those that are not.
func present(ctx context.Context, l *qipu.Library, ids []uint32) error {
	all, err := l.Archive().IDs(ctx, "")
	if err != nil {
		return err
	}
	var none []string
	for _, id := range ids {
		if !all.Contains(id) {
			none = append(none, fmt.Sprint(id))
		}
	}
	if len(none) == 0 {
		return nil
	}
	const most = 20
	list := strings.Join(none[:min(len(none), most)], ", ")
	if len(none) > most {
		list += fmt.Sprintf(" and %d more", len(none)-most)
	}
	return fmt.Errorf("the library has no game %s: nothing was done; qipu find lists games with their numbers", list)
}

// choice is the games that a command is about: named by number, those that a
// query finds, a collection, or all of them.
type choice struct {
	ids               []uint32
	query, collection string
	all               bool
}

// register adds the flag that chooses games by a query.
func (c *choice) register(a *app, cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&c.query, "query", "", verb+" all games that this query finds")
	_ = cmd.RegisterFlagCompletionFunc("query", a.completeQueryFlag)
}

// registerCollection adds the flag that chooses those of a collection.
func (c *choice) registerCollection(a *app, cmd *cobra.Command, verb string) {
	cmd.Flags().StringVar(&c.collection, "collection", "", verb+" all games of this collection")
	_ = cmd.RegisterFlagCompletionFunc("collection", a.completeNames("collection"))
}

// take takes the numbers of games among the arguments. Games are chosen in one
// way, no more and no less; the flags are for the message.
func (c *choice) take(a *app, args []string, flags string) (err error) {
	if c.ids, err = a.numbers(args); err != nil {
		return err
	}
	ways := 0
	for _, chosen := range []bool{len(args) > 0, c.query != "", c.collection != "", c.all} {
		if chosen {
			ways++
		}
	}
	if ways != 1 {
		return usagef("which games? Give either their numbers%s", flags)
	}
	return nil
}

// games returns the numbers of the games, all of which are there.
func (c *choice) games(ctx context.Context, a *app, l *qipu.Library) ([]uint32, error) {
	switch {
	case c.query != "":
		reply, err := a.found(ctx, l, &qipu.Question{Text: c.query, Request: retrieve.Request{Limit: 1, NoContinuations: true}})
		if err != nil {
			return nil, err
		}
		return reply.Found.ToArray(), nil
	case c.all:
		all, err := l.Archive().IDs(ctx, "")
		if err != nil {
			return nil, err
		}
		return all.ToArray(), nil
	case c.collection == "":
		return c.ids, present(ctx, l, c.ids)
	}
	found, err := wantCollection(ctx, l, c.collection)
	if err != nil {
		return nil, err
	}
	members, err := l.Notes().Members(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	return members.ToArray(), nil
}

// found asks a query for its games. Where it finds none, that is said, and the
// command ends.
func (a *app) found(ctx context.Context, l *qipu.Library, q *qipu.Question) (*qipu.Reply, error) {
	reply, err := a.ask(ctx, l, q)
	if err != nil {
		return nil, err
	}
	if reply.Games == 0 {
		fmt.Fprintf(a.err, "no game is found by %s: nothing was done; qipu query explain tells how the query is read\n", printable(q.Text))
		return nil, silent(exitNothing)
	}
	return reply, nil
}

// noCollection adds the nearest name to the error of a collection that is not
// there.
func noCollection(err error) error {
	var none *library.NoCollectionError
	if errors.As(err, &none) {
		return fmt.Errorf("%w%s", err, didYouMean(none.Name, none.Known))
	}
	return err
}

func (a *app) deleteCommand() *cobra.Command {
	var chosen choice
	var dryRun, yes bool
	cmd := &cobra.Command{
		Use:   "delete [ID...]",
		Short: "Delete games from the library",
		Long: `Delete games, by their numbers ("-" reads them from standard input), those that a
query finds, or all of a collection, which then stays behind empty. Numbers are
never used again. The files that the games came from are not touched, and the next
import of them brings the games back: it reads them again, though they have not
changed. The space in the catalogue is given back by qipu reindex --compact.

At a terminal the command asks first, unless --yes is given. Where any of the
numbers is of no game, nothing is deleted.`,
		Example: `  qipu delete 25 26 --dry-run
  qipu delete 26
  qipu delete --query "game:renju moves<30" --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.take(a, args, ", --query or --collection"); err != nil {
				return err
			}
			return a.delete(cmd, &chosen, dryRun, yes)
		},
	}
	chosen.register(a, cmd, "delete")
	chosen.registerCollection(a, cmd, "delete")
	f := cmd.Flags()
	f.BoolVar(&dryRun, "dry-run", false, "say how many games would be deleted, and delete nothing")
	f.BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (a *app) delete(cmd *cobra.Command, chosen *choice, dryRun, yes bool) error {
	ctx := cmd.Context()
	return a.opening(cmd, dryRun, func(l *qipu.Library) error {
		ids, err := chosen.games(ctx, a, l)
		if err != nil {
			return err
		}
		told := figures{{"type", "deleted"}, {"games", len(ids)}, {"dry_run", dryRun}}
		if dryRun {
			return a.say(told, "%s would be deleted", plural(len(ids), "game"))
		}
		if !yes && len(ids) > 0 {
			if err := a.confirm("delete %s from %s?", plural(len(ids), "game"), l.Place()); err != nil {
				return err
			}
		}
		if err := l.Delete(ctx, ids...); err != nil {
			return err
		}
		return a.say(told, "%s deleted", plural(len(ids), "game"))
	})
}

// confirm asks a user at a terminal; elsewhere nobody is asked.
func (a *app) confirm(format string, args ...any) error {
	if !a.inTerm || !a.errTerm {
		return nil
	}
	fmt.Fprintf(a.err, format+" [y/N] ", args...)
	var line []byte
	for c := make([]byte, 1); ; {
		n, err := a.in.Read(c)
		if errors.Is(err, errInterrupted) {
			return err
		}
		if n == 0 && err != nil || n > 0 && c[0] == '\n' {
			break
		}
		line = append(line, c[:n]...)
	}
	if slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(string(line)))) {
		return nil
	}
	fmt.Fprintln(a.err, "nothing was done")
	return silent(exitNothing)
}
