package search

import (
	"slices"
	"strconv"

	"qipu/board"
	"qipu/cli"
	"qipu/record/facts"
	"qipu/retrieve"
)

// scoreJSON is a score as --json prints it. Rates are those of the first side.
type scoreJSON struct {
	First  int `json:"first"`
	Second int `json:"second"`
	Draws  int `json:"draws"`
	cli.RateJSON
	Since  string `json:"since"` // as well as it is known: a day, month or year
	Until  string `json:"until"`
	Rating int    `json:"rating,omitempty"` // mean, where some are known
}

type summaryJSON struct {
	Type    string   `json:"type"`
	Query   string   `json:"query,omitempty"`
	Name    string   `json:"name,omitempty"`  // of the board
	Fuzzy   string   `json:"fuzzy,omitempty"` // a query for boards that are alike, where none was found
	Game    string   `json:"game"`            // "" where several were asked
	Kinds   []string `json:"kinds,omitempty"` // where several kinds of game were asked
	Pattern string   `json:"pattern,omitempty"`
	Anchor  string   `json:"anchor,omitempty"`
	Games   int      `json:"games"`
	Hits    *int     `json:"hits,omitempty"` // of the board that is shown, where there is one
	Of      int64    `json:"of"`             // lines that were searched
	scoreJSON

	// Drawn has the same results by the sides of the board as it is drawn, where
	// it was looked for with the sides exchanged, too. Continuations and groups
	// count by these sides then.
	Drawn     *drawnJSON `json:"drawn,omitempty"`
	Owner     *drawnJSON `json:"owner,omitempty"` // the same by who had what the query names
	Player    *whoseJSON `json:"player,omitempty"`
	Elsewhere int        `json:"elsewhere"`
	Ended     int        `json:"ended"`
	Moves     int        `json:"continuations"`
	Partial   bool       `json:"partial,omitempty"`
	Next      string     `json:"next"` // cursor of the next page; "" for none
}

type drawnJSON struct {
	First  int `json:"first"`
	Second int `json:"second"`
	cli.RateJSON
}

// whoseJSON is the score of the player whom a query names: first are the
// player's wins.
type whoseJSON struct {
	Name  string `json:"name"`
	Games int    `json:"games"`
	scoreJSON
}

// continuationJSON is a move that came next. Column and row count from the top
// left of the region, from 0; -1 for a pass.
type continuationJSON struct {
	Type   string `json:"type"`
	Label  string `json:"label"`
	Move   string `json:"move"`
	Side   string `json:"side"`
	Column int    `json:"column"`
	Row    int    `json:"row"`
	Count  int    `json:"count"` // of occurrences; results are of games
	scoreJSON
	Games   int  `json:"games"`
	Direct  int  `json:"direct"`
	Reached *int `json:"reached,omitempty"` // of explore, where it can be counted
}

type hitJSON struct {
	Type        string            `json:"type"`
	ID          uint32            `json:"id"`
	Game        string            `json:"game"`
	Date        string            `json:"date"`
	Players     [2]cli.PlayerJSON `json:"players"`
	Result      string            `json:"result"`
	Event       string            `json:"event"`
	Occurrences int32             `json:"occurrences"`
	*occurrenceJSON
	All         []occurrenceJSON     `json:"all"`
	Likeness    float64              `json:"likeness,omitempty"`
	Differences []cli.DifferenceJSON `json:"differences,omitempty"`
	Others      int32                `json:"others,omitempty"` // pieces more than asked for
}

// occurrenceJSON is a place and time: the symmetry takes the pattern as drawn
// there, and its region has its top left corner in column and row.
type occurrenceJSON struct {
	Ply       int    `json:"ply"`
	Symmetry  string `json:"symmetry"`
	Swapped   bool   `json:"swapped"`
	Column    int    `json:"column"`
	Row       int    `json:"row"`
	Variation bool   `json:"variation"`
}

type explainJSON struct {
	Type string `json:"type"`
	retrieve.Explain
	Elapsed float64 `json:"elapsed_ms"`
	First   float64 `json:"first_page_ms"`
}

