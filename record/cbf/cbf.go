package cbf

import (
	"bytes"
	"encoding/xml"
	"io"
	"iter"
	"regexp"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
	"qipu/record/fen"
)

// Format is the format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "cbf",
	Title:      "CCBridge XML (CBF)",
	Extensions: []string{"cbf"},
	Kinds:      []string{"xiangqi"},
}

const rootName = "ChineseChessRecord"

// Sniff looks for the root element. Other programs use the extension too.
func (f format) Sniff(head []byte, name string) int {
	if _, wide := bytes.CutPrefix(head, []byte("\xFF\xFE")); wide {
		head = bytes.ReplaceAll(head, []byte{0}, nil)
	}
	switch {
	case bytes.Contains(head, []byte("<"+rootName)):
		return 95
	case f.Named(name):
		return 10
	}
	return 0
}

// Read yields the games of a file: usually one.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		data, fault := src.Whole()
		if fault != nil {
			yield(nil, fault)
			return
		}
		text, err := charset.Decode(data, declared(data), src.Encoding)
		if err != nil {
			yield(nil, src.Fault(record.Rejected, record.KindEncoding, 0, 0, 0, err.Error()))
			return
		}
		r := &reader{src: src, limits: limits, raw: data, text: text, yield: yield}
		if r.read(); !r.stopped && r.number == 0 {
			yield(nil, src.Fault(record.Rejected, record.KindSyntax, 0, 0, 0, r.why()))
		}
	}
}

var encoding = regexp.MustCompile(`^[^>]{0,200}encoding=["']([A-Za-z0-9_.:-]+)["']`)

// declared returns the encoding that the first line names.
func declared(data []byte) string {
	if m := encoding.FindSubmatch(data[:min(len(data), 256)]); m != nil {
		return string(m[1])
	}
	return ""
}

// reader is one file being read.
type reader struct {
	src     *record.Source
	limits  record.Limits
	raw     []byte
	text    charset.Text
	yield   func(*record.Game, error) bool
	game    *record.Game // nil outside of a record
	number  int
	stopped bool
	err     error // of the XML

	field   string // the element of Head that is being read
	inMove  bool
	chars   strings.Builder
	last    int32 // the node that was added last
	ended   bool  // the end of the moves was marked
	full    bool  // a limit was reached: the rest is left out
	crowded bool  // there are too many headers
	weight  int   // bytes of memory that properties and comments take, about
	past    bool  // and the move is behind it
	began   bool  // the element for the start was there
}

// why says why there was no game.
func (r *reader) why() string {
	if r.err != nil {
		return "the file is no XML: " + r.err.Error()
	}
	return "there is no <" + rootName + "> in this file"
}

// read walks over the elements. What comes before an error of the XML counts.
func (r *reader) read() {
	text := plain(r.text.UTF8)
	d := xml.NewDecoder(bytes.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	for !r.stopped {
		token, err := d.RawToken()
		if err != nil {
			if err != io.EOF {
				r.err = err
			}
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			line, _ := d.InputPos()
			r.start(t, line, text[d.InputOffset():])
		case xml.CharData:
			if r.game != nil && (r.field != "" || r.inMove) {
				r.chars.Write(t)
			}
		case xml.EndElement:
			r.end(t.Name.Local)
		}
	}
	if r.game != nil && !r.stopped {
		reason := "the file ends within the game"
		if r.err != nil {
			reason = r.err.Error()
		}
		r.game.Fault(record.Marked, record.KindSyntax, 0, "the XML is broken: %s", reason)
		r.endField()
		r.finish()
	}
}

// plain replaces control characters, which XML forbids and files have.
func plain(text []byte) []byte {
	for i, c := range text {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			text = bytes.Clone(text)
			for ; i < len(text); i++ {
				if c := text[i]; c < ' ' && c != '\t' && c != '\n' && c != '\r' {
					text[i] = ' '
				}
			}
			return text
		}
	}
	return text
}

// start takes in the beginning of an element; rest is the text behind it.
func (r *reader) start(t xml.StartElement, line int, rest []byte) {
	name := t.Name.Local
	switch {
	case name == rootName:
		if r.game != nil {
			r.finish()
		}
		r.begin(t, line, rest)
	case r.game == nil:
	case name == "Move":
		r.endField()
		r.inMove = r.move(t.Attr)
	case name != "Head" && name != "MoveList" && !r.inMove:
		r.endField()
		r.field = name
	}
}

// begin starts a game, with room for its moves.
func (r *reader) begin(t xml.StartElement, line int, rest []byte) {
	g := &record.Game{Kind: "xiangqi", Notation: "iccs", Format: info.Name,
		Place: record.Place{File: r.src.Name, Line: line, Number: r.number + 1}, Raw: r.raw}
	g.Decoded(&r.text, record.Marked)
	if i := bytes.Index(rest, []byte("<"+rootName)); i >= 0 {
		rest = rest[:i]
	}
	moves := bytes.Count(rest, []byte("<Move "))
	g.Nodes = make([]record.Node, 0, min(moves, r.limits.Nodes)+1)
	g.Add(0, record.Unstated, "")
	for _, a := range t.Attr {
		g.Tags = append(g.Tags, record.Tag{Name: a.Name.Local, Value: a.Value})
	}
	r.game, r.last, r.ended, r.past, r.began, r.inMove, r.field = g, 0, false, false, false, false, ""
	r.full, r.crowded, r.weight = false, false, 0
	r.chars.Reset()
}

