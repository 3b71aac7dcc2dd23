package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/mine/queue"
	"qipu/named"
	"qipu/query"
	"qipu/text"
	"qipu/text/term"
	"qipu/view"
	"qipu/view/shapeview"
)

func namesCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "names",
		Short: "What has a name on boards: mates, structures, openings, codes, terms",
		Long: `The catalogue of names: mates and structures of Xiangqi by what pieces do to each
other, openings of every game, codes of openings by definition, and the terms that
titles and comments are made of. Every name is a query: qipu find named:馬後炮.

Patterns of pieces are text that players may write: docs/patterns.md tells how. Those
of the program lie lowest, above them the files that end in .patterns of --shapes and
QIPU_SHAPES, and above these what qipu names add keeps in the library. qipu shapes
match says what stands on a board, and why.`,
		Example: `  qipu names list --game xiangqi --kind mate
  qipu names show 馬後炮 --game xiangqi
  qipu names split 中炮過河炮邊傌對屏風馬高車捉炮`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringArrayVar(&a.Shapes, "shapes", nil, "folder or file of patterns to lay above those of the program; may be repeated")
	cmd.AddCommand(namesList(a), namesShow(a), namesAdd(a), namesDelete(a), namesExport(a), namesLint(a), namesBuild(a), namesTerms(a), namesSplit(a))
	return cmd
}

// nameOptions choose names.
type nameOptions struct {
	app                               *cli.App
	spec, kind, text, order, language string
	limit                             int
}

func (o *nameOptions) register(cmd *cobra.Command) {
	o.app.GameFlag(cmd, &o.spec, "xiangqi", "which game, as in othello")
	registerLanguage(cmd, &o.language)
}

// names returns what has a name in a game, and the library if there is one.
func (o *nameOptions) with(ctx context.Context, do func(l *qipu.Library, p *knowledge.Patterns, k *index.Kind, book *named.Items) error) error {
	r, err := o.app.Game(o.spec)
	if err != nil {
		return err
	}
	return withPatterns(ctx, o.app, func(l *qipu.Library, p *knowledge.Patterns) error {
		k := index.NewKind(r)
		if l != nil {
			if k, err = l.Records().Kind(o.spec); err != nil {
				return err
			}
		}
		book, err := p.Book(k)
		if err != nil {
			return err
		}
		return do(l, p, k, book)
	})
}

