package lab

import (
	"context"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/engine/classic"
	"qipu/game"
	"qipu/view"
)

func (l *lab) horizonCommand() *cobra.Command {
	var o flags
	var limit, extra int
	var least float64
	cmd := &cobra.Command{
		Use:   "horizon [POSITION]",
		Short: "Positions about which a depth is wrong: the horizon effect",
		Long: `Look for moves that a search of a depth believes in and a deeper one does not. POSITION
is looked at alone; without it positions of the game are made by chance until --limit of
them were found.

Berliner has two kinds. "loss": the move pushes a loss over the horizon, where it is not
seen; read deeper it is worth less. "gain": the move takes at once what seems to be had
only now; read deeper another is worth more.`,
		Example: `  qipu lab horizon --game kalah --depth 2 --limit 3
  qipu lab horizon --game kalah --depth 1 --limit 1 --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, p, err := l.problem(&o, args)
			if err != nil {
				return err
			}
			if limit < 1 || limit > 1000 || extra < 1 || extra > 8 {
				return cli.Usagef("want --limit of 1 to 1000 and --deeper of 1 to 8")
			}
			gap := engine.Value(least * float64(engine.Unit))
			t := &cli.Table{Columns: []string{"position", "depth", "move", "value", "deeper", "better", "kind"}}
			rng := rand.New(rand.NewPCG(o.seed, 11))
			for tried := 0; len(t.Rows) < limit && tried < 50*limit; tried++ {
				if len(args) == 0 {
					if p.Position = somewhere(r, rng); p.Position == nil {
						continue
					}
				}
				h, found, err := horizon(cmd.Context(), r, p, extra, gap)
				if cmd.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				if err != nil {
					return err
				}
				if found {
					t.Add(cli.Typed("horizon", h), h.Position, strconv.Itoa(h.Depth), h.Move, amount(h.Value), amount(h.Deeper), h.Better, h.Kind)
				}
				if len(args) > 0 {
					break
				}
			}
			return l.Print(t)
		},
	}
	o.register(cmd)
	cmd.Flags().IntVar(&limit, "limit", 5, "how many are looked for")
	cmd.Flags().IntVar(&extra, "deeper", 2, "plies that the second search reads deeper")
	cmd.Flags().Float64Var(&least, "least", 1, "by how much the values must differ, in units of the game")
	return cmd
}

// somewhere returns a position some moves from the start, or nil where the game was
// over by then.
func somewhere(r game.Rules, rng *rand.Rand) game.Position {
	p := r.Start()
	for range 2 + rng.IntN(12) {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 || p.Play(moves[rng.IntN(len(moves))]) != nil {
			return nil
		}
	}
	if p.Outcome().Over() {
		return nil
	}
	return p
}

// horizon reads a position twice, and tells what the shallow search is wrong about.
func horizon(ctx context.Context, r game.Rules, p classic.Problem, extra int, gap engine.Value) (h view.LabHorizon, found bool, err error) {
	first, err := classic.Run(ctx, "staged", p)
	if err != nil || !first.Whole {
		return h, false, err
	}
	deep := p
	deep.Depth = min(p.Depth+extra, classic.MaxDepth)
	second, err := classic.Run(ctx, "staged", deep)
	if err != nil || !second.Whole || second.Move == first.Move {
		return h, false, err
	}
	h = view.LabHorizon{
		Position: game.FormatPosition(r, p.Position), Depth: p.Depth, Move: game.FormatMove(r, p.Position, first.Move, game.AnyNotation),
		Value: first.Value.Units(), Better: game.FormatMove(r, p.Position, second.Move, game.AnyNotation),
	}
	// What the move of the first is worth to the second.
	side := p.Position.Turn()
	if err := p.Position.Play(first.Move); err != nil {
		return h, false, err
	}
	defer p.Position.Undo()
	v := engine.Value(0)
	if o := p.Position.Outcome(); o.Over() {
		return h, false, nil
	}
	deep.Position, deep.Depth = p.Position, max(deep.Depth-1, 1)
	behind, err := classic.Run(ctx, "staged", deep)
	if err != nil || !behind.Whole {
		return h, false, err
	}
	if v = behind.Value; p.Position.Turn() != side {
		v = -v
	}
	h.Deeper = v.Units()
	switch {
	case second.Value-v < gap:
		return h, false, nil // it was as good
	case first.Value-v >= gap:
		h.Kind = "loss"
	default:
		h.Kind = "gain"
	}
	return h, true, nil
}
