package book

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/book"
	"qipu/book/theory"
	"qipu/book/theory/exchange"
	"qipu/cli"
	"qipu/engine"
	"qipu/view/bookview"
)

// formatOf returns the format that a flag or the name of a file means.
func formatOf(named, path string) exchange.Format {
	if named == "" {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".bin":
			return exchange.Packed
		case ".txt":
			return exchange.Edax
		case ".egbk3":
			return exchange.Egaroucid
		}
		return exchange.CSV
	}
	return exchange.Format(named)
}

func bookExport(a *cli.App) *cobra.Command {
	var o bookOptions
	var format, output string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write the values of engines and people to a file",
		Long: `Write what engines and people say of positions: as CSV, which keeps all of it and is
for every game, or in the forms of Edax (text) and Egaroucid (egbk3), which are for
Othello and keep whole discs. In the text of Edax a position has its leaf, or -- where
all of its moves lead to positions of the book. Statistics of games are not written:
they come with the games.`,
		Example: `  qipu book export --output values.csv
  qipu book export --format edax
  qipu book export --output values.egbk3`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := formatOf(format, output)
			return withBook(a, cmd, &o, true, func(v *volume) error {
				n := v.Theory.Info().Positions
				if f == exchange.Edax {
					n = v.Theory.Info().Searched // it knows nothing of people
				}
				if n == 0 {
					return a.Nothing("the book of %s values no positions: qipu book deviate searches some", v.Spec)
				}
				if output == "" || output == "-" {
					return exchange.Write(a.Out, v.Theory, f)
				}
				if err := cli.Atomically(output, func(w io.Writer) error { return exchange.Write(w, v.Theory, f) }); err != nil {
					return err
				}
				fmt.Fprintf(a.Err, "%s written to %s\n", cli.Plural(n, "position"), output)
				return nil
			})
		},
	}
	o.register(a, cmd)
	cli.Enum(cmd, &format, "format", "", "csv, edax, egaroucid or packed, as values come with the program (default: by the name of the file)", "csv", "edax", "egaroucid", "packed")
	cmd.Flags().StringVarP(&output, "output", "o", "", "the file (default: standard output)")
	return cmd
}

