// Package mine has the commands of mining: what the games of a library tell about winning.
package mine

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/mine/dataset"
	"qipu/mine/gather"
	"qipu/mine/report"
	"qipu/mine/rules"
	"qipu/view/mineview"
)

// Commands returns the commands of mining, with further ones below it.
func Commands(a *cli.App, more ...*cobra.Command) []*cobra.Command {
	cmd := &cobra.Command{
		Use:   "mine",
		Short: "What the games tell: tables, rules, a report in sentences",
		Long: `Mine the games that a query finds: which patterns go with winning, with each other,
and after each other. Every game is looked at at one moment (--at), and nothing that
happens behind it counts: what a lost game looks like at its end says nothing about why
it was lost. Every hypothesis that was tested counts for the control of false
discoveries, and effects are measured among games of like material and strength:
docs/mining.md tells how.`,
		Example: `  qipu mine report game:othello --at ply:20
  qipu mine dataset game:othello --at ply:20 --out games.csv`,
	}
	cmd.AddCommand(datasetCommand(a), rulesCommand(a), reportCommand(a), queueCommand(a))
	cmd.AddCommand(more...)
	return []*cobra.Command{cmd}
}

// memory is how much of it mining may take before garbage is collected more often.
const memory = 1 << 30

// Table are the flags of a command that reads a table of games.
type Table struct {
	game, at, rows, columns string
	gather.Options
}

// Register adds the flags.
func (o *Table) Register(a *cli.App, cmd *cobra.Command) {
	a.TakesGame(cmd, &o.game)
	f := cmd.Flags()
	f.StringVar(&o.at, "at", "ply:40", "the moment at which a game is looked at: ply:40, first:NAME or end")
	cli.Enum(cmd, &o.rows, "rows", "games", "what a row is: games, or positions (every so many plies of --at, or whenever the name stands)", "games", "positions")
	f.StringVar(&o.columns, "columns", "", "columns, of names, shapes, material, opening, ratings, value (default: all but value)")
}

// Read makes the options of the flags and the arguments.
func (o *Table) Read(args []string) (err error) {
	o.Text, o.Game, o.Positions = strings.Join(args, " "), o.game, o.rows == "positions"
	if o.At, err = gather.ParseMoment(o.at); err != nil {
		return cli.Usagef("--at: %v", err)
	}
	o.Columns = nil
	for _, c := range strings.FieldsFunc(o.columns, func(r rune) bool { return r == ',' || r == ' ' }) {
		if err := cli.OneOf("columns", c, gather.Columns()...); err != nil {
			return err
		}
		o.Columns = append(o.Columns, c)
	}
	return nil
}

// Mining opens the library, and tells how far it is.
func Mining(ctx context.Context, a *cli.App, what string, do func(l *qipu.Library, progress func(done, total int)) error) error {
	old := debug.SetMemoryLimit(memory)
	defer debug.SetMemoryLimit(old)
	return a.Reading(ctx, func(l *qipu.Library) error {
		bar := a.NewProgress(what, 0)
		defer bar.Close()
		return do(l, bar.Games)
	})
}

