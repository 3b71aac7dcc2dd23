package lab

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/classic"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/view"
	"qipu/view/labview"
)

func (l *lab) treeCommand() *cobra.Command {
	var o flags
	var method string
	cmd := &cobra.Command{
		Use:   "tree [POSITION]",
		Short: "The tree of a search, as a picture, as lines or as JSON",
		Long: `Print the tree that a method has searched: every position with the move that led
there, its window, its value, and why it was left. The first --most positions are kept,
and how many were left out is said.`,
		Example: `  qipu lab tree --game kalah --method alphabeta --depth 2
  qipu lab tree --game nim:heaps=1-2 --method minimax --depth 3 --json
  qipu lab tree --game hex:3x3 --method shallow --depth 2 --svg`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, p, err := l.problem(&o, args)
			if err != nil {
				return err
			}
			m, err := classic.Find(method)
			if err != nil {
				return cli.Usagef("%v", err)
			}
			if o.most < 1 || o.most > 1_000_000 {
				return cli.Usagef("--most %d: want 1 to 1000000 positions", o.most)
			}
			rec := trace.New(trace.Options{Nodes: o.most})
			p.Record = rec
			x, err := classic.Run(cmd.Context(), method, p)
			if err != nil {
				if cmd.Context().Err() != nil {
					return cli.ErrInterrupted
				}
				return err
			}
			tree := labview.TreeOf(r, p.Position, method, rec, game.AnyNotation, true)
			tree.Run = labview.RunOf(r, p.Position, m, x, rec.Counters(), game.AnyNotation)
			switch {
			case l.JSON:
				return l.PrintJSON(cli.Typed("tree", tree))
			case o.svg:
				_, err := fmt.Fprintln(l.Out, picture(&tree))
				return err
			}
			for _, n := range tree.Nodes {
				fmt.Fprintf(l.Out, "%s%s  %s\n", strings.Repeat("  ", n.Ply), n.Move, n.Says)
			}
			if tree.Left > 0 {
				fmt.Fprintf(l.Out, "%d positions more are left out: --most shows more of them\n", tree.Left)
			}
			return nil
		},
	}
	o.register(cmd)
	cmd.Flags().StringVarP(&method, "method", "m", "alphabeta", "the method")
	cmd.Flags().IntVar(&o.most, "most", 500, "positions that are kept")
	cmd.Flags().BoolVar(&o.svg, "svg", false, "a picture")
	return cmd
}

// colours of positions by why they were left.
var colours = map[string]string{
	"read": "#3b74c4", "horizon": "#9aa0a6", "over": "#202124", "quiet": "#b0b7bd", "table": "#7b52ab", "forward": "#d9822b",
	"proved": "#2c7a4b", "shallow": "#c9372c", "deep": "#8e1b6b", "window": "#b58900", "stopped": "#666666",
}

// picture draws a tree: leaves from left to right, plies from top to bottom.
func picture(t *view.LabTree) string {
	const stepX, stepY, radius = 9.0, 46.0, 3.2
	kids := make([]int, len(t.Nodes))
	at := make([]float64, len(t.Nodes))
	deep := 0
	for i := range t.Nodes {
		if p := t.Nodes[i].Parent; p >= 0 {
			kids[p]++
		}
		deep = max(deep, t.Nodes[i].Ply)
	}
	next := 0.0
	first := make([]float64, len(t.Nodes))
	for i := range t.Nodes {
		if kids[i] == 0 {
			at[i] = next
			next++
		}
		first[i] = -1
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- { // children stand behind their parent
		p := t.Nodes[i].Parent
		if kids[i] > 0 {
			at[i] /= float64(kids[i])
		}
		if p >= 0 {
			at[p] += at[i]
		}
	}
	width, height := stepX*(next+1), stepY*float64(deep)+40
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="sans-serif" font-size="8">`, width, height, width, height)
	place := func(i int) (x, y float64) { return stepX * (at[i] + 1), stepY*float64(t.Nodes[i].Ply) + 16 }
	for i := range t.Nodes {
		if p := t.Nodes[i].Parent; p >= 0 {
			x1, y1 := place(p)
			x2, y2 := place(i)
			fmt.Fprintf(&b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="#bbb" stroke-width=".6"/>`, x1, y1, x2, y2)
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		x, y := place(i)
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s"><title>%s: %s</title></circle>`, x, y, radius, colours[n.Why], escape(n.Move), escape(n.Says))
	}
	if t.Left > 0 {
		fmt.Fprintf(&b, `<text x="4" y="%.0f" fill="#888">%d more left out</text>`, height-6, t.Left)
	}
	b.WriteString("</svg>")
	return b.String()
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escaper.Replace(s) }
