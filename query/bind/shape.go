package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
)

// cut is a pattern and the place that it was cut out of, if it was.
type cut struct {
	*pattern.Pattern
	at    board.Point
	known bool
}

// shape returns what a diagram, a position or a line means. It refuses what lies
// nowhere on the board.
func (x *binding) shape(d query.Diagram) (*query.Shape, error) {
	g := x.Rules.Geometry()
	var c cut
	var next []query.Step
	var reaches *pattern.Pattern
	var err error
	switch d.Word {
	case "board":
		c.Pattern, err = x.diagram(d)
	case "position":
		c, err = x.position(d)
	case "line":
		c.Pattern, next, reaches, err = x.line(d)
	default:
		return nil, x.fail(d.At, fmt.Sprintf("%q is no board", d.Word), "write board, position, line or fuzzy", nil)
	}
	if err != nil {
		return nil, err
	}
	s := &query.Shape{Pattern: c.Pattern, Geometry: g, Next: next, Reaches: reaches}
	s.Pattern.Mirror, s.Pattern.Swap = true, d.Word != "line"
	if err := x.settle(s, c, d); err != nil {
		return nil, err
	}
	if reaches != nil {
		reaches.Mirror, reaches.Swap = s.Pattern.Mirror, s.Pattern.Swap
	}
	return s, nil
}

// settle puts the options of a board into effect, and checks that it lies
// somewhere. The parser refuses options that are unknown, but trees are made by
// hand too.
func (x *binding) settle(s *query.Shape, c cut, d query.Diagram) error {
	for _, o := range d.Options {
		if value, known := query.OptionTakes(d.Word, o.Name); !known || value != (o.Value != "") {
			return x.fail(o.At, fmt.Sprintf("%v is no option of %s", o.Name, d.Word), "the options are "+strings.Join(query.OptionNames(d.Word), ", "), nil)
		}
	}
	if err := x.place(s.Pattern, c, d); err != nil {
		return err
	}
	next := query.Option{At: -1}
	for _, o := range d.Options {
		switch o.Name {
		case "mirror", "no-mirror":
			s.Pattern.Mirror = o.Name == "mirror"
		case "swap", "no-swap":
			s.Pattern.Swap = o.Name == "swap"
		case "turn":
			side, err := x.side(o.Value, query.Field{At: o.At})
			if err != nil {
				return err
			}
			s.Pattern.Turn = pattern.FirstToMove + pattern.Turn(side)
		case "plies":
			from, to, ok, err := plies(query.Is, o.Value)
			if err == nil && !ok {
				err = errors.New("no ply lies inside")
			}
			if err != nil {
				return x.fail(o.At, cause(err), "write numbers of moves, as in plies:10..60, plies:10.. or plies:..60", nil)
			}
			s.Pattern.From, s.Pattern.To = from, to
		case "next":
			next = o
		}
	}
	// What lies nowhere on the board would be found nowhere: better to say so.
	if _, err := pattern.Compile(s.Pattern, pattern.BoardOf(x.Rules)); err != nil {
		return x.fail(d.At, cause(err), "", err)
	}
	if next.At >= 0 {
		return x.followed(s, next)
	}
	return nil
}

// diagram reads a diagram. Its errors point into it.
func (x *binding) diagram(d query.Diagram) (*pattern.Pattern, error) {
	p, err := pattern.Parse(x.Rules.Geometry(), d.Text)
	if err == nil {
		return p, nil
	}
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "pattern: line %d, column %d:", &line, &column); n == 2 {
		source := query.SourceOf(x.Text, d.At)
		if _, quoted := source.Inside(0); quoted && x.from[d.At] == "" {
			rows := strings.SplitAfter(d.Text, "\n")
			offset := len(strings.Join(rows[:min(line-1, len(rows))], ""))
			if line <= len(rows) {
				if chars := []rune(rows[line-1]); column <= len(chars) {
					offset += len(string(chars[:column-1]))
				}
			}
			_, message, _ := strings.Cut(cause(err), ": ")
			at, _ := source.Inside(offset)
			return nil, x.failAt(at, 1, message, "", err)
		}
	}
	return nil, x.fail(d.At, cause(err), "", err)
}

// position reads a position or moves, and cuts out its region.
func (x *binding) position(d query.Diagram) (cut, error) {
	pos, _, err := game.ParseLine(x.Rules, d.Text)
	if err != nil {
		return cut{}, x.fail(d.At, cause(err), "", err)
	}
	planar, ok := pos.(game.Planar)
	if !ok {
		return cut{}, x.fail(d.At, pattern.ErrNoBoard.Error(), "", pattern.ErrNoBoard)
	}
	planes := planar.Planes()
	for _, o := range d.Options {
		if o.Name != "region" {
			continue
		}
		a, b, err := rectangle(x.Rules.Geometry(), o.Value)
		if err != nil {
			return cut{}, x.fail(o.At, err.Error(), "", nil)
		}
		return cut{pattern.Region(planes, a.X(), a.Y(), b.X()-a.X()+1, b.Y()-a.Y()+1), a, true}, nil
	}
	return cut{Pattern: pattern.FromBoard(planes)}, nil
}

