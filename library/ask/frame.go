package ask

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// Frame is a board that was asked for, as it is drawn: the board or the region
// in which an answer counts its moves. It is not safe for concurrent use.
type Frame struct {
	Kind    *index.Kind
	Pattern *pattern.Pattern
	Next    []query.Step // moves behind it that were asked for

	Position game.Position // where it is a whole position; else nil
	Moves    []game.Move   // that led to the position, where they are known

	// Origin is the point of the board on which the top left cell lies as it is
	// drawn, if there is but one: then the frame is Placed.
	Origin board.Point
	Placed bool

	legal []game.Move            // of the position, once somebody asked
	cells map[pattern.Set]string // as diagrams write them
}

// FrameOf returns the frame of a board that was asked for in a query, which may
// be nil.
func FrameOf(k *index.Kind, asked query.Q, shape *query.Shape) *Frame {
	f := &Frame{Kind: k, Pattern: shape.Pattern, Next: shape.Next}
	f.Origin, f.Placed = f.Pattern.Origin(k.Rules.Geometry().Size)
	if f.Whole() {
		f.stand(asked)
	}
	return f
}

// FrameAt returns the frame of a whole position. The pattern says in which
// pictures it counts.
func FrameAt(k *index.Kind, p game.Position, moves []game.Move, shape *pattern.Pattern) *Frame {
	return &Frame{Kind: k, Pattern: shape, Position: p, Moves: moves, Placed: true}
}

// stand finds the position that a whole board is: as the query wrote it, with
// its moves, or as the pattern has it.
func (f *Frame) stand(asked query.Q) {
	rules := f.Kind.Rules
	query.Walk(asked, func(q query.Q) bool {
		d, ok := q.(query.Diagram)
		if !ok || f.Position != nil || d.Word != "position" && d.Word != "line" {
			return f.Position == nil
		}
		pos, moves, err := game.ParseLine(rules, d.Text)
		if err != nil {
			return true
		}
		whole, err := pattern.FromPosition(pos)
		same := err == nil && len(f.Next) == 0 && equalCells(whole, f.Pattern)
		if d.Word == "line" {
			same = f.follows(moves)
		}
		if same {
			f.Position, f.Moves = pos, moves
		}
		return true
	})
	if f.Position != nil || len(f.Next) > 0 {
		return
	}
	setup := game.NewSetup(rules)
	if f.Pattern.Turn == pattern.SecondToMove {
		setup.Turn = game.Second
	}
	for i, set := range f.Pattern.Cells {
		piece, ok := set.Only()
		if !ok {
			return
		}
		if piece != board.Empty {
			setup.Board.Of[piece-1].Add(f.Pattern.Size.Point(i))
		}
	}
	if pos, err := rules.Arrange(setup); err == nil {
		f.Position = pos
	}
}

func equalCells(p, q *pattern.Pattern) bool {
	return p.Size == q.Size && slices.Equal(p.Cells, q.Cells)
}

// follows reports whether the moves are those that the frame asks for behind its
// board.
func (f *Frame) follows(moves []game.Move) bool {
	n := 0
	for _, m := range moves {
		to := m.To()
		if to == board.NoPoint {
			continue
		}
		if n == len(f.Next) || board.At(int(f.Next[n].X), int(f.Next[n].Y)) != to {
			return false
		}
		n++
	}
	return n == len(f.Next) && n > 0
}

// Whole reports whether the frame is the whole board.
func (f *Frame) Whole() bool {
	return f.Placed && f.Origin == 0 && f.Pattern.Size == f.Kind.Rules.Geometry().Size
}

// Edges returns the edges of the board that the frame touches as it is drawn.
func (f *Frame) Edges() pattern.Edges {
	p := f.Pattern
	switch {
	case f.Whole():
		return pattern.Top | pattern.Right | pattern.Bottom | pattern.Left
	case p.Anchor == pattern.Corner && p.Edges == 0:
		return pattern.Top | pattern.Left
	case p.Anchor == pattern.Side && p.Edges == 0:
		return pattern.Top
	case p.Anchor == pattern.Corner || p.Anchor == pattern.Side:
		return p.Edges
	}
	return 0
}

// Name returns the name of a point of the frame, as the query language has it:
// that of the board where it is known, else the column and row from a1 at the
// top left.
func (f *Frame) Name(p board.Point) string {
	return query.CellName(f.Kind.Rules.Geometry(), f.Pattern, p.X(), p.Y())
}

// Drawn returns the pattern with the moves behind it that were asked for.
func (f *Frame) Drawn() *pattern.Pattern {
	if len(f.Next) == 0 {
		return f.Pattern
	}
	p := *f.Pattern
	p.Cells = slices.Clone(p.Cells)
	for _, s := range f.Next {
		p.Cells[int(s.Y)*p.Size.W+int(s.X)] = pattern.Of(f.piece(s))
	}
	return &p
}

// piece returns what arrives with a step: where it may be any piece of a side,
// the first of them.
func (f *Frame) piece(s query.Step) board.Piece {
	if s.Piece != board.Empty {
		return s.Piece
	}
	pieces := f.Kind.Rules.Geometry().Pieces
	return board.Piece(slices.IndexFunc(pieces, func(l board.Look) bool { return game.Side(l.Owner) == s.Side }) + 1)
}

// Move returns the text of a move that came next: in a notation of the game
// where the whole board is known, else by its points.
func (f *Frame) Move(c *retrieve.Continuation, n game.Notation) string {
	m := c.Move
	if m == game.Pass {
		return f.MoveName(m)
	}
	if f.legal == nil && f.Position != nil {
		f.legal = f.Position.AppendMoves([]game.Move{})
	}
	if f.Position != nil && f.Position.Turn() == c.Side && slices.Contains(f.legal, m) {
		return game.FormatMove(f.Kind.Rules, f.Position, m, n)
	}
	return f.MoveName(m)
}

// MoveName returns a move by the names of its points.
func (f *Frame) MoveName(m game.Move) string {
	from, to := m.From(), m.To()
	switch {
	case to == board.NoPoint:
		return "pass"
	case from != board.NoPoint:
		return f.Name(from) + "-" + f.Name(to)
	case f.Kind.Moving:
		return "-" + f.Name(to) // from outside the region
	}
	return f.Name(to)
}

// Cell returns how a diagram writes a cell.
func (f *Frame) Cell(set pattern.Set) string {
	text, ok := f.cells[set]
	if !ok {
		text = cellText(f.Kind.Rules.Geometry(), set)
		if f.cells == nil {
			f.cells = map[pattern.Set]string{}
		}
		f.cells[set] = text
	}
	return text
}

func cellText(g *board.Geometry, set pattern.Set) string {
	one := pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{set}}
	return strings.TrimSpace(one.Format(g))
}

// DifferenceText tells in words what a board has otherwise than one that was
// asked for.
func DifferenceText(g *board.Geometry, d *pattern.Difference) string {
	point, want, found := g.Name(d.Point), cellText(g, d.Want), cellText(g, pattern.Of(d.Found))
	switch d.Kind {
	case pattern.Missing:
		return fmt.Sprintf("%s missing at %s", want, point)
	case pattern.Taken:
		return fmt.Sprintf("%s at %s in place of %s", found, point, want)
	case pattern.Moved:
		return fmt.Sprintf("%s %s -> %s", want, point, g.Name(d.At))
	}
	return fmt.Sprintf("extra %s %s", found, point)
}
