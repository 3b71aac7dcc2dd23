package search

import (
	"context"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// exploreOptions are the flags of the explore command.
type exploreOptions struct {
	listOptions
	within                           string
	anyTurn, swap, noMirror, unicode bool
	here                             bool
}

func exploreCommand(a *cli.App) *cobra.Command {
	var o exploreOptions
	cmd := &cobra.Command{
		Use:   "explore [POSITION]",
		Short: "Tell what was played in a position, and how it went",
		Long: `Explore the openings of the library: what was played in a position, how often,
how the games went, and how many games reach each next position by whatever
order of moves ("-" where that cannot be told: behind a pass, for instance).

--within narrows the games to those of a query: of a player, of some years. Records
are counted; games that were played in this program, by guests and by its levels, are
told apart, and --here counts them in place of the records.

POSITION is a position text or a list of moves from the start, in any notation
of the game; without it the start is explored. Positions that are turned or
mirrored count as the same.

Rates count a draw as half a win; behind them stands the interval in which the
true rate lies with 95 % probability. Those of fewer than ten games are marked
with "~".`,
		Example: `  qipu explore --game othello f5
  qipu explore --game xiangqi "炮二平五 馬8進7" --sort date
  qipu explore --game othello f5 --within "player:ada date:2026"
  qipu explore --game go:9x9 F6 --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.game == "" {
				return cli.Usagef("%s: --game is missing: name one, as in --game go", cmd.CommandPath())
			}
			err := o.check(a, cmd)
			if err != nil {
				return err
			}
			text := ""
			if len(args) == 1 {
				if text, err = a.Text(args[0]); err != nil {
					return err
				}
			}
			return a.Reading(cmd.Context(), func(l *qipu.Library) error { return explore(cmd.Context(), a, l, &o, text) })
		},
	}
	o.register(a, cmd)
	f := cmd.Flags()
	f.StringVar(&o.within, "within", "", "only games that this query finds")
	_ = cmd.RegisterFlagCompletionFunc("within", a.CompleteQueryFlag)
	f.BoolVar(&o.here, "here", false, "count the games that were played in this program in place of the records")
	f.BoolVar(&o.anyTurn, "any-turn", false, "whichever side is to move")
	f.BoolVar(&o.swap, "swap", false, "the position with the sides exchanged counts, too")
	f.BoolVar(&o.noMirror, "no-mirror", false, "only the position as it is, neither turned nor mirrored")
	f.BoolVar(&o.unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	return cmd
}

func explore(ctx context.Context, a *cli.App, l *qipu.Library, o *exploreOptions, text string) error {
	k, err := kind(ctx, a, l, o.game)
	if err != nil {
		return err
	}
	pos, moves, err := game.ParseLine(k.Rules, text)
	if err != nil {
		return err
	}
	order := retrieve.ByStore
	if o.sort != "" {
		if order, err = retrieve.ParseOrder(o.sort); err != nil {
			return err
		}
	}
	var in query.Q // nil for all games
	within := joinQuery(o.within, o.collection)
	if o.within != "" || o.collection != "" {
		if in, err = query.Parse(within); err != nil {
			return err
		}
	}
	in, apart, err := l.Search().Origin(ctx, k, in, o.here)
	if err != nil {
		return query.WithText(err, within)
	}
	far := a.NewSearching()
	answer, err := l.Search().Explore(ctx, &retrieve.ExploreRequest{
		Kind: k, Position: pos, Within: in, Variations: o.variations, Mirror: !o.noMirror, Swap: o.swap, AnyTurn: o.anyTurn,
		Limit: o.rows(), Cursor: o.cursor, Order: order, Reverse: o.reverse, OnTick: far.Tick,
	})
	far.Close()
	if err != nil {
		return query.WithText(err, within)
	}
	shape, err := pattern.FromPosition(pos)
	if err != nil {
		return err
	}
	shape.Mirror, shape.Swap = !o.noMirror, o.swap
	if !o.anyTurn {
		shape.Turn = pattern.FirstToMove + pattern.Turn(pos.Turn())
	}
	f := &cli.Frame{Frame: ask.FrameAt(k, pos, moves, shape)}
	asked := &query.Shape{Pattern: shape, Geometry: k.Rules.Geometry()}
	beside, err := l.Search().Reach(ctx, k, asked, apart, o.variations)
	if err != nil {
		return err
	}
	if o.tree != "" {
		deep, err := l.Search().Find(ctx, &retrieve.Request{Kind: k, Query: query.And{asked, orAll(in)}, Variations: o.variations, Depth: o.Depth, Limit: 1})
		if err != nil {
			return err
		}
		if err := writeTree(a, &o.listOptions, k, asked, deep.Tree); err != nil {
			return err
		}
	}
	r := &reporter{
		app: a, frame: f, kinds: []*index.Kind{k}, options: &o.listOptions, answer: answer, total: answer.Explain.Total,
		timed: true, explorer: true, line: text, board: true, unicode: o.unicode, apart: beside, here: o.here,
	}
	return r.report(ctx, l)
}

// orAll returns a query, or where there is none that for all games.
func orAll(q query.Q) query.Q {
	if q == nil {
		return query.Const(true)
	}
	return q
}
