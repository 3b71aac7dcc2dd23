package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/convert"
	"qipu/index"
	"qipu/library/ask"
	"qipu/retrieve"
)

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
	tree             string // a file
	convert.TreeOptions
}

func (o *listOptions) register(a *cli.App, cmd *cobra.Command) {
	f := cmd.Flags()
	a.GameFlag(cmd, &o.game, "", "game, such as go, go:9x9, othello, xiangqi, renju")
	f.StringVar(&o.collection, "collection", "", "only games of this collection")
	f.BoolVar(&o.variations, "variations", false, "lines beside the main ones, too")
	cli.Enum(cmd, &o.sort, "sort", "", "order of the games: store, occurrences, date, rating or likeness, the largest first (default: store, or likeness where the query is fuzzy); games without a rating come behind, by rank", retrieve.Orders()...)
	f.BoolVar(&o.reverse, "reverse", false, "turn the order of the games around")
	f.IntVar(&o.limit, "limit", 30, "games on a page (0: all)")
	f.StringVar(&o.cursor, "cursor", "", "go on where a page ended: the word behind \"more:\"")
	f.IntVar(&o.moves, "moves", -1, "rows of the table of moves (0: all; default: 12 at a terminal, else all)")
	f.StringVar(&o.svg, "svg", "", "write a picture of the board with the moves to a file")
	f.BoolVar(&o.continuations, "continuations", false, "with --csv: the table of moves in place of the games")
	f.BoolVar(&o.explain, "explain", false, "tell how the answer came about: verified are the lines that were looked at in full")
	f.StringVar(&o.tree, "tree", "", "write the moves behind the board as a record with variations to a file, in the format of its extension")
	o.TreeOptions.Register(f)
	_ = cmd.RegisterFlagCompletionFunc("collection", a.CompleteNames("collection"))
}

// check refuses flags that cannot be meant.
func (o *listOptions) check(a *cli.App, cmd *cobra.Command) error {
	switch {
	case o.limit < 0:
		return cli.Usagef("--limit %d: want a number of games, or 0 for all", o.limit)
	case o.moves < -1:
		return cli.Usagef("--moves %d: want a number of rows, or 0 for all", o.moves)
	case o.continuations && !a.CSV:
		return cli.Usagef("--continuations chooses the table of --csv: everything else shows both")
	}
	if err := o.TreeOptions.Check(cmd.Flags(), o.tree != ""); err != nil {
		return err
	}
	if o.tree != "" { // before the search, which may take its time
		if _, err := convert.NewTreeWriter(a, o.tree, "", true); err != nil {
			return err
		}
	}
	return nil
}

// rows is the limit as package retrieve counts it.
func (o *listOptions) rows() int {
	if o.limit == 0 {
		return -1
	}
	return o.limit
}