// rectangle reads two corners of a rectangle and returns the top left and the
// bottom right one.
func rectangle(g *board.Geometry, text string) (a, b board.Point, err error) {
	from, to, found := strings.Cut(text, ":")
	p, ok1 := g.Point(from)
	q, ok2 := g.Point(to)
	if !found || !ok1 || !ok2 {
		return a, b, fmt.Errorf("%q are not two corners of a rectangle on the %v board: write them as in %s:%s",
			text, g.Size, g.Name(board.At(0, 0)), g.Name(board.At(min(6, g.Size.W-1), min(6, g.Size.H-1))))
	}
	return board.At(min(p.X(), q.X()), min(p.Y(), q.Y())), board.At(max(p.X(), q.X()), max(p.Y(), q.Y())), nil
}

// place moves the anchor to where the options say. It leaves the pattern in the
// one form that a diagram of it reads back to.
func (x *binding) place(p *pattern.Pattern, c cut, d query.Diagram) error {
	g := x.Rules.Geometry()
	anchor, at := p.Anchor, query.Option{At: -1}
	said := d.At
	for _, o := range d.Options {
		if a, err := pattern.ParseAnchor(o.Name); err == nil {
			anchor, said = a, o.At
		}
		if o.Name == "at" {
			at = o
		}
	}
	if at.At >= 0 {
		if anchor != p.Anchor && anchor != pattern.Fixed {
			return x.fail(at.At, "at tells where a board is fixed, and another option says that it is not", "leave out one of them", nil)
		}
		anchor = pattern.Fixed
	}
	if anchor != p.Anchor || at.At >= 0 {
		// Edges that are drawn stay where they say the same.
		both := p.Edges&(pattern.Top|pattern.Bottom) != 0 && p.Edges&(pattern.Left|pattern.Right) != 0
		if anchor == pattern.Corner && !both || anchor == pattern.Side && both || anchor != pattern.Corner && anchor != pattern.Side {
			p.Edges = 0
		}
		was := p.Anchor
		p.Anchor = anchor
		point, ok := g.Point(at.Value)
		switch {
		case anchor != pattern.Fixed:
		case at.At >= 0 && ok:
			p.At = point
		case at.At >= 0:
			return x.fail(at.At, fmt.Sprintf("the board has no point %q", at.Value), "write one as in at:"+g.Name(board.At(0, 0)), nil)
		case c.known:
			p.At = c.at
		case was != pattern.Fixed:
			return x.fail(said, "a board that is fixed nowhere", "tell which point its top left cell is, as in at:"+g.Name(board.At(0, 0)), nil)
		}
	}
	if p.Anchor == pattern.Floating && p.Size == g.Size && !slices.ContainsFunc(p.Cells, func(s pattern.Set) bool { return s&pattern.Off != 0 }) {
		p.Anchor, p.At = pattern.Fixed, 0 // there is no other place for it
	}
	switch whole := p.Anchor == pattern.Fixed && p.At == 0 && p.Size == g.Size; {
	case whole:
		p.Edges = pattern.Top | pattern.Right | pattern.Bottom | pattern.Left
	case p.Anchor == pattern.Corner && p.Edges == 0:
		p.Edges = pattern.Top | pattern.Left
	case p.Anchor == pattern.Side && p.Edges == 0:
		p.Edges = pattern.Top
	case p.Anchor != pattern.Corner && p.Anchor != pattern.Side:
		p.Edges = 0
	}
	if p.Anchor != pattern.Fixed {
		p.At = 0
	}
	return nil
}

// line reads the moves that a game begins with. The pattern is the start, with
// no move played; what it reaches is the board behind the moves.
func (x *binding) line(d query.Diagram) (p *pattern.Pattern, steps []query.Step, reaches *pattern.Pattern, err error) {
	pos := x.Rules.Start()
	planar, ok := pos.(game.Planar)
	if !ok {
		return nil, nil, nil, x.fail(d.At, pattern.ErrNoBoard.Error(), "", pattern.ErrNoBoard)
	}
	p = pattern.FromBoard(planar.Planes())
	p.To = 0
	moves, err := game.ParseMoves(x.Rules, x.Rules.Start(), d.Text)
	if err != nil {
		return nil, nil, nil, x.fail(d.At, cause(err), "", err)
	}
	for _, m := range moves {
		side, to := pos.Turn(), m.To()
		piece := board.Empty
		if m.From() != board.NoPoint {
			piece = planar.Planes().At(m.From())
		}
		if err := pos.Play(m); err != nil {
			return nil, nil, nil, x.fail(d.At, cause(err), "", err)
		}
		if to == board.NoPoint {
			continue // a pass ends nowhere
		}
		steps = append(steps, query.Step{X: int8(to.X()), Y: int8(to.Y()), Side: side, Piece: piece})
	}
	if len(steps) == 0 {
		return nil, nil, nil, x.fail(d.At, "a line without moves", `write some, as in line:"`+firstMove(x.Rules)+`"`, nil)
	}
	return p, steps, pattern.FromBoard(planar.Planes()), nil
}

