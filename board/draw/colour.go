package draw

// rgb is an opaque colour.
type rgb struct{ r, g, b uint8 }

// The colours around the board, and those of a theme that leaves some out.
var (
	paper     = rgb{0xf6, 0xf4, 0xef}
	paperInk  = rgb{0x5c, 0x58, 0x50}
	night     = rgb{0x17, 0x16, 0x14}
	nightInk  = rgb{0xa8, 0xa2, 0x95}
	wood      = rgb{0xe2, 0xb5, 0x65}
	woodLine  = rgb{0x3b, 0x2a, 0x14}
	accent    = rgb{0x1f, 0x5f, 0xbf}
	grey      = rgb{0x80, 0x80, 0x80}
	black     = rgb{0x12, 0x11, 0x10}
	white     = rgb{0xff, 0xff, 0xff}
	trueBlack = rgb{}
)

// parseRGB reads #rgb or #rrggbb; anything else gives the fallback, so that
// what is written into a picture is always a colour.
func parseRGB(text string, fallback rgb) rgb {
	var v [6]uint8
	if len(text) != 4 && len(text) != 7 || text[0] != '#' {
		return fallback
	}
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return fallback
		}
		v[i-1] = c
	}
	if len(text) == 4 {
		return rgb{v[0] * 17, v[1] * 17, v[2] * 17}
	}
	return rgb{v[0]<<4 | v[1], v[2]<<4 | v[3], v[4]<<4 | v[5]}
}

// mix returns a with the share t (0..1) of b laid over it.
func mix(a, b rgb, t float64) rgb {
	blend := func(x, y uint8) uint8 { return uint8(float64(x) + (float64(y)-float64(x))*t + 0.5) }
	return rgb{blend(a.r, b.r), blend(a.g, b.g), blend(a.b, b.b)}
}

// light returns the perceived lightness of c in 0..255.
func (c rgb) light() int { return (299*int(c.r) + 587*int(c.g) + 114*int(c.b)) / 1000 }

// contrast returns black or white, whichever is better read on c.
func (c rgb) contrast() rgb {
	if c.light() > 140 {
		return black
	}
	return white
}

// appendHex appends the six digits of c.
func (c rgb) appendHex(dst []byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[c.r>>4], digits[c.r&15], digits[c.g>>4], digits[c.g&15], digits[c.b>>4], digits[c.b&15])
}
