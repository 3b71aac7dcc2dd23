package study

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/exact"
	"qipu/game"
	"qipu/view"
)

// solveBoard reads a small board to the end of all games.
func solveBoard(cmd *cobra.Command, a *cli.App, r game.Rules, args []string, o *solveOptions) error {
	for _, name := range []string{"all", "best", "wld", "threads", "time", "target", "zone", "first", "cut", "number", "encoding", "max-errors", "workers"} {
		if cmd.Flags().Changed(name) {
			return cli.Usagef("--%s has no meaning with --all-board", name)
		}
	}
	l := exact.Limits{Memory: int64(o.hash) << 20}
	if cmd.Flags().Changed("nodes") {
		if o.goes.Nodes < 1 {
			return cli.Usagef("--nodes=%d: want how many positions may be looked at", o.goes.Nodes)
		}
		l.Nodes = int64(o.goes.Nodes)
	}
	text := ""
	if len(args) > 0 {
		var err error
		if text, err = a.Text(args[0]); err != nil {
			return err
		}
	}
	p, err := game.ParsePosition(r, text)
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(l.Memory + 150<<20)
	x, err := exact.Solve(cmd.Context(), r, p, l)
	switch {
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return fmt.Errorf("%s: %w", o.game, err)
	}
	v := view.WholeBoard{
		Game: o.game, Position: game.FormatPosition(r, p), Rules: x.Rules, Value: x.Value,
		Move: game.FormatMove(r, p, x.Move, game.AnyNotation), Nodes: x.Nodes, Known: x.Hits, Kept: x.Kept,
	}
	n := func(i int64) string { return strconv.FormatInt(i, 10) }
	t := &cli.Table{Columns: []string{"game", "value", "move", "nodes", "known", "kept", "rules"}}
	t.Add(cli.Typed("board", v), v.Game, fmt.Sprintf("%+d", v.Value), v.Move, n(v.Nodes), n(v.Known), n(v.Kept), v.Rules)
	return a.Print(t)
}
