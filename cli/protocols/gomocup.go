package protocols

import (
	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/game"
	"qipu/protocol"
	"qipu/protocol/gomocup"
)

func gomocupCommand(a *cli.App) *cobra.Command {
	var o served
	cmd := &cobra.Command{
		Use:   "gomocup",
		Short: "Play Gomoku and Renju with programs that speak the protocol of Gomocup",
		Long: `Serve the engine to Piskvork and other programs that speak the protocol of Gomocup, on
standard input and output. INFO rule chooses between free Gomoku, exactly five and
Renju; --game is what counts until then.

START, RECTSTART, RESTART, BEGIN, TURN, BOARD, SWAP2BOARD, TAKEBACK, INFO, ABOUT and
END are understood, and YXBOARD and YXSTOP of Yixin.`,
		Example: `  printf 'START 15\nTURN 7,7\nEND\n' | qipu gomocup --depth 2
  printf 'START 15\nINFO rule 4\nBOARD\n7,7,1\n8,8,2\nDONE\nEND\n' | qipu gomocup --depth 2`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(a, cmd, o.opener(cmd), func(r game.Rules, open protocol.Open) error {
				v := gomocup.Server{
					Rules: r, Open: open, Name: "Qipu", Version: qipu.Version, Author: "the authors of Qipu", Limits: o.bounds(),
				}
				return v.Serve(cmd.Context(), a.In, a.Out)
			})
		},
	}
	o.registerServed(a, cmd, "gomoku", "gomoku or renju")
	return cmd
}