// firstMove returns the text of a move that can be played at the start.
func firstMove(r game.Rules) string {
	p := r.Start()
	if moves := p.AppendMoves(nil); len(moves) > 0 {
		return game.FormatMove(r, p, moves[0], game.AnyNotation)
	}
	return ""
}

// fuzzy returns what a board with the word fuzzy means.
func (x *binding) fuzzy(d query.Diagram) (*query.Fuzzy, error) {
	if strings.TrimSpace(d.Text) == "" {
		return nil, x.fail(d.At, "fuzzy has no board", "draw one, or write a position or moves", nil)
	}
	c, err := x.either(d)
	if err != nil {
		return nil, err
	}
	g := x.Rules.Geometry()
	f := &query.Fuzzy{Shape: query.Shape{Pattern: c.Pattern, Geometry: g}, Weights: pattern.DefaultWeights(g), Min: pattern.DefaultMin}
	f.Weights.Piece = slices.Clone(f.Weights.Piece)
	f.Pattern.Mirror, f.Pattern.Swap = true, true
	if err := x.settle(&f.Shape, c, d); err != nil {
		return nil, err
	}
	if err := x.weigh(f, d); err != nil {
		return nil, err
	}
	return f, nil
}

// either reads a board that is a diagram, a position text, or a list of moves.
// What can be read as a diagram is one, but for plain digits of base 16, which
// are also moves: f5d6. Of a position or moves the empty points do not matter,
// unless they are given a weight.
func (x *binding) either(d query.Diagram) (cut, error) {
	region := slices.ContainsFunc(d.Options, func(o query.Option) bool { return o.Name == "region" })
	digits := strings.Trim(d.Text, "0123456789abcdefABCDEF \t") == ""
	var c cut
	var err error
	if c.Pattern, err = x.diagram(d); err == nil && !digits && !region {
		// A position text of digits reads as a diagram that lies nowhere.
		if _, bad := pattern.Compile(c.Pattern, pattern.BoardOf(x.Rules)); bad == nil {
			return c, nil
		}
	}
	pos, other := x.position(d)
	switch {
	case other == nil:
		if slices.ContainsFunc(d.Options, func(o query.Option) bool { return o.Name == "empty" }) {
			return pos, nil
		}
		// Who gives a position means the pieces: what is empty in it was not
		// drawn, and would outweigh them.
		some := false
		for i, set := range pos.Cells {
			if some = some || set != pattern.Empty; set == pattern.Empty {
				pos.Cells[i] = pattern.AnyOn(len(x.Rules.Geometry().Pieces))
			}
		}
		if !some {
			return cut{}, x.fail(d.At, "every board is like one without pieces", "name a position that has some, or a weight for empty points, as in empty:.5", nil)
		}
		return pos, nil
	case err == nil && !region:
		return c, nil
	case strings.ContainsAny(d.Text, "/\n[]*.|@") && !region:
		return cut{}, err
	}
	return cut{}, other
}

// weigh sets the weights that the options name.
func (x *binding) weigh(f *query.Fuzzy, d query.Diagram) error {
	pieces := f.Geometry.Pieces
	set := make([]bool, len(pieces)) // by their own letter
	for _, o := range d.Options {
		most := 1.0
		into := map[string]*float64{"min": &f.Min, "moved": &f.Weights.Moved, "relation": &f.Weights.Relation, "line": &f.Weights.Line, "empty": &f.Weights.Empty}[o.Name]
		piece := -1
		if into == nil && len(o.Name) == 1 {
			piece = slices.IndexFunc(pieces, func(l board.Look) bool { return strings.Contains(l.Letters, o.Name) })
			if piece < 0 {
				return x.fail(o.At, fmt.Sprintf("%s has no piece %q", x.Rules.Info().Titles.En, o.Name), "weigh pieces by their letters in diagrams", ErrOtherGame)
			}
			into = &f.Weights.Piece[piece]
		}
		if into == nil {
			continue
		}
		if piece >= 0 || o.Name == "line" || o.Name == "empty" {
			most = 1000
		}
		w, err := number(o.Value, most)
		if err != nil || w < 0 {
			return x.fail(o.At, fmt.Sprintf("the option %s wants a number from 0 to %g", o.Name, most), "", nil)
		}
		*into = w
		if piece < 0 {
			continue
		}
		// A letter weighs the piece of both sides, but where each has its own.
		set[piece] = true
		if other := int(pieces[piece].Swap) - 1; other >= 0 && other < len(set) && !set[other] {
			f.Weights.Piece[other] = w
		}
	}
	if f.Min <= 0 {
		return x.fail(d.At, "fuzzy with min:0 would find everything", "write a number above 0, as in min:.7", nil)
	}
	return nil
}
