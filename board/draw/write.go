package draw

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// far bounds every coordinate, so that absurd geometry cannot overflow.
const far = 1e6

// appendNumber appends v with at most two decimals, which is a hundredth of a
// fortieth of the distance of two points.
func appendNumber(dst []byte, v float64) []byte {
	if !(v > -far && v < far) {
		v = 0
	}
	n := int64(math.Round(v * 100))
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	whole, part := n/100, n%100
	if whole != 0 || part == 0 {
		dst = strconv.AppendInt(dst, whole, 10)
	}
	if part != 0 {
		dst = append(dst, '.', byte('0'+part/10))
		if part%10 != 0 {
			dst = append(dst, byte('0'+part%10))
		}
	}
	return dst
}

// appendEscaped appends text for use in an element or a quoted attribute.
// Bytes that XML has no place for become U+FFFD.
func appendEscaped(dst []byte, text string) []byte {
	for _, r := range text {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>':
			dst = append(dst, "&gt;"...)
		case r == '"':
			dst = append(dst, "&#34;"...)
		case r < ' ' && r != '\t' && r != '\n', r == 0xFFFE, r == 0xFFFF:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// raw appends markup as it is.
func (c *canvas) raw(markup string) { c.out = append(c.out, markup...) }

// num appends a number.
func (c *canvas) num(v float64) { c.out = appendNumber(c.out, v) }

// attr appends an attribute with a number.
func (c *canvas) attr(name string, v float64) {
	c.out = append(append(append(c.out, ' '), name...), '=', '"')
	c.out = append(appendNumber(c.out, v), '"')
}

// scale appends v with as many digits as a factor needs that is applied to
// numbers up to a thousand.
func (c *canvas) scale(v float64) {
	if !(v > 0 && v < far) {
		v = 1
	}
	c.out = strconv.AppendFloat(c.out, math.Round(v*1e4)/1e4, 'f', -1, 64)
}

// colour appends an attribute with a colour.
func (c *canvas) colour(name string, v rgb) {
	c.out = append(append(append(c.out, ' '), name...), '=', '"', '#')
	c.out = append(v.appendHex(c.out), '"')
}

// to appends a command of path data and a place.
func (c *canvas) to(command byte, x, y float64) {
	c.out = appendNumber(append(c.out, command), x)
	c.out = appendNumber(append(c.out, ' '), y)
}

// circle appends a circle without closing it, for more attributes to follow.
func (c *canvas) circle(x, y, r float64) {
	c.raw("<circle")
	c.attr("cx", x)
	c.attr("cy", y)
	c.attr("r", r)
}

// rect appends a rectangle around a centre without closing it.
func (c *canvas) rect(x, y, w, h, corner float64) {
	c.raw("<rect")
	c.attr("x", x)
	c.attr("y", y)
	c.attr("width", w)
	c.attr("height", h)
	c.attr("rx", corner)
}
