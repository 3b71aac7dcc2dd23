// Package teach has the commands of learning: bots that are taught by games.
package teach

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/engine/guests"
	"qipu/game"
	"qipu/learn"
	"qipu/learn/methods"
	"qipu/record"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/teachview"
)

// teacher is the commands.
type teacher struct {
	*cli.App
	ground func(game.Rules) *methods.Ground

	from, name, game string
	seed             uint64
	games, samples   int
	shuffled         bool
}

// Commands returns the commands of learning.
func Commands(a *cli.App, ground func(game.Rules) *methods.Ground) []*cobra.Command {
	t := &teacher{App: a, ground: ground}
	cmd := &cobra.Command{
		Use:   "teach METHOD --from QUERY --as NAME",
		Short: "Teach a bot by games, as programs learnt in 1959 to 1974",
		Long: `Let a program learn from the games that a query finds, and play against it: its name
stands beside those of engines in qipu play, qipu match and on the pages.

METHOD is one of qipu teach methods. One opening of five is kept aside, all games that
begin like it with it; by these the bot is measured: how often it likes the move best that
was made, and C = (L-H)/(L+H), where L of the other moves are liked less and H more. With
one seed the same games teach the same bot.`,
		Example: `  qipu teach samuel67 --from game:othello --as my-bot --games 100
  qipu teach griffith74 --from game:othello --as old-bot --games 100
  qipu teach samuel59 --from game:othello --as older-bot --games 100 --json
  qipu match nodes=100,engine=my-bot level=1 --game othello --games 2`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return t.teach(cmd.Context(), args[0]) },
	}
	t.flags(cmd)
	cmd.Flags().StringVar(&t.name, "as", "", "what the bot is to be called")
	cmd.AddCommand(t.methodsCommand(), t.listCommand(), t.showCommand(), t.forgetCommand(), t.compareCommand())
	return []*cobra.Command{cmd}
}

func (t *teacher) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.from, "from", "", "the query that finds the games")
	t.TakesGame(cmd, &t.game)
	f.Uint64Var(&t.seed, "seed", 1, "chooses the openings that are kept aside, and whatever a method draws")
	f.IntVarP(&t.games, "games", "n", 0, "how many games at most (0: all that are found)")
}

// memory is how much may be taken before garbage is collected more often.
const memory = 2 << 30

// school is the games: those that teach, and those that were kept aside.
type school struct {
	rules       game.Rules
	train, held []*record.Played
}

// gather reads the games of the query.
func (t *teacher) gather(ctx context.Context) (*school, error) {
	if t.from == "" {
		return nil, cli.Usagef("by which games? Name a query with --from, as in --from game:checkers")
	}
	q, err := t.Question(t.from, t.game, retrieve.Request{Limit: 1, NoContinuations: true})
	if err != nil {
		return nil, err
	}
	s := new(school)
	return s, t.Reading(ctx, func(l *qipu.Library) error {
		reply, err := t.Found(ctx, l, q)
		if err != nil {
			return err
		}
		ids := reply.Found.ToArray()
		if t.games > 0 && len(ids) > t.games {
			rng := rand.New(rand.NewPCG(t.seed, 0x6A3E5))
			rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
			ids = ids[:t.games]
		}
		var other string
		err = t.PlayStored(ctx, l, ids, func(p *record.Played) bool {
			switch {
			case p.Rules == nil:
				return true
			case s.rules == nil:
				s.rules = p.Rules
			case p.Rules.Info().Name != s.rules.Info().Name || p.Rules.Geometry().Size != s.rules.Geometry().Size:
				other = strings.TrimSpace(p.Rules.Info().Titles.En + " " + p.Rules.Info().Variant)
				return false
			}
			if learn.Held(p, t.seed) {
				s.held = append(s.held, p)
			} else {
				s.train = append(s.train, p)
			}
			return true
		})
		switch {
		case err != nil:
			return err
		case other != "":
			return cli.Usagef("the query finds games of %s and of %s: add game:NAME to it", s.rules.Info().Titles.En, other)
		case s.rules == nil:
			return errors.New("none of the games that were found can be played")
		}
		return nil
	})
}

// learnt is a model with what is known of it.
type learnt struct {
	method methods.Method
	model  learn.Model
	score  learn.Score
}

// run lets a method learn and measures it.
func (t *teacher) run(s *school, m methods.Method) (*learnt, error) {
	g := t.ground(s.rules)
	if err := m.Fits(g); err != nil {
		return nil, err
	}
	bar := t.NewProgress("games", len(s.train)+len(s.held))
	defer bar.Close()
	l := m.New(g, t.seed)
	for _, p := range s.train {
		l.Look(p)
		bar.Step(1)
	}
	model, err := l.Done()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	var rng *rand.Rand
	if t.shuffled {
		rng = rand.New(rand.NewPCG(t.seed, 0x5F1E))
	}
	list := make([]learn.GameScore, len(s.held))
	for i, p := range s.held {
		list[i] = learn.Measure(model, p, rng)
		bar.Step(1)
	}
	return &learnt{m, model, learn.Sum(list)}, nil
}

