package obf

import (
	"iter"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

const (
	formatName = "obf"
	tagName    = "Name"   // a label before the squares
	tagScores  = "Scores" // "A2:+38; C7:+36"
)

// Format is OBF.
var Format record.Format = format{&info}

var _ record.Writer = format{}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Othello test positions",
	Extensions: []string{"obf"},
	Kinds:      []string{discs.Kind},
}

// Notation tells that moves are squares, and that passes are left out.
func (format) Notation(string) (name string, passes bool) { return discs.Notation, false }

// Sniff wants the first lines to be positions with the side to move.
func (f format) Sniff(head []byte, name string) int {
	byName := 0
	if f.Named(name) {
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
		r := &reader{src: src, yield: yield, limits: src.Limits.WithDefaults()}
		r.lines = discs.NewLines(src.Reader, r.limits.GameBytes)
		if r.lines.Each(r.take, r.reject) {
			if fault := r.lines.End(src, r.number, &r.ahead, "position"); fault != nil {
				yield(nil, fault)
			}
		}
	}
}

// reader reads one file.
type reader struct {
	src    *record.Source
	yield  func(*record.Game, error) bool
	limits record.Limits
	lines  *discs.Lines
	number int
	ahead  discs.Block // what stands before the next position
}

// take reads one line.
func (r *reader) take(raw []byte) bool {
	text, err := discs.Decode(r.src, raw, "")
	if err != nil {
		return r.reject(record.KindEncoding, err.Error())
	}
	s := strings.TrimSpace(string(text.UTF8))
	if s == "" {
		return true
	}
	b := &r.ahead
	if len(b.Raw) == 0 {
		b.Place = record.Place{File: r.src.Name, Offset: r.lines.Offset, Line: r.lines.Line}
	}
	if len(b.Raw)+len(raw) > r.limits.GameBytes || len(b.Tags) > r.limits.Props {
		return r.reject(record.KindLimit, "more text before a position than the limit")
	}
	b.Add(raw, &text)
	if rest, ok := cutComment(s); ok {
		b.Remark(rest, discs.Header(s, "%"))
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
	r.ahead = discs.Block{}
	return r.yield(nil, r.src.Fault(record.Rejected, kind, r.lines.Offset, r.lines.Line, r.number, reason))
}

// position yields a position.
func (r *reader) position(p position) bool {
	r.number++
	b := &r.ahead
	for _, t := range []record.Tag{{Name: tagName, Value: p.name}, {Name: tagScores, Value: p.scores}} {
		if t.Value != "" {
			b.Tags = append(b.Tags, t)
		}
	}
	if p.comment != "" {
		b.Comment = append(b.Comment, p.comment)
	}
	g := b.Game(formatName, r.number, 0)
	g.Start = startText(p.squares, p.turn)
	if !p.stated {
		g.Fault(record.Note, record.KindSetup, 0, "the line does not say who is to move: Black is assumed")
	}
	checkScores(g, p.squares)
	interpret(g)
	r.ahead = discs.Block{}
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

// startText returns the text of a start position, "" for the usual one.
func startText(squares string, turn byte) string {
	if squares == discs.Usual(8) && turn == 'X' {
		return ""
	}
	return squares + " " + string(rune(turn))
}

// checkScores marks scores that cannot be, each kind of fault once.
func checkScores(g *record.Game, squares string) {
	list := Scores(g)
	if text := g.Tag(tagScores); text != "" && len(list) != strings.Count(text, ";")+1 {
		g.Fault(record.Marked, record.KindHeader, 0, "not all of the scores %q can be read", discs.Clip(text))
	}
	var seen [64]bool
	var taken, twice []string
	for _, s := range list {
		i := discs.Index(s.Move)
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
		g.Fault(record.Marked, record.KindHeader, 0, "scores for squares that are taken: %s", discs.Clip(strings.Join(taken, " ")))
	}
	if len(twice) > 0 {
		g.Fault(record.Note, record.KindHeader, 0, "two scores for one move: %s", discs.Clip(strings.Join(twice, " ")))
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
		move, value, ok := strings.Cut(pair, ":")
		move = strings.ToLower(strings.TrimSpace(move))
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if !ok || err != nil || n < -64 || n > 64 {
			continue
		}
		switch {
		case discs.Index(move) >= 0:
		case discs.IsPass(move):
			move = discs.Pass
		default:
			continue
		}
		list = append(list, Score{move, n})
	}
	return list
}
