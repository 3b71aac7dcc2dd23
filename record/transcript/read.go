package transcript

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/discs"
)

const (
	formatName = "transcript"
	tagName    = "Name"   // what stands before the squares
	tagResult  = "Result" // a result behind the squares
	tagNote    = "Note"   // anything else behind the squares
)

// Format is the format of transcripts.
var Format record.Format = format{&info}

var _ record.Writer = format{}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Othello transcript",
	Extensions: []string{"txt", "csv"},
	Kinds:      []string{discs.Kind},
}

// Notation tells that moves are squares, and that passes are left out.
func (format) Notation(string) (name string, passes bool) { return discs.Notation, false }

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
		if m == discs.Pass {
			continue
		}
		i := discs.Index(m)
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
		r.lines = discs.NewLines(src.Reader, r.limits.GameBytes)
		if r.lines.Each(r.take, r.reject) && r.flush() {
			if fault := r.lines.End(src, r.number, &r.ahead, "game"); fault != nil {
				yield(nil, fault)
			}
		}
	}
}

// reader reads one file.
type reader struct {
	src      *record.Source
	yield    func(*record.Game, error) bool
	limits   record.Limits
	lines    *discs.Lines
	number   int
	encoding string       // of the lines so far that are not ASCII
	text     charset.Text // what was found out about the encoding of the current line
	columns  []string     // titles of a table; nil outside of one
	comma    string       // what parts its columns

	ahead discs.Block // comments before the next game
	game  discs.Block // the game that may go on
	moves []string
	at    []int32 // offsets of the moves in the block
	seen  uint64  // its squares
	open  bool    // the next line may go on with it
}

// reject ends the game before and yields a fault at the current line.
func (r *reader) reject(kind, reason string) bool {
	if !r.flush() {
		return false
	}
	r.ahead = discs.Block{}
	r.number++
	return r.yield(nil, r.src.Fault(record.Rejected, kind, r.lines.Offset, r.lines.Line, r.number, reason))
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
		result := func(t record.Tag) bool { return t.Name == tagResult && t.Value != "" }
		if r.open && isResult(text) && !slices.ContainsFunc(r.game.Tags, result) {
			r.open = false
			r.game.Tags = append(r.game.Tags, record.Tag{Name: tagResult, Value: text})
			return r.extend(&r.game, raw) && r.few(&r.game)
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
		r.game, r.ahead = r.ahead, discs.Block{}
		if l.id != "" {
			r.game.Tags = append(r.game.Tags, record.Tag{Name: tagName, Value: l.id})
		}
	}
	base := len(r.game.Raw)
	if !r.extend(&r.game, raw) {
		return false
	}
	// The line was trimmed; the offsets count from where its text begins.
	indent := len(raw) - len(bytes.TrimLeft(raw, " \t"))
	for i, m := range l.moves {
		r.moves = append(r.moves, m)
		r.at = append(r.at, int32(base+indent+int(l.at[i])))
		if k := discs.Index(m); k >= 0 {
			r.seen |= 1 << k
		}
	}
	r.game.Tags = append(r.game.Tags, l.tags...)
	r.open = r.columns == nil && len(l.tags) == 0
	if len(r.moves) > r.limits.Nodes || len(r.game.Tags) > r.limits.Props {
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
		if k := discs.Index(m); k >= 0 && r.seen&(1<<k) != 0 {
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
	r.ahead.Remark(rest, discs.Header(text, "#"))
	return r.few(&r.ahead)
}

// few rejects a block with too many headers.
func (r *reader) few(b *discs.Block) bool {
	return len(b.Tags) <= r.limits.Props || r.overflow(b, fmt.Sprintf("more than %d headers", r.limits.Props))
}

// overflow rejects a block that is too large. The game before it is whole.
func (r *reader) overflow(b *discs.Block, reason string) bool {
	if b == &r.game {
		r.drop()
	}
	return r.reject(record.KindLimit, reason)
}

// extend adds a line to a block.
func (r *reader) extend(b *discs.Block, raw []byte) bool {
	if len(b.Raw) == 0 {
		b.Place = record.Place{File: r.src.Name, Offset: r.lines.Offset, Line: r.lines.Line}
	}
	if len(b.Raw)+len(raw) > r.limits.GameBytes {
		return r.overflow(b, fmt.Sprintf("more than %d bytes for one game", r.limits.GameBytes))
	}
	b.Add(raw, &r.text)
	return true
}

// drop forgets the game that was being read.
func (r *reader) drop() {
	r.game, r.ahead = discs.Block{}, discs.Block{}
	r.moves, r.at, r.seen, r.open = r.moves[:0], r.at[:0], 0, false
}

// flush yields the game that was being read.
func (r *reader) flush() bool {
	if len(r.moves) == 0 {
		return true
	}
	r.number++
	g := r.game.Game(formatName, r.number, len(r.moves))
	for i, m := range r.moves {
		g.Nodes[i].Child = int32(i + 1)
		g.Nodes[i+1] = record.Node{Parent: int32(i), Offset: r.at[i], Move: m}
	}
	switch r.moves[0] {
	case "c5", "d6", "e3", "f4":
		g.Fault(record.Note, record.KindSetup, 1, "%s begins a game only from the mirrored start, with Black on d4 and e5", r.moves[0])
	}
	interpret(g)
	r.game = discs.Block{}
	r.moves, r.at, r.seen, r.open = r.moves[:0], r.at[:0], 0, false
	return r.yield(g, nil)
}

// decode turns a line into text, and notes what it finds out about the
// encoding.
func (r *reader) decode(raw []byte) (string, bool) {
	var err error
	if r.text, err = discs.Decode(r.src, raw, r.encoding); err != nil {
		r.drop()
		r.yield(nil, r.src.Fault(record.Rejected, record.KindEncoding, r.lines.Offset, r.lines.Line, 0, err.Error()))
		return "", false
	}
	if r.text.Encoding != "utf-8" {
		r.encoding = r.text.Encoding
	}
	return string(r.text.UTF8), true
}
