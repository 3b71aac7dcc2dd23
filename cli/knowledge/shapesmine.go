package knowledge

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
	"qipu/mine"
	"qipu/pattern/kb"
	"qipu/view/shapeview"
)

func shapesMine(a *cli.App) *cobra.Command {
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
		Example: `  qipu shapes mine --support 2 --limit 5
  qipu shapes mine --files games --support 2 --limit 5 --out mined.shapes`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.MinPlayed < 0 || options.Shapes < 0 || options.Avoid < -1 || options.MinGain < 0 || options.MaxOften < 0 || options.MinRate < 0 || options.MinRate > 1 {
				return cli.Usagef("--rate wants a share from 0 to 1; --support, --lift, --often and --limit want numbers that are not negative, --avoid one from -1")
			}
			return withShapes(cmd.Context(), a, func(s *knowledge.Shapes) error {
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
	shapeJSON
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
		t.Add(candidateJSON{shapeJSON{"shape", shapeview.ShapeOf(s, &c.Entry)}, c.Found, c.Confirmed, c.Lift},
			c.Entry.ID, s.Base.Title(&c.Entry).En, strconv.Itoa(c.Found.Seen), percent(c.Found.Rate()), strconv.Itoa(c.Confirmed.Seen), percent(c.Confirmed.Rate()),
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
	return o.app.Say(cli.Figures{{"type", "total"}, {"shapes", len(t.Rows)}, {"mined", result.Games[0]}, {"confirmed", result.Games[1]}, {"contexts", result.Contexts}},
		text, cli.Plural(len(t.Rows), "shape"), result.Games[0], result.Games[1], result.Contexts)
}

func shapesStats(a *cli.App) *cobra.Command {
	o := goGames{app: a}
	var by, write string
	var count bool
	cmd := &cobra.Command{
		Use:   "stats [QUERY]",
		Short: "Count shapes by term, purpose, urgency or origin, or in games",
		Long: `Count the shapes of the base by what they are sorted by, with how often they stood in
records and were played.

With --count, count every shape anew in the games that QUERY finds in the library, or
in those of --files, and list the shapes with what came out; --write keeps it in a
file. One that is called evidence.tsv and lies in a folder of shapes is read from
there in place of what comes with the program.`,
		Example: `  qipu shapes stats
  qipu shapes stats --by purpose --csv
  qipu shapes stats --count --write evidence.tsv --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if err := cli.OneOf("by", by, "term", "purpose", "urgency", "origin"); err != nil {
				return err
			}
			if !count && (query != "" || write != "" || len(o.files) > 0) {
				return cli.Usagef("a query, --files and --write are for --count")
			}
			return withShapes(cmd.Context(), a, func(s *knowledge.Shapes) error {
				if count {
					return o.count(cmd.Context(), s, query, write)
				}
				return tallyShapes(a, s, by)
			})
		},
	}
	cmd.Flags().StringVar(&by, "by", "term", "term, purpose, urgency or origin")
	cmd.Flags().BoolVar(&count, "count", false, "count every shape in games")
	cmd.Flags().StringVar(&write, "write", "", "keep what --count finds in this file")
	o.register(cmd, 0)
	return cmd
}

// tallyJSON is a row of stats.
type tallyJSON struct {
	Type   string `json:"type"` // "tally"
	By     string `json:"by"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Shapes int    `json:"shapes"`
	Mined  int    `json:"mined"`
	Seen   int    `json:"seen"`
	Played int    `json:"played"`
}

func tallyShapes(a *cli.App, s *knowledge.Shapes, by string) error {
	rows := map[string]*tallyJSON{}
	var order []string
	row := func(id, name string) *tallyJSON {
		if rows[id] == nil {
			rows[id] = &tallyJSON{Type: "tally", By: by, ID: id, Name: name}
			order = append(order, id)
		}
		return rows[id]
	}
	switch by { // all there are, in their order
	case "term":
		for i := range s.Base.Terms {
			row(s.Base.Terms[i].ID, s.Base.Terms[i].Names.En)
		}
	case "purpose":
		for _, p := range kb.Purposes() {
			row(p.String(), p.Names().En)
		}
	case "urgency":
		for u := kb.Urgent; u >= kb.Special; u-- {
			row(strconv.Itoa(int(u)), u.String())
		}
	}
	for i := range s.Base.Entries {
		e := &s.Base.Entries[i]
		var ids []string
		switch by {
		case "term":
			ids = e.Terms
		case "purpose":
			for _, p := range e.Purpose.Each() {
				ids = append(ids, p.String())
			}
		case "urgency":
			ids = []string{strconv.Itoa(int(e.Urgency))}
		case "origin":
			ids = []string{e.Origin.String()}
		}
		for _, id := range ids {
			r := row(id, id)
			r.Shapes++
			if e.Origin == kb.Mined {
				r.Mined++
			}
			if v, stale := s.Evidence(e); v != nil && !stale {
				r.Seen += v.Seen
				r.Played += played(e, v)
			}
		}
	}
	t := &cli.Table{Columns: []string{by, "names", "shapes", "mined", "seen", "played"}}
	for _, id := range order {
		r := rows[id]
		t.Add(r, r.ID, r.Name, strconv.Itoa(r.Shapes), strconv.Itoa(r.Mined), strconv.Itoa(r.Seen), strconv.Itoa(r.Played))
	}
	if err := a.Print(t); err != nil || a.CSV || a.JSON {
		return err
	}
	fmt.Fprintf(a.Out, "%s, %s\n", cli.Plural(len(s.Base.Entries), "shape"), cli.Plural(len(s.Base.Terms), "term"))
	return nil
}

// played is how often the side with the good points played one.
func played(e *kb.Entry, v *kb.Evidence) int {
	if len(e.Ours) == 0 {
		return v.Theirs
	}
	return v.Ours
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
			v.ID, s.Base.Title(e).En, strconv.Itoa(v.Seen), strconv.Itoa(v.Ours), strconv.Itoa(v.Theirs), percent(v.Rate(e)))
	}
	return o.app.Print(t)
}

func shapesExport(a *cli.App) *cobra.Command {
	var o shapeFlags
	var form, out string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Write shapes into a file",
		Long: `Write the shapes of the base, or some of them, as one text: with their terms and
fixtures (shapes), in the field form of the paper (paper), in the older 1-2-4-8 form
(digits), or as JSON. Shapes that a form has no way to write are left out, and told.`,
		Example: `  qipu shapes export --term cut
  qipu shapes export --origin paper --form paper
  qipu shapes export --origin paper --form digits --out cut.txt`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.CSV {
				return cli.Usagef("shapes have no CSV form but that of qipu shapes list --csv: give --form or --json")
			}
			if a.JSON {
				form = "json"
			}
			if err := cli.OneOf("form", form, "shapes", "paper", "digits", "json"); err != nil {
				return err
			}
			return withShapes(cmd.Context(), a, func(s *knowledge.Shapes) error { return exportShapes(a, s, &o, form, out) })
		},
	}
	o.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("term", completeTerms)
	cmd.Flags().StringVar(&form, "form", "shapes", "shapes, paper, digits or json")
	cmd.Flags().StringVar(&out, "out", "", "write to this file")
	return cmd
}