func scoreOf(s *retrieve.Score) scoreJSON {
	return scoreJSON{First: s.First, Second: s.Second, Draws: s.Draws, RateJSON: cli.RateOf(s), Since: s.Since(), Until: s.Until(), Rating: s.Rating()}
}

func playerOf(p *facts.Player) cli.PlayerJSON {
	return cli.PlayerJSON{p.Name, p.Rank.String(), p.Rating, p.Team}
}

func occurrenceOf(o *retrieve.Occurrence) occurrenceJSON {
	return occurrenceJSON{Ply: o.Ply, Symmetry: o.Symmetry.Board.String(), Swapped: o.Symmetry.Swap, Column: o.X, Row: o.Y, Variation: o.Variation}
}

// whoseOf returns the score of a player that an answer has, or nil.
func whoseOf(a *retrieve.Answer) *whoseJSON {
	if a.Whose == nil {
		return nil
	}
	return &whoseJSON{a.Player(), a.Whose.Count, scoreOf(a.Whose)}
}

// hits returns a number of hits; nil where no board was asked for, and so none
// are counted.
func (r *reporter) hits(n int) *int {
	if !r.counted && !r.explorer {
		return nil
	}
	return &n
}

// hitsText is the same for a cell.
func (r *reporter) hitsText(n int) string {
	if r.hits(n) == nil {
		return ""
	}
	return strconv.Itoa(n)
}

// summary returns what was counted.
func (r *reporter) summary() summaryJSON {
	a := r.answer
	s := summaryJSON{
		Type: "summary", Game: r.kinds[0].Rules.Info().Name, Games: a.Games, Hits: r.hits(a.Hits), Of: r.total, scoreJSON: scoreOf(&a.Colours),
		Player: whoseOf(a), Elsewhere: a.Elsewhere, Ended: a.Ended, Moves: len(a.Continuations), Partial: a.Partial, Next: a.Next,
	}
	if r.swaps() {
		s.Drawn = &drawnJSON{a.First, a.Second, cli.RateOf(&a.Score)}
	}
	if r.reply != nil && retrieve.Marked(r.reply.Bound) != nil {
		s.Owner = &drawnJSON{a.First, a.Second, cli.RateOf(&a.Score)}
	}
	if len(r.kinds) > 1 {
		for _, k := range r.kinds {
			s.Kinds = append(s.Kinds, k.Name)
			if k.Rules.Info().Name != s.Game {
				s.Game = ""
			}
		}
	}
	if r.frame != nil {
		s.Pattern, s.Anchor = r.frame.Pattern.Format(r.frame.Kind.Rules.Geometry()), r.frame.Pattern.Anchor.String()
	}
	if r.reply != nil {
		s.Query, s.Name, s.Fuzzy = r.reply.Query.String(), r.reply.Name, r.reply.Fuzzy
	}
	return s
}

// hit returns a row as --json prints it.
func (r *reporter) hit(row *retrieve.Row) hitJSON {
	g := r.games[row.Game]
	f := &g.Facts
	o := hitJSON{
		Type: "hit", ID: row.Game, Game: g.Kind, Date: f.Date.String(), Players: [2]cli.PlayerJSON{playerOf(&f.Players[0]), playerOf(&f.Players[1])},
		Result: resultText(r.sides(row.Game), &f.Result), Event: f.Event, Occurrences: row.Occurrences, All: []occurrenceJSON{},
	}
	if r.timed {
		first := firstOf(row)
		at := occurrenceOf(&first)
		o.occurrenceJSON = &at
	}
	for j := range row.All {
		o.All = append(o.All, occurrenceOf(&row.All[j]))
	}
	if r.like {
		o.Likeness, o.Others = cli.Rounded(row.Likeness), row.Others
		for i := range row.Differences {
			o.Differences = append(o.Differences, r.frame.Difference(&row.Differences[i]))
		}
	}
	return o
}

