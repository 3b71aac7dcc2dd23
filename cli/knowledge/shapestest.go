package knowledge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/library/knowledge"
	"qipu/mine"
	"qipu/pattern/kb"
	"qipu/pattern/prior"
	"qipu/record"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/shapeview"
	"qipu/workshop/learn"
)

// goGames are the flags that choose games of Go: of the library, or of files.
type goGames struct {
	app   *cli.App
	files []string
	read  cli.ReadFlags
	most  int

	failed error // what ended the games, where somebody else was given it
}

func (o *goGames) register(cmd *cobra.Command, most int) {
	cmd.Flags().StringArrayVar(&o.files, "files", nil, "read games from this file, folder or archive, and not from the library; may be repeated")
	cmd.Flags().IntVar(&o.most, "games", most, "games to look at, spread over all (0: all)")
	o.read.Register(cmd.Flags())
}

// errEnough ends the reading of files.
var errEnough = errors.New("enough")

// each gives every game of Go that a query finds, or of the files, to a function.
func (o *goGames) each(ctx context.Context, query string, do func(*record.Played) bool) error {
	if o.most < 0 {
		return cli.Usagef("--games %d: want a number of games, or 0 for all", o.most)
	}
	if len(o.files) > 0 {
		if query != "" {
			return cli.Usagef("a query asks the library: leave out --files, or import them first")
		}
		from, err := o.app.Options(&o.read)
		if err != nil {
			return err
		}
		left := o.most
		from.Sink = cli.SinkFunc(func(p *record.Played) error {
			if !do(p) {
				return errEnough
			}
			if left--; left == 0 {
				return errEnough
			}
			return nil
		})
		_, err = o.app.Ingest(ctx, from, o.files)
		if errors.Is(err, errEnough) {
			err = nil
		}
		return err
	}
	if query == "" {
		query = "all"
	}
	return o.app.Reading(ctx, func(l *qipu.Library) error {
		reply, err := o.app.Found(ctx, l, &ask.Question{Text: query, Game: "go", Request: retrieve.Request{Limit: 1, NoContinuations: true}})
		if err != nil {
			return err
		}
		ids := reply.Found.ToArray()
		if o.most > 0 && len(ids) > o.most {
			some := make([]uint32, o.most)
			for i := range some {
				some[i] = ids[i*len(ids)/o.most]
			}
			ids = some
		}
		return o.app.PlayStored(ctx, l, ids, do)
	})
}

// mined yields the games for package mine.
func (o *goGames) mined(ctx context.Context, query string) iter.Seq2[mine.Game, error] {
	return func(yield func(mine.Game, error) bool) {
		stopped := false
		err := o.each(ctx, query, func(p *record.Played) bool {
			if g, ok := mine.FromRecord(p, ""); ok {
				stopped = !yield(g, nil)
			}
			return !stopped
		})
		if err != nil && !stopped {
			o.failed = err
			yield(mine.Game{}, err)
		}
	}
}

