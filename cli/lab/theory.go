package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine/classic"
	"qipu/view"
)

// theory is what the command is to count.
type theory struct {
	width, depth, trees int
	seed                uint64
	branchy             bool
	table, growth, svg  bool
}

func (l *lab) theoryCommand() *cobra.Command {
	var o theory
	cmd := &cobra.Command{
		Use:   "theory",
		Short: "How many leaves alpha-beta judges on uniform trees by chance",
		Long: `Search uniform trees whose leaves are worth what chance says, and print the mean
number of leaves with its standard error: of alpha-beta, of shallow cuts alone, and the
least there can be. Growth is the mean by that of a ply less; it is held against b/ln b
(Knuth and Moore) and x/(1-x) with x^b + x = 1 (Pearl), which it comes near to from
above as trees get deeper. With --branches a leaf is the sum of what the branches on its
way are worth, as Newborn has it.

--table prints the table of Fuller, Gaschnig and Gillogly: widths to --width, depths 2
to 4, leaves by chance and by branches, and for depth 2 the exact mean beside them.
--growth prints the growth for a ply, as the root of that for two, for widths to
--width; with --svg it draws it.

Deep cuts are sometimes called an effect of second order. On trees eight wide and six
deep they save 42 per cent of the leaves that shallow cuts leave.`,
		Example: `  qipu lab theory --width 2 --depth 8 --trees 50
  qipu lab theory --width 4 --depth 4 --trees 100 --branches --json
  qipu lab theory --table --width 4 --trees 20
  qipu lab theory --growth --width 4 --trees 10 --svg`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			whole := o.table || o.growth
			switch {
			case o.table && o.growth:
				return cli.Usagef("--table and --growth are two things: choose one")
			case o.svg && !o.growth:
				return cli.Usagef("--svg draws --growth")
			case whole && (cmd.Flags().Changed("depth") || o.branchy):
				return cli.Usagef("--table and --growth choose depths and leaves themselves")
			case o.width < 2 || o.width > 64:
				return cli.Usagef("--width %d: want 2 to 64 moves", o.width)
			case o.depth < 1 || o.depth > 12 || math.Pow(float64(o.width), float64(o.depth)) > 1e8:
				return cli.Usagef("--depth %d: want a tree of at most a hundred million leaves", o.depth)
			case o.trees < 2 || o.trees > 100_000:
				return cli.Usagef("--trees %d: want 2 to 100000", o.trees)
			}
			var err error
			switch {
			case o.table:
				err = l.theoryTable(cmd, &o)
			case o.growth:
				err = l.theoryGrowth(cmd, &o)
			default:
				err = l.theoryDepth(cmd, &o)
			}
			if cmd.Context().Err() != nil {
				return cli.ErrInterrupted
			}
			return err
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.width, "width", 8, "moves of every position; the most of them with --table and --growth")
	f.IntVarP(&o.depth, "depth", "d", 4, "plies")
	f.IntVar(&o.trees, "trees", 100, "how many trees")
	f.Uint64Var(&o.seed, "seed", 1, "of the trees")
	f.BoolVar(&o.branchy, "branches", false, "leaves are sums of what the branches are worth")
	f.BoolVar(&o.table, "table", false, "the table of Fuller, Gaschnig and Gillogly")
	f.BoolVar(&o.growth, "growth", false, "the growth for a ply, by width")
	f.BoolVar(&o.svg, "svg", false, "a picture of the growth")
	return cmd
}

// theoryDepth tells of one width and two depths.
func (l *lab) theoryDepth(cmd *cobra.Command, o *theory) error {
	t := &cli.Table{Columns: []string{"width", "depth", "method", "leaves", "least", "growth", "b/ln b", "x/(1-x)"}}
	knuth, pearl := classic.Growth(o.width)
	for _, method := range []string{"alphabeta", "shallow"} {
		last := 0.0
		for d := max(o.depth-1, 1); d <= o.depth; d++ {
			m, err := classic.Leaves(cmd.Context(), method, o.width, d, classic.Seeds(o.seed, o.trees), o.branchy)
			if err != nil {
				return err
			}
			row := view.LabMean{Width: o.width, Depth: d, Method: method, Trees: o.trees, Mean: m.Mean, Error: m.Error, Best: classic.BestLeaves(o.width, d), Knuth: knuth, Pearl: pearl, Branchy: o.branchy}
			growth := ""
			if last > 0 {
				row.Growth = m.Mean / last
				growth = fmt.Sprintf("%.2f", row.Growth)
			}
			last = m.Mean
			t.Add(cli.Typed("mean", row), strconv.Itoa(o.width), strconv.Itoa(d), method, m.String(), strconv.FormatInt(row.Best, 10), growth, fmt.Sprintf("%.2f", knuth), fmt.Sprintf("%.2f", pearl))
		}
	}
	return l.Print(t)
}

// widths are those up to a most that the tables have.
func widths(most int) (list []int) {
	for _, b := range []int{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64} {
		if b <= most {
			list = append(list, b)
		}
	}
	return list
}

