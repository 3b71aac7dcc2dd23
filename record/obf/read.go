package obf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
)

const (
	formatName  = "obf"
	othelloKind = "othello"
	tagName     = "Name"   // a label before the squares
	tagScores   = "Scores" // "A2:+38; C7:+36"
)

// Format is OBF.
var Format record.Format = format{}

var _ record.Writer = format{}

type format struct{}

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Othello test positions",
	Extensions: []string{"obf"},
	Kinds:      []string{othelloKind},
}

// Notation tells that moves are squares, and that passes are left out.
func (format) Notation(string) (name string, passes bool) { return "square", false }

// Info returns the facts about the format.
func (format) Info() *record.FormatInfo { return &info }

// Sniff wants the first lines to be positions with the side to move.
func (format) Sniff(head []byte, name string) int {
	byName := 0
	if strings.HasSuffix(strings.ToLower(name), ".obf") {
		byName = 20
	}
	text := strings.TrimPrefix(string(head), "\uFEFF")
	if strings.IndexByte(text, 0) >= 0 {
		return 0
	}
	lines := strings.FieldsFunc(text, func(c rune) bool { return c == '\n' || c == '\r' })
	if len(head) == record.SniffLen && len(lines) > 1 {
		lines = lines[:len(lines)-1] // it may be cut
	}
	good, bad := 0, 0
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if _, comment := cutComment(line); line == "" || comment {
			continue
		}
		if p, err := parseLine(line); err == nil && p.stated {
			good++
		} else {
			bad++
		}
	}
	if good == 0 || bad > good/4 {
		return byName
	}
	return 75 + byName
}

// Read yields the positions of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{src: src, yield: yield, limits: src.Limits.WithDefaults(), in: bufio.NewReaderSize(src.Reader, 64<<10)}
		r.run()
	}
}

// reader reads one file.
type reader struct {
	src    *record.Source
	yield  func(*record.Game, error) bool
	limits record.Limits
	in     *bufio.Reader
	number int
	offset int64
	line   int

	// What stands before the next position.
	raw     []byte
	place   record.Place
	tags    []record.Tag
	comment []string
	text    charset.Text // what was found out about the encoding; UTF8 is not used
}

