package draw

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
)

//go:embed glyphs.txt
var glyphData string

//go:embed figures.txt
var figureData string

// em is the number of glyph units in the height of a line; middle is how far
// above the baseline the centre of a character stands.
const (
	em     = 1000
	middle = 360
)

// glyph is the outline of a character, y growing downwards from the baseline.
type glyph struct {
	advance                  float64
	left, top, right, bottom float64 // of the ink
	path                     string  // shares the embedded text
}

// glyphs returns the outlines, read at first use and never changed.
var glyphs = sync.OnceValue(func() map[rune]*glyph {
	table := make(map[rune]*glyph)
	for line := range strings.Lines(glyphData + figureData) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 8)
		if len(f) < 8 || f[0] == "#" {
			continue
		}
		var n [5]float64
		for i := range n {
			v, err := strconv.Atoi(f[2+i])
			if err != nil {
				panic("draw: glyphs.txt: " + err.Error())
			}
			n[i] = float64(v)
		}
		r, err := strconv.ParseUint(f[0], 16, 32)
		if err != nil {
			panic("draw: glyphs.txt: " + err.Error())
		}
		table[rune(r)] = &glyph{n[0], n[1], n[2], n[3], n[4], f[7]}
	}
	return table
})

// Outline returns the outline of a character as the path data of SVG, if the
// package has it: in thousandths of the height of a line, y growing downwards
// from the baseline. The middle of a Chinese character is at 500,-360.
func Outline(r rune) (path string, ok bool) {
	g := glyphs()[r]
	if g == nil {
		return "", false
	}
	return g.path, true
}

// outlined reports whether every character of text has an outline or is a
// space, and returns the width of the text in glyph units. ASCII text never
// is.
func outlined(text string) (width float64, ok bool) {
	if text == "" || text[0] < 0x80 {
		return 0, false
	}
	for _, r := range text {
		if r == ' ' {
			width += em / 2
			continue
		}
		g := glyphs()[r]
		if g == nil {
			return 0, false
		}
		width += g.advance
	}
	return width, true
}

// define writes the outline of r, unless this picture has it already. It may
// be called wherever an element may stand.
func (c *canvas) define(r rune) {
	if !slices.Contains(c.defined, r) {
		c.defined = append(c.defined, r)
		c.put(`<defs><path id="%" d="%"/></defs>`, glyphID(r), markup(glyphs()[r].path))
	}
}

// word writes text centred on a place, size units high: as outlines where all
// its characters have one, as text otherwise. The colour is that of the
// enclosing element; turn is in degrees clockwise.
func (c *canvas) word(x, y, size, turn float64, text string) {
	width, ok := outlined(text)
	if !ok {
		c.plain(x, y, size, turn, text)
		return
	}
	for _, r := range text {
		if r != ' ' {
			c.define(r)
		}
	}
	c.raw(`<g transform="`)
	c.place(x, y, turn)
	c.put(`scale(%)">`, factor(size/em))
	pen := -width / 2
	for _, r := range text {
		if r == ' ' {
			pen += em / 2
			continue
		}
		c.put(`<use href="#%"`, glyphID(r))
		c.attr("x", pen)
		c.attr("y", middle)
		c.raw("/>")
		pen += glyphs()[r].advance
	}
	c.raw("</g>")
}

// plain writes text in the reader's own font. Capitals and digits of common
// fonts are about 0.71 of the size high, which centres them here.
func (c *canvas) plain(x, y, size, turn float64, text string) {
	c.raw("<text")
	if turn == 0 {
		c.attr("x", x)
		c.attr("y", y+0.355*size)
	} else {
		c.put(` y="%" transform="`, 0.355*size)
		c.place(x, y, turn)
		c.raw(`"`)
	}
	c.attr("font-size", size)
	c.raw(">")
	c.out = appendEscaped(c.out, text)
	c.raw("</text>")
}

// place appends the transformation that moves the origin to a place and turns
// it.
func (c *canvas) place(x, y, turn float64) {
	c.put("translate(% %)", x, y)
	if turn != 0 {
		c.put("rotate(%)", turn)
	}
}
