package draw

import (
	"math"
	"unicode/utf8"

	"qipu/board"
)

// fit returns the size of a text that is no wider than room, and no larger
// than size. Characters are taken as 0.65 of the size wide, Chinese ones as 1.
func fit(size, room float64, text string) float64 {
	width := 0.0
	for i := 0; i < len(text) && width < 100; {
		r, n := utf8.DecodeRuneInString(text[i:])
		if i += n; r >= 0x1100 {
			width++
		} else {
			width += 0.65
		}
	}
	return max(2, min(size, room/width))
}

// signInk returns the colour of signs on a point: the ink of its piece, or the
// colour of lines.
func (c *canvas) signInk(p board.Point) rgb {
	if l := c.under(p); l != nil {
		return l.ink
	}
	return c.ink
}

// heat paints values: a disc on a point, a tile in a cell, a small disc on a
// piece. The share of the mark colour is mixed here rather than left to
// opacity, which hides the lines below and tells which ink can be read.
func (c *canvas) heat() {
	// A dark hue on a bright board would pass through grey; on a paler ground it
	// keeps its hue.
	ground := c.board
	if c.board.light() > c.mark.light() {
		ground = mix(c.board, white, 0.6)
	}
	c.eachHeat(func(p board.Point, h Heat) {
		if c.at[p] == board.Empty {
			c.warm(p, h, ground)
		}
	})
}

func (c *canvas) eachHeat(draw func(board.Point, Heat)) {
	if len(c.s.Heat) == 0 {
		return
	}
	for p := range c.size.Points() {
		if h, ok := c.s.Heat[p]; ok && !math.IsNaN(h.Value) {
			draw(p, h)
		}
	}
}

// warm paints one value on a ground colour.
func (c *canvas) warm(p board.Point, h Heat, ground rgb) {
	x, y := c.xy(p)
	colour := mix(ground, c.mark, 0.1+0.8*min(1, max(0, h.Value)))
	room := 27.0
	switch {
	case c.at[p] != board.Empty:
		room = 22
		c.put(`<circle cx="%" cy="%" r="12.5"`, x, y)
	case c.g.Cells && len(c.g.Shifts) == 0:
		room = 33
		c.put(`<rect x="%" y="%" width="36.4" height="36.4" rx="3"`, x-18.2, y-18.2)
	default:
		c.put(`<circle cx="%" cy="%" r="17"`, x, y)
	}
	c.put(` fill="%"/>`, colour)
	if h.Text != "" {
		c.put(`<g fill="%" font-weight="600">`, colour.contrast())
		c.word(x, y, fit(17, room, h.Text), 0, h.Text)
		c.raw("</g>")
	}
}

// last marks the last move: a ring on a stone, a ring around a piece with a
// letter or under a label, and a spot where the piece came from.
func (c *canvas) last() {
	m := c.s.Last
	if m == nil {
		return
	}
	if c.size.Has(m.From) {
		x, y := c.xy(m.From)
		c.put(`<circle cx="%" cy="%" r="7" fill-opacity=".6" fill="%"/>`, x, y, c.mark)
	}
	if !c.size.Has(m.To) {
		return
	}
	radius, ink := 9.0, c.mark
	l := c.under(m.To)
	switch {
	case l != nil && l.text != "":
		radius = l.radius + 0.8
	case c.s.Texts[m.To] != "" || c.s.Labels[m.To] != "" || c.s.Marks[m.To] != 0:
		radius, ink = 17, mix(c.mark, c.signInk(m.To), 0.4)
	case l != nil:
		ink = l.ink
	}
	x, y := c.xy(m.To)
	c.put(`<circle cx="%" cy="%" r="%" fill="none" stroke-width="2.6" stroke="%"/>`, x, y, radius, ink)
}

// marks draws the signs, and the values on pieces below them.
func (c *canvas) marks() {
	c.eachHeat(func(p board.Point, h Heat) {
		if l := c.under(p); l != nil {
			c.warm(p, h, l.fill)
		}
	})
	if len(c.s.Marks) == 0 {
		return
	}
	for p := range c.size.Points() {
		if m := c.s.Marks[p]; m != 0 {
			c.sign(p, m)
		}
	}
}