func (r *reader) run() {
	for {
		raw, long, err := r.readLine()
		if long {
			if !r.reject(record.KindLimit, fmt.Sprintf("a line of more than %d bytes", r.limits.GameBytes)) {
				return
			}
		} else if !r.lines(raw) {
			return
		}
		if err == nil {
			continue
		}
		switch {
		case !errors.Is(err, io.EOF):
			r.yield(nil, r.src.Fault(record.Rejected, record.KindIO, r.offset, r.line, 0, err.Error()))
		case r.number == 0 && len(r.raw) == 0:
			r.yield(nil, r.src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty"))
		case r.number == 0:
			r.yield(nil, r.src.Fault(record.Rejected, record.KindSyntax, 0, 0, 0, "there is no position in the file"))
		case len(r.raw) > 0:
			r.yield(nil, r.src.Fault(record.Note, record.KindSyntax, r.place.Offset, r.place.Line, 0, "text behind the last position"))
		}
		return
	}
}

// readLine reads up to the next LF in bounded memory. The line is valid as long
// as the caller wants.
func (r *reader) readLine() (line []byte, long bool, err error) {
	for {
		piece, err := r.in.ReadSlice('\n')
		if !long && len(line)+len(piece) <= r.limits.GameBytes {
			line = append(line, piece...)
		} else {
			r.offset += int64(len(line) + len(piece))
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// lines takes what was read up to an LF; a CR ends a line too.
func (r *reader) lines(raw []byte) bool {
	for len(raw) > 0 {
		n := bytes.IndexAny(raw, "\r\n") + 1
		if n > 0 && raw[n-1] == '\r' && n < len(raw) && raw[n] == '\n' {
			n++
		}
		if n == 0 {
			n = len(raw)
		}
		r.line++
		if !r.take(raw[:n:n]) {
			return false
		}
		r.offset += int64(n)
		raw = raw[n:]
	}
	return true
}

// take reads one line.
func (r *reader) take(raw []byte) bool {
	// What is UTF-8 is taken for it, since Write writes it; there is too little
	// text in a line to know better.
	text := charset.Text{UTF8: bytes.TrimPrefix(raw, []byte("\uFEFF")), Encoding: "utf-8"}
	if r.src.Encoding != "" || !utf8.Valid(raw) {
		var err error
		if text, err = charset.Decode(text.UTF8, "", r.src.Encoding); err != nil {
			return r.reject(record.KindEncoding, err.Error())
		}
	}
	s := strings.TrimSpace(string(text.UTF8))
	if s == "" {
		return true
	}
	if len(r.raw) == 0 {
		r.place = record.Place{File: r.src.Name, Offset: r.offset, Line: r.line}
	}
	if len(r.raw)+len(raw) > r.limits.GameBytes || len(r.tags) > r.limits.Props {
		return r.reject(record.KindLimit, "more text before a position than the limit")
	}
	r.raw = append(r.raw, raw...)
	// What is not ASCII decides about the encoding.
	if r.text.Encoding == "" || r.text.Encoding == "utf-8" {
		r.text.Encoding, r.text.Guessed = text.Encoding, text.Guessed
	}
	r.text.Broken += text.Broken
	if rest, ok := cutComment(s); ok {
		if tag, ok := header(s); ok {
			r.tags = append(r.tags, tag)
		} else {
			r.comment = append(r.comment, rest)
		}
		return true
	}
	p, err := parseLine(s)
	if err != nil {
		return r.reject(record.KindSyntax, err.Error())
	}
	return r.position(p)
}

// reject yields a fault at the current line.
func (r *reader) reject(kind, reason string) bool {
	r.number++
	r.raw, r.tags, r.comment, r.text = nil, nil, nil, charset.Text{}
	return r.yield(nil, r.src.Fault(record.Rejected, kind, r.offset, r.line, r.number, reason))
}

// position yields a position.
func (r *reader) position(p position) bool {
	r.number++
	r.place.Number = r.number
	g := &record.Game{
		Kind:     othelloKind,
		Start:    startText(p.squares, string(rune(p.turn))),
		Tags:     r.tags,
		Nodes:    make([]record.Node, 1),
		Notation: "square",
		Format:   formatName,
		Encoding: r.text.Encoding,
		Guessed:  r.text.Guessed,
		Place:    r.place,
		Raw:      r.raw,
	}
	if p.name != "" {
		g.Tags = append(g.Tags, record.Tag{Name: tagName, Value: p.name})
	}
	if p.scores != "" {
		g.Tags = append(g.Tags, record.Tag{Name: tagScores, Value: p.scores})
	}
	if p.comment != "" {
		r.comment = append(r.comment, p.comment)
	}
	if len(r.comment) > 0 {
		g.Nodes[0].More().Comment = strings.Join(r.comment, "\n")
	}
	if r.text.Broken > 0 {
		g.Fault(record.Marked, record.KindEncoding, 0, "%d characters are not %s", r.text.Broken, r.text.Encoding)
	}
	if !p.stated {
		g.Fault(record.Note, record.KindSetup, 0, "the line does not say who is to move: Black is assumed")
	}
	checkScores(g, p.squares)
	interpret(g)
	r.raw, r.tags, r.comment, r.text = nil, nil, nil, charset.Text{}
	return r.yield(g, nil)
}

// interpret draws the facts from the tags that Write makes of them.
func interpret(g *record.Game) {
	f := &g.Facts
	for _, t := range g.Tags {
		switch t.Name {
		case "Black":
			f.Players[0].Name = t.Value
		case "White":
			f.Players[1].Name = t.Value
		case "Event":
			f.Event = t.Value
		case "Date":
			f.Date = facts.ParseDate(t.Value)
		case "Source":
			f.Source = t.Value
		}
	}
}

// usual is the start of the game.
const usual = "---------------------------OX------XO---------------------------"

// startText returns the text of a start position, "" for the usual one.
func startText(squares, turn string) string {
	if squares == usual && turn == "X" {
		return ""
	}
	return squares + " " + turn
}

// checkScores marks scores that cannot be, each kind of fault once.
func checkScores(g *record.Game, squares string) {
	list := Scores(g)
	if text := g.Tag(tagScores); text != "" && len(list) != strings.Count(text, ";")+1 {
		g.Fault(record.Marked, record.KindHeader, 0, "not all of the scores %q can be read", clip(text))
	}
	var seen [64]bool
	var taken, twice []string
	for _, s := range list {
		i := squareIndex(s.Move)
		if i < 0 {
			continue // a pass
		}
		if squares[i] != '-' {
			taken = append(taken, s.Move)
		} else if seen[i] {
			twice = append(twice, s.Move)
		}
		seen[i] = true
	}
	if len(taken) > 0 {
		g.Fault(record.Marked, record.KindHeader, 0, "scores for squares that are taken: %s", clip(strings.Join(taken, " ")))
	}
	if len(twice) > 0 {
		g.Fault(record.Note, record.KindHeader, 0, "two scores for one move: %s", clip(strings.Join(twice, " ")))
	}
}

// Score is the value of a move in discs, as the side to move sees it.
type Score struct {
	Move  string // "a2", or "pass"
	Discs int
}

// Scores returns the scores of a position in the order of the file, the best
// first. What cannot be read is left out.
func Scores(g *record.Game) []Score {
	var list []Score
	for _, pair := range strings.Split(g.Tag(tagScores), ";") {
		move, discs, ok := strings.Cut(pair, ":")
		move = strings.ToLower(strings.TrimSpace(move))
		n, err := strconv.Atoi(strings.TrimSpace(discs))
		if !ok || err != nil || n < -64 || n > 64 {
			continue
		}
		switch {
		case squareIndex(move) >= 0:
		case move == "pa" || move == "ps" || move == "pass" || move == "--":
			move = "pass"
		default:
			continue
		}
		list = append(list, Score{move, n})
	}
	return list
}

// squareIndex returns 8*row + column of a move, or -1 where it is no square.
func squareIndex(move string) int {
	if len(move) != 2 || move[0] < 'a' || move[0] > 'h' || move[1] < '1' || move[1] > '8' {
		return -1
	}
	return 8*int(move[1]-'1') + int(move[0]-'a')
}