func namesList(a *cli.App) *cobra.Command {
	o := nameOptions{app: a}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List what has a name, with games and score",
		Long: `List what has a name on the boards of a game. With a library, how many of its games
have it, and the score of the side that had it with its 95 % interval; of openings
that belong to both sides, the score of the side that moves first.`,
		Example: `  qipu names list --kind structure --order score
  qipu names list --game othello --text tiger
  qipu names list --kind code --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.list(cmd.Context()) },
	}
	o.register(cmd)
	f := cmd.Flags()
	cli.Enum(cmd, &o.kind, "kind", "", "mate, structure, opening, code or ending", "mate", "structure", "opening", "code", "ending")
	f.StringVar(&o.text, "text", "", "with these words in names or notes")
	cli.Enum(cmd, &o.order, "order", "base", "base (as the tables have them), count, score or name", "base", "count", "score", "name")
	f.IntVar(&o.limit, "limit", 0, "names to list (0: all)")
	return cmd
}

func (o *nameOptions) list(ctx context.Context) error {
	if o.limit < 0 {
		return cli.Usagef("--limit %d: want a number of names, or 0 for all", o.limit)
	}
	return o.with(ctx, func(l *qipu.Library, p *knowledge.Patterns, k *index.Kind, book *named.Items) error {
		scores := &ask.NameScores{Ready: true}
		if l != nil {
			var err error
			if scores, err = l.Search().NameScores(ctx, k); err != nil {
				return err
			}
		}
		list := shapeview.FitNames(book, o.kind, o.text)
		shapeview.SortNames(list, o.order, scores)
		if o.limit > 0 {
			list = list[:min(len(list), o.limit)]
		}
		t := &cli.Table{Columns: []string{"id", "name", "kind", "games", "score", "95%"}}
		for _, it := range list {
			w := shapeview.NameOf(k.Rules, p, book, it)
			games, rate, bounds := "", "", ""
			if score, ok := scores.Scores[it.ID]; ok {
				w.Count = shapeview.CountOf(&score)
				games = fmt.Sprint(score.Count)
				if score.First+score.Second+score.Draws > 0 {
					rate, bounds = fmt.Sprintf("%.3f", w.Count.Score), fmt.Sprintf("%.3f-%.3f", w.Count.Low, w.Count.High)
				}
			}
			t.Add(cli.Typed("name", w), it.ID, cli.Printable(cli.Shorten(nameIn(it.Names, o.language), 60)), string(it.Kind), games, rate, bounds)
		}
		if len(t.Rows) == 0 {
			return o.nothing(o.text == "" && o.kind == "", "nothing is called so", "list")
		}
		if !scores.Ready {
			fmt.Fprintln(o.app.Err, "note: the index of names is not complete: qipu names build makes it, and the counts then")
		}
		return o.app.Print(t)
	})
}

// nothing tells that a list is empty: all of it, or for what was asked.
func (o *nameOptions) nothing(all bool, message, command string) error {
	if all {
		message = "none are known for " + o.spec + ": qipu names " + command + " lists those of Xiangqi"
	} else {
		message += ": qipu names " + command + " --game " + o.spec + " lists all"
	}
	return o.app.Nothing("%s", message)
}

// completeItems offers the ids of names for the first argument.
func (o *nameOptions) completeItems(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if len(args) == 0 {
		_ = o.with(cmd.Context(), func(_ *qipu.Library, _ *knowledge.Patterns, _ *index.Kind, book *named.Items) error {
			for _, it := range book.Items() {
				if strings.HasPrefix(it.ID, prefix) {
					ids = append(ids, it.ID)
				}
			}
			return nil
		})
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

func namesShow(a *cli.App) *cobra.Command {
	o := nameOptions{app: a}
	cmd := &cobra.Command{
		Use:               "show NAME",
		Short:             "Show a name with its definition and examples",
		Long:              `Show what is called so in any language: names, definition, fixtures, and with a library how it fared and where it stands in its games.`,
		Example:           "  qipu names show 臥槽馬\n  qipu names show Tiger --game othello\n  qipu names show C42 --json",
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: o.completeItems,
		RunE:              func(cmd *cobra.Command, args []string) error { return o.show(cmd.Context(), args[0]) },
	}
	o.register(cmd)
	cmd.Flags().IntVar(&o.limit, "examples", 5, "boards of the library to name")
	return cmd
}

func (o *nameOptions) show(ctx context.Context, name string) error {
	if o.limit < 0 {
		return cli.Usagef("--examples %d: want a number of boards", o.limit)
	}
	return o.with(ctx, func(l *qipu.Library, p *knowledge.Patterns, k *index.Kind, book *named.Items) error {
		it := book.Find(name)
		if it == nil {
			return fmt.Errorf("%s has nothing that is called %q%s: qipu names list tells all, --game asks another game", o.spec, name, near(book.Nearest(name, 3)))
		}
		w := shapeview.NameDetailOf(k.Rules, p, book, it)
		if l != nil {
			scores, err := l.Search().NameScores(ctx, k)
			if err != nil {
				return err
			}
			if score, ok := scores.Scores[it.ID]; ok {
				w.Name.Count = shapeview.CountOf(&score)
			}
			if o.limit > 0 {
				boards, err := l.Search().NameBoards(ctx, k, it, o.limit)
				if err != nil {
					return err
				}
				w.Examples = shapeview.NameBoardsOf(k.Rules, boards)
			}
			q, err := queue.Read(l.Records())
			if err != nil {
				return err
			}
			w.Findings = shapeview.FindingsOf(q, k.Rules.Info().Name, it.ID)
		}
		if o.app.JSON {
			return o.app.PrintJSON(cli.Typed("name", *w))
		}
		return o.tellName(k.Rules, it, w)
	})
}

func (o *nameOptions) tellName(r game.Rules, it *named.Item, w *view.NameDetail) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", it.ID, cli.Printable(nameIn(it.Names, o.language)))
	row := func(head, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-12s %s\n", head, cli.Printable(text))
		}
	}
	row("names", strings.Join(titlesOf(it), ", "))
	row("kind", string(it.Kind))
	row("note", it.Note)
	row("source", it.Source)
	row("case of", it.Parent)
	row("kept in", w.Name.Layer)
	row("query", w.Name.Query)
	row("line", w.Line)
	if c := w.Name.Count; c != nil {
		row("games", fmt.Sprintf("%d: won %d, drawn %d, lost %d by who had it; score %.3f (%.3f-%.3f)", c.Games, c.Won, c.Drawn, c.Lost, c.Score, c.Low, c.High))
	}
	for _, c := range w.Cases {
		row("  case", c.ID+" "+nameIn(c.Names, o.language))
	}
	yes, no := 0, 0
	for i := range w.Boards {
		if w.Boards[i].Match {
			yes++
		} else {
			no++
		}
	}
	if yes+no > 0 {
		row("fixtures", fmt.Sprintf("%d boards on which it stands, %d on which it does not", yes, no))
	}
	for i := range w.Examples {
		x := &w.Examples[i]
		row("  example", fmt.Sprintf("%d#%d (%s)%s", x.Record, x.Ply, x.Title, rolesText(x.Roles)))
	}
	for i := range w.Findings {
		x := &w.Findings[i]
		row("found", fmt.Sprintf("%s (%s; accepted by %s)", x.Sentence, x.Found, strings.Join(x.By, ", ")))
	}
	if w.Text != "" && it.Line == nil {
		fmt.Fprintf(&b, "\n%s", w.Text)
	}
	_, err := fmt.Fprint(o.app.Out, b.String())
	return err
}

// titlesOf returns the names of an item, each once. Those are marked that are ours in
// every language that has them.
func titlesOf(it *named.Item) []string {
	titles, tags := it.Titles(), named.Tags()
	var list []string
	for _, s := range append(slices.Clone(titles), it.Aliases...) {
		if s == "" || slices.Contains(list, s) || slices.Contains(list, s+" (ours)") {
			continue
		}
		ours, attested := false, slices.Contains(it.Aliases, s)
		for i, title := range titles {
			coined := slices.Contains(it.Coined, tags[i])
			ours, attested = ours || title == s && coined, attested || title == s && !coined
		}
		if ours && !attested {
			s += " (ours)"
		}
		list = append(list, s)
	}
	return list
}

// rolesText tells which piece has which part.
func rolesText(roles []view.NameRole) string {
	var list []string
	for _, x := range roles {
		list = append(list, x.Name+"="+x.At)
	}
	if len(list) == 0 {
		return ""
	}
	return ": " + strings.Join(list, " ")
}

func namesBuild(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "build",
		Short: "Make the index of names complete",
		Long: `Walk along the games that the index of names does not know yet, and once more along
all for patterns that were added or changed. qipu import does it at its end, and qipu
serve in the background; this is for after an edit of patterns. Until then queries
for these names walk along the games themselves, and say so.`,
		Example: "  qipu names build\n  qipu names build --json",
		Args:    cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := a.OpenLibrary(cmd.Context(), qipu.Options{})
			if err != nil {
				return err
			}
			done, err := a.BuildNames(cmd.Context(), l)
			if e := l.Close(); err == nil {
				err = e
			}
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "built"}, {Name: "tables", Value: done.Tables}, {Name: "columns", Value: done.Columns}, {Name: "lines", Value: done.Lines}, {Name: "bytes", Value: done.Bytes}},
				"%s made for %s", cli.Plural(done.Columns, "column"), cli.Plural(done.Lines, "line"))
		},
	}
}

func namesTerms(a *cli.App) *cobra.Command {
	o := nameOptions{app: a}
	var unknown int
	cmd := &cobra.Command{
		Use:   "terms [WORDS]",
		Short: "List the terms in titles and comments, and those that nobody has defined",
		Long: `List the terms of a game that the titles and comments of the library's games have,
the most frequent first, with the name that each stands for where there is one; with
--unknown, words that may be terms and are in no dictionary, for an expert to define.
Without a library, list what the dictionary has.`,
		Example: "  qipu names terms\n  qipu names terms 車 --language zh-Hant\n  qipu names terms --unknown 30",
		Args:    cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.terms(cmd.Context(), strings.Join(args, " "), unknown)
		},
	}
	o.register(cmd)
	cmd.Flags().IntVar(&unknown, "unknown", 0, "list this many unknown ones instead")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "terms to list (0: all)")
	return cmd
}

func (o *nameOptions) terms(ctx context.Context, words string, unknown int) error {
	return o.with(ctx, func(l *qipu.Library, _ *knowledge.Patterns, k *index.Kind, _ *named.Items) error {
		found := &ask.Terms{}
		switch {
		case l != nil:
			var err error
			if found, err = l.Search().Terms(ctx, k); err != nil {
				return err
			}
		case unknown > 0:
			return errors.New("unknown terms are those of the games of a library, and there is none: make one with qipu import PATH..., or name one with --library")
		default:
			for t := range term.Of(k.Rules.Info().Name).All() {
				found.Known = append(found.Known, ask.TermCount{Term: t})
			}
		}
		return o.printTerms(found, words, unknown, l != nil)
	})
}

// printTerms lists terms, with their games where these were counted.
func (o *nameOptions) printTerms(found *ask.Terms, words string, unknown int, counted bool) error {
	if unknown > 0 {
		t := &cli.Table{Columns: []string{"term", "times", "games", "example"}}
		for _, u := range shapeview.UnknownOf(found, unknown) {
			t.Add(cli.Typed("unknown", u), cli.Printable(u.Text), fmt.Sprint(u.Count), fmt.Sprint(u.Games), cli.Printable(u.Example))
		}
		return o.app.Print(t)
	}
	t := &cli.Table{Columns: []string{"term", "name", "kind", "games", "stands for"}}
	for _, x := range shapeview.TermsOf(found, text.Fold(words)) {
		if o.limit > 0 && len(t.Rows) == o.limit {
			break
		}
		games := ""
		if counted {
			games = fmt.Sprint(x.Games)
		}
		t.Add(cli.Typed("term", x), x.ID, cli.Printable(nameIn(x.Names, o.language)), x.Kind, games, x.Name)
	}
	if len(t.Rows) == 0 {
		return o.nothing(words == "", "no term is called so", "terms")
	}
	return o.app.Print(t)
}

func namesSplit(a *cli.App) *cobra.Command {
	var spec string
	cmd := &cobra.Command{
		Use:     "split TEXT",
		Short:   "Take the title of a game apart into its terms",
		Example: "  qipu names split 中炮過河炮邊傌對屏風馬高車捉炮\n  qipu names split 順炮直車對橫車 --json",
		Args:    cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := a.Game(spec)
			if err != nil {
				return err
			}
			t := &cli.Table{Columns: []string{"text", "term", "side", "query"}}
			for _, p := range shapeview.SplitOf(term.Of(r.Info().Name), args[0]).Pieces {
				ask := ""
				if p.Term != "" {
					ask = query.Field{Name: "term", Value: p.Text}.String()
				}
				t.Add(cli.Typed("part", p), cli.Printable(p.Text), p.Term, map[int]string{0: "first", 1: "second"}[p.Side], ask)
			}
			return a.Print(t)
		},
	}
	a.GameFlag(cmd, &spec, "xiangqi", "which game")
	return cmd
}
