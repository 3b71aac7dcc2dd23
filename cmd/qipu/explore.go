package main

import (
	"context"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/game"
	"qipu/pattern"
	"qipu/retrieve"
)

// exploreOptions are the flags of the explore command.
type exploreOptions struct {
	listOptions
	anyTurn, swap, noMirror, unicode bool
}

func (a *app) exploreCommand() *cobra.Command {
	var o exploreOptions
	cmd := &cobra.Command{
		Use:   "explore [POSITION]",
		Short: "Tell what was played in a position, and how it went",
		Long: `Explore the openings of the library: what was played in a position, how often,
how the games went, and how many games reach each next position by whatever
order of moves ("-" where that cannot be told: behind a pass, for instance).

POSITION is a position text or a list of moves from the start, in any notation
of the game; without it the start is explored. Positions that are turned or
mirrored count as the same.

Rates count a draw as half a win; behind them stands the interval in which the
true rate lies with 95 % probability. Those of fewer than ten games are marked
with "~".`,
		Example: `  qipu explore --game othello f5
  qipu explore --game xiangqi "炮二平五 馬8進7" --sort date
  qipu explore --game go:9x9 F6 --json`,
		Args: argCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			order, err := o.check(a, cmd)
			if err != nil {
				return err
			}
			text := ""
			if len(args) == 1 {
				if text, err = a.text(args[0]); err != nil {
					return err
				}
			}
			return a.reading(cmd.Context(), func(l *qipu.Library) error { return a.explore(cmd.Context(), l, &o, order, text) })
		},
	}
	o.register(a, cmd)
	f := cmd.Flags()
	f.BoolVar(&o.anyTurn, "any-turn", false, "whichever side is to move")
	f.BoolVar(&o.swap, "swap", false, "the position with the sides exchanged counts, too")
	f.BoolVar(&o.noMirror, "no-mirror", false, "only the position as it is, neither turned nor mirrored")
	f.BoolVar(&o.unicode, "unicode", false, "draw the board with stones, lines and Chinese characters")
	return cmd
}

func (a *app) explore(ctx context.Context, l *qipu.Library, o *exploreOptions, order retrieve.Order, text string) error {
	k, err := a.kind(ctx, l, o.game)
	if err != nil {
		return err
	}
	pos, moves, err := game.ParseLine(k.Rules, text)
	if err != nil {
		return err
	}
	in, err := within(ctx, l, nil, o.collection)
	if err != nil {
		return err
	}
	far := a.newSearching()
	answer, err := l.Explore(ctx, &retrieve.ExploreRequest{
		Kind: k, Position: pos, Within: in, Variations: o.variations, Mirror: !o.noMirror, Swap: o.swap, AnyTurn: o.anyTurn,
		Limit: o.rows(), Cursor: o.cursor, Order: order, Reverse: o.reverse, OnTick: far.tick,
	})
	far.close()
	if err != nil {
		return err
	}
	f := &frame{rules: k.Rules, position: pos, last: lastStep(moves), pattern: pattern.FromBoard(pos.(game.Planar).Planes())}
	f.pattern.Mirror, f.pattern.Swap = !o.noMirror, o.swap
	if !o.anyTurn {
		f.pattern.Turn = pattern.FirstToMove + pattern.Turn(pos.Turn())
	}
	f.locate()
	r := &reporter{app: a, frame: f, options: &o.listOptions, answer: answer, explorer: true, board: true, unicode: o.unicode}
	return r.report(ctx, l)
}