func datasetCommand(a *cli.App) *cobra.Command {
	var o Table
	var out, format string
	cmd := &cobra.Command{
		Use:   "dataset [QUERY]",
		Short: "Write a table of games for other programs: CSV or Arrow",
		Long: `Write the games that QUERY finds as a table: a row is a game, or a position of one, with
its weight (the rows of a game weigh 1 together), what was known at its moment, and at
the end of each row the judgements, which were not: how the game ended and, with the
column value, what the program's evaluation expects.`,
		Example: `  qipu mine dataset game:othello --at ply:20 --out games.csv
  qipu mine dataset --game othello --rows positions --at ply:20 --columns opening,material --out games.arrow`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.Read(args); err != nil {
				return err
			}
			if format == "" {
				format = "csv"
				if strings.HasSuffix(out, ".arrow") || strings.HasSuffix(out, ".arrows") {
					format = "arrow"
				}
			}
			if format == "arrow" && out == "" && a.OutTerm {
				return cli.Usagef("Arrow is not for terminals: name a file with --out")
			}
			return Mining(cmd.Context(), a, "games", func(l *qipu.Library, progress func(done, total int)) error {
				o.Progress = progress
				set, err := gather.Set(cmd.Context(), l.Records(), l.Search(), &o.Options)
				if err != nil {
					return err
				}
				write := set.WriteCSV
				if format == "arrow" {
					write = set.WriteArrow
				}
				a.Notes(mineview.Left(set))
				if out == "" {
					return write(a.Out)
				}
				if err := cli.Atomically(out, func(w io.Writer) error { return write(w) }); err != nil {
					return err
				}
				columns := len(set.Items) + len(set.Numbers) + len(set.Factors)
				return a.Say(cli.Figures{{Name: "type", Value: "dataset"}, {Name: "rows", Value: len(set.Rows)}, {Name: "games", Value: int(set.Weight() + .5)}, {Name: "items", Value: len(set.Items)}, {Name: "columns", Value: columns}, {Name: "file", Value: out}},
					fmt.Sprintf("%d rows of %d games, %d columns, %d of them items, are in %s", len(set.Rows), int(set.Weight()+.5), columns, len(set.Items), out))
			})
		},
	}
	o.Register(a, cmd)
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write to (default: standard output)")
	cli.Enum(cmd, &format, "format", "", "csv or arrow (default: by the name of the file)", "csv", "arrow")
	return cmd
}

// mined are the flags of what is looked for.
type mined struct {
	rules.Options
	control string
	limit   int
}

func (o *mined) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Float64Var(&o.Support, "support", .02, "the least share of games that have all items of a set")
	f.IntVar(&o.Size, "size", 2, fmt.Sprintf("the most items of a set, 1 to %d", rules.MostItems))
	f.Float64Var(&o.Rate, "rate", .05, "the rate of false discoveries that is allowed")
	cli.Enum(cmd, &o.control, "control", string(rules.Yekutieli), "how it is controlled: yekutieli (whatever depends on what) or hochberg", string(rules.Yekutieli), string(rules.Hochberg))
	f.IntVar(&o.Within, "within", 12, "of sequences: within so many plies")
	f.IntVar(&o.limit, "limit", 20, "how many findings of each kind are told")
}

func (o *mined) read() error {
	o.Control = rules.Control(o.control)
	switch {
	case o.limit < 1 || o.limit > 100_000:
		return cli.Usagef("--limit %d: want 1 to 100000", o.limit)
	case o.Support <= 0 || o.Support > 1:
		return cli.Usagef("--support %g: want a share such as 0.02", o.Support)
	case o.Size < 1 || o.Size > rules.MostItems:
		return cli.Usagef("--size %d: want 1 to %d", o.Size, rules.MostItems)
	case o.Rate <= 0 || o.Rate >= 1:
		return cli.Usagef("--rate %g: want one such as 0.05", o.Rate)
	case o.Within < 1 || o.Within > 1000:
		return cli.Usagef("--within %d: want 1 to 1000 plies", o.Within)
	}
	return nil
}

