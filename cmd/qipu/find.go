package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

func (a *app) searchCommands() []*cobra.Command {
	return []*cobra.Command{a.findCommand(), a.exploreCommand()}
}

// listOptions are the flags of every search: which games, and how the answer is
// shown.
type listOptions struct {
	game, collection string
	variations       bool
	sort, cursor     string
	reverse          bool
	limit, moves     int
	svg              string
	continuations    bool
	explain          bool
}

func (o *listOptions) register(a *app, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.game, "game", "g", "", "game, such as go, go:9x9, othello, xiangqi, renju")
	f.StringVar(&o.collection, "collection", "", "only games of this collection")
	f.BoolVar(&o.variations, "variations", false, "lines beside the main ones, too")
	f.StringVar(&o.sort, "sort", "store", "order of the games: store, occurrences, date or rating, the largest first; games without a rating come behind, by rank")
	f.BoolVar(&o.reverse, "reverse", false, "turn the order of the games around")
	f.IntVar(&o.limit, "limit", 30, "games on a page (0: all)")
	f.StringVar(&o.cursor, "cursor", "", "go on where a page ended: the word behind \"more:\"")
	f.IntVar(&o.moves, "moves", -1, "rows of the table of moves (0: all; default: 12 at a terminal, else all)")
	f.StringVar(&o.svg, "svg", "", "write a picture of the board with the moves to a file")
	f.BoolVar(&o.continuations, "continuations", false, "with --csv: the table of moves in place of the games")
	f.BoolVar(&o.explain, "explain", false, "tell how the answer came about: verified are the lines that were looked at in full")
	_ = cmd.RegisterFlagCompletionFunc("game", func(cmd *cobra.Command, _ []string, text string) ([]string, cobra.ShellCompDirective) {
		return a.completeGames(cmd, nil, text)
	})
}

// check refuses flags that cannot be meant.
func (o *listOptions) check(a *app, cmd *cobra.Command) (retrieve.Order, error) {
	if o.game == "" {
		return 0, usagef("%s: --game is missing: name one, as in --game go", cmd.CommandPath())
	}
	if o.limit < 0 {
		return 0, usagef("--limit %d: want a number of games, or 0 for all", o.limit)
	}
	if o.moves < -1 {
		return 0, usagef("--moves %d: want a number of rows, or 0 for all", o.moves)
	}
	if o.continuations && !a.csv {
		return 0, usagef("--continuations chooses the table of --csv: everything else shows both")
	}
	order, err := retrieve.ParseOrder(o.sort)
	if err != nil {
		return 0, oneOf("sort", o.sort, "store", "occurrences", "date", "rating")
	}
	return order, nil
}

// rows is the limit as package retrieve counts it.
func (o *listOptions) rows() int {
	if o.limit == 0 {
		return -1
	}
	return o.limit
}

// shown is how many moves the table shows.
func (o *listOptions) shown(a *app, total int) int {
	const atTerminal = 12
	switch {
	case a.json || a.csv, o.moves == 0, o.moves < 0 && !a.outTerm:
		return total
	case o.moves < 0:
		return min(total, atTerminal)
	}
	return min(total, o.moves)
}

// findOptions are the flags of the find command.
type findOptions struct {
	listOptions
	pattern, position, region string
	anchor, at, turn, plies   string
	noMirror, noSwap          bool
	all, board                bool
}

