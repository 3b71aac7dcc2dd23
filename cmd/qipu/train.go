package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/engine/reversi"
	"qipu/game/othello"
	"qipu/learn"
	"qipu/record"
)

type trainOptions struct {
	learn.Options
	read    readFlags
	out     string
	check   bool
	all     bool
	weights string
}

func (a *app) trainCommand() *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train GAME [PATH...]",
		Short: "Fit the evaluation of the engine to games",
		Long: `Fit the weights by which the Othello engine judges positions to the games below the
paths (files, folders, archives), or without a path to those of the library. The
engine plays by the weights that come with the program; --out writes new ones.

Training goes from the end of the game to its beginning: positions with few empty
squares are solved, those before them are valued by a search that ends in positions
which can be judged already. Positions beside the games, a few unwise moves off, are
added (--beside). One game of twenty is kept out, and the error in these is printed:
the mean distance in discs from the exact value, where few squares are empty or the
records tell it (WTHOR does, for 24), and else from that of a search.

--check trains nothing and prints the error of the weights that the program has, or
of those in a file (--weights); with --all in all games, where they are others than
those of the training. The same games and flags give the same weights.

A real training takes tens of thousands of games, and an hour on a few cores; the
flags of the first example make it a matter of a second, and the weights useless.`,
		Example: `  qipu train othello games --out weights.bin --beside 100 --solve 4 --guess 5 --depth 1
  qipu train othello games --check --all
  qipu train othello games --check --all --weights weights.bin --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("%s: GAME is missing", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return []string{"othello\tOthello"}, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := a.game(args[0])
			if err != nil {
				return err
			}
			if r != othello.Standard {
				return usagef("%s: only the evaluation of Othello is trained", args[0])
			}
			switch {
			case o.check && o.out != "":
				return usagef("--check writes nothing: leave out --out")
			case !o.check && o.out == "":
				return usagef("where to? Give --out FILE, or --check to measure the weights that are there")
			case !o.check && (o.weights != "" || o.all):
				return usagef("--weights and --all are for --check")
			}
			return a.train(cmd.Context(), &o, args[1:])
		},
	}
	f := cmd.Flags()
	o.read.register(f)
	f.StringVar(&o.out, "out", "", "file to write the weights to")
	f.BoolVar(&o.check, "check", false, "train nothing: print the error of weights in the games that are kept out")
	f.StringVar(&o.weights, "weights", "", "file of the weights to check (default: those of the program)")
	f.BoolVar(&o.all, "all", false, "check in all games, not only in those that training keeps out")
	f.IntVar(&o.Threads, "threads", runtime.NumCPU(), "threads to use")
	f.IntVar(&o.Beside, "beside", 0, "positions beside the games for each number of empty squares (default 100000; -1: none)")
	f.IntVar(&o.Most, "most", 0, "positions of the games for each number of empty squares (0: all)")
	f.IntVar(&o.Solve, "solve", 0, "empty squares up to which positions are solved (default 12)")
	f.IntVar(&o.Guess, "guess", 0, "empty squares up to which they are read to the end, less surely (default 16)")
	f.IntVar(&o.Depth, "depth", 0, "moves that positions before these are searched (default 8)")
	f.IntVar(&o.Steps, "steps", 0, "steps of the fit for each stage (default 30)")
	f.Float64Var(&o.Ridge, "ridge", 0, "how firmly rare weights are held to the stage before (default 8)")
	f.Uint64Var(&o.Seed, "seed", 0, "number that the positions beside the games are drawn by")
	return cmd
}

func (a *app) train(ctx context.Context, o *trainOptions, paths []string) error {
	// Samples by the million are needed at once.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(16 << 30))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	games, err := a.trainingGames(ctx, o, paths)
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintln(a.err, "no game of Othello was found")
		return silent(exitNothing)
	}
	if o.check {
		w, err := readWeights(o.weights)
		if err != nil {
			return err
		}
		return a.printErrors(w, games, o)
	}
	bar := a.newProgress("positions", 0)
	model, err := learn.Train(ctx, games, o.Options, func(done, total int) { bar.games(done, total) })
	bar.close()
	if err != nil {
		return err
	}
	if err := atomically(o.out, func(w io.Writer) error {
		_, err := model.WriteTo(w)
		return err
	}); err != nil {
		return err
	}
	w, err := readWeights(o.out) // as whoever reads the file will have them
	if err != nil {
		return err
	}
	return a.printErrors(w, games, o)
}

func readWeights(path string) (*reversi.Weights, error) {
	if path == "" {
		return reversi.Trained(), nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := reversi.ReadWeights(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}

// trainingGames reads the games below paths, or those of the library.
func (a *app) trainingGames(ctx context.Context, o *trainOptions, paths []string) (games []learn.Game, err error) {
	add := func(p *record.Played) error {
		if g, ok := learn.FromRecord(p); ok {
			games = append(games, g)
		}
		return nil
	}
	if len(paths) > 0 {
		from, err := a.options(&o.read)
		if err != nil {
			return nil, err
		}
		from.Sink = sinkFunc(add)
		_, err = a.ingest(ctx, from, paths)
		return games, err
	}
	err = a.reading(ctx, func(l *qipu.Library) error {
		kind, err := l.Kind(othello.Standard.Info().Name)
		if err != nil {
			return err
		}
		ids, err := l.Catalog().IDs(ctx, kind.Name)
		if err != nil {
			return err
		}
		bar := a.newProgress("games", int(ids.GetCardinality()))
		defer bar.close()
		for s, err := range l.Records(ctx, ids.ToArray()) {
			switch {
			case err != nil && s.Game == nil:
				return err
			case err == nil:
				if err := add(record.Play(othello.Standard, s.Record)); err != nil {
					return err
				}
			}
			bar.step(1)
		}
		return nil
	})
	return games, err
}

// errorJSON is a row of the table of errors as --json prints it.
type errorJSON struct {
	Type      string  `json:"type"` // "error"
	Empties   int     `json:"empties"`
	Positions int     `json:"positions"`
	Mean      float64 `json:"mean"`
	Root      float64 `json:"root"`
	Bias      float64 `json:"bias"`
	Against   string  `json:"against"`
}

func (a *app) printErrors(w *reversi.Weights, games []learn.Game, o *trainOptions) error {
	began := time.Now()
	t := &table{columns: []string{"empties", "positions", "mean", "root", "bias", "against"}}
	for _, e := range learn.Measure(w, games, learn.MeasureOptions{Threads: o.Threads, All: o.all}) {
		if e.Positions == 0 {
			continue
		}
		row := errorJSON{"error", e.Empties, e.Positions, e.Mean, e.Root, e.Bias, e.Against}
		number := func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
		t.add(row, strconv.Itoa(e.Empties), strconv.Itoa(e.Positions), number(e.Mean), number(e.Root), number(e.Bias), e.Against)
	}
	if len(t.rows) == 0 {
		fmt.Fprintln(a.err, "none of the games is among those that are kept out (one of twenty): there is nothing to measure by")
	}
	if a.errTerm {
		fmt.Fprintf(a.err, "%d games, measured in %v\n", len(games), time.Since(began).Round(time.Millisecond))
	}
	return a.print(t)
}
