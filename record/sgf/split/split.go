// Package split cuts the games of a Smart Game Format file apart, one after the
// other, by their parentheses, however they are encoded and whatever stands between
// them. It knows no properties but CA, which names the encoding.
package split

import (
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

// Splitter cuts the games out of a file, one after the other, by their
// parentheses. It holds one game in memory.
type Splitter struct {
	src   *record.Source
	r     io.Reader
	limit int // bytes of a game

	buf    []byte
	pos    int   // what stands before is done with
	base   int64 // offset of buf[0] in the file
	eof    bool
	ioErr  error
	shared bool // buf has been given away as Raw, and must not be overwritten
	Wide   bool // the file is UTF-16: buf is not as in the file

	newline byte
	line    int // number of the line that buf[lineAt] is on
	lineAt  int

	plain   bool // everything so far is UTF-8
	checked int  // buf has been checked up to here
	guess   string

	scan
	Number int
	eager  bool // trees of this file are not closed: the next one ends them

	// The game or the fault that next has found.
	Raw    []byte
	Place  record.Place
	UTF8   bool    // everything up to the end of the game is UTF-8
	Before Outside // text that stands before the game
	Behind Outside // text that stands behind the last game of the file
	Fault  *record.Fault

	// The search for the next tree, which is ahead by one: text that no tree
	// follows belongs to the one before it.
	sought, found bool
	between       Outside // text passed over
}

// Outside is text that belongs to no tree.
type Outside struct {
	Text []byte // up to maxText
	Cut  bool   // there was more of it
}

// MaxText is how much text around the games is kept of each stretch.
const MaxText = 1 << 20

// scan is the state of the search for the end of a tree.
type scan struct {
	at       int // buf is scanned up to here
	depth    int
	inValue  bool
	lead     [2]byte // the range of bytes that take the next one with them
	rival    int     // where the next tree may begin, if this one is not closed; 0 for none
	unclosed bool
	cut      bool // the file ends within a value
	early    bool // the tree is closed too early, and goes on
	Extra    bool // a parenthesis too many follows
	Opened   bool // the tree has no opening parenthesis
}

// lookahead is how many bytes the splitter wants to see behind a parenthesis.
const lookahead = 64

func New(src *record.Source, limit int) *Splitter {
	s := &Splitter{src: src, r: src.Reader, limit: limit, line: 1, newline: '\n', plain: true}
	size := 64 << 10
	if src.Size >= 0 && src.Size < 1<<20 {
		size = int(src.Size) + 1 // one more, to see the end of the file at once
	}
	s.buf = make([]byte, 0, max(size, lookahead))
	for len(s.buf) < 4 && s.fill() {
	}
	switch wide := charset.Wide(s.buf); {
	case wide != "" && src.Encoding == "":
		text, err := charset.NewReader(io.MultiReader(bytes.NewReader(s.buf), s.r), "", wide)
		if err != nil {
			s.ioErr = err
			break
		}
		s.r, s.Wide, s.eof = text, true, false
		if s.buf[0] >= 0xFE {
			s.base = 2
		}
		s.buf = make([]byte, 0, cap(s.buf))
		s.plain, s.checked = true, 0
		s.fill()
	case bytes.HasPrefix(s.buf, BOM):
		s.pos = len(BOM)
	}
	if head := s.buf[:min(len(s.buf), 4096)]; bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		s.newline = '\r'
	}
	return s
}

// fill drops what is done with and reads more; false means that there is no
// more. Indices into buf are then smaller by the old pos, at is adjusted.
func (s *Splitter) fill() bool {
	if s.eof {
		return false
	}
	if s.pos > 0 {
		s.drop()
	}
	if len(s.buf) == cap(s.buf) {
		grown := make([]byte, len(s.buf), s.larger())
		copy(grown, s.buf)
		s.buf, s.shared = grown, false
	}
	for range 100 {
		n, err := s.r.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if err != nil {
			s.eof = true
			if err != io.EOF {
				s.ioErr = err
			}
		}
		if n > 0 || err != nil {
			s.check()
			return n > 0
		}
	}
	s.eof, s.ioErr = true, io.ErrNoProgress
	return false
}

// larger returns the size of a larger buffer: twice the old one, but no more
// than the largest game and its surroundings take, nor much more than there is
// to read.
func (s *Splitter) larger() int {
	const least = 64 << 10
	size := max(least, min(2*cap(s.buf), s.limit+least))
	if left := s.src.Size - s.base; s.src.Size >= 0 && !s.Wide && left > int64(len(s.buf)) {
		size = int(min(int64(size), left+lookahead))
	}
	return max(size, len(s.buf)+lookahead)
}

