package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"qipu/sample"
)

func (a *app) sampleCommand() *cobra.Command {
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "sample [DIR]",
		Short: "Write the demo set: about twenty games in many formats",
		Long: `Write the games that come with the program into a folder (default: games), so that
there is something to try the other commands on. They were made for this purpose
and are in the public domain. A file that is there already with other content is
not overwritten.`,
		Example: `  qipu sample
  qipu sample games --dry-run`,
		Args: argCount(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "games"
			if len(args) == 1 {
				dir = args[0]
			}
			return a.writeSample(dir, dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list the files, and write nothing")
	return cmd
}

func (a *app) writeSample(dir string, dryRun bool) error {
	t := &table{columns: []string{"file", "bytes"}}
	err := fs.WalkDir(sample.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sample.Files(), name)
		if err != nil {
			return err
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		t.add(struct {
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
	return a.print(t)
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
	return atomically(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