// row is what is told of something that was taught.
func row(name string, f *methods.Taught) teachview.Taught {
	return teachview.Taught{
		Name: name, Method: f.Method, Game: f.Game, Query: f.Query, Games: f.Games, Seed: f.Seed, Positions: f.Held,
		First: view.Rounded(f.First), Chance: view.Rounded(f.Chance), C: view.Rounded(f.C),
	}
}

func (t *teacher) taught(s *school, l *learnt) *methods.Taught {
	info := s.rules.Info()
	return &methods.Taught{
		Method: l.method.Name, Game: strings.Trim(info.Name+":"+info.Variant, ":"), Query: t.from, Games: len(s.train), Seed: t.seed,
		Held: l.score.Positions, First: l.score.First, Chance: l.score.Chance, C: l.score.C,
	}
}

func (t *teacher) teach(ctx context.Context, name string) error {
	old := debug.SetMemoryLimit(memory)
	defer debug.SetMemoryLimit(old)
	m, err := methods.Find(name)
	if err != nil {
		return cli.Usagef("%w: the methods are %s", err, strings.Join(names(), ", "))
	}
	if t.name == "" {
		return cli.Usagef("what is the bot to be called? Name it with --as")
	}
	file, err := engines.File(t.App)
	if err != nil {
		return err
	}
	if _, err := file.Find(t.name); err == nil {
		return cli.Usagef("there is an engine called %s: forget it first (qipu teach forget, qipu engines remove), or choose another name", t.name)
	}
	s, err := t.gather(ctx)
	if err != nil {
		return err
	}
	l, err := t.run(s, m)
	if err != nil {
		return err
	}
	f := t.taught(s, l)
	path, err := place(file, t.name)
	if err != nil {
		return err
	}
	g := guests.Guest{Name: t.name, Protocol: guests.Taught, Command: []string{path}, Games: []string{f.Game}}
	if _, ok := l.model.Judge(s.rules.Start()); !ok {
		g.Values = new(bool) // it likes moves, and values nothing
	}
	if err := g.Check(t.Games); err != nil {
		return err
	}
	if err := f.Save(path, l.model); err != nil {
		return err
	}
	if err := file.Add(g); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	if t.JSON {
		return t.PrintJSON(cli.Typed("taught", row(t.name, f)))
	}
	fmt.Fprintf(t.Out, "%s learnt from %s by %s\n", t.name, cli.Plural(len(s.train), "game"), m.Title)
	if f.Held == 0 {
		_, err = fmt.Fprintln(t.Out, "no opening could be kept aside: how well it foretells moves is not known")
		return err
	}
	_, err = fmt.Fprintf(t.Out, "of %s of openings that it has not seen it likes the move best that was made in %.1f %% (chance %.1f %%), C %.3f\n",
		cli.Plural(f.Held, "position"), 100*f.First, 100*f.Chance, f.C)
	return err
}

// place returns where what a bot has learnt is kept: beside the settings.
func place(file *guests.File, name string) (string, error) {
	return filepath.Abs(filepath.Join(filepath.Dir(file.Path()), "bots", name+".json"))
}

func names() (list []string) {
	for _, m := range methods.All() {
		list = append(list, m.Name)
	}
	return list
}

func (t *teacher) methodsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "methods",
		Short: "List the ways of learning, with who found them and when",
		Example: `  qipu teach methods
  qipu teach methods --json`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			table := &cli.Table{Columns: []string{"name", "year", "people", "learns", "how"}}
			for _, m := range methods.All() {
				c := m.Card
				table.Add(cli.Typed("method", teachview.Method{Name: c.Name, Title: c.Title, Year: c.Year, People: c.People, Learns: c.Learns, From: c.From, How: c.How, Kept: c.Kept, Effect: c.Effect, Reading: c.Reading}),
					c.Name, strconv.Itoa(c.Year), c.People, c.Learns, c.How)
			}
			return t.Print(table)
		},
	}
}

// bots lists what was taught.
func (t *teacher) bots() (file *guests.File, list []guests.Guest, err error) {
	if file, err = engines.File(t.App); err != nil {
		return nil, nil, err
	}
	all, err := file.All()
	for _, g := range all {
		if g.Protocol == guests.Taught {
			list = append(list, g)
		}
	}
	return file, list, err
}

// bot finds one that was taught.
func (t *teacher) bot(name string) (*guests.File, *guests.Guest, error) {
	file, list, err := t.bots()
	if err != nil {
		return nil, nil, err
	}
	for i := range list {
		if strings.EqualFold(list[i].Name, name) {
			return file, &list[i], nil
		}
	}
	return nil, nil, fmt.Errorf("no bot is called %q: qipu teach list shows those that there are", name)
}

