package draw

import (
	"io"
	"math"
	"slices"

	"qipu/board"
)

// step is the distance of two points in units of the picture. Points then lie
// on whole units, which keeps the text short.
const step = 40.0

// Widths in units of the rim between the outermost points and the end of the
// board, and of the band with the coordinates around it.
const (
	pointRim = 25.0
	cellRim  = 28.0
	band     = 30.0
)

// usualWidth is the width in pixels for which line weights are chosen where a
// Scene does not tell.
const usualWidth = 600

// fonts names what systems have for plain text; digits and capitals of all of
// them are of nearly the same size.
const fonts = `system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif`

// canvas is one picture being drawn.
type canvas struct {
	out  []byte
	s    *Scene
	g    *board.Geometry
	size board.Size

	board, ink, mark rgb // the theme
	looks            []look
	at               [board.MaxPoints]board.Piece
	defined          []rune // outlines written so far

	lo, hi        board.Spot // the least and the greatest place of a point, in steps
	left, top     float64    // where lo lies in the picture
	margin        float64    // around the board
	width, height float64    // of the whole picture, in units

	line, edge float64 // line weights
	faint      float64 // opacity of lines that cannot be as thin as they should
}

// SVG writes the picture of a scene to w.
func SVG(w io.Writer, s *Scene) error {
	_, err := w.Write(AppendSVG(nil, s))
	return err
}