// sign draws the signs of one point. On a piece with a letter they stand on a
// plate at its upper left.
func (c *canvas) sign(p board.Point, m Mark) {
	x, y := c.xy(p)
	l := c.under(p)
	switch {
	case m&Legal == 0:
	case l == nil:
		c.put(`<circle cx="%" cy="%" r="5" fill-opacity=".7" fill="%"/>`, x, y, c.mark)
	default:
		c.put(`<circle cx="%" cy="%" r="%" fill="none" stroke-width="3" stroke="%"/>`, x, y, l.radius+0.8, c.mark)
	}
	if m&Hint != 0 {
		c.put(`<rect x="%" y="%" width="34" height="34" rx="4" fill="none" stroke-width="2.2" stroke-dasharray="5 3.5" stroke="%"/>`, x-17, y-17, c.mark)
	}
	if m&(Circle|Square|Triangle|Cross) == 0 {
		return
	}
	if l != nil && l.text != "" {
		c.plate(x-12.5, y-12.5)
		c.put(`<path transform="translate(% %)scale(.46)"`, x-12.5, y-12.5)
		c.strokes(c.mark.contrast(), 3.6)
		c.shapes(0, 0, m)
	} else {
		if l == nil {
			c.clear(x, y, p)
		}
		c.raw("<path")
		c.strokes(c.signInk(p), 2.8)
		c.shapes(x, y, m)
	}
	c.raw(`"/>`)
}

// strokes appends the attributes of a sign up to its path data.
func (c *canvas) strokes(ink rgb, width float64) {
	c.put(` fill="none" stroke-linejoin="round" stroke-linecap="round" stroke="%" stroke-width="%" d="`, ink, width)
}

// plate draws the ground of what is added to a piece that has a letter, beside
// the letter.
func (c *canvas) plate(x, y float64) {
	c.put(`<circle cx="%" cy="%" r="8" fill="%" stroke="%"/>`, x, y, c.mark, c.board)
}

// shapes adds the geometric signs to a path.
func (c *canvas) shapes(x, y float64, m Mark) {
	if m&Circle != 0 {
		c.put("M% %a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0-21 0", x-10.5, y)
	}
	if m&Square != 0 {
		c.put("M% %h17.4v17.4h-17.4z", x-8.7, y-8.7)
	}
	if m&Triangle != 0 {
		c.put("M% %l10 17.3h-20z", x, y-11.5)
	}
	if m&Cross != 0 {
		c.put("M% %l16 16m0-16l-16 16", x-8, y-8)
	}
}

// clear hides the crossing lines under what is written on an empty point.
func (c *canvas) clear(x, y float64, p board.Point) {
	if _, warm := c.s.Heat[p]; !warm && !c.g.Cells {
		c.put(`<circle cx="%" cy="%" r="14" fill="%"/>`, x, y, c.board)
	}
}

// texts writes what stands on points that have no pieces.
func (c *canvas) texts() {
	if len(c.s.Texts) == 0 {
		return
	}
	c.put(`<g font-weight="600" fill="%">`, c.ink)
	for p := range c.size.Points() {
		if text := c.s.Texts[p]; text != "" {
			x, y := c.xy(p)
			c.word(x, y, fit(21, 29, text), 0, text)
		}
	}
	c.raw("</g>")
}

// labels writes the labels: in the middle of stones and empty points, on a
// small plate at the upper right of what has a letter already.
func (c *canvas) labels() {
	if len(c.s.Labels) == 0 {
		return
	}
	c.raw(`<g font-weight="600">`)
	for p := range c.size.Points() {
		if text := c.s.Labels[p]; text != "" {
			c.label(p, text)
		}
	}
	c.raw("</g>")
}

