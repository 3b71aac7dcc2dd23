package charset

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Codec is one encoding. It is safe for concurrent use.
type Codec struct {
	name  string
	form  form
	table func() *codepage // of forms that have one
}

// form is how an encoding is built.
type form uint8

const (
	utf8Form form = iota
	utf16LE
	utf16BE
	single // one byte a character
	double // one or two bytes a character, ASCII as it is
	gb18030
	eucJP
	iso2022JP
	hzGB
)

var codecs = func() map[string]*Codec {
	m := map[string]*Codec{
		"utf-8":    {name: "utf-8", form: utf8Form},
		"utf-16le": {name: "utf-16le", form: utf16LE},
		"utf-16be": {name: "utf-16be", form: utf16BE},
	}
	forms := map[string]form{"gb18030": gb18030, "big5": double, "shift_jis": double, "euc-kr": double, "euc-jp": eucJP}
	for name := range encodings {
		f, ok := forms[name]
		if !ok {
			f = single
		}
		m[name] = &Codec{name: name, form: f, table: lazyTable(name, f != single)}
	}
	m["iso-2022-jp"] = &Codec{name: "iso-2022-jp", form: iso2022JP, table: m["euc-jp"].table}
	m["hz-gb-2312"] = &Codec{name: "hz-gb-2312", form: hzGB, table: m["gb18030"].table}
	return m
}()

var utf8Codec = codecs["utf-8"]

// Lookup returns the encoding of a name, given as in Canonical, or nil.
func Lookup(name string) *Codec { return codecs[Canonical(name)] }

// Lines reports whether raw bytes can be cut at line ends before they are
// decoded. This is so in all encodings but UTF-16.
func (c *Codec) Lines() bool { return c.form != utf16LE && c.form != utf16BE }

// Width returns how many bytes the character at the start of src takes, broken
// ones included: always at least 1 of a src that is not empty. It is made for
// stepping through raw text that is not Transparent, and not for ISO-2022-JP
// and HZ, whose characters depend on what was before.
func (c *Codec) Width(src []byte) int {
	if len(src) == 0 {
		return 0
	}
	switch c.form {
	case utf8Form:
		if src[0] < utf8.RuneSelf {
			return 1
		}
		_, n, _ := nextUTF8(src, true)
		return n
	case utf16LE, utf16BE:
		_, n, _ := c.nextUTF16(src, true)
		return n
	case double, gb18030, eucJP:
		if src[0] < utf8.RuneSelf {
			return 1
		}
		_, n, _ := c.next(c.table(), src, true)
		return n
	}
	return 1
}

// Append appends src as UTF-8 to dst. Broken is the number of places that are
// no characters, each of which becomes one U+FFFD.
func (c *Codec) Append(dst, src []byte) (out []byte, broken int) {
	d := decoder{codec: c}
	out, _ = d.append(dst, src, true)
	return out, d.broken
}

const (
	replacement         = "\uFFFD"
	replacement4 utf8x4 = 0xBDBFEF
)

// decoder decodes a text in pieces.
type decoder struct {
	codec  *Codec
	broken int
	shift  byte // of iso2022JP and hzGB: what set is shifted in; 0 is ASCII
}

// append appends as much of src as is complete, or all of it at the end, and
// returns how much it took.
func (d *decoder) append(dst, src []byte, end bool) (out []byte, taken int) {
	switch d.codec.form {
	case utf8Form:
		return d.appendUTF8(dst, src, end)
	case utf16LE, utf16BE:
		return d.appendUTF16(dst, src, end)
	case single:
		return d.appendSingle(dst, src), len(src)
	case iso2022JP:
		return d.append2022(dst, src, end)
	case hzGB:
		return d.appendHZ(dst, src, end)
	}
	return d.appendDouble(dst, src, end)
}

func (d *decoder) put(dst []byte, u utf8x4) []byte {
	if u == 0 {
		d.broken++
		return append(dst, replacement...)
	}
	return append(dst, u.bytes()...)
}

