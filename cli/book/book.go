package book

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/book"
	"qipu/book/theory"
	"qipu/cli"
	"qipu/library/livebook"
	"qipu/review"
	"qipu/view"
	"qipu/view/bookview"
	"qipu/view/gameview"
)

// bookOptions are the flags that the book commands share.
type bookOptions struct {
	game      string
	threshold int
	slack     float64
	within    string
	here      bool
}

func bookCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "book",
		Short: "Read, build and teach the opening book",
		Long: `The opening book of a library: what games say of positions, what engines say, and
what people say. Every game of the library is in it: records that were imported,
and apart from them games that were played in this program, by guests and by its
levels. Values are searched by the commands below, and kept.

A position has three values, which are never mixed:
  R  how it went for people: from results, by minimax over the positions that enough games reached
  E  from an engine's search, by minimax over the positions that were searched
  X  exact: read to the end of the game
What a person sets outranks them all.`,
		Example: `  qipu book show f5d6
  qipu book info`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(bookShow(a), bookBuild(a), bookInfo(a), bookLibrarian(a), bookSet(a), bookImport(a), bookExport(a), bookMerge(a))
	cmd.AddCommand(bookLearn(a)...)
	return cmd
}

func (o *bookOptions) register(a *cli.App, cmd *cobra.Command) {
	a.GameFlag(cmd, &o.game, "othello", "the game, as in othello or go:9x9")
}

// volume is the book of a kind of game, open.
type volume struct {
	*qipu.Library
	*gameview.Kind
	bookview.Volume
	spec string // as the user named the game
	made bool   // the book had to be made, of some thousand games
}

// bookMemory is how much memory a command that makes a book may take before it
// collects garbage all the time: twice what a hundred thousand games of Othello
// need. With less it takes twice as long.
const bookMemory = 512 << 20

// kindOf returns the kind of a game whose book is wanted.
func kindOf(a *cli.App, l *qipu.Library, spec string) (*gameview.Kind, error) {
	if _, err := a.Game(spec); err != nil {
		return nil, err
	}
	return gameview.NewKinds(l.Records()).Find(spec)
}

// volumeOf opens the book of a game.
func volumeOf(ctx context.Context, a *cli.App, l *qipu.Library, spec string) (*volume, error) {
	k, err := kindOf(a, l, spec)
	if err != nil {
		return nil, err
	}
	debug.SetMemoryLimit(bookMemory)
	v := &volume{Library: l, Kind: k, Volume: bookview.Volume{Unit: review.ScaleOf(k.Rules)}, spec: spec}
	far := a.NewProgress("games", 0)
	v.Volume.Volume, err = l.Books().VolumeWith(ctx, k.Index, func(done, total int) {
		v.made = true
		far.Games(done, total)
	})
	far.Close()
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

// stand reads the position that an argument means; none is the start.
func (v *volume) stand(a *cli.App, args []string) (*gameview.Standing, error) {
	text := ""
	if len(args) > 0 {
		var err error
		if text, err = a.Text(args[0]); err != nil {
			return nil, err
		}
	}
	return v.Stand(text, 0, "")
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

Values are for the side to move: the lead in discs in Othello, in all other games the
share of a win in per cent, which --json has from 0 to 1. R stands where at least
--threshold games reached the position behind a move, by whatever order of moves.
R of a move is drawn towards the mean of all games at the position, as if a hundred
of them had gone on there: few games say little. Behind E stands the level of the
search that decided. "loss" is what a move gives away against the best one, by what a
person says, else X, else E; R tells how it went for people, and makes no move a
loss. Moves without a value stand behind those with one, the most played first.
Games that were played in this program, by guests and by its levels, are counted
apart: --here counts them in place of the records. --within counts the games alone
that a query finds, of these or those. A position whose R and E are more than six
discs apart is marked: people do not play what is good there, or the search is wrong.

The grade says how sure the value of the search is: A, all lines on which no move
loses two discs end in solved positions, to F, some end in a shallow search. The lines
to know are those that one has to learn by heart to have a best move ready against
every reply that loses no more than --slack.`,
		Example: `  qipu book show
  qipu book show f5d6c3 --threshold 1
  qipu book show --within year:2000..
  qipu book show f5d6 --here
  qipu book show --game xiangqi --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.threshold < 1 || o.threshold > 1e9 {
				return cli.Usagef("--threshold %d: want a number of games, from 1", o.threshold)
			}
			if !(o.slack >= 0 && o.slack <= 1000) {
				return cli.Usagef("--slack %v: want what a reply may lose, from 0", o.slack)
			}
			return withBook(a, cmd, &o, true, func(v *volume) error { return showBook(cmd.Context(), a, v, &o, args) })
		},
	}
	o.register(a, cmd)
	cmd.Flags().IntVar(&o.threshold, "threshold", book.DefaultThreshold, "games that have to reach the position behind a move for its results to count")
	cmd.Flags().StringVar(&o.within, "within", "", "count only the games that a query finds: year:2000.. player:Tamenori source:WTHOR")
	cmd.Flags().BoolVar(&o.here, "here", false, "count the games that were played in this program in place of the records")
	cmd.Flags().Float64Var(&o.slack, "slack", bookview.UsualSlack, "how much a reply may lose and still has to be known")
	return cmd
}

