package selfplay

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/game/othello"
	"qipu/sample"
)

// Command returns the command that plays the games.
func Command(a *cli.App) *cobra.Command {
	var dryRun bool
	var seed uint64
	var games int
	cmd := &cobra.Command{
		Use:   "selfplay [DIR]",
		Short: "Have the engine play against itself, and write the games",
		Long: `Have the engine play games of Othello against itself, at several levels and from every
opening that has a name, and write them into a folder (default: games). The same seed
gives the same games on every machine. Those of seed 1 come with the program: qipu
sample --played.`,
		Example: `  qipu workshop selfplay games --seed 7 --games 10
  qipu workshop selfplay --seed 7 --dry-run`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "games"
			if len(args) == 1 {
				dir = args[0]
			}
			if games < 1 || games > 1_000_000 {
				return cli.Usagef("--games=%d: from 1 to 1000000", games)
			}
			return playSample(cmd.Context(), a, dir, seed, games, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "name the file, and play nothing")
	cmd.Flags().Uint64Var(&seed, "seed", sample.Seed, "what the games begin with")
	cmd.Flags().IntVar(&games, "games", sample.PlayedGames, "how many, in rounds of "+strconv.Itoa(Round))
	return cmd
}

// playSample has the engine play games, and writes them.
func playSample(ctx context.Context, a *cli.App, dir string, seed uint64, games int, dryRun bool) error {
	path := filepath.Join(dir, fmt.Sprintf("othello-selfplay-%d.sgf", seed))
	t := &cli.Table{Columns: []string{"file", "games"}}
	row := func(n int) error {
		t.Add(struct {
			Type  string `json:"type"`
			File  string `json:"file"`
			Games int    `json:"games"`
		}{"file", path, n}, path, strconv.Itoa(n))
		return a.Print(t)
	}
	rounds := (games + Round - 1) / Round * Round
	if dryRun {
		return row(rounds)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(cli.MatchMemory))
	bar := a.NewProgress("games", rounds)
	list, err := Play(ctx, Options{
		Rules: othello.Standard, Seed: seed, Games: games, Parallel: runtime.GOMAXPROCS(0),
		Progress: func(int, int) { bar.Step(1) },
	})
	bar.Close()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := Write(&text, othello.Standard, list); err != nil {
		return err
	}
	if err := cli.KeepOrWrite(path, text.Bytes()); err != nil {
		return err
	}
	return row(len(list))
}
