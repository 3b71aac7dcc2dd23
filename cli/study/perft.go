package study

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"qipu/view"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/game"
)

func perftCommand(a *cli.App) *cobra.Command {
	var freePass, divide bool
	cmd := &cobra.Command{
		Use:   "perft GAME DEPTH [POSITION]",
		Short: "Count the lines of play of a depth (tests move generators)",
		Long: `Count the leaves of the tree of all lines of play, and how fast.

POSITION is a position text, a list of moves from the start, or "-" for standard
input; without it the count is from the start. Published counts differ in two
points: whether a pass is a ply (--free-pass: it is not), and whether a line that
ends early counts as a leaf (as is the custom of each game).`,
		Example: `  qipu perft othello 6
  qipu perft othello 3 f5d6 --divide
  qipu perft othello 5 "8/8/8/3OX3/3XO3/8/8/8 X" --json`,
		Args:              cli.ArgCount(2, 3),
		ValidArgsFunction: a.CompleteGames,
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.Game(args[0])
			if err != nil {
				return err
			}
			depth, err := strconv.Atoi(args[1])
			if err != nil || depth < 0 || depth > 1000 {
				return cli.Usagef("depth %q: want a number of plies, 0 to 1000", args[1])
			}
			position := ""
			if len(args) == 3 {
				if position, err = a.Text(args[2]); err != nil {
					return err
				}
			}
			p, err := game.ParsePosition(r, position)
			if err != nil {
				return err
			}
			o := r.Info().Perft
			o.FreePass = freePass
			result, took, err := perft(cmd.Context(), a, r, p, depth, o)
			if err != nil {
				return err
			}
			return printPerft(a, r, result, took, divide)
		},
	}
	cmd.Flags().BoolVar(&freePass, "free-pass", false, "a pass is no ply")
	cmd.Flags().BoolVar(&divide, "divide", false, "show the count below each move")
	return cmd
}

// perft counts, and fails when it is interrupted.
func perft(ctx context.Context, a *cli.App, r game.Rules, p game.Position, depth int, o game.PerftOptions) (result *view.Perft, took time.Duration, err error) {
	result = &view.Perft{Depth: depth, Moves: []view.PerftMove{}}
	total := len(p.AppendMoves(nil))
	if depth == 0 || total == 0 {
		result.Nodes = game.Perft(p, depth, o)
		return result, 0, nil
	}
	bar := a.NewProgress("moves", total)
	defer bar.Close()
	began := time.Now()
	for m, n := range game.Divide(ctx, p, depth, o) {
		result.Nodes += n
		result.Moves = append(result.Moves, view.PerftMove{Move: game.FormatMove(r, p, m, game.AnyNotation), Nodes: n})
		bar.Step(1)
	}
	if ctx.Err() != nil {
		return nil, 0, cli.ErrInterrupted
	}
	return result, time.Since(began), nil
}

func printPerft(a *cli.App, r game.Rules, result *view.Perft, took time.Duration, divide bool) error {
	if a.JSON {
		return a.PrintJSON(cli.Typed("perft", result))
	}
	if divide || a.CSV {
		t := &cli.Table{Columns: []string{"move", "leaves"}}
		for _, m := range result.Moves {
			t.Add(m, m.Move, strconv.FormatUint(m.Nodes, 10))
		}
		if err := a.Print(t); err != nil || a.CSV {
			return err
		}
	}
	_, err := fmt.Fprintf(a.Out, "%s to depth %d: %d leaves\n", r.Info().Name, result.Depth, result.Nodes)
	if a.ErrTerm && took > 10*time.Millisecond {
		// The speed is talk: what is printed on standard output is the same
		// every time.
		fmt.Fprintf(a.Err, "%.2f s, %.1f million leaves a second\n", took.Seconds(), float64(result.Nodes)/took.Seconds()/1e6)
	}
	return err
}
