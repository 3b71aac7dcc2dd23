package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/query"
	"qipu/query/bind"
	"qipu/retrieve"
	"qipu/store"
	"qipu/text"
	"qipu/view"
	"qipu/view/answerview"
)

func queryCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "query",
		Short: "Save queries under names, and tell how they are understood",
		Long: `List the saved queries of the library, or save, show, rename and drop them. A name
stands for its query wherever one is asked for: named:NAME, or the name alone.

QUERY is one argument or several, which are joined by blanks, or "-" for standard
input. Where it is wrong, the place is shown, and the exit code is 2.`,
		Example: `  qipu query save alpha "player:'Demo Alpha'"
  qipu query save beta "player:'Demo Beta' result:loss"
  qipu query save long moves>60
  qipu query`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listQueries(cmd.Context(), a, false) },
	}
	cmd.AddCommand(queryExplain(a), querySave(a), queryList(a), queryShow(a), queryRename(a), queryDrop(a), queryFields(a), queryCheck(a))
	return cmd
}

// joined returns the query that arguments make.
func joined(a *cli.App, args []string) (string, error) {
	if len(args) == 1 {
		text, err := a.Text(args[0])
		return strings.TrimSpace(text), err
	}
	return strings.Join(args, " "), nil
}

func queryExplain(a *cli.App) *cobra.Command {
	var game string
	var analyse, variations bool
	cmd := &cobra.Command{
		Use:   "explain QUERY",
		Short: "Tell how a query is understood, and what it costs",
		Long: `Tell how a query is read, what it means for each kind of game in the library, the
plan by which the index is asked, and how many lines of how many blocks the index
lets through: these would be looked at. A line is a game, or a variation in it. A
query about a whole position has no more to do than to look up its hash.

--analyse answers the query and tells what was measured.`,
		Example: `  qipu query explain "game:othello position:f5d6"
  qipu query explain "player:alpha and moves>40" --analyse`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteQuery,
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := joined(a, args)
			if err != nil {
				return err
			}
			q, err := a.Question(text, game, retrieve.Request{Variations: variations, Limit: 1})
			if err != nil {
				return err
			}
			return explainQuery(cmd.Context(), a, q, analyse)
		},
	}
	a.TakesGame(cmd, &game)
	cmd.Flags().BoolVar(&analyse, "analyse", false, "answer the query, and tell what was measured")
	cmd.Flags().BoolVar(&variations, "variations", false, "lines beside the main ones, too")
	return cmd
}

// analysed is what --analyse adds.
type analysed struct {
	Games      int     `json:"games"`
	Hits       int     `json:"hits"`
	Blocks     int     `json:"blocks"`
	Candidates int64   `json:"candidates"`
	Verified   int64   `json:"verified"`
	Elapsed    float64 `json:"elapsed"` // milliseconds
}

func explainQuery(ctx context.Context, a *cli.App, q *ask.Question, analyse bool) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		x, err := l.Search().Explain(ctx, q)
		if err != nil {
			return query.WithText(err, q.Text)
		}
		t := &cli.Table{Columns: []string{"game", "explain", "value"}}
		if a.CSV {
			t.Columns = []string{"game", "query", "means", "plan", "placements", "blocks", "candidates", "lines"}
		} else {
			t.Rows = append(t.Rows, []string{"", "query", oneLine(x.Query)})
		}
		for i := range x.Parts {
			addExplained(t, a, x.Query, &x.Parts[i])
		}
		if !analyse {
			for _, hint := range x.Hints {
				fmt.Fprintf(a.Err, "note: %s\n", cli.Printable(hint))
			}
		} else {
			reply, err := a.Ask(ctx, l, q)
			if err != nil {
				return err
			}
			addAnalysed(t, a, reply)
		}
		return a.Print(t)
	})
}

// oneLine returns a query as it is printed, on one line.
func oneLine(q query.Q) string { return cli.Printable(strings.ReplaceAll(q.String(), "\n", "/")) }