func (a *app) findCommand() *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:   "find",
		Short: "Find a shape or a position in the games of the library",
		Long: `Find the games in which a shape or a position occurs, what came next there, and
how the games went.

--pattern is a diagram: rows parted by "/" or by line ends, one character a
point. It may be "-" for standard input or "@FILE" for a file.

  X O     a piece of the first and of the second side (Go, Othello, Renju)
  x o     the same, or empty
  K n ... a piece by its letter, as position texts have it (Xiangqi)
  .       an empty point
  *       a point that does not matter
  [Rr.]   one of these; [^R] any but these; + and - any piece of a side
  #       outside the board; ~ anything, even that

A border of - above or below and of | at the ends of all rows tells that the
board ends there; without one the shape may lie anywhere, or where --anchor
says. Games with stones also read digits that add up 1 empty, 2 first side,
4 second side and 8 outside the board.

--position is a position text or a list of moves, whose whole board is searched,
or the part of it between the two corners of --region.

Turned and mirrored shapes are found, and those with the colours exchanged, but
for --no-mirror and --no-swap. Moves are counted as the shape is drawn, and named
by the points of the corner in which it is drawn, or by column and row from its
top left point where it may lie in several places; "-e2" is a piece that came
from outside. The count of a move is that of occurrences; results and rates count
a game once, however often the move was played in it. An answer of several pages
ends with the --cursor of the next one, which is good for the same search alone.`,
		Example: `  qipu find --game go --pattern "+----/|..../|..../|..O./|...X" --variations
  qipu find --game go:9x9 --position "F6 C6" --sort date
  qipu find --game othello --position f5d6 --region C3:F6 --anchor fixed
  qipu find --game xiangqi --pattern "[nc]/R" --turn black --plies 10..60
  echo 242 | qipu find --game renju --pattern - --json`,
		Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			order, err := o.check(a, cmd)
			if err != nil {
				return err
			}
			return a.reading(cmd.Context(), func(l *qipu.Library) error { return a.find(cmd.Context(), l, &o, order) })
		},
	}
	o.register(a, cmd)
	f := cmd.Flags()
	f.StringVarP(&o.pattern, "pattern", "p", "", "diagram to find, - for standard input, @FILE for a file")
	f.StringVar(&o.position, "position", "", "position or moves to find, - for standard input")
	f.StringVar(&o.region, "region", "", "with --position: only the points between two corners, as in C3:J9")
	f.StringVar(&o.anchor, "anchor", "", "where the shape may lie: floating, corner, side, centre or fixed (default: by its borders)")
	f.StringVar(&o.at, "at", "", "with --anchor fixed: the point of the top left cell")
	f.BoolVar(&o.noMirror, "no-mirror", false, "only as it is drawn, neither turned nor mirrored")
	f.BoolVar(&o.noSwap, "no-swap", false, "only in the colours that are drawn")
	f.StringVar(&o.turn, "turn", "", "side to move: first, second, or its name (default: either)")
	f.StringVar(&o.plies, "plies", "", "only when so many moves have been played: 10..60, 10.., ..60")
	f.BoolVar(&o.all, "all", false, "list every occurrence, and not only the first of each game")
	f.BoolVar(&o.board, "board", false, "draw the board with the moves, even into a pipe")
	return cmd
}

func (a *app) find(ctx context.Context, l *qipu.Library, o *findOptions, order retrieve.Order) error {
	k, err := a.kind(ctx, l, o.game)
	if err != nil {
		return err
	}
	f, err := a.asked(k, o)
	if err != nil {
		return err
	}
	q, err := within(ctx, l, &query.Shape{Pattern: f.pattern, Geometry: k.Rules.Geometry()}, o.collection)
	if err != nil {
		return err
	}
	far := a.newSearching()
	answer, err := l.Find(ctx, &retrieve.Request{
		Kind: k, Query: q, Variations: o.variations, Order: order, Reverse: o.reverse,
		Limit: o.rows(), Cursor: o.cursor, All: o.all, OnTick: far.tick,
	})
	far.close()
	if err != nil {
		return err
	}
	r := &reporter{app: a, frame: f, options: &o.listOptions, answer: answer, all: o.all, board: o.board || a.outTerm}
	return r.report(ctx, l)
}

// searching tells on standard error what a long search has found so far, as
// progress does for commands that know their length.
type searching struct {
	app         *app
	began, last time.Time
	shown       bool
}

func (a *app) newSearching() *searching {
	now := time.Now()
	return &searching{app: a, began: now, last: now}
}

// tick shows the counts, at most once a second and not in the first.
func (s *searching) tick(games, hits int) {
	if time.Since(s.last) < time.Second {
		return
	}
	s.last = time.Now()
	text := fmt.Sprintf("%s, %s so far", plural(games, "game"), plural(hits, "hit"))
	switch mode := s.app.progress; {
	case mode == "json":
		fmt.Fprintf(s.app.err, `{"what":"search","games":%d,"hits":%d,"seconds":%.3f}`+"\n", games, hits, time.Since(s.began).Seconds())
	case mode == "plain":
		fmt.Fprintln(s.app.err, text)
	case mode == "auto" && s.app.errTerm:
		fmt.Fprintf(s.app.err, "\r\x1b[K%s", text)
		s.shown = true
	}
}

