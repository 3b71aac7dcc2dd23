package main

import (
	"slices"
	"strconv"

	"qipu/board"
	"qipu/record/facts"
	"qipu/retrieve"
)

// scoreJSON is a score as --json prints it. Rates are those of the first side,
// with the interval around them; of no results they are 0, from 0 to 1.
type scoreJSON struct {
	Count  int     `json:"count"`
	First  int     `json:"first"`
	Second int     `json:"second"`
	Draws  int     `json:"draws"`
	Rate   float64 `json:"rate"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Since  string  `json:"since"` // as well as it is known: a day, month or year
	Until  string  `json:"until"`
	Rating int     `json:"rating"` // mean; 0 unknown
}

type summaryJSON struct {
	Type    string `json:"type"`
	Game    string `json:"game"`
	Pattern string `json:"pattern"`
	Anchor  string `json:"anchor"`
	Games   int    `json:"games"`
	Hits    int    `json:"hits"`
	Of      int64  `json:"of"` // lines that were searched
	scoreJSON
	Elsewhere int    `json:"elsewhere"`
	Ended     int    `json:"ended"`
	Moves     int    `json:"continuations"`
	Partial   bool   `json:"partial,omitempty"`
	Next      string `json:"next"` // cursor of the next page; "" for none
}

// continuationJSON is a move that came next. Column and row count from the top
// left of the region, from 0; -1 for a pass.
type continuationJSON struct {
	Type      string `json:"type"`
	Label     string `json:"label"`
	Move      string `json:"move"`
	Side      string `json:"side"`
	Column    int    `json:"column"`
	Row       int    `json:"row"`
	scoreJSON        // count is of occurrences, results are of games
	Games     int    `json:"games"`
	Direct    int    `json:"direct"`
	Reached   *int   `json:"reached,omitempty"` // of explore, where it can be counted
}

type hitJSON struct {
	Type        string        `json:"type"`
	ID          uint32        `json:"id"`
	Date        string        `json:"date"`
	Players     [2]playerJSON `json:"players"`
	Result      string        `json:"result"`
	Event       string        `json:"event"`
	Occurrences int32         `json:"occurrences"`
	occurrenceJSON
	All []occurrenceJSON `json:"all"`
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
	o := scoreJSON{Count: s.Count, First: s.First, Second: s.Second, Draws: s.Draws, Since: sinceText(s), Until: untilText(s), Rating: s.Rating()}
	o.Rate, o.Low, o.High = s.Rate()
	return o
}

func playerOf(p *facts.Player) playerJSON {
	return playerJSON{p.Name, p.Rank.String(), p.Rating, p.Team}
}

func occurrenceOf(o *retrieve.Occurrence) occurrenceJSON {
	return occurrenceJSON{Ply: o.Ply, Symmetry: o.Symmetry.Board.String(), Swapped: o.Symmetry.Swap, Column: o.X, Row: o.Y, Variation: o.Variation}
}

// printObjects prints the answer as JSON: the games of the page first, so that
// readers who want no more can stop, then what was counted.
func (r *reporter) printObjects() error {
	var list []any
	a, sides := r.answer, r.frame.rules.Info().Sides
	for i := range a.Rows {
		row := &a.Rows[i]
		f := &r.games[row.Game].Facts
		first := firstOf(row)
		o := hitJSON{
			Type: "hit", ID: row.Game, Date: f.Date.String(), Players: [2]playerJSON{playerOf(&f.Players[0]), playerOf(&f.Players[1])},
			Result: resultText(sides, &f.Result), Event: f.Event, Occurrences: row.Occurrences, All: []occurrenceJSON{},
			occurrenceJSON: occurrenceOf(&first),
		}
		for j := range row.All {
			o.All = append(o.All, occurrenceOf(&row.All[j]))
		}
		list = append(list, o)
	}
	list = append(list, summaryJSON{
		Type: "summary", Game: r.frame.rules.Info().Name, Pattern: r.frame.pattern.Format(r.frame.rules.Geometry()),
		Anchor: r.frame.pattern.Anchor.String(), Games: a.Games, Hits: a.Hits, Of: a.Explain.Total, scoreJSON: scoreOf(&a.Score),
		Elsewhere: a.Elsewhere, Ended: a.Ended, Moves: len(a.Continuations), Partial: a.Partial, Next: a.Next,
	})
	marks := r.frame.mark(a.Continuations)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		o := continuationJSON{
			Type: "continuation", Move: r.frame.move(c), Side: sides[c.Side].Name, Column: -1, Row: -1,
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
	if r.options.explain {
		e := a.Explain
		list = append(list, explainJSON{Type: "explain", Explain: e, Elapsed: e.Elapsed.Seconds() * 1000, First: e.First.Seconds() * 1000})
	}
	return r.print(&table{objects: list})
}

// moveRows is the table of continuations as CSV has it: one fact a column, the
// same ones in every game.
func (r *reporter) moveRows() *table {
	t := &table{columns: []string{
		"label", "move", "side", "count", "games", "direct", "reached", "first", "second", "draws", "rate", "low", "high", "since", "until", "rating",
	}}
	a, number := r.answer, strconv.Itoa
	rate := func(f float64) string { return strconv.FormatFloat(f, 'f', 4, 64) }
	marks := r.frame.mark(a.Continuations)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		s, reached := scoreOf(&c.Score), ""
		if r.explorer && c.Reached >= 0 {
			reached = number(c.Reached)
		}
		t.add(nil, marks[c.Move.To()], r.frame.move(c), r.frame.rules.Info().Sides[c.Side].Name, number(c.Count), number(c.Games), number(c.Direct), reached,
			number(c.First), number(c.Second), number(c.Draws), rate(s.Rate), rate(s.Low), rate(s.High), s.Since, s.Until, numberText(s.Rating))
	}
	return t
}

// hitRows is the table of games as CSV has it.
func (r *reporter) hitRows() *table {
	t := &table{columns: []string{
		"id", "date", "first", "first_rank", "first_rating", "second", "second_rank", "second_rating", "result", "event",
		"occurrences", "ply", "symmetry", "swapped", "column", "row", "variation",
	}}
	number := strconv.Itoa
	for i := range r.answer.Rows {
		row := &r.answer.Rows[i]
		f := &r.games[row.Game].Facts
		cells := []string{number(int(row.Game)), f.Date.String()}
		for _, p := range f.Players {
			cells = append(cells, p.Name, p.Rank.String(), numberText(p.Rating))
		}
		cells = append(cells, resultText(r.frame.rules.Info().Sides, &f.Result), f.Event, number(int(row.Occurrences)))
		for _, o := range r.occurrences(row) {
			t.add(nil, append(slices.Clip(cells), number(o.Ply), o.Symmetry.Board.String(), strconv.FormatBool(o.Symmetry.Swap),
				number(o.X), number(o.Y), strconv.FormatBool(o.Variation))...)
		}
	}
	return t
}
