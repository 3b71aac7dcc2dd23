package transcript

import (
	"bytes"
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

const (
	formatName  = "transcript"
	othelloKind = "othello"
	tagName     = "Name"   // what stands before the squares
	tagResult   = "Result" // a result behind the squares
	tagNote     = "Note"   // anything else behind the squares
)

// Format is the format of transcripts.
var Format record.Format = format{}

var _ record.Writer = format{}

type format struct{}

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Othello transcript",
	Extensions: []string{"txt", "csv"},
	Kinds:      []string{othelloKind},
}

// Notation tells that moves are squares, and that passes are left out.
func (format) Notation(string) (name string, passes bool) { return "square", false }

// Info returns the facts about the format.
func (format) Info() *record.FormatInfo { return &info }

// Sniff wants most lines to be games that can be: a usual first move, no square
// twice, none of the four in the middle. The name says nothing, since every
// text may end in .txt.
func (format) Sniff(head []byte, _ string) int {
	text := strings.TrimPrefix(string(head), "\uFEFF")
	if strings.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	if len(head) == record.SniffLen && len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut
	}
	games, other, squares := 0, 0, 0
	var before []string // the squares so far of a game that may go on
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if _, comment := cutComment(line); line == "" || comment {
			continue
		}
		l := parseLine(line)
		switch {
		case len(l.moves) > 0 && plausible(l.moves):
			games++
			squares += len(l.moves)
			before = l.moves
		case len(l.moves) > 0 && len(before) > 0 && plausible(append(before[:len(before):len(before)], l.moves...)):
			squares += len(l.moves)
			before = append(before[:len(before):len(before)], l.moves...)
		case isResult(line):
		default:
			other++
			before = nil
		}
	}
	switch {
	case games == 0 || squares < 2 || other > games:
		return 0
	case other*4 > games || squares < 4*games:
		return 40
	}
	return 75
}

// plausible reports whether moves can be a game from the usual start, as far as
// that can be told without rules.
func plausible(moves []string) bool {
	if !firstMove(moves[0]) {
		return false
	}
	var seen uint64
	for _, m := range moves {
		if m == passToken {
			continue
		}
		i := squareIndex(m)
		if i < 0 || (seen|middle)&(1<<i) != 0 {
			return false
		}
		seen |= 1 << i
	}
	return true
}

// middle holds d4, e4, d5 and e5, where discs stand at the start.
const middle = 1<<27 | 1<<28 | 1<<35 | 1<<36

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{src: src, yield: yield, limits: src.Limits.WithDefaults()}
		r.run()
	}
}

// reader reads one file.
type reader struct {
	src      *record.Source
	yield    func(*record.Game, error) bool
	limits   record.Limits
	lines    lines
	number   int
	encoding string       // of the lines so far that are not ASCII
	text     charset.Text // what was found out about the encoding of the current line
	columns  []string     // titles of a table; nil outside of one
	comma    string       // what parts its columns

	ahead block // comments before the next game
	game  block // the game that may go on
	moves []string
	at    []int32 // offsets of the moves in the block
	seen  uint64  // its squares
	open  bool    // the next line may go on with it
}

// block is a run of lines.
type block struct {
	raw     []byte
	offset  int64
	line    int
	tags    []record.Tag
	comment []string

	encoding string
	guessed  bool
	broken   int
}

func (b *block) empty() bool { return len(b.raw) == 0 }

