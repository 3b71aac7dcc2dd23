package ggf

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/discs"
	"qipu/record/facts"
)

const (
	formatName  = "ggf"
	propEval    = "EVAL" // of a move, as its player saw it
	propTime    = "TIME" // seconds that a move took
	propComment = "C"
	propForeign = "QX" // a header of another format, "Name:value"
)

// Format is GGF.
var Format record.Format = format{&info}

var _ record.Writer = format{}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       formatName,
	Title:      "Generic Game Format",
	Extensions: []string{"ggf"},
	Kinds:      []string{discs.Kind},
}

// Notation tells that moves are squares, and that every pass is written.
func (format) Notation(string) (name string, passes bool) { return discs.Notation, true }

// Sniff looks for a first game that names its kind in letters: that tells the
// format from SGF, where it is a number.
func (f format) Sniff(head []byte, name string) int {
	byName := 0
	if f.Named(name) {
		byName = 20
	}
	i := bytes.Index(head, []byte("(;"))
	if i < 0 || bytes.IndexByte(head, 0) >= 0 {
		return byName
	}
	head = head[i:]
	if end := bytes.Index(head, []byte(";)")); end >= 0 {
		head = head[:end]
	}
	at := bytes.Index(head, []byte("GM["))
	if at < 0 {
		return byName
	}
	game, _, _ := bytes.Cut(head[at+3:], []byte("]"))
	switch {
	case isOthello(string(game)):
		return 100
	case len(game) > 0 && (game[0] < '0' || game[0] > '9'):
		return 50 + byName
	}
	return 0
}

func isOthello(name string) bool {
	name = strings.TrimSpace(name)
	return strings.EqualFold(name, "othello") || strings.EqualFold(name, "reversi")
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		s := newScanner(src.Reader, limits.GameBytes)
		number := 0
		for {
			c, ok := s.next()
			if !ok {
				break
			}
			number++
			g, fault := readGame(src, limits, c, number)
			if fault != nil {
				if !yield(nil, fault) {
					return
				}
			} else if !yield(g, nil) {
				return
			}
		}
		switch {
		case s.err != nil:
			yield(nil, src.Fault(record.Rejected, record.KindIO, s.base, s.line, 0, s.err.Error()))
		case number == 0 && s.before:
			yield(nil, src.Fault(record.Rejected, record.KindSyntax, 0, 1, 0, "there is no game in the file"))
		case number == 0:
			yield(nil, src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "the file is empty"))
		}
	}
}

// readGame reads one game.
func readGame(src *record.Source, limits record.Limits, c cut, number int) (*record.Game, *record.Fault) {
	reject := func(kind, reason string) (*record.Game, *record.Fault) {
		return nil, src.Fault(record.Rejected, kind, c.offset, c.line, number, reason)
	}
	if c.long {
		return reject(record.KindLimit, fmt.Sprintf("a game of more than %d bytes", limits.GameBytes))
	}
	text, err := discs.Decode(src, c.data, "")
	if err != nil {
		return reject(record.KindEncoding, err.Error())
	}
	g := &record.Game{
		Kind:     discs.Kind,
		Notation: discs.Notation,
		Format:   formatName,
		Place:    record.Place{File: src.Name, Offset: c.offset, Line: c.line, Number: number},
		Raw:      c.data,
	}
	g.Decoded(&text, record.Marked)
	p := parser{g: g, text: string(text.UTF8), limits: limits}
	if reason := p.parse(); reason != "" {
		return reject(record.KindLimit, reason)
	}
	if !c.whole {
		g.Fault(record.Marked, record.KindSyntax, 0, "the end of the game is missing")
	}
	if name := g.Tag("GM"); name != "" && !isOthello(name) {
		return reject(record.KindUnknown, fmt.Sprintf("a game of %s: only Othello can be read", name))
	} else if name == "" && g.Tag("BO") == "" && len(g.Nodes) == 1 {
		return reject(record.KindSyntax, "no game: neither a board nor moves")
	}
	interpret(g)
	return g, nil
}

// parser reads the properties of one game.
type parser struct {
	g      *record.Game
	text   string
	pos    int
	limits record.Limits
	last   int32 // the node that properties belong to
	props  int   // properties of that node, or tags
}

