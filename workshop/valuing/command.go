package valuing

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/record"
)

// Command returns the commands that make the values that come with the program.
func Command(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "theory",
		Short: "Make the values of positions of Othello that come with the program",
		Long: `Count the positions of games, search those that most games have reached, and write what
the program carries: builtin/othello.theory, packed by zstd -19.`,
		Example: `  qipu workshop theory places games/othello.wtb --most 20 --out places.txt
  qipu workshop theory value places.txt --level 4 --often-level 6 --out values.txt
  qipu workshop theory ship places.txt values.txt --least 4 --out theory.bin`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(placesCommand(a), valueCommand(a), shipCommand(a))
	return cmd
}

func placesCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var out string
	most, count := 0, Counter{}
	cmd := &cobra.Command{
		Use:   "places FILE...",
		Short: "List the positions that most games have reached",
		Long:  `List the positions of games of Othello, those first that most games have reached, a line each: the discs of the side to move, those of the other, the games.`,
		Example: `  qipu workshop theory places games/othello.wtb --most 20 --out places.txt
  qipu workshop theory places games/othello.wtb --most 5 --empty 40 --out places.txt --json`,
		Args: cli.ArgCount(1, 1000),
		RunE: func(cmd *cobra.Command, args []string) error {
			if most < 1 || count.Empty < 0 || out == "" {
				return cli.Usagef("want --out, how many --most, and --empty squares from 0")
			}
			games := 0
			for _, path := range args {
				err := a.EachRecord(cmd.Context(), &read, path, func(p *record.Played) error {
					if count.Add(p) {
						games++
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
			list := count.Places(most)
			if err := written(out, func(f *os.File) error { return Write(f, list) }); err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "places"}, {Name: "games", Value: games}, {Name: "positions", Value: len(list)}},
				"%s of %s", cli.Plural(len(list), "position"), cli.Plural(games, "game"))
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().IntVar(&most, "most", 61500, "how many positions")
	cmd.Flags().IntVar(&count.Empty, "empty", 14, "squares that are empty at least")
	cmd.Flags().StringVar(&out, "out", "", "file for the positions")
	return cmd
}

func valueCommand(a *cli.App) *cobra.Command {
	var out string
	var limit time.Duration
	o := Options{}
	cmd := &cobra.Command{
		Use:   "value PLACES",
		Short: "Search positions, and go on where it was interrupted",
		Long: `Search positions that places has listed: of each the best move to no other of them. What
was found is added to --out at once; the same command goes on from there, and with more
plies searches again what was not searched as deep.`,
		Example: `  qipu workshop theory places games/othello.wtb --most 20 --out places.txt
  qipu workshop theory value places.txt --level 4 --often-level 6 --out values.txt`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Level < 1 || o.LevelOften < 1 || o.Threads < 1 || limit < 0 || out == "" {
				return cli.Usagef("want --out, and levels and --threads from 1")
			}
			return value(cmd.Context(), a, args[0], out, limit, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Level, "level", 16, "how deep to search, in plies")
	f.IntVar(&o.Often, "often", 10, "games that make a position one that is searched deeper")
	f.IntVar(&o.LevelOften, "often-level", 18, "how deep these are searched")
	f.IntVar(&o.Threads, "threads", runtime.NumCPU(), "searches at a time")
	f.DurationVar(&limit, "time", 0, "stop after that long, as in 20m (default: when all is done)")
	f.StringVar(&out, "out", "", "file that values are added to")
	return cmd
}

// hash is what each thread remembers.
const hash = 64 << 20

func value(ctx context.Context, a *cli.App, places, out string, limit time.Duration, o Options) error {
	list, err := readAll(places, out)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(out, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer f.Close()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	far := a.NewProgress("positions", 0)
	done := 0
	o.Hash, o.Each = hash, func(line string, n, all int) error {
		done = n
		far.Games(n, all)
		_, err := f.WriteString(line)
		return err
	}
	err = Value(ctx, list, o)
	far.Close()
	if err != nil {
		return err
	}
	return a.Say(cli.Figures{{Name: "type", Value: "valued"}, {Name: "searched", Value: done}}, "%s searched", cli.Plural(done, "position"))
}

// readAll reads places and what was found of them.
func readAll(places, values string) (list []*Place, err error) {
	f, err := os.Open(places)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if list, err = Read(f); err != nil {
		return nil, err
	}
	v, err := os.Open(values)
	if errors.Is(err, fs.ErrNotExist) {
		return list, nil
	} else if err != nil {
		return nil, err
	}
	defer v.Close()
	return list, Resume(v, list)
}

func shipCommand(a *cli.App) *cobra.Command {
	var out string
	least := 0
	cmd := &cobra.Command{
		Use:   "ship PLACES VALUES",
		Short: "Write positions as the program carries them",
		Long:  `Write the positions that were searched as deep as --least plies, with what follows from all of them, as the program carries them.`,
		Example: `  qipu workshop theory places games/othello.wtb --most 20 --out places.txt
  qipu workshop theory value places.txt --level 4 --often-level 6 --out values.txt
  qipu workshop theory ship places.txt values.txt --least 4 --out theory.bin`,
		Args: cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return cli.Usagef("--out: where are they to be written?")
			}
			list, err := readAll(args[0], args[1])
			if err != nil {
				return err
			}
			n := 0
			err = written(out, func(f *os.File) (err error) {
				n, err = Ship(cmd.Context(), f, list, least)
				return err
			})
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "shipped"}, {Name: "positions", Value: n}}, "%s written", cli.Plural(n, "position"))
		},
	}
	cmd.Flags().IntVar(&least, "least", 16, "plies that a position was searched at least")
	cmd.Flags().StringVar(&out, "out", "", "file for the values")
	return cmd
}

// written makes a file.
func written(path string, fill func(*os.File) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(fill(f), f.Close())
}
