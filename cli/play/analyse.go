package play

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/cli/engines"
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/named"
	"qipu/pattern/relation/shipped"
	"qipu/record"
	"qipu/review"
	"qipu/view"
	"qipu/view/gameview"
	"qipu/view/playview"
	"qipu/view/recordview"
)

// analyseOptions are the flags of the analyse command.
type analyseOptions struct {
	engines.Flags
	read     cli.ReadFlags
	number   int
	solve    int
	mistakes bool
	counters bool
	notation string
}

// analysedMove is a move as --json prints it.
type analysedMove struct {
	Number int `json:"number"` // of the game in the file, or in the library
	view.ReviewMove
	Depth int `json:"depth"` // plies that were read
}

// analysedSide is what a player did, as --json prints it.
type analysedSide struct {
	Number int    `json:"number"`
	Side   int    `json:"side"`
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	review.Tally
	Mean float64 `json:"mean"` // loss a move
}

func analyseCommand(a *cli.App) *cobra.Command {
	var o analyseOptions
	cmd := &cobra.Command{
		Use:     "analyse FILE|ID",
		Aliases: []string{"analyze", "review"},
		Short:   "Value every move of a game, and tell what would have been better",
		Long: `Have the engine value every move of a game, from the end to the beginning: what
the position behind it is worth, what the move gave away, and the best line instead.

FILE may hold several games, be an archive, or be "-" for standard input. All games
are analysed, or the one that --game-number chooses. A plain number is the number of
a game of the library, unless there is a file of that name.

Values are for the side that moves first: discs in Othello, points in Go, and in all
other games the share of a win, in per cent. Those with a "=" are exact: the game was
read to its end. A loss of 2, 4 or 8 discs or points is an inaccuracy, a mistake or a blunder; so are 5, 10
or 20 per cent, but only where it is more than the engine itself may be wrong by.

A game of Go is looked at once, a position at a time, by the net alone, and again with
the visits of the level where a move seems to give something away.

Below the moves it says whose opinion that was, and how wrong that engine is on games
that it was not made from. Where nobody has measured it, only what it has proved is
told: values of positions that it read to the end of the game.

--counters tells what the searches did, where the engine does: positions by ply, why
they were left, which move made the cuts, and where the time went.`,
		Example: `  qipu analyse games/othello.wtb --game-number 1 --level 3 --mistakes
  qipu analyse games/xiangqi-mates.pgn --game-number 2 --depth 1 --json
  echo f5d6c3d3c4 | qipu analyse - --level 5 --csv`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return analyse(cmd.Context(), a, &o, args[0]) },
	}
	f := cmd.Flags()
	o.Flags.Register(a, f, 10, "reads")
	o.read.Register(f)
	f.IntVarP(&o.number, "game-number", "n", 0, "number of the record in the file, from 1 (default: all)")
	f.IntVar(&o.solve, "solve", 16, "read to the end from so many empty squares on, where the engine can (0: never)")
	f.BoolVar(&o.mistakes, "mistakes", false, "only moves that have a mark")
	f.BoolVar(&o.counters, "counters", false, "tell at the end what the searches did: positions by ply, cuts, where the time went")
	f.StringVar(&o.notation, "notation", "", "notation of the moves (see qipu games GAME)")
	return cmd
}

func analyse(ctx context.Context, a *cli.App, o *analyseOptions, arg string) error {
	if err := o.Check(); err != nil {
		return err
	}
	if o.number < 0 {
		return cli.Usagef("--game-number %d: records are counted from 1", o.number)
	}
	if o.solve < 0 || o.solve > 60 {
		return cli.Usagef("--solve %d: want a number of empty squares, 0 to 60", o.solve)
	}
	games, err := toAnalyse(ctx, a, o, arg)
	if err != nil {
		return err
	}
	out := &analysis{app: a, options: o, several: len(games) > 1}
	defer out.close()
	if a.CSV {
		if err := a.PrintRow("game", "ply", "side", "move", "value", "loss", "mark", "exact", "best", "depth"); err != nil {
			return err
		}
	}
	done := 0
	for _, g := range games {
		err := out.game(ctx, g)
		if errors.Is(err, context.Canceled) {
			return cli.ErrInterrupted
		}
		if err != nil && len(games) == 1 {
			return err
		}
		if err != nil { // one game of many does not end the others
			fmt.Fprintf(a.Err, "game %d: left out: %v\n", g.number, err)
			continue
		}
		done++
	}
	if done == 0 {
		return cli.Silent(cli.ExitData)
	}
	return nil
}

// numbered is a game to analyse, with its number in the file or in the library.
type numbered struct {
	*record.Played
	number int
}