// theoryTable is the table of Fuller, Gaschnig and Gillogly, with Newborn's leaves beside.
func (l *lab) theoryTable(cmd *cobra.Command, o *theory) error {
	t := &cli.Table{Columns: []string{"depth", "width", "all", "least", "by chance", "exact", "shallow", "by branches", "shallow"}}
	for d := 2; d <= 4; d++ {
		for _, b := range widths(o.width) {
			row := view.LabTable{Width: b, Depth: d, Trees: o.trees, All: math.Pow(float64(b), float64(d)), Best: classic.BestLeaves(b, d)}
			cells := []string{strconv.Itoa(d), strconv.Itoa(b), fmt.Sprintf("%.0f", row.All), strconv.FormatInt(row.Best, 10)}
			for _, branchy := range []bool{false, true} {
				for _, method := range []string{"alphabeta", "shallow"} {
					m, err := classic.Leaves(cmd.Context(), method, b, d, classic.Seeds(o.seed, o.trees), branchy)
					if err != nil {
						return err
					}
					row.Means = append(row.Means, view.LabMean{Width: b, Depth: d, Method: method, Trees: o.trees, Mean: m.Mean, Error: m.Error, Best: row.Best, Branchy: branchy})
					cells = append(cells, m.String())
					if method == "alphabeta" && !branchy {
						exact := ""
						if d == 2 {
							row.Expected = classic.ExpectedTwo(b)
							exact = fmt.Sprintf("%.1f", row.Expected)
						}
						cells = append(cells, exact)
					}
				}
			}
			t.Add(cli.Typed("table", row), cells...)
		}
	}
	return l.Print(t)
}

// theoryGrowth tells or draws the growth for a ply.
func (l *lab) theoryGrowth(cmd *cobra.Command, o *theory) error {
	const most = 2e6 // leaves of a tree, if all were judged
	t := &cli.Table{Columns: []string{"width", "depth", "alphabeta", "shallow", "b/ln b", "x/(1-x)", "root of b"}}
	var points []classic.GrowthPoint
	for _, b := range widths(o.width) {
		g, err := classic.GrowthAt(cmd.Context(), b, o.trees, most, o.seed)
		if err != nil {
			return err
		}
		points = append(points, g)
		row := view.LabGrowth{
			Width: b, Depth: g.Depth, Trees: o.trees, AlphaBeta: g.AlphaBeta.Mean, AlphaBetaError: g.AlphaBeta.Error,
			Shallow: g.Shallow.Mean, ShallowError: g.Shallow.Error, Knuth: g.Knuth, Pearl: g.Pearl, Least: math.Sqrt(float64(b)),
		}
		n := func(x float64) string { return fmt.Sprintf("%.2f", x) }
		t.Add(cli.Typed("growth", row), strconv.Itoa(b), strconv.Itoa(g.Depth), n(row.AlphaBeta)+" +- "+n(row.AlphaBetaError), n(row.Shallow)+" +- "+n(row.ShallowError), n(g.Knuth), n(g.Pearl), n(row.Least))
	}
	if o.svg && !l.JSON {
		_, err := fmt.Fprintln(l.Out, growthPicture(points))
		return err
	}
	return l.Print(t)
}

// growthPicture draws measured growth over width, and the curves that theory has.
func growthPicture(points []classic.GrowthPoint) string {
	const w, h, left, bottom, top, right = 640.0, 420.0, 46.0, 40.0, 16.0, 150.0
	most := points[len(points)-1].Width
	high := 1.0
	for _, g := range points {
		high = max(high, g.Shallow.Mean+2*g.Shallow.Error, g.Pearl, g.Knuth)
	}
	high = math.Ceil(high)
	x := func(b float64) float64 { return left + (w-left-right)*(b-2)/max(float64(most-2), 1) }
	y := func(v float64) float64 { return h - bottom - (h-bottom-top)*(v-1)/(high-1) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="sans-serif" font-size="12">`, w, h, w, h)
	fmt.Fprintf(&b, `<rect width="%.0f" height="%.0f" fill="#fff"/>`, w, h)
	for v := 1.0; v <= high; v++ {
		fmt.Fprintf(&b, `<path d="M%.1f %.1fH%.1f" stroke="#e4e4e4"/><text x="%.1f" y="%.1f" text-anchor="end" fill="#555">%.0f</text>`, left, y(v), w-right, left-6, y(v)+4, v)
	}
	for _, g := range points {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#555">%d</text>`, x(float64(g.Width)), h-bottom+18, g.Width)
	}
	fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="middle" fill="#555">moves of every position</text>`, (left+w-right)/2, h-6)
	curve := func(colour, name string, at int, f func(float64) float64) {
		var d []string
		for i := 0; i <= 200; i++ {
			v := 2 + float64(most-2)*float64(i)/200
			d = append(d, fmt.Sprintf("%.1f %.1f", x(v), y(f(v))))
		}
		fmt.Fprintf(&b, `<path d="M%s" fill="none" stroke="%s" stroke-width="1.5"/>`, strings.Join(d, "L"), colour)
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="%s">%s</text>`, w-right+8, top+float64(20*at), colour, name)
	}
	curve("#2c7a4b", "x/(1-x), x^b + x = 1", 1, func(v float64) float64 { _, p := classic.GrowthOf(v); return p })
	curve("#b58900", "b/ln b", 2, func(v float64) float64 { k, _ := classic.GrowthOf(v); return k })
	curve("#999", "root of b: the least", 3, math.Sqrt)
	for i, series := range []struct {
		colour, name string
		of           func(classic.GrowthPoint) classic.Mean
	}{
		{"#3b74c4", "alpha-beta, measured", func(g classic.GrowthPoint) classic.Mean { return g.AlphaBeta }},
		{"#c9372c", "shallow cuts alone", func(g classic.GrowthPoint) classic.Mean { return g.Shallow }},
	} {
		for _, g := range points {
			m, at := series.of(g), x(float64(g.Width))
			fmt.Fprintf(&b, `<path d="M%.1f %.1fV%.1f" stroke="%s"/>`, at, y(m.Mean-1.96*m.Error), y(m.Mean+1.96*m.Error), series.colour)
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"><title>%d moves, depth %d: %.2f</title></circle>`, at, y(m.Mean), series.colour, g.Width, g.Depth, m.Mean)
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" fill="%s">%s</text>`, w-right+8, top+float64(20*(i+4)), series.colour, series.name)
	}
	b.WriteString("</svg>")
	return b.String()
}
