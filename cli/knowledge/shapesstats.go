package knowledge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/view/shapeview"
)

func shapesStats(a *cli.App) *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Count shapes by term, purpose, urgency or origin",
		Long: `Count the shapes of the base by what they are sorted by, with how often they stood in
records and were played. qipu workshop count counts them anew in games.`,
		Example: `  qipu shapes stats
  qipu shapes stats --by purpose --csv`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return tallyShapes(a, s, by) })
		},
	}
	cli.Enum(cmd, &by, "by", "term", "term, purpose, urgency or origin", "term", "purpose", "urgency", "origin")
	cli.MovedFlag(cmd, "count", "qipu workshop count")
	return cmd
}

// tally is a row of stats.
type tally struct {
	By     string `json:"by"`
	ID     string `json:"id"`
	Name   string `json:"name"`
	Shapes int    `json:"shapes"`
	Mined  int    `json:"mined"`
	Seen   int    `json:"seen"`
	Played int    `json:"played"`
}

func tallyShapes(a *cli.App, s *knowledge.Shapes, by string) error {
	rows := map[string]*tally{}
	var order []string
	row := func(id, name string) *tally {
		if rows[id] == nil {
			rows[id] = &tally{By: by, ID: id, Name: name}
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
		t.Add(cli.Typed("tally", r), r.ID, r.Name, strconv.Itoa(r.Shapes), strconv.Itoa(r.Mined), strconv.Itoa(r.Seen), strconv.Itoa(r.Played))
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
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return exportShapes(a, s, &o, form, out) })
		},
	}
	o.register(cmd)
	_ = cmd.RegisterFlagCompletionFunc("term", completeTerms)
	cli.Enum(cmd, &form, "form", "shapes", "shapes, paper, digits or json", "shapes", "paper", "digits", "json")
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
		return a.Nothing("no shape is like that: qipu shapes list lists all")
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
			line, err := cli.MarshalLine(cli.Typed("shape", shapeview.DetailOf(s, e)))
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