// scored returns a value of a book as people read it.
func (v *volume) scored(x *float64) string {
	switch {
	case x == nil:
		return "-"
	case v.Unit.Unit == review.Share:
		return fmt.Sprintf("%.0f%%", 100**x)
	}
	return fmt.Sprintf("%+.1f", *x)
}

// levelled returns E with what stands behind it.
func (v *volume) levelled(b *view.BookValues) string {
	switch {
	case b.E == nil:
		return "-"
	case b.ELevel >= theory.LevelHuman:
		return v.scored(b.E) + " (hand)"
	case b.ELevel >= theory.LevelExact:
		return v.scored(b.E) + " (exact)"
	}
	if b.By != "" {
		return fmt.Sprintf("%s (%s, %d)", v.scored(b.E), b.By, b.ELevel)
	}
	return fmt.Sprintf("%s (%d)", v.scored(b.E), b.ELevel)
}

func showBook(ctx context.Context, a *cli.App, v *volume, o *bookOptions, args []string) error {
	at, err := v.stand(a, args)
	if err != nil {
		return err
	}
	if o.here {
		v.Origin = livebook.Here
	}
	if o.within != "" {
		if v.Volume.Volume, err = v.Books().Narrow(ctx, v.Index, v.Volume.Volume, o.within, v.Search().Finding(ctx, o.within, v.Spec)); err != nil {
			return err
		}
	}
	looked := v.Look(at, book.LookOptions{Threshold: o.threshold})
	w := bookview.EntryOf(at, looked, o.threshold, o.slack)
	if !looked.Known && len(w.Moves) == 0 {
		return noBook(a, v, w, len(args) > 0)
	}
	if a.JSON {
		return a.PrintJSON(cli.Typed("entry", w))
	}
	if !a.CSV {
		backed := looked.Entry.Passed || slices.ContainsFunc(w.Moves, func(m view.BookMove) bool { return m.Values.R != nil })
		bookHead(a, v, w, backed)
	}
	t := &cli.Table{Columns: []string{"move", "games", "share", "wins", "draws", "losses", "reached", "R", "E (level)", "X", "loss", "note", "opening"}}
	for i := range w.Moves {
		m := &w.Moves[i]
		wins, losses := results(&m.Score, w.Position.Turn)
		loss := "-"
		if m.Loss != nil {
			loss = strings.TrimPrefix(v.scored(m.Loss), "+")
		}
		t.Add(nil, m.Move.Text, fmt.Sprint(m.Games), cli.Percent(m.Share), fmt.Sprint(wins), fmt.Sprint(m.Score.Draws), fmt.Sprint(losses), fmt.Sprint(m.Reached),
			v.scored(m.Values.R), v.levelled(&m.Values), v.scored(m.Values.X), loss, v.remark(&m.Values), m.Opening)
	}
	return a.Print(t)
}

// results returns the games that a side has won and lost.
func results(s *view.Score, side int) (wins, losses int) {
	if side == 0 {
		return s.First, s.Second
	}
	return s.Second, s.First
}

