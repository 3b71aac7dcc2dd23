package sight

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/record"
)

// Command returns the commands of the net of Go.
func Command(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sight",
		Short: "Train and measure the net of Go",
		Long: `Make the net by which the program sees a board of Go. Games are packed here; the
training itself is Python, in workshop/sight.`,
		Example: `  qipu workshop sight pack games --out games.bin
  qipu workshop sight measure games --all`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(packCommand(a), measureCommand(a), fateCommand(a), endsCommand(a), shapesCommand(a))
	return cmd
}

// paths wants one or more.
func paths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("%s: PATH is missing", cmd.CommandPath())
	}
	return nil
}

// packedJSON is what was packed, as --json prints it.
type packedJSON struct {
	Type   string `json:"type"` // "packed"
	Games  int    `json:"games"`
	Moves  int    `json:"moves"`
	Owners int    `json:"owners"`
	Held   int    `json:"held"`
	Twice  int    `json:"twice"`
	Left   int    `json:"left"`
}

func packCommand(a *cli.App) *cobra.Command {
	var read cli.ReadFlags
	var out, pro string
	cmd := &cobra.Command{
		Use:   "pack PATH...",
		Short: "Write games of Go in the form that training reads",
		Long: `Write the games of Go below the paths (files, folders, archives) in the form that
training reads: moves, results, and the owner of every point at the end where the
players marked it, or where the judged score is the recorded one. Copies are written
once; one game of twenty is marked as kept out.`,
		Example: `  qipu workshop sight pack games --out games.bin
  qipu workshop sight pack games --out games.bin --professional masters --json`,
		Args: paths,
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return cli.Usagef("where to? Give --out FILE")
			}
			p, err := pack(cmd.Context(), a, &read, args, out, pro)
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"games", "moves", "with owners", "kept out", "copies", "left out"}}
			t.Add(packedJSON{"packed", p.Games, p.Moves, p.Owners, p.Held, p.Twice, p.Left},
				strconv.Itoa(p.Games), strconv.Itoa(p.Moves), strconv.Itoa(p.Owners), strconv.Itoa(p.Held), strconv.Itoa(p.Twice), strconv.Itoa(p.Left))
			return a.Print(t)
		},
	}
	read.Register(cmd.Flags())
	cmd.Flags().StringVar(&out, "out", "", "file to write")
	cmd.Flags().StringVar(&pro, "professional", "pro", "games are of professionals where their path has this word in it")
	return cmd
}

func pack(ctx context.Context, a *cli.App, read *cli.ReadFlags, paths []string, out, pro string) (done Packed, err error) {
	from, err := a.Options(read)
	if err != nil {
		return done, err
	}
	err = cli.Atomically(out, func(w io.Writer) error {
		p := NewPacker(w)
		from.Sink = cli.SinkFunc(func(r *record.Played) error {
			return p.Add(r, strings.Contains(r.Game.Place.File, pro))
		})
		if _, err := a.Ingest(ctx, from, paths); err != nil {
			return err
		}
		done = p.Packed
		return p.Close()
	})
	return done, err
}