// toAnalyse returns the games that an argument means.
func toAnalyse(ctx context.Context, a *cli.App, o *analyseOptions, arg string) (list []numbered, err error) {
	if id, ok := cli.GameNumber(arg); ok {
		if o.number != 0 {
			return nil, cli.Usagef("--game-number is for files: %d is the number of a game of the library", id)
		}
		p, err := a.StoredRecord(ctx, id)
		return []numbered{{p, int(id)}}, err
	}
	if o.number > 0 {
		p, err := a.FindRecord(ctx, &o.read, arg, o.number)
		return []numbered{{p, o.number}}, err
	}
	return list, a.EachRecord(ctx, &o.read, arg, func(p *record.Played) error {
		list = append(list, numbered{p, len(list) + 1})
		return nil
	})
}

// analysis analyses games one after the other, by an engine that stays as long
// as the games are of one kind.
type analysis struct {
	app     *cli.App
	options *analyseOptions
	several bool
	engine  engine.Engine
	kind    string
	printed bool
}

func (x *analysis) close() {
	if x.engine != nil {
		_ = x.engine.Close() // it only remembers
	}
}

// ready makes an engine for a game.
func (x *analysis) ready(r game.Rules) (err error) {
	kind := r.Info().Name + ":" + r.Info().Variant
	if x.engine != nil && kind == x.kind {
		return nil
	}
	x.close()
	x.engine, err = x.options.Open(r)
	x.kind = kind
	return err
}

// game analyses one game and prints it.
func (x *analysis) game(ctx context.Context, g numbered) error {
	t, err := review.Task(g.Played)
	if err != nil {
		return fmt.Errorf("the record cannot be played: qipu check tells why")
	}
	if len(t.Moves) == 0 {
		return errors.New("the record has no moves")
	}
	if n := len(g.Steps); n > len(t.Moves) || g.Unplayed > 0 {
		fmt.Fprintf(x.app.Err, "game %d: only the first %d moves keep the rules: those behind them are left out\n", g.number, len(t.Moves))
	}
	k, err := x.app.Kinds().Find(gameview.RulesSpec(t.Rules))
	if err != nil {
		return err
	}
	n, err := cli.Notation(k, x.options.notation)
	if err != nil {
		return err
	}
	if err := x.ready(t.Rules); err != nil {
		return err
	}
	bar := x.app.NewProgress("moves", len(t.Moves))
	defer bar.Close()
	limits := x.options.Limits(x.engine.Info())
	if x.options.counters {
		limits.Record = trace.New(trace.Options{})
	}
	o := review.Options{Limits: limits, Solve: x.options.solve, Settler: x.app.Settlers.Of(t.Rules), OnMove: func(*review.Move) { bar.Step(1) }}
	if o.Solve == 0 {
		o.Solve = -1
	}
	if book, err := named.New(t.Rules, shipped.Base(), nil); err == nil {
		o.Called = book.Mates
	}
	r, err := review.Run(ctx, x.engine, t, o.Closely(x.engine.Info()))
	if err != nil {
		return err
	}
	bar.Close()
	start := engine.Task{Rules: t.Rules, Start: t.Start}
	p, err := start.Position()
	if err != nil {
		return err
	}
	if err := x.print(g, r, &gameview.Standing{Kind: k, Pos: p, Write: n}); err != nil || limits.Record == nil || x.app.CSV {
		return err
	}
	return x.counters(g, playview.CountersOf(limits.Record.Counters()))
}

// counters prints what the searches of a game did.
func (x *analysis) counters(g numbered, c view.Counters) error {
	if c.Nodes == 0 && !x.app.JSON {
		fmt.Fprintln(x.app.Out, "\nthis engine tells no counters")
		return nil
	}
	if !x.app.JSON {
		fmt.Fprintln(x.app.Out)
		x.app.SayWork(&c)
		return x.app.Print(cli.CountersTable(&c))
	}
	t := &cli.Table{}
	t.Add(cli.Typed("counters", struct {
		Number int `json:"number"`
		view.Counters
	}{g.number, c}))
	return x.app.Print(t)
}