func rulesCommand(a *cli.App) *cobra.Command {
	var t Table
	var o mined
	var method string
	cmd := &cobra.Command{
		Use:   "rules [QUERY]",
		Short: "Rules: what goes with winning, with other patterns, with the next move",
		Long: `Find the sets of items (names, shapes, facts) that are frequent, and test for each of
them whether it goes with winning (--then results), with another item (items) or with
the next move (next). A rule about results is told where it is a discovery at the rate,
holds among games of like material and strength, and says more than every shorter one.
With --at first:red.沉底炮 the games are looked at when the name stands for the first
time.`,
		Example: `  qipu mine rules --game othello --at ply:20 --size 3
  qipu mine rules --game othello --at ply:20 --then items --limit 5`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.Read(args); err != nil {
				return err
			}
			if err := o.read(); err != nil {
				return err
			}
			o.Growth = method == "growth"
			return Mining(cmd.Context(), a, "games", func(l *qipu.Library, progress func(done, total int)) error {
				t.Progress = progress
				set, err := gather.Set(cmd.Context(), l.Records(), l.Search(), &t.Options)
				if err != nil {
					return err
				}
				bar := a.NewProgress("sets", 0)
				defer bar.Close()
				o.Progress = bar.Games
				found, err := rules.Mine(cmd.Context(), set, o.Options)
				if err != nil {
					return err
				}
				bar.Close()
				return printRules(a, set, t.At, found, &o)
			})
		},
	}
	t.Register(a, cmd)
	o.register(cmd)
	cli.Enum(cmd, &o.Then, "then", rules.Results, "what rules are about: results, items or next", rules.Results, rules.Items, rules.Next)
	cli.Enum(cmd, &o.Judge, "judge", dataset.Result, "what a win is: the result, or a value of three in four and more (with value among --columns)", dataset.Result, dataset.Value)
	cli.Enum(cmd, &method, "method", "apriori", "how sets are found: apriori or growth (FP-growth), which give the same", "apriori", "growth")
	return cmd
}

func printRules(a *cli.App, set *dataset.Set, at gather.Moment, found *rules.Found, o *mined) error {
	r := &report.Report{Set: set, At: at, Found: found}
	a.Notes(mineview.Left(set))
	a.Notes(found.Left)
	t := &cli.Table{Columns: []string{"items", "then", "games", "share", "base", "lift", "effect", "error", "q"}}
	for i := range found.Rules[:min(len(found.Rules), o.limit)] {
		f := mineview.Rule(r, &found.Rules[i])
		var items []string
		for _, it := range f.Items {
			items = append(items, it.Title)
		}
		then, effect, err := f.Next, "", ""
		switch {
		case len(f.Then) > 0:
			then = f.Then[0].Title
		case f.Kind == "rule":
			then = set.Sides[found.Rules[i].Wins] + " wins"
			effect, err = fmt.Sprintf("%+.1f%%", 100*f.Effect), fmt.Sprintf("%.1f", 100*f.Error)
		}
		t.Add(cli.Typed("finding", f), strings.Join(items, " + "), then, strconv.Itoa(f.Games), share(f.Confidence), share(f.Base), fmt.Sprintf("%.2f", f.Lift), effect, err, fmt.Sprintf("%.2g", f.Q))
	}
	if err := a.Print(t); err != nil {
		return err
	}
	if a.CSV {
		return nil
	}
	return a.Say(cli.Figures{{Name: "type", Value: "total"}, {Name: "rows", Value: found.Rows}, {Name: "sets", Value: found.Sets}, {Name: "tests", Value: found.Tests}, {Name: "passed", Value: found.Passed}, {Name: "held", Value: found.Held}, {Name: "rules", Value: len(found.Rules)}, {Name: "strata", Value: found.Strata.N}},
		fmt.Sprintf("%s: %s frequent, %d hypotheses tested (%s, rate %g), %d passed, %s held %s, %d say more than shorter ones",
			cli.Plural(found.Rows, "row"), cli.Plural(found.Sets, "set"), found.Tests, o.Control, o.Rate, found.Passed, cli.Plural(found.Held, "set"), found.Strata.Text, len(found.Rules)))
}

