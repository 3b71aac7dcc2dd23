package search

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"qipu/view"
	"qipu/view/answerview"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/retrieve"
)

// byMove is what --by takes beside the dimensions of package retrieve: the moves
// that came next.
const byMove = "move"

// findGroups counts the games of a question by something.
func findGroups(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question) error {
	q.Limit = 1
	if o.by == byMove {
		return findMoves(ctx, a, l, o, q)
	}
	by, err := retrieve.ParseDimension(o.by)
	if err != nil {
		return err
	}
	q.By, q.NoContinuations = by, true
	reply, err := a.Ask(ctx, l, q)
	if err != nil {
		return err
	}
	r, err := reporterOf(ctx, a, l, reply, &o.listOptions)
	if err != nil {
		return err
	}
	if err := r.printGroups(by, o.groups); err != nil {
		return err
	}
	switch {
	case len(reply.Groups) > 0:
		return nil
	case reply.Games > 0 && by == retrieve.ByTag:
		fmt.Fprintln(a.Err, "none of the games has a tag: qipu tags add NAME ID... puts one on games")
	case reply.Games > 0:
		fmt.Fprintf(a.Err, "none of the games is in a %s: qipu %ss lists what there is\n", by, by)
	}
	return cli.Silent(cli.ExitNothing)
}

// findMoves prints the moves that came next, and no games.
func findMoves(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question) error {
	reply, err := a.Ask(ctx, l, q)
	if err != nil {
		return err
	}
	r, err := reporterOf(ctx, a, l, reply, &o.listOptions)
	if err != nil {
		return err
	}
	if !r.counted {
		return cli.Usagef("--by move counts what came next on a board: ask for one, as in board:\"...\" or position:\"...\"")
	}
	n := len(reply.Continuations)
	if o.groups > 0 {
		n = min(o.groups, n)
	}
	switch {
	case a.JSON:
		w := r.whole(0)
		w.Moves = w.Moves[:n]
		err = a.PrintJSON(cli.Typed("answer", w))
	case a.CSV:
		t := r.moveRows()
		t.Rows = t.Rows[:n]
		err = r.app.Print(t)
	default:
		if _, err = io.WriteString(r.app.Out, r.header()); err == nil {
			err = r.printNext(n, "--groups")
		}
	}
	if err == nil && reply.Games == 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return err
}

// whole returns an answer of which no games are listed.
func (r *reporter) whole(groups int) *view.Answer {
	w := r.found(groups)
	w.Next = ""
	return w
}

// printGroups prints the first so many groups of the answer, or all.
func (r *reporter) printGroups(by retrieve.Dimension, most int) error {
	groups := r.answer.Groups
	if most > 0 {
		groups = groups[:min(most, len(groups))]
	}
	if by == retrieve.ByYear {
		for i := range groups {
			groups[i].Key = yearKey(groups[i].Key)
		}
	}
	switch {
	case r.app.JSON:
		return r.app.PrintJSON(cli.Typed("answer", r.whole(len(groups))))
	case r.app.CSV:
		return r.app.Print(r.groupRows(groups))
	}
	if _, err := io.WriteString(r.app.Out, r.header()); err != nil || len(groups) == 0 {
		return err
	}
	fmt.Fprintln(r.app.Out)
	scores := r.drawn(firstSide(r.kinds)) + " scores"
	switch by {
	case retrieve.ByPlayer:
		scores = "scores"
	case retrieve.ByResult:
		scores = firstSide(r.kinds) + " scores"
	}
	t := &cli.Table{Columns: []string{by.String(), "games", "hits", scores, "years"}}
	for i := range groups {
		g := &groups[i]
		key := cli.Shorten(cli.Printable(g.Key), 60)
		if key == "" {
			key = "?"
		}
		t.Add(nil, key, strconv.Itoa(g.Count), strconv.Itoa(g.Hits), cli.RateText(&g.Score), cli.YearsText(&g.Score))
	}
	if by == retrieve.ByYear {
		t.Drop(4)
	}
	if !r.counted {
		t.Drop(2)
	}
	if err := r.app.PrintColumns(t); err != nil {
		return err
	}
	if more := len(r.answer.Groups) - len(groups); more > 0 {
		fmt.Fprintf(r.app.Out, "%s: --groups 0\n", cli.Plural(more, "more row"))
	}
	return nil
}

// yearText returns a year as all dates have it: in four digits.
func yearText(year int) string { return fmt.Sprintf("%04d", year) }

// yearKey is the same for the key of a group; one that is no year stays.
func yearKey(key string) string {
	if year, err := strconv.Atoi(key); err == nil {
		return yearText(year)
	}
	return key
}

// groupRows is the table of groups as CSV has it.
func (r *reporter) groupRows(groups []retrieve.Group) *cli.Table {
	t := &cli.Table{Columns: []string{"key", "games", "hits", "first", "second", "draws", "rate", "low", "high", "since", "until"}}
	number := strconv.Itoa
	for i := range groups {
		g := &groups[i]
		s := answerview.ScoreOf(&g.Score)
		cells := []string{g.Key, number(g.Count), r.hitsText(g.Hits), number(g.First), number(g.Second), number(g.Draws)}
		t.Add(nil, slices.Concat(cells, cli.RateCells(&s), []string{s.Since, s.Until})...)
	}
	return t
}
