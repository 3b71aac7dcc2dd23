package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"qipu"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
	"qipu/store"
	"qipu/text"
)

// asked returns the query that arguments and flags ask for, in the query
// language: what the flags say comes first, so that their board is the one that
// is shown.
func (a *app) asked(args []string, o *findOptions) (string, error) {
	arg, err := a.joined(args)
	if err != nil {
		return "", err
	}
	d, err := a.diagram(o)
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
func (a *app) diagram(o *findOptions) (*query.Diagram, error) {
	d := &query.Diagram{Word: "board"}
	var err error
	switch {
	case o.pattern != "" && o.position != "":
		return nil, usagef("what to find: give either --pattern or --position")
	case o.region != "" && o.position == "":
		return nil, usagef("--region cuts a part out of --position: leave it out, or give the position")
	case o.pattern != "":
		d.Text, err = a.drawing(o)
	case o.position != "":
		d.Word = "position"
		d.Text, err = a.text(o.position)
	case o.anchor != "" || o.at != "" || o.turn != "" || o.plies != "" || o.noMirror || o.noSwap:
		return nil, usagef("--anchor, --at, --turn, --plies, --no-mirror and --no-swap are about --pattern or --position: give one, or write them behind a board of the query, as in board:\"XO\"{no-swap}")
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if o.anchor != "" {
		if _, err := pattern.ParseAnchor(o.anchor); err != nil {
			return nil, oneOf("anchor", o.anchor, "floating", "corner", "side", "centre", "fixed")
		}
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
func (a *app) drawing(o *findOptions) (string, error) {
	path, at := strings.CutPrefix(o.pattern, "@")
	if !at || a.headed(o.game, path) {
		text, err := a.text(o.pattern)
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
func (a *app) headed(spec, text string) bool {
	head, _, more := strings.Cut(strings.ReplaceAll(text, "\n", "/"), "/")
	head = strings.TrimSpace(head)
	if _, err := pattern.ParseAnchor(head); err == nil || !more {
		return more
	}
	games := a.games
	if r, err := a.games.Find(spec); err == nil {
		games = game.Catalog{r}
	}
	for _, r := range games {
		if _, point := r.Geometry().Point(head); point {
			return true
		}
	}
	return false
}

// ask asks the library, and tells what may have been meant otherwise.
func (a *app) ask(ctx context.Context, l *qipu.Library, q *qipu.Question) (*qipu.Reply, error) {
	far := a.newSearching()
	q.OnTick = far.tick
	reply, err := l.Ask(ctx, q)
	far.close()
	if err != nil {
		return nil, query.WithText(err, q.Text)
	}
	a.notes(reply.Hints)
	return reply, a.tellSaved(ctx, l, reply)
}

// tellSaved tells that a word was taken for the name of a saved query, and not
// looked for in the games.
func (a *app) tellSaved(ctx context.Context, l *qipu.Library, r *qipu.Reply) error {
	word, alone := "", true
	query.Walk(r.Query, func(q query.Q) bool {
		switch q := q.(type) {
		case query.And:
		case query.Field:
			switch {
			case q.Name == "text" && word == "":
				word = q.Value
			case q.Name != "game":
				alone = false
			}
		default:
			alone = false
		}
		return alone
	})
	if word == "" || !alone {
		return nil
	}
	s, err := l.Notes().SavedQuery(ctx, text.Fold(word))
	switch {
	case errors.Is(err, store.ErrNoRow):
		return nil
	case err != nil:
		return err
	case s.Kind == "" || s.Kind == r.Kinds[0].Name:
		const most = 100
		a.notes([]string{fmt.Sprintf("the saved query %s: %s", savedName(&s), shorten(strings.ReplaceAll(s.Query, "\n", "/"), most))})
	}
	return nil
}

// notes tells what may have been meant otherwise.
func (a *app) notes(hints []string) {
	for _, hint := range hints {
		fmt.Fprintf(a.err, "note: %s\n", printable(hint))
	}
}

// askOrFuzzy asks, and where a board is not found offers to look for boards that
// are like it, or does so where --fuzzy is there. A cursor is then that of the
// search that finds something.
func (a *app) askOrFuzzy(ctx context.Context, l *qipu.Library, o *findOptions, q *qipu.Question) (*qipu.Reply, error) {
	exact := *q
	if o.fuzzy {
		exact.Cursor = ""
	}
	reply, err := a.ask(ctx, l, &exact)
	if err != nil {
		return nil, err
	}
	if _, err := query.Parse(reply.Fuzzy); reply.Games > 0 || reply.Fuzzy == "" || err != nil {
		if exact.Cursor == q.Cursor {
			return reply, nil
		}
		return a.ask(ctx, l, q)
	}
	if !o.fuzzy {
		fmt.Fprintf(a.err, "for boards that are alike: qipu find %s%s\n", gameHint(o.game), quoted(reply.Fuzzy))
		return reply, nil
	}
	q.Text = reply.Fuzzy
	if o.sort == "" {
		q.Order = retrieve.ByLikeness
	}
	if reply, err = a.ask(ctx, l, q); err == nil && reply.Games > 0 {
		fmt.Fprintln(a.err, "note: the board is not found: these are boards that are alike")
	}
	return reply, err
}

// order returns the order that is asked for: of a query about likeness, without
// another word, the most like first.
func (a *app) order(ctx context.Context, l *qipu.Library, q *qipu.Question, name string) (retrieve.Order, error) {
	if name != "" {
		return retrieve.ParseOrder(name)
	}
	order, err := l.Order(ctx, q)
	return order, query.WithText(err, q.Text)
}

// remember keeps the board of a reply. That it cannot be kept, because somebody
// else writes to the library or nobody may, takes nothing from the answer.
func (a *app) remember(ctx context.Context, l *qipu.Library, r *qipu.Reply) {
	if r.Partial || ctx.Err() != nil {
		return
	}
	if err := l.Remember(ctx, r); err != nil && a.errTerm {
		fmt.Fprintf(a.err, "note: the board is not remembered: %v\n", err)
	}
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
