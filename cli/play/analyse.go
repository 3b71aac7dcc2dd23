package play

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/record"
	"qipu/review"
	"qipu/store"
)

// analyseOptions are the flags of the analyse command.
type analyseOptions struct {
	engineFlags
	read     cli.ReadFlags
	number   int
	solve    int
	mistakes bool
	notation string
}

// analysedMove is a move as --json prints it.
type analysedMove struct {
	Type  string   `json:"type"` // "move"
	Game  int      `json:"game"` // its number in the file, or in the library
	Ply   int      `json:"ply"`
	Side  string   `json:"side"`
	Move  string   `json:"move"`
	Value float64  `json:"value"` // of the position behind it, for the first side
	Loss  float64  `json:"loss"`  // what it gave away, for the side that made it
	Mark  string   `json:"mark"`
	Exact bool     `json:"exact"`
	Best  []string `json:"best"` // the best line instead
	Depth int      `json:"depth"`
}

// analysedSide is what a player did, as --json prints it.
type analysedSide struct {
	Type string `json:"type"` // "player"
	Game int    `json:"game"`
	Side string `json:"side"`
	Name string `json:"name"`
	Unit string `json:"unit"`
	review.Tally
	Mean float64 `json:"mean"` // loss a move
}

func analyseCommand(a *cli.App) *cobra.Command {
	var o analyseOptions
	cmd := &cobra.Command{
		Use:     "analyse FILE|ID",
		Aliases: []string{"analyze"},
		Short:   "Value every move of a game, and tell what would have been better",
		Long: `Have the engine value every move of a game, from the end to the beginning: what
the position behind it is worth, what the move gave away, and the best line instead.

FILE may hold several games, be an archive, or be "-" for standard input. All games
are analysed, or the one that --game-number chooses. A plain number is the number of
a game of the library, unless there is a file of that name.

Values are for the side that moves first: discs in Othello, and in all other games
the share of a win, in per cent. Those with a "=" are exact: the game was read to its
end. A loss of 2, 4 or 8 discs is an inaccuracy, a mistake or a blunder; so are 5, 10
or 20 per cent.`,
		Example: `  qipu analyse games/othello.wtb --game-number 1 --level 3 --mistakes
  qipu analyse games/xiangqi-mates.pgn --game-number 2 --depth 1 --json
  echo f5d6c3d3c4 | qipu analyse - --level 5 --csv`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return analyse(cmd.Context(), a, &o, args[0]) },
	}
	f := cmd.Flags()
	o.engineFlags.register(a, f, 12, "reads")
	o.read.Register(f)
	f.IntVarP(&o.number, "game-number", "n", 0, "number of the record in the file, from 1 (default: all)")
	f.IntVar(&o.solve, "solve", 16, "read to the end from so many empty squares on, where the engine can (0: never)")
	f.BoolVar(&o.mistakes, "mistakes", false, "only moves that have a mark")
	f.StringVar(&o.notation, "notation", "", "notation of the moves (see qipu games GAME)")
	return cmd
}

func analyse(ctx context.Context, a *cli.App, o *analyseOptions, arg string) error {
	if err := o.check(); err != nil {
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
		err = a.Reading(ctx, func(l *qipu.Library) error {
			g, _, err := l.Record(ctx, id)
			if errors.Is(err, store.ErrNoGame) {
				return fmt.Errorf("the library has no game %d: qipu find lists games with their numbers", id)
			}
			if err == nil {
				list = append(list, numbered{record.NewReferee(a.Games).Play(g), int(id)})
			}
			return err
		})
		return list, err
	}
	if o.number > 0 {
		p, err := a.FindRecord(ctx, &o.read, arg, o.number)
		return []numbered{{p, o.number}}, err
	}
	options, err := a.Options(&o.read)
	if err != nil {
		return nil, err
	}
	options.Workers = 1 // records in their order
	var first *record.Fault
	options.Sink = cli.SinkFunc(func(p *record.Played) error {
		list = append(list, numbered{p, len(list) + 1})
		return nil
	})
	options.OnFault = func(f *record.Fault) {
		if first == nil && f.Severity == record.Rejected {
			first = f
		}
	}
	if _, err = a.Ingest(ctx, options, []string{arg}); err != nil {
		return nil, err
	}
	switch {
	case len(list) > 0:
		return list, nil
	case first != nil:
		return nil, first
	}
	return nil, fmt.Errorf("%s: no record in it that the program can read", arg)
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
	x.engine, err = x.options.open(r)
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
	n := game.Notation(x.options.notation)
	if n != game.AnyNotation {
		var known []string
		for _, k := range t.Rules.Info().Notations {
			known = append(known, string(k.Name))
		}
		if err := cli.OneOf("notation", string(n), known...); err != nil {
			return err
		}
	}
	if err := x.ready(t.Rules); err != nil {
		return err
	}
	bar := x.app.NewProgress("moves", len(t.Moves))
	defer bar.Close()
	o := review.Options{Limits: x.options.limits(), Solve: x.options.solve, OnMove: func(*review.Move) { bar.Step(1) }}
	if o.Solve == 0 {
		o.Solve = -1
	}
	r, err := review.Run(ctx, x.engine, t, o)
	if err != nil {
		return err
	}
	bar.Close()
	return x.print(g, t, r, n)
}

