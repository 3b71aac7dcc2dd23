package proving

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/record"
	"qipu/review"
)

// Command returns the command that measures B* and band width, with what judges
// positions of a game.
func Command(a *cli.App, judge func(game.Rules) engine.Evaluator) *cobra.Command {
	var o Options
	var read cli.ReadFlags
	var spec string
	var gap, band float64
	cmd := &cobra.Command{
		Use:   "proving FILE...",
		Short: "Measure B* and band width on tactical positions of games",
		Long: `Cut positions from games in which one move is better than all others by --gap, as a
search to --depth finds it, and measure on them how often B* proves a move best within
--nodes positions, whether it is that move, and what alpha-beta to the same depth costs;
and whether the error of band width stays within its band. The same seed cuts the same
positions. One position is a line of JSON with --json; the sums come last.`,
		Example: `  qipu workshop proving games/othello.wtb --game othello --positions 2 --depth 2 --gap 1 --nodes 500
  qipu workshop proving games/othello.wtb --game othello --positions 1 --depth 2 --gap 1 --nodes 500 --json`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.Positions < 1 || o.Positions > 1_000_000:
				return cli.Usagef("--positions %d: want 1 to 1000000", o.Positions)
			case o.Depth < 1 || o.Depth > 12:
				return cli.Usagef("--depth %d: want 1 to 12 plies", o.Depth)
			case o.Nodes < 1 || o.Nodes > 1_000_000:
				return cli.Usagef("--nodes %d: want 1 to 1000000 positions", o.Nodes)
			case gap <= 0 || gap > 1000 || band <= 0 || band > 1000:
				return cli.Usagef("want --gap and --band above 0, at most 1000")
			}
			o.Gap, o.Band = engine.Value(gap*float64(engine.Unit)), engine.Value(band*float64(engine.Unit))
			return run(cmd.Context(), a, &read, spec, judge, args, o)
		},
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &spec, "xiangqi", "the game")
	read.Register(f)
	f.IntVar(&o.Positions, "positions", 500, "how many positions are cut")
	f.IntVarP(&o.Depth, "depth", "d", 4, "plies that the search reads which finds them")
	f.Float64Var(&gap, "gap", 2, "by how much the best move must be better, in units of the game")
	f.Int64Var(&o.Nodes, "nodes", 100_000, "positions that B* may enter")
	f.Float64Var(&band, "band", 0.5, "the error that band width may make, in units of the game")
	f.Uint64Var(&o.Seed, "seed", 1, "what chance begins with")
	return cmd
}

// row is a position as --json prints it.
type row struct {
	Position  string  `json:"position"`
	Best      string  `json:"best"`
	Mate      bool    `json:"mate"`
	Proved    bool    `json:"proved"`
	Agrees    bool    `json:"agrees"`
	Nodes     int64   `json:"nodes"`
	AlphaBeta int64   `json:"alphabeta"`
	Banded    int64   `json:"bandwidth"`
	Error     float64 `json:"error"`
	Within    bool    `json:"within"`
}

// sums are those of all positions.
type sums struct {
	Positions int   `json:"positions"`
	Tried     int   `json:"tried"`
	Proved    int   `json:"proved"`
	Agree     int   `json:"agree"` // of the proved
	Within    int   `json:"within"`
	Median    int64 `json:"median"`    // nodes of B* where it proved
	AlphaBeta int64 `json:"alphabeta"` // median of nodes
	Banded    int64 `json:"bandwidth"` // median of nodes
}

func run(ctx context.Context, a *cli.App, read *cli.ReadFlags, spec string, judge func(game.Rules) engine.Evaluator, args []string, o Options) error {
	r, err := a.Game(spec)
	if err != nil {
		return err
	}
	eval := judge(r)
	if eval == nil {
		return fmt.Errorf("nothing judges positions of %s", r.Info().Titles.En)
	}
	var games []*engine.Task
	for _, path := range args {
		err := a.EachRecord(ctx, read, path, func(p *record.Played) error {
			if p.Rules == nil || p.Rules.Info().Name != r.Info().Name {
				return nil
			}
			if t, err := review.Task(p); err == nil {
				games = append(games, t)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	e, err := a.Engine(r, engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	bar := a.NewProgress("positions", 2*o.Positions)
	defer bar.Close()
	list, tried, err := Cut(ctx, e, games, o, func() { bar.Step(1) })
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no position was found: lower --gap, or give more games")
	}
	s := sums{Positions: len(list), Tried: tried}
	var proved, alphabeta, banded []int64
	for _, t := range list {
		x, err := Prove(ctx, eval, t, o)
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		bar.Step(1)
		if x.Proved {
			s.Proved++
			proved = append(proved, x.Nodes)
			if x.Agrees {
				s.Agree++
			}
		}
		if x.Within {
			s.Within++
		}
		alphabeta, banded = append(alphabeta, x.AlphaBeta), append(banded, x.Banded)
		if a.JSON {
			p, err := t.Task.Position()
			if err != nil {
				return err
			}
			j := row{
				game.FormatPosition(r, p), game.FormatMove(r, p, t.Best, game.AnyNotation), t.Mate, x.Proved, x.Agrees,
				x.Nodes, x.AlphaBeta, x.Banded, x.Error.Units(), x.Within,
			}
			if err := a.PrintJSON(cli.Typed("position", j)); err != nil {
				return err
			}
		}
	}
	bar.Close()
	s.Median, s.AlphaBeta, s.Banded = median(proved), median(alphabeta), median(banded)
	if a.JSON {
		return a.PrintJSON(cli.Typed("total", s))
	}
	t := &cli.Table{Columns: []string{"what", "figure"}}
	n := strconv.Itoa
	for _, line := range [][2]string{
		{"positions, of those looked at", n(s.Positions) + " of " + n(s.Tried)},
		{fmt.Sprintf("B* proved a move best within %d positions", o.Nodes), fmt.Sprintf("%d (%.1f %%)", s.Proved, 100*float64(s.Proved)/float64(s.Positions))},
		{"of them the move of the search", n(s.Agree)},
		{"median of positions where it proved", strconv.FormatInt(s.Median, 10)},
		{fmt.Sprintf("median of alpha-beta to depth %d", o.Depth), strconv.FormatInt(s.AlphaBeta, 10)},
		{"median of band width", strconv.FormatInt(s.Banded, 10)},
		{"error within the band", n(s.Within) + " of " + n(s.Positions)},
	} {
		t.Add(nil, line[0], line[1])
	}
	return a.Print(t)
}

func median(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}
