// Package workshop has the commands of those who make the program: what is trained,
// mined, counted and measured, and comes with it.
package workshop

import (
	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/workshop/ladder"
	"qipu/workshop/life"
	"qipu/workshop/selfplay"
)

// Commands returns the commands of the workshop, those that are given among them,
// and where those are that stood elsewhere once.
func Commands(a *cli.App, more ...*cobra.Command) []*cobra.Command {
	cmd := &cobra.Command{
		Use:   "workshop",
		Short: "Train, mine and measure what comes with the program",
		Long: `What the makers of the program run: weights are trained, shapes mined and counted,
judgements measured by boards that people have counted. Nobody needs it to search,
study or play.`,
		Example: `  qipu workshop bench life --gnugo off
  qipu workshop train othello games --check --all`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringArrayVar(&a.Shapes, "shapes", nil, "folder or file of shapes to lay above those of the program; may be repeated")
	cmd.AddCommand(trainCommand(a), life.BenchCommand(a), mineCommand(a), countCommand(a), predictCommand(a), selfplay.Command(a), ladder.Command(a))
	cmd.AddCommand(more...)
	return []*cobra.Command{cmd, a.Moved("train", "qipu workshop train"), a.Moved("bench", "qipu workshop bench")}
}
