package workshop

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/view"
	"qipu/view/shapeview"
	"qipu/workshop/mine"
)

func mineCommand(a *cli.App) *cobra.Command {
	o := goGames{app: a}
	var options mine.Options
	var out string
	cmd := &cobra.Command{
		Use:   "mine [QUERY]",
		Short: "Find new shapes in games",
		Long: `Find shapes in games of Go that the base does not have: contexts of moves that are
played far more often than others like them, or far less (to be avoided), grown and
pruned so that each says no more than it must. They are found in one half of the
games and confirmed in the other; the table shows both.

The games are those that QUERY finds in the library, or of --files. --out writes the
shapes with their fixtures into a file that qipu shapes add takes; look through it
first. The same games and flags give the same file. Ten thousand games take some
minutes; thousands are needed to find anything.`,
		Example: `  qipu workshop mine --support 2 --limit 5
  qipu workshop mine --files games --support 2 --limit 5 --out mined.shapes`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.MinPlayed < 0 || options.Shapes < 0 || options.Avoid < -1 || options.MinGain < 0 || options.MaxOften < 0 || options.MinRate < 0 || options.MinRate > 1 {
				return cli.Usagef("--rate wants a share from 0 to 1; --support, --lift, --often and --limit want numbers that are not negative, --avoid one from -1")
			}
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error {
				return o.mine(cmd.Context(), s, strings.Join(args, " "), options, out)
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&options.MinPlayed, "support", 0, "in how many occurrences of the mined half a shape must have been played (default 30)")
	f.Float64Var(&options.MinRate, "rate", 0, "how often, of all occurrences, it must be played at least (default 0.3)")
	f.Float64Var(&options.MinGain, "lift", 0, "how much a point must tell to become part of a shape: the statistic G (default 24)")
	f.Float64Var(&options.MaxOften, "often", 0, "how many times in a game it may occur on average, unless it is played more often than not (default 8)")
	f.IntVar(&options.Shapes, "limit", 0, "how many shapes to choose (default 800)")
	f.IntVar(&options.Avoid, "avoid", 0, "how many shapes to avoid at the most besides (default 40, -1 none)")
	f.StringVar(&options.Corpus, "corpus", "", "what sources of mined shapes call the games")
	f.StringVar(&out, "out", "", "write the shapes into this file")
	o.register(cmd, 0)
	return cmd
}

// candidateJSON is a shape that was mined.
type candidateJSON struct {
	Type string `json:"type"` // "shape"
	view.Shape
	Found     mine.Figures `json:"found"`
	Confirmed mine.Figures `json:"confirmed"`
	Lift      float64      `json:"lift"`
}

func (o *goGames) mine(ctx context.Context, s *knowledge.Shapes, query string, options mine.Options, out string) error {
	options.Workers = o.read.Workers
	var bar *cli.Progress // from when the games are read, which has one of its own
	options.Progress = func(done int) {
		if bar == nil {
			bar = o.app.NewProgress("games looked through", 0)
		}
		bar.Games(done, 0)
	}
	result, err := mine.Mine(ctx, s.Base, o.mined(ctx, query), options)
	if bar != nil {
		bar.Close()
	}
	if err != nil {
		return cmp.Or(o.failed, err)
	}
	if out != "" {
		files := mine.Format(result.Candidates)
		err := cli.Atomically(out, func(w io.Writer) error {
			for _, name := range slices.Sorted(maps.Keys(files)) {
				if _, err := fmt.Fprintf(w, "%s\n", strings.TrimRight(string(files[name]), "\n")); err != nil {
					return err
				}
				fmt.Fprintln(w)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	t := &cli.Table{Columns: []string{"id", "names", "seen", "rate", "confirmed", "rate there", "lift"}}
	for i := range result.Candidates {
		c := &result.Candidates[i]
		t.Add(candidateJSON{"shape", shapeview.ShapeOf(s, &c.Entry), c.Found, c.Confirmed, c.Lift},
			c.Entry.ID, s.Base.Title(&c.Entry).En, strconv.Itoa(c.Found.Seen), cli.Percent(c.Found.Rate()), strconv.Itoa(c.Confirmed.Seen), cli.Percent(c.Confirmed.Rate()),
			fmt.Sprintf("%.1f", c.Lift))
	}
	if len(t.Rows) > 0 || o.app.CSV {
		if err := o.app.Print(t); err != nil || o.app.CSV {
			return err
		}
	}
	text := "%s in %d + %d games, of %d contexts"
	if out != "" {
		text += "; they are in " + out
	}
	if len(t.Rows) == 0 {
		text += ": thousands of games are needed, or less --support"
	}
	return o.app.Say(cli.Figures{{Name: "type", Value: "total"}, {Name: "shapes", Value: len(t.Rows)}, {Name: "mined", Value: result.Games[0]}, {Name: "confirmed", Value: result.Games[1]}, {Name: "contexts", Value: result.Contexts}},
		text, cli.Plural(len(t.Rows), "shape"), result.Games[0], result.Games[1], result.Contexts)
}

func countCommand(a *cli.App) *cobra.Command {
	o := goGames{app: a}
	var write string
	cmd := &cobra.Command{
		Use:   "count [QUERY]",
		Short: "Count every shape of the base in games",
		Long: `Count every shape anew in the games that QUERY finds in the library, or in those of
--files, and list the shapes with what came out; --write keeps it in a file. One that
is called evidence.tsv and lies in a folder of shapes is read from there in place of
what comes with the program.`,
		Example: `  qipu workshop count --games 5
  qipu workshop count --write evidence.tsv --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error {
				return o.count(cmd.Context(), s, strings.Join(args, " "), write)
			})
		},
	}
	cmd.Flags().StringVar(&write, "write", "", "keep what is found in this file")
	o.register(cmd, 0)
	return cmd
}

// evidenceJSON is what games say of a shape.
type evidenceJSON struct {
	Type   string  `json:"type"` // "evidence"
	ID     string  `json:"id"`
	Seen   int     `json:"seen"`
	Ours   int     `json:"ours"`
	Theirs int     `json:"theirs"`
	Rate   float64 `json:"rate"`
}

func (o *goGames) count(ctx context.Context, s *knowledge.Shapes, query, write string) error {
	list, err := mine.Count(ctx, s.Base, o.mined(ctx, query), mine.Options{Workers: o.read.Workers})
	if err != nil {
		return cmp.Or(o.failed, err)
	}
	if write != "" {
		err := cli.Atomically(write, func(w io.Writer) error {
			_, err := w.Write(kb.FormatEvidence(list))
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(o.app.Err, "the evidence of %s is in %s\n", cli.Plural(len(list), "shape"), write)
	}
	t := &cli.Table{Columns: []string{"id", "names", "seen", "ours", "theirs", "rate"}}
	for i := range list {
		v := &list[i]
		e := s.Base.Entry(v.ID)
		t.Add(evidenceJSON{"evidence", v.ID, v.Seen, v.Ours, v.Theirs, v.Rate(e)},
			v.ID, s.Base.Title(e).En, strconv.Itoa(v.Seen), strconv.Itoa(v.Ours), strconv.Itoa(v.Theirs), cli.Percent(v.Rate(e)))
	}
	return o.app.Print(t)
}
