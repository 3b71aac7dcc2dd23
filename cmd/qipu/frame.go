package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
	"qipu/retrieve"
)

// frame is what was asked for, as it is drawn: the board or the region in which
// an answer counts its moves.
type frame struct {
	rules    game.Rules
	moving   bool // pieces move from point to point
	pattern  *pattern.Pattern
	position game.Position // where it is a whole position; else nil
	last     *draw.Step

	next []query.Step // moves behind it that were asked for

	// origin is the point of the board on which the top left cell lies as it is
	// drawn, if there is but one.
	origin board.Point
	placed bool
}

// frameOf returns the frame of a board that was asked for in a query.
func frameOf(rules game.Rules, moving bool, asked query.Q, shape *query.Shape) *frame {
	f := &frame{rules: rules, moving: moving, pattern: shape.Pattern, next: shape.Next}
	f.locate()
	if f.whole() {
		f.stand(asked)
	}
	return f
}

// stand finds the position that a whole board is: as the query wrote it, with
// the last move, or as the pattern has it.
func (f *frame) stand(asked query.Q) {
	query.Walk(asked, func(q query.Q) bool {
		d, ok := q.(query.Diagram)
		if !ok || f.position != nil || d.Word != "position" && d.Word != "line" {
			return f.position == nil
		}
		pos, moves, err := game.ParseLine(f.rules, d.Text)
		if err != nil {
			return true
		}
		same := len(f.next) == 0 && equalCells(pattern.FromBoard(pos.(game.Planar).Planes()), f.pattern)
		if d.Word == "line" {
			same = f.follows(moves)
		}
		if same {
			f.position, f.last = pos, lastStep(moves)
		}
		return true
	})
	if f.position != nil || len(f.next) > 0 {
		return
	}
	setup := game.NewSetup(f.rules)
	if f.pattern.Turn == pattern.SecondToMove {
		setup.Turn = game.Second
	}
	for i, set := range f.pattern.Cells {
		piece, ok := only(set)
		if !ok {
			return
		}
		if piece != board.Empty {
			setup.Board.Of[piece-1].Add(f.pattern.Size.Point(i))
		}
	}
	if pos, err := f.rules.Arrange(setup); err == nil {
		f.position = pos
	}
}

func equalCells(p, q *pattern.Pattern) bool {
	return p.Size == q.Size && slices.Equal(p.Cells, q.Cells)
}

// follows reports whether the moves are those that the frame asks for behind its
// board.
func (f *frame) follows(moves []game.Move) bool {
	n := 0
	for _, m := range moves {
		to := m.To()
		if to == board.NoPoint {
			continue
		}
		if n == len(f.next) || board.At(int(f.next[n].X), int(f.next[n].Y)) != to {
			return false
		}
		n++
	}
	return n == len(f.next) && n > 0
}

// only returns the one state that a set has.
func only(set pattern.Set) (board.Piece, bool) {
	if set == pattern.Off || set == 0 || set&(set-1) != 0 {
		return 0, false
	}
	piece := board.Empty
	for !set.Has(piece) {
		piece++
	}
	return piece, true
}

