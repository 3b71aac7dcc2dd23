package draw

import (
	"hash/fnv"

	"qipu/board"
)

// look is a [board.Look] made ready for drawing.
type look struct {
	fill, edge, ink rgb
	letter          rune    // has an outline; 0 for stones
	text            string  // written on the piece if there is no outline
	bare            bool    // the letter is the piece
	radius          float64 // of the body
	id              uint64  // a hash of all of the above
	used            bool    // stands on the board
}

// dress prepares the looks of all pieces and finds out where they stand.
func (c *canvas) dress() {
	c.s.pieces(c.size, &c.at)
	if c.s.Planes == nil {
		return
	}
	c.looks = make([]look, len(c.s.Planes.Of))
	for i := range c.looks {
		var l board.Look
		if i < len(c.g.Pieces) {
			l = c.g.Pieces[i]
		}
		c.looks[i] = c.look(&l)
	}
}

func (c *canvas) look(l *board.Look) look {
	fill := parseRGB(l.Fill, grey)
	d := look{
		fill:   fill,
		edge:   parseRGB(l.Edge, mix(fill, trueBlack, 0.4)),
		ink:    parseRGB(l.Ink, fill.contrast()),
		text:   l.Glyph,
		radius: 19.3,
	}
	if c.s.Simplified && l.Simplified != "" {
		d.text = l.Simplified
	}
	for i, r := range d.text {
		if i == 0 && len(string(r)) == len(d.text) && glyphs()[r] != nil {
			d.letter = r
		}
	}
	d.bare = l.Bare && d.letter != 0
	switch {
	case c.g.Cells:
		d.radius = 16.4
	case d.text != "":
		d.radius = 18.4
	}
	d.id = d.hash()
	return d
}

// hash returns what the id of a drawing is made from: the 64-bit FNV-1a hash of
// everything that it depends on, so that equal ids mean equal drawings.
func (l *look) hash() uint64 {
	h := fnv.New64a()
	h.Write([]byte{l.fill.r, l.fill.g, l.fill.b, l.edge.r, l.edge.g, l.edge.b, l.ink.r, l.ink.g, l.ink.b, uint8(l.radius * 10)})
	h.Write([]byte(l.text))
	if l.bare {
		h.Write([]byte{1})
	}
	return h.Sum64()
}

// under returns the look of the piece on p, or nil.
func (c *canvas) under(p board.Point) *look {
	if piece := c.at[p]; piece != board.Empty {
		return &c.looks[piece-1]
	}
	return nil
}

// pieces draws all pieces: one shadow for all of them, then kind by kind.
func (c *canvas) pieces() {
	if c.s.Planes == nil {
		return
	}
	c.shadows()
	full := c.size.Full()
	for i := range c.s.Planes.Of {
		plane := c.s.Planes.Of[i]
		plane.And(&full)
		if plane.Empty() {
			continue
		}
		l := &c.looks[i]
		if !l.bare && !c.hasGradient(i) {
			c.gradient(l)
		}
		l.used = !l.bare
		if l.text == "" {
			c.stones(l, &plane)
		} else {
			c.lettered(l, &plane)
		}
	}
}

// shadows draws what the pieces throw on the board as a single path, so that
// shadows that meet do not darken each other.
func (c *canvas) shadows() {
	radius := 0.0
	for p := range c.size.Points() {
		l := c.under(p)
		if l == nil || l.bare {
			continue
		}
		if radius == 0 {
			radius = l.radius
			c.put(`<path stroke="#000" stroke-opacity=".2" stroke-linecap="round" stroke-width="%" d="`, 2*radius)
		}
		x, y := c.xy(p)
		c.dot(x+0.7, y+1.7)
	}
	if radius != 0 {
		c.raw(`"/>`)
	}
}

// hasGradient reports whether an earlier kind of piece that is on the board has
// the gradient of kind i.
func (c *canvas) hasGradient(i int) bool {
	for j := range i {
		same := c.looks[j].fill == c.looks[i].fill && (c.looks[j].text == "") == (c.looks[i].text == "")
		if same && c.looks[j].used {
			return true
		}
	}
	return false
}

// gradient writes the one gradient of a piece, lit from the upper left.
func (c *canvas) gradient(l *look) {
	bright, shade := mix(l.fill, white, 0.85), mix(l.fill, trueBlack, 0.12)
	if l.fill.light() < 128 {
		bright, shade = mix(l.fill, white, 0.34), mix(l.fill, trueBlack, 0.4)
	}
	if l.text != "" {
		bright, shade = mix(l.fill, white, 0.6), mix(l.fill, trueBlack, 0.06)
	}
	c.put(`<defs><radialGradient id="%" cx=".36" cy=".3" r=".76"><stop stop-color="%"/><stop offset=".5" stop-color="%"/><stop offset="1" stop-color="%"/></radialGradient></defs>`,
		l.gradient(), bright, l.fill, shade)
}

func (l *look) gradient() gradientID {
	if l.text != "" {
		return gradientID{"qd", l.fill}
	}
	return gradientID{"qs", l.fill}
}

// body appends the attributes of the body of a piece.
func (c *canvas) body(l *look, rim float64) {
	c.put(` fill="url(#%)" stroke="%" stroke-width="%"`, l.gradient(), l.edge, rim)
}

func (c *canvas) stones(l *look, plane *board.Plane) {
	const rim = 0.8
	c.raw("<g")
	c.body(l, rim)
	c.raw(">")
	for p := range plane.Points() {
		x, y := c.xy(p)
		c.raw("<circle")
		c.attr("cx", x)
		c.attr("cy", y)
		c.attr("r", l.radius-rim/2)
		c.raw("/>")
	}
	c.raw("</g>")
}

// lettered draws pieces with a letter in a ring, or that are their letter: one
// drawing of the piece, used on each of its points.
func (c *canvas) lettered(l *look, plane *board.Plane) {
	const rim = 1.2
	if l.letter != 0 {
		c.define(l.letter)
	}
	if l.bare {
		const height = 36.0
		c.put(`<defs><g id="%" fill="%" stroke="%" stroke-width="%" stroke-linejoin="round">`, pieceID(l.id), l.fill, l.edge, rim*em/height)
		c.outline(l, height)
		c.raw("</g></defs>")
	} else {
		c.put(`<defs><g id="%"><circle r="%"`, pieceID(l.id), l.radius-rim/2)
		c.body(l, rim)
		c.put(`/><circle fill="none" stroke-width="1" r="%" stroke="%"/><g fill="%">`, l.radius-3, l.ink, l.ink)
		c.letter(l)
		c.raw("</g></g></defs>")
	}
	for p := range plane.Points() {
		x, y := c.xy(p)
		c.put(`<use href="#%"`, pieceID(l.id))
		c.attr("x", x)
		c.attr("y", y)
		c.raw("/>")
	}
}

// letter writes the letter of a piece around the origin. The ink, not the
// advance box, is centred, and wide or high characters are held inside the
// ring.
func (c *canvas) letter(l *look) {
	const size = 25.0
	if l.letter == 0 {
		c.word(0, 0, fit(size, size, l.text), 0, l.text)
		return
	}
	c.outline(l, size)
}

// outline writes the outline of a letter around the origin.
func (c *canvas) outline(l *look, size float64) {
	g := glyphs()[l.letter]
	c.put(`<use href="#%" transform="translate(% %)scale(%)"/>`,
		glyphID(l.letter), -size/em*(g.left+g.right)/2, -size/em*(g.top+g.bottom)/2, factor(size/em))
}
