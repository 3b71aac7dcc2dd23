package manage

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	cmd.AddCommand(playersShow(a), playersMerge(a), playersSplit(a), playersRename(a), playersHistory(a), playersUndo(a))
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

// playerRowJSON is a player as players --json prints it. Rates are those of the
// player, with the interval around them.
type playerRowJSON struct {
	Type   string `json:"type"` // "player"
	Name   string `json:"name"`
	Games  int    `json:"games"`
	First  int    `json:"first"`
	Second int    `json:"second"`
	Wins   int    `json:"wins"`
	Losses int    `json:"losses"`
	Draws  int    `json:"draws"`
	cli.RateJSON
	Since     string         `json:"since"`
	Until     string         `json:"until"`
	Spellings []spellingJSON `json:"spellings"`
}

type spellingJSON struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
}

func describePlayer(p *players.Person) playerRowJSON {
	o := playerRowJSON{
		Type: "player", Name: p.Name, Games: p.Games, First: p.Sides[0], Second: p.Sides[1], Wins: p.Score.First, Losses: p.Score.Second, Draws: p.Score.Draws,
		RateJSON: cli.RateOf(&p.Score), Since: p.Score.Since(), Until: p.Score.Until(), Spellings: []spellingJSON{},
	}
	for _, s := range p.Spellings {
		o.Spellings = append(o.Spellings, spellingJSON{s.Name, s.Games})
	}
	return o
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
			fmt.Fprintf(a.Err, "%s\n", cli.Printable(message))
			return cli.Silent(cli.ExitNothing)
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
		o := describePlayer(p)
		cells := []string{cli.Printable(o.Name), number(o.Games), number(o.First), number(o.Second)}
		if a.CSV {
			cells = slices.Concat(cells, []string{number(o.Wins), number(o.Losses), number(o.Draws)}, o.Cells(), []string{o.Since, o.Until, otherSpellings(p)})
		} else {
			cells = append(cells, cli.RateText(&p.Score), cli.Shorten(cli.Printable(otherSpellings(p)), 60))
		}
		t.Add(o, cells...)
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

// portraitJSON is a player as players show --json prints it.
type portraitJSON struct {
	playerRowJSON
	Known     []string      `json:"known"` // names in the book of players
	Opponents []againstJSON `json:"opponents"`
	Openings  []againstJSON `json:"openings"`
	Years     []againstJSON `json:"years"`
}

// againstJSON is a part of a player's games. Wins and losses are the player's;
// of openings and years they are not counted.
type againstJSON struct {
	Name   string `json:"name"`
	Games  int    `json:"games"`
	Wins   *int   `json:"wins,omitempty"`
	Losses *int   `json:"losses,omitempty"`
	Draws  *int   `json:"draws,omitempty"`
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
		most := func(list []retrieve.Group) []retrieve.Group {
			if limit > 0 {
				return list[:min(limit, len(list))]
			}
			return list
		}
		o := portraitJSON{playerRowJSON: describePlayer(p), Known: []string{}, Opponents: []againstJSON{}, Openings: []againstJSON{}, Years: []againstJSON{}}
		_, aliases := r.Book.Person(p.Name)
		o.Known = append(o.Known, aliases...)
		for _, g := range most(portrait.Rivals) {
			o.Opponents = append(o.Opponents, againstJSON{r.Person(g.Key).Name, g.Count, &g.First, &g.Second, &g.Draws})
		}
		for _, g := range most(portrait.Openings) {
			o.Openings = append(o.Openings, againstJSON{Name: g.Key, Games: g.Count})
		}
		for _, g := range portrait.Years {
			o.Years = append(o.Years, againstJSON{Name: g.Key, Games: g.Count})
		}
		return a.Print(o.table(a, p))
	})
}

func (o *portraitJSON) table(a *cli.App, p *players.Person) *cli.Table {
	t := &cli.Table{Columns: []string{"player", "what", "games", "score"}, Objects: []any{o}}
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
	row("player", o.Name, o.Games, cli.RateText(&p.Score))
	row("results", fmt.Sprintf("%d won, %d lost, %d drawn", o.Wins, o.Losses, o.Draws), o.Wins+o.Losses+o.Draws, "")
	row("side", "first", o.First, "")
	row("side", "second", o.Second, "")
	for _, s := range o.Spellings {
		row("written", s.Name, s.Games, "")
	}
	for _, name := range o.Known {
		row("known as", name, -1, "")
	}
	if years := cli.YearsText(&p.Score); years != "" {
		row("years", years, -1, "")
	}
	for _, g := range o.Opponents {
		s := retrieve.Score{Count: g.Games, First: *g.Wins, Second: *g.Losses, Draws: *g.Draws}
		row("against", g.Name, g.Games, cli.RateText(&s))
	}
	for _, g := range o.Openings {
		row("opening", g.Name, g.Games, "")
	}
	return t
}
