package knowledge

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
	"qipu/text"
	"qipu/view/shapeview"
)

func shapesCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shapes",
		Short: "Read, try and write the knowledge base of Go shapes",
		Long: `The knowledge base of Go shapes: local patterns with the good points of both sides,
what they are good for, how urgent they are, their names in five languages, and how
they fared in records.

The base lies in layers: what comes with the program; above it the folders (or
files) of --shapes and of QIPU_SHAPES, a list parted as PATH is; above these what
the library keeps in its own folder shapes. A shape takes the place of one with the
same id below it. Files are text, which people may write: they end in .shapes. One
that is broken harms nothing else, and lint tells what is wrong with it.

No library is needed to list, show, match, test, lint and export shapes.`,
		Example: `  qipu shapes list --term cut
  qipu shapes show paper-figure-17
  qipu shapes match games/go-9x9-1.sgf#20`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringArrayVar(&a.Shapes, "shapes", nil, "folder or file of shapes to lay above those of the program; may be repeated")
	cmd.AddCommand(shapesList(a), shapesShow(a), shapesMatch(a), shapesAdd(a), shapesEdit(a), shapesDelete(a),
		shapesTest(a), shapesLint(a), shapesStats(a), shapesExport(a), a.Moved("mine", "qipu workshop mine"))
	return cmd
}

// shapeFlags choose shapes.
type shapeFlags struct {
	term, purpose, origin, text, layer string
	urgency                            int
	language                           string
}

func (o *shapeFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.term, "term", "", "of a term, by its id or a name in any language")
	f.StringVar(&o.purpose, "purpose", "", "with these purposes: "+kb.Purpose(1<<len(kb.Purposes())-1).String())
	f.IntVar(&o.urgency, "urgency", 0, "4 urgent, 3 important, 2 ordinary, 1 special cases")
	cli.Enum(cmd, &o.origin, "origin", "", "hand, paper, mined or user", "hand", "paper", "mined", "user")
	cli.Enum(cmd, &o.layer, "layer", "", "shipped, folder or library", "shipped", "folder", "library")
	f.StringVar(&o.text, "text", "", "with these words in names, terms or notes")
}

func registerLanguage(cmd *cobra.Command, language *string) {
	cli.Enum(cmd, language, "language", "en", "of names: en, zh-Hant, zh-Hans, ja or ko", cli.Languages...)
}

// nameIn returns a name in a language, or where there is none in one that its readers
// may know.
func nameIn(n board.Names, language string) string {
	i := slices.Index(cli.Languages, language)
	if i < 0 {
		i = 0
	}
	list := []string{n.En, n.Hant, n.Hans, n.Ja, n.Ko}
	other := "" // who reads one of the Chinese scripts reads the other before English
	if i == 1 || i == 2 {
		other = list[3-i]
	}
	return cmp.Or(list[i], other, n.En, n.Hant, n.Ja)
}

// fits returns a test for the shapes that are chosen.
func (o *shapeFlags) fits(s *knowledge.Shapes) (func(*kb.Entry) bool, error) {
	purpose, err := kb.ParsePurpose(strings.ReplaceAll(o.purpose, ",", " "))
	if err != nil {
		return nil, cli.Usagef("--purpose: %s", strings.TrimPrefix(err.Error(), "kb: "))
	}
	if o.urgency < 0 || o.urgency > 4 {
		return nil, cli.Usagef("--urgency %d: 4 urgent, 3 important, 2 ordinary, 1 special cases", o.urgency)
	}
	term := ""
	if o.term != "" {
		m := s.Base.Find(o.term)
		if m == nil || m.Term == nil {
			return nil, cli.Usagef("--term %s: no term is called so%s", o.term, near(nearTerms(s, o.term)))
		}
		term = m.Term.ID
	}
	words := strings.Fields(text.Fold(o.text))
	return func(e *kb.Entry) bool {
		return (term == "" || slices.Contains(e.Terms, term)) && e.Purpose&purpose == purpose && (o.urgency == 0 || int(e.Urgency) == o.urgency) &&
			(o.origin == "" || e.Origin.String() == o.origin) && (o.layer == "" || string(s.Layer(e.ID)) == o.layer) && s.Mentions(e, words)
	}, nil
}

