package epd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

const (
	formatName = "epd"
	kind       = "chess"
	shuffled   = "960" // the variant whose kings castle from elsewhere
)

// Format is EPD.
var Format record.Format = format{&info}

var _ record.Writer = format{}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Extended Position Description",
	Extensions: []string{"epd", "fen"},
	Kinds:      []string{kind},
}

// Notation tells the notation of moves, of which a position has none.
func (format) Notation(string) (name string, passes bool) { return "san", false }

// Sniff wants the first lines to be positions.
func (f format) Sniff(head []byte, name string) int {
	byName := 0
	if f.Named(name) {
		byName = 20
	}
	text := strings.TrimPrefix(string(head), "\uFEFF")
	if strings.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := strings.Split(text, "\n")
	if len(head) == record.SniffLen && len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut
	}
	good, bad := 0, 0
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if _, err := parse(line); err == nil {
			good++
		} else {
			bad++
		}
	}
	if good == 0 || bad > good/4 {
		return byName / 2
	}
	return 75 + byName
}

// Read yields the positions of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		lines := bufio.NewReaderSize(src.Reader, 1<<16)
		offset, number := int64(0), 0
		for line := 1; ; line++ {
			raw, long, err := readLine(lines, limits.GameBytes)
			if err != nil && err != io.EOF {
				yield(nil, src.Fault(record.Rejected, record.KindIO, offset, line, number+1, err.Error()))
				return
			}
			if len(raw) == 0 && err == io.EOF {
				return
			}
			if !read(src, raw, long, offset, line, &number, yield) {
				return
			}
			offset += int64(len(raw)) + long
		}
	}
}

// readLine returns a line with its end, and how many bytes of one that is too long were
// left out.
func readLine(r *bufio.Reader, limit int) (raw []byte, long int64, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if n := min(len(part), limit+1-len(raw)); n < len(part) {
			long += int64(len(part) - n)
			part = part[:n]
		}
		raw = append(raw, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return raw, long, err
		}
	}
}

// read yields the position of a line, or why there is none.
func read(src *record.Source, raw []byte, long, offset int64, line int, number *int, yield func(*record.Game, error) bool) bool {
	reject := func(kind, reason string) bool {
		*number++
		return yield(nil, src.Fault(record.Rejected, kind, offset, line, *number, reason))
	}
	if long > 0 || len(raw) > src.Limits.WithDefaults().GameBytes {
		return reject(record.KindLimit, "a line longer than the limit")
	}
	text := charset.Text{UTF8: raw, Encoding: "utf-8"}
	var err error
	if src.Encoding != "" || !utf8.Valid(raw) {
		text, err = charset.Decode(raw, "", src.Encoding)
	}
	if err != nil {
		return reject(record.KindEncoding, err.Error())
	}
	s := strings.TrimSpace(strings.TrimPrefix(string(text.UTF8), "\uFEFF"))
	if s == "" || s[0] == '#' {
		return true
	}
	p, err := parse(s)
	if err != nil {
		return reject(record.KindSyntax, err.Error())
	}
	if len(p.tags) > src.Limits.WithDefaults().Props {
		return reject(record.KindLimit, "more operations than the limit")
	}
	*number++
	g := &record.Game{
		Kind: kind, Variant: p.variant(), Format: formatName, Notation: "san", Start: p.start(), Tags: p.tags,
		Place: record.Place{File: src.Name, Offset: offset, Line: line, Number: *number}, Raw: slices.Clone(raw), Nodes: make([]record.Node, 1),
	}
	g.Facts.Event = g.Tag("id")
	if c := g.Tag("c0"); c != "" {
		g.Nodes[0].More().Comment = c
	}
	g.Decoded(&text, record.Marked)
	return yield(g, nil)
}

// position is a line taken apart.
type position struct {
	fields        [4]string // of FEN
	quiet, number int
	tags          []record.Tag
}

// start returns the text of the position, "" for that of the game.
func (p *position) start() string {
	text := fmt.Sprintf("%s %d %d", strings.Join(p.fields[:], " "), p.quiet, p.number)
	if text == usual {
		return ""
	}
	return text
}

const usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

func (p *position) variant() string {
	if strings.Trim(p.fields[2], "KQkq-") != "" {
		return shuffled
	}
	return ""
}

