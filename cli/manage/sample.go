package manage

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/game/othello"
	"qipu/sample"
	"qipu/workshop/selfplay"
)

func sampleCommand(a *cli.App) *cobra.Command {
	var dryRun bool
	var seed uint64
	var games int
	cmd := &cobra.Command{
		Use:   "sample [DIR]",
		Short: "Write games to try things on: a demo set, or games that the engine plays",
		Long: `Write the games that come with the program into a folder (default: games), so that
there is something to try the other commands on. They were made for this purpose
and are in the public domain. A file that is there already with other content is
not overwritten.

With --seed it writes games of Othello that the engine has played against itself, at
several levels and from every opening that has a name. Those of seed 1 come with the
program and are there at once; those of any other seed are played now, the same on
every machine.`,
		Example: `  qipu sample
  qipu sample games --dry-run
  qipu sample games --seed 1
  qipu sample games --seed 7 --games 10`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "games"
			if len(args) == 1 {
				dir = args[0]
			}
			switch {
			case games < 1 || games > 1_000_000:
				return cli.Usagef("--games=%d: from 1 to 1000000", games)
			case !cmd.Flags().Changed("seed") && cmd.Flags().Changed("games"):
				return cli.Usagef("--games is for games that are played: add --seed")
			case !cmd.Flags().Changed("seed"):
				return writeSample(a, sample.Files(), dir, dryRun)
			case seed == sample.Seed && games == sample.PlayedGames:
				return writeSample(a, sample.Played(), dir, dryRun)
			}
			return playSample(cmd.Context(), a, dir, seed, games, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list the files, and write nothing")
	cmd.Flags().Uint64Var(&seed, "seed", sample.Seed, "games that the engine plays, beginning with this seed")
	cmd.Flags().IntVar(&games, "games", sample.PlayedGames, "how many, in rounds of "+strconv.Itoa(selfplay.Round))
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
	rounds := (games + selfplay.Round - 1) / selfplay.Round * selfplay.Round
	if dryRun {
		return row(rounds)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(cli.MatchMemory))
	bar := a.NewProgress("games", rounds)
	list, err := selfplay.Play(ctx, selfplay.Options{
		Rules: othello.Standard, Seed: seed, Games: games, Parallel: runtime.GOMAXPROCS(0),
		Progress: func(int, int) { bar.Step(1) },
	})
	bar.Close()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := selfplay.Write(&text, othello.Standard, list); err != nil {
		return err
	}
	if err := keepOrWrite(path, text.Bytes()); err != nil {
		return err
	}
	return row(len(list))
}

func writeSample(a *cli.App, files fs.FS, dir string, dryRun bool) error {
	t := &cli.Table{Columns: []string{"file", "bytes"}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		t.Add(struct {
			Type  string `json:"type"`
			File  string `json:"file"`
			Bytes int    `json:"bytes"`
		}{"file", path, len(data)}, path, fmt.Sprint(len(data)))
		if dryRun {
			return nil
		}
		return keepOrWrite(path, data)
	})
	if err != nil {
		return err
	}
	return a.Print(t)
}

// keepOrWrite writes a file unless it is there already.
func keepOrWrite(path string, data []byte) error {
	if old, err := os.ReadFile(path); err == nil {
		if bytes.Equal(old, data) {
			return nil
		}
		return fmt.Errorf("%s is there already, with other content: choose another folder", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return cli.Atomically(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