// drop forgets what stands before pos.
func (s *Splitter) drop() {
	s.countLines(s.pos)
	if s.Wide {
		s.base += utf16Size(s.buf[:s.pos])
	} else {
		s.base += int64(s.pos)
	}
	rest := s.buf[s.pos:]
	if s.shared {
		s.buf, s.shared = make([]byte, 0, max(64<<10, 2*len(rest))), false
	}
	s.buf = append(s.buf[:0], rest...)
	s.at -= s.pos
	s.checked = max(0, s.checked-s.pos)
	s.lineAt -= s.pos
	s.rival = max(0, s.rival-s.pos)
	s.pos = 0
}

// countLines brings line up to index i of buf.
func (s *Splitter) countLines(i int) {
	s.line += bytes.Count(s.buf[s.lineAt:i], []byte{s.newline})
	s.lineAt = i
}

// check looks whether the file is still UTF-8.
func (s *Splitter) check() {
	if !s.plain {
		return
	}
	end := len(s.buf)
	for cut := 0; !s.eof && cut < 3 && end > s.checked && s.buf[end-1] >= 0x80; cut++ {
		end-- // a character may be split between two reads
		if s.buf[end] >= 0xC0 {
			break
		}
	}
	s.plain = utf8.Valid(s.buf[s.checked:end])
	s.checked = end
}

// Next finds the next game or fault; it returns false behind the last game,
// with a fault where the file holds no game or cannot be read to its end.
func (s *Splitter) Next() bool {
	s.Fault = nil
	if !s.sought {
		s.found = s.seek()
	}
	s.sought = false
	if s.found {
		s.Before, s.Behind = s.between.trimmed(), Outside{}
		s.take()
		s.sought, s.found = true, s.seek()
		if !s.found {
			s.Behind = s.between.trimmed()
		}
		return true
	}
	switch {
	case s.ioErr != nil:
		s.Fault = s.src.Fault(record.Rejected, record.KindIO, s.base, 0, 0, "the file cannot be read: "+s.ioErr.Error())
	case s.Number > 0:
	case len(s.between.trimmed().Text) == 0:
		s.Fault = s.src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty")
	default:
		s.Fault = s.src.Fault(record.Rejected, record.KindSyntax, 0, 1, 0, "no game: nothing in the file begins with \"(;\"")
	}
	return false
}

// seek moves pos to the opening parenthesis of the next tree.
func (s *Splitter) seek() bool {
	s.between = Outside{Text: s.between.Text[:0]}
	for {
		i := s.opening()
		if i < 0 {
			s.skip(len(s.buf))
			if !s.fill() {
				return false
			}
			continue
		}
		if len(s.buf)-i < lookahead && !s.eof {
			s.skip(i)
			s.fill()
			continue
		}
		if isOpening(s.buf[i:]) {
			s.skip(i)
			return true
		}
		s.skip(i + 1)
	}
}

// opening returns where a tree may begin, or -1. At the start of a file that
// may be a node without a parenthesis.
func (s *Splitter) opening() int {
	rest := s.buf[s.pos:]
	if s.Number == 0 && len(s.between.Text) < lookahead && len(s.between.trimmed().Text) == 0 {
		if blank := len(rest) - len(TrimBlank(rest)); blank < len(rest) && rest[blank] == ';' {
			return s.pos + blank
		}
	}
	if i := bytes.IndexByte(rest, '('); i >= 0 {
		return s.pos + i
	}
	return -1
}

// isOpening reports whether a tree begins here: "(;", or a property at once.
func isOpening(text []byte) bool {
	rest := text[1:]
	if text[0] == '(' {
		rest = TrimBlank(rest[:min(len(rest), lookahead-1)])
		if len(rest) > 0 && rest[0] == ';' {
			return true
		}
	} else {
		rest = TrimBlank(rest)
	}
	n := 0
	for n < len(rest) && rest[n] >= 'A' && rest[n] <= 'Z' {
		n++
	}
	return n > 0 && n < len(rest) && rest[n] == '['
}

// skip passes over text that belongs to no tree, and remembers it.
func (s *Splitter) skip(to int) {
	text, o := s.buf[s.pos:to], &s.between
	if len(o.Text) == 0 {
		text = TrimBlank(text)
	}
	n := min(len(text), MaxText-len(o.Text))
	o.Cut = o.Cut || n < len(text)
	o.Text = append(o.Text, text[:n]...)
	s.pos = to
}