// close wipes the line that tick has drawn.
func (s *searching) close() {
	if s.shown {
		fmt.Fprint(s.app.err, "\r\x1b[K")
	}
}

// kind returns the kind of game that is searched. A library without any of it
// says what it has.
func (a *app) kind(ctx context.Context, l *qipu.Library, spec string) (*index.Kind, error) {
	if _, err := a.game(spec); err != nil {
		return nil, err
	}
	k, err := l.Kind(spec)
	if err != nil {
		return nil, err
	}
	tally, err := l.Tally(ctx)
	if err != nil {
		return nil, err
	}
	var known []string
	for _, t := range tally {
		if t.Kind == k && t.Games > 0 {
			return k, nil
		}
		if t.Games > 0 {
			known = append(known, fmt.Sprintf("%s (%d)", t.Kind.Name, t.Games))
		}
	}
	if known == nil {
		fmt.Fprintf(a.err, "qipu: the library %s has no games: qipu import PATH... reads some\n", l.Dir())
		return nil, silent(exitNothing)
	}
	hint := ""
	if name := k.Rules.Info().Name; strings.Contains(strings.Join(known, ", "), name+" ") {
		hint = "; other sizes of a game are named as in " + name + ":WxH"
	}
	fmt.Fprintf(a.err, "qipu: the library has no games of %s: it has %s%s\n", k.Name, strings.Join(known, ", "), hint)
	return nil, silent(exitNothing)
}

// within restricts a query to a collection, if one is named.
func within(ctx context.Context, l *qipu.Library, q query.Q, collection string) (query.Q, error) {
	if collection == "" {
		return q, nil
	}
	_, err := l.Collection(ctx, collection)
	var none *qipu.NoCollectionError
	if errors.As(err, &none) {
		return nil, usagef("%s%s", strings.TrimPrefix(err.Error(), "qipu: "), didYouMean(none.Name, none.Known))
	}
	if err != nil || q == nil {
		return query.Field{Name: "collection", Value: collection}, err
	}
	return query.And{q, query.Field{Name: "collection", Value: collection}}, nil
}

// asked returns what the flags ask for.
func (a *app) asked(k *index.Kind, o *findOptions) (*frame, error) {
	f := &frame{rules: k.Rules, moving: k.Moving}
	var err error
	switch {
	case (o.pattern == "") == (o.position == ""):
		return nil, usagef("what to find: give either --pattern or --position")
	case o.region != "" && o.position == "":
		return nil, usagef("--region cuts a part out of --position: leave it out, or give the position")
	case o.pattern != "":
		err = a.diagram(f, o)
	default:
		err = a.cutOut(f, o)
	}
	if err != nil {
		return nil, err
	}
	if err := o.place(f); err != nil {
		return nil, err
	}
	p := f.pattern
	p.Mirror, p.Swap = !o.noMirror, !o.noSwap
	if p.Turn, err = parseTurn(k.Rules.Info(), o.turn); err != nil {
		return nil, err
	}
	if p.From, p.To, err = parsePlies(o.plies); err != nil {
		return nil, err
	}
	// What lies nowhere on the board would be found nowhere: better to say so.
	if _, err := pattern.Compile(p, k.Board); err != nil {
		return nil, err
	}
	f.locate()
	return f, nil
}

// diagram reads --pattern.
func (a *app) diagram(f *frame, o *findOptions) error {
	text, err := a.text(o.pattern)
	if path, ok := strings.CutPrefix(o.pattern, "@"); ok && !headed(f.rules.Geometry(), path) {
		text, err = readText(path)
	}
	if err != nil {
		return err
	}
	f.pattern, err = pattern.Parse(f.rules.Geometry(), text)
	return err
}

// headed reports whether what follows @ is a diagram that begins with its
// place, and no name of a file.
func headed(g *board.Geometry, text string) bool {
	head, _, more := strings.Cut(strings.ReplaceAll(text, "\n", "/"), "/")
	head = strings.TrimSpace(head)
	_, point := g.Point(head)
	_, err := pattern.ParseAnchor(head)
	return more && (point || err == nil)
}

func readText(path string) (string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("--pattern @%s: %w", path, err)
	}
	return string(data), nil
}

