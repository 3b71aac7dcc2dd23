package people

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/players"
	"qipu/retrieve"
	"qipu/store/people"
	"qipu/view"
	"qipu/view/careerview"
	"qipu/view/gameview"
)

// withLibrary opens the library and finds a profile.
func withLibrary(ctx context.Context, a *cli.App, who string, do func(*qipu.Library, people.Profile) error) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		p, err := l.People().Find(ctx, who)
		if err != nil {
			return explain(err)
		}
		return explain(do(l, p))
	})
}

func namesCommand(a *cli.App) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{
		Use: "names NAME [PLAYER...]", Short: "Say which players of the library a profile is",
		Long: `Say under which names the games of a profile are in the library, or list these
names. History, repertoire and scores of "qipu people show" come from them. Nobody else
sees them, and no record is changed.`,
		Example: `  qipu people names Anna "Demo Alpha"
  qipu people names Anna
  qipu people names Anna "Demo Alpha" --remove`,
		Args: cli.ArgCount(1, 50),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if remove && len(args) == 1 {
				return cli.Usagef("--remove needs the names that are to go")
			}
			return withLibrary(ctx, a, args[0], func(l *qipu.Library, p people.Profile) error {
				for _, name := range args[1:] {
					if err := changeName(ctx, l, p.ID, name, remove); err != nil {
						return err
					}
				}
				if remove {
					return say(a, "person", &p, "%s is none of these players any more", cli.Printable(p.Name))
				}
				return listNames(ctx, a, l, p)
			})
		},
	}
	cmd.Flags().BoolVar(&remove, "remove", false, "say that the profile is none of these players")
	return cmd
}

func changeName(ctx context.Context, l *qipu.Library, id, name string, remove bool) error {
	if remove {
		if err := l.People().DropName(ctx, id, name); !errors.Is(err, people.ErrNoThing) {
			return err
		}
		return fmt.Errorf("the profile was not said to be %q: qipu people names NAME lists its names", name)
	}
	r, err := l.Players().Register(ctx, "")
	if err != nil {
		return err
	}
	p, err := r.One(name)
	if errors.Is(err, players.ErrNoPlayer) {
		return fmt.Errorf("no player is called %q: qipu players lists them", name)
	}
	if err != nil {
		return err
	}
	return l.People().AddName(ctx, id, p.Name)
}

func listNames(ctx context.Context, a *cli.App, l *qipu.Library, p people.Profile) error {
	names, err := l.People().Names(ctx, p.ID)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return a.Nothing("%s is no player of the library: qipu people names NAME PLAYER says who it is", cli.Printable(p.Name))
	}
	persons, _, err := l.Careers().Names(ctx, names, "")
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"player", "games"}}
	for _, n := range careerview.NamesOf(names, persons) {
		t.Add(cli.Typed("name", n), cli.Printable(n.Name), strconv.Itoa(n.Games))
	}
	return a.Print(t)
}

type showOptions struct {
	here  bool
	game  string
	limit int
}