func (r *reader) end(name string) {
	if r.game == nil {
		return
	}
	if name == rootName {
		r.finish()
		return
	}
	if name == "Move" || name == r.field {
		r.endField()
	}
}

// endField takes in the text of an element.
func (r *reader) endField() {
	text := strings.Trim(r.chars.String(), " \t\r\n")
	g := r.game
	switch {
	case r.inMove && r.past && text != "":
		values := g.Nodes[0].Props[len(g.Nodes[0].Props)-1].Values
		values[len(values)-1] += " " + text
	case r.inMove && text != "":
		if r.weigh(96) {
			g.Nodes[r.last].More().Comment = text
		}
	case r.field != "" && len(g.Tags) < r.limits.Props:
		g.Tags = append(g.Tags, record.Tag{Name: r.field, Value: text})
	case r.field != "" && !r.crowded:
		r.crowded = true
		g.Fault(record.Marked, record.KindLimit, 0, "more than %d headers: the rest is left out", r.limits.Props)
	}
	r.chars.Reset()
	r.field, r.inMove = "", false
}

// move adds a move, and reports whether its text is wanted.
func (r *reader) move(attrs []xml.Attr) bool {
	g := r.game
	var value string
	var end bool
	var props []record.Prop
	for _, a := range attrs {
		switch a.Name.Local {
		case "value":
			value = a.Value
		case "end":
			end = a.Value == "1"
		default:
			if len(props) < r.limits.Props {
				props = append(props, record.Prop{Name: a.Name.Local, Values: []string{a.Value}})
			}
		}
	}
	switch {
	case value == "00-00" && !r.began && len(g.Nodes) == 1:
		r.began = true
	case r.full:
		return false
	case r.ended:
		r.past = r.behind(value)
		return r.past
	case len(g.Nodes) > r.limits.Nodes:
		g.Fault(record.Marked, record.KindLimit, 0, "more than %d moves: the rest is left out", r.limits.Nodes)
		r.full = true
		return false
	case !r.weigh(64 * len(props)):
		return false
	default:
		r.last = g.Add(r.last, record.Unstated, moveText(value))
	}
	if props != nil {
		g.Nodes[r.last].More().Props = props
	}
	r.ended = end
	return true
}

// weigh counts memory, and reports false where there is too much. Text and
// moves have limits of their own, but properties take more than their text.
func (r *reader) weigh(n int) bool {
	if r.weight += n; r.weight > max(128*r.limits.Nodes, 4<<20) && !r.full {
		r.game.Fault(record.Marked, record.KindLimit, 0, "too many properties: the rest is left out")
		r.full = true
	}
	return !r.full
}

// behind keeps a move behind the end, with its comment. It reports false where
// there are too many.
func (r *reader) behind(value string) bool {
	x := r.game.Nodes[0].More()
	if len(x.Props) == 0 || x.Props[len(x.Props)-1].Name != "Behind" {
		x.Props = append(x.Props, record.Prop{Name: "Behind"})
		r.game.Fault(record.Marked, record.KindSyntax, 0, "there are moves behind the end of the game; they were kept as a property")
	}
	p := &x.Props[len(x.Props)-1]
	if len(p.Values) >= r.limits.Nodes {
		return false
	}
	p.Values = append(p.Values, moveText(value))
	return true
}

// moveText returns the ICCS text of a move, or the text itself where it is
// none.
func moveText(value string) string {
	if len(value) != 5 || value[2] != '-' {
		return value
	}
	from, ok1 := square(value[:2])
	to, ok2 := square(value[3:])
	if !ok1 || !ok2 {
		return value
	}
	return fen.Move(from, to)
}

// square reads a column and a row.
func square(at string) (int, bool) {
	x, y := int(at[0])-'0', int(at[1])-'0'
	return x + fen.Files*y, x >= 0 && x < fen.Files && y >= 0 && y < fen.Ranks
}

// finish yields the game.
func (r *reader) finish() {
	g := r.game
	r.game = nil
	r.number++
	fill(g)
	r.stopped = !r.yield(g, nil)
}

// fill makes the start and the facts of the tags.
func fill(g *record.Game) {
	get := func(names ...string) string {
		for _, name := range names {
			if v := facts.CleanName(g.Tag(name)); v != "" {
				return v
			}
		}
		return ""
	}
	g.Start = fen.Start(g.Tag("FEN"))
	f := &g.Facts
	for i, side := range [2]string{"Red", "Black"} {
		f.Players[i] = facts.Player{Name: get(side), Team: get(side + "Team"), Rating: facts.ParseRating(get(side + "Rating"))}
	}
	f.Event = get("Contest", "Name")
	f.Round = get("Round")
	f.Place = get("Site")
	f.Date = facts.ParseDate(get("Date"))
	f.Code = get("ECCO")
	f.Time = get("TimeRule")
	f.Author = get("Commentator")
	f.Source = get("From", "URL")
	switch get("RecordResult") {
	case "1":
		f.Result.Verdict = facts.FirstWon
	case "2":
		f.Result.Verdict = facts.SecondWon
	case "3", "4":
		f.Result.Verdict = facts.Drawn
	}
}