func bookImport(a *cli.App) *cobra.Command {
	var o learnOptions
	var format string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take over values from a file",
		Long: `Take over what engines and people say of positions from a file that qipu book export
has written, from the text that Edax exports, or from a book of Egaroucid (egbk3).
Of two searches of a position the deeper one stays; what was set by hand here
outranks what the file says. Lines that cannot be read are named, and the others are
taken over.

Import the games themselves with qipu import.`,
		Example: `  qipu book import values.csv
  qipu book import values.csv --dry-run --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f := formatOf(format, args[0])
			var in io.Reader = a.In
			if args[0] != "-" {
				file, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				in = file
			}
			return withBook(a, cmd, &o.bookOptions, o.dryRun, func(v *volume) error {
				faults := 0
				rows, err := exchange.Read(in, v.Rules, f, func(f exchange.Fault) {
					if faults++; faults <= 20 {
						fmt.Fprintf(a.Err, "%s:%d: left out: %v\n", args[0], f.Line, f.Reason)
					}
				})
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				if faults > 20 {
					fmt.Fprintf(a.Err, "%d more lines were left out\n", faults-20)
				}
				if len(rows) == 0 {
					return fmt.Errorf("%s: no position could be read: --format says what is in it", args[0])
				}
				return mergeRows(cmd.Context(), a, v, &o, all(rows))
			})
		},
	}
	o.bookOptions.register(a, cmd)
	o.dry(cmd)
	cli.Enum(cmd, &format, "format", "", "csv, edax or egaroucid (default: by the name of the file)", "csv", "edax", "egaroucid")
	return cmd
}

func all(rows []theory.Row) iter.Seq2[theory.Row, error] {
	return func(yield func(theory.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func mergeRows(ctx context.Context, a *cli.App, v *volume, o *learnOptions, rows iter.Seq2[theory.Row, error]) error {
	return learn(ctx, a, v, o, false, func(l *theory.Learner) (theory.Report, error) {
		r, err := l.Merge(ctx, rows)
		if stale := l.Theory.Info().Stale; err == nil && stale > 0 && !o.dryRun {
			fmt.Fprintf(a.Err, "the next best move is not known in %s: qipu book fix searches for it\n", cli.Plural(stale, "position"))
		}
		return r, err
	})
}

func bookMerge(a *cli.App) *cobra.Command {
	var o learnOptions
	cmd := &cobra.Command{
		Use:   "merge LIBRARY...",
		Short: "Take over the values of other libraries",
		Long: `Take over what engines and people say of positions in other libraries. Of two searches
of a position the deeper one stays; what was set by hand here outranks what was set
there. Games are not taken over: import them.`,
		Example: `  qipu book merge data/qipu --dry-run
  qipu book merge data/qipu --json`,
		Args: cli.ArgCount(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withBook(a, cmd, &o.bookOptions, o.dryRun, func(v *volume) error {
				for _, dir := range args {
					if err := mergeLibrary(cmd.Context(), a, v, &o, dir); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	o.bookOptions.register(a, cmd)
	o.dry(cmd)
	return cmd
}

func mergeLibrary(ctx context.Context, a *cli.App, v *volume, o *learnOptions, dir string) error {
	other, err := qipu.Open(ctx, dir, qipu.Options{ReadOnly: true, Games: a.Games, Formats: a.Formats})
	if cli.NoFolder(err) {
		return fmt.Errorf("there is no library in %s", dir)
	}
	if err != nil {
		return err
	}
	defer other.Close()
	k, err := other.Records().Kind(o.game)
	if err != nil {
		return err
	}
	t, err := other.Books().Theory(ctx, k)
	if err != nil {
		return err
	}
	return mergeRows(ctx, a, v, o, all(t.Rows()))
}

func bookSet(a *cli.App) *cobra.Command {
	var o bookOptions
	var note string
	var number float64
	cmd := &cobra.Command{
		Use:   "set POSITION",
		Short: "Set the value of a position by hand",
		Long: `Set what a position is worth to the side to move, and say why: the lead in discs in
Othello, in all other games the share of a win from 0 to 1.
What is set by hand outranks every search, and counts in the values of all
positions that lead to it. Without --value the value is taken back, and without
--note the note.

POSITION is a position text or a list of moves.`,
		Example: `  qipu book set f5f4 --value 5 --note "Black is better off"
  qipu book set f5f4`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withBook(a, cmd, &o, false, func(v *volume) error {
				value := engine.NoValue
				if cmd.Flags().Changed("value") {
					least, most := v.Bounds()
					if !(number >= least && number <= most) {
						return cli.Usagef("%s: --value %v: want a number from %g to %g", cmd.CommandPath(), number, least, most)
					}
					value = v.ValueOf(number)
				}
				at, err := v.stand(a, args)
				if err != nil {
					return err
				}
				if err := v.Theory.Edit(cmd.Context(), at.Pos, value, note); err != nil {
					return err
				}
				w := bookview.EntryOf(at, v.Look(at, book.LookOptions{}), book.DefaultThreshold, bookview.UsualSlack)
				if a.JSON {
					return a.PrintJSON(cli.Typed("entry", w))
				}
				fmt.Fprintf(a.Out, "by hand %s, E %s, X %s\n", v.scored(w.Values.Human), v.levelled(&w.Values), v.scored(w.Values.X))
				return nil
			})
		},
	}
	o.register(a, cmd)
	cmd.Flags().Float64Var(&number, "value", 0, "for the side to move: discs in Othello, else the share of a win from 0 to 1")
	cmd.Flags().StringVar(&note, "note", "", "why")
	return cmd
}
