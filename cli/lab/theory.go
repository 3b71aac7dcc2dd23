package lab

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/classic"
	"qipu/engine/simple"
	"qipu/view"
)

func (l *lab) theoryCommand() *cobra.Command {
	var width, depth, trees int
	var seed uint64
	var branchy bool
	cmd := &cobra.Command{
		Use:   "theory",
		Short: "How many leaves alpha-beta judges on uniform trees by chance",
		Long: `Search uniform trees whose leaves are worth what chance says, and print the mean
number of leaves with its standard error: of alpha-beta, of shallow cuts alone, and the
least there can be. Growth is the mean by that of a ply less; it is held against b/ln b
(Knuth and Moore) and x/(1-x) with x^b + x = 1 (Pearl), which it comes near to from
above as trees get deeper. With --branches a leaf is the sum of what the branches on its
way are worth, as Newborn has it.

Deep cuts are sometimes called an effect of second order. On trees eight wide and six
deep they save about 43 per cent of the leaves that shallow cuts leave.`,
		Example: `  qipu lab theory --width 2 --depth 8 --trees 50
  qipu lab theory --width 4 --depth 4 --trees 100 --branches --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case width < 2 || width > 64:
				return cli.Usagef("--width %d: want 2 to 64 moves", width)
			case depth < 1 || depth > 12 || math.Pow(float64(width), float64(depth)) > 1e8:
				return cli.Usagef("--depth %d: want a tree of at most a hundred million leaves", depth)
			case trees < 2 || trees > 100_000:
				return cli.Usagef("--trees %d: want 2 to 100000", trees)
			}
			t := &cli.Table{Columns: []string{"width", "depth", "method", "leaves", "least", "growth", "b/ln b", "x/(1-x)"}}
			knuth, pearl := classic.Growth(width)
			for _, method := range []string{"alphabeta", "shallow"} {
				last := 0.0
				for d := max(depth-1, 1); d <= depth; d++ {
					m, err := means(cmd.Context(), method, width, d, classic.Seeds(seed, trees), branchy)
					if err != nil {
						return err
					}
					row := view.LabMean{Width: width, Depth: d, Method: method, Trees: trees, Mean: m.Mean, Error: m.Error, Best: classic.BestLeaves(width, d), Knuth: knuth, Pearl: pearl, Branchy: branchy}
					growth := ""
					if last > 0 {
						row.Growth = m.Mean / last
						growth = fmt.Sprintf("%.2f", row.Growth)
					}
					last = m.Mean
					t.Add(cli.Typed("mean", row), strconv.Itoa(width), strconv.Itoa(d), method, m.String(), strconv.FormatInt(row.Best, 10), growth, fmt.Sprintf("%.2f", knuth), fmt.Sprintf("%.2f", pearl))
				}
			}
			return l.Print(t)
		},
	}
	f := cmd.Flags()
	f.IntVar(&width, "width", 8, "moves of every position")
	f.IntVarP(&depth, "depth", "d", 4, "plies")
	f.IntVar(&trees, "trees", 100, "how many trees")
	f.Uint64Var(&seed, "seed", 1, "of the trees")
	f.BoolVar(&branchy, "branches", false, "leaves are sums of what the branches are worth")
	return cmd
}

// means returns how many leaves a method judges on trees.
func means(ctx context.Context, method string, width, depth int, seeds []uint64, branchy bool) (classic.Mean, error) {
	var list []float64
	for _, seed := range seeds {
		leaf := classic.ByChance(seed)
		if branchy {
			leaf = classic.ByBranch(seed)
		}
		tree := &classic.Tree{Width: width, Deep: depth, Leaf: leaf}
		x, err := classic.Run(ctx, method, classic.Problem{Position: tree, Eval: tree, Depth: depth, Nodes: 1 << 40})
		if ctx.Err() != nil {
			return classic.Mean{}, cli.ErrInterrupted
		}
		if err != nil {
			return classic.Mean{}, err
		}
		list = append(list, float64(x.Leaves))
	}
	return classic.MeanOf(list), nil
}

func (l *lab) kalahCommand() *cobra.Command {
	var depth int
	var boards []string
	cmd := &cobra.Command{
		Use:   "kalah",
		Short: "The experiment of Slagle and Dixon: orders of moves on Kalah",
		Long: `Search Kalah from its start with plain minimax, alpha-beta in the order of the game,
with fixed, dynamic and staged ordering, and print the leaves and the depth ratio: the
logarithm of minimax's leaves by that of the method's. Two is the limit.`,
		Example: `  qipu lab kalah --depth 4
  qipu lab kalah --depth 5 --boards houses=6,seeds=3 --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if depth < 1 || depth > 12 {
				return cli.Usagef("--depth %d: want 1 to 12 plies", depth)
			}
			t := &cli.Table{Columns: []string{"board", "depth", "method", "leaves", "judged", "ratio"}}
			for _, board := range boards {
				r, err := l.games.Find("kalah:" + board)
				if err != nil {
					return cli.Usagef("%v", err)
				}
				all := 0.0
				for _, method := range []string{"minimax", "alphabeta", "fixed", "dynamic", "staged"} {
					x, err := classic.Run(cmd.Context(), method, classic.Problem{Position: r.Start(), Eval: simple.Stores{}, Depth: depth, Nodes: 1 << 40})
					if cmd.Context().Err() != nil {
						return cli.ErrInterrupted
					}
					if err != nil {
						return err
					}
					if all == 0 {
						all = math.Log(float64(x.Leaves))
					}
					row := view.LabKalah{Game: "kalah:" + board, Depth: depth, Method: method, Leaves: x.Leaves, Judged: x.Judged}
					if n := len(x.Stages); n > 0 {
						row.Leaves = x.Stages[n-1].Leaves // of the last stage; all of them are told in JSON of lab run
					}
					row.Ratio = all / math.Log(math.Max(float64(row.Leaves), 2))
					t.Add(cli.Typed("kalah", row), board, strconv.Itoa(depth), method, strconv.FormatInt(row.Leaves, 10), strconv.FormatInt(row.Judged, 10), fmt.Sprintf("%.2f", row.Ratio))
				}
			}
			return l.Print(t)
		},
	}
	cmd.Flags().IntVarP(&depth, "depth", "d", 6, "plies")
	cmd.Flags().StringArrayVar(&boards, "boards", []string{"houses=6,seeds=4"}, "a board as a variant; may be given several times")
	return cmd
}