// parse takes a line apart.
func parse(line string) (*position, error) {
	p := &position{number: 1}
	rest := line
	for i := range p.fields {
		if p.fields[i], rest = word(rest); p.fields[i] == "" {
			return nil, errors.New("want the four fields of a position: pieces, side to move, castling, square behind a pawn")
		}
	}
	switch {
	case strings.Count(p.fields[0], "/") != 7 || strings.Trim(p.fields[0], "KQRBNPkqrbnp12345678/") != "":
		return nil, fmt.Errorf("%q is no position of chess", clip(p.fields[0]))
	case p.fields[1] != "w" && p.fields[1] != "b":
		return nil, fmt.Errorf("%q is no side to move: want w or b", clip(p.fields[1]))
	case strings.Trim(p.fields[2], "KQABCDEFGHkqabcdefgh-") != "":
		return nil, fmt.Errorf("%q are no rights to castle", clip(p.fields[2]))
	}
	for i, n := range []*int{&p.quiet, &p.number} { // of a line that is FEN
		w, more := word(rest)
		v, err := strconv.Atoi(w)
		if err != nil || v < i || v > 1<<20 {
			break
		}
		*n, rest = v, more
	}
	for {
		name, more := word(rest)
		if name == "" {
			return p, nil
		}
		value, after, err := operand(more)
		if strings.HasSuffix(name, ";") { // an operation about nothing
			name, value, after, err = strings.TrimRight(name, ";"), "", more, nil
			if name == "" {
				rest = after
				continue
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", clip(name), err)
		}
		if !opcode(name) {
			return nil, fmt.Errorf("%q is no operation", clip(name))
		}
		rest = after
		n, err := strconv.Atoi(value)
		switch {
		case name == "hmvc" && err == nil && n >= 0 && n <= 1<<20:
			p.quiet = n
		case name == "fmvn" && err == nil && n >= 1 && n <= 1<<20:
			p.number = n
		default:
			p.tags = append(p.tags, record.Tag{Name: name, Value: value})
		}
	}
}

// word cuts the first word off a line.
func word(s string) (w, rest string) {
	s = strings.TrimLeft(s, " \t")
	i := strings.IndexAny(s, " \t")
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

// opcode reports whether a word may name an operation.
func opcode(name string) bool {
	if len(name) > 40 || !letter(name[0]) {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !letter(c) && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// operand reads what an operation is about, up to its semicolon, without the quotation
// marks of a single text.
func operand(s string) (value, rest string, err error) {
	s = strings.TrimLeft(s, " \t")
	quoted := false
	for i := range len(s) {
		switch s[i] {
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				return bare(strings.TrimSpace(s[:i])), s[i+1:], nil
			}
		}
	}
	if quoted {
		return "", "", errors.New("a text without its last quotation mark")
	}
	return bare(strings.TrimSpace(s)), "", nil // the last semicolon is often left out
}

// bare takes the quotation marks off a single text.
func bare(s string) string {
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' && strings.Count(s, `"`) == 2 {
		return s[1 : len(s)-1]
	}
	return s
}

// plain are the operations whose operands are no texts.
var plain = []string{"acd", "acn", "acs", "am", "bm", "ce", "dm", "draw_accept", "draw_claim", "draw_offer", "draw_reject", "eco", "fmvn", "hmvc", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi"}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// Write writes positions, one a line.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	return record.WriteEach(w, &info, games, appendPosition)
}

func appendPosition(dst []byte, g *record.Game) ([]byte, error) {
	if err := check(g); err != nil {
		return nil, err
	}
	start := g.Start
	if start == "" {
		start = usual
	}
	p, err := parse(start)
	if err != nil || len(p.tags) > 0 {
		return nil, record.Inexpressible("the position %q", clip(start))
	}
	tags := tagsOf(g)
	dst = append(dst, strings.Join(p.fields[:], " ")...)
	for _, t := range tags {
		dst = append(append(dst, ' '), t.Name...)
		switch {
		case t.Value == "":
		case slices.Contains(plain, t.Name) || strings.Contains(t.Value, `"`):
			dst = append(append(dst, ' '), t.Value...)
		default:
			dst = fmt.Appendf(dst, " \"%s\"", t.Value)
		}
		dst = append(dst, ';')
	}
	if p.quiet != 0 || p.number != 1 {
		dst = fmt.Appendf(dst, " hmvc %d; fmvn %d;", p.quiet, p.number)
	}
	dst = append(dst, '\n')
	// What is read back must be what was meant.
	back, err := parse(strings.TrimSpace(string(dst[:len(dst)-1])))
	if err != nil || back.start() != p.start() || back.variant() != g.Variant || !slices.Equal(back.tags, tags) {
		return nil, record.Inexpressible("the headers")
	}
	return dst, nil
}

// tagsOf returns the operations of a position.
func tagsOf(g *record.Game) (tags []record.Tag) {
	if g.Format == formatName {
		return g.Tags
	}
	line := func(s string) string {
		return strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, `"`, "'"), func(c rune) bool { return c < ' ' }), " ")
	}
	if e := line(g.Facts.Event); e != "" {
		tags = append(tags, record.Tag{Name: "id", Value: e})
	}
	if c := line(g.Nodes[0].Text()); c != "" {
		tags = append(tags, record.Tag{Name: "c0", Value: c})
	}
	return tags
}

// check refuses what is no single position.
func check(g *record.Game) error {
	switch {
	case g.Kind != kind:
		return record.Inexpressible("a game of %s", g.Kind)
	case g.Variant != "" && g.Variant != shuffled:
		return record.Inexpressible("the variant %s", g.Variant)
	case len(g.Nodes) != 1:
		return record.Inexpressible("a game with moves")
	}
	root := &g.Nodes[0]
	if root.Extra == nil {
		return nil
	}
	switch {
	case len(root.Setup) > 0 || root.Turn != record.Unstated:
		return record.Inexpressible("a set-up of single points")
	case len(root.Props) > 0:
		return record.Inexpressible("the property %s", root.Props[0].Name)
	case g.Format == formatName && root.Comment != g.Tag("c0"):
		return record.Inexpressible("the comment")
	}
	return nil
}
