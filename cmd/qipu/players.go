package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/index"
	"qipu/players"
	"qipu/query"
	"qipu/retrieve"
	"qipu/text"
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

// person is a player of the library.
type person struct {
	key       string
	name      string // that they are listed under
	spellings []spelling
	games     int    // in which they play, on either side
	sides     [2]int // games of each side
	score     retrieve.Score
}

// spelling is a name as records have it.
type spelling struct {
	name  string
	games int
}

// register is all players of a library.
type register struct {
	book    *players.Book
	names   []string // as records have them
	persons map[string]*person
}

// who returns the key of a person for a spelling, which is its name too.
func (r *register) who(spelled string) (key, name string) {
	key = r.book.Key(spelled)
	return key, key
}

// playersOf reads the names of the players of a game, or of all.
func (a *app) playersOf(ctx context.Context, l *qipu.Library, spec string) (*register, error) {
	kinds := []*index.Kind{nil}
	if spec != "" {
		rules, err := a.game(spec)
		if err != nil {
			return nil, err
		}
		tally, err := l.Tally(ctx)
		if err != nil {
			return nil, err
		}
		kinds = nil
		for _, t := range tally {
			sized := strings.Contains(spec, ":")
			if t.Kind.Rules.Info().Name == rules.Info().Name && (!sized || t.Kind.Board.Size == rules.Geometry().Size) {
				kinds = append(kinds, t.Kind)
			}
		}
	}
	book, err := l.Players(ctx)
	if err != nil {
		return nil, err
	}
	v, err := l.Store().View(ctx)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	r := &register{book: book, persons: map[string]*person{}}
	for side, col := range []query.Column{query.FirstPlayer, query.SecondPlayer} {
		for _, k := range kinds {
			for name, err := range v.Names(ctx, k, col) {
				if err != nil {
					return nil, err
				}
				if name.Text != "" {
					r.add(name, side)
				}
			}
		}
	}
	for _, p := range r.persons {
		slices.SortFunc(p.spellings, func(x, y spelling) int {
			return cmp.Or(cmp.Compare(y.games, x.games), cmp.Compare(x.name, y.name))
		})
		p.name = book.Canonical(p.spellings[0].name)
	}
	slices.Sort(r.names)
	r.names = slices.Compact(r.names)
	return r, nil
}

func (r *register) add(name index.Name, side int) {
	key := r.book.Key(name.Text)
	p := r.persons[key]
	if p == nil {
		p = &person{key: key}
		r.persons[key] = p
	}
	i := slices.IndexFunc(p.spellings, func(s spelling) bool { return s.name == name.Text })
	if i < 0 {
		i = len(p.spellings)
		p.spellings = append(p.spellings, spelling{name: name.Text})
		r.names = append(r.names, name.Text)
	}
	p.spellings[i].games += name.Games
	p.games += name.Games
	p.sides[side] += name.Games
}

