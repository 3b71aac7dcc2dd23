// Package chess makes the weights of the engine of chess from games.
package chess

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"qipu/cli"
	engine "qipu/engine/chess"
	rules "qipu/game/chess"
	"qipu/record"
	"qipu/workshop/fitting"
)

// Command returns the commands of the engine of chess.
func Command(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "chess",
		Short: "Make what the chess engine judges by",
		Long:  `Make the weights by which the engine of chess judges positions.`,
		Example: `  qipu workshop chess fit games --epochs 1 --out weights.txt
  qipu workshop chess fit games --every 1 --epochs 2 --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(fitCommand(a))
	return cmd
}

// fittedJSON is how well the weights fit, as --json prints it.
type fittedJSON struct {
	Games      int     `json:"games"`
	Positions  int     `json:"positions"`
	Held       int     `json:"held"`
	Steepness  float64 `json:"steepness"`
	Before     float64 `json:"before"`
	After      float64 `json:"after"`
	HeldBefore float64 `json:"held_before"`
	HeldAfter  float64 `json:"held_after"`
}

func fitCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var epochs, from, every int
	var seed uint64
	var out string
	cmd := &cobra.Command{
		Use:   "fit FILE...",
		Short: "Fit weights to the results of games",
		Long: `Fit the weights to the results of games: positions in which nothing hangs, every
--every plies from --from on, by a logistic regression that begins with the weights of
the program. One game of ten is kept out.`,
		Example: `  qipu workshop chess fit games --out weights.txt
  qipu workshop chess fit games --from 0 --every 1 --epochs 5 --json`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			if epochs < 1 || epochs > 10_000 || every < 1 || from < 0 {
				return cli.Usagef("want --epochs from 1 to 10000, --every from 1, --from from 0")
			}
			var list []fitting.Position
			games := 0
			for _, path := range args {
				err := a.EachRecord(cmd.Context(), &read, path, func(p *record.Played) error {
					if _, ok := p.Rules.(*rules.Rules); !ok {
						return nil
					}
					if found := fitting.Cut(p, from, every, engine.Still); len(found) > 0 {
						games++
						list = append(list, found...)
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
			if len(list) == 0 {
				return fmt.Errorf("too few games: none of chess with a result was found")
			}
			bar := a.NewProgress("epochs", epochs)
			defer bar.Close()
			w := engine.Shipped()
			fitted, r := fitting.Fit(w[:], list, epochs, seed, func(int, float64, float64) { bar.Step(1) })
			bar.Close()
			copy(w[:], fitted)
			if out != "" {
				if err := os.WriteFile(out, []byte(w.String()), 0o666); err != nil {
					return err
				}
			}
			if a.JSON {
				return a.PrintJSON(cli.Typed("fitted", fittedJSON{games, r.Positions, r.Held, r.Steepness, r.Before, r.After, r.HeldBefore, r.HeldAfter}))
			}
			fmt.Fprintf(a.Out, "%d games, %d positions, %d kept out; steepness %g\nlog loss %.5f -> %.5f, kept out %.5f -> %.5f\n",
				games, r.Positions, r.Held, r.Steepness, r.Before, r.After, r.HeldBefore, r.HeldAfter)
			return nil
		},
	}
	f := cmd.Flags()
	read.Register(f)
	f.IntVar(&epochs, "epochs", 30, "passes over all positions")
	f.IntVar(&from, "from", 16, "the first ply that is looked at")
	f.IntVar(&every, "every", 3, "plies from one position to the next")
	f.Uint64Var(&seed, "seed", 1, "what chance begins with")
	f.StringVar(&out, "out", "", "file for the weights")
	return cmd
}