// print prints the moves of a game from its start on, and what each player did.
func (x *analysis) print(g numbered, r *review.Review, at *gameview.Standing) error {
	sides := at.Rules.Info().Sides
	moves := &cli.Table{Columns: []string{"ply", "side", "move", "value", "loss", "mark", "best", "depth"}}
	for i := range r.Moves {
		m := &r.Moves[i]
		j := analysedMove{Number: g.number, ReviewMove: playview.ReviewMoveOf(at, m), Depth: m.Depth}
		if err := at.Pos.Play(m.Move); err != nil {
			return err
		}
		if m.Finding == nil && (x.options.mistakes && m.Mark == review.Fine || !m.Known && !x.app.JSON && !x.app.CSV) {
			continue
		}
		side, ply, depth := sides[m.Side].Name, strconv.Itoa(j.Ply), strconv.Itoa(m.Depth)
		if x.app.CSV {
			value, loss := number(j.Value), number(j.Loss)
			if !m.Known {
				value, loss = "", ""
			}
			err := x.app.PrintRow(strconv.Itoa(g.number), ply, side, j.Move.Text, value, loss, j.Mark,
				strconv.FormatBool(j.Exact), cli.Texts(j.Best), depth)
			if err != nil {
				return err
			}
			continue
		}
		loss := "" // for people: nothing where there is none
		if number(j.Loss) != "0" {
			loss = amount(string(r.Unit), j.Loss, false, false)
		}
		value, mark, best := "", j.Mark, cli.Texts(j.Best)
		if m.Known {
			value = amount(string(r.Unit), j.Value, true, m.Exact)
		}
		if j.Finding != nil {
			mark, best = j.Finding.Text, cli.Texts(j.Finding.Line)
		}
		moves.Add(cli.Typed("move", j), ply, side, j.Move.Text, value, loss, mark, best, depth)
	}
	if x.app.CSV {
		return nil
	}
	if !x.app.JSON {
		if x.printed {
			fmt.Fprintln(x.app.Out)
		}
		x.printed = true
		if x.several {
			fmt.Fprintf(x.app.Out, "game %d: %s\n", g.number, cli.Printable(recordview.TitleOf(g.Game)))
		}
	}
	if len(moves.Rows) > 0 {
		if err := x.app.Print(moves); err != nil {
			return err
		}
		if !x.app.JSON {
			fmt.Fprintln(x.app.Out)
		}
	}
	if r.By.Counts {
		if err := x.summary(g, r); err != nil {
			return err
		}
	}
	return x.opinion(g, r)
}

// opinion tells whose word it was, and what that is worth.
func (x *analysis) opinion(g numbered, r *review.Review) error {
	by := playview.OpinionOf(r.By)
	if x.app.JSON {
		t := &cli.Table{}
		t.Add(cli.Typed("opinion", struct {
			Number int `json:"number"`
			view.Opinion
		}{g.number, by}))
		return x.app.Print(t)
	}
	out := x.app.Out
	if r.By.Counts {
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "by %s %s", by.Engine, by.Version)
	unit := " " + string(r.Unit)
	if r.Unit == review.Share {
		unit = " of a win"
	}
	switch {
	case len(by.Accuracy) > 0:
		depth := 0
		for i := range r.Moves {
			if m := &r.Moves[i]; !m.Exact && (depth == 0 || m.Depth < depth) && m.Depth > 0 {
				depth = m.Depth
			}
		}
		known := by.Accuracy[0]
		for _, a := range by.Accuracy {
			if depth >= a.Depth || depth == 0 {
				known = a
			}
		}
		fmt.Fprintf(out, ": at depth %d it is wrong by %s%s on average, and a loss has a mark above %s; %s\n", known.Depth, number(known.Mean), unit, number(known.Most), by.Measured)
	case by.Counts:
		fmt.Fprintf(out, ": how wrong it is has not been measured, and no loss has a mark that is not proved\n")
	default:
		fmt.Fprintf(out, ": how wrong it is in %s has not been measured, so only what it has proved is told\n", r.Rules.Info().Titles.En)
		fmt.Fprintf(out, "an engine that plays %s well can be added: qipu engines add --help\n", r.Rules.Info().Titles.En)
	}
	return nil
}

// summary prints what each player did.
func (x *analysis) summary(g numbered, r *review.Review) error {
	players := &cli.Table{Columns: []string{"side", "name", "moves", "loss in " + string(r.Unit), "a move", "inaccuracies", "mistakes", "blunders"}}
	if r.Unit == review.Share {
		players.Columns[3] = "loss in wins"
	}
	for i, s := range r.Rules.Info().Sides {
		j := analysedSide{Number: g.number, Side: i, Unit: string(r.Unit), Tally: r.Tally(game.Side(i))}
		if i < len(g.Game.Facts.Players) {
			j.Name = g.Game.Facts.Players[i].Name
		}
		if j.Moves > 0 {
			j.Mean = view.Rounded(j.Loss / float64(j.Moves))
		}
		j.Loss = view.Rounded(j.Loss)
		players.Add(cli.Typed("player", j), s.Name, cli.Printable(j.Name), strconv.Itoa(j.Moves), number(j.Loss), number(j.Mean),
			strconv.Itoa(j.Inaccuracies), strconv.Itoa(j.Mistakes), strconv.Itoa(j.Blunders))
	}
	return x.app.Print(players)
}

// number writes a value with two digits: engines do not know better.
func number(x float64) string {
	y := math.Round(100*x) / 100
	return strconv.FormatFloat(y+0, 'f', -1, 64) // and not -0
}

// amount writes a value for people: in per cent where it is a share,
// with its sign where it is one of a lead, and with a mark where it is exact.
func amount(unit string, x float64, signed, exact bool) string {
	text := fmt.Sprintf("%.0f%%", 100*x)
	if unit != string(review.Share) {
		digits := 1
		if exact {
			digits = -1
		}
		text = strconv.FormatFloat(x, 'f', digits, 64)
		if signed && x > 0 {
			text = "+" + text
		}
	}
	if exact {
		text = "=" + text
	}
	return text
}
