package cli

import (
	"fmt"
	"math"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/index"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// Differences tells in words what the board of a row has otherwise. Of pieces on
// points that do not matter, only the number is told.
func (f *Frame) Differences(row *retrieve.Row) string {
	var list []string
	extra := false
	for i := range row.Differences {
		d := &row.Differences[i]
		list = append(list, ask.DifferenceText(f.Kind.Rules.Geometry(), d))
		extra = extra || d.Kind == pattern.Filled
	}
	if row.Others > 0 && !extra {
		list = append(list, Plural(int(row.Others), "more piece"))
	}
	return strings.Join(list, "; ")
}

// Frame is what was asked for, with the ways in which the program shows it.
type Frame struct{ *ask.Frame }

// FrameOf returns the frame of a board that was asked for in a query.
func FrameOf(k *index.Kind, asked query.Q, shape *query.Shape) *Frame {
	return &Frame{ask.FrameOf(k, asked, shape)}
}

// Describe tells how the board of the frame was searched.
func (f *Frame) Describe() string {
	p, info := f.Pattern, f.Kind.Rules.Info()
	what := fmt.Sprintf("%v %v", p.Size, p.Anchor)
	line := len(f.Next) > 0 && f.Whole() && p.To == 0
	switch {
	case line:
		what = "line of " + Plural(len(f.Next), "move") + " from the start"
	case f.Whole():
		what = fmt.Sprintf("whole board %v", p.Size)
	case p.Anchor == pattern.Fixed:
		what += " at " + f.Kind.Rules.Geometry().Name(f.Origin)
	}
	if len(f.Next) > 0 && !line {
		what += ", then"
		for _, s := range f.Next {
			what += " " + f.Name(board.At(int(s.X), int(s.Y)))
		}
	}
	ways := 0
	for _, sym := range info.Symmetries {
		if !sym.Swap {
			ways++
		}
	}
	switch {
	case p.Mirror && ways > 2:
		what += ", turned and mirrored"
	case p.Mirror && ways == 2:
		what += ", mirrored"
	}
	if p.Swap {
		what += ", colours exchanged"
	}
	if p.Turn != 0 {
		what += ", " + info.Sides[p.Turn-1].Name + " to move"
	}
	switch {
	case line:
	case p.From > 0 && p.To < 0:
		what += fmt.Sprintf(", from ply %d on", p.From)
	case p.From == p.To && p.To >= 0:
		what += fmt.Sprintf(", at ply %d", p.To)
	case p.To >= 0:
		what += fmt.Sprintf(", plies %d to %d", max(p.From, 0), p.To)
	}
	return what
}

// MoveText returns the text of a move that came next.
func (f *Frame) MoveText(c *retrieve.Continuation) string { return f.Move(c, game.AnyNotation) }

// signs returns the signs that mark points on boards of the game: letters, but
// none that is a piece there.
func (f *Frame) signs() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	pieces, list := "XOxo", ""
	looks := f.Kind.Rules.Geometry().Pieces
	if len(looks) > 2 {
		pieces, list = "", "123456789"
	}
	for i := range looks {
		drawn := looks[i].Letters
		if len(looks) <= 2 {
			drawn = drawn[:1]
		}
		pieces += drawn
	}
	for _, c := range letters {
		if !strings.ContainsRune(pieces, c) {
			list += string(c)
		}
	}
	return list
}

// Mark gives a sign to every point that one of the moves leads to, in their
// order, as long as there are signs.
func (f *Frame) Mark(moves []retrieve.Continuation) map[board.Point]string {
	marks, signs := map[board.Point]string{}, f.signs()
	for i := range moves {
		to := moves[i].Move.To()
		if to != board.NoPoint && marks[to] == "" && signs != "" {
			marks[to], signs = signs[:1], signs[1:]
		}
	}
	return marks
}

// Signs returns the signs of moves: that of the point, and where several pieces
// of a side go there, a stroke more for each but the first.
func (f *Frame) Signs(moves []retrieve.Continuation) []string {
	type goal struct {
		to   board.Point
		side game.Side
	}
	marks, list, met := f.Mark(moves), make([]string, len(moves)), map[goal]int{}
	for i := range moves {
		at := goal{moves[i].Move.To(), moves[i].Side}
		if list[i] = marks[at.to]; list[i] != "" {
			list[i] += strings.Repeat("'", met[at])
			met[at]++
		}
	}
	return list
}

