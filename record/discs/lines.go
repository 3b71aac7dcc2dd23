package discs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
)

// Lines cuts a stream into lines that end in LF, CR LF or CR.
type Lines struct {
	r     *bufio.Reader
	limit int
	rest  []byte // what follows a CR in the piece that was read last
	buf   []byte
	after int64 // offset of the next line
	eof   bool

	Offset int64 // of the current line
	Line   int   // its number
	Long   bool  // it was larger than the limit and is not whole
	Err    error // of the reader, but io.EOF
}

// NewLines returns the lines of a stream behind its byte order mark.
func NewLines(r io.Reader, limit int) *Lines {
	l := &Lines{r: bufio.NewReaderSize(r, 64<<10), limit: limit}
	if bom, _ := l.r.Peek(3); string(bom) == "\uFEFF" {
		_, _ = l.r.Discard(3)
		l.after = 3
	}
	return l
}

// Next returns the next line with its end; it is valid until the next call.
func (l *Lines) Next() ([]byte, bool) {
	l.Offset, l.Long = l.after, false
	if len(l.rest) == 0 && !l.fill() {
		return nil, false
	}
	l.Line++
	n := bytes.IndexAny(l.rest, "\r\n") + 1
	switch {
	case n == 0:
		n = len(l.rest)
	case l.rest[n-1] == '\r' && n < len(l.rest) && l.rest[n] == '\n':
		n++
	}
	line := l.rest[:n]
	l.rest = l.rest[n:]
	l.after += int64(n)
	return line, true
}

// fill reads up to the next LF, in bounded memory.
func (l *Lines) fill() bool {
	if l.eof {
		return false
	}
	l.buf = l.buf[:0]
	for {
		piece, err := l.r.ReadSlice('\n')
		if room := l.limit - len(l.buf); len(piece) > room {
			l.after += int64(len(piece) - room)
			piece, l.Long = piece[:room], true
		}
		l.buf = append(l.buf, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			l.eof = true
			if !errors.Is(err, io.EOF) {
				l.Err = err
			}
		}
		l.rest = l.buf
		return len(l.buf) > 0
	}
}

// Each has take read every line, and reject what is too long, until one of them
// is false: then it is false itself.
func (l *Lines) Each(take func(raw []byte) bool, reject func(kind, reason string) bool) bool {
	for {
		raw, ok := l.Next()
		switch {
		case !ok:
			return true
		case l.Long:
			ok = reject(record.KindLimit, fmt.Sprintf("a line of more than %d bytes", l.limit))
		default:
			ok = take(raw)
		}
		if !ok {
			return false
		}
	}
}

// End returns what is to be said about the end of a file with so many records and
// text behind them: nil for nothing.
func (l *Lines) End(src *record.Source, number int, behind *Block, what string) *record.Fault {
	switch {
	case l.Err != nil:
		return src.Fault(record.Rejected, record.KindIO, l.Offset, l.Line, 0, l.Err.Error())
	case number == 0 && len(behind.Raw) == 0:
		return src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty")
	case number == 0:
		return src.Fault(record.Rejected, record.KindSyntax, 0, 0, 0, "there is no "+what+" in the file")
	case len(behind.Raw) > 0:
		return src.Fault(record.Note, record.KindSyntax, behind.Place.Offset, behind.Place.Line, 0, "text behind the last "+what)
	}
	return nil
}

// Decode decodes a line or a short game. What is UTF-8 is taken for it, since the
// writers write it; there is too little text to know better.
func Decode(src *record.Source, raw []byte, hint string) (charset.Text, error) {
	if src.Encoding == "" && utf8.Valid(raw) {
		return charset.Text{UTF8: raw, Encoding: "utf-8"}, nil
	}
	return charset.Decode(raw, hint, src.Encoding)
}

// Block is a run of lines that make a game, or stand before one.
type Block struct {
	Raw     []byte
	Place   record.Place // of its first line
	Tags    []record.Tag
	Comment []string

	text charset.Text // what is known of the encoding
}

