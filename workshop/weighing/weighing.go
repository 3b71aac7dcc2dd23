// Package weighing finds what patterns with names are worth to an evaluation: it searches
// positions of games, and tells what the searches add to the plain evaluation by the
// patterns that stand there.
package weighing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/engine/patterned"
	"qipu/game"
	"qipu/record"
	"qipu/review"
)

type options struct {
	positions int
	nodes     int64
	ridge     float64
	seed      uint64
	best      bool
	out       string
}

// Command returns the command, with what judges positions of a game.
func Command(a *cli.App, judge func(game.Rules) engine.Evaluator) *cobra.Command {
	var o options
	var read cli.ReadFlags
	var spec string
	cmd := &cobra.Command{
		Use:   "weigh FILE...",
		Short: "Fit what patterns with names are worth, on values of searches",
		Long: `Take a position from each of many games, search it, and fit weights of the patterns that
stand there to what the search says beyond the plain evaluation: by least squares with a
ridge, on half of the games. What they explain of the other half is told. With --best the
engine that plays the game best searches, and its own evaluation is held against that.
--out writes the weights as the program carries them.`,
		Example: `  qipu workshop weigh games --positions 5 --nodes 100
  qipu workshop weigh games --positions 5 --nodes 100 --out weights.txt`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.positions < 1 || o.positions > 10_000_000:
				return cli.Usagef("--positions %d: want 1 to 10000000", o.positions)
			case o.nodes < 1 || o.nodes > 10_000_000:
				return cli.Usagef("--nodes %d: want 1 to 10000000", o.nodes)
			case o.ridge < 0 || math.IsNaN(o.ridge):
				return cli.Usagef("--ridge %g: want 0 or more", o.ridge)
			}
			r, err := a.Game(spec)
			if err != nil {
				return err
			}
			base, ok := judge(r).(patterned.Base)
			if !ok || len(patterned.Patterns(r)) == 0 {
				return fmt.Errorf("no patterns of %s can have weights", r.Info().Titles.En)
			}
			return run(cmd.Context(), a, &read, r, base, args, &o)
		},
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &spec, "xiangqi", "the game")
	read.Register(f)
	f.IntVar(&o.positions, "positions", 20_000, "how many positions are searched, each of another game as long as there are more")
	f.Int64Var(&o.nodes, "nodes", 2000, "positions that a search may enter")
	f.Float64Var(&o.ridge, "ridge", 30, "how strongly weights are held to nothing, in positions")
	f.Uint64Var(&o.seed, "seed", 1, "of what is done by chance")
	f.BoolVar(&o.best, "best", false, "by the engine that plays best, beside its own evaluation")
	f.StringVarP(&o.out, "out", "o", "", "file for the weights")
	return cmd
}

// sample is a position with what stands there and what a search says beyond the evaluation,
// in hundredths, as the first side sees it.
type sample struct {
	features []float64
	beyond   float64
	unseen   bool
}

// Positions in which a search finds more than so much are about tactics, which no pattern
// that stands there is to be praised for.
const mostBeyond = 250

// firstPly and lastPly are between which plies positions are taken.
const firstPly, lastPly = 12, 110