// addExplained adds what a query means for one kind of game.
func addExplained(t *cli.Table, a *cli.App, q query.Q, part *ask.ExplainedPart) {
	game, e := part.Kind.Name, &part.Explain
	means, plan := oneLine(part.Part.Query), e.Plan.String()
	t.Objects = append(t.Objects, cli.Typed("explained", answerview.ExplainedOf(part)))
	if a.CSV {
		t.Rows = append(t.Rows, []string{game, oneLine(q), means, plan, fmt.Sprint(e.Places), fmt.Sprint(e.Pages), fmt.Sprint(e.Lines), fmt.Sprint(e.Total)})
		return
	}
	row := func(what, value string) {
		t.Rows = append(t.Rows, []string{game, what, value})
		game = ""
	}
	said := func(value string) bool { // of another kind of game
		return slices.ContainsFunc(t.Rows, func(row []string) bool { return row[2] == value })
	}
	if !said(means) {
		row("means", means)
	}
	if !said(plan) {
		row("plan", plan)
	}
	if e.Places > 0 {
		row("placements", fmt.Sprint(e.Places))
	}
	row("looks at", fmt.Sprintf("%d of %s%s", e.Lines, cli.Plural(int(e.Total), "line"), inBlocks(e.Pages)))
}

// inBlocks tells how many blocks lines are in. Who asks for facts alone reads no
// blocks.
func inBlocks(n int) string {
	if n == 0 {
		return ""
	}
	return " in " + cli.Plural(n, "block")
}

// addAnalysed adds what was measured.
func addAnalysed(t *cli.Table, a *cli.App, r *ask.Reply) {
	e := &r.Explain
	t.Objects = append(t.Objects, cli.Typed("analysed", analysed{r.Games, hitsOf(r), e.Pages, e.Lines, e.Boards, e.Elapsed.Seconds() * 1000}))
	if a.CSV {
		return
	}
	for i, row := range [][2]string{
		{"found", foundText(r.Games, hitsOf(r))}, {"looked at", cli.Plural(int(e.Lines), "line") + inBlocks(e.Pages)},
		{"verified", cli.Plural(int(e.Boards), "line")}, {"elapsed", fmt.Sprintf("%.3f ms", e.Elapsed.Seconds()*1000)},
	} {
		t.Rows = append(t.Rows, []string{[]string{"measured", ""}[min(i, 1)], row[0], row[1]})
	}
}

func querySave(a *cli.App) *cobra.Command {
	var game, note string
	var force, dryRun bool
	cmd := &cobra.Command{
		Use:   "save NAME QUERY",
		Short: "Save a query under a name, with what it finds",
		Long: `Answer a query and save it with its hits under a name. As long as no games come
into the library, the name is found without a search; after that the query is
asked again. A name that is taken is not given to another query without --force.`,
		Example: `  qipu query save "first corner" "game:othello position:f5d6" --note "the diagonal opening"
  qipu query save long moves>60 --dry-run
  qipu query save long moves>60 --force`,
		Args: cli.ArgCount(2, 1<<30),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 { // a new name
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return a.CompleteQuery(cmd, args[1:], last)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := foldedName(args[0]); err != nil {
				return err
			}
			text, err := joined(a, args[1:])
			if err != nil {
				return err
			}
			q, err := a.Question(text, game, retrieve.Request{NoContinuations: true, Limit: 1})
			if err != nil {
				return err
			}
			return saveQuery(a, cmd, args[0], note, q, force, dryRun)
		},
	}
	a.TakesGame(cmd, &game)
	cmd.Flags().StringVar(&note, "note", "", "what the query is good for")
	cmd.Flags().BoolVar(&force, "force", false, "give the name to this query, whatever it stands for")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what the query finds, and save nothing")
	return cmd
}