// AppendText appends the frame for a terminal, with signs on its points: the
// board, or for a region the diagram in the language that --pattern reads.
func (f *Frame) AppendText(dst []byte, marks map[board.Point]string, o draw.TextOptions) []byte {
	if f.Position == nil {
		return f.appendDiagram(dst, marks, o.Color)
	}
	planes, texts := game.Shown(f.Position)
	return draw.AppendText(dst, &draw.Scene{
		Geometry: f.Kind.Rules.Geometry(), Planes: planes, Texts: texts, Last: f.last(), Labels: marks, Coordinates: true,
	}, o)
}

// last returns the last move before the board, to be shown on it.
func (f *Frame) last() *draw.Step {
	if len(f.Moves) == 0 || f.Moves[len(f.Moves)-1].To() == board.NoPoint {
		return nil
	}
	m := f.Moves[len(f.Moves)-1]
	return &draw.Step{From: m.From(), To: m.To()}
}

func (f *Frame) appendDiagram(dst []byte, marks map[board.Point]string, color bool) []byte {
	p, edges := f.Drawn(), f.Edges()
	cells := make([]string, len(p.Cells))
	widths := make([]int, p.Size.W)
	for i, set := range p.Cells {
		cells[i] = f.Cell(set)
		widths[i%p.Size.W] = max(widths[i%p.Size.W], len(cells[i]))
	}
	rule := 0
	for _, w := range widths {
		rule += w + 1
	}
	left, right := " ", ""
	if edges&pattern.Left != 0 {
		left = "|"
	}
	if edges&pattern.Right != 0 {
		right = " |"
	}
	border := func(edge pattern.Edges) {
		if edges&edge == 0 {
			return
		}
		line := strings.Replace(strings.Replace(left, "|", "+", 1)+strings.Repeat("-", rule)+right, " |", "-+", 1)
		dst = append(append(dst, line...), '\n')
	}
	border(pattern.Top)
	for y := range p.Size.H {
		line := left
		for x, w := range widths {
			cell := cells[y*p.Size.W+x]
			pad := strings.Repeat(" ", w-len(cell))
			if sign := marks[board.At(x, y)]; sign != "" && p.Cells[y*p.Size.W+x].Has(board.Empty) {
				pad, cell = strings.Repeat(" ", w-1), sign
				if color {
					cell = Bold + sign + Plain
				}
			}
			line += " " + cell + pad
		}
		dst = append(append(dst, strings.TrimRight(line+right, " ")...), '\n')
	}
	border(pattern.Bottom)
	return dst
}

// Scene returns a picture of the frame with its moves: the more often one was
// played, the warmer its point.
func (f *Frame) Scene(moves []retrieve.Continuation, marks map[board.Point]string) *draw.Scene {
	s := &draw.Scene{
		Coordinates: f.Placed, Labels: map[board.Point]string{}, Marks: map[board.Point]draw.Mark{}, Heat: map[board.Point]draw.Heat{},
		Last: f.last(), Title: f.Kind.Rules.Info().Titles.En + ": what came next",
	}
	if f.Position != nil {
		s.Geometry = f.Kind.Rules.Geometry()
		s.Planes, s.Texts = game.Shown(f.Position)
	} else {
		s.Geometry = f.geometry()
		f.lay(s)
	}
	counts, most := map[board.Point]int{}, 1
	for i := range moves {
		if to := moves[i].Move.To(); to != board.NoPoint {
			counts[to] += moves[i].Count
			most = max(most, counts[to])
		}
	}
	for p, n := range counts {
		s.Heat[p] = draw.Heat{Value: float64(n) / float64(most), Text: marks[p]}
		delete(s.Labels, p)
		delete(s.Marks, p)
	}
	const arrows = 6 // more hide each other
	for i := range moves[:min(len(moves), arrows)] {
		if m := moves[i].Move; m.From() != board.NoPoint {
			s.Arrows = append(s.Arrows, draw.Step{From: m.From(), To: m.To()})
		}
	}
	return s
}

