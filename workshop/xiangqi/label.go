package xiangqi

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	engine "qipu/engine/xiangqi"
)

// labelledJSON is what was labelled, as --json prints it.
type labelledJSON struct {
	Games     int64   `json:"games"`
	Positions int64   `json:"positions"`
	Read      int64   `json:"read"`
	Seconds   float64 `json:"seconds"`
}

func labelCommand(a *cli.App) *cobra.Command {
	var nodes, positions int64
	var threads int
	var span time.Duration
	var seed uint64
	var out string
	cmd := &cobra.Command{
		Use:   "label",
		Short: "Play games of the engine against itself and label their positions",
		Long: `Play games of the engine against itself, from openings by chance, and write the quiet
positions with the value of a search of --nodes positions and the result of the game,
for the training in workshop/xiangqi/training. There is a file for each thread; a
position has 36 bytes: the squares of 32 pieces (255 for none), the value for the side
to move in hundredths of a soldier (16 bits, little endian), the side to move, and the
result (0 Black won, 1 drawn, 2 Red won). It ends after --time, or with --positions.`,
		Example: `  qipu workshop xiangqi label --out labels --positions 1000 --threads 1
  qipu workshop xiangqi label --out labels --time 2s --nodes 400 --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if out == "" || nodes < 50 || threads < 0 || positions < 0 || span <= 0 && positions == 0 {
				return cli.Usagef("want --out FOLDER, --nodes from 50, and --time or --positions")
			}
			if threads == 0 {
				threads = runtime.NumCPU()
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			began := time.Now()
			bar := a.NewProgress("positions", int(positions))
			defer bar.Close()
			var games, labelled, read atomic.Int64
			more := func() bool {
				return cmd.Context().Err() == nil && (span <= 0 || time.Since(began) < span) && (positions == 0 || labelled.Load() < positions)
			}
			faults := make([]error, threads)
			var all sync.WaitGroup
			for n := range threads {
				all.Go(func() {
					faults[n] = drill(filepath.Join(out, fmt.Sprintf("%d-%02d.labels", seed, n)), engine.NewDrill(nodes, seed<<16|uint64(n)), more, func(found int) {
						games.Add(1)
						labelled.Add(int64(found))
						bar.Step(found)
					}, &read)
				})
			}
			all.Wait()
			bar.Close()
			for _, err := range faults {
				if err != nil {
					return err
				}
			}
			done := labelledJSON{games.Load(), labelled.Load(), read.Load(), time.Since(began).Seconds()}
			if a.JSON {
				return a.PrintJSON(cli.Typed("labelled", done))
			}
			fmt.Fprintf(a.Out, "%d games, %d positions, %d read in %.1f s\n", done.Games, done.Positions, done.Read, done.Seconds)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&out, "out", "", "folder for the files")
	f.Int64Var(&nodes, "nodes", 400, "positions that a search reads")
	f.Int64Var(&positions, "positions", 0, "end after so many positions (0: none)")
	f.DurationVar(&span, "time", 0, "end after so long, as in 8m")
	f.IntVar(&threads, "threads", 0, "games that are played at once (0: one per core)")
	f.Uint64Var(&seed, "seed", 1, "what chance begins with")
	return cmd
}

// drill plays games and writes what they give to a file.
func drill(path string, d *engine.Drill, more func() bool, done func(labels int), read *atomic.Int64) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	defer func() {
		read.Add(d.Searched())
		if flush := w.Flush(); err == nil {
			err = flush
		}
		if shut := file.Close(); err == nil {
			err = shut
		}
	}()
	var labels []engine.Label
	for more() {
		labels = d.Game(labels)
		for _, l := range labels {
			row := append(l.At[:], byte(l.Score), byte(l.Score>>8), l.Turn, l.Result)
			if _, err := w.Write(row); err != nil {
				return err
			}
		}
		done(len(labels))
	}
	return nil
}