func shapesTest(a *cli.App) *cobra.Command {
	o := goGames{app: a}
	var predict bool
	cmd := &cobra.Command{
		Use:   "test [QUERY]",
		Short: "Run the fixtures of all shapes, or measure how well moves are foretold",
		Long: `Run every fixture of every shape: boards on which it must stand with its good points,
and such on which it must not. Exit code 1 if one fails.

With --predict, measure how often the moves of games are foretold instead: by the
shapes of the base, ranked by how often each was played in records, and by the model
of local patterns alone. The games are those that QUERY finds in the library, or of
--files; they should be others than those that the shapes were mined from, and that
the model was trained on: qipu train go --check takes only games that were kept out
of its training. Top 1 and top 5 are the shares of moves that were the first guess, and among the first five.`,
		Example: `  qipu shapes test
  qipu shapes test --predict --games 5
  qipu shapes test --predict --files games/go-9x9-1.sgf --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			query := strings.Join(args, " ")
			if !predict {
				if query != "" || len(o.files) > 0 {
					return cli.Usagef("games are for --predict")
				}
				return withShapes(cmd.Context(), a, func(s *knowledge.Shapes) error { return testShapes(a, s) })
			}
			return withShapes(cmd.Context(), a, func(s *knowledge.Shapes) error { return o.predict(cmd.Context(), s, query) })
		},
	}
	cmd.Flags().BoolVar(&predict, "predict", false, "measure how well moves are foretold")
	o.register(cmd, 1000)
	return cmd
}

// fixtureJSON is a fixture that fails.
type fixtureJSON struct {
	Type   string `json:"type"` // "fixture"
	Shape  string `json:"shape"`
	Match  bool   `json:"match"` // it should stand there
	File   string `json:"file"`
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func testShapes(a *cli.App, s *knowledge.Shapes) error {
	t := &cli.Table{Columns: []string{"shape", "place", "reason"}}
	tried := map[string]bool{}
	run := 0
	for i := range s.Base.Checks {
		c := &s.Base.Checks[i]
		e := s.Base.Entry(c.ID)
		why := "there is no such shape"
		if e != nil {
			run++
			tried[c.ID] = true
			why = e.Fails(c)
		}
		if why != "" {
			t.Add(fixtureJSON{"fixture", c.ID, c.Match, c.File, c.Line, why}, c.ID, fmt.Sprintf("%s:%d", c.File, c.Line), why)
		}
	}
	if len(t.Rows) > 0 {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	failed, bare := len(t.Rows), len(s.Base.Entries)-len(tried)
	if !a.CSV {
		err := a.Say(cli.Figures{{"type", "total"}, {"shapes", len(s.Base.Entries)}, {"fixtures", run}, {"failed", failed}, {"without", bare}},
			"%s of %s: %d failed, %s without any", cli.Plural(run, "fixture"), cli.Plural(len(tried), "shape"), failed, cli.Plural(bare, "shape"))
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

// predictJSON is how well something foretells moves.
type predictJSON struct {
	Type  string  `json:"type"` // "prediction"
	By    string  `json:"by"`   // "shapes" or "patterns"
	From  int     `json:"from"` // the moves of the game, both in it
	To    int     `json:"to"`   // 0: to its end
	Moves int     `json:"moves"`
	Top1  float64 `json:"top1"`
	Top5  float64 `json:"top5"`

	// Of shapes: the share of moves on a good point, and how many of these a
	// position has.
	Covered   float64 `json:"covered"`
	Suggested float64 `json:"suggested"`

	LogLoss float64 `json:"logLoss"` // of patterns
}

func (o *goGames) predict(ctx context.Context, s *knowledge.Shapes, query string) error {
	model, err := prior.Load()
	if err != nil {
		return err
	}
	var games []mine.Game
	var contexts []*prior.Game
	err = o.each(ctx, query, func(p *record.Played) bool {
		g, ok := mine.FromRecord(p, "")
		c, too := learn.GoGame(p)
		if ok && too {
			games, contexts = append(games, g), append(contexts, c)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintln(o.app.Err, "no game of Go was found")
		return cli.Silent(cli.ExitNothing)
	}
	bar := o.app.NewProgress("games measured", len(games))
	cover, err := mine.Measure(ctx, s.Base, s.AllEvidence(), func(yield func(mine.Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}, mine.Options{Workers: o.read.Workers, Progress: func(done int) { bar.Games(done, len(games)) }})
	bar.Close()
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"by", "moves", "number", "top 1", "top 5", "covered", "points", "log loss"}}
	add := func(p predictJSON) {
		part := "all"
		switch {
		case p.To > 0:
			part = fmt.Sprintf("%d-%d", p.From, p.To)
		case p.From > 0:
			part = fmt.Sprintf("%d-", p.From)
		}
		covered, points, loss := "", "", fmt.Sprintf("%.3f", p.LogLoss)
		if p.By == "shapes" {
			covered, points, loss = percent(p.Covered), fmt.Sprintf("%.1f", p.Suggested), ""
		}
		t.Add(p, p.By, part, strconv.Itoa(p.Moves), percent(p.Top1), percent(p.Top5), covered, points, loss)
	}
	moves := float64(max(cover.Moves, 1))
	add(predictJSON{Type: "prediction", By: "shapes", Moves: cover.Moves, Top1: float64(cover.Top1) / moves, Top5: float64(cover.Top5) / moves, Covered: float64(cover.Covered) / moves, Suggested: float64(cover.Suggested) / moves})
	report := model.Measure(contexts, runtime.GOMAXPROCS(0))
	add(predictJSON{Type: "prediction", By: "patterns", Moves: report.Positions, Top1: report.Top1, Top5: report.Top5, LogLoss: report.LogLoss})
	for _, p := range report.Phases {
		if p.Positions > 0 {
			add(predictJSON{Type: "prediction", By: "patterns", From: p.From, To: p.To, Moves: p.Positions, Top1: p.Top1, Top5: p.Top5, LogLoss: p.LogLoss})
		}
	}
	if !o.app.JSON && !o.app.CSV {
		fmt.Fprintf(o.app.Out, "%s\n", cli.Plural(len(games), "game"))
	}
	return o.app.Print(t)
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }

func shapesLint(a *cli.App) *cobra.Command {
	var form string
	cmd := &cobra.Command{
		Use:   "lint [FILE...]",
		Short: "Find what is wrong with the base",
		Long: `Look through the base, exactly and under all orientations and both colours: shapes that
are identical, that say nothing beyond another, that contradict each other, special
cases that do not name what they override, shapes that can never match, missing
names, fixtures that fail or are missing, and files that cannot be read.

With files, look at their shapes against the whole base, as if they were laid above
it. Exit code 1 if there are errors; warnings alone are 0.`,
		Example: `  qipu shapes lint
  qipu shapes lint --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.OneOf("form", form, "shapes", "paper", "digits"); err != nil {
				return err
			}
			return withLayers(cmd.Context(), a, func(s *knowledge.Shapes) error { return lintShapes(a, s, args, form) })
		},
	}
	cmd.Flags().StringVar(&form, "form", "shapes", "of the files: shapes, paper or digits")
	return cmd
}