// trimmed returns a copy without what means nothing around the text.
func (o Outside) trimmed() Outside {
	blank := func(r rune) bool { return r <= ' ' || r == '\uFEFF' }
	text := bytes.TrimLeftFunc(o.Text, func(r rune) bool { return blank(r) || r == ')' })
	text = bytes.TrimRightFunc(text, blank)
	if len(text) == 0 {
		return Outside{}
	}
	return Outside{bytes.Clone(text), o.Cut}
}

// take finds the end of the tree that begins at pos.
func (s *Splitter) take() {
	s.countLines(s.pos)
	s.Number++
	s.Place = record.Place{File: s.src.Name, Offset: s.base + int64(s.pos), Line: s.line, Number: s.Number}
	if s.Wide {
		s.Place.Offset = s.base + utf16Size(s.buf[:s.pos])
	}
	s.scan = scan{at: s.pos}
	if s.buf[s.pos] == ';' {
		s.depth, s.Opened = 1, true
	}
	s.lead = s.leadBytes()
	end := s.search()
	s.UTF8 = s.plain
	if end < 0 || end-s.pos > s.limit {
		s.Fault = s.src.Fault(record.Rejected, record.KindLimit, s.Place.Offset, s.Place.Line, s.Number,
			"the game is larger than the limit for one game, and is passed over")
		s.pass(end)
		return
	}
	if size := len(s.buf); size < 4*(end-s.pos) && (size < 1<<20 || size < end-s.pos+size/4) {
		s.Raw, s.shared = s.buf[s.pos:end:end], true
	} else {
		s.Raw = bytes.Clone(s.buf[s.pos:end])
	}
	s.pos = end
}

// search returns where the tree at pos ends, or -1 if it is too large. A tree
// that is not closed ends where the next one seems to begin, else with the
// file.
func (s *Splitter) search() int {
	for {
		if end := s.end(); end >= 0 {
			return end
		}
		full := len(s.buf)-s.pos > s.limit
		if full || s.eof {
			if s.rival > s.pos {
				s.unclosed, s.eager = true, true
				return s.rival
			}
			if full {
				return -1
			}
			s.unclosed, s.cut = true, s.inValue
			return len(s.buf)
		}
		s.fill()
	}
}

// pass moves pos behind a tree that is too large; end is where it ends, or -1
// if that is not known yet.
func (s *Splitter) pass(end int) {
	for end < 0 {
		s.pos, s.rival = s.at, 0
		if s.eof {
			end = len(s.buf)
			break
		}
		s.fill()
		end = s.end()
	}
	s.pos = end
}

// end goes on with the search for the end of the tree and returns where it is,
// or -1 where more text is wanted.
func (s *Splitter) end() int {
	buf := s.buf
	i := s.at
scanning:
	for i < len(buf) {
		if s.inValue {
			next := s.value(i)
			if next == i {
				break scanning
			}
			i = next
			continue
		}
		switch buf[i] {
		case '[':
			if i+3 < len(buf) && buf[i+3] == ']' && IsLower(buf[i+1]) && IsLower(buf[i+2]) {
				i += 4 // a move
				continue
			}
			s.inValue = true
		case '(':
			if s.depth > 0 && s.rival == 0 || s.eager {
				if len(buf)-i < lookahead && !s.eof {
					s.at = i
					return -1
				}
				if i > s.pos && isRoot(buf[i:]) {
					s.rival = i
					if s.eager {
						s.unclosed = true
						return i
					}
				}
			}
			s.depth++
		case ')':
			if s.depth <= 1 {
				if len(buf)-i < lookahead && !s.eof {
					s.at = i
					return -1
				}
				if !s.goesOn(buf[i+1:]) {
					s.at = i + 1
					return i + 1
				}
				break
			}
			s.depth--
		}
		i++
	}
	s.at = i
	return -1
}

