package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

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

func (a *app) trainLife(ctx context.Context, o *trainOptions, paths []string) error {
	switch {
	case len(paths) == 0:
		return usagef("life: give the PATHs of counted boards: records with territory marks, files .own beside them, or results in points")
	case o.check || o.all || o.weights != "":
		return usagef("life: --check, --all and --weights are for games: measure the weights with qipu bench life")
	case o.out == "":
		return usagef("where to? Give --out FILE")
	}
	boards, err := a.countedBoards(ctx, &o.read, paths)
	if err != nil {
		return err
	}
	bar := a.newProgress("forests", 0)
	w, lessons, err := judging.Teach(ctx, boards, judging.Options{Trees: o.trees, Rounds: o.goes.Rounds, Progress: bar.games})
	bar.close()
	if errors.Is(err, judging.ErrNothing) {
		fmt.Fprintln(a.err, "there is no board with known owners in it: want records with territory marks (TB, TW), or files .own beside them")
		return silent(exitNothing)
	}
	if err != nil {
		return err
	}
	if err := writeTrained(o.out, w); err != nil {
		return err
	}
	t := &table{columns: []string{"known", "by score", "turned", "left out"}}
	t.add(lessonsJSON{"lessons", lessons.Known, lessons.ByScore, lessons.Turned, lessons.Left},
		strconv.Itoa(lessons.Known), strconv.Itoa(lessons.ByScore), strconv.Itoa(lessons.Turned), strconv.Itoa(lessons.Left))
	return a.print(t)
}
