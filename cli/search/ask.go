package search

import (
	"context"
	"fmt"
	"os"
	"strings"

	"qipu"
	"qipu/cli"
	"qipu/game"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// asked returns the query that arguments and flags ask for, in the query
// language: what the flags say comes first, so that their board is the one that
// is shown.
func asked(a *cli.App, args []string, o *findOptions) (string, error) {
	arg, err := joined(a, args)
	if err != nil {
		return "", err
	}
	d, err := diagram(a, o)
	if err != nil {
		return "", err
	}
	arg = strings.TrimSpace(arg)
	if arg != "" && (d != nil || o.collection != "") { // alone it may be the name of a board
		if _, err := query.Parse(arg); err != nil { // as it was typed
			return "", err
		}
	}
	if d == nil {
		return joinQuery(arg, o.collection), nil
	}
	return joinQuery(arg, o.collection, d.String()), nil
}

// joinQuery joins a query, a collection and other conditions.
func joinQuery(asked, collection string, parts ...string) string {
	if collection != "" {
		parts = append(parts, query.Field{Name: "collection", Value: collection}.String())
	}
	switch {
	case strings.TrimSpace(asked) == "":
	case len(parts) == 0:
		return asked
	default:
		parts = append(parts, "("+asked+")")
	}
	if len(parts) == 0 {
		return query.Const(true).String()
	}
	return strings.Join(parts, " and ")
}

// diagram returns the board that the flags ask for, or nil.
func diagram(a *cli.App, o *findOptions) (*query.Diagram, error) {
	d := &query.Diagram{Word: "board"}
	var err error
	switch {
	case o.pattern != "" && o.position != "":
		return nil, cli.Usagef("what to find: give either --pattern or --position")
	case o.region != "" && o.position == "":
		return nil, cli.Usagef("--region cuts a part out of --position: leave it out, or give the position")
	case o.pattern != "":
		d.Text, err = drawing(a, o)
	case o.position != "":
		d.Word = "position"
		d.Text, err = a.Text(o.position)
	case o.anchor != "" || o.at != "" || o.turn != "" || o.plies != "" || o.noMirror || o.noSwap:
		return nil, cli.Usagef("--anchor, --at, --turn, --plies, --no-mirror and --no-swap are about --pattern or --position: give one, or write them behind a board of the query, as in board:\"XO\"{no-swap}")
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	option := func(on bool, name, value string) {
		if on {
			d.Options = append(d.Options, query.Option{Name: name, Value: value})
		}
	}
	option(o.anchor != "", strings.ToLower(o.anchor), "")
	option(o.at != "", "at", o.at)
	option(o.region != "", "region", o.region)
	option(o.noMirror, "no-mirror", "")
	option(o.noSwap, "no-swap", "")
	option(o.turn != "", "turn", o.turn)
	option(o.plies != "", "plies", o.plies)
	return d, nil
}

// drawing reads --pattern.
func drawing(a *cli.App, o *findOptions) (string, error) {
	path, at := strings.CutPrefix(o.pattern, "@")
	if !at || headed(a, o.game, path) {
		text, err := a.Text(o.pattern)
		return strings.TrimRight(text, "\n"), err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("--pattern @%s: %w", path, err)
	}
	return strings.TrimRight(string(data), "\n"), nil
}

// headed reports whether what follows @ is a diagram that begins with its
// place, and no name of a file.
func headed(a *cli.App, spec, text string) bool {
	head, _, more := strings.Cut(strings.ReplaceAll(text, "\n", "/"), "/")
	head = strings.TrimSpace(head)
	if _, err := pattern.ParseAnchor(head); err == nil || !more {
		return more
	}
	games := a.Games.Shown()
	if r, err := a.Games.Find(spec); err == nil {
		games = game.Catalog{r}
	}
	for _, r := range games {
		if _, point := r.Geometry().Point(head); point {
			return true
		}
	}
	return false
}

// askOrFuzzy asks, and where a board is not found offers to look for boards that
// are like it, or does so where --fuzzy is there. A cursor is then that of the
// search that finds something.
func askOrFuzzy(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, q *ask.Question) (*ask.Reply, error) {
	exact := *q
	if o.fuzzy {
		exact.Cursor = ""
	}
	reply, err := a.Ask(ctx, l, &exact)
	if err != nil {
		return nil, err
	}
	if _, err := query.Parse(reply.Fuzzy); reply.Games > 0 || reply.Fuzzy == "" || err != nil {
		if exact.Cursor == q.Cursor {
			return reply, nil
		}
		return a.Ask(ctx, l, q)
	}
	if !o.fuzzy {
		fmt.Fprintf(a.Err, "for boards that are alike: qipu find %s%s\n", gameHint(o.game), quoted(reply.Fuzzy))
		return reply, nil
	}
	q.Text = reply.Fuzzy
	if o.sort == "" {
		q.Order = retrieve.ByLikeness
	}
	if reply, err = a.Ask(ctx, l, q); err == nil && reply.Games > 0 {
		fmt.Fprintln(a.Err, "note: the board is not found: these are boards that are alike")
	}
	return reply, err
}

// gameHint returns the flag that names a game again.
func gameHint(name string) string {
	if name == "" {
		return ""
	}
	return "--game " + name + " "
}

// quoted returns a text as shells take it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
