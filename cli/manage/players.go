package manage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/view"
	"qipu/view/answerview"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/players"
	"qipu/retrieve"
)

func playersCommand(a *cli.App) *cobra.Command {
	var game string
	var limit int
	cmd := &cobra.Command{
		Use:   "players [TEXT]",
		Short: "List players with their scores, and say which names are one player",
		Long: `List the players of the library, or those whom a text may mean: in another
spelling or script, or by the sound of the name. A player is counted once, under
one name, whatever the names in the records; well-known players are known in
several scripts, and you can say more: merge, split and rename change how names
are counted and found, and nothing in the records. Every such change is kept and
can be undone.

First and second are the games on each side; the score is the share of points, a
draw counting half, with the interval in which the true one lies with 95 %
probability.`,
		Example: `  qipu players
  qipu players alpha
  qipu players --game xiangqi --csv
  qipu players merge "Demo Eins" "Demo Fünf" --into "Demo Eins"`,
		Args:              cli.ArgCount(0, 1),
		ValidArgsFunction: a.CompleteFirst("player", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return cli.Usagef("--limit %d: want a number of players, or 0 for all", limit)
			}
			return listPlayers(cmd.Context(), a, strings.Join(args, ""), game, limit)
		},
	}
	a.TakesGame(cmd, &game)
	cmd.Flags().IntVar(&limit, "limit", 30, "players to list (0: all)")
	cmd.AddCommand(playersShow(a), playersMerge(a), playersSplit(a), playersRename(a), playing.history(a), playing.undoing(a))
	return cmd
}

// playersOf reads the players of a game, or of all.
func playersOf(ctx context.Context, a *cli.App, l *qipu.Library, spec string) (*players.Register, error) {
	if spec != "" {
		if _, err := a.Game(spec); err != nil {
			return nil, err
		}
	}
	return l.Players().Register(ctx, spec)
}

// otherSpellings returns the names in records beside the one that is shown.
func otherSpellings(p *players.Person) string {
	var list []string
	for _, s := range p.Spellings {
		if s.Name != p.Name {
			list = append(list, s.Name)
		}
	}
	return strings.Join(list, "; ")
}

func listPlayers(ctx context.Context, a *cli.App, asked, game string, limit int) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		r, err := playersOf(ctx, a, l, game)
		if err != nil {
			return err
		}
		list := r.All()
		if asked != "" {
			list = r.Find(asked)
		}
		if len(list) == 0 {
			message := "the library names no players"
			if asked != "" {
				message = unknownPlayer(r, asked, "qipu players lists all").Error()
			}
			return a.Nothing("%s", cli.Printable(message))
		}
		slices.SortFunc(list, func(x, y *players.Person) int {
			return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(x.Name, y.Name))
		})
		shown := list
		if limit > 0 {
			shown = list[:min(limit, len(list))]
		}
		if err := a.Print(playerTable(a, shown)); err != nil {
			return err
		}
		if more := len(list) - len(shown); more > 0 && !a.JSON && !a.CSV {
			fmt.Fprintf(a.Out, "%s: --limit 0\n", cli.Plural(more, "more player"))
		}
		return nil
	})
}

func playerTable(a *cli.App, list []*players.Person) *cli.Table {
	t := &cli.Table{Columns: []string{"player", "games", "first", "second", "score", "also written"}}
	if a.CSV {
		t.Columns = []string{"player", "games", "first", "second", "wins", "losses", "draws", "rate", "low", "high", "since", "until", "also_written"}
	}
	number := strconv.Itoa
	for _, p := range list {
		s := answerview.ScoreOf(&p.Score)
		cells := []string{cli.Printable(p.Name), number(p.Games), number(p.Sides[0]), number(p.Sides[1])}
		if a.CSV {
			cells = slices.Concat(cells, []string{number(s.First), number(s.Second), number(s.Draws)}, cli.RateCells(&s), []string{s.Since, s.Until, otherSpellings(p)})
		} else {
			cells = append(cells, cli.RateText(&p.Score), cli.Shorten(cli.Printable(otherSpellings(p)), 60))
		}
		t.Add(cli.Typed("player", answerview.PlayerOf(p)), cells...)
	}
	return t
}

// unknownPlayer tells that nobody has a name, and who has a similar one.
func unknownPlayer(r *players.Register, name, advice string) error {
	if near := r.Nearest(name, 3); len(near) > 0 {
		return fmt.Errorf("no player is called %q: is it %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("no player is called %q: %s", name, advice)
}

func playersShow(a *cli.App) *cobra.Command {
	var game string
	var limit int
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Tell about a player: names, results, years, opponents, openings",
		Long: `Tell about one player of the library: the names in the records and those in the
book of players, how many games there are on either side and how they went, the
years, and the most frequent opponents, with the player's score against them, and
openings.`,
		Example: `  qipu players show "Demo Alpha"
  qipu players show "Demo Alpha" --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: a.CompleteFirst("player", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return cli.Usagef("--limit %d: want a number of rows, or 0 for all", limit)
			}
			return showPlayer(cmd.Context(), a, args[0], game, limit)
		},
	}
	a.TakesGame(cmd, &game)
	cmd.Flags().IntVar(&limit, "limit", 5, "opponents and openings to list (0: all)")
	return cmd
}

func showPlayer(ctx context.Context, a *cli.App, name, game string, limit int) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		r, err := playersOf(ctx, a, l, game)
		if err != nil {
			return err
		}
		p, err := r.One(name)
		switch {
		case errors.Is(err, players.ErrNoPlayer):
			return unknownPlayer(r, name, "qipu players lists them")
		case err != nil:
			return err
		}
		if r.Book.Key(name) != p.Key {
			fmt.Fprintf(a.Err, "note: %q is taken for %q\n", name, p.Name)
		}
		portrait, err := l.Search().Portrait(ctx, r, p, game)
		if err != nil {
			return err
		}
		shown := *p
		shown.Games, shown.Score = portrait.Games, portrait.Score
		p = &shown
		w := answerview.PlayerDetailOf(r, p, portrait, limit)
		return a.Print(portraitTable(a, p, w))
	})
}

// portraitTable tells about one player.
func portraitTable(a *cli.App, p *players.Person, w *view.PlayerDetail) *cli.Table {
	t := &cli.Table{Columns: []string{"player", "what", "games", "score"}, Objects: []any{cli.Typed("player", w)}}
	if a.CSV {
		t.Columns = []string{"what", "name", "games", "score"}
	}
	row := func(what, name string, games int, score string) {
		count := ""
		if games >= 0 {
			count = strconv.Itoa(games)
		}
		t.Rows = append(t.Rows, []string{what, cli.Printable(name), count, score})
	}
	s := &p.Score
	row("player", w.Name, p.Games, cli.RateText(s))
	row("results", fmt.Sprintf("%d won, %d lost, %d drawn", s.First, s.Second, s.Draws), cli.Results(s), "")
	row("side", "first", p.Sides[0], "")
	row("side", "second", p.Sides[1], "")
	for _, n := range w.Names {
		row("written", n.Name, n.Games, "")
	}
	for _, name := range w.Known[1:] {
		row("known as", name, -1, "")
	}
	if years := cli.YearsText(s); years != "" {
		row("years", years, -1, "")
	}
	for i := range w.Rivals {
		g := &w.Rivals[i]
		row("against", g.Key, g.Score.Games, cli.RateText(&retrieve.Score{Count: g.Score.Games, First: g.Score.First, Second: g.Score.Second, Draws: g.Score.Draws}))
	}
	for i := range w.Openings {
		row("opening", w.Openings[i].Key, w.Openings[i].Score.Games, "")
	}
	return t
}
