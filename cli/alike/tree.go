package alike

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	room "qipu/mine/alike"
	"qipu/mine/dataset"
	"qipu/mine/gather"
	"qipu/mine/tree"
	"qipu/view"
	"qipu/view/alikeview"
)

// treeFlags say which tree is wanted.
type treeFlags struct {
	game, at, judgement, method string
	depth                       int
	least                       float64
	folds                       int
	seed                        uint64
	svg, quick, value           bool
}

func (m *miner) treeCommand() *cobra.Command {
	var o treeFlags
	cmd := &cobra.Command{
		Use:   "tree [QUERY]",
		Short: "A decision tree from what was on the board to what came of it",
		Long: `Learn a decision tree from the games that a query finds (all, without one): what was
on the board until a moment of each game, material and ratings, and how it ended.

--method given grows a tree on top of material and ratings, and tells what patterns
add to them; cart (two branches, Gini) and c4.5 (gain ratio) see everything at once.
Trees are pruned as cross-validation advises; leaves have intervals of 95 %.

All ways are held against games that they were not learnt from, of other openings and
of other players: log loss beside that of a regression on material and ratings alone,
and of a boosted forest. --quick leaves this out. With --value what is said is given material,
ratings and the program's evaluation of the position.`,
		Example: `  qipu mine tree game:xiangqi --at ply:40
  qipu mine tree game:xiangqi --at ply:60 --method cart --svg
  qipu mine tree "game:go date>=1990" --at ply:100 --json
  qipu mine tree game:othello --at ply:30 --quick`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := gather.ParseMoment(o.at)
			if err != nil {
				return cli.Usagef("--at %v", err)
			}
			switch {
			case o.depth < 1 || o.depth > 20:
				return cli.Usagef("--depth %d: want 1 to 20", o.depth)
			case o.folds < 2 || o.folds > 20:
				return cli.Usagef("--folds %d: want 2 to 20", o.folds)
			case o.least < 0 || o.least > 50:
				return cli.Usagef("--least %g: want 0 to 50 per cent", o.least)
			}
			return m.ask(cmd.Context(), func(l *qipu.Library, _ *room.Room, p room.Progress) error {
				columns := []string{gather.Names, gather.Shapes, gather.Material, gather.Opening, gather.Ratings}
				if o.judgement == dataset.Value || o.value {
					columns = append(columns, gather.Value)
				}
				set, err := gather.Set(cmd.Context(), l.Records(), l.Search(), &gather.Options{Text: strings.Join(args, " "), Game: o.game, At: at, Columns: columns, Progress: p})
				if err != nil {
					return err
				}
				return m.tree(cmd, &o, set, at.String(), p)
			})
		},
	}
	f := cmd.Flags()
	m.GameFlag(cmd, &o.game, "", "the game, where the query does not name it")
	f.StringVar(&o.at, "at", "ply:40", "the moment of each game: ply:N, first:NAME or end")
	cli.Enum(cmd, &o.judgement, "judge", dataset.Result, "what is foretold", dataset.Result, dataset.Value)
	cli.Enum(cmd, &o.method, "method", tree.Given, "how it is grown", tree.Given, "cart", "c4.5")
	f.IntVar(&o.depth, "depth", 8, "questions above a leaf, at most")
	f.Float64Var(&o.least, "least", 1, "per cent of the games that have a pattern, and have it not, for it to be asked about")
	f.IntVar(&o.folds, "folds", 5, "parts of a cross-validation")
	f.Uint64Var(&o.seed, "seed", 1, "of what is done by chance")
	f.BoolVar(&o.value, "value", false, "the base knows what the program's evaluation says of the position, too")
	f.BoolVar(&o.quick, "quick", false, "do not hold it against unseen games")
	f.BoolVar(&o.svg, "svg", false, "a picture")
	return cmd
}

// tree learns and prints.
func (m *miner) tree(cmd *cobra.Command, o *treeFlags, set *dataset.Set, at string, p room.Progress) error {
	ctx := cmd.Context()
	rows, err := tree.FromSet(set, o.judgement, o.least/100)
	if err != nil {
		return plainly(err)
	}
	opts := tree.Options{Depth: o.depth}
	if o.method == "c4.5" {
		opts.Method = tree.C45
	}
	var checks []view.TreeCheck
	var folds []tree.Fold
	for _, by := range []struct {
		name   string
		groups [][]string
	}{{"opening", rows.Openings}, {"players", rows.Players}} {
		list, err := tree.Folds(by.groups, o.folds, o.seed)
		if err != nil {
			rows.Told = append(rows.Told, fmt.Sprintf("the check on unseen %s: %v", by.name, plainly(err)))
			continue
		}
		folds = list
		if o.quick {
			continue
		}
		models, err := tree.Compare(ctx, &rows.Table, list, rows.Base, tree.Clusters(by.groups), opts, tree.BoostOptions{Seed: o.seed}, nil)
		if err != nil {
			return plainly(err)
		}
		checks = append(checks, alikeview.CheckOf(by.name, models))
	}
	var t *tree.Tree
	if o.method == tree.Given {
		t, err = tree.FitGiven(ctx, &rows.Table, folds, rows.Base, opts)
	} else {
		t, err = tree.Fit(ctx, &rows.Table, folds, opts)
	}
	if err != nil {
		return plainly(err)
	}
	w := alikeview.TreeOf(set, rows, t, at, o.judgement, checks)
	switch {
	case m.JSON:
		return m.PrintJSON(cli.Typed("tree", w))
	case o.svg:
		_, err := fmt.Fprint(m.Out, t.SVG())
		return err
	}
	fmt.Fprintf(m.Out, "%s: %s, %s, %s\n\n", set.Title, cli.Plural(w.Rows, "row"), cli.Plural(w.Columns, "column"), w.Method)
	fmt.Fprintf(m.Out, "%s\n%s\n\n", t.Text(), strings.Join(w.Sentences, "\n"))
	if len(checks) > 0 {
		table := &cli.Table{Columns: []string{"unseen", "model", "log loss", "less than base", "AUC", "off by"}}
		for _, c := range w.Checks {
			for _, x := range c.Models {
				table.Add(nil, c.By, x.Name, fmt.Sprintf("%.4f", x.Loss), fmt.Sprintf("%+.4f ± %.4f", x.Gain, x.Error), fmt.Sprintf("%.3f", x.AUC), fmt.Sprintf("%.3f", x.Gap))
			}
		}
		if err := m.PrintColumns(table); err != nil {
			return err
		}
		fmt.Fprintf(m.Out, "\n%s\n", w.Says)
	}
	m.notes(w.Left)
	return nil
}

// plainly returns an error of a miner as people read it.
func plainly(err error) error {
	for _, prefix := range []string{"tree: ", "cluster: ", "profile: "} {
		if text, ok := strings.CutPrefix(err.Error(), prefix); ok {
			return errors.New(text)
		}
	}
	return err
}
