// Package renju makes what the engine of Renju knows beforehand.
package renju

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/engine"
	fives "qipu/engine/renju"
	"qipu/engine/swap"
	"qipu/game"
	"qipu/game/renju"
)

// Command returns the commands of the engine of Renju.
func Command(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "renju",
		Short: "Make what the Renju engine knows beforehand",
		Long:  `Make what the engine of Renju knows of openings before it reads anything.`,
		Example: `  qipu workshop renju balance --rule rif --opening 4D --nodes 2000
  qipu workshop renju balance --nodes 1000 --out balance.txt`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(balanceCommand(a))
	return cmd
}

// valuedJSON is what an opening is worth under a rule, as --json prints it.
type valuedJSON struct {
	Rule  string       `json:"rule"`
	Code  string       `json:"code"`
	Value engine.Value `json:"value"`
	Nodes int64        `json:"nodes"`
}

func balanceCommand(a *cli.App) *cobra.Command {
	var nodes int64
	var only, codes []string
	var out string
	cmd := &cobra.Command{
		Use:   "balance",
		Short: "Find out what the 26 openings are worth under each opening rule",
		Long: `Find out what the 26 openings are worth for Black under each rule by which Renju is
opened, where the players keep their colours and decide about the fourth and the fifth
move as well as the engine can: each position that has to be compared is read with
--nodes positions. Values are hundredths of what the engine counts in. The file that the
program has, engine/renju/balance.txt, was made with --nodes 20000.`,
		Example: `  qipu workshop renju balance --rule rif --opening 4D,7I --nodes 2000
  qipu workshop renju balance --nodes 1000 --out balance.txt`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if nodes < 100 {
				return cli.Usagef("want --nodes from 100")
			}
			names := only
			if len(names) == 0 {
				for _, r := range renju.Renju.OpeningRules() {
					names = append(names, r.Name)
				}
			}
			var to io.Writer = io.Discard
			if out != "" {
				file, err := os.Create(out)
				if err != nil {
					return err
				}
				defer file.Close()
				to = file
			}
			fmt.Fprintf(to, "# What the 26 openings are worth for Black, in hundredths, by rule: searches of %d positions.\n", nodes)
			e := fives.New(engine.Options{})
			defer e.Close()
			bar := a.NewProgress("openings", len(names)*len(renju.Openings))
			defer bar.Close()
			for _, rule := range names {
				for i := range renju.Openings {
					o := &renju.Openings[i]
					if len(codes) > 0 && !slices.Contains(codes, o.Code) {
						continue
					}
					v, err := value(cmd.Context(), e, rule, o, nodes)
					if err != nil {
						return err
					}
					bar.Step(1)
					if _, err := fmt.Fprintf(to, "%s %s %d\n", rule, o.Code, v.Value); err != nil {
						return err
					}
					if a.JSON {
						if err := a.PrintJSON(cli.Typed("balance", v)); err != nil {
							return err
						}
						continue
					}
					fmt.Fprintf(a.Out, "%-14s %-4s %-10s %+6.2f\n", rule, o.Code, o.Names.En, v.Value.Units())
				}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.Int64Var(&nodes, "nodes", 20000, "positions that a search reads")
	f.StringSliceVar(&only, "rule", nil, "rules (default: all by which Renju is opened)")
	f.StringSliceVar(&codes, "opening", nil, "codes of openings, such as 4D (default: all)")
	f.StringVar(&out, "out", "", "file for the table")
	return cmd
}

// value returns what an opening is worth under a rule.
func value(ctx context.Context, e engine.Engine, rule string, o *renju.Opening, nodes int64) (v valuedJSON, err error) {
	v.Rule, v.Code = rule, o.Code
	answers, err := placed(rule, o)
	if err != nil {
		return v, err
	}
	v.Value, err = swap.Worth(ctx, &swap.Opening{Rules: renju.Renju, Rule: rule, Answers: answers}, func(ctx context.Context, t *engine.Task, multi int) (*engine.Report, error) {
		r, err := e.Think(ctx, t, engine.Limits{Nodes: nodes, Multi: multi}, nil)
		if err == nil {
			v.Nodes += r.Nodes
		}
		return r, err
	}, 1)
	return v, err
}

// placed returns the answers that put the three stones of an opening, with all colours kept.
func placed(rule string, o *renju.Opening) (answers []game.OpeningAnswer, err error) {
	stones := []game.OpeningAnswer{{At: board.At(7, 7)}, {At: o.Second}, {At: o.Third}}
	for {
		ask, moves, err := renju.Renju.OpeningAsk(rule, answers)
		switch {
		case err != nil:
			return nil, err
		case ask.Act == game.ChooseWord:
			answers = append(answers, game.OpeningAnswer{Word: game.KeepSides})
		case len(moves) == len(stones):
			return answers, nil
		default:
			answers = append(answers, stones[len(moves)])
		}
	}
}