func (r *reader) run() {
	r.lines = newLines(r.src.Reader, r.limits.GameBytes)
	for {
		raw, ok := r.lines.next()
		if !ok {
			break
		}
		if r.lines.long {
			if !r.reject(record.KindLimit, fmt.Sprintf("a line of more than %d bytes", r.limits.GameBytes)) {
				return
			}
			continue
		}
		if !r.take(raw) {
			return
		}
	}
	if !r.flush() {
		return
	}
	switch {
	case r.lines.err != nil:
		r.yield(nil, r.src.Fault(record.Rejected, record.KindIO, r.lines.offset, r.lines.line, 0, r.lines.err.Error()))
	case r.number == 0 && r.ahead.empty():
		r.yield(nil, r.src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty"))
	case r.number == 0:
		r.yield(nil, r.src.Fault(record.Rejected, record.KindSyntax, 0, 0, 0, "there is no transcript in the file"))
	case !r.ahead.empty():
		r.yield(nil, r.src.Fault(record.Note, record.KindSyntax, r.ahead.offset, r.ahead.line, 0, "text behind the last game"))
	}
}

// reject ends the game before and yields a fault at the current line.
func (r *reader) reject(kind, reason string) bool {
	if !r.flush() {
		return false
	}
	r.ahead = block{}
	r.number++
	return r.yield(nil, r.src.Fault(record.Rejected, kind, r.lines.offset, r.lines.line, r.number, reason))
}

// maxLine is the length from which a line is no transcript, whatever it looks
// like: taking it apart would cost many times its size.
const maxLine = 64 << 10

// take reads one line.
func (r *reader) take(raw []byte) bool {
	text, ok := r.decode(raw)
	if !ok {
		return false
	}
	text = strings.TrimSpace(text)
	if text == "" {
		r.open = false
		return true
	}
	if rest, comment := cutComment(text); comment {
		r.open = false
		return r.remark(raw, text, rest)
	}
	if len(text) > maxLine {
		r.open = false
		return r.remark(raw, text, text)
	}
	if r.columns == nil && r.number == 0 && len(r.moves) == 0 {
		if r.columns, r.comma = titles(text); r.columns != nil {
			return true
		}
	}
	var l line
	if r.columns != nil {
		l = r.row(text)
	} else {
		l = parseLine(text)
	}
	if len(l.moves) == 0 {
		if r.columns != nil {
			return r.reject(record.KindEmpty, "a row without moves")
		}
		if r.open && isResult(text) && r.game.tag(tagResult) == "" {
			r.open = false
			return r.extend(&r.game, raw) && r.add(&r.game, record.Tag{Name: tagResult, Value: text})
		}
		r.open = false
		return r.remark(raw, text, text)
	}
	return r.squares(raw, l)
}

// squares begins a game or goes on with one.
func (r *reader) squares(raw []byte, l line) bool {
	if len(r.moves) == 0 || !r.continues(l) {
		if !r.flush() {
			return false
		}
		r.game, r.ahead = r.ahead, block{}
		if l.id != "" {
			r.game.tags = append(r.game.tags, record.Tag{Name: tagName, Value: l.id})
		}
	}
	base := len(r.game.raw)
	if !r.extend(&r.game, raw) {
		return false
	}
	// The line was trimmed; the offsets count from where its text begins.
	indent := len(raw) - len(bytes.TrimLeft(raw, " \t"))
	for i, m := range l.moves {
		r.moves = append(r.moves, m)
		r.at = append(r.at, int32(base+indent+int(l.at[i])))
		if k := squareIndex(m); k >= 0 {
			r.seen |= 1 << k
		}
	}
	r.game.tags = append(r.game.tags, l.tags...)
	r.open = r.columns == nil && len(l.tags) == 0
	if len(r.moves) > r.limits.Nodes || len(r.game.tags) > r.limits.Props {
		return r.overflow(&r.game, "a game with more moves or headers than the limit")
	}
	return true
}

// wrapped is the number of moves that a game has at least before its text goes
// on with a square that could begin another.
const wrapped = 20

// continues reports whether a line goes on with the game before it.
func (r *reader) continues(l line) bool {
	if !r.open || l.head {
		return false
	}
	n := len(r.moves)
	if l.number > 0 {
		return l.number > 1 && (l.number == n+1 || n%2 == 0 && l.number == n/2+1)
	}
	// A long game that was wrapped has its first squares taken; a short one may
	// simply be followed by one that begins elsewhere.
	if firstMove(l.moves[0]) && n < wrapped {
		return false
	}
	for _, m := range l.moves {
		if k := squareIndex(m); k >= 0 && r.seen&(1<<k) != 0 {
			return false
		}
	}
	return true
}

// remark keeps a line that is no game for the next one: a header or a line of
// its comment.
func (r *reader) remark(raw []byte, text, rest string) bool {
	if !r.extend(&r.ahead, raw) {
		return false
	}
	if tag, ok := header(text); ok {
		return r.add(&r.ahead, tag)
	}
	r.ahead.comment = append(r.ahead.comment, rest)
	return true
}

func (r *reader) add(b *block, tag record.Tag) bool {
	b.tags = append(b.tags, tag)
	if len(b.tags) > r.limits.Props {
		return r.overflow(b, fmt.Sprintf("more than %d headers", r.limits.Props))
	}
	return true
}

// overflow rejects a block that is too large. The game before it is whole.
func (r *reader) overflow(b *block, reason string) bool {
	if b == &r.game {
		r.drop()
	}
	return r.reject(record.KindLimit, reason)
}

func (b *block) tag(name string) string {
	for _, t := range b.tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// extend adds a line to a block.
func (r *reader) extend(b *block, raw []byte) bool {
	if b.empty() {
		b.offset, b.line = r.lines.offset, r.lines.line
	}
	if len(b.raw)+len(raw) > r.limits.GameBytes {
		return r.overflow(b, fmt.Sprintf("more than %d bytes for one game", r.limits.GameBytes))
	}
	b.raw = append(append(b.raw, raw...), '\n')
	// What is not ASCII decides about the encoding.
	if t := r.text; b.encoding == "" || b.encoding == "utf-8" {
		b.encoding, b.guessed = t.Encoding, t.Guessed
	}
	b.broken += r.text.Broken
	return true
}

// drop forgets the game that was being read.
func (r *reader) drop() {
	r.game, r.ahead = block{}, block{}
	r.moves, r.at, r.seen, r.open = r.moves[:0], r.at[:0], 0, false
}

// flush yields the game that was being read.
func (r *reader) flush() bool {
	if len(r.moves) == 0 {
		return true
	}
	r.number++
	g := &record.Game{
		Kind:     othelloKind,
		Tags:     r.game.tags,
		Notation: "square",
		Format:   formatName,
		Encoding: r.game.encoding,
		Guessed:  r.game.guessed,
		Place:    record.Place{File: r.src.Name, Offset: r.game.offset, Line: r.game.line, Number: r.number},
		Raw:      r.game.raw,
		Nodes:    make([]record.Node, len(r.moves)+1),
	}
	for i, m := range r.moves {
		g.Nodes[i].Child = int32(i + 1)
		g.Nodes[i+1] = record.Node{Parent: int32(i), Offset: r.at[i], Move: m}
	}
	if len(r.game.comment) > 0 {
		g.Nodes[0].More().Comment = strings.Join(r.game.comment, "\n")
	}
	if r.game.broken > 0 {
		g.Fault(record.Marked, record.KindEncoding, 0, "%d characters are not %s", r.game.broken, r.game.encoding)
	}
	switch r.moves[0] {
	case "c5", "d6", "e3", "f4":
		g.Fault(record.Note, record.KindSetup, 1, "%s begins a game only from the mirrored start, with Black on d4 and e5", r.moves[0])
	}
	interpret(g)
	r.game = block{}
	r.moves, r.at, r.seen, r.open = r.moves[:0], r.at[:0], 0, false
	return r.yield(g, nil)
}

// decode turns a line into text, and notes what it finds out about the
// encoding.
func (r *reader) decode(raw []byte) (string, bool) {
	// What is UTF-8 is taken for it, since Write writes it; there is too little
	// text in a line to know better.
	if r.src.Encoding == "" && utf8.Valid(raw) {
		r.text = charset.Text{Encoding: "utf-8"}
		return string(raw), true
	}
	text, err := charset.Decode(raw, r.encoding, r.src.Encoding)
	if err != nil {
		r.drop()
		r.yield(nil, r.src.Fault(record.Rejected, record.KindEncoding, r.lines.offset, r.lines.line, 0, err.Error()))
		return "", false
	}
	r.encoding = text.Encoding
	r.text = charset.Text{Encoding: text.Encoding, Guessed: text.Guessed, Broken: text.Broken}
	return string(text.UTF8), true
}
