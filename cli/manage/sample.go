package manage

import (
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/sample"
)

func sampleCommand(a *cli.App) *cobra.Command {
	var dryRun, played bool
	cmd := &cobra.Command{
		Use:   "sample [DIR]",
		Short: "Write games to try things on",
		Long: `Write the games that come with the program into a folder (default: games), so that
there is something to try the other commands on. They were made for this purpose
and are in the public domain. A file that is there already with other content is
not overwritten.

With --played it writes a thousand games of Othello that the engine has played against
itself, at several levels and from every opening that has a name.`,
		Example: `  qipu sample
  qipu sample games --dry-run
  qipu sample games --played`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, files := "games", sample.Files()
			if len(args) == 1 {
				dir = args[0]
			}
			if played {
				files = sample.Played()
			}
			return writeSample(a, files, dir, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list the files, and write nothing")
	cmd.Flags().BoolVar(&played, "played", false, "write games that the engine has played")
	cli.MovedFlag(cmd, "seed", "qipu workshop selfplay --seed")
	return cmd
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
		t.Add(cli.Figures{{Name: "type", Value: "file"}, {Name: "file", Value: path}, {Name: "bytes", Value: len(data)}}, path, fmt.Sprint(len(data)))
		if dryRun {
			return nil
		}
		return cli.KeepOrWrite(path, data)
	})
	if err != nil {
		return err
	}
	return a.Print(t)
}