// appendUTF8 copies valid text as it is.
func (d *decoder) appendUTF8(dst, src []byte, end bool) (out []byte, taken int) {
	whole := src
	if !end {
		whole = src[:len(src)-partial(src)]
	}
	if utf8.Valid(whole) {
		return append(dst, whole...), len(whole)
	}
	for i := 0; i < len(src); {
		if src[i] < utf8.RuneSelf {
			n := asciiLen(src[i:])
			dst = append(dst, src[i:i+n]...)
			i += n
			continue
		}
		ok, n, short := nextUTF8(src[i:], end)
		if short {
			return dst, i
		}
		if ok {
			dst = append(dst, src[i:i+n]...)
		} else {
			dst = d.put(dst, 0)
		}
		i += n
	}
	return dst, len(src)
}

// partial returns the length of a character that src ends in the middle of.
func partial(src []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(src); n++ {
		if tail := src[len(src)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// nextUTF8 measures the character at the start of src: whether it is valid,
// and its length. A broken one is as long as it could have become a character,
// so that what follows a character cut in the middle survives. Short tells
// that src ends inside what may be a character, unless end says that there is
// no more.
func nextUTF8(src []byte, end bool) (ok bool, n int, short bool) {
	if r, n := utf8.DecodeRune(src); r != utf8.RuneError || n > 1 {
		return true, n, false
	}
	if !end && !utf8.FullRune(src) {
		return false, 0, true
	}
	low, high, want := byte(0x80), byte(0xBF), 1
	switch b := src[0]; {
	case b < 0xE0 || b > 0xF4:
		return false, 1, false
	case b < 0xF0:
		want = 2
		if b == 0xE0 {
			low = 0xA0
		} else if b == 0xED {
			high = 0x9F
		}
	default:
		want = 3
		if b == 0xF0 {
			low = 0x90
		} else if b == 0xF4 {
			high = 0x8F
		}
	}
	for n = 1; n < want && n < len(src) && src[n] >= low && src[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return false, n, false
}

// asciiLen returns the length of the ASCII text at the start of src.
func asciiLen(src []byte) int {
	i := 0
	for ; i+32 <= len(src); i += 32 {
		s := src[i : i+32 : i+32]
		if (binary.LittleEndian.Uint64(s)|binary.LittleEndian.Uint64(s[8:])|
			binary.LittleEndian.Uint64(s[16:])|binary.LittleEndian.Uint64(s[24:]))&0x8080808080808080 != 0 {
			break
		}
	}
	for i < len(src) && src[i] < utf8.RuneSelf {
		i++
	}
	return i
}

func (d *decoder) appendUTF16(dst, src []byte, end bool) (out []byte, taken int) {
	for taken < len(src) {
		r, n, short := d.codec.nextUTF16(src[taken:], end)
		if short {
			break
		}
		if r < 0 {
			d.broken++
			r = utf8.RuneError
		}
		dst = utf8.AppendRune(dst, r)
		taken += n
	}
	return dst, taken
}

// nextUTF16 returns the character at the start of src, -1 for a broken one,
// and its length.
func (c *Codec) nextUTF16(src []byte, end bool) (r rune, n int, short bool) {
	unit := func(i int) rune {
		if c.form == utf16BE {
			return rune(src[i])<<8 | rune(src[i+1])
		}
		return rune(src[i+1])<<8 | rune(src[i])
	}
	if len(src) < 2 {
		return -1, 1, !end
	}
	if r = unit(0); !utf16.IsSurrogate(r) {
		return r, 2, false
	}
	if len(src) < 4 {
		return -1, min(2, len(src)), !end
	}
	if r = utf16.DecodeRune(r, unit(2)); r == utf8.RuneError {
		return -1, 2, false
	}
	return r, 4, false
}

func (d *decoder) appendSingle(dst, src []byte) []byte {
	t := d.codec.table()
	for i := 0; i < len(src); {
		if n := asciiLen(src[i:]); n > 0 {
			dst = append(dst, src[i:i+n]...)
			i += n
			continue
		}
		dst = d.put(dst, t.one[src[i]-0x80])
		i++
	}
	return dst
}

// spare is the room beyond three bytes for two that saves appendDouble a copy
// at the end.
const spare = 208

// appendDouble is the loop for the encodings of East Asia. It works in blocks,
// for each of which there is room for the worst, so that single characters are
// written without a check.
func (d *decoder) appendDouble(dst, src []byte, end bool) (out []byte, taken int) {
	t := d.codec.table()
	i := 0
	for i < len(src) {
		if rest := len(src) - i; cap(dst)-len(dst) < 3*min(rest, 64)+8 {
			dst = slices.Grow(dst, rest+rest/2+spare)
		}
		buf, w := dst[len(dst):cap(dst)], 0
		for stop := min(i+(len(buf)-8)/3, len(src)); i < stop; {
			c := src[i]
			if c < utf8.RuneSelf {
				buf[w] = c
				w++
				i++
				continue
			}
			if i+1 < len(src) && src[i+1] != ']' {
				if u := t.two[int(c-0x80)<<8|int(src[i+1])]; u != 0 {
					binary.LittleEndian.PutUint32(buf[w:], uint32(u))
					w += u.len()
					i += 2
					continue
				}
			}
			u, n, short := d.codec.next(t, src[i:], end)
			if short {
				return dst[:len(dst)+w], i
			}
			if u == 0 {
				d.broken++
				u = replacement4
			}
			binary.LittleEndian.PutUint32(buf[w:], uint32(u))
			w += u.len()
			i += n
		}
		dst = dst[:len(dst)+w]
	}
	return dst, i
}

// next returns the character at the start of src, which is a high byte: 0 for
// a broken one, and its length. A byte that should begin a character and is
// followed by an ASCII byte that cannot end one is broken alone, so that a
// closing bracket or quote after a character cut in the middle survives.
func (c *Codec) next(t *codepage, src []byte, end bool) (u utf8x4, n int, short bool) {
	lead := src[0]
	if u = t.one[lead-0x80]; u != 0 {
		return u, 1, false
	}
	if len(src) < 2 {
		return 0, 1, !end
	}
	trail := src[1]
	if u = t.two[int(lead-0x80)<<8|int(trail)]; u != 0 {
		if trail == ']' {
			cut, short := cutBracket(src[1:], end)
			if short {
				return 0, 0, true
			}
			if cut {
				return 0, 1, false
			}
		}
		return u, 2, false
	}
	if n, short = c.longer(src, end); n > 0 || short {
		return c.decodeLong(src[:n]), n, short
	}
	if trail < utf8.RuneSelf {
		return 0, 1, false
	}
	return 0, 2, false
}

// longer returns the length of a character of three or four bytes at the
// start of src; 0 for none.
func (c *Codec) longer(src []byte, end bool) (n int, short bool) {
	high := func(i int) bool { return i >= len(src) || src[i] >= 0x81 && src[i] <= 0xFE }
	digit := func(i int) bool { return i >= len(src) || src[i] >= '0' && src[i] <= '9' }
	switch {
	case c.form == gb18030 && digit(1) && high(2) && digit(3):
		n = 4
	case c.form == eucJP && src[0] == 0x8F && high(1) && high(2):
		n = 3
	default:
		return 0, false
	}
	if len(src) < n {
		return 0, !end
	}
	return n, false
}

// decodeLong decodes a character of three or four bytes, which are rare.
func (c *Codec) decodeLong(src []byte) utf8x4 {
	if len(src) == 0 {
		return 0
	}
	out, err := encodings[c.name].NewDecoder().Bytes(src)
	if err != nil {
		return 0
	}
	return valid(out)
}

// cutBracket decides what a closing bracket behind the first byte of a
// character is. In Big5, GB18030 and Shift_JIS it may be the second byte of
// it, or the end of a value of SGF whose last character was cut by a limit of
// the field. It is the end if what follows continues SGF: another property, a
// node, a variation or the end of the tree. No other text looks like that.
//
// Src begins with the bracket.
func cutBracket(src []byte, end bool) (cut, short bool) {
	const enough = 64
	if len(src) < enough && !end {
		return false, true
	}
	s := bytes.TrimLeft(src[1:min(len(src), enough)], " \t\r\n")
	switch {
	case len(s) == 0:
		return false, false
	case s[0] == ';':
		s = bytes.TrimLeft(s[1:], " \t\r\n")
		return property(s) || len(s) > 0 && (s[0] == '(' || s[0] == ')'), false
	case s[0] == '(':
		return bytes.HasPrefix(bytes.TrimLeft(s[1:], " \t\r\n"), []byte(";")), false
	case s[0] == ')':
		s = bytes.TrimLeft(s, ") \t\r\n")
		return len(s) == 0 || s[0] == '(' && bytes.HasPrefix(bytes.TrimLeft(s[1:], " \t\r\n"), []byte(";")), false
	}
	return property(s), false
}

// property reports whether s begins with a property of SGF: "PB[".
func property(s []byte) bool {
	upper := false
	for i, c := range s {
		switch {
		case c == '[':
			return upper
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		default:
			return false
		}
		if i == 8 {
			return false
		}
	}
	return false
}

// append2022 reads ISO-2022-JP: escapes shift sets in, the end of a line
// shifts back to ASCII. Two-byte characters are those of EUC-JP without the
// high bits.
func (d *decoder) append2022(dst, src []byte, end bool) (out []byte, taken int) {
	t := d.codec.table()
	i := 0
	for i < len(src) {
		c := src[i]
		switch {
		case c == 0x1B:
			set, n := escape(src[i:])
			if n == 0 && !end && len(src)-i < 4 {
				return dst, i
			}
			if n == 0 {
				dst = append(dst, c)
				n = 1
			} else {
				d.shift = set
			}
			i += n
		case c == '\n' || c == '\r':
			d.shift = 0
			fallthrough
		case c <= ' ' || d.shift == 0 && c < 0x80:
			dst = append(dst, c)
			i++
		case d.shift == 'I' && c < 0x60:
			dst = d.put(dst, t.two[(0x8E-0x80)<<8|int(c|0x80)])
			i++
		case d.shift == 0 || d.shift == 'I' || c >= 0x80:
			dst = d.put(dst, 0)
			i++
		default:
			if i+1 >= len(src) && !end {
				return dst, i
			}
			u, n := utf8x4(0), 1
			if i+1 < len(src) && src[i+1] > ' ' && src[i+1] < 0x80 {
				n = 2
				if d.shift == 'B' {
					u = t.two[int(c)<<8|int(src[i+1]|0x80)]
				} else {
					u = codecs["euc-jp"].decodeLong([]byte{0x8F, c | 0x80, src[i+1] | 0x80})
				}
			}
			dst = d.put(dst, u)
			i += n
		}
	}
	return dst, i
}

// escapes are the sets that ISO-2022-JP shifts in: 0 for ASCII and the Roman
// set that differs from it in two characters nobody means.
var escapes = []struct {
	text string
	set  byte
}{{"\x1B(B", 0}, {"\x1B(J", 0}, {"\x1B(I", 'I'}, {"\x1B$@", 'B'}, {"\x1B$B", 'B'}, {"\x1B$(D", 'D'}, {"\x1B$(@", 'B'}, {"\x1B$(B", 'B'}}

func escape(src []byte) (set byte, n int) {
	for _, e := range escapes {
		if bytes.HasPrefix(src, []byte(e.text)) {
			return e.set, len(e.text)
		}
	}
	return 0, 0
}

// appendHZ reads HZ: ~{ shifts to GB 2312 without the high bits, ~} back.
func (d *decoder) appendHZ(dst, src []byte, end bool) (out []byte, taken int) {
	t := d.codec.table()
	i := 0
	for i < len(src) {
		c := src[i]
		if i+1 >= len(src) && !end && (c == '~' || d.shift != 0) {
			return dst, i
		}
		next := byte(0)
		if i+1 < len(src) {
			next = src[i+1]
		}
		switch {
		case c == '~' && next == '{':
			d.shift = 'G'
			i += 2
		case c == '~' && next == '}':
			d.shift = 0
			i += 2
		case c == '~' && next == '~' && d.shift == 0:
			dst = append(dst, c)
			i += 2
		case c == '~' && next == '\n':
			i += 2
		case c >= 0x80:
			dst = d.put(dst, 0)
			i++
		case c == '\n' || d.shift == 0 || c <= ' ':
			if c == '\n' {
				d.shift = 0
			}
			dst = append(dst, c)
			i++
		case next > ' ' && next < 0x7F:
			dst = d.put(dst, t.two[int(c)<<8|int(next|0x80)])
			i += 2
		default:
			dst = d.put(dst, 0)
			i++
		}
	}
	return dst, i
}

func (c *Codec) encodeUTF16(text string) []byte {
	out := make([]byte, 0, 2*len(text))
	for _, unit := range utf16.Encode([]rune(text)) {
		if c.form == utf16BE {
			out = append(out, byte(unit>>8), byte(unit))
		} else {
			out = append(out, byte(unit), byte(unit>>8))
		}
	}
	return out
}