func share(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

func reportCommand(a *cli.App) *cobra.Command {
	var t Table
	var o mined
	cmd := &cobra.Command{
		Use:   "report [QUERY]",
		Short: "What the games tell, in sentences",
		Long: `Mine the games that QUERY finds, and say what was found: rules about winning first, the
surest effects before the others, then sequences, then what goes together. Below each
sentence is the query that finds the games behind it. The end of the report says how
much was tested and left out, and how far two halves of the games agree.`,
		Example: `  qipu mine report --game othello --at ply:20
  qipu mine report "game:othello year:1990.." --at ply:20 --support 0.05 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := t.Read(args); err != nil {
				return err
			}
			if err := o.read(); err != nil {
				return err
			}
			return Mining(cmd.Context(), a, "games", func(l *qipu.Library, progress func(done, total int)) error {
				t.Progress = progress
				r, err := report.Make(cmd.Context(), l.Records(), l.Search(), report.Options{Options: t.Options, Rules: o.Options})
				if err != nil {
					return err
				}
				return printReport(a, r, &o)
			})
		},
	}
	t.Register(a, cmd)
	o.register(cmd)
	return cmd
}

func printReport(a *cli.App, r *report.Report, o *mined) error {
	w := mineview.Insights(r, &o.Options, o.limit)
	if a.JSON {
		return a.PrintJSON(w)
	}
	if a.CSV {
		t := &cli.Table{Columns: []string{"kind", "sentence", "games", "effect", "error", "q", "rank", "query"}}
		for _, f := range w.Findings {
			t.Add(nil, f.Kind, f.Sentence, strconv.Itoa(f.Games), fmt.Sprintf("%.4f", f.Effect), fmt.Sprintf("%.4f", f.Error), fmt.Sprintf("%.3g", f.Q), strconv.Itoa(f.Rank), f.Query)
		}
		return a.Print(t)
	}
	kind := ""
	titles := map[string]string{"rule": "What goes with winning", "sequence": "What comes after what", "together": "What goes together"}
	for _, f := range w.Findings {
		if f.Kind != kind {
			if kind != "" {
				fmt.Fprintln(a.Out)
			}
			kind = f.Kind
			fmt.Fprintf(a.Out, "%s\n\n", titles[kind])
		}
		fmt.Fprintf(a.Out, "%s.\n    qipu find '%s'\n", f.Sentence, f.Query)
	}
	if len(w.Findings) == 0 {
		fmt.Fprintln(a.Out, "Nothing was found that is no chance.")
	}
	fmt.Fprintf(a.Out, "\n%d rows of %s at %s. %d hypotheses were tested, %d are discoveries at a rate of %g (%s); %d sets of items hold %s.\n", w.Rows, w.Game, w.At, w.Tests, w.Passed, w.Rate, w.Control, w.Held, r.Found.Strata.Text)
	if w.Halves.Findings > 1 {
		fmt.Fprintf(a.Out, "Two halves of the games agree about the rules: effects correlate by %.2f, %.0f %% keep their sign. Of %d rules of one half alone, by %.2f and %.0f %% in the other.\n", w.Halves.Correlation, 100*w.Halves.Same, w.Unseen.Findings, w.Unseen.Correlation, 100*w.Unseen.Same)
	}
	if w.Years.Findings > 1 {
		fmt.Fprintf(a.Out, "Of %d rules of the games until %d alone, effects correlate by %.2f with those in later ones, %.0f %% keep their sign.\n", w.Years.Findings, w.Until, w.Years.Correlation, 100*w.Years.Same)
	}
	if w.Values.Findings > 1 {
		fmt.Fprintf(a.Out, "What the evaluation says of the positions and how the games ended: the effects of %d rules correlate by %.2f, %.0f %% have the same sign.\n", w.Values.Findings, w.Values.Correlation, 100*w.Values.Same)
	}
	if w.Touched > 0 {
		fmt.Fprintf(a.Out, "Rules about results are about %.0f %% of the games.\n", 100*w.Touched)
	}
	if w.More > 0 {
		fmt.Fprintf(a.Out, "%d further findings are not told here: --limit tells more.\n", w.More)
	}
	for _, s := range w.Left {
		fmt.Fprintf(a.Out, "Left out: %s.\n", s)
	}
	return nil
}
