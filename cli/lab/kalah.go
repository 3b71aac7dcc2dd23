package lab

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/classic"
	"qipu/engine/simple"
	"qipu/view"
)

// sixBoards are the boards of the whole experiment.
var sixBoards = []string{"houses=6,seeds=1", "houses=6,seeds=2", "houses=6,seeds=3", "houses=6,seeds=4", "houses=6,seeds=5", "houses=6,seeds=6"}

func (l *lab) kalahCommand() *cobra.Command {
	var depths string
	var boards []string
	var six bool
	var openings int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "kalah",
		Short: "The experiment of Slagle and Dixon: orders of moves on Kalah",
		Long: `Search Kalah with plain minimax, alpha-beta in the order of the game, with fixed,
dynamic and staged ordering, and print the leaves and the depth ratio: the logarithm of
minimax's leaves by that of the method's. Two is the limit. "judged" are positions judged
for the order alone. Of staged ordering the leaves of the last stage are told, and below
them those of all stages.

With --openings it is done on so many positions by chance, and the means are printed,
with the interval that holds the mean of all such positions in nineteen of twenty cases:
of the ratio, and of how much it is above that of fixed ordering on the same position.`,
		Example: `  qipu lab kalah --depth 4
  qipu lab kalah --depth 4-5 --boards houses=6,seeds=3 --openings 5 --json
  qipu lab kalah --depth 3 --six --openings 4`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, to, err := depthsOf(depths)
			if err != nil {
				return err
			}
			if openings < 0 || openings > 10_000 {
				return cli.Usagef("--openings %d: want 0 to 10000", openings)
			}
			if six {
				boards = sixBoards
			}
			t := &cli.Table{Columns: []string{"board", "depth", "method", "leaves", "judged", "ratio", "above fixed"}}
			for _, board := range boards {
				r, err := l.games.Find("kalah:" + board)
				if err != nil {
					return cli.Usagef("%v", err)
				}
				for depth := from; depth <= to; depth++ {
					list, err := classic.Orders(cmd.Context(), r, simple.Stores{}, depth, openings, seed)
					if cmd.Context().Err() != nil {
						return cli.ErrInterrupted
					}
					if err != nil {
						return err
					}
					for _, c := range list {
						row := view.LabKalah{
							Game: "kalah:" + board, Depth: depth, Method: c.Method, Positions: c.Positions, Leaves: c.Leaves.Mean, Judged: c.Judged.Mean,
							Ratio: c.Ratio.Mean, RatioError: c.Ratio.Error, Above: c.Above.Mean, AboveError: c.Above.Error,
						}
						t.Add(cli.Typed("kalah", row), board, strconv.Itoa(depth), c.Method, fmt.Sprintf("%.0f", row.Leaves), fmt.Sprintf("%.0f", row.Judged), within("%.3f", c.Ratio, openings), within("%+.3f", c.Above, openings))
					}
				}
			}
			return l.Print(t)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&depths, "depth", "d", "6", "plies, as in 6 or 4-8")
	f.StringArrayVar(&boards, "boards", []string{"houses=6,seeds=4"}, "a board as a variant; may be given several times")
	f.BoolVar(&six, "six", false, "six houses with one to six seeds")
	f.IntVar(&openings, "openings", 0, "positions by chance; 0 for the start alone")
	f.Uint64Var(&seed, "seed", 1, "of the positions")
	return cmd
}

// within writes a mean with its interval of nineteen in twenty, where there are several
// positions.
func within(format string, m classic.Mean, positions int) string {
	text := fmt.Sprintf(format, m.Mean)
	if positions > 1 {
		text += fmt.Sprintf(" +- %.3f", 1.96*m.Error)
	}
	return text
}

// depthsOf reads a depth, or the first and the last of some.
func depthsOf(text string) (from, to int, err error) {
	first, last, both := strings.Cut(text, "-")
	from, err = strconv.Atoi(first)
	to = from
	if both && err == nil {
		to, err = strconv.Atoi(last)
	}
	if err != nil || from < 1 || to > 12 || to < from {
		return 0, 0, cli.Usagef("--depth %s: want 1 to 12 plies, as in 6 or 4-8", text)
	}
	return from, to, nil
}
