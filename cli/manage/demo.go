package manage

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/sample"
)

// tour is what the demo shows: a sentence, then a command that is run as if
// the user had typed it.
var tour = []struct{ say, run string }{
	{"Qipu knows these games:", "qipu games"},
	{"A position is drawn from the moves that led to it, in any notation of its game:", `qipu draw xiangqi "炮二平五 馬8進7 馬二進三" --flip`},
	{"Boards have the sizes that players use:", `qipu draw go:9x9 "E5 C3 G7 C7 G3"`},
	{"Legal moves can be shown, here for White in Othello:", "qipu draw othello f5d6c3d3c4f4f6 --legal"},
	{"Rules are exact. In Renju, Black loses by making two open threes at once:", `qipu draw renju "g8 a1 h8 a3 i9 a5 i10 a7 i8"`},
	{"Every move generator is proved by counting lines of play:", "qipu perft xiangqi 3"},
	{"Records come in many formats and encodings. The demo set has about twenty; one of them is broken on purpose:", "qipu check games"},
	{"A record is shown with its headers, moves, variations and comments, and a board:", "qipu show games/xiangqi-mates.pgn --game-number 3"},
	{"And it can be written in another format, its moves translated:", "qipu convert games/xiangqi-iccs.pgn - --to pgn --notation chinese"},
}

func demoCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Take a tour through what the program can do",
		Long:  `Take a tour: a few commands, run here and now, with their output.`,
		Example: `  qipu demo
  qipu demo --color never`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.JSON || a.CSV {
				return cli.Usagef("a tour is for reading: the commands it shows have --json, each for itself")
			}
			leave, err := enterSample(a)
			if err != nil {
				return err
			}
			defer leave()
			for _, stop := range tour {
				fmt.Fprintf(a.Out, "%s\n\n$ %s\n", stop.say, stop.run)
				args := append(cli.Words(stop.run)[1:], "--color", a.Color)
				if code := a.Run(cmd.Context(), args); code == cli.ExitInterrupted {
					return cli.ErrInterrupted
				} else if code != cli.ExitOK && code != cli.ExitData {
					return fmt.Errorf("the tour broke off at: %s", stop.run)
				}
				fmt.Fprintln(a.Out)
			}
			_, err = fmt.Fprintln(a.Out, "That is the tour. 'qipu --help' lists all commands, each with examples.")
			return err
		},
	}
}

// enterSample goes to a folder of its own that has the demo set in games, and
// returns the way back.
func enterSample(a *cli.App) (leave func(), err error) {
	home, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "qipu-demo-")
	if err != nil {
		return nil, err
	}
	leave = func() {
		if err := os.Chdir(home); err == nil {
			os.RemoveAll(dir)
		}
	}
	quiet := *a
	quiet.Out = io.Discard
	if err = os.Chdir(dir); err == nil {
		err = writeSample(&quiet, sample.Files(), "games", false)
	}
	if err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}