// print prints the moves of a game, and what each player did.
func (x *analysis) print(g numbered, t *engine.Task, r *review.Review, n game.Notation) error {
	sides := t.Rules.Info().Sides
	moves := &cli.Table{Columns: []string{"ply", "side", "move", "value", "loss", "mark", "best", "depth"}}
	start := engine.Task{Rules: t.Rules, Start: t.Start}
	p, err := start.Position()
	if err != nil {
		return err
	}
	for i := range r.Moves {
		m := &r.Moves[i]
		j := analysedMove{
			Type: "move", Game: g.number, Ply: m.Ply, Side: sides[m.Side].Name, Move: game.FormatMove(t.Rules, p, m.Move, n),
			Value: round(m.Value), Loss: round(m.Loss), Mark: string(m.Mark), Exact: m.Exact, Best: lineText(t.Rules, p, m.Line, n), Depth: m.Depth,
		}
		if err := p.Play(m.Move); err != nil {
			return err
		}
		if x.options.mistakes && m.Mark == review.Fine {
			continue
		}
		if x.app.CSV {
			err := x.app.PrintRow(strconv.Itoa(j.Game), strconv.Itoa(j.Ply), j.Side, j.Move, number(j.Value), number(j.Loss), j.Mark,
				strconv.FormatBool(j.Exact), strings.Join(j.Best, " "), strconv.Itoa(j.Depth))
			if err != nil {
				return err
			}
			continue
		}
		moves.Add(&j, strconv.Itoa(j.Ply), j.Side, j.Move, amount(r.Unit, j.Value, true, m.Exact), lossText(r.Unit, j.Loss),
			j.Mark, strings.Join(j.Best, " "), strconv.Itoa(m.Depth))
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
			fmt.Fprintf(x.app.Out, "game %d: %s\n", g.number, cli.Printable(cli.TitleOf(g.Game)))
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
	return x.summary(g, r)
}

// summary prints what each player did.
func (x *analysis) summary(g numbered, r *review.Review) error {
	players := &cli.Table{Columns: []string{"side", "name", "moves", "loss in " + string(r.Unit), "a move", "inaccuracies", "mistakes", "blunders"}}
	if r.Unit == review.Share {
		players.Columns[3] = "loss in wins"
	}
	for i, s := range r.Rules.Info().Sides {
		j := analysedSide{Type: "player", Game: g.number, Side: s.Name, Unit: string(r.Unit), Tally: r.Tally(game.Side(i))}
		if i < len(g.Game.Facts.Players) {
			j.Name = g.Game.Facts.Players[i].Name
		}
		if j.Moves > 0 {
			j.Mean = round(j.Loss / float64(j.Moves))
		}
		j.Loss = round(j.Loss)
		players.Add(&j, j.Side, cli.Printable(j.Name), strconv.Itoa(j.Moves), number(j.Loss), number(j.Mean),
			strconv.Itoa(j.Inaccuracies), strconv.Itoa(j.Mistakes), strconv.Itoa(j.Blunders))
	}
	return x.app.Print(players)
}

// lineText returns moves from a position, which is left as it is.
func lineText(r game.Rules, p game.Position, moves []game.Move, n game.Notation) []string {
	list := []string{}
	for _, m := range moves {
		text := game.FormatMove(r, p, m, n)
		if p.Play(m) != nil {
			break
		}
		list = append(list, text)
	}
	for range list {
		p.Undo()
	}
	return list
}

// round keeps two digits: engines do not know better.
func round(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', 2, 64), 64)
	if y == 0 {
		return 0 // and not -0
	}
	return y
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// lossText writes a loss for people: nothing where there is none.
func lossText(u review.Unit, x float64) string {
	if x == 0 {
		return ""
	}
	return amount(u, x, false, false)
}

// amount writes a value for people: in per cent where it is a share,
// with its sign where it is one of a lead, and with a mark where it is exact.
func amount(u review.Unit, x float64, signed, exact bool) string {
	text := fmt.Sprintf("%.0f%%", 100*x)
	if u != review.Share {
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
