package accuracy

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/record"
	"qipu/review"
	"qipu/workshop/learn"
)

// Command returns the command that measures an engine.
func Command(a *cli.App) *cobra.Command {
	o := Options{}
	var read cli.ReadFlags
	var spec string
	var all bool
	cmd := &cobra.Command{
		Use:   "accuracy FILE...",
		Short: "Measure how wrong reviews are about what moves give away",
		Long: `Measure how wrong the engine is about what moves give away when it reads to some
depths, by a much deeper reading, and by the end of the game where few squares are
empty. The figure "most" is what it claims too much at most, in 19 of 20 moves that it
says give something away: a review calls no move a mistake that gives away less. "blunders" are
moves that it calls so, "unjust" those of them that the truth does not blame at all.

Games of Othello and Go that the weights were trained on are left out: one of twenty is
kept back, and --all takes all, where they are others. Moves are chosen by chance, and the
same seed chooses the same ones.`,
		Example: `  qipu workshop accuracy games/othello.wtb --all --moves 3 --depths 2,4 --truth 8 --solve 10
  qipu workshop accuracy games/othello.wtb --all --moves 2 --depths 2 --truth 6 --solve 8 --json`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Moves < 1 || o.Truth < 2 || len(o.Depths) == 0 || o.Threads < 1 || o.Threads > 256 {
				return cli.Usagef("want moves, depths, a depth of the truth and 1 to 256 threads")
			}
			return run(cmd.Context(), a, &read, spec, all, args, o)
		},
	}
	f := cmd.Flags()
	a.GameFlag(cmd, &spec, "othello", "the game")
	read.Register(f)
	f.BoolVar(&all, "all", false, "take all games: they are not those of the training")
	f.IntSliceVar(&o.Depths, "depths", []int{5, 7, 9, 11, 13}, "depths of the reviews that are measured")
	f.IntVar(&o.Truth, "truth", 20, "the depth that they are measured by")
	f.IntVar(&o.Solve, "solve", 22, "empty squares up to which the truth is exact")
	f.IntVar(&o.Moves, "moves", 300, "how many moves are looked at")
	f.Uint64Var(&o.Seed, "seed", 1, "what chance begins with")
	f.IntVar(&o.Threads, "threads", 1, "how many moves are looked at beside each other")
	return cmd
}

func run(ctx context.Context, a *cli.App, read *cli.ReadFlags, spec string, all bool, args []string, o Options) error {
	r, err := a.Game(spec)
	if err != nil {
		return err
	}
	var games []*engine.Task
	for _, path := range args {
		err := a.EachRecord(ctx, read, path, func(p *record.Played) error {
			if p.Rules == nil || p.Rules.Info().Name != r.Info().Name {
				return nil
			}
			if g, ok := learn.FromRecord(p); ok && !all && !g.Held() {
				return nil
			}
			if g, ok := learn.GoGame(p); ok && !all && !learn.GoHeld(g) {
				return nil
			}
			t, err := review.Task(p)
			if err == nil {
				games = append(games, t)
			}
			return nil // one that cannot be played is no game to measure by
		})
		if err != nil {
			return err
		}
	}
	tasks, err := Sample(games, o)
	if err != nil {
		return err
	}
	if len(tasks) == 0 {
		return errors.New("there is no move to measure by: were all games part of the training?")
	}
	bar := a.NewProgress("moves", len(tasks))
	defer bar.Close()
	var stepping sync.Mutex
	o.OnMove = func() {
		stepping.Lock()
		defer stepping.Unlock()
		bar.Step(1)
	}
	errs, err := Measure(ctx, func() (engine.Engine, error) { return a.Engine(r, engine.Options{}) }, tasks, o)
	if err != nil {
		return err
	}
	bar.Close()
	t := &cli.Table{Columns: []string{"depth", "mean", "most", "give away", "moves", "blunders", "unjust", "nodes", "of the truth"}}
	digits := 2
	if review.UnitOf(r) == review.Share {
		digits = 4
	}
	for _, e := range errs {
		t.Add(struct {
			Type  string  `json:"type"`
			Depth int     `json:"depth"`
			Mean  float64 `json:"mean"`
			Most  float64 `json:"most"`
			Lose  int     `json:"lose"`
			Moves int     `json:"moves"`

			Blunders int `json:"blunders"`
			Unjust   int `json:"unjust"`

			Nodes float64 `json:"nodes"`
			Truth float64 `json:"truth_nodes"`
		}{"accuracy", e.Depth, e.Mean, e.Most, e.Lose, e.Moves, e.Blunders, e.Unjust, e.Nodes, e.Truth},
			strconv.Itoa(e.Depth), strconv.FormatFloat(e.Mean, 'f', digits, 64), strconv.FormatFloat(e.Most, 'f', digits, 64),
			strconv.Itoa(e.Lose), strconv.Itoa(e.Moves), strconv.Itoa(e.Blunders), strconv.Itoa(e.Unjust),
			strconv.FormatFloat(e.Nodes, 'f', 0, 64), strconv.FormatFloat(e.Truth, 'f', 0, 64))
	}
	return a.Print(t)
}
