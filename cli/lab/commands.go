// Package lab has the commands of the laboratory: methods of search side by side.
package lab

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/engine/classic"
	"qipu/game"
	"qipu/view/labview"
)

// Judge returns what judges positions of a game; nil where nothing does.
type Judge func(game.Rules) engine.Evaluator

// Commands returns the commands of the laboratory, for games and what judges them.
func Commands(a *cli.App, games game.Catalog, judge Judge) []*cobra.Command {
	l := &lab{a, games, judge}
	cmd := &cobra.Command{
		Use:   "lab",
		Short: "Methods of search side by side, on any position",
		Long: `Compare the classic methods of search on a position of any game: the same value
out of half a million leaves or of two thousand. The games of the laboratory (kalah,
tictactoe, connect4, hex, nim, switching) are there beside the others.`,
		Example: `  qipu lab run --game kalah --depth 6
  qipu lab tree --game kalah --method alphabeta --depth 2`,
	}
	cmd.AddCommand(l.runCommand(), l.treeCommand(), l.theoryCommand(), l.kalahCommand(), l.horizonCommand())
	return []*cobra.Command{cmd}
}

type lab struct {
	*cli.App
	games game.Catalog
	judge Judge
}

// flags say which problem is meant.
type flags struct {
	game, order string
	depth       int
	nodes       int64
	seed        uint64
	band        float64
	printed     bool
	methods     []string
	most        int
	svg         bool
}

func (o *flags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.game, "game", "g", "kalah", "the game, such as kalah, hex:4x4 or xiangqi")
	f.IntVarP(&o.depth, "depth", "d", 4, fmt.Sprintf("plies, 1 to %d", classic.MaxDepth))
	f.Int64Var(&o.nodes, "nodes", 2_000_000, "positions that a method may enter")
	f.StringVar(&o.order, "order", "", "order of moves where a method has none of its own: static, worst or random (default: that of the game)")
	f.Uint64Var(&o.seed, "seed", 1, "of the order by chance")
	f.Float64Var(&o.band, "band", 0.5, "bandwidth: the error that is allowed, in units of the game")
	f.BoolVar(&o.printed, "printed", false, "bstar: update bounds as the survey prints it, which never ends")
}

// problem reads the position and checks the flags.
func (l *lab) problem(o *flags, args []string) (game.Rules, classic.Problem, error) {
	var p classic.Problem
	r, err := l.games.Find(o.game)
	if err != nil {
		return nil, p, cli.Usagef("%v", err)
	}
	if o.depth < 1 || o.depth > classic.MaxDepth {
		return nil, p, cli.Usagef("--depth %d: want 1 to %d plies", o.depth, classic.MaxDepth)
	}
	if o.nodes < 1 || o.nodes > 1<<32 {
		return nil, p, cli.Usagef("--nodes %d: want a number of positions", o.nodes)
	}
	if o.band < 0 || o.band > 1000 {
		return nil, p, cli.Usagef("--band %g: want 0 to 1000", o.band)
	}
	if o.order != "" {
		if err := cli.OneOf("order", o.order, "static", "worst", "random"); err != nil {
			return nil, p, err
		}
	}
	text := ""
	if len(args) > 0 {
		if text, err = l.Text(args[0]); err != nil {
			return nil, p, err
		}
	}
	if p.Position, _, err = game.ParseLine(r, text); err != nil {
		return nil, p, err
	}
	if p.Position.Outcome().Final() {
		return nil, p, errors.New("the game is over in this position: there is nothing to search")
	}
	if p.Eval = l.judge(r); p.Eval == nil {
		return nil, p, fmt.Errorf("nothing judges positions of %s: methods of search need that", r.Info().Titles.En)
	}
	p.Depth, p.Nodes, p.Order, p.Seed = o.depth, o.nodes, classic.Order(o.order), o.seed
	p.Band, p.Printed = engine.Value(o.band*float64(engine.Unit)), o.printed
	return r, p, nil
}

// amount writes a value for people.
func amount(v float64) string { return labview.Amount(v) }