// lay puts the cells of a diagram onto a picture: pieces, dashed boxes where
// anything may stand, and the sets between as they are written.
func (f *Frame) lay(s *draw.Scene) {
	p := f.Drawn()
	kinds := len(f.Kind.Rules.Geometry().Pieces)
	s.Planes = board.NewPlanes(p.Size, kinds)
	for i, set := range p.Cells {
		at := p.Size.Point(i)
		switch {
		case set == pattern.Empty:
		case set == pattern.AnyOn(kinds):
			s.Marks[at] = draw.Hint
		case set&(set-1) == 0 && set != pattern.Off:
			piece := board.Piece(1)
			for ; !set.Has(piece); piece++ {
			}
			s.Planes.Of[piece-1].Add(at)
		default:
			s.Labels[at] = f.Cell(set)
		}
	}
}

// geometry returns the part of the board that the frame is. Where the region
// may lie in several places, it is a plain grid.
func (f *Frame) geometry() *board.Geometry {
	whole, p := f.Kind.Rules.Geometry(), f.Pattern
	if f.Whole() {
		return whole
	}
	g := &board.Geometry{Size: p.Size, Cells: whole.Cells, Pieces: whole.Pieces, Theme: whole.Theme}
	x, y, lines := f.along()
	if f.Placed {
		x, y, lines = float64(f.Origin.X()), float64(f.Origin.Y()), whole.Lines
	}
	// Lines go half a step beyond the last point, unless the board ends there.
	for _, l := range lines {
		l, ok := clip(l, board.Spot{X: x - 0.5, Y: y - 0.5}, board.Spot{X: x + float64(p.Size.W) - 0.5, Y: y + float64(p.Size.H) - 0.5})
		if ok {
			l.From.X, l.To.X, l.From.Y, l.To.Y = l.From.X-x, l.To.X-x, l.From.Y-y, l.To.Y-y
			g.Lines = append(g.Lines, l)
		}
	}
	if !f.Placed {
		return g
	}
	keep := func(list []board.Spot) (kept []board.Spot) {
		for _, s := range list {
			if s = (board.Spot{X: s.X - x, Y: s.Y - y}); s.X >= 0 && s.Y >= 0 && s.X < float64(p.Size.W) && s.Y < float64(p.Size.H) {
				kept = append(kept, s)
			}
		}
		return kept
	}
	g.Dots, g.Ticks = keep(whole.Dots), keep(whole.Ticks)
	columns, rows := whole.PointNames()
	part := func(names []string, from, n int) []string {
		return names[min(from, len(names)):min(from+n, len(names))]
	}
	g.Labels.Top, g.Labels.Left = part(columns, int(x), p.Size.W), part(rows, int(y), p.Size.H)
	return g
}

// along returns a place for a region that may lie in several, and the lines
// there: on a board that goes on by one more point, except beyond its edges.
func (f *Frame) along() (x, y float64, lines []board.Segment) {
	size, edges := f.Pattern.Size, f.Edges()
	for _, e := range []struct {
		edge   pattern.Edges
		length *int
		at     *float64
	}{{pattern.Left, &size.W, &x}, {pattern.Right, &size.W, nil}, {pattern.Top, &size.H, &y}, {pattern.Bottom, &size.H, nil}} {
		if edges&e.edge != 0 {
			continue
		}
		*e.length++
		if e.at != nil {
			*e.at = 1
		}
	}
	return x, y, board.Grid(size, f.Kind.Rules.Geometry().Cells)
}

// clip returns the part of a line that lies in a rectangle, if any.
func clip(l board.Segment, low, high board.Spot) (board.Segment, bool) {
	from, to := 0.0, 1.0
	dx, dy := l.To.X-l.From.X, l.To.Y-l.From.Y
	for _, e := range [4][2]float64{
		{-dx, l.From.X - low.X}, {dx, high.X - l.From.X}, {-dy, l.From.Y - low.Y}, {dy, high.Y - l.From.Y},
	} {
		switch t := e[1] / e[0]; {
		case e[0] == 0 && e[1] < 0:
			return l, false
		case e[0] < 0:
			from = math.Max(from, t)
		case e[0] > 0:
			to = math.Min(to, t)
		}
	}
	if from >= to {
		return l, false
	}
	start := l.From
	l.From = board.Spot{X: start.X + from*dx, Y: start.Y + from*dy}
	l.To = board.Spot{X: start.X + to*dx, Y: start.Y + to*dy}
	return l, true
}
