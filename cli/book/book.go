package book

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/book"
	"qipu/book/theory"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/index"
	"qipu/opening"
)

// bookOptions are the flags that the book commands share.
type bookOptions struct {
	game      string
	threshold int
	slack     float64
}

func bookCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "book",
		Short: "Read, build and teach the opening book",
		Long: `The opening book of a library: what games say of positions, what engines say, and
what people say. Every game of the library is in it, played or imported; values
are searched by the commands below, and kept.

A position has three values, which are never mixed:
  R  from results of games, by minimax over the positions that enough of them reached
  E  from an engine's search, by minimax over the positions that were searched
  X  exact: read to the end of the game
What a person sets outranks them all.`,
		Example: `  qipu book show f5d6
  qipu book info`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(bookShow(a), bookBuild(a), bookInfo(a), bookSet(a), bookImport(a), bookExport(a), bookMerge(a))
	cmd.AddCommand(bookLearn(a)...)
	return cmd
}

func (o *bookOptions) register(a *cli.App, cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.game, "game", "g", "othello", "the game, as in othello or go:9x9")
	_ = cmd.RegisterFlagCompletionFunc("game", a.CompleteGames)
}

// volume is the book of a kind of game, open.
type volume struct {
	*qipu.Library
	kind   *index.Kind
	book   *book.Book
	theory *theory.Theory
	names  *opening.Names
	spec   string // as the user named the game
	made   bool   // the book had to be made, of some thousand games
}

// bookMemory is how much memory a command that makes a book may take before it
// collects garbage all the time: twice what a hundred thousand games of Othello
// need. With less it takes twice as long.
const bookMemory = 512 << 20

// volumeOf opens the book of a game.
func volumeOf(ctx context.Context, a *cli.App, l *qipu.Library, spec string) (*volume, error) {
	if _, err := a.Game(spec); err != nil {
		return nil, err
	}
	k, err := l.Kind(spec)
	if err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(bookMemory)
	v := &volume{Library: l, kind: k, names: opening.Of(k.Rules), spec: spec}
	far := a.NewProgress("games", 0)
	v.book, err = l.Books().BookWith(ctx, k, func(done, total int) {
		v.made = true
		far.Games(done, total)
	})
	far.Close()
	if err != nil {
		return nil, err
	}
	v.theory, err = l.Books().Theory(ctx, k)
	return v, err
}

// withBook opens a library and a book of it, for reading or writing.
func withBook(a *cli.App, cmd *cobra.Command, o *bookOptions, readOnly bool, do func(*volume) error) error {
	return a.Opening(cmd, readOnly, func(l *qipu.Library) error {
		v, err := volumeOf(cmd.Context(), a, l, o.game)
		if err != nil {
			return err
		}
		if v.made && readOnly {
			fmt.Fprintf(a.Err, "note: the book was made for this command alone: qipu book build --game %s keeps it\n", v.spec)
		}
		return do(v)
	})
}

// place reads the position that an argument means; none is the start.
func place(a *cli.App, r game.Rules, args []string) (game.Position, []game.Move, error) {
	text := ""
	if len(args) > 0 {
		var err error
		if text, err = a.Text(args[0]); err != nil {
			return nil, nil, err
		}
	}
	return game.ParseLine(r, text)
}

