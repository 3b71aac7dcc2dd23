package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/board"
	"qipu/board/draw"
	"qipu/game"
)

// positionJSON is a position as --json prints it.
type positionJSON struct {
	Game     string   `json:"game"`
	Variant  string   `json:"variant"`
	Position string   `json:"position"`
	Turn     string   `json:"turn"`
	Played   []string `json:"played"`
	Legal    []string `json:"legal"`
	Over     bool     `json:"over"`
	Outcome  string   `json:"outcome"`
	Hash     string   `json:"hash"`
}

// drawOptions are the flags of the draw command.
type drawOptions struct {
	svg, ascii, unicode       bool
	flip, dark, noCoordinates bool
	simplified                bool
	legal, numbers            bool
	width                     int
	labels, marks, heat       []string
	arrows, regions           []string
	output, notation          string
}

func (a *app) drawCommand() *cobra.Command {
	var o drawOptions
	cmd := &cobra.Command{
		Use:   "draw GAME [POSITION]",
		Short: "Draw a position as text or SVG",
		Long: `Draw a position of any game, as text for a terminal or as a self-contained SVG
picture.

POSITION is a position text (FEN and its kin), a list of moves from the start in
any notation, a position text followed by "moves" and such a list, or "-" for
standard input; without it the start is drawn. Points are named by column and
row, as in d4.`,
		Example: `  qipu draw othello f5d6c3d3c4f4
  qipu draw othello "8/8/8/3OX3/3XO3/8/8/8 X" --legal --unicode
  qipu draw othello f5f6e6f4 --svg --numbers --output board.svg
  echo f5d6c3 | qipu draw othello - --json`,
		Args:              argCount(1, 2),
		ValidArgsFunction: a.completeGames,
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := a.game(args[0])
			if err != nil {
				return err
			}
			position := ""
			if len(args) == 2 {
				if position, err = a.text(args[1]); err != nil {
					return err
				}
			}
			p, moves, err := game.ParseLine(r, position)
			if err != nil {
				return err
			}
			return a.draw(r, p, moves, &o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.svg, "svg", false, "draw an SVG picture")
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII letters (the default)")
	f.BoolVar(&o.unicode, "unicode", false, "draw with stones, lines and Chinese characters")
	f.BoolVar(&o.flip, "flip", false, "turn the board around")
	f.BoolVar(&o.dark, "dark", false, "SVG: dark surroundings")
	f.BoolVar(&o.noCoordinates, "no-coordinates", false, "leave out the names of columns and rows")
	f.BoolVar(&o.simplified, "simplified", false, "SVG: simplified characters on the pieces")
	f.BoolVar(&o.legal, "legal", false, "mark the legal moves")
	f.BoolVar(&o.numbers, "numbers", false, "SVG: number the moves that were played")
	f.IntVar(&o.width, "width", 0, "SVG: width in pixels (0: as wide as the page)")
	f.StringArrayVar(&o.labels, "label", nil, "write on a point: d4=A")
	f.StringArrayVar(&o.marks, "mark", nil, "SVG: mark a point: d4=circle, square, triangle, cross or hint")
	f.StringArrayVar(&o.heat, "heat", nil, "SVG: lay a value from 0 to 1 on a point: d4=0.7")
	f.StringArrayVar(&o.arrows, "arrow", nil, "SVG: draw an arrow: d4-f5")
	f.StringArrayVar(&o.regions, "region", nil, "SVG: outline a rectangle: a1-e5")
	f.StringVarP(&o.output, "output", "o", "", "write to a file")
	f.StringVar(&o.notation, "notation", "", "notation of the moves in --json (see qipu games GAME)")
	return cmd
}

func (a *app) draw(r game.Rules, p game.Position, moves []game.Move, o *drawOptions) error {
	chosen := 0
	for _, b := range []bool{o.svg, o.ascii, o.unicode, a.json} {
		if b {
			chosen++
		}
	}
	if chosen > 1 {
		return usagef("--svg, --ascii, --unicode and --json exclude each other")
	}
	if a.csv {
		return usagef("a picture has no CSV form: use --json")
	}
	if err := o.check(a.json); err != nil {
		return err
	}
	if a.json {
		return a.describePosition(r, p, moves, o)
	}
	s, err := scene(r, p, moves, o)
	if err != nil {
		return err
	}
	var picture []byte
	if o.svg {
		picture = draw.AppendSVG(nil, s)
	} else {
		picture = draw.AppendText(nil, s, draw.TextOptions{Unicode: o.unicode, Color: a.colored() && o.output == ""})
		picture = append(picture, status(r, p)...)
	}
	return a.emit(picture, o.output)
}

// check refuses flags that would do nothing.
func (o *drawOptions) check(json bool) error {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"dark", o.dark}, {"simplified", o.simplified}, {"numbers", o.numbers}, {"width", o.width != 0},
		{"mark", o.marks != nil}, {"heat", o.heat != nil}, {"arrow", o.arrows != nil}, {"region", o.regions != nil},
	} {
		if f.given && !o.svg {
			return usagef("--%s shows in SVG pictures only: add --svg", f.name)
		}
	}
	if o.notation != "" && !json {
		return usagef("--notation is for --json: a picture shows no moves")
	}
	return nil
}

