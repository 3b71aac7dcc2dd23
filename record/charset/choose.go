package charset

import (
	"bytes"
	"math"
	"unicode/utf8"
)

// chooser finds the encoding of a text.
type chooser struct {
	data    []byte
	limit   int  // how many bytes to look at; 0 for the first look
	bom     int  // length of the byte order mark
	partial bool // not all of the text was looked at
	ascii   bool // the text is ASCII
	valid   bool // the text is valid UTF-8
}

// choose returns the encoding, and whether it is a guess.
func (t *chooser) choose(declared *Codec) (c *Codec, guessed bool) {
	if c, n := byteOrderMark(t.data); n > 0 {
		t.bom = n
		return c, false
	}
	if c := looksUTF16(t.data); c != nil {
		return c, c != declared
	}
	ascii := asciiLen(t.data)
	if t.ascii = ascii == len(t.data); t.ascii {
		return sevenBit(t.data, declared)
	}
	rest := t.data[ascii:]
	if t.valid = utf8.Valid(rest); t.valid {
		if declared == utf8Codec {
			return declared, false
		}
		// A letter of two bytes may be half a name in another encoding.
		if declared == nil && rest[0] >= 0xE0 {
			return utf8Codec, true
		}
	}
	return t.likeliest(declared)
}

// How much less likely than the best a declared encoding may be.
const (
	slackMulti  = 25 * perE     // it has no faults, and is not a mere default of programs
	slackFaults = 6 * perE      // it has faults, or any bytes fit it
	slackByte   = 3 * perE / 10 // per byte: long texts may be unlike others
	slackUTF8   = 5 * perE      // of UTF-8, where the text is valid as that
	slackValid  = 3 * perE      // of another, where the text is valid UTF-8
)

// likeliest asks the detector.
func (t *chooser) likeliest(declared *Codec) (c *Codec, guessed bool) {
	declared = t.settle(declared)
	limit := t.limit
	if limit == 0 {
		limit = firstLook
	}
	var buf [128]piece
	ps := pieces(buf[:0], t.data, limit)
	if declared != nil && !t.valid && plausible(ps, declared) {
		t.partial = false
		return declared, false
	}
	v := rank(ps, declared)
	t.partial = v.bytes >= limit && limit < secondLook
	if t.valid && v.utf8-v.cost <= slackUTF8 && (declared == nil || v.own > v.cost) {
		v.codec = utf8Codec
	}
	if declared == nil || v.codec == declared {
		return v.codec, declared == nil
	}
	if slack := t.slack(declared, v, ps); v.own-v.cost <= slack && v.own >= v.cost {
		return declared, false
	}
	return v.codec, true
}

// slack returns how much less likely than the best a declared encoding may be
// and still be believed.
func (t *chooser) slack(declared *Codec, v verdict, ps []piece) cost {
	switch {
	case t.valid:
		return slackValid
	case declared.form == single && v.codec.form == single && declared.name != "koi8-r" && declared.name != "windows-1251":
		// All bytes fit both, and the record knows better. But Russian in the
		// other of its two pages has its capitals in the middle of words.
		return math.MaxInt32
	case declared.name == "iso-8859-1" || declared.name == "windows-1252":
		return slackFaults // programs write these without looking
	case declared == utf8Codec:
		if hasUTF8(ps) {
			return slackFaults
		}
		return 0 // so do others with UTF-8; not one character speaks for it
	case declared.form == single:
		return slackMulti
	case t.faultless(declared, ps):
		return max(slackMulti, slackByte*cost(v.bytes))
	}
	return slackFaults
}

// hasUTF8 reports whether a text has a valid character of UTF-8.
func hasUTF8(ps []piece) bool {
	for i := range ps {
		for text := ps[i].text; len(text) > 0; {
			ok, n, _ := nextUTF8(text, true)
			if ok && n > 1 {
				return true
			}
			text = text[n:]
		}
	}
	return false
}

// settle replaces ISO-8859-1 by the code page that has letters and quotes in
// the place of its control characters, where there are any.
func (t *chooser) settle(c *Codec) *Codec {
	if c == nil || c.name != "iso-8859-1" {
		return c
	}
	for _, b := range t.data {
		if b >= 0x80 && b < 0xA0 {
			return codecs["windows-1252"]
		}
	}
	return c
}

// faultless reports whether a text has no broken characters in an encoding.
func (t *chooser) faultless(c *Codec, ps []piece) bool {
	var buf [2 * firstLook]byte
	for i := range ps {
		if ps[i].cut {
			continue
		}
		if _, broken := c.Append(buf[:0], ps[i].text); broken > 0 {
			return false
		}
	}
	return true
}

// looksUTF16 recognises UTF-16 without a byte order mark by the zero bytes
// that its ASCII characters have in every other place.
func looksUTF16(data []byte) *Codec {
	n := min(len(data), 512) &^ 1
	if n < 8 {
		return nil
	}
	zeros := [2]int{}
	for i, b := range data[:n] {
		if b == 0 {
			zeros[i&1]++
		}
	}
	switch pairs := n / 2; {
	case zeros[1]*3 > pairs && zeros[0]*20 < pairs:
		return codecs["utf-16le"]
	case zeros[0]*3 > pairs && zeros[1]*20 < pairs:
		return codecs["utf-16be"]
	}
	return nil
}

// sevenBit tells ASCII from the encodings that shift other sets into it.
func sevenBit(data []byte, declared *Codec) (c *Codec, guessed bool) {
	jis := codecs["iso-2022-jp"]
	if i := bytes.IndexByte(data, 0x1B); i >= 0 {
		for _, e := range escapes {
			if e.set != 0 && bytes.Contains(data[i:], []byte(e.text)) {
				return jis, declared != jis
			}
		}
	}
	hz := codecs["hz-gb-2312"]
	if i := bytes.Index(data, []byte("~{")); i >= 0 && (declared == hz || looksHZ(data[i:])) {
		return hz, declared != hz
	}
	return utf8Codec, false
}

// looksHZ reports whether what stands between ~{ and ~} everywhere is Chinese
// in use: pairs of bytes of the first level of GB 2312 or its punctuation.
func looksHZ(data []byte) bool {
	for {
		_, rest, ok := bytes.Cut(data, []byte("~{"))
		if !ok {
			return true
		}
		text, rest, ok := bytes.Cut(rest, []byte("~}"))
		if !ok || len(text) == 0 || len(text)%2 != 0 {
			return false
		}
		for i := 0; i < len(text); i += 2 {
			lead := text[i]
			if lead < 0x30 && lead != 0x21 && lead != 0x23 || lead > 0x57 || text[i+1] <= ' ' || text[i+1] == 0x7F {
				return false
			}
		}
		data = rest
	}
}