func bookShow(a *cli.App) *cobra.Command {
	var o bookOptions
	cmd := &cobra.Command{
		Use:   "show [POSITION]",
		Short: "Tell what the book knows of a position and its moves",
		Long: `Show a position of the book: the games that reached it and the moves that were
made, the three values, and how far to trust them.

POSITION is a position text or a list of moves from the start; without it the start
is shown. Turned and mirrored positions are the same, and so are those that came
about by another order of moves; "reached" counts the games that come to the position
behind a move by whatever order.

Values are for the side to move: discs in Othello, and the share of wins less that
of losses where games are not counted. R stands where at least --threshold games
reached the position behind a move, by whatever order of moves. Behind E stands the level of the search that decided. "loss" is
what a move gives away against the best one, by X, else E, else R. A position whose R
and E are more than six discs apart is marked: people do not play what is good
there, or the search is wrong.

The grade says how sure the value of the search is: A, all lines on which no move
loses two discs end in solved positions, to F, some end in a shallow search. The lines
to know are those that one has to learn by heart to have a best move ready against
every reply that loses no more than --slack.`,
		Example: `  qipu book show
  qipu book show f5d6c3 --threshold 1
  qipu book show --game xiangqi --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.threshold < 1 || o.threshold > 1e9 {
				return cli.Usagef("--threshold %d: want a number of games, from 1", o.threshold)
			}
			if !(o.slack >= 0 && o.slack <= 1000) {
				return cli.Usagef("--slack %v: want what a reply may lose, from 0", o.slack)
			}
			return withBook(a, cmd, &o, true, func(v *volume) error { return showBook(a, v, &o, args) })
		},
	}
	o.register(a, cmd)
	cmd.Flags().IntVar(&o.threshold, "threshold", book.DefaultThreshold, "games that have to reach the position behind a move for its results to count")
	cmd.Flags().Float64Var(&o.slack, "slack", 2, "how much a reply may lose and still has to be known")
	return cmd
}

// bookJSON is a position of the book as --json prints it.
type bookJSON struct {
	Type     string `json:"type"` // "position"
	Game     string `json:"game"`
	Position string `json:"position"`
	Turn     string `json:"turn"`
	Opening  string `json:"opening"`
	Unit     string `json:"unit"`
	Games    int    `json:"games"`
	Wins     int    `json:"wins"` // of the side to move
	Draws    int    `json:"draws"`
	Losses   int    `json:"losses"`
	Below    int    `json:"below"`
	bookValues
	Grade string `json:"grade"`
	Lines []int  `json:"lines"` // by side
}

// bookMoveJSON is a move of it.
type bookMoveJSON struct {
	Type    string  `json:"type"` // "move"
	Move    string  `json:"move"`
	Games   int     `json:"games"`
	Reached int     `json:"reached"`
	Share   float64 `json:"share"`
	Wins    int     `json:"wins"`
	Draws   int     `json:"draws"`
	Losses  int     `json:"losses"`
	bookValues
	Loss    *float64 `json:"loss,omitempty"`
	Opening string   `json:"opening"`
}

// bookValues are the values of both; what is unknown is left out.
type bookValues struct {
	R       *float64 `json:"r,omitempty"`
	E       *float64 `json:"e,omitempty"`
	Level   int      `json:"level"` // of the search that decided
	Lower   *float64 `json:"lower,omitempty"`
	Upper   *float64 `json:"upper,omitempty"`
	Partial bool     `json:"partial"` // there are moves that nobody has looked at
	X       *float64 `json:"x,omitempty"`
	Human   *float64 `json:"human,omitempty"`
	Note    string   `json:"note"`
	Apart   bool     `json:"apart"` // results and search lie apart
}

func known(v engine.Value) *float64 {
	if v == engine.NoValue {
		return nil
	}
	f := v.Units()
	return &f
}

// valuesJSON joins the values of a position or move. Results and search can lie
// apart only where both are counted in discs.
func valuesJSON(v theory.Values, r float64, hasR bool, unit book.Unit) bookValues {
	b := bookValues{
		E: known(v.E), Level: v.Level, Lower: known(v.Lower), Upper: known(v.Upper), Partial: v.Partial,
		X: known(v.X), Human: known(v.Human), Note: v.Note,
	}
	if hasR {
		r = math.Round(r*100) / 100
		b.R, b.Apart = &r, unit == book.Discs && v.Apart(r)
	}
	return b
}

// scored returns a value as people read it.
func scored(v *float64) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprintf("%+.1f", *v)
}

// levelled returns E with what stands behind it.
func (b *bookValues) levelled() string {
	switch {
	case b.E == nil:
		return "-"
	case b.Level >= theory.LevelHuman:
		return scored(b.E) + " (hand)"
	case b.Level >= theory.LevelExact:
		return scored(b.E) + " (exact)"
	}
	return fmt.Sprintf("%s (%d)", scored(b.E), b.Level)
}

// shownMove is a move with what games and engines say of it.
type shownMove struct {
	move   game.Move
	counts book.Choice
	theory.Values
	value float64 // that decides
	known bool
}

// moves joins what games and engines say of the moves of a position, the best
// first: by X, else E, else R, else by games.
func (v *volume) moves(e *book.Entry, t *theory.Entry) []shownMove {
	var list []shownMove
	for _, m := range t.Moves {
		s := shownMove{move: m.Move, Values: m.Values}
		if at := slices.IndexFunc(e.Moves, func(c book.Choice) bool { return c.Move == m.Move }); at >= 0 {
			s.counts = e.Moves[at]
		}
		best, why := m.Best()
		switch {
		case why != theory.Unknown:
			s.value, s.known = best.Units(), true
		case s.counts.N == 0:
			continue // nobody knows anything of it
		}
		list = append(list, s)
	}
	searched := slices.ContainsFunc(list, func(s shownMove) bool { return s.known })
	for i := range list {
		if s := &list[i]; !searched && s.counts.HasR {
			s.value, s.known = s.counts.R, true
		}
	}
	slices.SortStableFunc(list, func(a, b shownMove) int {
		if a.known != b.known {
			if a.known {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.counts.N, a.counts.N))
	})
	return list
}

func showBook(a *cli.App, v *volume, o *bookOptions, args []string) error {
	p, moves, err := place(a, v.kind.Rules, args)
	if err != nil {
		return err
	}
	r := v.kind.Rules
	entry, found := v.book.Look(p, book.LookOptions{Threshold: o.threshold})
	says := v.theory.Look(p)
	side := p.Turn()
	counts, rValue := entry.Counts, entry.R
	if entry.Passed {
		counts, rValue, entry.Moves = counts.Flip(), 0-rValue, nil
	}
	list := v.moves(&entry, &says)
	if !found && len(list) == 0 {
		return noBook(a, v, len(args) > 0)
	}
	lines := v.theory.Lines(p, engine.Value(o.slack*float64(engine.Unit)))
	named, _ := v.names.At(p)
	if named.ID == "" {
		start := r.Start()
		named, _ = v.names.Deepest(start, moves)
	}
	head := bookJSON{
		Type: "position", Game: v.kind.Name, Position: game.FormatPosition(r, p), Turn: r.Info().Sides[side].Name, Opening: named.Names.En,
		Unit: string(v.book.Unit()), Games: counts.N, Wins: counts.Wins, Draws: counts.Draws, Losses: counts.Losses, Below: entry.Below,
		bookValues: valuesJSON(says.Values, rValue, entry.HasR, v.book.Unit()), Grade: string(v.theory.Grade(p)), Lines: lines[:],
	}
	switch {
	case a.JSON:
		if err := a.PrintJSON(head); err != nil {
			return err
		}
	case !a.CSV:
		backed := entry.Passed
		for _, m := range list {
			backed = backed || m.counts.HasR
		}
		bookHead(a, v, &head, o, backed)
	}
	t := &cli.Table{Columns: []string{"move", "games", "share", "wins", "draws", "losses", "reached", "R", "E (level)", "X", "loss", "note", "opening"}}
	for _, m := range list {
		c := &m.counts
		row := bookMoveJSON{
			Type: "move", Move: game.FormatMove(r, p, m.move, game.AnyNotation), Games: c.N, Reached: c.Reached.N,
			Share: math.Round(theory.Popularity(counts, c.Counts)*1000) / 1000, Wins: c.Wins, Draws: c.Draws, Losses: c.Losses,
			bookValues: valuesJSON(m.Values, c.R, c.HasR, v.book.Unit()),
		}
		if m.known && list[0].known {
			loss := list[0].value - m.value
			row.Loss = &loss
		}
		if err := p.Play(m.move); err == nil {
			if name, ok := v.names.At(p); ok {
				row.Opening = name.Names.En
			}
			p.Undo()
		}
		loss := "-"
		if row.Loss != nil {
			loss = strconv.FormatFloat(*row.Loss, 'f', 1, 64)
		}
		t.Add(row, row.Move, fmt.Sprint(c.N), fmt.Sprintf("%.1f%%", 100*row.Share), fmt.Sprint(c.Wins), fmt.Sprint(c.Draws), fmt.Sprint(c.Losses), fmt.Sprint(c.Reached.N),
			scored(row.R), row.levelled(), scored(row.X), loss, row.remark(), row.Opening)
	}
	return a.Print(t)
}

// remark says in words what is odd about values.
func (b *bookValues) remark() string {
	var list []string
	if b.Human != nil {
		list = append(list, "by hand "+scored(b.Human))
	}
	if b.Note != "" {
		list = append(list, cli.Printable(b.Note))
	}
	if b.Apart {
		list = append(list, "R and E apart")
	}
	return strings.Join(list, "; ")
}

// bookHead prints what is known of the position itself; backed tells that R comes
// from the moves.
func bookHead(a *cli.App, v *volume, h *bookJSON, o *bookOptions, backed bool) {
	title := v.kind.Rules.Info().Titles.En
	if h.Opening != "" {
		title += ", " + h.Opening
	}
	fmt.Fprintf(a.Out, "%s: %s to move\n", title, h.Turn)
	if h.Games > 0 {
		fmt.Fprintf(a.Out, "%s reached it: %d won, %d drawn, %d lost for %s; %s below\n",
			cli.Plural(h.Games, "game"), h.Wins, h.Draws, h.Losses, h.Turn, cli.Plural(h.Below, "position"))
	}
	var list []string
	if h.R != nil {
		why := "by positions of " + cli.Plural(o.threshold, "game") + " or more"
		if !backed {
			why = "the mean of the results: no move leads to a position of " + cli.Plural(o.threshold, "game") + " or more"
		}
		list = append(list, fmt.Sprintf("R %s (%s)", scored(h.R), why))
	}
	if h.E != nil {
		text := "E " + h.levelled()
		if h.Lower != nil && h.Upper != nil {
			text += fmt.Sprintf(" from %s to %s", scored(h.Lower), scored(h.Upper))
		}
		list = append(list, text)
	}
	if h.X != nil {
		list = append(list, "X "+scored(h.X))
	}
	if remark := h.remark(); remark != "" {
		list = append(list, remark)
	}
	if len(list) > 0 {
		fmt.Fprintln(a.Out, strings.Join(list, "; "))
	}
	if h.Grade != "" {
		sides := v.kind.Rules.Info().Sides
		fmt.Fprintf(a.Out, "grade %s; lines to know: %s %d, %s %d\n", h.Grade, sides[0].Name, h.Lines[0], sides[1].Name, h.Lines[1])
	}
	fmt.Fprintln(a.Out)
}

// noBook tells what to do about a book that knows nothing.
func noBook(a *cli.App, v *volume, asked bool) error {
	switch {
	case v.book.Games() == 0 && v.theory.Info().Positions == 0:
		fmt.Fprintf(a.Err, "the book of %s is empty: qipu import PATH... adds games, and qipu book deviate --game %s values by search\n", v.kind.Name, v.spec)
	case asked:
		fmt.Fprintf(a.Err, "the book does not know this position: qipu book add MOVES --game %s values it\n", v.spec)
	}
	return cli.Silent(cli.ExitNothing)
}

func bookBuild(a *cli.App) *cobra.Command {
	var o bookOptions
	cmd := &cobra.Command{
		Use:   "build",
		Short: "Make the statistics of the book anew from the records",
		Long: `Make the statistics of the book anew from all records of a game. That is never
needed: the book follows the library by itself. It takes the place of a file that
is damaged or was lost, and gives the same book. After a large import it saves the
commands that only read from making the book in memory, each for itself.`,
		Example: `  qipu book build
  qipu book build --game xiangqi --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Writing(cmd.Context(), cmd.CommandPath(), func(l *qipu.Library) error {
				if _, err := a.Game(o.game); err != nil {
					return err
				}
				k, err := l.Kind(o.game)
				if err != nil {
					return err
				}
				debug.SetMemoryLimit(bookMemory)
				far := a.NewProgress("games", 0)
				_, err = l.Books().BuildBook(cmd.Context(), k, far.Games)
				far.Close()
				if err != nil {
					return err
				}
				v, err := volumeOf(cmd.Context(), a, l, o.game)
				if err != nil {
					return err
				}
				return showInfo(a, v)
			})
		},
	}
	o.register(a, cmd)
	return cmd
}