// cutOut reads --position and --region.
func (a *app) cutOut(f *frame, o *findOptions) error {
	text, err := a.text(o.position)
	if err != nil {
		return err
	}
	pos, moves, err := game.ParseLine(f.rules, text)
	if err != nil {
		return err
	}
	planes := pos.(game.Planar).Planes()
	if o.region == "" {
		f.pattern, f.position, f.last = pattern.FromBoard(planes), pos, lastStep(moves)
		return nil
	}
	g := f.rules.Geometry()
	from, to, found := strings.Cut(o.region, ":")
	p, ok1 := g.Point(from)
	q, ok2 := g.Point(to)
	if !found || !ok1 || !ok2 {
		return usagef("--region %s: want two corners of a rectangle on the %v board, as in %s:%s",
			o.region, g.Size, g.Name(board.At(0, 0)), g.Name(board.At(min(6, g.Size.W-1), min(6, g.Size.H-1))))
	}
	x, y := min(p.X(), q.X()), min(p.Y(), q.Y())
	f.pattern = pattern.Region(planes, x, y, max(p.X(), q.X())-x+1, max(p.Y(), q.Y())-y+1)
	f.cut, f.cutAt = true, board.At(x, y)
	if f.pattern.Anchor == pattern.Fixed {
		f.position, f.last = pos, lastStep(moves)
	}
	return nil
}

// lastStep returns the last move of a line, to be shown on the board.
func lastStep(moves []game.Move) *draw.Step {
	if len(moves) == 0 || moves[len(moves)-1].To() == board.NoPoint {
		return nil
	}
	m := moves[len(moves)-1]
	return &draw.Step{From: m.From(), To: m.To()}
}

// place moves the anchor to where --anchor and --at say.
func (o *findOptions) place(f *frame) error {
	p, g := f.pattern, f.rules.Geometry()
	if o.anchor == "" {
		if o.at != "" {
			return usagef("--at %s: add --anchor fixed", o.at)
		}
		return nil
	}
	anchor, err := pattern.ParseAnchor(o.anchor)
	if err != nil {
		return oneOf("anchor", o.anchor, "floating", "corner", "side", "centre", "fixed")
	}
	if o.at != "" && anchor != pattern.Fixed {
		return usagef("--at %s is for --anchor fixed", o.at)
	}
	// Edges that are drawn stay where they say the same.
	both := p.Edges&(pattern.Top|pattern.Bottom) != 0 && p.Edges&(pattern.Left|pattern.Right) != 0
	if anchor == pattern.Corner && !both || anchor == pattern.Side && both || anchor != pattern.Corner && anchor != pattern.Side {
		p.Edges = 0
	}
	was := p.Anchor
	if p.Anchor = anchor; anchor != pattern.Fixed {
		f.position = nil
		return nil
	}
	switch at, ok := g.Point(o.at); {
	case ok:
		p.At = at
	case o.at != "":
		return usagef("--at %s: the board has no such point: want one as in %s", o.at, g.Name(board.At(0, 0)))
	case f.cut:
		p.At = f.cutAt
	case was != pattern.Fixed:
		return usagef("--anchor fixed: tell with --at which point the top left cell is, as in --at %s", g.Name(board.At(0, 0)))
	}
	return nil
}

// parseTurn reads the side to move.
func parseTurn(info *game.Info, name string) (pattern.Turn, error) {
	words := []string{"first", "second"}
	for _, s := range info.Sides {
		words = append(words, s.Name)
	}
	if name == "" {
		return pattern.AnyTurn, nil
	}
	for i, w := range words {
		if strings.EqualFold(w, name) {
			return pattern.FirstToMove + pattern.Turn(i%2), nil
		}
	}
	return 0, oneOf("turn", name, words...)
}

// parsePlies reads a range of plies; -1 is no upper bound.
func parsePlies(text string) (from, to int, err error) {
	if text == "" {
		return 0, -1, nil
	}
	low, high, ranged := strings.Cut(text, "..")
	from, to = 0, -1
	var err1, err2 error
	if low != "" {
		from, err1 = strconv.Atoi(low)
	}
	if high != "" {
		to, err2 = strconv.Atoi(high)
	}
	if !ranged {
		to = from
	}
	if err1 != nil || err2 != nil || from < 0 || high != "" && to < from || low == "" && high == "" {
		return 0, 0, usagef("--plies %s: want numbers of moves, as in 10..60, 10.. or ..60", text)
	}
	return from, to, nil
}