func run(ctx context.Context, a *cli.App, read *cli.ReadFlags, r game.Rules, base patterned.Base, args []string, o *options) error {
	var games []*engine.Task
	for _, path := range args {
		err := a.EachRecord(ctx, read, path, func(p *record.Played) error {
			if p.Rules == nil || p.Rules.Info().Name != r.Info().Name {
				return nil
			}
			if t, err := review.Task(p); err == nil && len(t.Moves) > firstPly+1 {
				games = append(games, t)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	if len(games) < 2 {
		return errors.New("there are too few games of more than some moves to learn from")
	}
	list, err := search(ctx, a, r, base, games, o)
	if err != nil {
		return err
	}
	patterns := patterned.Patterns(r)
	weights, seen := fit(list, len(patterns), o.ridge)
	before, after, n := explained(list, weights)
	var text strings.Builder
	t := &cli.Table{Columns: []string{"pattern", "weight", "positions"}}
	fmt.Fprintf(&text, "# What patterns are worth, in hundredths of a soldier: fitted on %d positions of games,\n# searched with %d positions each (ridge %g, seed %d).\n", len(list)-n, o.nodes, o.ridge, o.seed)
	for i, p := range patterns {
		w := int(math.Round(weights[i]))
		t.Add(nil, p.ID, fmt.Sprint(w), fmt.Sprint(seen[i]))
		if w != 0 {
			fmt.Fprintf(&text, "%s %d\n", p.ID, w)
		}
	}
	if o.out != "" {
		if err := a.Emit([]byte(text.String()), o.out); err != nil {
			return err
		}
	}
	if !a.JSON {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	return a.Say(cli.Figures{{Name: "type", Value: "weights"}, {Name: "positions", Value: len(list)}, {Name: "unseen", Value: n}, {Name: "before", Value: before}, {Name: "after", Value: after}},
		"%d positions, %d of them unseen: what a search says beyond the evaluation is %.2f there (root mean square), and %.2f beyond evaluation and patterns: %.1f %% of its square is explained",
		len(list), n, before, after, 100*(1-after*after/(before*before)))
}

// search searches positions of games.
func search(ctx context.Context, a *cli.App, r game.Rules, base patterned.Base, games []*engine.Task, o *options) (list []sample, err error) {
	e, err := a.Engine(r, engine.Options{General: !o.best})
	if err != nil {
		return nil, err
	}
	defer e.Close()
	var looks interface {
		Evaluate(game.Position) engine.Value
	} = base
	if o.best {
		var ok bool
		if looks, ok = e.(interface {
			Evaluate(game.Position) engine.Value
		}); !ok {
			return nil, fmt.Errorf("the engine of %s does not tell what it thinks of a position as it stands: leave --best out", r.Info().Titles.En)
		}
	}
	eval, err := patterned.Unweighed(base, r)
	if err != nil {
		return nil, err
	}
	bar := a.NewProgress("positions", o.positions)
	defer bar.Close()
	rng := rand.New(rand.NewPCG(o.seed, 0))
	order := rng.Perm(len(games))
	for i := range o.positions {
		g := games[order[i%len(games)]]
		task := *g
		task.Moves = g.Moves[:firstPly+rng.IntN(min(len(g.Moves), lastPly)-firstPly)]
		p, err := task.Position()
		if err != nil || p.Outcome().Over() {
			continue
		}
		report, err := e.Think(ctx, &task, engine.Limits{Nodes: o.nodes}, nil)
		switch {
		case ctx.Err() != nil:
			return nil, cli.ErrInterrupted
		case err != nil:
			return nil, err
		}
		beyond := float64(report.Lines[0].Value - looks.Evaluate(p))
		bar.Step(1)
		if math.Abs(beyond) > mostBeyond {
			continue
		}
		if p.Turn() != game.First {
			beyond = -beyond
		}
		list = append(list, sample{eval.Features(p), beyond, order[i%len(games)]%2 == 1})
	}
	return list, nil
}

// fit solves for the weights by the normal equations, and counts where patterns stand.
func fit(list []sample, n int, ridge float64) (weights []float64, seen []int) {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n+1)
		m[i][i] = ridge
	}
	seen = make([]int, n)
	for _, s := range list {
		for i, x := range s.features {
			if x == 0 || s.unseen {
				continue
			}
			seen[i]++
			for j, y := range s.features {
				m[i][j] += x * y
			}
			m[i][n] += x * s.beyond
		}
	}
	weights = make([]float64, n)
	for i := range n { // elimination; the ridge keeps it away from nothing
		for j := i + 1; j < n && m[i][i] != 0; j++ {
			if q := m[j][i] / m[i][i]; q != 0 {
				for k := i; k <= n; k++ {
					m[j][k] -= q * m[i][k]
				}
			}
		}
	}
	for i := n - 1; i >= 0; i-- {
		sum := m[i][n]
		for j := i + 1; j < n; j++ {
			sum -= m[i][j] * weights[j]
		}
		if m[i][i] != 0 {
			weights[i] = sum / m[i][i]
		}
	}
	return weights, seen
}

// explained returns the root mean square of what is to be explained in unseen games, and of
// what is left of it.
func explained(list []sample, weights []float64) (before, after float64, n int) {
	for _, s := range list {
		if !s.unseen {
			continue
		}
		n++
		left := s.beyond
		for i, x := range s.features {
			left -= x * weights[i]
		}
		before += s.beyond * s.beyond
		after += left * left
	}
	if n > 0 {
		before, after = math.Sqrt(before/float64(n)), math.Sqrt(after/float64(n))
	}
	return before, after, n
}