func bookInfo(a *cli.App) *cobra.Command {
	var o bookOptions
	cmd := &cobra.Command{
		Use:   "info",
		Short: "Tell how large the book is",
		Example: `  qipu book info
  qipu book info --game go --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withBook(a, cmd, &o, true, func(v *volume) error { return showInfo(a, v) })
		},
	}
	o.register(a, cmd)
	return cmd
}

// bookInfoJSON describes a book as --json prints it.
type bookInfoJSON struct {
	Type      string         `json:"type"` // "book"
	Game      string         `json:"game"`
	Games     int            `json:"games"`
	Positions int            `json:"positions"`
	Moves     int            `json:"moves"`
	Bytes     int64          `json:"bytes"`
	Told      int            `json:"told"` // positions whose exact value records tell
	Valued    int            `json:"valued"`
	Searched  int            `json:"searched"`
	Solved    int            `json:"solved"`
	Edited    int            `json:"edited"`
	Links     int            `json:"links"`
	Stale     int            `json:"stale"`
	Levels    map[string]int `json:"levels"`
}

func showInfo(a *cli.App, v *volume) error {
	b, t := v.book.Info(), v.theory.Info()
	for _, fault := range v.theory.Faults() {
		fmt.Fprintf(a.Err, "left out: %v\n", fault)
	}
	o := bookInfoJSON{
		Type: "book", Game: v.kind.Name, Games: b.Games, Positions: b.Positions, Moves: b.Moves, Bytes: b.Bytes, Told: b.Solved,
		Valued: t.Positions, Searched: t.Searched, Solved: t.Solved, Edited: t.Edited, Links: t.Links, Stale: t.Stale, Levels: map[string]int{},
	}
	rows := &cli.Table{Columns: []string{"what", "number", "meaning"}}
	add := func(what string, n int64, meaning string) { rows.Add(nil, what, fmt.Sprint(n), meaning) }
	add("games", int64(o.Games), "that are counted")
	add("positions", int64(o.Positions), "that they reached")
	add("moves", int64(o.Moves), "from all of them")
	add("bytes", o.Bytes, "of the statistics on disk")
	add("told", int64(o.Told), "positions whose exact value records tell")
	add("valued", int64(o.Valued), "positions with a value of an engine or a person")
	add("searched", int64(o.Searched), "of these by an engine")
	add("solved", int64(o.Solved), "of these with an exact value")
	add("edited", int64(o.Edited), "of these with a value that a person set")
	add("links", int64(o.Links), "moves from one of them to another")
	add("stale", int64(o.Stale), "of these that wait for qipu book fix")
	levels := make([]int, 0, len(t.Levels))
	for level := range t.Levels {
		levels = append(levels, level)
	}
	slices.Sort(levels)
	for _, level := range levels {
		name := strconv.Itoa(level)
		if level >= theory.LevelExact {
			name = "exact"
		}
		o.Levels[name] = t.Levels[level]
		add("level "+name, int64(t.Levels[level]), "searched so deep")
	}
	if a.JSON {
		return a.PrintJSON(o)
	}
	return a.Print(rows)
}