// Add appends a line of the file, which decodes to a text.
func (b *Block) Add(raw []byte, t *charset.Text) {
	b.Raw = append(b.Raw, raw...)
	// What is not ASCII decides about the encoding.
	if b.text.Encoding == "" || b.text.Encoding == "utf-8" {
		b.text.Encoding, b.text.Guessed = t.Encoding, t.Guessed
	}
	b.text.Broken += t.Broken
}

// Remark takes in a line of comment without its mark, whole if it is a header.
func (b *Block) Remark(text string, header record.Tag) {
	if header.Name != "" {
		b.Tags = append(b.Tags, header)
	} else {
		b.Comment = append(b.Comment, text)
	}
}

// Game makes a game of the block, with nodes for its root and so many moves.
func (b *Block) Game(format string, number, moves int) *record.Game {
	g := &record.Game{
		Kind: Kind, Notation: Notation, Format: format, Tags: b.Tags, Place: b.Place, Raw: b.Raw, Nodes: make([]record.Node, 1+moves),
	}
	g.Place.Number = number
	if len(b.Comment) > 0 {
		g.Nodes[0].More().Comment = strings.Join(b.Comment, "\n")
	}
	g.Decoded(&b.text, record.Marked)
	return g
}

// CutComment returns the text of a comment line behind one of the marks, and
// whether it is one.
func CutComment(text string, marks ...string) (string, bool) {
	for _, mark := range marks {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimPrefix(rest, " "), true
		}
	}
	return "", false
}

// maxKey is how long a key in a comment may be; longer ones are sentences.
const maxKey = 40

// Header reads "# Key: value" behind a mark that is not doubled; others have no
// name.
func Header(text, mark string) record.Tag {
	rest, ok := strings.CutPrefix(text, mark)
	key, value, found := strings.Cut(rest, ":")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	if !ok || !found || strings.HasPrefix(rest, mark) || key == "" || value == "" || len(key) > maxKey {
		return record.Tag{}
	}
	return record.Tag{Name: key, Value: value}
}

// AppendHead appends headers and a comment as such lines.
func AppendHead(dst []byte, mark string, tags []record.Tag, comment string) []byte {
	for _, t := range tags {
		dst = append(dst, mark+" "+t.Name+": "+t.Value+"\n"...)
	}
	if comment != "" {
		for line := range strings.SplitSeq(comment, "\n") {
			dst = append(dst, mark+mark+" "+line+"\n"...)
		}
	}
	return dst
}

// Carry puts the headers of a game of another format that the facts do not say,
// and the properties of its root. One whose name means something else here gets the
// name of its format before its own.
func Carry(g *record.Game, said *facts.Facts, own func(name string) bool, put func(name, value string)) {
	carry := func(name, value string) {
		if own(name) {
			name = g.Format + "." + name
		}
		put(name, value)
	}
	for _, t := range g.Tags {
		if !said.Says(facts.BlackDiscs, t.Name, t.Value) {
			carry(t.Name, t.Value)
		}
	}
	if len(g.Nodes) > 0 && g.Nodes[0].Extra != nil {
		for _, p := range g.Nodes[0].Props {
			for _, v := range p.Values {
				carry(p.Name, v)
			}
		}
	}
}

// Verify reads what was written: text that has a meaning of its own, as a header
// that looks like squares, shows when it comes back as something else. The rest of
// the record is for same to compare.
func Verify(f record.Format, text []byte, tags []record.Tag, comment string, same func(back *record.Game) error) error {
	n := 0
	for back, err := range f.Read(&record.Source{Name: "written", Reader: bytes.NewReader(text)}) {
		n++
		switch {
		case err != nil:
			return record.Inexpressible("a record that is not seen to be one")
		case n > 1:
			return record.Inexpressible("text that is read as several records")
		case !slices.Equal(back.Tags, tags):
			return record.Inexpressible("the headers %q, read back as %q", tags, back.Tags)
		case back.Nodes[0].Text() != comment:
			return record.Inexpressible("the comment %q", comment)
		}
		if err := same(back); err != nil {
			return err
		}
	}
	if n == 0 {
		return record.Inexpressible("a record that is not seen to be one")
	}
	return nil
}