func saveQuery(a *cli.App, cmd *cobra.Command, name, note string, q *ask.Question, force, dryRun bool) error {
	ctx := cmd.Context()
	return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
		reply, err := a.Ask(ctx, l, q)
		if err != nil {
			return err
		}
		reply.Whole(q)
		switch old, err := l.Search().SavedQuery(ctx, name); {
		case errors.Is(err, store.ErrNoRow):
		case err != nil:
			return err
		case old.Name != "" && old.Query != reply.Query.String() && !force:
			return fmt.Errorf("the name %q stands for %s: --force gives it to the new query, or choose another name", old.Name, old.Query)
		}
		done := "would be saved"
		if !dryRun {
			done = "saved"
			if _, err := l.Search().Save(ctx, name, note, reply); err != nil {
				return err
			}
		}
		hits := hitsOf(reply)
		return a.Say(cli.Figures{{Name: "type", Value: "query"}, {Name: "change", Value: "save"}, {Name: "name", Value: name}, {Name: "query", Value: reply.Query.String()}, {Name: "games", Value: reply.Games}, {Name: "hits", Value: hits}, {Name: "dryRun", Value: dryRun}},
			"%q %s: %s", name, done, foundText(reply.Games, hits))
	})
}

// hitsOf returns how often the board of a reply occurs; 0 where it has none.
func hitsOf(r *ask.Reply) int {
	if retrieve.Anchor(r.Bound) == nil {
		return 0
	}
	return r.Hits
}

// foundText tells what was found: who asks for no board has no hits.
func foundText(games, hits int) string {
	if hits == 0 {
		return cli.Plural(games, "game")
	}
	return cli.Plural(games, "game") + ", " + cli.Plural(hits, "hit")
}

// foldedName returns the form in which a name is compared, and refuses one that
// has no letter.
func foldedName(name string) (string, error) {
	fold := text.Fold(name)
	if fold == "" {
		return "", cli.Usagef("%q is no name for a query: give it a word", name)
	}
	return fold, nil
}

// wantQuery returns the saved query of a name that must be there.
func wantQuery(ctx context.Context, l *qipu.Library, name string) (store.Saved, error) {
	s, err := l.Search().SavedQuery(ctx, name)
	if !errors.Is(err, store.ErrNoRow) {
		return s, err
	}
	list, err := l.Notes().SavedQueries(ctx)
	if err != nil {
		return s, err
	}
	var known []string
	for i := range list {
		known = append(known, cli.SavedName(&list[i]))
	}
	hint := ": qipu query list --all tells what there is"
	if near := text.Nearest(name, slices.Values(known), 3); len(near) > 0 {
		hint = ": is it " + strings.Join(near, " or ") + "?"
	}
	return s, fmt.Errorf("no query is saved as %q%s", name, hint)
}

// savedQuery is a saved query as --json prints it.
type savedQuery struct {
	view.Saved
	Current bool      `json:"current"` // the counts are those of the library as it is
	Created time.Time `json:"created"`
	IDs     []uint32  `json:"ids,omitempty"`
}

func savedQueryOf(l *qipu.Library, s *store.Saved, version store.Version) *savedQuery {
	o := &savedQuery{Saved: answerview.SavedOf(l.Records().Kinds(), s), Current: s.Stamp == version.Stamp(), Created: s.Created.UTC().Truncate(time.Second)}
	o.Used = s.Used.UTC().Truncate(time.Second)
	return o
}

