// Package answerview makes the answers about what a query has found: scores, rows of
// games, moves that came next, boards of queries, trends and comparisons.
package answerview

import (
	"math"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

// AnswerOf returns what a reply has found, without the rows of its page; of is how
// many games were searched, groups how many groups are told.
func AnswerOf(r *ask.Reply, of int64, notation func(spec string) game.Notation, groups int) *view.Answer {
	w := &view.Answer{
		Query: r.Query.String(), Kinds: gameview.SpecsOf(r.Kinds), Timed: retrieve.Timed(r.Bound),
		Name: r.Name, Saved: r.Saved != nil && r.Saved.Name != "", Like: r.Fuzzy, Hints: append([]string{}, r.Hints...),
		Games: r.Games, Hits: -1, Of: of, Score: ScoreOf(&r.Colours),
		Moves: []view.NextMove{}, Elsewhere: r.Elsewhere, Ended: r.Ended, Groups: []view.Group{}, GroupsOf: len(r.Groups),
		Rows: []view.Hit{}, Next: r.Next, Partial: r.Partial || r.Cut,
	}
	if r.Cut {
		w.Cut = &view.Cut{Looked: r.Explain.Lines, Lines: r.Explain.Total}
	}
	if len(r.Kinds) == 1 {
		w.Game = w.Kinds[0]
	}
	if r.Whose != nil {
		w.Player = &view.PlayerScore{Name: r.Player(), Score: ScoreOf(r.Whose)}
	}
	if f := FrameOf(r); f != nil {
		w.Game, w.Fuzzy = w.Kinds[0], retrieve.Anchor(r.Bound) == nil
		w.Board = boardOf(f, r)
		if !w.Fuzzy {
			w.Hits = r.Hits
			w.Moves = NextMoves(f, r.Continuations, notation(w.Game))
		}
		if f.Pattern.Swap {
			drawn := ScoreOf(&r.Answer.Score)
			w.Drawn = &drawn
		}
	}
	if retrieve.Marked(r.Bound) != nil {
		owner := ScoreOf(&r.Answer.Score)
		w.Owner, w.Hits = &owner, r.Hits
	}
	for i := range r.Groups[:min(len(r.Groups), groups)] {
		w.Groups = append(w.Groups, GroupOf(&r.Groups[i]))
	}
	return w
}

// Rows say what the rows of an answer tell.
type Rows struct {
	Timed bool         // a ply
	Shape *query.Shape // whose occurrences they are; nil for none
	Fuzzy bool         // they are boards like it
}

// RowsOf returns what the rows of the answer to a bound query tell.
func RowsOf(bound query.Q) Rows {
	return Rows{Timed: retrieve.Timed(bound), Shape: ShapeOf(bound), Fuzzy: retrieve.Anchor(bound) == nil}
}

// HitOf returns a row without its board.
func (o *Rows) HitOf(kinds *index.Kinds, row *retrieve.Row, g *store.Game) view.Hit {
	h := view.Hit{
		Record: SummaryOf(kinds, g), Ply: -1, Occurrences: int(row.Occurrences), Variation: row.Variation,
		Symmetry: board.Identity.String(), Differences: []view.Difference{}, Pieces: []int{}, Last: -1,
	}
	if o.Timed {
		h.Ply = int(row.Ply)
	}
	if o.Shape == nil {
		return h
	}
	size := row.Symmetry.Board.Turned(o.Shape.Pattern.Size)
	h.Symmetry, h.Swapped = row.Symmetry.Board.String(), row.Symmetry.Swap
	h.Region = &view.Region{Column: int(row.X), Row: int(row.Y), Columns: size.W, Rows: size.H}
	if o.Fuzzy {
		h.Likeness, h.Others = view.Rounded(row.Likeness), int(row.Others)
		for i := range row.Differences {
			d := &row.Differences[i]
			h.Differences = append(h.Differences, view.Difference{Column: d.X, Row: d.Y, Text: ask.DifferenceText(o.Shape.Geometry, d)})
		}
	}
	return h
}

// OccurrenceOf returns one place of a board.
func (o *Rows) OccurrenceOf(at *retrieve.Occurrence) view.Occurrence {
	w := view.Occurrence{Ply: at.Ply, Symmetry: at.Symmetry.Board.String(), Swapped: at.Symmetry.Swap, Variation: at.Variation}
	if o.Shape != nil {
		size := at.Symmetry.Board.Turned(o.Shape.Pattern.Size)
		w.Region = &view.Region{Column: at.X, Row: at.Y, Columns: size.W, Rows: size.H}
	}
	return w
}

// ScoreOf returns a score. Rates are absent where no result is known.
func ScoreOf(s *retrieve.Score) view.Score {
	w := view.Score{
		Games: s.Count, First: s.First, Second: s.Second, Draws: s.Draws,
		Since: s.Since(), Until: s.Until(), Rating: s.Rating(),
	}
	if s.First+s.Second+s.Draws > 0 {
		rate, low, high := s.Rate()
		rate, low, high = view.Rounded(rate), view.Rounded(low), view.Rounded(high)
		w.Rate, w.Low, w.High = &rate, &low, &high
	}
	return w
}

// SummaryOf returns what lists show of a game of one of the kinds.
func SummaryOf(kinds *index.Kinds, g *store.Game) view.Summary {
	f := &g.Facts
	w := view.Summary{
		ID: g.ID, Game: g.Kind, Players: make([]view.Player, len(f.Players)), Date: f.Date.String(), Winner: -1,
		Event: f.Event, Round: f.Round, Place: f.Place, Opening: f.Opening, Code: f.Code,
		Plies: g.Plies, Handicap: f.Handicap, Komi: f.Komi.String(), Marked: g.Marked,
	}
	if k, err := kinds.Find(g.Kind); err == nil {
		w.Game = gameview.SpecOf(k)
		if f.Result.Verdict != facts.Unknown {
			w.Result = f.Result.SGF(record.SidesOf(k.Rules))
		}
	}
	switch f.Result.Verdict {
	case facts.FirstWon:
		w.Winner = 0
	case facts.SecondWon:
		w.Winner = 1
	case facts.Drawn:
		w.Winner = 2
	}
	for i := range f.Players {
		p := &f.Players[i]
		w.Players[i] = view.Player{Name: p.Name, Rank: p.Rank.String(), Rating: p.Rating, Team: p.Team}
	}
	return w
}

// TrendOf returns how the share of the games of a query went over the years.
func TrendOf(t *retrieve.Trend) *view.Trend {
	w := &view.Trend{Years: []view.Year{}, Change: factor(t.Change), Low: factor(t.Low), High: factor(t.High), Direction: t.Direction}
	for i := range t.Years {
		y := &t.Years[i]
		w.Years = append(w.Years, view.Year{
			Year: y.Year, Games: y.Games, Of: y.Of, Share: view.Rounded(y.Share), Low: view.Rounded(y.Low), High: view.Rounded(y.High), Rate: view.Rounded(y.Rate), Rated: y.Rated,
		})
	}
	return w
}

// factor returns a factor of odds as JSON can have it: that of hardly any games
// may be beyond all numbers.
func factor(f float64) float64 {
	const most = 1e9
	if math.IsNaN(f) {
		return 1
	}
	return view.Rounded(min(f, most))
}

// ComparisonOf compares the rates of two replies: of the players that both name, else
// of the first side.
func ComparisonOf(a, b *ask.Reply) *view.Comparison {
	x, y := &a.Colours, &b.Colours
	w := &view.Comparison{Player: a.Whose != nil && b.Whose != nil, Shared: int(a.Found.AndCardinality(b.Found))}
	if w.Player {
		x, y = a.Whose, b.Whose
	}
	c := retrieve.Compare(x, y)
	w.A, w.B = ScoreOf(x), ScoreOf(y)
	w.Difference, w.Low, w.High, w.P = view.Rounded(c.Difference), view.Rounded(c.Low), view.Rounded(c.High), view.Rounded(c.P)
	return w
}

// GroupOf returns a group of games.
func GroupOf(g *retrieve.Group) view.Group {
	return view.Group{Key: g.Key, Hits: g.Hits, Score: ScoreOf(&g.Score)}
}

// ShapeOf returns the board whose occurrences a bound query is about, be they
// only like it; nil where there is none.
func ShapeOf(bound query.Q) *query.Shape {
	if shape := retrieve.Anchor(bound); shape != nil {
		return shape
	}
	if like := retrieve.Likeness(bound); like != nil {
		return &like.Shape
	}
	return nil
}

// FrameOf returns the board that a reply is about; nil where there is none.
func FrameOf(r *ask.Reply) *ask.Frame {
	shape := ShapeOf(r.Bound)
	if shape == nil {
		return nil
	}
	return ask.FrameOf(r.Kinds[0], r.Query, shape)
}

// NextMoves returns what was played next in the region of a frame.
func NextMoves(f *ask.Frame, list []retrieve.Continuation, n game.Notation) []view.NextMove {
	moves := make([]view.NextMove, len(list))
	for i := range list {
		c := &list[i]
		m := view.NextMove{
			Move: MoveIn(f, c.Move, c.Side, f.Move(c, n)), Column: -1, Row: -1, Left: -1, Top: -1,
			Count: c.Count, Games: c.Games, Direct: c.Direct, Reached: -1, Score: ScoreOf(&c.Score),
		}
		m.Score.Games = c.Games
		if to := c.Move.To(); to != board.NoPoint {
			m.Column, m.Row = to.X(), to.Y()
		}
		if from := c.Move.From(); from != board.NoPoint {
			m.Left, m.Top = from.X(), from.Y()
		}
		moves[i] = m
	}
	return moves
}

// MoveIn returns a move in the region of a frame, on the points of the board
// where the region has a place on it.
func MoveIn(f *ask.Frame, m game.Move, side game.Side, text string) view.Move {
	w := view.Move{Text: text, From: -1, To: -1, Side: int(side)}
	if !f.Placed {
		return w
	}
	at := func(p board.Point) int {
		if p == board.NoPoint {
			return -1
		}
		return view.IndexIn(f.Kind.Board.Size, board.At(f.Origin.X()+p.X(), f.Origin.Y()+p.Y()))
	}
	w.From, w.To = at(m.From()), at(m.To())
	return w
}

// boardOf returns the board of a reply: as its query has it, where one of its
// diagrams means it, else as it is written in the usual form.
func boardOf(f *ask.Frame, r *ask.Reply) *view.Diagram {
	shape, like := retrieve.Anchor(r.Bound), retrieve.Likeness(r.Bound)
	want := ""
	if shape != nil {
		want = shape.String()
	} else {
		want = like.String()
	}
	source := r.Diagram
	if source == nil {
		tree, err := query.Parse(want)
		if d, ok := tree.(query.Diagram); ok && err == nil {
			source = &d
		} else {
			source = &query.Diagram{Word: "board", Text: f.Pattern.Format(f.Kind.Rules.Geometry())}
		}
	}
	w := DiagramOf(f, source)
	if shape == nil {
		w.Min = like.Min
	}
	return w
}

// DiagramOf returns a board of a query, cell by cell, from how it is written.
func DiagramOf(f *ask.Frame, d *query.Diagram) *view.Diagram {
	p := f.Drawn()
	w := &view.Diagram{
		Word: d.Word, Columns: p.Size.W, Rows: p.Size.H, Cells: make([]string, len(p.Cells)), Pieces: make([]int, len(p.Cells)),
		Column: -1, Row: -1, Anchor: p.Anchor.String(), Edges: []string{}, Mirror: p.Mirror, Swap: p.Swap,
		Turn: int(p.Turn) - 1, From: p.From, To: p.To, Text: d.Text, Options: []string{},
	}
	if len(f.Next) > 0 && f.Position != nil { // captures are more than steps tell
		if whole, err := pattern.FromPosition(f.Position); err == nil {
			p = whole
		}
	}
	for i, set := range p.Cells {
		w.Cells[i] = f.Cell(set)
		if piece, ok := set.Only(); ok {
			w.Pieces[i] = int(piece)
		}
	}
	if f.Placed {
		w.Column, w.Row = f.Origin.X(), f.Origin.Y()
	}
	if f.Whole() {
		w.Anchor = "whole"
	}
	edges := f.Edges()
	for i, name := range []string{"top", "right", "bottom", "left"} {
		if edges&(1<<i) != 0 {
			w.Edges = append(w.Edges, name)
		}
	}
	for _, o := range d.Options {
		w.Options = append(w.Options, o.String())
		if o.Name == "next" {
			w.Next = o.Value
		}
	}
	return w
}