// remark says in words what is odd about values.
func (v *volume) remark(b *view.BookValues) string {
	var list []string
	if b.Human != nil {
		list = append(list, "by hand "+v.scored(b.Human))
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
func bookHead(a *cli.App, v *volume, w *view.BookEntry, backed bool) {
	title, sides := v.Rules.Info().Titles.En, v.Rules.Info().Sides
	if w.Opening.Name != "" {
		title += ", " + w.Opening.Name
	}
	turn := sides[w.Position.Turn].Name
	fmt.Fprintf(a.Out, "%s: %s to move\n", title, turn)
	if w.Games > 0 {
		wins, losses := results(&w.Score, w.Position.Turn)
		fmt.Fprintf(a.Out, "%s reached it: %d won, %d drawn, %d lost for %s; %s below\n",
			counted(w.Games, w.Of), wins, w.Score.Draws, losses, turn, cli.Plural(w.Below, "position"))
	}
	if n := w.Apart.Games; n > 0 {
		wins, losses := results(&w.Apart.Score, w.Position.Turn)
		fmt.Fprintf(a.Out, "apart from them %s reached it: %d won, %d drawn, %d lost%s\n", counted(n, other(w.Of)), wins, w.Apart.Score.Draws, losses, hint(w.Of))
	}
	var list []string
	if w.Values.R != nil {
		why := "by positions of " + cli.Plural(w.Threshold, "game") + " or more"
		if !backed {
			why = "the mean of the results: no move leads to a position of " + cli.Plural(w.Threshold, "game") + " or more"
		}
		list = append(list, fmt.Sprintf("R %s (%s)", v.scored(w.Values.R), why))
	}
	if w.Values.E != nil {
		text := "E " + v.levelled(&w.Values)
		if w.Values.ELow != nil && w.Values.EHigh != nil {
			text += fmt.Sprintf(" from %s to %s", v.scored(w.Values.ELow), v.scored(w.Values.EHigh))
		}
		list = append(list, text)
	}
	if w.Values.X != nil {
		list = append(list, "X "+v.scored(w.Values.X))
	}
	if remark := v.remark(&w.Values); remark != "" {
		list = append(list, remark)
	}
	if len(list) > 0 {
		fmt.Fprintln(a.Out, strings.Join(list, "; "))
	}
	if w.Grade != "" {
		fmt.Fprintf(a.Out, "grade %s; lines to know: %s %d, %s %d\n", w.Grade, sides[0].Name, w.Lines[0], sides[1].Name, w.Lines[1])
	}
	fmt.Fprintln(a.Out)
}

// counted says how many games of an origin there are.
func counted(n int, of string) string {
	if of == bookview.Here {
		return cli.Plural(n, "game") + " played here"
	}
	return cli.Plural(n, "game")
}

// other returns the origin of the games that are told apart.
func other(of string) string {
	if of == bookview.Here {
		return bookview.Records
	}
	return bookview.Here
}

// hint says how to see games that are told apart.
func hint(of string) string {
	if of == bookview.Here {
		return ""
	}
	return " (--here)"
}

// noBook tells what to do about a book that knows nothing.
func noBook(a *cli.App, v *volume, w *view.BookEntry, asked bool) error {
	shown, apart := v.Shown()
	switch {
	case w.Apart.Games > 0 && w.Of == bookview.Here:
		fmt.Fprintf(a.Err, "no game that was played here has come to this position: without --here %s of records are counted\n", cli.Plural(w.Apart.Games, "game"))
	case w.Apart.Games > 0:
		fmt.Fprintf(a.Err, "no record has come to this position: --here counts %s\n", counted(w.Apart.Games, bookview.Here))
	case shown.Games()+apart.Games() == 0 && v.Theory.Info().Positions == 0:
		fmt.Fprintf(a.Err, "the book of %s is empty: qipu import PATH... adds games, and qipu book deviate --game %s values by search\n", v.Spec, v.spec)
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
				k, err := kindOf(a, l, o.game)
				if err != nil {
					return err
				}
				debug.SetMemoryLimit(bookMemory)
				far := a.NewProgress("games", 0)
				err = l.Books().Build(cmd.Context(), k.Index, far.Games)
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

func showInfo(a *cli.App, v *volume) error {
	for _, fault := range v.Theory.Faults() {
		fmt.Fprintf(a.Err, "left out: %v\n", fault)
	}
	w := bookview.InfoOf(&v.Volume, v.Spec)
	if a.JSON {
		return a.PrintJSON(cli.Typed("book", w))
	}
	t := &cli.Table{Columns: []string{"what", "number", "meaning"}}
	for _, row := range []struct {
		what    string
		n       int
		meaning string
	}{
		{"games", w.Games, "records that are counted"}, {"here", w.Here, "games that were played here, counted apart"}, {"positions", w.Positions, "that they reached"}, {"moves", w.Moves, "from all of them"},
		{"bytes", int(w.Bytes), "of the statistics on disk"}, {"told", w.Told, "positions whose exact value records tell"},
		{"valued", w.Valued, "positions with a value of an engine or a person"}, {"searched", w.Searched, "of these by an engine"},
		{"shipped", w.Shipped, "of these that came with the program"},
		{"solved", w.Solved - w.Told, "of these with an exact value"}, {"edited", w.Edited, "of these with a value that a person set"},
		{"links", w.Links, "moves from one of them to another"}, {"stale", w.Stale, "of these that wait for qipu book fix"},
	} {
		t.Add(nil, row.what, fmt.Sprint(row.n), row.meaning)
	}
	for _, l := range w.Levels {
		name := fmt.Sprint(l.Level)
		if l.Level >= theory.LevelExact {
			name = "exact"
		}
		t.Add(nil, "level "+name, fmt.Sprint(l.Positions), "searched so deep")
	}
	return a.Print(t)
}