func queryList(a *cli.App) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the saved queries",
		Long: `List the queries that have a name, with what they found when they were asked
last. --all lists those too that searches have noted by themselves, under a name
that describes the board; qipu query rename gives them one of yours.`,
		Example: `  qipu query list
  qipu query list --all --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return listQueries(cmd.Context(), a, all) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "also queries that searches have noted")
	return cmd
}

func listQueries(ctx context.Context, a *cli.App, all bool) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Notes().SavedQueries(ctx)
		if err != nil {
			return err
		}
		version, err := l.Records().Version(ctx)
		if err != nil {
			return err
		}
		automatic, old := 0, false
		t := &cli.Table{Columns: []string{"name", "game", "games", "hits", "query", "used"}}
		if a.CSV {
			t.Columns = append(t.Columns, "current")
		}
		for i := range list {
			s := &list[i]
			if s.Auto && !all {
				automatic++
				continue
			}
			o := savedQueryOf(l, s, version)
			shown, games := cli.Printable(strings.ReplaceAll(s.Query, "\n", "/")), fmt.Sprint(s.Found)
			if !a.CSV {
				shown = cli.Shorten(shown, 60)
				if !o.Current {
					games, old = games+"*", true
				}
			}
			cells := []string{cli.Printable(cli.SavedName(s)), s.Kind, games, fmt.Sprint(s.Hits), shown, cli.When(s.Used)}
			if a.CSV {
				cells = append(cells, fmt.Sprint(o.Current))
			}
			t.Add(cli.Typed("query", o), cells...)
		}
		if len(t.Rows) == 0 {
			hint := "qipu query save NAME QUERY saves one"
			if automatic > 0 {
				hint += fmt.Sprintf(", --all lists %d that searches have noted", automatic)
			}
			return a.Nothing("no queries are saved: %s", hint)
		}
		if err := a.Print(t); err != nil {
			return err
		}
		if old && !a.JSON {
			fmt.Fprintln(a.Out, "* as it was then: the library has changed since")
		}
		return nil
	})
}

func queryShow(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show a saved query",
		Example: `  qipu query show long
  qipu query show "first corner" --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: a.CompleteFirst("named", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return a.Reading(ctx, func(l *qipu.Library) error {
				s, err := wantQuery(ctx, l, args[0])
				if err != nil {
					return err
				}
				version, err := l.Records().Version(ctx)
				if err != nil {
					return err
				}
				games, err := l.Notes().SavedGames(ctx, s.ID)
				if err != nil {
					return err
				}
				o := savedQueryOf(l, &s, version)
				o.IDs = games.ToArray()
				return a.Print(o.table())
			})
		},
	}
}

func (o *savedQuery) table() *cli.Table {
	t := &cli.Table{Columns: []string{"query", ""}, Objects: []any{cli.Typed("query", o)}}
	row := func(name, value string) {
		if value != "" {
			t.Rows = append(t.Rows, []string{name, cli.Printable(value)})
		}
	}
	row("name", o.Name)
	row("described", o.Described)
	row("game", o.Game)
	row("query", strings.ReplaceAll(o.Query, "\n", "/"))
	row("note", o.Note)
	found := foundText(o.Games, o.Hits)
	if !o.Current {
		found += " (the library has changed since)"
	}
	row("found", found)
	const most = 20
	ids := strings.Trim(fmt.Sprint(o.IDs[:min(len(o.IDs), most)]), "[]")
	if len(o.IDs) > most {
		ids += fmt.Sprintf(" and %d more", len(o.IDs)-most)
	}
	row("numbers", ids)
	row("created", o.Created.Format(time.DateTime))
	row("used", o.Used.Format(time.DateTime))
	return t
}

func queryRename(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "Give a saved query another name, or an automatic one its first",
		Example: `  qipu query rename long "long games"
  qipu query rename "long games" long --json`,
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: a.CompleteFirst("named", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			fold, err := foldedName(args[1])
			if err != nil {
				return err
			}
			return changeQuery(a, cmd, args[0], args[1], func(tx store.Tx, s *store.Saved) error { return tx.RenameQuery(s.ID, args[1], fold) },
				"%q is now %q", args[0], args[1])
		},
	}
}