// value passes over the rest of a value, and returns the index behind it or
// the end of the text; i itself if the next byte must be seen first.
func (s *Splitter) value(i int) int {
	buf := s.buf
	if s.lead == ([2]byte{}) {
		for ; i < len(buf); i++ {
			switch buf[i] {
			case ']':
				s.inValue = false
				return i + 1
			case '\\':
				if i+1 == len(buf) {
					return s.suspend(i)
				}
				i++
			}
		}
		return i
	}
	for ; i < len(buf); i++ {
		c := buf[i]
		switch {
		case c == ']':
			s.inValue = false
			return i + 1
		case c == '\\' || c >= s.lead[0] && c <= s.lead[1] && !(c >= 0xA0 && c <= 0xDF && s.lead[1] == 0xFC):
			if i+1 == len(buf) {
				return s.suspend(i)
			}
			if c == '\\' || buf[i+1] >= 0x40 {
				i++
			}
		}
	}
	return i
}

// suspend handles a text that ends behind the first byte of two: at the end of
// the file there is no second; else the search goes on from the first.
func (s *Splitter) suspend(i int) int {
	if s.eof {
		return i + 1
	}
	return i
}

// goesOn reports whether a tree goes on behind its last parenthesis, with
// nodes that stand outside.
func (s *Splitter) goesOn(rest []byte) bool {
	rest = TrimBlank(rest[:min(len(rest), lookahead-1)])
	if len(rest) > 0 && rest[0] == ';' {
		s.early = true
		return true
	}
	s.Extra = len(rest) > 0 && rest[0] == ')'
	return false
}

// isRoot reports whether a tree that begins here looks like a game of its own:
// the first property is one that only roots have.
func isRoot(text []byte) bool {
	rest := TrimBlank(text[1:min(len(text), lookahead)])
	if len(rest) == 0 || rest[0] != ';' {
		return false
	}
	rest = TrimBlank(rest[1:])
	return len(rest) > 3 && rest[2] == '[' && (string(rest[:2]) == "GM" || string(rest[:2]) == "FF")
}

// leadBytes returns the range of first bytes of two-byte characters whose
// second byte may look like a bracket or backslash, for the encoding that the
// game at pos seems to be in; the zero range for all other encodings.
func (s *Splitter) leadBytes() [2]byte {
	name := s.src.Encoding
	if name == "" {
		if s.plain {
			return [2]byte{}
		}
		if name = Declared(s.buf[s.pos:]); name == "" || IsUTF8(name) {
			name = s.FileEncoding()
		}
	}
	return leadRange(name)
}

// FileEncoding guesses the encoding of a file that is not UTF-8 from all of it
// that is in memory, once.
func (s *Splitter) FileEncoding() string {
	if s.guess == "" {
		sample := s.buf[:min(len(s.buf), 256<<10)]
		s.guess = "utf-8"
		if !MostlyUTF8(sample) {
			s.guess = charset.Detect(sample)
		}
	}
	return s.guess
}

// MostlyUTF8 tells UTF-8 with some broken characters from other encodings.
func MostlyUTF8(text []byte) bool {
	good, bad := 0, 0
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1:
			bad++
		case n > 1:
			good++
		}
		text = text[n:]
	}
	return good > 2*bad
}

func IsUTF8(name string) bool {
	return strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8")
}

// leadRange returns the range of lead bytes of an encoding by its name.
func leadRange(name string) [2]byte {
	name = strings.ToLower(name)
	for _, known := range []struct {
		word string
		lead [2]byte
	}{
		{"gbk", [2]byte{0x81, 0xFE}}, {"18030", [2]byte{0x81, 0xFE}}, {"936", [2]byte{0x81, 0xFE}}, {"2312", [2]byte{0x81, 0xFE}}, {"euc-cn", [2]byte{0x81, 0xFE}},
		{"big5", [2]byte{0x81, 0xFE}}, {"950", [2]byte{0x81, 0xFE}},
		{"jis", [2]byte{0x81, 0xFC}}, {"kanji", [2]byte{0x81, 0xFC}}, {"932", [2]byte{0x81, 0xFC}}, {"31j", [2]byte{0x81, 0xFC}},
	} {
		if strings.Contains(name, known.word) {
			return known.lead
		}
	}
	return [2]byte{}
}

// Declared returns the value of CA in the first node of a game, or "".
func Declared(text []byte) string {
	text = text[:min(len(text), 4096)]
	for i := bytes.Index(text, []byte("CA[")); i >= 0; {
		if i > 0 && !IsIdent[text[i-1]] {
			value := text[i+3:]
			if end := bytes.IndexByte(value, ']'); end >= 0 && end < 40 {
				return strings.TrimSpace(string(value[:end]))
			}
		}
		next := bytes.Index(text[i+3:], []byte("CA["))
		if next < 0 {
			break
		}
		i += 3 + next
	}
	return ""
}