// shown is how many moves the table shows.
func (o *listOptions) shown(a *cli.App, total int) int {
	const atTerminal = 12
	switch {
	case a.JSON || a.CSV, o.moves == 0, o.moves < 0 && !a.OutTerm:
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
	fuzzy, noSave             bool

	by     string
	groups int
	versus string
	trend  bool
}

func findCommand(a *cli.App) *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:   "find [QUERY]",
		Short: "Find games by players, dates, words and boards",
		Long: `Find the games that a query asks for, and how they went; of a board also what
came next there. Without a query all games are listed.

QUERY is in the query language: fields such as player:, date:, event:, result:,
boards such as board:"XO/OX" and position:"Q16 D4", words for everything else,
joined by and, or, not; and by then, for, when for what happened in which order.
Several arguments are joined by blanks; "-" reads the query from standard input.
Behind "--" it may begin with a "-". The flags below join a board to it:

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
for --no-mirror and --no-swap. Where colours are exchanged, "black scores" is the
score of who had Black in the games, "drawn black scores" that of the side which
is drawn black. Moves are counted as the shape is drawn, and named
by the points of the corner in which it is drawn, or by column and row from its
top left point, a1, where it may lie in several places; "-e2" is a piece that
came from outside. The count of a move is that of occurrences; results and rates
count a game once, however often the move was played in it. An answer of several
pages ends with the --cursor of the next one, which is good for the same search
alone.

--by counts the games by year, player and the like, or by the move that came next
on the board; --trend tells how their share went over the years, and --versus sets
the games of a second query beside them.

A board that is found is remembered with its games under a name that describes
it, and is found by that name from then on: see qipu query list --all.`,
		Example: `  qipu find player:Ada result:win
  qipu find --game go --pattern "+----/|..../|..../|..O./|...X" --variations
  qipu find --game go:9x9 --position "F6 C6" --sort date
  qipu find --game othello --position f5d6 --region C3:F6 --anchor fixed
  qipu find --game xiangqi --pattern "[nc]/R" --turn black --plies 10..60
  qipu find "game:xiangqi fuzzy:'R../.n.'{min:.7}"
  qipu find game:othello --by player
  qipu find game:othello position:f5d6 --by move
  qipu find --game othello position:f5d6 --versus position:f5f6
  qipu find --game othello --position f5 --tree openings.sgf
  echo 242 | qipu find --game renju --pattern - --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(a, cmd); err != nil {
				return err
			}
			return a.Reading(cmd.Context(), func(l *qipu.Library) error { return find(cmd.Context(), a, l, &o, args) })
		},
		ValidArgsFunction: a.CompleteQuery,
	}
	o.register(a, cmd)
	f := cmd.Flags()
	f.StringVarP(&o.pattern, "pattern", "p", "", "diagram to find, - for standard input, @FILE for a file")
	f.StringVar(&o.position, "position", "", "position or moves to find, - for standard input")
	f.StringVar(&o.region, "region", "", "with --position: only the points between two corners, as in C3:J9")
	cli.Enum(cmd, &o.anchor, "anchor", "", "where the shape may lie: floating, corner, side, centre or fixed (default: by its borders)", "floating", "corner", "side", "centre", "fixed")
	f.StringVar(&o.at, "at", "", "the point of the top left cell, for a shape that is fixed")
	f.BoolVar(&o.noMirror, "no-mirror", false, "only as it is drawn, neither turned nor mirrored")
	f.BoolVar(&o.noSwap, "no-swap", false, "only in the colours that are drawn")
	f.StringVar(&o.turn, "turn", "", "side to move: first, second, or its name (default: either)")
	f.StringVar(&o.plies, "plies", "", "only when so many moves have been played: 10..60, 10.., ..60")
	f.BoolVar(&o.all, "all", false, "list every occurrence, and not only the first of each game")
	f.BoolVar(&o.board, "board", false, "draw the board with the moves, even into a pipe")
	f.BoolVar(&o.fuzzy, "fuzzy", false, "where a board is not found, look for boards that are like it")
	f.BoolVar(&o.noSave, "no-save", false, "do not remember the board")
	cli.Enum(cmd, &o.by, "by", "", "count the games by "+strings.Join(dimensions(), ", "), dimensions()...)
	f.IntVar(&o.groups, "groups", 30, "with --by: rows of the table (0: all; default: 30, or --limit where it is given)")
	f.StringVar(&o.versus, "versus", "", "a second query, whose games are set beside those of the first")
	f.BoolVar(&o.trend, "trend", false, "tell how the share of the games went over the years")
	_ = cmd.RegisterFlagCompletionFunc("versus", a.CompleteQueryFlag)
	return cmd
}

// check refuses flags that cannot be meant.
func (o *findOptions) check(a *cli.App, cmd *cobra.Command) error {
	if err := o.listOptions.check(a, cmd); err != nil {
		return err
	}
	forms := 0
	for _, on := range []bool{o.by != "", o.versus != "", o.trend} {
		if on {
			forms++
		}
	}
	switch {
	case forms > 1:
		return cli.Usagef("--by, --versus and --trend exclude each other")
	case o.groups < 0:
		return cli.Usagef("--groups %d: want a number of rows, or 0 for all", o.groups)
	case forms > 0 && (o.tree != "" || o.continuations || o.all || o.cursor != ""):
		return cli.Usagef("--by, --versus and --trend list no games: leave out --tree, --continuations, --all and --cursor")
	case (o.by != "" || o.versus != "") && o.svg != "":
		return cli.Usagef("--svg draws a board or a trend: leave it out")
	}
	if f := cmd.Flags(); o.by != "" && f.Changed("limit") && !f.Changed("groups") {
		o.groups = o.limit
	}
	return nil
}

// dimensions returns what games can be counted by.
func dimensions() []string { return append(slices.Clone(retrieve.Dimensions()), byMove) }

func find(ctx context.Context, a *cli.App, l *qipu.Library, o *findOptions, args []string) error {
	text, err := asked(a, args, o)
	if err != nil {
		return err
	}
	if err := hasGames(ctx, a, l, o.game); err != nil {
		return err
	}
	q := &ask.Question{Text: text, Game: o.game, Request: retrieve.Request{
		Variations: o.variations, Reverse: o.reverse, Limit: o.rows(), Cursor: o.cursor, All: o.all,
	}}
	switch {
	case o.trend:
		return findTrend(ctx, a, l, o, q)
	case o.versus != "":
		return findVersus(ctx, a, l, o, q)
	case o.by != "":
		return findGroups(ctx, a, l, o, q)
	}
	if q.Order, err = a.Order(ctx, l, q, o.sort); err != nil {
		return err
	}
	reply, err := askOrFuzzy(ctx, a, l, o, q)
	if err != nil {
		return err
	}
	r, err := reporterOf(ctx, a, l, reply, &o.listOptions)
	if err != nil {
		return err
	}
	r.all, r.board = o.all, o.board || a.OutTerm
	if o.tree != "" {
		if err := findTree(ctx, a, l, o, q, r); err != nil {
			return err
		}
	}
	err = r.report(ctx, l)
	if !o.noSave {
		a.Remember(ctx, l, reply)
	}
	return err
}

// hasGames checks that the library has games, and of the game that is named,
// where one is. A library without any of it says what it has.
func hasGames(ctx context.Context, a *cli.App, l *qipu.Library, spec string) error {
	name, size := "", ""
	if spec != "" {
		r, err := a.Game(spec)
		if err != nil {
			return err
		}
		name = r.Info().Name
		if strings.Contains(spec, ":") {
			size = r.Geometry().Size.String()
		}
	}
	return tallied(ctx, a, l, strings.TrimSpace(name+" "+size), func(k *index.Kind) bool {
		return (name == "" || k.Rules.Info().Name == name) && (size == "" || k.Board.Size.String() == size)
	})
}

// kind returns the one kind of game that is explored.
func kind(ctx context.Context, a *cli.App, l *qipu.Library, spec string) (*index.Kind, error) {
	if _, err := a.Game(spec); err != nil {
		return nil, err
	}
	k, err := l.Records().Kind(spec)
	if err != nil {
		return nil, err
	}
	return k, tallied(ctx, a, l, k.Name, func(other *index.Kind) bool { return other == k })
}

// tallied checks that the library has games of a kind that is meant, and else
// says what it has.
func tallied(ctx context.Context, a *cli.App, l *qipu.Library, name string, meant func(*index.Kind) bool) error {
	tally, err := l.Records().Tally(ctx)
	if err != nil {
		return err
	}
	var known []string
	for _, t := range tally {
		if t.Games > 0 && meant(t.Kind) {
			return nil
		}
		if t.Games > 0 {
			known = append(known, fmt.Sprintf("%s (%d)", t.Kind.Name, t.Games))
		}
	}
	if known == nil {
		return a.Nothing("qipu: the library %s has no games: qipu import PATH... reads some", l.Records().Place())
	}
	hint := ""
	if game, _, _ := strings.Cut(name, " "); strings.Contains(strings.Join(known, ", "), game+" ") {
		hint = "; other sizes of a game are named as in " + game + ":WxH"
	}
	return a.Nothing("qipu: the library has no games of %s: it has %s%s", name, strings.Join(known, ", "), hint)
}
