package sight

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/sight"
	"qipu/game/weiqi/judge"
	"qipu/record"
	"qipu/workshop/counted"
	"qipu/workshop/learn"
)

// endJSON is a row, as --json prints it.
type endJSON struct {
	Type   string `json:"type"` // "ends"
	Method string `json:"method"`
	counted.Scores
}

// endsCommand differs from bench life in its games: it takes those that the net was
// not trained on.
func endsCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var all, asIs bool
	var most int
	var methods []string
	cmd := &cobra.Command{
		Use:   "ends PATH...",
		Short: "Print how often the last board of a game is counted as it was recorded",
		Long: `Print how often methods that judge life and death count the last board of a game as
its result says. Only games that training keeps out are counted (one of twenty), or
with --all all of them. The method sight tells what it expects of a board whose borders
are open, by playing it on, or with --as-is its count.`,
		Example: `  qipu workshop sight ends games --all
  qipu workshop sight ends games --all --methods sight --most 200 --json`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 0 {
				return cli.Usagef("--most %d: want a number of games, 0 for all", most)
			}
			from, err := a.Options(&read)
			if err != nil {
				return err
			}
			list, err := counted.Judges(methods...)
			if err != nil {
				return err
			}
			var boards []*counted.Board
			from.Sink = cli.SinkFunc(func(p *record.Played) error {
				if most > 0 && len(boards) >= most {
					return nil
				}
				g, ok := learn.GoGame(p)
				if !ok || !sight.Sees(g.Size()) || !all && !learn.GoHeld(g) {
					return nil
				}
				if c, err := counted.FromRecord(p); err == nil && c.Counted {
					c.Set = "" // all of them are one
					boards = append(boards, c)
				}
				return nil
			})
			if _, err := a.Ingest(cmd.Context(), from, args); err != nil {
				return err
			}
			if len(boards) == 0 {
				fmt.Fprintln(a.Err, "there is no game of Go with a score in it that training kept out: --all takes the others, too")
				return nil
			}
			report, err := counted.Bench(cmd.Context(), boards, counted.Options{Methods: list, Expected: !asIs})
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"method", "games", "exact", "within 1", "within 2", "more than 10 off", "winner"}}
			for _, r := range report.Sets {
				s := r.Scores
				t.Add(endJSON{"ends", r.Method, s}, r.Method, strconv.Itoa(s.Games), strconv.Itoa(s.Exact), strconv.Itoa(s.Within1), strconv.Itoa(s.Within2),
					strconv.Itoa(s.Over10), strconv.Itoa(s.Winner))
			}
			return a.Print(t)
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "count all games, not only those that training keeps out")
	cmd.Flags().BoolVar(&asIs, "as-is", false, "count the board as it is, and play nothing on")
	cmd.Flags().IntVar(&most, "most", 0, "count so many games, the first ones (0: all)")
	cmd.Flags().StringSliceVar(&methods, "methods", []string{judge.Default, judge.Sight}, "methods of qipu judge")
	return cmd
}
