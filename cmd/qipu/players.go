package main

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
	"qipu/library/players"
	"qipu/retrieve"
)

func (a *app) playersCommand() *cobra.Command {
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
		Args:              argCount(0, 1),
		ValidArgsFunction: a.completeFirst("player", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usagef("--limit %d: want a number of players, or 0 for all", limit)
			}
			return a.listPlayers(cmd.Context(), strings.Join(args, ""), game, limit)
		},
	}
	a.takesGame(cmd, &game)
	cmd.Flags().IntVar(&limit, "limit", 30, "players to list (0: all)")
	cmd.AddCommand(a.playersShow(), a.playersMerge(), a.playersSplit(), a.playersRename(), a.playersHistory(), a.playersUndo())
	return cmd
}

// playersOf reads the players of a game, or of all.
func (a *app) playersOf(ctx context.Context, l *qipu.Library, spec string) (*players.Register, error) {
	if spec != "" {
		if _, err := a.game(spec); err != nil {
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
	rateJSON
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
		rateJSON: rateOf(&p.Score), Since: p.Score.Since(), Until: p.Score.Until(), Spellings: []spellingJSON{},
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

func (a *app) listPlayers(ctx context.Context, asked, game string, limit int) error {
	return a.reading(ctx, func(l *qipu.Library) error {
		r, err := a.playersOf(ctx, l, game)
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
			fmt.Fprintf(a.err, "%s\n", printable(message))
			return silent(exitNothing)
		}
		slices.SortFunc(list, func(x, y *players.Person) int {
			return cmp.Or(cmp.Compare(y.Games, x.Games), cmp.Compare(x.Name, y.Name))
		})
		shown := list
		if limit > 0 {
			shown = list[:min(limit, len(list))]
		}
		if err := a.print(playerTable(a, shown)); err != nil {
			return err
		}
		if more := len(list) - len(shown); more > 0 && !a.json && !a.csv {
			fmt.Fprintf(a.out, "%s: --limit 0\n", plural(more, "more player"))
		}
		return nil
	})
}

func playerTable(a *app, list []*players.Person) *table {
	t := &table{columns: []string{"player", "games", "first", "second", "score", "also written"}}
	if a.csv {
		t.columns = []string{"player", "games", "first", "second", "wins", "losses", "draws", "rate", "low", "high", "since", "until", "also_written"}
	}
	number := strconv.Itoa
	for _, p := range list {
		o := describePlayer(p)
		cells := []string{printable(o.Name), number(o.Games), number(o.First), number(o.Second)}
		if a.csv {
			cells = slices.Concat(cells, []string{number(o.Wins), number(o.Losses), number(o.Draws)}, o.cells(), []string{o.Since, o.Until, otherSpellings(p)})
		} else {
			cells = append(cells, rateText(&p.Score), shorten(printable(otherSpellings(p)), 60))
		}
		t.add(o, cells...)
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

func (a *app) playersShow() *cobra.Command {
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
		Args:              argCount(1, 1),
		ValidArgsFunction: a.completeFirst("player", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return usagef("--limit %d: want a number of rows, or 0 for all", limit)
			}
			return a.showPlayer(cmd.Context(), args[0], game, limit)
		},
	}
	a.takesGame(cmd, &game)
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

func (a *app) showPlayer(ctx context.Context, name, game string, limit int) error {
	return a.reading(ctx, func(l *qipu.Library) error {
		r, err := a.playersOf(ctx, l, game)
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
			fmt.Fprintf(a.err, "note: %q is taken for %q\n", name, p.Name)
		}
		portrait, err := l.Portrait(ctx, r, p, game)
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
		return a.print(o.table(a, p))
	})
}

func (o *portraitJSON) table(a *app, p *players.Person) *table {
	t := &table{columns: []string{"player", "what", "games", "score"}, objects: []any{o}}
	if a.csv {
		t.columns = []string{"what", "name", "games", "score"}
	}
	row := func(what, name string, games int, score string) {
		count := ""
		if games >= 0 {
			count = strconv.Itoa(games)
		}
		t.rows = append(t.rows, []string{what, printable(name), count, score})
	}
	row("player", o.Name, o.Games, rateText(&p.Score))
	row("results", fmt.Sprintf("%d won, %d lost, %d drawn", o.Wins, o.Losses, o.Draws), o.Wins+o.Losses+o.Draws, "")
	row("side", "first", o.First, "")
	row("side", "second", o.Second, "")
	for _, s := range o.Spellings {
		row("written", s.Name, s.Games, "")
	}
	for _, name := range o.Known {
		row("known as", name, -1, "")
	}
	if years := yearsText(&p.Score); years != "" {
		row("years", years, -1, "")
	}
	for _, g := range o.Opponents {
		s := retrieve.Score{Count: g.Games, First: *g.Wins, Second: *g.Losses, Draws: *g.Draws}
		row("against", g.Name, g.Games, rateText(&s))
	}
	for _, g := range o.Openings {
		row("opening", g.Name, g.Games, "")
	}
	return t
}