// findingJSON is what lint found, as --json prints it.
type findingJSON struct {
	Type string `json:"type"` // "finding"
	view.ShapeFinding
}

func lintShapes(a *cli.App, s *knowledge.Shapes, paths []string, form string) error {
	list, looked := []kb.Finding(nil), len(s.Base.Entries)
	if len(paths) == 0 {
		list = s.Lint()
	} else {
		all := new(kb.File)
		for _, path := range paths {
			text, err := shapeText(a, path)
			if err != nil {
				return err
			}
			f := shapeForms[form](path, []byte(text))
			all.Terms, all.Entries = append(all.Terms, f.Terms...), append(all.Entries, f.Entries...)
			all.Checks, all.Faults = append(all.Checks, f.Checks...), append(all.Faults, f.Faults...)
		}
		ids := []string{}
		for i := range all.Entries {
			ids = append(ids, all.Entries[i].ID)
		}
		looked = len(ids)
		for _, f := range s.With(all).Lint(kb.LintOptions{Only: ids}) {
			if f.ID != "" || !s.Faulty(f.File) {
				list = append(list, f)
			}
		}
	}
	t := &cli.Table{Columns: []string{"place", "weight", "kind", "finding"}}
	wrong := 0
	for i := range list {
		f := &list[i]
		if f.Weight == kb.Fault {
			wrong++
		}
		t.Add(findingJSON{"finding", shapeview.FindingOf(f)}, fmt.Sprintf("%s:%d", f.File, f.Line), string(f.Weight), string(f.Kind), cli.Printable(f.Text))
	}
	if len(t.Rows) > 0 || a.CSV {
		if err := a.Print(t); err != nil {
			return err
		}
	}
	if !a.CSV {
		err := a.Say(cli.Figures{{"type", "total"}, {"shapes", looked}, {"errors", wrong}, {"warnings", len(list) - wrong}},
			"%s: %s, %s", cli.Plural(looked, "shape"), cli.Plural(wrong, "error"), cli.Plural(len(list)-wrong, "warning"))
		if err != nil {
			return err
		}
	}
	if wrong > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

// shapeForms are the forms in which shapes are read.
var shapeForms = map[string]func(string, []byte) *kb.File{"shapes": kb.Parse, "paper": kb.ParsePaper, "digits": kb.ParseDigits}
