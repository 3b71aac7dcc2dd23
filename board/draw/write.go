package draw

import (
	"math"
	"strconv"
	"strings"
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

// to appends a command of path data and a place.
func (c *canvas) to(command byte, x, y float64) {
	c.out = appendNumber(append(c.out, command), x)
	c.out = appendNumber(append(c.out, ' '), y)
}

// attr appends an attribute with a number.
func (c *canvas) attr(name string, v float64) {
	c.out = append(append(append(c.out, ' '), name...), '=', '"')
	c.out = append(appendNumber(c.out, v), '"')
}

// put appends markup in which every % stands for the next of the values. They are
// written by their types: numbers, colours, ids, texts, which are escaped, and
// markup, which is not. What a picture has hundreds of is written without it: to
// and attr are faster.
func (c *canvas) put(format string, values ...any) {
	for _, v := range values {
		i := strings.IndexByte(format, '%')
		c.out = append(c.out, format[:i]...)
		format = format[i+1:]
		switch v := v.(type) {
		case float64:
			c.out = appendNumber(c.out, v)
		case factor:
			if !(v > 0 && v < far) {
				v = 1
			}
			c.out = strconv.AppendFloat(c.out, math.Round(float64(v)*1e4)/1e4, 'f', -1, 64)
		case rgb:
			c.out = v.appendHex(append(c.out, '#'))
		case glyphID:
			c.out = strconv.AppendInt(append(c.out, "qg"...), int64(v), 16)
		case gradientID:
			c.out = v.fill.appendHex(append(c.out, v.prefix...))
		case pieceID:
			c.out = strconv.AppendUint(append(c.out, "qp"...), uint64(v), 36)
		case markup:
			c.out = append(c.out, v...)
		case string:
			c.out = appendEscaped(c.out, v)
		}
	}
	c.out = append(c.out, format...)
}

// What is put into markup, beside numbers, colours and texts.
type (
	// factor has as many digits as it needs that is applied to numbers up to a
	// thousand.
	factor float64

	markup string

	glyphID rune   // of the outline of a character
	pieceID uint64 // of the drawing of a piece

	// gradientID is made from the colour alone; pieces with letters and stones of
	// one colour differ.
	gradientID struct {
		prefix string
		fill   rgb
	}
)
