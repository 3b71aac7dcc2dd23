package life

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"qipu/cli"
	"qipu/workshop/learn/judging"
)

// lessonsJSON is what the verdict was taught by, as --json prints it.
type lessonsJSON struct {
	Type    string `json:"type"` // "lessons"
	Known   int    `json:"known"`
	ByScore int    `json:"byScore"`
	Turned  int    `json:"turned"`
	Left    int    `json:"left"`
}

// Train fits the weights of judgements to the counted boards below paths, and writes
// them into a file.
func Train(ctx context.Context, a *cli.App, read *cli.ReadFlags, o judging.Options, paths []string, out string) error {
	if len(paths) == 0 {
		return cli.Usagef("life: give the PATHs of counted boards: records with territory marks, files .own beside them, or results in points")
	}
	boards, err := countedBoards(ctx, a, read, paths)
	if err != nil {
		return err
	}
	bar := a.NewProgress("forests", 0)
	o.Progress = bar.Games
	weights, lessons, err := judging.Teach(ctx, boards, o)
	bar.Close()
	if errors.Is(err, judging.ErrNothing) {
		fmt.Fprintln(a.Err, "there is no board with known owners in it: want records with territory marks (TB, TW), or files .own beside them")
		return cli.Silent(cli.ExitNothing)
	}
	if err != nil {
		return err
	}
	err = cli.Atomically(out, func(w io.Writer) error {
		_, err := weights.WriteTo(w)
		return err
	})
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"known", "by score", "turned", "left out"}}
	t.Add(lessonsJSON{"lessons", lessons.Known, lessons.ByScore, lessons.Turned, lessons.Left},
		strconv.Itoa(lessons.Known), strconv.Itoa(lessons.ByScore), strconv.Itoa(lessons.Turned), strconv.Itoa(lessons.Left))
	return a.Print(t)
}
