package cli

import (
	"strconv"
	"strings"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
)

// DrawOptions are the flags of the draw command.
type DrawOptions struct {
	Svg, Png, Ascii, Unicode  bool
	Flip, Dark, NoCoordinates bool
	Simplified                bool
	Legal, Numbers            bool
	Width                     int
	Labels, Marks, Heat       []string
	Arrows, Regions           []string
	Output, Notation          string
}

// Check refuses flags that would do nothing.
func (o *DrawOptions) Check(json bool) error {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"dark", o.Dark}, {"simplified", o.Simplified}, {"numbers", o.Numbers}, {"width", o.Width != 0},
		{"mark", o.Marks != nil}, {"heat", o.Heat != nil}, {"arrow", o.Arrows != nil}, {"region", o.Regions != nil},
	} {
		if f.given && !o.Svg && !o.Png {
			return Usagef("--%s shows in pictures only: add --svg or --png", f.name)
		}
	}
	if o.Notation != "" && !json {
		return Usagef("--notation is for --json: a picture shows no moves")
	}
	return nil
}

// Scene gathers everything that a picture of the position shows.
func Scene(r game.Rules, p game.Position, moves []game.Move, o *DrawOptions) (*draw.Scene, error) {
	planes, texts := game.Shown(p)
	s := &draw.Scene{
		Geometry: r.Geometry(), Planes: planes, Texts: texts,
		Coordinates: !o.NoCoordinates, Flip: o.Flip, Dark: o.Dark, Simplified: o.Simplified, Width: o.Width,
		Labels: map[board.Point]string{}, Marks: map[board.Point]draw.Mark{}, Heat: map[board.Point]draw.Heat{},
		Title: r.Info().Titles.En + ", " + strings.TrimSuffix(Status(r, p), "\n"),
	}
	for i, m := range moves {
		if to := m.To(); to != board.NoPoint {
			s.Last = &draw.Step{From: m.From(), To: to}
			if o.Numbers {
				s.Labels[to] = strconv.Itoa(i + 1)
			}
		}
	}
	if o.Legal {
		for _, m := range p.AppendMoves(nil) {
			if to := m.To(); to != board.NoPoint {
				s.Marks[to] |= draw.Legal
			}
		}
	}
	return s, decorate(s, o)
}

// decorate adds what the flags draw by hand.
func decorate(s *draw.Scene, o *DrawOptions) error {
	for _, text := range o.Labels {
		p, value, err := pointValue(s.Geometry, "label", text)
		if err != nil {
			return err
		}
		s.Labels[p] = value
	}
	shapes := map[string]draw.Mark{
		"circle": draw.Circle, "square": draw.Square, "triangle": draw.Triangle, "cross": draw.Cross, "hint": draw.Hint,
	}
	for _, text := range o.Marks {
		p, value, err := pointValue(s.Geometry, "mark", text)
		if err != nil {
			return err
		}
		shape, ok := shapes[value]
		if !ok {
			return Usagef("--mark %s: the marks are circle, square, triangle, cross and hint", text)
		}
		s.Marks[p] |= shape
	}
	for _, text := range o.Heat {
		p, value, err := pointValue(s.Geometry, "heat", text)
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return Usagef("--heat %s: want a number from 0 to 1", text)
		}
		s.Heat[p] = draw.Heat{Value: v, Text: value}
	}
	for _, text := range o.Arrows {
		from, to, err := pointPair(s.Geometry, "arrow", text)
		if err != nil {
			return err
		}
		s.Arrows = append(s.Arrows, draw.Step{From: from, To: to})
	}
	for _, text := range o.Regions {
		from, to, err := pointPair(s.Geometry, "region", text)
		if err != nil {
			return err
		}
		s.Regions = append(s.Regions, draw.Region{A: from, B: to})
	}
	return nil
}

// pointValue reads "d4=A".
func pointValue(g *board.Geometry, flag, text string) (board.Point, string, error) {
	name, value, ok := strings.Cut(text, "=")
	p, known := g.Point(name)
	if !ok || !known {
		return p, "", Usagef("--%s %s: want a point and a value, as in %s=...", flag, text, g.Name(0))
	}
	return p, value, nil
}

// pointPair reads "d4-f5".
func pointPair(g *board.Geometry, flag, text string) (from, to board.Point, err error) {
	a, b, _ := strings.Cut(text, "-")
	from, ok1 := g.Point(a)
	to, ok2 := g.Point(b)
	if !ok1 || !ok2 {
		last := board.At(g.Size.W-1, g.Size.H-1)
		return from, to, Usagef("--%s %s: want two points, as in %s-%s", flag, text, g.Name(0), g.Name(last))
	}
	return from, to, nil
}