func exportShapes(a *cli.App, s *knowledge.Shapes, o *shapeFlags, form, out string) error {
	fits, err := o.fits(s)
	if err != nil {
		return err
	}
	var list []*kb.Entry
	terms := map[string]bool{}
	for i := range s.Base.Entries {
		if e := &s.Base.Entries[i]; fits(e) {
			list = append(list, e)
			for _, id := range e.Terms {
				terms[id] = true
			}
		}
	}
	if len(list) == 0 {
		fmt.Fprintln(a.Err, "no shape is like that: qipu shapes list lists all")
		return cli.Silent(cli.ExitNothing)
	}
	var data []byte
	if form == "shapes" {
		for i := range s.Base.Terms {
			if t := &s.Base.Terms[i]; terms[t.ID] {
				data = append(t.AppendTo(data), '\n')
			}
		}
	}
	left := 0
	for i, e := range list {
		switch form {
		case "shapes":
			data = append(data, s.Text(e)...)
		case "json":
			line, err := cli.MarshalLine(shapeDetailJSON{"shape", shapeview.DetailOf(s, e)})
			if err != nil {
				return err
			}
			data = append(data, line...)
			continue
		default:
			write := e.AppendPaper
			if form == "digits" {
				write = e.AppendDigits
			}
			next, err := write(data)
			if err != nil { // the form cannot hold it
				if left++; left <= 5 {
					fmt.Fprintf(a.Err, "note: %s\n", strings.TrimPrefix(err.Error(), "kb: "))
				}
				continue
			}
			data = next
		}
		if i+1 < len(list) {
			data = append(data, '\n')
		}
	}
	if left > 0 {
		fmt.Fprintf(a.Err, "note: the form %s cannot hold %d of %s\n", form, left, cli.Plural(len(list), "shape"))
	}
	if err := a.Emit(data, out); err != nil || out == "" {
		return err
	}
	fmt.Fprintf(a.Err, "%s in %s\n", cli.Plural(len(list)-left, "shape"), out)
	return nil
}