// find returns the persons that a text may mean, the best first.
func (r *register) find(text string) (list []*person) {
	if p := r.persons[r.book.Key(text)]; p != nil {
		list = append(list, p)
	}
	for _, name := range r.book.Find(text, slices.Values(r.names)) {
		if p := r.persons[r.book.Key(name)]; !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// one returns the person that a name means.
func (r *register) one(name string) (*person, error) {
	if p := r.persons[r.book.Key(name)]; p != nil {
		return p, nil
	}
	switch list := r.find(name); len(list) {
	case 0:
		return nil, r.unknown(name, "qipu players lists them")
	case 1:
		return list[0], nil
	default:
		const most = 5
		var names []string
		for _, p := range list[:min(len(list), most)] {
			names = append(names, strconv.Quote(p.name))
		}
		if len(list) > most {
			names = append(names, fmt.Sprintf("%d more", len(list)-most))
		}
		return nil, fmt.Errorf("%q may mean %s: give the whole name", name, strings.Join(names, ", "))
	}
}

// unknown tells that nobody has a name, and who has a similar one.
func (r *register) unknown(name, advice string) error {
	if near := text.Nearest(name, slices.Values(r.names), 3); len(near) > 0 {
		return fmt.Errorf("no player is called %q: is it %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("no player is called %q: %s", name, advice)
}

// asks returns a query for the games of a person, under exactly the names that
// are theirs.
func (p *person) asks() query.Q {
	names := &query.Texts{Whole: map[string]struct{}{}}
	for _, s := range p.spellings {
		names.Whole[text.Fold(s.name)] = struct{}{}
	}
	why := query.Field{Name: "player", Value: p.name}.String()
	return query.Or{&query.Fact{Column: query.FirstPlayer, Text: names, Why: why}, &query.Fact{Column: query.SecondPlayer, Text: names, Why: why}}
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

func describePlayer(p *person) playerRowJSON {
	o := playerRowJSON{
		Type: "player", Name: p.name, Games: p.games, First: p.sides[0], Second: p.sides[1], Wins: p.score.First, Losses: p.score.Second, Draws: p.score.Draws,
		rateJSON: rateOf(&p.score), Since: sinceText(&p.score), Until: untilText(&p.score), Spellings: []spellingJSON{},
	}
	for _, s := range p.spellings {
		o.Spellings = append(o.Spellings, spellingJSON{s.name, s.games})
	}
	return o
}

// otherSpellings returns the names in records beside the one that is shown.
func (p *person) otherSpellings() string {
	var list []string
	for _, s := range p.spellings {
		if s.name != p.name {
			list = append(list, s.name)
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
		list := slices.Collect(maps.Values(r.persons))
		if asked != "" {
			list = r.find(asked)
		}
		if len(list) == 0 {
			message := "the library names no players"
			if asked != "" {
				message = r.unknown(asked, "qipu players lists all").Error()
			}
			fmt.Fprintf(a.err, "%s\n", printable(message))
			return silent(exitNothing)
		}
		if err := r.scores(ctx, a, l, game); err != nil {
			return err
		}
		slices.SortFunc(list, func(x, y *person) int { return cmp.Or(cmp.Compare(y.games, x.games), cmp.Compare(x.name, y.name)) })
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

func playerTable(a *app, list []*person) *table {
	t := &table{columns: []string{"player", "games", "first", "second", "score", "also written"}}
	if a.csv {
		t.columns = []string{"player", "games", "first", "second", "wins", "losses", "draws", "rate", "low", "high", "since", "until", "also_written"}
	}
	number := strconv.Itoa
	for _, p := range list {
		o := describePlayer(p)
		cells := []string{printable(o.Name), number(o.Games), number(o.First), number(o.Second)}
		if a.csv {
			cells = slices.Concat(cells, []string{number(o.Wins), number(o.Losses), number(o.Draws)}, o.cells(), []string{o.Since, o.Until, p.otherSpellings()})
		} else {
			cells = append(cells, rateText(&p.score), shorten(printable(p.otherSpellings()), 60))
		}
		t.add(o, cells...)
	}
	return t
}

// scores counts how the games of all players went.
func (r *register) scores(ctx context.Context, a *app, l *qipu.Library, game string) error {
	reply, err := a.ask(ctx, l, &qipu.Question{Tree: query.Const(true), Game: game, Request: retrieve.Request{By: retrieve.ByPlayer, Person: r.who, Limit: 1, NoContinuations: true}})
	if err != nil {
		return err
	}
	for i := range reply.Groups {
		g := &reply.Groups[i]
		if p := r.persons[g.Key]; p != nil {
			p.score = g.Score
		}
	}
	return nil
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
		p, err := r.one(name)
		if err != nil {
			return err
		}
		if r.book.Key(name) != p.key {
			fmt.Fprintf(a.err, "note: %q is taken for %q\n", name, p.name)
		}
		groups := map[retrieve.Dimension][]retrieve.Group{}
		for _, by := range []retrieve.Dimension{retrieve.ByPlayer, retrieve.ByOpening, retrieve.ByYear} {
			reply, err := a.ask(ctx, l, &qipu.Question{Tree: p.asks(), Game: game, Request: retrieve.Request{By: by, Person: r.who, Limit: 1, NoContinuations: true}})
			if err != nil {
				return err
			}
			p.games = reply.Games // a game against oneself counts once
			if reply.Whose != nil {
				p.score = *reply.Whose
			}
			groups[by] = slices.DeleteFunc(reply.Groups, func(g retrieve.Group) bool {
				return g.Key == "" || by == retrieve.ByPlayer && g.Key == p.key
			})
			if limit > 0 && by != retrieve.ByYear {
				groups[by] = groups[by][:min(limit, len(groups[by]))]
			}
		}
		o := portraitJSON{playerRowJSON: describePlayer(p), Known: []string{}, Opponents: []againstJSON{}, Openings: []againstJSON{}, Years: []againstJSON{}}
		_, aliases := r.book.Person(p.name)
		o.Known = append(o.Known, aliases...)
		for _, g := range groups[retrieve.ByPlayer] {
			o.Opponents = append(o.Opponents, againstJSON{r.persons[g.Key].name, g.Count, &g.Second, &g.First, &g.Draws})
		}
		for _, g := range groups[retrieve.ByOpening] {
			o.Openings = append(o.Openings, againstJSON{Name: g.Key, Games: g.Count})
		}
		for _, g := range groups[retrieve.ByYear] {
			o.Years = append(o.Years, againstJSON{Name: g.Key, Games: g.Count})
		}
		return a.print(o.table(a, p))
	})
}

func (o *portraitJSON) table(a *app, p *person) *table {
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
	row("player", o.Name, o.Games, rateText(&p.score))
	row("results", fmt.Sprintf("%d won, %d lost, %d drawn", o.Wins, o.Losses, o.Draws), o.Wins+o.Losses+o.Draws, "")
	row("side", "first", o.First, "")
	row("side", "second", o.Second, "")
	for _, s := range o.Spellings {
		row("written", s.Name, s.Games, "")
	}
	for _, name := range o.Known {
		row("known as", name, -1, "")
	}
	if years := yearsText(&p.score); years != "" {
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