func showCommand(a *cli.App) *cobra.Command {
	var o showOptions
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Tell how the games of a profile went, and what it keeps",
		Long: `Tell about one profile: its games of the library under the names that "qipu people
names" has said, or with --here those that it played in this program, by game, colour,
year, opening, opponent and the opponent's strength; its mistakes, as far as games were
reviewed for it; its searches and saved queries, and how many questions of quizzes
come back to it. A share has its 95 % interval behind it.`,
		Example: `  qipu people show Anna
  qipu people show Anna --here --limit 10
  qipu people show Anna --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.limit < 0 {
				return cli.Usagef("--limit %d: want a number of rows, or 0 for all", o.limit)
			}
			return withLibrary(cmd.Context(), a, args[0], func(l *qipu.Library, p people.Profile) error {
				return show(cmd.Context(), a, l, p, &o)
			})
		},
	}
	a.GameFlag(cmd, &o.game, "", "only games of this kind, such as go, go:9x9, othello")
	cmd.Flags().BoolVar(&o.here, "here", false, "games that the profile played in this program")
	cmd.Flags().IntVar(&o.limit, "limit", 5, "games, opponents, openings, mistakes and queries to list (0: all)")
	return cmd
}

// shown is what is told of a profile.
type shown struct {
	Person   view.Person   `json:"person"`
	Career   *view.Career  `json:"career"`
	Mistakes view.Mistakes `json:"mistakes"`
	Saved    []string      `json:"saved"`
	Searches []string      `json:"searches"`
	Cards    int           `json:"cards"`
}

func show(ctx context.Context, a *cli.App, l *qipu.Library, p people.Profile, o *showOptions) error {
	if o.game != "" {
		if _, err := a.Game(o.game); err != nil {
			return err
		}
	}
	seats, err := l.Careers().Seats(ctx, p.ID, o.here, o.game)
	if err != nil {
		return err
	}
	c, err := l.Careers().Of(ctx, seats, careerview.Namer(gameview.NewKinds(l.Records())))
	if err != nil {
		return err
	}
	kinds := l.Records().Kinds()
	w := &shown{Person: viewOf(&p), Career: careerview.Of(kinds, c), Saved: []string{}, Searches: []string{}}
	w.Career.Games = careerview.GamesOf(kinds, few(c.Seats, o.limit))
	names, err := l.People().Names(ctx, p.ID)
	if err != nil {
		return err
	}
	persons, _, err := l.Careers().Names(ctx, names, "")
	if err != nil {
		return err
	}
	w.Career.Names = careerview.NamesOf(names, persons)
	if !o.here {
		w.Career.Query = careerview.QueryOf(w.Career.Names)
	}
	reviews, err := l.People().Reviews(ctx, p.ID)
	if err != nil {
		return err
	}
	other, err := l.Careers().Seats(ctx, p.ID, !o.here, o.game)
	if err != nil {
		return err
	}
	w.Mistakes = *careerview.MistakesOf(kinds, reviews, slices.Concat(seats, other))
	saved, err := l.People().SavedQueries(ctx, p.ID)
	if err != nil {
		return err
	}
	for i := range saved {
		if saved[i].Auto {
			w.Searches = append(w.Searches, saved[i].Query)
		} else {
			w.Saved = append(w.Saved, saved[i].Name+": "+saved[i].Query)
		}
	}
	cards, err := l.People().Boxes(ctx, p.ID)
	if err != nil {
		return err
	}
	w.Cards = len(cards)
	return a.Print(shownTable(w, o.limit))
}

func few[T any](list []T, limit int) []T {
	if limit > 0 {
		return list[:min(limit, len(list))]
	}
	return list
}

func shownTable(w *shown, limit int) *cli.Table {
	t := &cli.Table{Columns: []string{"what", "value", "games", "score"}, Objects: []any{cli.Typed("profile", w)}}
	row := func(what, name string, games int, score *view.Score) {
		count, text := "", ""
		if games >= 0 {
			count = strconv.Itoa(games)
		}
		if score != nil {
			count, text = strconv.Itoa(score.Games), rateText(score)
		}
		t.Rows = append(t.Rows, []string{what, cli.Printable(name), count, text})
	}
	c := w.Career
	row("profile", w.Person.Name, -1, &c.Score)
	for _, n := range c.Names {
		row("is", n.Name, n.Games, nil)
	}
	groups := func(what string, list []view.Group) {
		for i := range list {
			row(what, list[i].Key, -1, &list[i].Score)
		}
	}
	groups("game", c.Kinds)
	groups("side", c.Colours)
	groups("year", c.Years)
	for i := range c.Strength {
		g := &c.Strength[i]
		row("opponent", strengthText(g), -1, &g.Score)
	}
	groups("against", few(c.Rivals, limit))
	for _, g := range few(c.Openings, limit) {
		row("opening", g.Opening.Name, -1, &g.Score)
	}
	for _, g := range c.Games {
		row("played", fmt.Sprintf("%d  %s  %s – %s  %s", g.Record.ID, g.Record.Date, g.Record.Players[0].Name, g.Record.Players[1].Name, g.Won), -1, nil)
	}
	row("reviewed", fmt.Sprintf("%d moves", w.Mistakes.Plies), w.Mistakes.Games, nil)
	for _, m := range w.Mistakes.Marks {
		row(m.Mark, strconv.Itoa(m.Count), -1, nil)
	}
	for _, m := range few(w.Mistakes.Worst, limit) {
		row(m.Mark, fmt.Sprintf("%d, move %d: %s, better %s", m.Record.ID, m.Ply, m.Move, m.Best), -1, nil)
	}
	for _, q := range few(w.Saved, limit) {
		row("saved query", q, -1, nil)
	}
	for _, q := range few(w.Searches, limit) {
		row("search", q, -1, nil)
	}
	row("questions that come back", strconv.Itoa(w.Cards), -1, nil)
	return t
}

// strengthText tells how strong opponents were.
func strengthText(g *view.StrengthGroup) string {
	switch g.Kind {
	case "level":
		return "level " + g.Key
	case "rating":
		return "rated from " + g.Key
	case "rank":
		return g.Key
	}
	return "of unknown strength"
}

// rateText tells a share with its interval.
func rateText(s *view.Score) string {
	return cli.RateText(&retrieve.Score{Count: s.Games, First: s.First, Second: s.Second, Draws: s.Draws})
}
