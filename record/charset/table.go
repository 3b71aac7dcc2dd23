package charset

import (
	"bytes"
	"math/bits"
	"sync"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// utf8x4 is a character in UTF-8, the first byte lowest; 0 is none. The four
// codes of Big5 that stand for two characters fit in as well.
type utf8x4 uint32

func (u utf8x4) len() int { return (bits.Len32(uint32(u)) + 7) >> 3 }

func pack(b []byte) utf8x4 {
	var u utf8x4
	for i := len(b) - 1; i >= 0; i-- {
		u = u<<8 | utf8x4(b[i])
	}
	return u
}

func (u utf8x4) bytes() []byte {
	b := [4]byte{byte(u), byte(u >> 8), byte(u >> 16), byte(u >> 24)}
	return b[:u.len()]
}

// codepage decodes characters of one and two bytes that begin with a high byte.
// It takes 130 kB and a few milliseconds to make, which happens on first use.
// A look-up is several times as fast as the decoders that it is made from.
type codepage struct {
	one [128]utf8x4       // by byte - 0x80
	two [128 * 256]utf8x4 // by (lead - 0x80) * 256 + trail
}

func makeTable(e encoding.Encoding, twoByte bool) *codepage {
	t := new(codepage)
	src := make([]byte, 0, 128*256*3)
	for lead := 0x80; lead <= 0xFF; lead++ {
		src = append(src, byte(lead), '\n')
	}
	for i, field := range decoded(e, src) {
		t.one[i] = valid(field)
	}
	if !twoByte {
		return t
	}
	src = src[:0]
	for lead := 0x80; lead <= 0xFF; lead++ {
		for trail := range 256 {
			if trail < 0x30 || trail == 0x7F || t.one[lead-0x80] != 0 {
				trail = 0x20 // no encoding has it: nothing to find
			}
			src = append(src, byte(lead), byte(trail), '\n')
		}
	}
	for i, field := range decoded(e, src) {
		if lead := i >> 8; t.one[lead] == 0 {
			t.two[i] = valid(field)
		}
	}
	return t
}

// decoded returns the lines that src decodes to.
func decoded(e encoding.Encoding, src []byte) [][]byte {
	out, err := e.NewDecoder().Bytes(src)
	if err != nil {
		panic("charset: " + err.Error()) // decoders replace, they do not fail
	}
	return bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n"))
}

// valid packs a decoded character; a broken one is 0.
func valid(field []byte) utf8x4 {
	if bytes.Contains(field, []byte("\uFFFD")) || bytes.ContainsAny(field, " ") || len(field) == 0 || len(field) > 4 || field[0] < 0x80 {
		return 0
	}
	return pack(field)
}

// encodings are the sources of the tables.
var encodings = map[string]encoding.Encoding{
	"gb18030": simplifiedchinese.GB18030, "big5": traditionalchinese.Big5,
	"shift_jis": japanese.ShiftJIS, "euc-jp": japanese.EUCJP, "euc-kr": korean.EUCKR,
	"iso-8859-1": charmap.ISO8859_1, "iso-8859-2": charmap.ISO8859_2, "iso-8859-3": charmap.ISO8859_3, "iso-8859-5": charmap.ISO8859_5,
	"iso-8859-15":  charmap.ISO8859_15,
	"windows-1250": charmap.Windows1250, "windows-1251": charmap.Windows1251, "windows-1252": charmap.Windows1252, "windows-1254": charmap.Windows1254,
	"koi8-r": charmap.KOI8R, "koi8-u": charmap.KOI8U, "ibm866": charmap.CodePage866, "macintosh": charmap.Macintosh, "x-mac-cyrillic": charmap.MacintoshCyrillic,
	"iso-2022-jp": japanese.ISO2022JP, "hz-gb-2312": simplifiedchinese.HZGB2312,
}

// lazyTable returns the table of an encoding, made when it is first called.
func lazyTable(name string, twoByte bool) func() *codepage {
	return sync.OnceValue(func() *codepage { return makeTable(encodings[name], twoByte) })
}