func queryDrop(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drop NAME",
		Short: "Forget a saved query; its games stay in the library",
		Example: `  qipu query drop alpha
  qipu query drop beta --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: a.CompleteFirst("named", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeQuery(a, cmd, args[0], args[0], func(tx store.Tx, s *store.Saved) error { return tx.DropQuery(s.ID) },
				"%q dropped: its games stay in the library", args[0])
		},
	}
}

// changeQuery changes a saved query and says so.
func changeQuery(a *cli.App, cmd *cobra.Command, name, told string, change func(store.Tx, *store.Saved) error, format string, args ...any) error {
	ctx := cmd.Context()
	return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
		s, err := wantQuery(ctx, l, name)
		if err != nil {
			return err
		}
		mention, err := l.Search().Mentions(ctx, s.Name)
		if err != nil {
			return err
		}
		if err := l.Records().Edit(ctx, func(tx store.Tx) error { return change(tx, &s) }); err != nil {
			return err
		}
		if len(mention) > 0 {
			fmt.Fprintf(a.Err, "note: queries that name %q do not find it any more: %s\n", s.Name, strings.Join(mention, ", "))
		}
		return a.Say(cli.Figures{{Name: "type", Value: "query"}, {Name: "change", Value: cmd.Name()}, {Name: "name", Value: told}, {Name: "query", Value: s.Query}, {Name: "games", Value: s.Found}, {Name: "hits", Value: s.Hits}}, format, args...)
	})
}

func queryFields(a *cli.App) *cobra.Command {
	var lang string
	cmd := &cobra.Command{
		Use:   "fields [FIELD]",
		Short: "List the fields that queries ask for",
		Long: `List the fields of the query language, or tell about one: what it is, what values
it takes, and its other names, in any of the five languages.`,
		Example: `  qipu query fields
  qipu query fields 棋手
  qipu query fields --lang ja --csv`,
		Args: cli.ArgCount(0, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			list := query.Reference()
			if len(args) > 0 {
				f, ok := query.FieldOf(args[0])
				if !ok {
					var known []string
					for _, f := range list {
						known = append(known, f.Name)
					}
					return cli.Usagef("there is no field %q%s: qipu query fields lists them", args[0], cli.DidYouMean(args[0], known))
				}
				base, _, _ := strings.Cut(f.Name, ".")
				list = slices.DeleteFunc(slices.Clone(list), func(x query.FieldHelp) bool { return x.Name != f.Name && x.Name != base })
			}
			return a.Print(fieldTable(list, lang))
		},
	}
	cli.Enum(cmd, &lang, "lang", "en", "language of names: en, zh-Hant, zh-Hans, ja or ko", cli.Languages...)
	return cmd
}

func fieldTable(list []query.FieldHelp, lang string) *cli.Table {
	t := &cli.Table{Columns: []string{"field", "takes", "meaning", "example", "also"}}
	if lang != "en" {
		t.Columns = slices.Insert(t.Columns, 1, "name")
	}
	for _, f := range list {
		takes := string(f.Kind)
		if len(f.Values) > 0 {
			takes = strings.Join(f.Values, " ")
		}
		cells := []string{f.Name, takes, f.Help, f.Example, strings.Join(f.Aliases, " ")}
		if lang != "en" {
			cells = slices.Insert(cells, 1, f.Names.In(lang))
		}
		t.Add(cli.Typed("field", answerview.FieldOf(&f)), cells...)
	}
	return t
}

func queryCheck(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check QUERY",
		Short: "Read a query without a library, and print it as it is understood",
		Long: `Read a query and print it as it is understood, with every field under its usual
name. Nothing is asked: names of players, collections and saved queries may be
any. Everything else must mean something in a game that the query names, or in any
where it names none. Where the query is wrong, the place is shown, and the exit
code is 2.`,
		Example: `  qipu query check "player:alpha moves>40 or not result:draw"
  qipu query check "棋手:alpha 且 date:1990.." --json`,
		Args:              cli.ArgCount(1, 1<<30),
		ValidArgsFunction: a.CompleteQuery,
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := joined(a, args)
			if err != nil {
				return err
			}
			q, err := query.Parse(text)
			if err == nil {
				err = bind.Check(q, a.Games)
			}
			if err != nil {
				return query.WithText(err, text)
			}
			return a.Say(cli.Figures{{Name: "type", Value: "query"}, {Name: "query", Value: q.String()}, {Name: "boards", Value: query.HasBoards(q)}}, "%s", oneLine(q))
		},
	}
}