// nearTerms returns what terms are called that is spelled similarly.
func nearTerms(s *knowledge.Shapes, name string) []string {
	var known []string
	for i := range s.Base.Terms {
		t := &s.Base.Terms[i]
		known = append(known, t.ID, t.Names.En, t.Names.Hant, t.Names.Hans, t.Names.Ja, t.Names.Ko)
	}
	return text.Nearest(name, slices.Values(known), 3)
}

func near(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ": is it " + strings.Join(names, " or ") + "?"
}

func shapesList(a *cli.App) *cobra.Command {
	var o shapeFlags
	var order string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List shapes",
		Long: `List the shapes of the base, or some of them. Seen is how often the shape stood in
the records that the evidence was counted in, and rate how many of these times it
was played there.`,
		Example: `  qipu shapes list --purpose cut --urgency 4
  qipu shapes list --term cut --csv
  qipu shapes list --origin paper --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return listShapes(a, s, &o, order) })
		},
	}
	o.register(cmd)
	registerLanguage(cmd, &o.language)
	cli.Enum(cmd, &order, "order", "base", "base (as in the files), urgency, seen, rate or name", knowledge.ShapeOrders...)
	_ = cmd.RegisterFlagCompletionFunc("term", completeTerms)
	return cmd
}

func listShapes(a *cli.App, s *knowledge.Shapes, o *shapeFlags, order string) error {
	fits, err := o.fits(s)
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"id", "names", "term", "purpose", "urgency", "seen", "rate", "origin"}}
	for _, e := range s.Sorted(order) {
		if !fits(e) {
			continue
		}
		seen, rate := "-", "-"
		if v, stale := s.Evidence(e); v != nil && !stale {
			seen = strconv.Itoa(v.Seen)
			if len(e.Ours)+len(e.Theirs) > 0 {
				rate = cli.Percent(v.Rate(e))
			}
		}
		term := ""
		if len(e.Terms) > 0 {
			term = e.Terms[0]
		}
		t.Add(cli.Typed("shape", shapeview.ShapeOf(s, e)), e.ID, nameIn(s.Base.Title(e), o.language), term, e.Purpose.String(), strconv.Itoa(int(e.Urgency)), seen, rate, e.Origin.String())
	}
	if len(t.Rows) == 0 {
		return a.Nothing("no shape is like that: qipu shapes list lists all")
	}
	return a.Print(t)
}

// completeTerms offers the ids of terms.
func completeTerms(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, t := range knowledge.LoadShapes().Base.Terms {
		list = append(list, t.ID+"\t"+t.Names.En)
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeShapes offers the ids of shapes for the first argument: those of a layer,
// or of all.
func completeShapes(a *cli.App, layer knowledge.Layer) cli.Completion {
	return func(cmd *cobra.Command, args []string, _ string) (list []string, _ cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		_ = a.WithLayers(cmd.Context(), func(s *knowledge.Shapes) error { // nobody who types wants an error
			for i := range s.Base.Entries {
				if e := &s.Base.Entries[i]; layer == "" || s.Layer(e.ID) == layer {
					list = append(list, e.ID+"\t"+s.Base.Title(e).En)
				}
			}
			return nil
		})
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

func shapesShow(a *cli.App) *cobra.Command {
	var language, svg string
	cmd := &cobra.Command{
		Use:   "show ID|NAME",
		Short: "Show a shape with all that is known of it",
		Long: `Show a shape by its id, or all shapes of a term or name in any language: the diagram
with letters on the good points, every field, how it fared in records with examples,
its fixtures, and the form of the paper where that has one for it.

In the diagram O is own, X the enemy, a dot is empty; & is not own, @ not the enemy,
* anything on the board, # outside the board, _ anything at all.`,
		Example: `  qipu shapes show paper-figure-17
  qipu shapes show paper-figure-10 --json
  qipu shapes show paper-figure-17 --svg shape.svg`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: completeShapes(a, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return showShapes(a, s, args[0], language, svg) })
		},
	}
	registerLanguage(cmd, &language)
	cmd.Flags().StringVar(&svg, "svg", "", "draw the shape into this file, as an SVG picture")
	return cmd
}