// emit writes to standard output, or to a file.
func (a *app) emit(data []byte, path string) error {
	write := func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
	if path == "" {
		return write(a.out)
	}
	return atomically(path, write)
}

// status is the line under a text board.
func status(r game.Rules, p game.Position) string {
	if o := p.Outcome(); o.Over() {
		return o.Describe(r.Info()) + "\n"
	}
	return r.Info().Sides[p.Turn()].Name + " to move\n"
}

// scene gathers everything that a picture of the position shows.
func scene(r game.Rules, p game.Position, moves []game.Move, o *drawOptions) (*draw.Scene, error) {
	planar, ok := p.(game.Planar)
	if !ok {
		return nil, fmt.Errorf("%s has no board to draw", r.Info().Name)
	}
	s := &draw.Scene{
		Geometry: r.Geometry(), Planes: planar.Planes(),
		Coordinates: !o.noCoordinates, Flip: o.flip, Dark: o.dark, Simplified: o.simplified, Width: o.width,
		Labels: map[board.Point]string{}, Marks: map[board.Point]draw.Mark{}, Heat: map[board.Point]draw.Heat{},
		Title: r.Info().Titles.En + ", " + strings.TrimSuffix(status(r, p), "\n"),
	}
	for i, m := range moves {
		if to := m.To(); to != board.NoPoint {
			s.Last = &draw.Step{From: m.From(), To: to}
			if o.numbers {
				s.Labels[to] = strconv.Itoa(i + 1)
			}
		}
	}
	if o.legal {
		for _, m := range p.AppendMoves(nil) {
			if to := m.To(); to != board.NoPoint {
				s.Marks[to] |= draw.Legal
			}
		}
	}
	return s, decorate(s, o)
}

// decorate adds what the flags draw by hand.
func decorate(s *draw.Scene, o *drawOptions) error {
	for _, text := range o.labels {
		p, value, err := pointValue(s.Geometry, "label", text)
		if err != nil {
			return err
		}
		s.Labels[p] = value
	}
	shapes := map[string]draw.Mark{
		"circle": draw.Circle, "square": draw.Square, "triangle": draw.Triangle, "cross": draw.Cross, "hint": draw.Hint,
	}
	for _, text := range o.marks {
		p, value, err := pointValue(s.Geometry, "mark", text)
		if err != nil {
			return err
		}
		shape, ok := shapes[value]
		if !ok {
			return usagef("--mark %s: the marks are circle, square, triangle, cross and hint", text)
		}
		s.Marks[p] |= shape
	}
	for _, text := range o.heat {
		p, value, err := pointValue(s.Geometry, "heat", text)
		if err != nil {
			return err
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return usagef("--heat %s: want a number from 0 to 1", text)
		}
		s.Heat[p] = draw.Heat{Value: v, Text: value}
	}
	for _, text := range o.arrows {
		from, to, err := pointPair(s.Geometry, "arrow", text)
		if err != nil {
			return err
		}
		s.Arrows = append(s.Arrows, draw.Step{From: from, To: to})
	}
	for _, text := range o.regions {
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
		return p, "", usagef("--%s %s: want a point and a value, as in %s=...", flag, text, g.Name(0))
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
		return from, to, usagef("--%s %s: want two points, as in %s-%s", flag, text, g.Name(0), g.Name(last))
	}
	return from, to, nil
}

// describePosition prints a position as JSON.
func (a *app) describePosition(r game.Rules, p game.Position, moves []game.Move, options *drawOptions) error {
	n := game.Notation(options.notation)
	if n != game.AnyNotation {
		var known []string
		for _, k := range r.Info().Notations {
			known = append(known, string(k.Name))
		}
		if err := oneOf("notation", string(n), known...); err != nil {
			return err
		}
	}
	o := positionJSON{
		Game: r.Info().Name, Variant: r.Info().Variant, Position: game.FormatPosition(r, p),
		Turn: r.Info().Sides[p.Turn()].Name, Played: []string{}, Legal: []string{},
		Over: p.Outcome().Over(), Outcome: p.Outcome().Describe(r.Info()), Hash: fmt.Sprintf("%016x", p.Hash()),
	}
	for _, m := range p.AppendMoves(nil) {
		o.Legal = append(o.Legal, game.FormatMove(r, p, m, n))
	}
	for i := len(moves) - 1; i >= 0; i-- {
		p.Undo()
		o.Played = append(o.Played, game.FormatMove(r, p, moves[i], n))
	}
	slices.Reverse(o.Played)
	line, err := marshalLine(o)
	if err != nil {
		return err
	}
	return a.emit(line, options.output)
}
