package split

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

// BOM is the byte order mark of UTF-8.
var BOM = []byte("\xEF\xBB\xBF")

// Decode returns the text of the game that was found, in UTF-8, and notes its
// encoding.
func (s *Splitter) Decode(g *record.Game) (string, error) {
	if s.Wide {
		g.Encoding, g.Raw = "utf-16", nil
		return string(s.Raw), nil
	}
	name := Declared(s.Raw)
	if s.UTF8 && s.src.Encoding == "" && (name == "" || IsUTF8(name)) && bytes.IndexByte(s.Raw, 0x1B) < 0 {
		g.Encoding = "utf-8"
		return string(s.Raw), nil
	}
	hint, guessed := name, false
	if !s.UTF8 && (name == "" || IsUTF8(name)) && !isASCII(s.Raw) {
		// A collection tells more about its encoding than one game.
		if guess := s.FileEncoding(); !IsUTF8(guess) && !MostlyUTF8(s.Raw) {
			hint, guessed = guess, true
		}
	}
	t, err := charset.Decode(s.Raw, hint, s.src.Encoding)
	if err != nil {
		return "", err
	}
	t.Guessed = t.Guessed || guessed
	g.Decoded(&t, record.Note)
	if g.Guessed && name != "" {
		g.Fault(record.Note, record.KindEncoding, 0, "the record declares %q, but seems to be %s", name, t.Encoding)
	}
	return string(t.UTF8), nil
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}

// Plain decodes text that stands outside of the trees.
func (s *Splitter) Plain(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	hint := s.FileEncoding()
	if IsUTF8(hint) {
		hint = ""
	}
	t, err := charset.Decode(text, hint, s.src.Encoding)
	if err != nil {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return string(t.UTF8)
}

// IsIdent tells which bytes may stand in identifiers.
var IsIdent = func() (ident [256]bool) {
	for c := range ident {
		ident[c] = IsLower(byte(c)|0x20) || c >= '0' && c <= '9'
	}
	return ident
}()

// IsLower tells lower-case letters, which are the points of moves.
func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }

// TrimBlank takes off blanks and control characters at the head.
func TrimBlank(text []byte) []byte {
	for len(text) > 0 && text[0] <= ' ' {
		text = text[1:]
	}
	return text
}

// utf16Size returns how many bytes a UTF-8 text takes in UTF-16.
func utf16Size(text []byte) int64 {
	n := int64(0)
	for _, r := range string(text) {
		n += 2
		if r > 0xFFFF {
			n += 2
		}
	}
	return n
}