func (t *teacher) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the bots that were taught",
		Example: `  qipu teach list
  qipu teach list --json`,
		Args: cli.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, list, err := t.bots()
			if err != nil {
				return err
			}
			table := &cli.Table{Columns: []string{"name", "method", "game", "games", "first", "chance", "C", "from"}}
			for _, g := range list {
				f, err := methods.Read(g.Command[0])
				if err != nil {
					fmt.Fprintf(t.Err, "%s: %v\n", g.Name, err)
					continue
				}
				table.Add(cli.Typed("taught", row(g.Name, f)), cells(g.Name, f)...)
			}
			if len(list) == 0 && !t.JSON && !t.CSV {
				fmt.Fprintf(t.Err, "no bot was taught yet (%s): qipu teach --help tells how\n", file.Path())
				return nil
			}
			return t.Print(table)
		},
	}
}

func cells(name string, f *methods.Taught) []string {
	if f.Held == 0 { // nothing could be measured
		return []string{name, f.Method, f.Game, strconv.Itoa(f.Games), "-", "-", "-", f.Query}
	}
	return []string{
		name, f.Method, f.Game, strconv.Itoa(f.Games), fmt.Sprintf("%.1f %%", 100*f.First), fmt.Sprintf("%.1f %%", 100*f.Chance), fmt.Sprintf("%.3f", f.C), f.Query,
	}
}

func (t *teacher) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a bot has learnt, what counts most first",
		Example: `  qipu teach show my-bot
  qipu teach show my-bot --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, g, err := t.bot(args[0])
			if err != nil {
				return err
			}
			f, err := methods.Read(g.Command[0])
			if err != nil {
				return err
			}
			r, err := t.Game(f.Game)
			if err != nil {
				return err
			}
			m, err := f.Open(t.ground(r))
			if err != nil {
				return fmt.Errorf("%s: %w", g.Name, err)
			}
			table := &cli.Table{Columns: []string{"what", "value", "met"}}
			for _, line := range m.Lines() {
				table.Add(cli.Typed("learnt", teachview.Line{Text: line.Text, Value: view.Rounded(line.Value), Weight: line.Weight}),
					line.Text, fmt.Sprintf("%+.3f", line.Value), strconv.Itoa(line.Weight))
			}
			return t.Print(table)
		},
	}
}

func (t *teacher) forgetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "forget NAME",
		Short: "Forget a bot; the same games, method and seed teach it again",
		Example: `  qipu teach forget old-bot
  qipu teach forget older-bot`,
		Args: cli.ArgCount(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			file, g, err := t.bot(args[0])
			if err != nil {
				return err
			}
			if err := file.Remove(g.Name); err != nil {
				return err
			}
			path, err := place(file, g.Name)
			if err != nil || path != g.Command[0] {
				return err // a file of the owner's own stays
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return t.Say(nil, "%s is forgotten", g.Name)
		},
	}
}

func (t *teacher) compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare [METHOD...] --from QUERY",
		Short: "Let methods learn from the same games and compare how well they foretell others",
		Long: `Let methods, all if none is named, learn from the games of a query, and measure all of
them by the openings that were kept aside. p is in which share of samples of games, drawn
again and again, a method is no better by C than the first one. With --shuffled the moves
that are to be foretold are any legal ones: whatever is better than chance then is wrong.`,
		Example: `  qipu teach compare --from game:othello --games 50
  qipu teach compare samuel59 griffith74 --from game:othello --games 100 --csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			old := debug.SetMemoryLimit(memory)
			defer debug.SetMemoryLimit(old)
			if len(args) == 0 {
				args = names()
			}
			var list []methods.Method
			for _, name := range args {
				m, err := methods.Find(name)
				if err != nil {
					return cli.Usagef("%w: the methods are %s", err, strings.Join(names(), ", "))
				}
				list = append(list, m)
			}
			s, err := t.gather(cmd.Context())
			if err != nil {
				return err
			}
			return t.compare(cmd.Context(), s, list)
		},
	}
	t.flags(cmd)
	cmd.Flags().IntVar(&t.samples, "samples", 1000, "how many samples of games are drawn for p")
	cmd.Flags().BoolVar(&t.shuffled, "shuffled", false, "measure by moves drawn by chance")
	return cmd
}

func (t *teacher) compare(ctx context.Context, s *school, list []methods.Method) error {
	table := &cli.Table{Columns: []string{"method", "games", "positions", "first", "chance", "C", "p"}}
	var base []learn.GameScore
	for _, m := range list {
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		l, err := t.run(s, m)
		if err != nil {
			return err
		}
		w := row("", t.taught(s, l))
		p := ""
		switch {
		case base == nil:
			base = l.score.Games
		case len(base) > 0:
			w.P = view.Rounded(learn.Better(l.score.Games, base, t.samples, t.seed))
			p = fmt.Sprintf("%.3f", w.P)
		}
		table.Add(cli.Typed("taught", w), m.Name, strconv.Itoa(len(s.train)), strconv.Itoa(l.score.Positions), fmt.Sprintf("%.2f %%", 100*l.score.First),
			fmt.Sprintf("%.2f %%", 100*l.score.Chance), fmt.Sprintf("%.4f", l.score.C), p)
	}
	return t.Print(table)
}