func (c *canvas) label(p board.Point, text string) {
	x, y := c.xy(p)
	ink, size, room := c.signInk(p), 21.0, 29.0
	switch l := c.under(p); {
	case l != nil && l.text != "" || c.s.Texts[p] != "":
		x, y = x+12.5, y-12.5
		c.plate(x, y)
		ink, size, room = c.mark.contrast(), 11.5, 13
	case l == nil:
		c.clear(x, y, p)
	}
	c.put(`<g fill="%">`, ink)
	c.word(x, y, fit(size, room, text), 0, text)
	c.raw("</g>")
}

// regionTints colours the ground of the regions, regionOutlines draws their
// borders on top of the pieces.
func (c *canvas) regionTints() {
	for _, r := range c.s.Regions {
		if c.region(r) {
			c.put(` fill-opacity=".26" fill="%"/>`, mix(c.mark, white, 0.45))
		}
	}
}

func (c *canvas) regionOutlines() {
	for _, r := range c.s.Regions {
		if c.region(r) {
			c.put(` fill="none" stroke-width="2.6" stroke="%"/>`, c.mark)
		}
	}
}

// region appends the outline of a region without closing it, and reports whether
// there is one. Where rows are shifted it has a step at every row.
func (c *canvas) region(r Region) bool {
	if !c.size.Has(r.A) || !c.size.Has(r.B) {
		return false
	}
	ax, ay := c.xy(r.A)
	bx, by := c.xy(r.B)
	half := 0.54 * step
	if c.g.Cells {
		half = 0.5 * step
	}
	if len(c.g.Shifts) > 0 {
		c.raw(`<path d="`)
		c.polygon(0, 0, c.stairs(r))
		c.raw(`"`)
		return true
	}
	c.put(`<rect x="%" y="%" width="%" height="%" rx="5"`, min(ax, bx)-half, min(ay, by)-half, math.Abs(ax-bx)+2*half, math.Abs(ay-by)+2*half)
	return true
}

// stairs returns the outline of a region row by row: down its left, up its right.
func (c *canvas) stairs(r Region) []board.Spot {
	left, right := float64(min(r.A.X(), r.B.X()))-0.5, float64(max(r.A.X(), r.B.X()))+0.5
	var list []board.Spot
	for row := min(r.A.Y(), r.B.Y()); row <= max(r.A.Y(), r.B.Y()); row++ {
		at := c.g.Spot(board.At(0, row))
		half := (c.hi.Y - c.lo.Y) / float64(2*max(1, c.size.H-1))
		list = append(list, board.Spot{X: at.X + left, Y: at.Y - half}, board.Spot{X: at.X + left, Y: at.Y + half})
	}
	for i := len(list) - 1; i >= 0; i-- {
		list = append(list, board.Spot{X: list[i].X + right - left, Y: list[i].Y})
	}
	return list
}

// arrows draws all arrows, each as one outline so that it is evenly
// transparent.
func (c *canvas) arrows() {
	if len(c.s.Arrows) == 0 {
		return
	}
	c.put(`<g fill-opacity=".82" stroke-opacity=".6" stroke-width="1.2" stroke-linejoin="round" fill="%" stroke="%">`, c.mark, c.mark.contrast())
	for _, a := range c.s.Arrows {
		if c.size.Has(a.From) && c.size.Has(a.To) && a.From != a.To {
			c.arrow(a)
		}
	}
	c.raw("</g>")
}

func (c *canvas) arrow(a Step) {
	const start, end, shaft, head, long = 9.0, 3.0, 2.9, 8.5, 15.0
	x, y := c.xy(a.From)
	tx, ty := c.xy(a.To)
	length := math.Hypot(tx-x, ty-y)
	ux, uy := (tx-x)/length, (ty-y)/length
	// at takes a place along the arrow and one across it to the picture.
	at := func(command byte, along, across float64) {
		c.to(command, x+along*ux-across*uy, y+along*uy+across*ux)
	}
	c.raw(`<path d="`)
	at('M', start, -shaft)
	at('L', length-end-long, -shaft)
	at('L', length-end-long, -head)
	at('L', length-end, 0)
	at('L', length-end-long, head)
	at('L', length-end-long, shaft)
	at('L', start, shaft)
	c.raw(`z"/>`)
}
