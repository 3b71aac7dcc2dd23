package server

import (
	"context"
	"slices"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/gameview"
)

// answer dresses a reply. The page of its rows is made by the caller, who may
// have it already.
func (s *Server) answer(ctx context.Context, r *ask.Reply, in *FindInput, began time.Time) (*view.Answer, error) {
	of, err := s.searched(ctx, r.Kinds)
	if err != nil {
		return nil, err
	}
	w := &view.Answer{
		Query: r.Query.String(), Kinds: gameview.SpecsOf(r.Kinds), Timed: retrieve.Timed(r.Bound),
		Name: r.Name, Saved: r.Saved != nil && r.Saved.Name != "", Like: r.Fuzzy, Hints: append([]string{}, r.Hints...),
		Games: r.Games, Hits: -1, Of: of, Score: scoreOf(&r.Colours),
		Moves: []view.NextMove{}, Elsewhere: r.Elsewhere, Ended: r.Ended, Groups: []view.Group{}, GroupsOf: len(r.Groups),
		Next: r.Next, Partial: r.Partial,
	}
	if len(r.Kinds) == 1 {
		w.Game = w.Kinds[0]
	}
	if r.Whose != nil {
		w.Player = &view.PlayerScore{Name: r.Player(), Score: scoreOf(r.Whose)}
	}
	if f := frameOf(r); f != nil {
		w.Game, w.Fuzzy = w.Kinds[0], retrieve.Anchor(r.Bound) == nil
		w.Board = boardOfReply(f, r)
		if !w.Fuzzy {
			w.Hits = r.Hits
			w.Moves = nextMoves(f, r.Continuations, s.notationOf(ctx, w.Game, in.Write))
		}
		if f.Pattern.Swap {
			drawn := scoreOf(&r.Answer.Score)
			w.Drawn = &drawn
		}
	}
	if retrieve.Marked(r.Bound) != nil {
		owner := scoreOf(&r.Answer.Score)
		w.Owner, w.Hits = &owner, r.Hits
	}
	for i := range r.Groups[:min(len(r.Groups), in.Groups)] {
		w.Groups = append(w.Groups, groupOf(&r.Groups[i]))
	}
	if w.Rows, err = s.hits(ctx, r.Rows, hitOptionsOf(r.Bound, &in.Listing)); err != nil {
		return nil, err
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

// searched returns how many games there are of some kinds.
func (s *Server) searched(ctx context.Context, kinds []*index.Kind) (n int64, err error) {
	tally, err := s.lib.Records().Tally(ctx)
	for _, t := range tally {
		if slices.Contains(kinds, t.Kind) {
			n += int64(t.Games)
		}
	}
	return n, err
}

// notationOf returns a notation where the game has it, else its usual one.
func (s *Server) notationOf(ctx context.Context, spec, name string) game.Notation {
	if k, err := s.kinds.Find(spec); err == nil && k.Writes(name) {
		return game.Notation(name)
	}
	return game.AnyNotation
}

// groupOf returns a group of games.
func groupOf(g *retrieve.Group) view.Group {
	return view.Group{Key: g.Key, Hits: g.Hits, Score: scoreOf(&g.Score)}
}

// shapeOf returns the board whose occurrences a bound query is about, be they
// only like it; nil where there is none.
func shapeOf(bound query.Q) *query.Shape {
	if shape := retrieve.Anchor(bound); shape != nil {
		return shape
	}
	if like := retrieve.Likeness(bound); like != nil {
		return &like.Shape
	}
	return nil
}

// frameOf returns the board that a reply is about; nil where there is none.
func frameOf(r *ask.Reply) *ask.Frame {
	shape := shapeOf(r.Bound)
	if shape == nil {
		return nil
	}
	return ask.FrameOf(r.Kinds[0], r.Query, shape)
}

// nextMoves returns what was played next in the region of a frame.
func nextMoves(f *ask.Frame, list []retrieve.Continuation, n game.Notation) []view.NextMove {
	moves := make([]view.NextMove, len(list))
	for i := range list {
		c := &list[i]
		m := view.NextMove{
			Move: moveIn(f, c.Move, c.Side, f.Move(c, n)), Column: -1, Row: -1, Left: -1, Top: -1,
			Count: c.Count, Games: c.Games, Direct: c.Direct, Reached: -1, Score: scoreOf(&c.Score),
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

// moveIn returns a move in the region of a frame, on the points of the board
// where the region has a place on it.
func moveIn(f *ask.Frame, m game.Move, side game.Side, text string) view.Move {
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

// boardOfReply returns the board of a reply: as its query has it, where one of its
// diagrams means it, else as it is written in the usual form.
func boardOfReply(f *ask.Frame, r *ask.Reply) *view.Diagram {
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
	w := diagram(f, source)
	if shape == nil {
		w.Min = like.Min
	}
	return w
}

// diagram returns a board of a query, cell by cell, from how it is written.
func diagram(f *ask.Frame, d *query.Diagram) *view.Diagram {
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
