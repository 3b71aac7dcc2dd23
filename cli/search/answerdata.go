package search

import (
	"slices"
	"strconv"

	"qipu"
	"qipu/game"
	"qipu/query"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/bookview"
	"qipu/view/gameview"

	"qipu/cli"
	"qipu/retrieve"
)

// hit is a row as --json prints it: with all places of its board, where these were
// asked for.
type hit struct {
	view.Hit
	All []view.Occurrence `json:"all,omitempty"`
}

// explained is how an answer was found as --json prints it.
type explained struct {
	retrieve.Explain
	Elapsed float64 `json:"elapsed"` // milliseconds
	First   float64 `json:"firstPage"`
}

// hitsText returns a number of hits; nothing where no board was asked for, and so
// none are counted.
func (r *reporter) hitsText(n int) string {
	if !r.counted && !r.explorer {
		return ""
	}
	return strconv.Itoa(n)
}

// found returns what was counted, as the interface of the server has it, with so many
// groups.
func (r *reporter) found(groups int) *view.Answer {
	return answerview.AnswerOf(r.reply, r.total, usual, groups)
}

// usual is the notation of moves in answers.
func usual(string) game.Notation { return game.AnyNotation }

// explored is the same of an explorer.
func (r *reporter) explored(l *qipu.Library, line string) (*view.Explored, error) {
	k, err := gameview.NewKinds(l.Records()).Find(gameview.SpecOf(r.kinds[0]))
	if err != nil {
		return nil, err
	}
	at, err := k.Stand(line, 0, "")
	if err != nil {
		return nil, err
	}
	a := r.answer
	w := &view.Explored{
		Position: *at.Position(false), Games: a.Games, Hits: a.Hits, Of: r.total, Counted: bookview.Records, Apart: r.apart, Score: answerview.ScoreOf(&a.Colours),
		Moves: answerview.NextMoves(r.frame.Frame, a.Continuations, game.AnyNotation), Openings: []view.Opening{}, Rows: []view.Hit{}, Next: a.Next, Partial: a.Partial,
	}
	if r.here {
		w.Counted = bookview.Here
	}
	for i := range w.Moves {
		w.Moves[i].Reached = a.Continuations[i].Reached
	}
	return w, nil
}

// printObjects prints the answer as JSON: the games of the page first, so that
// readers who want no more can stop, then what was counted.
func (r *reporter) printObjects(l *qipu.Library) error {
	var list []any
	a, began := r.answer, r.answer.Explain.Elapsed
	var rows answerview.Rows
	if r.reply != nil {
		rows = answerview.RowsOf(r.reply.Bound)
	} else {
		rows = answerview.Rows{Timed: true, Shape: &query.Shape{Pattern: r.frame.Pattern, Geometry: r.frame.Kind.Rules.Geometry()}}
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		h := hit{Hit: rows.HitOf(l.Records().Kinds(), row, r.games[row.Game])}
		for j := range row.All {
			h.All = append(h.All, rows.OccurrenceOf(&row.All[j]))
		}
		list = append(list, cli.Typed("hit", h))
	}
	if r.explorer {
		w, err := r.explored(l, r.line)
		if err != nil {
			return err
		}
		w.Elapsed = began.Seconds() * 1000
		list = append(list, cli.Typed("explored", w))
	} else {
		w := r.found(0)
		w.Elapsed = began.Seconds() * 1000
		list = append(list, cli.Typed("answer", w))
	}
	if r.options.explain {
		e := a.Explain
		list = append(list, cli.Typed("explain", explained{Explain: e, Elapsed: e.Elapsed.Seconds() * 1000, First: e.First.Seconds() * 1000}))
	}
	return r.app.Print(&cli.Table{Objects: list})
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
	signs := r.frame.Signs(a.Continuations)
	for i := range a.Continuations {
		c := &a.Continuations[i]
		s, reached := answerview.ScoreOf(&c.Score), ""
		if r.explorer && c.Reached >= 0 {
			reached = number(c.Reached)
		}
		cells := []string{signs[i], r.frame.MoveText(c), r.frame.Kind.Rules.Info().Sides[c.Side].Name, number(c.Count), number(c.Games), number(c.Direct), reached,
			number(c.First), number(c.Second), number(c.Draws)}
		t.Add(nil, slices.Concat(cells, cli.RateCells(&s), []string{s.Since, s.Until, numberText(s.Rating)})...)
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
