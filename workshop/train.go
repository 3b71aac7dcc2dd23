package workshop

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
	"qipu/cli"
	"qipu/engine/reversi/eval"
	"qipu/game"
	"qipu/game/othello"
	"qipu/game/weiqi"
	"qipu/record"
	"qipu/workshop/learn"
	"qipu/workshop/learn/judging"
	"qipu/workshop/life"
)

type trainOptions struct {
	learn.Options
	goes    learn.GoOptions
	read    cli.ReadFlags
	out     string
	check   bool
	all     bool
	weights string
	trees   int
}

func trainCommand(a *cli.App) *cobra.Command {
	var o trainOptions
	cmd := &cobra.Command{
		Use:   "train GAME|life [PATH...]",
		Short: "Fit the weights of the program to games",
		Long: `Fit weights to the games below the paths (files, folders, archives), or without a
path to those of the library: for Othello those by which the engine judges positions,
for Go those by which the next move is foretold, or ("life") those by which life and
death are judged. The program uses the weights that come with it; --out writes new ones.

Othello: training goes from the end of the game to its beginning: positions with few empty
squares are solved, those before them are valued by a search that ends in positions
which can be judged already. Positions beside the games, a few unwise moves off, are
added (--beside). One game of twenty is kept out, and the error in these is printed:
the mean distance in discs from the exact value, where few squares are empty or the
records tell it (WTHOR does, for 24), and else from that of a search.

Go: every legal point has contexts, the stones around it and around the recent moves
in growing discs. Those that were played most often (--contexts, --least) get weights
such that the moves of the games are as likely as can be. One game of twenty is kept
out, copies together, and the share of its moves that come first, among the first
five and among the first ten is printed, with the mean of -ln of their probability.

Life: boards whose owners are known, by territory marks (TB, TW) or a file .own beside
the record, are learnt from first. Games of which the result alone is known are judged
by that; where the score comes out as it was counted, if need be with one doubtful
group turned, they are learnt from as well. The paths are needed. What it is worth on
boards that it does not know: qipu workshop bench life --folds 5.

--check trains nothing and prints the error of the weights that the program has, or
of those in a file (--weights); with --all in all games, where they are others than
those of the training. The same games and flags give the same weights.

A real training takes tens of thousands of games, and an hour on a few cores; the
flags of the first examples make it a matter of a second, and the weights useless.`,
		Example: `  qipu workshop train othello games --out weights.bin --beside 100 --solve 4 --guess 5 --depth 1
  qipu workshop train go games --out prior.bin --least 2 --rounds 1
  qipu workshop train go games --check --all
  qipu workshop train life games --out life.bin --trees 5 --rounds 2
  qipu workshop train othello games --check --all
  qipu workshop train othello games --check --all --weights weights.bin --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%s: GAME is missing", cmd.CommandPath())
			}
			return nil
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return []string{"go\tGo", "life\tlife and death in Go", "othello\tOthello"}, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "life" {
				switch {
				case o.check || o.all || o.weights != "":
					return cli.Usagef("life: --check, --all and --weights are for games: measure the weights with qipu workshop bench life")
				case o.out == "":
					return cli.Usagef("where to? Give --out FILE")
				}
				return life.Train(cmd.Context(), a, &o.read, judging.Options{Trees: o.trees, Rounds: o.goes.Rounds}, args[1:], o.out)
			}
			r, err := a.Game(args[0])
			if err != nil {
				return err
			}
			if r != othello.Standard && r != weiqi.Standard {
				return cli.Usagef("%s: only Othello and Go have weights to train, and \"life\" for life and death", args[0])
			}
			switch {
			case o.check && o.out != "":
				return cli.Usagef("--check writes nothing: leave out --out")
			case !o.check && o.out == "":
				return cli.Usagef("where to? Give --out FILE, or --check to measure the weights that are there")
			case !o.check && (o.weights != "" || o.all):
				return cli.Usagef("--weights and --all are for --check")
			}
			if r == weiqi.Standard {
				return goTraining(a, &o).run(cmd.Context(), a, &o, args[1:])
			}
			return othelloTraining(a, &o).run(cmd.Context(), a, &o, args[1:])
		},
	}
	f := cmd.Flags()
	o.read.Register(f)
	f.StringVar(&o.out, "out", "", "file to write the weights to")
	f.BoolVar(&o.check, "check", false, "train nothing: print the error of weights in the games that are kept out")
	f.StringVar(&o.weights, "weights", "", "file of the weights to check (default: those of the program)")
	f.BoolVar(&o.all, "all", false, "check in all games, not only in those that training keeps out")
	f.IntVar(&o.Threads, "threads", runtime.NumCPU(), "threads to use")
	f.IntVar(&o.Beside, "beside", 0, "Othello: positions beside the games for each number of empty squares (default 100000; -1: none)")
	f.IntVar(&o.Most, "most", 0, "Othello: positions of the games for each number of empty squares (0: all)")
	f.IntVar(&o.Solve, "solve", 0, "Othello: empty squares up to which positions are solved (default 12)")
	f.IntVar(&o.Guess, "guess", 0, "Othello: empty squares up to which they are read to the end, less surely (default 16)")
	f.IntVar(&o.Depth, "depth", 0, "Othello: moves that positions before these are searched (default 8)")
	f.IntVar(&o.Steps, "steps", 0, "Othello: steps of the fit for each stage (default 30)")
	f.Float64Var(&o.Ridge, "ridge", 0, "Othello: how firmly rare weights are held to the stage before (default 8)")
	f.Uint64Var(&o.Seed, "seed", 0, "number that the positions beside the games, or their order, are drawn by")
	f.IntVar(&o.goes.Contexts, "contexts", 0, "Go: contexts that get a weight at the most (default 1300000)")
	f.IntVar(&o.goes.Least, "least", 0, "Go: times that a context must have been played (default 20)")
	f.IntVar(&o.goes.Rounds, "rounds", 0, "Go: times that every position is learned from (default 1); life: forests that follow on each other (default 4)")
	f.IntVar(&o.trees, "trees", 0, "life: trees of each forest (default 150)")
	f.Float64Var(&o.goes.Rate, "rate", 0, "Go: length of the steps (default 0.7)")
	f.StringVar(&o.goes.Source, "source", "", "Go: what the games are, to be kept in the file")
	return cmd
}

// training is how weights are fitted to the games of one kind: G is a game as it is
// learnt from, W the weights.
type training[G, W any] struct {
	rules  game.Rules
	title  string // of the games
	unit   string // of the progress
	game   func(*record.Played) (G, bool)
	fit    func(ctx context.Context, games []G, tell func(done, total int)) (io.WriterTo, error)
	own    func() (W, error) // those of the program
	read   func(io.Reader) (W, error)
	report func(W, []G) error // prints how good they are
}

// run fits weights and writes them, or with --check measures those that are there.
func (t *training[G, W]) run(ctx context.Context, a *cli.App, o *trainOptions, paths []string) error {
	// Samples by the million, or a table of a gigabyte, are needed at once.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(16 << 30))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	var games []G
	err := eachPlayed(ctx, a, t.rules, o, paths, func(p *record.Played) {
		if g, ok := t.game(p); ok {
			games = append(games, g)
		}
	})
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintf(a.Err, "no game of %s was found\n", t.title)
		return cli.Silent(cli.ExitNothing)
	}
	from := o.weights
	if !o.check {
		bar := a.NewProgress(t.unit, 0)
		model, err := t.fit(ctx, games, bar.Games)
		bar.Close()
		if err != nil {
			return err
		}
		if err := writeTrained(o.out, model); err != nil {
			return err
		}
		from = o.out // as whoever reads the file will have them
	}
	var w W
	if from == "" {
		w, err = t.own()
	} else {
		w, err = readTrained(from, t.read)
	}
	if err != nil {
		return err
	}
	return t.report(w, games)
}

func othelloTraining(a *cli.App, o *trainOptions) *training[learn.Game, *eval.Weights] {
	return &training[learn.Game, *eval.Weights]{
		rules: othello.Standard, title: "Othello", unit: "positions", game: learn.FromRecord,
		fit: func(ctx context.Context, games []learn.Game, tell func(done, total int)) (io.WriterTo, error) {
			return learn.Train(ctx, games, o.Options, tell)
		},
		own:    func() (*eval.Weights, error) { return eval.Trained(), nil },
		read:   eval.ReadWeights,
		report: func(w *eval.Weights, games []learn.Game) error { return printErrors(a, w, games, o) },
	}
}

// writeTrained writes what was learned into a file, and readTrained reads it.
func writeTrained(path string, model io.WriterTo) error {
	return cli.Atomically(path, func(w io.Writer) error {
		_, err := model.WriteTo(w)
		return err
	})
}

func readTrained[T any](path string, read func(io.Reader) (T, error)) (model T, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return model, err
	}
	if model, err = read(bytes.NewReader(data)); err != nil {
		return model, fmt.Errorf("%s: %w", path, err)
	}
	return model, nil
}

// eachPlayed calls add for all records below paths, or for those of a game in
// the library.
func eachPlayed(ctx context.Context, a *cli.App, rules game.Rules, o *trainOptions, paths []string, add func(*record.Played)) error {
	all := func(p *record.Played) bool {
		add(p)
		return true
	}
	if len(paths) > 0 {
		from, err := a.Options(&o.read)
		if err != nil {
			return err
		}
		from.Sink = cli.SinkFunc(func(p *record.Played) error {
			add(p)
			return nil
		})
		_, err = a.Ingest(ctx, from, paths)
		return err
	}
	return a.Reading(ctx, func(l *qipu.Library) error {
		kind, err := l.Records().Kind(rules.Info().Name)
		if err != nil {
			return err
		}
		ids, err := l.Records().IDs(ctx, kind.Name)
		if err != nil {
			return err
		}
		return a.PlayStored(ctx, l, ids.ToArray(), all)
	})
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

func printErrors(a *cli.App, w *eval.Weights, games []learn.Game, o *trainOptions) error {
	began := time.Now()
	t := &cli.Table{Columns: []string{"empties", "positions", "mean", "root", "bias", "against"}}
	for _, e := range learn.Measure(w, games, learn.MeasureOptions{Threads: o.Threads, All: o.all}) {
		if e.Positions == 0 {
			continue
		}
		row := errorJSON{"error", e.Empties, e.Positions, e.Mean, e.Root, e.Bias, e.Against}
		number := func(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }
		t.Add(row, strconv.Itoa(e.Empties), strconv.Itoa(e.Positions), number(e.Mean), number(e.Root), number(e.Bias), e.Against)
	}
	if len(t.Rows) == 0 {
		fmt.Fprintln(a.Err, "none of the games is among those that are kept out (one of twenty): there is nothing to measure by")
	}
	if a.ErrTerm {
		fmt.Fprintf(a.Err, "%d games, measured in %v\n", len(games), time.Since(began).Round(time.Millisecond))
	}
	return a.Print(t)
}
