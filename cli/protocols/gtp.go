package protocols

import (
	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/protocol"
	"qipu/protocol/gtp"
)

func gtpCommand(a *cli.App) *cobra.Command {
	var o served
	var ponder bool
	cmd := &cobra.Command{
		Use:   "gtp",
		Short: "Play with programs that speak GTP",
		Long: `Serve the engine to other programs by the Go Text Protocol, version 2, on standard
input and output. It plays every game, not only Go: --game chooses one, and so does
the command set_game.

Othello has rank 1 at the top, and a pass only where it is forced; Renju and Gomoku
have the points of Go; Xiangqi has moves as h2e2, and the colours r and b.

With --book the engine plays from the book of the library as far as its level knows
it by heart, and thinks then. With --ponder and a time it thinks while the other side
does, too.

list_commands tells all commands. lz-analyze, kata-analyze and qipu-analyze tell what
the engine thinks until the next line comes, and lz-genmove_analyze and
kata-genmove_analyze while it chooses a move; a line "# interrupt" ends a thought.`,
		Example: `  echo genmove black | qipu gtp --game othello --level 8
  echo genmove black | qipu gtp --game othello --level 12 --book
  echo showboard | qipu gtp --game go:9x9 --time 1s --ponder`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.spec == "" {
				return cli.Usagef("%s: --game is missing: name one, as in --game othello", cmd.CommandPath())
			}
			open := o.player(cmd)
			if ponder {
				open = pondering(open)
			}
			return o.run(a, cmd, open, func(r game.Rules, open protocol.Open) error {
				g := gtp.Server{
					Rules: r, Open: open, Games: a.Games, Formats: a.Formats, Settlers: a.Settlers, Name: "Qipu", Version: qipu.Version,
					Limits: o.bounds(),
				}
				return g.Serve(cmd.Context(), a.In, a.Out)
			})
		},
	}
	cmd.Flags().BoolVar(&o.book, "book", false, "play from the book of the library")
	cmd.Flags().BoolVar(&ponder, "ponder", false, "think while the other side does, where moves are limited by time")
	a.GameFlag(cmd, &o.spec, "", "the game, as in othello or go:9x9")
	o.Register(a, cmd.Flags(), engine.MaxLevel, "is")
	return cmd
}

// pondering makes engines that think on the other's time.
func pondering(open protocol.Open) protocol.Open {
	return func(r game.Rules, o engine.Options) (engine.Engine, error) {
		e, err := open(r, o)
		if err != nil {
			return nil, err
		}
		return engine.Pondering(e), nil
	}
}
