package protocols

import (
	"slices"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/game"
	"qipu/protocol"
	"qipu/protocol/uci"
)

func uciCommand(a *cli.App) *cobra.Command {
	var o served
	var notation string
	cmd := &cobra.Command{
		Use:   "uci",
		Short: "Play with programs that speak UCI",
		Long: `Serve the engine to other programs by the Universal Chess Interface, on standard input
and output: any game whose moves are coordinates, Xiangqi before all. --game chooses
one, and so does the option UCI_Variant.

The other program says how long a thought may take; --depth and --time bound those
that it sets no bound to. Options: Hash, Threads, MultiPV, Ponder, UCI_Variant,
Notation.

Xiangqi is written as Fairy-Stockfish does it, h3e3 with ranks from 1. Programs that
were made for Pikafish want --notation iccs: h2e2, ranks from 0.`,
		Example: `  printf 'position startpos moves h3e3\ngo depth 4\n' | qipu uci --game xiangqi
  printf 'position startpos moves h2e2\ngo depth 4\n' | qipu uci --game xiangqi --notation iccs
  printf 'setoption name MultiPV value 3\ngo depth 6\n' | qipu uci --game othello`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(a, cmd, o.opener(cmd), func(r game.Rules, open protocol.Open) error {
				if notation != "" && !slices.ContainsFunc(r.Info().Notations, func(n game.NotationInfo) bool { return string(n.Name) == notation }) {
					return cli.Usagef("--notation %s: %s has none of that name", notation, r.Info().Name)
				}
				v := uci.Server{
					Rules: r, Open: open, Games: a.Games, Name: "Qipu " + qipu.Version, Author: "the authors of Qipu",
					Notation: game.Notation(notation), Limits: o.bounds(),
				}
				return v.Serve(cmd.Context(), a.In, a.Out)
			})
		},
	}
	cmd.Flags().StringVar(&notation, "notation", "", "how moves are written (default: uci where the game has it, else its first)")
	o.registerServed(a, cmd, "xiangqi", "xiangqi or othello")
	return cmd
}

func ucciCommand(a *cli.App) *cobra.Command {
	var o served
	cmd := &cobra.Command{
		Use:   "ucci",
		Short: "Play Xiangqi with programs that speak UCCI",
		Long: `Serve the engine to other programs by the Universal Chinese Chess Protocol, version 3,
on standard input and output. Moves are written as h2e2, with ranks from 0.

The other program says how long a thought may take; --depth and --time bound those
that it sets no bound to. Options: hashsize, threads, usemillisec, newgame, ponder,
batch.`,
		Example: `  printf 'ucci\nposition startpos moves h2e2\ngo depth 4\nquit\n' | qipu ucci
  printf 'position startpos\nbanmoves h2e2\ngo depth 4\n' | qipu ucci --threads 2`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(a, cmd, o.opener(cmd), func(r game.Rules, open protocol.Open) error {
				v := uci.Server{
					Rules: r, Open: open, UCCI: true, Games: a.Games, Name: "Qipu " + qipu.Version, Author: "the authors of Qipu",
					Limits: o.bounds(),
				}
				return v.Serve(cmd.Context(), a.In, a.Out)
			})
		},
	}
	o.registerServed(a, cmd, "xiangqi", "xiangqi")
	return cmd
}
