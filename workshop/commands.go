// Package workshop has the commands of those who make the program: what is trained,
// mined, counted and measured, and comes with it.
package workshop

import (
	"github.com/spf13/cobra"

	"qipu/workshop/life"

	"qipu/cli"
)

// Commands returns the commands of the workshop, and where those are that stood
// elsewhere once.
func Commands(a *cli.App) []*cobra.Command {
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
	cmd.AddCommand(trainCommand(a), life.BenchCommand(a), mineCommand(a), countCommand(a), predictCommand(a), selfplayCommand(a))
	return []*cobra.Command{cmd, a.Moved("train", "qipu workshop train"), a.Moved("bench", "qipu workshop bench")}
}
