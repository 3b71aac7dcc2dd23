package lab

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/classic"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/view"
	"qipu/view/labview"
)

func (l *lab) runCommand() *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use:   "run [POSITION]",
		Short: "Run methods on a position, and compare",
		Long: `Run methods on a position of any game and print what each found and what it cost.
POSITION is a position text or moves from the start; without it the start is meant.

Leaves are positions judged or counted at the horizon; what is judged for the order of
moves or for bounds stands beside them. Methods marked "=" have the value of minimax.`,
		Example: `  qipu lab run --game kalah --depth 6
  qipu lab run "c f" --game kalah --methods minimax,alphabeta,fixed --depth 5
  qipu lab run --game hex:3x3 --methods proof,alphabeta --depth 3 --json
  qipu lab run --game connect4 --depth 4 --order worst --methods alphabeta,staged`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, p, err := l.problem(&o, args)
			if err != nil {
				return err
			}
			if len(o.methods) == 0 {
				for _, m := range classic.Methods() {
					o.methods = append(o.methods, m.Name)
				}
			}
			t := &cli.Table{Columns: []string{"method", "value", "move", "nodes", "leaves", "judged", "kept", "cuts", "end"}}
			for _, name := range o.methods {
				m, err := classic.Find(name)
				if err != nil {
					return cli.Usagef("%v", err)
				}
				rec := trace.New(trace.Options{})
				p.Record = rec
				x, err := classic.Run(cmd.Context(), name, p)
				if cmd.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				if err != nil {
					t.Add(nil, name, "", "", "", "", "", "", "", err.Error())
					continue
				}
				v := labview.RunOf(r, p.Position, m, x, rec.Counters(), game.AnyNotation)
				mark, end := " ", "whole"
				if m.Exact {
					mark = "="
				}
				switch {
				case x.Proved:
					end = "proved"
				case !x.Whole:
					end = "limit of positions"
				case x.Low != x.High:
					end = fmt.Sprintf("%s to %s", amount(v.Low), amount(v.High))
				}
				n := func(i int64) string { return strconv.FormatInt(i, 10) }
				t.Add(cli.Typed("run", v), name, mark+amount(v.Value), v.Move, n(v.Nodes), n(v.Leaves), n(v.Judged), n(v.Kept), n(rec.Counters().Cuts()), end)
			}
			if l.JSON { // what failed is told apart
				for i := range t.Objects {
					if t.Objects[i] == nil {
						t.Objects[i] = cli.Typed("failed", view.LabFailed{Method: t.Rows[i][0], Why: t.Rows[i][8]})
					}
				}
			}
			return l.Print(t)
		},
	}
	o.register(cmd)
	cmd.Flags().StringSliceVarP(&o.methods, "methods", "m", nil, "methods by name, with commas (default: all)")
	return cmd
}