// printObjects prints the answer as JSON: the games of the page first, so that
// readers who want no more can stop, then what was counted.
func (r *reporter) printObjects() error {
	var list []any
	a := r.answer
	for i := range a.Rows {
		list = append(list, r.hit(&a.Rows[i]))
	}
	list = append(list, r.summary())
	for _, o := range r.moves() {
		list = append(list, o)
	}
	if r.options.explain {
		e := a.Explain
		list = append(list, explainJSON{Type: "explain", Explain: e, Elapsed: e.Elapsed.Seconds() * 1000, First: e.First.Seconds() * 1000})
	}
	return r.app.Print(&cli.Table{Objects: list})
}

// moves returns the continuations as --json prints them.
func (r *reporter) moves() (list []continuationJSON) {
	a := r.answer
	if r.frame == nil {
		return nil
	}
	sides := r.frame.Kind.Rules.Info().Sides
	marks := r.frame.Mark(a.Continuations)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		o := continuationJSON{
			Type: "continuation", Move: r.frame.MoveText(c), Side: sides[c.Side].Name, Column: -1, Row: -1, Count: c.Count,
			scoreJSON: scoreOf(&c.Score), Games: c.Games, Direct: c.Direct,
		}
		if r.explorer && c.Reached >= 0 {
			o.Reached = &c.Reached
		}
		if to := c.Move.To(); to != board.NoPoint {
			o.Label, o.Column, o.Row = marks[to], to.X(), to.Y()
		}
		list = append(list, o)
	}
	return list
}

// moveRows is the table of continuations as CSV has it: one fact a column, the
// same ones in every game.
func (r *reporter) moveRows() *cli.Table {
	t := &cli.Table{Columns: []string{
		"label", "move", "side", "count", "games", "direct", "reached", "first", "second", "draws", "rate", "low", "high", "since", "until", "rating",
	}}
	a, number := r.answer, strconv.Itoa
	if r.frame == nil {
		return t
	}
	marks := r.frame.Mark(a.Continuations)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		s, reached := scoreOf(&c.Score), ""
		if r.explorer && c.Reached >= 0 {
			reached = number(c.Reached)
		}
		cells := []string{marks[c.Move.To()], r.frame.MoveText(c), r.frame.Kind.Rules.Info().Sides[c.Side].Name, number(c.Count), number(c.Games), number(c.Direct), reached,
			number(c.First), number(c.Second), number(c.Draws)}
		t.Add(nil, slices.Concat(cells, s.Cells(), []string{s.Since, s.Until, numberText(s.Rating)})...)
	}
	return t
}

// hitRows is the table of games as CSV has it.
func (r *reporter) hitRows() *cli.Table {
	t := &cli.Table{Columns: []string{
		"id", "game", "date", "first", "first_rank", "first_rating", "second", "second_rank", "second_rating", "result", "event",
	}}
	if r.timed {
		t.Columns = append(t.Columns, "occurrences", "ply", "symmetry", "swapped", "column", "row", "variation")
	}
	if r.like {
		t.Columns = append(t.Columns, "likeness", "differs")
	}
	number := strconv.Itoa
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		g := r.games[row.Game]
		f := &g.Facts
		head := []string{number(int(row.Game)), g.Kind, f.Date.String()}
		for _, p := range f.Players {
			head = append(head, p.Name, p.Rank.String(), numberText(p.Rating))
		}
		head = append(head, resultText(r.sides(row.Game), &f.Result), f.Event)
		for _, o := range r.occurrences(row) {
			cells := slices.Clip(head)
			if r.timed {
				cells = append(cells, number(int(row.Occurrences)), number(o.Ply), o.Symmetry.Board.String(), strconv.FormatBool(o.Symmetry.Swap),
					number(o.X), number(o.Y), strconv.FormatBool(o.Variation))
			}
			if r.like {
				cells = append(cells, cli.ShareText(row.Likeness), r.frame.Differences(row))
			}
			t.Add(nil, cells...)
		}
	}
	return t
}