// AppendSVG appends the picture of a scene to dst as one self-contained svg
// element. It only reads s, so that scenes may share their parts. A 19x19 board
// takes about 10 KB.
func AppendSVG(dst []byte, s *Scene) []byte {
	c := canvas{out: dst, s: s, g: s.geometry()}
	c.size = c.g.Size
	if !c.size.Valid() {
		c.raw(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" role="img">`)
		c.title()
		c.raw("</svg>\n")
		return c.out
	}
	c.measure()
	c.dress()
	scaled := c.open()
	for _, layer := range layers {
		before := len(c.out)
		if layer(&c); len(c.out) > before {
			c.raw("\n")
		}
	}
	if scaled {
		c.raw("</g>")
	}
	c.raw("</svg>\n")
	return c.out
}

// layers is what a picture is made of, from the board upwards.
var layers = [...]func(*canvas){
	(*canvas).floor,
	(*canvas).shades,
	(*canvas).tints,
	(*canvas).regionTints,
	(*canvas).lines,
	(*canvas).captions,
	(*canvas).heat,
	(*canvas).pieces,
	(*canvas).texts,
	(*canvas).fade,
	(*canvas).last,
	(*canvas).marks,
	(*canvas).labels,
	(*canvas).regionOutlines,
	(*canvas).arrows,
	(*canvas).coordinates,
}

// measure finds the extent of the picture and the theme.
func (c *canvas) measure() {
	rim := pointRim
	if c.g.Cells {
		rim = cellRim
	}
	c.lo, c.hi = c.g.Extent()
	around := [4]float64{rim, rim, rim, rim} // left, top, right, bottom
	if len(c.g.Ground) > 0 {
		lo, hi := c.g.Ground[0], c.g.Ground[0]
		for _, s := range c.g.Ground {
			lo, hi = board.Spot{X: min(lo.X, s.X), Y: min(lo.Y, s.Y)}, board.Spot{X: max(hi.X, s.X), Y: max(hi.Y, s.Y)}
		}
		around = [4]float64{step * (c.lo.X - lo.X), step * (c.lo.Y - lo.Y), step * (hi.X - c.hi.X), step * (hi.Y - c.hi.Y)}
		if c.s.Flip {
			around[0], around[1], around[2], around[3] = around[2], around[3], around[0], around[1]
		}
	}
	if c.s.Coordinates {
		c.margin = band
	}
	c.left, c.top = c.margin+around[0], c.margin+around[1]
	c.width = c.left + step*(c.hi.X-c.lo.X) + around[2] + c.margin
	c.height = c.top + step*(c.hi.Y-c.lo.Y) + around[3] + c.margin

	c.board = parseRGB(c.g.Theme.Board, wood)
	c.ink = parseRGB(c.g.Theme.Line, woodLine)
	c.mark = parseRGB(c.g.Theme.Mark, accent)
}

// open writes the start of the picture and chooses the line weights. It
// reports whether it has opened a group that fits the units to pixels.
//
// A picture with a given width gets a whole number of pixels per step, lines of
// whole pixels, and an offset that puts the edges of lines between pixels.
// Lines that would be thinner than a pixel get paler instead.
func (c *canvas) open() bool {
	unit := usualWidth / c.width // pixels per unit
	if c.s.Width > 0 {
		unit = max(2, math.Floor(float64(min(c.s.Width, 1e5))*step/c.width)) / step
	}
	line := 0.018*step*unit + 0.0008*c.width*unit
	if c.s.Width <= 0 {
		c.line, c.edge, c.faint = line/unit, 1.8*line/unit, 1
		c.start(0, 0, c.width, c.height)
		return false
	}
	thick := max(1, math.Round(line))
	c.line = thick / unit
	c.edge = max(1, math.Round(1.8*max(line, 0.6))) / unit
	c.faint = min(1, max(0.5, line/thick))

	place := c.left*unit + thick/2
	offset := -(place - math.Floor(place))
	w, h := math.Floor(c.width*unit+offset), math.Floor(c.height*unit+offset)
	c.start(w, h, w, h)
	c.put(`<g transform="translate(% %)scale(%)">`, offset, offset, factor(unit))
	return true
}

// start writes the opening tag, with a size in pixels unless it is zero, and
// the title.
func (c *canvas) start(pixelW, pixelH, w, h float64) {
	c.put(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 % %"`, w, h)
	if pixelW > 0 {
		c.put(` width="%" height="%"`, pixelW, pixelH)
	}
	c.raw(` role="img" text-anchor="middle" font-family="` + fonts + `">`)
	c.title()
}

func (c *canvas) title() {
	if c.s.Title != "" {
		c.put("<title>%</title>", c.s.Title)
	}
}

// x returns where a place lies in the picture that is so many steps from the
// left, y one that is so many from the top.
func (c *canvas) x(steps float64) float64 {
	if c.s.Flip {
		steps = c.lo.X + c.hi.X - steps
	}
	return c.left + step*(steps-c.lo.X)
}

func (c *canvas) y(steps float64) float64 {
	if c.s.Flip {
		steps = c.lo.Y + c.hi.Y - steps
	}
	return c.top + step*(steps-c.lo.Y)
}

// xy returns where a point lies in the picture.
func (c *canvas) xy(p board.Point) (x, y float64) {
	s := c.g.Spot(p)
	return c.x(s.X), c.y(s.Y)
}

// floor paints the surroundings, if there are any, and the board.
func (c *canvas) floor() {
	if c.s.Coordinates && !c.s.Clear {
		around := paper
		if c.s.Dark {
			around = night
		}
		c.put(`<rect width="%" height="%" fill="%"/>`, c.width, c.height, around)
	}
	if len(c.g.Ground) > 0 {
		c.raw(`<path stroke-linejoin="round" d="`)
		c.polygon(0, 0, c.g.Ground)
		c.raw(`"`)
	} else {
		c.put(`<rect x="%" y="%" width="%" height="%" rx="5"`, c.margin+0.5, c.margin+0.5, c.width-2*c.margin-1, c.height-2*c.margin-1)
	}
	c.put(` fill="%" stroke="%"/>`, c.board, mix(c.board, trueBlack, 0.22))
}

// polygon adds a closed line to a path, around a place in steps.
func (c *canvas) polygon(x, y float64, corners []board.Spot) {
	for i, s := range corners {
		command := byte('L')
		if i == 0 {
			command = 'M'
		}
		c.to(command, c.x(x+s.X), c.y(y+s.Y))
	}
	c.raw("z")
}

// shades paints the cells that have a colour of their own.
func (c *canvas) shades() {
	corners := c.g.Corners()
	for _, shade := range c.g.Shades {
		c.put(`<path fill="%" d="`, parseRGB(shade.Colour, c.board))
		for _, i := range shade.Points {
			if i >= 0 && i < c.size.Area() {
				at := c.g.Spot(c.size.Point(i))
				c.polygon(at.X, at.Y, corners)
			}
		}
		c.raw(`"/>`)
	}
}

// frame returns the extent of all lines in steps.
func (c *canvas) frame() (lo, hi board.Spot) {
	lo, hi = board.Spot{X: far, Y: far}, board.Spot{X: -far, Y: -far}
	for i := range c.g.Lines {
		for _, s := range [2]board.Spot{c.g.Lines[i].From, c.g.Lines[i].To} {
			lo = board.Spot{X: min(lo.X, s.X), Y: min(lo.Y, s.Y)}
			hi = board.Spot{X: max(hi.X, s.X), Y: max(hi.Y, s.Y)}
		}
	}
	return lo, hi
}

// lines draws the lines, dots and brackets. A line that runs the whole length
// of the frame on its side is an edge: thicker, and moved outwards so that its
// inner side lies where that of a thin line would.
func (c *canvas) lines() {
	if len(c.g.Lines) > 0 {
		lo, hi := c.frame()
		c.put(`<g fill="none" stroke-linecap="square" stroke="%"><path stroke-width="%"`, c.ink, c.line)
		if c.faint < 1 {
			c.put(` stroke-opacity="%"`, c.faint)
		}
		c.raw(` d="`)
		for i := range c.g.Lines {
			if l := &c.g.Lines[i]; l.From != l.To && l.Ink == "" && !isEdge(l, lo, hi) {
				c.segment(l.From, l.To)
			}
		}
		c.ticks(lo, hi)
		c.put(`"/><path stroke-width="%" d="`, c.edge)
		for i := range c.g.Lines {
			if l := &c.g.Lines[i]; l.From != l.To && l.Ink == "" && isEdge(l, lo, hi) {
				c.segment(c.outwards(l.From, lo, hi), c.outwards(l.To, lo, hi))
			}
		}
		c.raw(`"/></g>`)
		c.borders()
	}
	if len(c.g.Dots) > 0 {
		c.put(`<path stroke-linecap="round" stroke="%" stroke-width="%" d="`, c.ink, max(7.4, 3.2*c.line))
		for _, d := range c.g.Dots {
			c.dot(c.x(d.X), c.y(d.Y))
		}
		c.raw(`"/>`)
	}
}

// borders draws the lines that have an ink of their own, colour by colour.
func (c *canvas) borders() {
	var inks []string
	for i := range c.g.Lines {
		if ink := c.g.Lines[i].Ink; ink != "" && !slices.Contains(inks, ink) {
			inks = append(inks, ink)
		}
	}
	for _, ink := range inks {
		c.put(`<path fill="none" stroke-linecap="round" stroke-width="%" stroke="%" d="`, max(4, 2*c.edge), parseRGB(ink, c.ink))
		for i := range c.g.Lines {
			if l := &c.g.Lines[i]; l.Ink == ink {
				c.segment(l.From, l.To)
			}
		}
		c.raw(`"/>`)
	}
}

// dot adds a dot to a path with round ends. The tiny length is for programs
// that draw nothing for none.
func (c *canvas) dot(x, y float64) {
	c.to('M', x, y)
	c.raw("h.01")
}

// segment adds a straight line to a path.
func (c *canvas) segment(from, to board.Spot) {
	x, y := c.x(to.X), c.y(to.Y)
	c.to('M', c.x(from.X), c.y(from.Y))
	switch {
	case from.X == to.X:
		c.out = appendNumber(append(c.out, 'V'), y)
	case from.Y == to.Y:
		c.out = appendNumber(append(c.out, 'H'), x)
	default:
		c.to('L', x, y)
	}
}

// isEdge reports whether l runs along a whole side of the frame.
func isEdge(l *board.Segment, lo, hi board.Spot) bool {
	a, b := l.From, l.To
	switch {
	case a.X == b.X:
		return (a.X == lo.X || a.X == hi.X) && min(a.Y, b.Y) == lo.Y && max(a.Y, b.Y) == hi.Y
	case a.Y == b.Y:
		return (a.Y == lo.Y || a.Y == hi.Y) && min(a.X, b.X) == lo.X && max(a.X, b.X) == hi.X
	}
	return false
}

// outwards moves a spot on the frame by half of what an edge is thicker than
// a line.
func (c *canvas) outwards(s, lo, hi board.Spot) board.Spot {
	d := (c.edge - c.line) / 2 / step
	if lo.X < hi.X {
		s.X = push(s.X, lo.X, hi.X, d)
	}
	if lo.Y < hi.Y {
		s.Y = push(s.Y, lo.Y, hi.Y, d)
	}
	return s
}

func push(v, lo, hi, d float64) float64 {
	switch v {
	case lo:
		return v - d
	case hi:
		return v + d
	}
	return v
}

// ticks adds corner brackets to a path, leaving out those outside the frame.
func (c *canvas) ticks(lo, hi board.Spot) {
	const gap, arm = 0.1, 0.19
	for _, t := range c.g.Ticks {
		for _, sx := range [2]float64{-1, 1} {
			for _, sy := range [2]float64{-1, 1} {
				x, y := t.X+sx*gap, t.Y+sy*gap
				if x < lo.X || x > hi.X || y < lo.Y || y > hi.Y {
					continue
				}
				c.to('M', c.x(x), c.y(y+sy*arm))
				c.out = appendNumber(append(c.out, 'V'), c.y(y))
				c.out = appendNumber(append(c.out, 'H'), c.x(x+sx*arm))
			}
		}
	}
}

// captions writes the words on the board. Words that all stand upright stay so
// when the board is turned.
func (c *canvas) captions() {
	if len(c.g.Texts) == 0 {
		return
	}
	turn := 0.0
	for i := range c.g.Texts {
		if c.s.Flip && c.g.Texts[i].Turn != 0 {
			turn = 180
		}
	}
	c.put(`<g fill-opacity=".6" fill="%">`, c.ink)
	for i := range c.g.Texts {
		t := &c.g.Texts[i]
		if !(t.Height > 0 && t.Height < board.MaxSide) {
			continue
		}
		c.word(c.x(t.At.X), c.y(t.At.Y), t.Height*step, math.Mod(t.Turn+turn, 360), t.Text)
	}
	c.raw("</g>")
}

// coordinates writes the names of columns and rows on the surroundings.
func (c *canvas) coordinates() {
	if !c.s.Coordinates {
		return
	}
	ink := paperInk
	if c.s.Dark {
		ink = nightInk
	}
	c.put(`<g fill="%">`, ink)
	sides := c.s.labels()
	size := max(12.5, min(16, 0.0195*c.width))
	far := board.Spot{X: c.width - band/2, Y: c.height - band/2}
	first, last := 0, c.size.H-1
	if c.s.Flip {
		first, last = last, first
	}
	for i := range c.size.W {
		column := float64(c.s.turned(i, c.size.W))
		c.coordinate(c.x(column+c.g.Shift(first)), band/2, size, c.name(sides[0], i, c.size.W))
		c.coordinate(c.x(column+c.g.Shift(last)), far.Y, size, c.name(sides[2], i, c.size.W))
	}
	for i := range c.size.H {
		left, right := band/2, far.X
		row := c.s.turned(i, c.size.H)
		_, y := c.xy(board.At(0, row))
		if len(c.g.Shifts) > 0 {
			// Beside the row, which begins and ends elsewhere than the others.
			x, _ := c.xy(board.At(0, row))
			other, _ := c.xy(board.At(c.size.W-1, row))
			left, right = min(x, other)-step-band/3, max(x, other)+step+band/3
		}
		c.coordinate(left, y, size, c.name(sides[3], i, c.size.H))
		c.coordinate(right, y, size, c.name(sides[1], i, c.size.H))
	}
	c.raw("</g>")
}

func (c *canvas) coordinate(x, y, size float64, text string) {
	if text != "" {
		c.word(x, y, fit(size, 24, text), 0, text)
	}
}

// name returns the name that is seen at place i of n, if there is one.
func (c *canvas) name(names []string, i, n int) string {
	if i = c.s.turned(i, n); i < len(names) {
		return names[i]
	}
	return ""
}