// parse reads the whole game. A reason says that a limit was passed.
func (p *parser) parse() (reason string) {
	p.g.Nodes = make([]record.Node, 1, min(128, 2+strings.Count(p.text, "]B[")+strings.Count(p.text, "]W[")))
	p.pos = len("(;")
	for p.pos < len(p.text) {
		at := p.pos
		name := p.identifier()
		if name == "" {
			p.junk()
			continue
		}
		values := 0
		for p.bracket() {
			value := p.value()
			values++
			if p.props++; p.props > p.limits.Props {
				return fmt.Sprintf("more than %d properties", p.limits.Props)
			}
			if reason := p.property(name, value, at); reason != "" {
				return reason
			}
		}
		if values == 0 {
			p.note("%q has no value", discs.Clip(name))
		}
	}
	return ""
}

// identifier reads letters and digits that begin with a letter.
func (p *parser) identifier() string {
	from := p.pos
	for p.pos < len(p.text) {
		c := p.text[p.pos]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (p.pos == from || c < '0' || c > '9') {
			break
		}
		p.pos++
	}
	return p.text[from:p.pos]
}

// bracket reports whether a value follows, and skips the white space before it.
func (p *parser) bracket() bool {
	i := p.pos
	for i < len(p.text) && (p.text[i] == ' ' || p.text[i] == '\t' || p.text[i] == '\r' || p.text[i] == '\n') {
		i++
	}
	if i == len(p.text) || p.text[i] != '[' {
		return false
	}
	p.pos = i
	return true
}

// junk skips what is neither name nor value.
func (p *parser) junk() {
	from := p.pos
	if p.text[p.pos] == '[' {
		p.value()
	} else {
		p.pos++
		for p.pos < len(p.text) && p.text[p.pos] >= utf8.RuneSelf {
			p.pos++
		}
	}
	if c := p.text[from]; c > ' ' && c != ';' && c != ')' {
		p.note("%q does not belong there", discs.Clip(p.text[from:p.pos]))
	}
}

// note adds a note about the syntax. Rubbish gets a few of them, not one for
// every byte.
func (p *parser) note(format string, args ...any) {
	if len(p.g.Faults) < 10 {
		p.g.Fault(record.Note, record.KindSyntax, 0, format, args...)
	}
}

// value reads a value with its brackets. A missing bracket ends it at the end
// of the game.
func (p *parser) value() string {
	p.pos++
	from, escaped := p.pos, false
	for p.pos < len(p.text) && p.text[p.pos] != ']' {
		if p.text[p.pos] == '\\' && p.pos+1 < len(p.text) && (p.text[p.pos+1] == ']' || p.text[p.pos+1] == '\\') {
			escaped = true
			p.pos++
		}
		p.pos++
	}
	v := p.text[from:min(p.pos, len(p.text))]
	if p.pos >= len(p.text) {
		p.pos = len(p.text)
		p.g.Fault(record.Marked, record.KindSyntax, 0, "the value %q has no end", discs.Clip(v))
	}
	p.pos = min(p.pos+1, len(p.text))
	if escaped {
		v = unescape.Replace(v)
	}
	return v
}