// shapeNamed returns the one shape that an argument means.
func shapeNamed(s *knowledge.Shapes, name string) (*kb.Entry, error) {
	list, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	if len(list) != 1 {
		var ids []string
		for _, e := range list {
			ids = append(ids, e.ID)
		}
		return nil, fmt.Errorf("%q is a name of %s: say which by the id: %s", name, cli.Plural(len(list), "shape"), strings.Join(ids[:min(len(ids), 12)], ", "))
	}
	return list[0], nil
}

func showShapes(a *cli.App, s *knowledge.Shapes, name, language, svg string) error {
	list, err := s.Find(name)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return a.Nothing("the term %s has no shapes", cli.Printable(name))
	}
	if svg != "" {
		e, err := shapeNamed(s, name)
		if err != nil {
			return err
		}
		if err := a.Emit(shapePicture(s, e, language), svg); err != nil {
			return err
		}
		fmt.Fprintf(a.Err, "the picture is in %s\n", svg)
	}
	if a.CSV {
		return cli.Usagef("a shape has no CSV form: use --json, or qipu shapes list --csv")
	}
	for i, e := range list {
		if a.JSON {
			if err := a.PrintJSON(cli.Typed("shape", shapeview.DetailOf(s, e))); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		if _, err := fmt.Fprint(a.Out, describeShape(s, e, language)); err != nil {
			return err
		}
	}
	return nil
}

// describeShape returns all that is known of a shape in words.
func describeShape(s *knowledge.Shapes, e *kb.Entry, language string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n%s\n", e.ID, cli.Printable(nameIn(s.Base.Title(e), language)), e.Diagram())
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, cli.Printable(value))
		}
	}
	n := s.Base.Title(e)
	row("names", strings.Join(slices.DeleteFunc([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko}, func(s string) bool { return s == "" }), ", "))
	row("also", strings.Join(e.Aliases, ", "))
	row("terms", strings.Join(e.Terms, ", "))
	row("purpose", e.Purpose.String())
	row("urgency", fmt.Sprintf("%d (%s)", e.Urgency, nameIn(e.Urgency.Names(), language)))
	row("ours", pointsOf(e, e.Ours))
	row("theirs", pointsOf(e, e.Theirs))
	if e.Place != [2]uint8{} {
		row("place", fmt.Sprintf("%d%d", e.Place[0], e.Place[1]))
	}
	row("pictures", strconv.Itoa(e.Orientations()))
	row("overrides", strings.Join(e.Overrides, ", "))
	row("yields to", strings.Join(e.Yields, ", "))
	row("origin", strings.TrimSuffix(e.Origin.String()+": "+e.Source, ": "))
	row("kept in", fmt.Sprintf("%s:%d (%s)", e.File, e.Line, s.Layer(e.ID)))
	row("note", e.Note)
	if v, stale := s.Evidence(e); v != nil {
		text := "stood " + times(v.Seen)
		if len(e.Ours)+len(e.Theirs) > 0 {
			text += fmt.Sprintf(", played by own in %d and by the enemy in %d: %s", v.Ours, v.Theirs, cli.Percent(v.Rate(e)))
		}
		if stale {
			text += " (of an older diagram: count anew with qipu workshop count)"
		}
		row("evidence", text)
		for _, x := range v.Examples {
			row("  example", strings.TrimSuffix(fmt.Sprintf("%s#%d (%s)", x.File, x.Ply, x.Title), " ()"))
		}
	}
	row("query", shapeview.QueryOf(e))
	if checks := s.Checks(e.ID); len(checks) > 0 {
		passed := 0
		for _, c := range checks {
			if e.Fails(c) == "" {
				passed++
			}
		}
		row("fixtures", fmt.Sprintf("%d of %d hold", passed, len(checks)))
	}
	if paper, err := e.AppendPaper(nil); err == nil {
		fmt.Fprintf(&b, "\nin the form of the paper\n%s", indent(string(paper)))
	}
	return b.String()
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// pointsOf tells points of a diagram by their letters there, rows and columns.
func pointsOf(e *kb.Entry, list []kb.Spot) string {
	rows := strings.Split(e.Diagram(), "\n")
	var out []string
	for _, at := range list {
		out = append(out, fmt.Sprintf("%s (row %d, column %d)", strings.Fields(rows[at.Y])[at.X], at.Y+1, at.X+1))
	}
	return strings.Join(out, ", ")
}