// describe tells how the board of the frame was searched.
func (f *frame) describe() string {
	p, info := f.pattern, f.rules.Info()
	what := fmt.Sprintf("%v %v", p.Size, p.Anchor)
	line := len(f.next) > 0 && f.whole() && p.To == 0
	switch {
	case line:
		what = "line of " + plural(len(f.next), "move") + " from the start"
	case f.whole():
		what = fmt.Sprintf("whole board %v", p.Size)
	case p.Anchor == pattern.Fixed:
		what += " at " + f.rules.Geometry().Name(f.origin)
	}
	if len(f.next) > 0 && !line {
		what += ", then"
		for _, s := range f.next {
			what += " " + f.name(board.At(int(s.X), int(s.Y)))
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

// locate finds out where the region lies as it is drawn.
func (f *frame) locate() { f.origin, f.placed = f.pattern.Origin(f.rules.Geometry().Size) }

// whole reports whether the frame is the whole board.
func (f *frame) whole() bool {
	return f.placed && f.origin == 0 && f.pattern.Size == f.rules.Geometry().Size
}

// edges returns the edges of the board that the frame touches as it is drawn.
func (f *frame) edges() pattern.Edges {
	p := f.pattern
	switch {
	case f.whole():
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

// name returns the name of a point of the frame, as the query language has it:
// that of the board where it is known, else the column and row from a1 at the
// top left.
func (f *frame) name(p board.Point) string {
	return query.CellName(f.rules.Geometry(), f.pattern, p.X(), p.Y())
}

// drawn returns the pattern with the moves behind it that were asked for.
func (f *frame) drawn() *pattern.Pattern {
	if len(f.next) == 0 {
		return f.pattern
	}
	p := *f.pattern
	p.Cells = slices.Clone(p.Cells)
	for _, s := range f.next {
		p.Cells[int(s.Y)*p.Size.W+int(s.X)] = pattern.Of(f.piece(s))
	}
	return &p
}

// piece returns what arrives with a step: where it may be any piece of a side,
// the first of them.
func (f *frame) piece(s query.Step) board.Piece {
	if s.Piece != board.Empty {
		return s.Piece
	}
	pieces := f.rules.Geometry().Pieces
	return board.Piece(slices.IndexFunc(pieces, func(l board.Look) bool { return game.Side(l.Owner) == s.Side }) + 1)
}

// move returns the text of a move that came next: in the notation of the game
// where the whole board is known, else by its points.
func (f *frame) move(c *retrieve.Continuation) string {
	m := c.Move
	if m == game.Pass {
		return "pass"
	}
	if f.position != nil && f.position.Turn() == c.Side && slices.Contains(f.position.AppendMoves(nil), m) {
		return game.FormatMove(f.rules, f.position, m, game.AnyNotation)
	}
	switch from := m.From(); {
	case from != board.NoPoint:
		return f.name(from) + "-" + f.name(m.To())
	case f.moving:
		return "-" + f.name(m.To()) // from outside the region
	}
	return f.name(m.To())
}

// signs returns the signs that mark points on boards of the game: letters, but
// none that is a piece there.
func (f *frame) signs() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	pieces, list := "XOxo", ""
	if looks := f.rules.Geometry().Pieces; len(looks) > 2 {
		list = "123456789"
		pieces = ""
		for i := range looks {
			pieces += looks[i].Letters
		}
	}
	for _, c := range letters {
		if !strings.ContainsRune(pieces, c) {
			list += string(c)
		}
	}
	return list
}

// mark gives a sign to every point that one of the moves leads to, in their
// order, as long as there are signs.
func (f *frame) mark(moves []retrieve.Continuation) map[board.Point]string {
	marks, signs := map[board.Point]string{}, f.signs()
	for i := range moves {
		to := moves[i].Move.To()
		if to != board.NoPoint && marks[to] == "" && signs != "" {
			marks[to], signs = signs[:1], signs[1:]
		}
	}
	return marks
}

// appendText appends the frame for a terminal, with signs on its points: the
// board, or for a region the diagram in the language that --pattern reads.
func (f *frame) appendText(dst []byte, marks map[board.Point]string, o draw.TextOptions) []byte {
	if f.position == nil {
		return f.appendDiagram(dst, marks, o.Color)
	}
	return draw.AppendText(dst, &draw.Scene{
		Geometry: f.rules.Geometry(), Planes: f.position.(game.Planar).Planes(), Last: f.last, Labels: marks, Coordinates: true,
	}, o)
}

// lastStep returns the last move of a line, to be shown on the board.
func lastStep(moves []game.Move) *draw.Step {
	if len(moves) == 0 || moves[len(moves)-1].To() == board.NoPoint {
		return nil
	}
	m := moves[len(moves)-1]
	return &draw.Step{From: m.From(), To: m.To()}
}

// cell returns how a diagram writes a cell.
func (f *frame) cell(set pattern.Set) string {
	one := pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{set}}
	return strings.TrimSpace(one.Format(f.rules.Geometry()))
}

func (f *frame) appendDiagram(dst []byte, marks map[board.Point]string, color bool) []byte {
	p, edges := f.drawn(), f.edges()
	cells := make([]string, len(p.Cells))
	widths := make([]int, p.Size.W)
	for i, set := range p.Cells {
		cells[i] = f.cell(set)
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
					cell = bold + sign + plain
				}
			}
			line += " " + cell + pad
		}
		dst = append(append(dst, strings.TrimRight(line+right, " ")...), '\n')
	}
	border(pattern.Bottom)
	return dst
}

// scene returns a picture of the frame with its moves: the more often one was
// played, the warmer its point.
func (f *frame) scene(moves []retrieve.Continuation, marks map[board.Point]string) *draw.Scene {
	s := &draw.Scene{
		Coordinates: f.placed, Labels: map[board.Point]string{}, Marks: map[board.Point]draw.Mark{}, Heat: map[board.Point]draw.Heat{},
		Last: f.last, Title: f.rules.Info().Titles.En + ": what came next",
	}
	if f.position != nil {
		s.Geometry, s.Planes = f.rules.Geometry(), f.position.(game.Planar).Planes()
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
func (f *frame) lay(s *draw.Scene) {
	p := f.drawn()
	kinds := len(f.rules.Geometry().Pieces)
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
			s.Labels[at] = f.cell(set)
		}
	}
}

// geometry returns the part of the board that the frame is. Where the region
// may lie in several places, it is a plain grid.
func (f *frame) geometry() *board.Geometry {
	whole, p := f.rules.Geometry(), f.pattern
	if f.whole() {
		return whole
	}
	g := &board.Geometry{Size: p.Size, Cells: whole.Cells, Pieces: whole.Pieces, Theme: whole.Theme}
	x, y, lines := f.along()
	if f.placed {
		x, y, lines = float64(f.origin.X()), float64(f.origin.Y()), whole.Lines
	}
	// Lines go half a step beyond the last point, unless the board ends there.
	for _, l := range lines {
		l, ok := clip(l, board.Spot{X: x - 0.5, Y: y - 0.5}, board.Spot{X: x + float64(p.Size.W) - 0.5, Y: y + float64(p.Size.H) - 0.5})
		if ok {
			l.From.X, l.To.X, l.From.Y, l.To.Y = l.From.X-x, l.To.X-x, l.From.Y-y, l.To.Y-y
			g.Lines = append(g.Lines, l)
		}
	}
	if !f.placed {
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
func (f *frame) along() (x, y float64, lines []board.Segment) {
	size, edges := f.pattern.Size, f.edges()
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
	return x, y, board.Grid(size, f.rules.Geometry().Cells)
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