var (
	unescape = strings.NewReplacer(`\\`, `\`, `\]`, `]`)
	escape   = strings.NewReplacer(`\`, `\\`, `]`, `\]`)
)

// property puts a property where it belongs: a move becomes a node, the others
// are tags before the first move and properties of the last one behind it.
func (p *parser) property(name, value string, at int) (reason string) {
	switch {
	case name == "B":
		return p.move(record.First, value, at)
	case name == "W":
		return p.move(record.Second, value, at)
	case name == propComment:
		x := p.g.Nodes[p.last].More()
		if x.Comment != "" {
			x.Comment += "\n"
		}
		x.Comment += value
	case p.last == 0:
		t := record.Tag{Name: name, Value: value}
		if other, ok := foreign(t); ok {
			t = other
		}
		p.g.Tags = append(p.g.Tags, t)
	default:
		x := p.g.Nodes[p.last].More()
		x.Props = append(x.Props, record.Prop{Name: name, Values: []string{value}})
	}
	return ""
}

// foreign returns the header that stands in a property QX. One whose name could
// be that of a property is not written so, and left alone.
func foreign(t record.Tag) (record.Tag, bool) {
	name, value, ok := strings.Cut(t.Value, ":")
	return record.Tag{Name: name, Value: value}, ok && t.Name == propForeign && name != "" && !identifier(name)
}

// move adds a node for "d3/eval/seconds".
func (p *parser) move(side record.Side, value string, at int) (reason string) {
	if len(p.g.Nodes) > p.limits.Nodes {
		return fmt.Sprintf("more than %d moves", p.limits.Nodes)
	}
	square, rest, _ := strings.Cut(value, "/")
	eval, seconds, _ := strings.Cut(rest, "/")
	square = token(strings.TrimSpace(square))
	if square == "" {
		square = "?"
	}
	prev := p.last
	p.last, p.props = int32(len(p.g.Nodes)), 0
	p.g.Nodes[prev].Child = p.last
	p.g.Nodes = append(p.g.Nodes, record.Node{Parent: prev, Offset: int32(at), Move: square, Side: side})
	for _, prop := range [2]record.Prop{{Name: propEval, Values: []string{eval}}, {Name: propTime, Values: []string{seconds}}} {
		if prop.Values[0] != "" {
			x := p.g.Nodes[p.last].More()
			x.Props = append(x.Props, prop)
		}
	}
	return ""
}

// token returns a move in the spelling that all readers of Othello use: squares
// in small letters, passes as "pass".
func token(move string) string {
	if len(move) == 2 {
		x, y := move[0]|0x20-'a', move[1]-'1'
		if x < 8 && y < 8 {
			return discs.Square(8*int(y) + int(x))
		}
	}
	if discs.IsPass(move) {
		return discs.Pass
	}
	return strings.ToLower(move)
}

// interpret draws the facts from the tags.
func interpret(g *record.Game) {
	f := &g.Facts
	size := board(g)
	kind(g)
	texts := [...]struct {
		name string
		fact *string
	}{
		{"PB", &f.Players[0].Name}, {"PW", &f.Players[1].Name}, {"PC", &f.Place}, {"EV", &f.Event}, {"RO", &f.Round},
		{"ON", &f.Opening}, {"SO", &f.Source}, {"AN", &f.Author}, {"TI", &f.Time},
	}
	for i := range g.Tags {
		switch t := &g.Tags[i]; t.Name {
		case "RB":
			f.Players[0].Rating = rating(t.Value)
		case "RW":
			f.Players[1].Rating = rating(t.Value)
		case "DT":
			f.Date = date(t.Value)
		case "RE":
			f.Result = result(t.Value, size*size)
		default:
			for _, to := range texts {
				if to.name == t.Name {
					*to.fact = known(t.Value)
				}
			}
		}
	}
	if tb, tw := g.Tag("TB"), g.Tag("TW"); f.Time == "" && (tb != "" || tw != "") {
		f.Time = tb + ", " + tw
	}
}

// known drops the signs that stand for "not known".
func known(value string) string {
	switch value = strings.TrimSpace(value); value {
	case "?", "-", "null":
		return ""
	}
	return value
}

func rating(value string) int {
	v, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > 1e6 {
		return 0
	}
	return int(math.Round(v))
}

// date reads "2003.12.15_13:24:03.MST", "2000-4-16 11:13 EST" and the seconds
// since 1970 of the oldest games.
func date(value string) facts.Date {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil && len(value) >= 9 && len(value) <= 11 {
		y, m, d := time.Unix(seconds, 0).UTC().Date()
		day := facts.Day{Year: y, Month: int(m), Day: d}
		return facts.Date{From: day, To: day}
	}
	value, _, _ = strings.Cut(value, "_")
	value, _, _ = strings.Cut(value, " ")
	return facts.ParseDate(strings.ReplaceAll(value, ".", "-"))
}

// result reads "+10.000", "-64.00:r", "0". More discs than the board has are
// how some programs write that they do not know.
func result(value string, area int) facts.Result {
	number, flag, _ := strings.Cut(strings.TrimSpace(value), ":")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(v) || math.Abs(v) > float64(area) {
		return facts.Result{}
	}
	r := facts.Result{Verdict: facts.Drawn, Margin: math.Abs(v)}
	switch {
	case v > 0:
		r.Verdict = facts.FirstWon
	case v < 0:
		r.Verdict = facts.SecondWon
	}
	switch strings.ToLower(strings.TrimSpace(flag)) {
	case "":
		r.How = facts.Count
	case "r":
		r.How = facts.Resign
	case "t", "l":
		r.How = facts.Time
	}
	return r
}

// kind notes what the type of a game changes.
func kind(g *record.Game) {
	text := g.Tag("TY")
	letters := strings.TrimLeft(strings.ToLower(strings.TrimLeft(strings.TrimSpace(text), "sS")), "0123456789")
	if strings.Contains(letters, "k") || g.Tag("KM") != "" {
		g.Fault(record.Note, record.KindHeader, 0, "a game with komi (type %q): the result counts it", discs.Clip(text))
	}
	if strings.Contains(letters, "a") {
		g.Fault(record.Note, record.KindHeader, 0, "a game of anti-Othello (type %q): fewer discs win", discs.Clip(text))
	}
}
