package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// Text is decoded text and what is known of its encoding.
type Text struct {
	UTF8     []byte
	Encoding string // canonical lower-case name: "utf-8", "gb18030", "big5", "shift_jis", "euc-kr", ...
	Guessed  bool   // not declared, or the declaration was not believed; false for ASCII
	Broken   int    // number of places that could not be decoded
	BOM      int    // length of the byte order mark before the text, which UTF8 has not
}

// Decode decodes data. The name declared may be empty, or one that nobody
// knows; override, if not empty, wins over everything. An unknown override is
// an error.
//
// Text that is UTF-8 already is not copied: the result may share the memory of
// data.
func Decode(data []byte, declared, override string) (Text, error) {
	if override == "" {
		return decode(data, Lookup(declared)), nil
	}
	c := Lookup(override)
	if c == nil {
		return Text{}, fmt.Errorf("charset: unknown encoding %q", override)
	}
	if marked, n := byteOrderMark(data); n > 0 && marked.sameFamily(c) {
		return marked.text(data, n, false), nil
	}
	return c.text(data, 0, false), nil
}

func decode(data []byte, declared *Codec) Text {
	t := chooser{data: data}
	c, guessed := t.choose(declared)
	if c == utf8Codec && (t.ascii || t.valid) {
		return Text{UTF8: data, Encoding: c.name, Guessed: guessed}
	}
	text := c.text(data, t.bom, guessed)
	if text.Broken == 0 || !t.partial {
		return text
	}
	// The beginning did not tell all: ask the rest too.
	t.limit = secondLook
	if again, guessed := t.choose(declared); again != c {
		return again.text(data, t.bom, guessed)
	}
	return text
}

// text decodes data behind the byte order mark.
func (c *Codec) text(data []byte, bom int, guessed bool) Text {
	t := Text{Encoding: c.name, Guessed: guessed, BOM: bom}
	data = data[bom:]
	if c.form == utf8Form && utf8.Valid(data) {
		t.UTF8 = data
		return t
	}
	size := len(data) + len(data)/8 + 16
	if c.form == double || c.form == gb18030 || c.form == eucJP {
		size = len(data) + len(data)/2 + spare
	}
	t.UTF8, t.Broken = c.Append(make([]byte, 0, size), data)
	return t
}

// byteOrderMark returns the encoding that a byte order mark tells, and its
// length; 0 for none.
func byteOrderMark(data []byte) (*Codec, int) {
	switch {
	case bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")):
		return utf8Codec, 3
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		return codecs["utf-16le"], 2
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return codecs["utf-16be"], 2
	}
	return nil, 0
}

// Wide returns the name of the UTF-16 that a text is in, by its byte order mark or
// because every other of its first bytes is zero; "" for other text.
func Wide(head []byte) string {
	if len(head) < 4 {
		return ""
	}
	if c, n := byteOrderMark(head); n == 2 {
		return c.name
	}
	switch {
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return "utf-16le"
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return "utf-16be"
	}
	return ""
}

// sameFamily tells that a byte order mark of c is one in d too: UTF-16 of
// either order may be called by the name of the other.
func (c *Codec) sameFamily(d *Codec) bool {
	return c == d || c.form != utf8Form && d.form != utf8Form && !d.Lines()
}

// seek returns how many bytes of src decode to at bytes, rounded down to a
// whole character.
func (d *decoder) seek(src []byte, at int) int {
	var buf [64]byte
	pos := 0
	for pos < len(src) {
		n := 1
		if d.codec.form == iso2022JP || d.codec.form == hzGB {
			for n < 4 && pos+n < len(src) {
				probe := *d
				if _, taken := probe.append(buf[:0], src[pos:pos+n], false); taken == n {
					break
				}
				n++
			}
		} else {
			n = d.codec.Width(src[pos:])
		}
		out, _ := d.append(buf[:0], src[pos:pos+n], true)
		if at -= len(out); at < 0 {
			return pos
		}
		pos += n
	}
	return pos
}

// Encode returns text in the encoding of a name, for formats that demand one.
// A character that the encoding does not have is an error that names it; so is
// an unknown encoding. UTF-16 is written without a byte order mark.
func Encode(text, name string) ([]byte, error) {
	c := Lookup(name)
	if c == nil {
		return nil, fmt.Errorf("charset: unknown encoding %q", name)
	}
	switch c.form {
	case utf8Form:
		return []byte(text), nil
	case utf16LE, utf16BE:
		return c.encodeUTF16(text), nil
	}
	private := strings.ContainsFunc(text, isPrivate)
	if out, err := encodings[c.name].NewEncoder().Bytes([]byte(text)); err == nil && !private {
		return out, nil
	}
	for _, r := range text {
		data, err := encodings[c.name].NewEncoder().Bytes([]byte(string(r)))
		if err == nil && isPrivate(r) {
			// The tables know characters for private use in one direction only.
			back, _ := Decode(data, "", name)
			if string(back.UTF8) != string(r) {
				err = encoding.ErrInvalidUTF8
			}
		}
		if err != nil {
			return nil, fmt.Errorf("charset: %q is not in %s", r, c.name)
		}
	}
	return encodings[c.name].NewEncoder().Bytes([]byte(text))
}

// isPrivate reports whether a character has no meaning that all agree on.
func isPrivate(r rune) bool { return r >= 0xE000 && r <= 0xF8FF || r >= 0xF0000 }
