package workshop

import (
	"context"
	"errors"
	"fmt"
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

func trainLife(ctx context.Context, a *cli.App, o *trainOptions, paths []string) error {
	switch {
	case len(paths) == 0:
		return cli.Usagef("life: give the PATHs of counted boards: records with territory marks, files .own beside them, or results in points")
	case o.check || o.all || o.weights != "":
		return cli.Usagef("life: --check, --all and --weights are for games: measure the weights with qipu workshop bench life")
	case o.out == "":
		return cli.Usagef("where to? Give --out FILE")
	}
	boards, err := countedBoards(ctx, a, &o.read, paths)
	if err != nil {
		return err
	}
	bar := a.NewProgress("forests", 0)
	w, lessons, err := judging.Teach(ctx, boards, judging.Options{Trees: o.trees, Rounds: o.goes.Rounds, Progress: bar.Games})
	bar.Close()
	if errors.Is(err, judging.ErrNothing) {
		fmt.Fprintln(a.Err, "there is no board with known owners in it: want records with territory marks (TB, TW), or files .own beside them")
		return cli.Silent(cli.ExitNothing)
	}
	if err != nil {
		return err
	}
	if err := writeTrained(o.out, w); err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"known", "by score", "turned", "left out"}}
	t.Add(lessonsJSON{"lessons", lessons.Known, lessons.ByScore, lessons.Turned, lessons.Left},
		strconv.Itoa(lessons.Known), strconv.Itoa(lessons.ByScore), strconv.Itoa(lessons.Turned), strconv.Itoa(lessons.Left))
	return a.Print(t)
}
