package rif

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
)

// reader is one file being read.
type reader struct {
	src     *record.Source
	limits  record.Limits
	yield   func(*record.Game, error) bool
	input   *input
	d       *xml.Decoder
	err     error // of the XML
	stopped bool
	number  int
	bom     int64 // length of the byte order mark

	tables   map[string]*rows // by the name of their rows
	size     int              // bytes of all tables
	overflow bool             // the tables are too large

	game    *record.Game // nil outside of a game
	full    bool         // it has too many moves
	element string       // "move" or "info", while inside of it
	chars   strings.Builder

	infos   []string      // the texts of its info elements
	waiting []waitingGame // for tables that have not come yet
	held    int           // bytes of memory that they take, about
}

// waitingGame is a game and the memory that it takes.
type waitingGame struct {
	game *record.Game
	size int
}

// rows is one of the tables.
type rows struct {
	rows map[string]row
	done bool // it has been read to the end
}

// row is a row of a table: its attributes.
type row map[string]string

// rowNames are the elements that hold rows, by the element around them.
var rowNames = map[string]string{
	"countries": "country", "cities": "city", "months": "month", "rules": "rule",
	"openings": "opening", "players": "player", "tournaments": "tournament",
}

var encoding = regexp.MustCompile(`^[^>]{0,200}encoding=["']([A-Za-z0-9_.:-]+)["']`)

// open finds the encoding and starts the decoder.
func (r *reader) open() error {
	head := make([]byte, 256)
	n, err := io.ReadFull(r.src.Reader, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	head = head[:n]
	declared := ""
	if m := encoding.FindSubmatch(head); m != nil {
		declared = string(m[1])
	}
	text, err := charset.NewReader(io.MultiReader(bytes.NewReader(head), r.src.Reader), declared, r.src.Encoding)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")) {
		r.bom = 3
	}
	r.input = &input{src: text, limit: r.limits.GameBytes, left: r.limits.GameBytes}
	r.d = xml.NewDecoder(r.input)
	r.d.Strict = false
	r.d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	return nil
}

// input feeds the decoder byte by byte, so that it reads nothing ahead: the
// bytes of a game can be cut out, and a limit for one element can be kept.
type input struct {
	src       *charset.Reader
	buf       []byte
	room      [8 << 10]byte
	limit     int
	left      int // bytes until the limit
	keep      bool
	kept      []byte // what was read while keep is set
	exhausted bool   // the limit was reached
	failed    error  // reading failed
}

// Read is there because the decoder wants an io.Reader; it uses ReadByte.
func (in *input) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	c, err := in.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = c
	return 1, nil
}

// ReadByte returns the next byte. Control characters, which XML forbids and
// files have, become spaces.
func (in *input) ReadByte() (byte, error) {
	if len(in.buf) == 0 {
		n, err := in.src.Read(in.room[:])
		if n == 0 {
			if err == nil {
				err = io.ErrNoProgress
			}
			if err != io.EOF {
				in.failed = err
			}
			return 0, err
		}
		in.buf = in.room[:n]
	}
	if in.left--; in.left < 0 {
		in.exhausted = true
		return 0, io.ErrUnexpectedEOF
	}
	c := in.buf[0]
	in.buf = in.buf[1:]
	if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
		c = ' '
	}
	if in.keep {
		in.kept = append(in.kept, c)
	}
	return c, nil
}

func (r *reader) line() int {
	line, _ := r.d.InputPos()
	return line
}

// read walks over the elements.
func (r *reader) read() {
	if r.d == nil {
		return
	}
	for !r.stopped {
		if r.game == nil {
			// What was kept is the tag that the last token was; a game begins
			// with one.
			r.input.keep, r.input.kept, r.input.left = true, r.input.kept[:0], r.input.limit
		}
		begin := r.d.InputOffset()
		token, err := r.d.RawToken()
		if err != nil {
			if err != io.EOF {
				r.err = err
			}
			break
		}
		switch t := token.(type) {
		case xml.StartElement:
			r.start(t, begin)
		case xml.CharData:
			if r.element != "" {
				r.chars.Write(t)
			}
		case xml.EndElement:
			r.end(t.Name.Local)
		}
	}
	if r.game != nil && !r.stopped {
		r.game.Fault(record.Marked, record.KindSyntax, 0, "the file breaks off within the game")
		r.endElement()
		r.finish()
	}
}

func (r *reader) start(t xml.StartElement, begin int64) {
	name := t.Name.Local
	switch {
	case r.game != nil && (name == "move" || name == "info"):
		r.endElement()
		r.element = name
	case name == "game":
		if r.game != nil {
			r.finish()
		}
		r.startGame(t, begin)
	case r.game == nil:
		r.row(name, t.Attr)
	}
}

// table returns a table, made if need be.
func (r *reader) table(name string) *rows {
	t := r.tables[name]
	if t == nil {
		t = &rows{rows: map[string]row{}}
		r.tables[name] = t
	}
	return t
}

// row adds a row to its table.
func (r *reader) row(name string, attrs []xml.Attr) {
	known := false
	for _, rows := range rowNames {
		known = known || rows == name
	}
	if !known {
		return
	}
	t := r.table(name)
	fields := row{}
	for _, a := range attrs {
		fields[a.Name.Local] = a.Value
		r.size += len(a.Name.Local) + len(a.Value) + 64
	}
	if r.size > r.limits.GameBytes {
		if !r.overflow {
			r.overflow = true
			r.stopped = !r.yield(nil, r.fault(record.KindLimit, fmt.Sprintf("the tables are larger than %d bytes; the rest of them was left out", r.limits.GameBytes)))
		}
		return
	}
	if id := fields["id"]; id != "" {
		t.rows[id] = fields
	}
}

func (r *reader) startGame(t xml.StartElement, begin int64) {
	g := &record.Game{Kind: "renju", Notation: "plain", Format: info.Name, Encoding: r.input.src.Encoding(), Guessed: r.input.src.Guessed()}
	r.number++
	g.Place = record.Place{File: r.src.Name, Offset: r.offset(begin), Line: r.line(), Number: r.number}
	g.Add(0, record.Unstated, "")
	for _, a := range t.Attr {
		if len(g.Tags) < r.limits.Props {
			g.Tags = append(g.Tags, record.Tag{Name: a.Name.Local, Value: a.Value})
		}
	}
	r.game, r.full = g, false
	if len(t.Attr) > r.limits.Props {
		g.Fault(record.Marked, record.KindLimit, 0, "more than %d attributes: the rest is left out", r.limits.Props)
	}
}

// offset returns the place in the file of a place in the decoded text. In UTF-8
// that is simple; otherwise it has to be searched for.
func (r *reader) offset(at int64) int64 {
	if r.input.src.Encoding() == "utf-8" {
		return at + r.bom
	}
	return r.input.src.Offset(at)
}

func (r *reader) end(name string) {
	switch {
	case r.game != nil && name == r.element:
		r.endElement()
	case r.game != nil && name == "game":
		r.endElement()
		r.finish()
	case r.game == nil:
		if rows := rowNames[name]; rows != "" {
			r.table(rows).done = true
		}
	}
}

// endElement takes in the text of an element of a game.
func (r *reader) endElement() {
	g := r.game
	text := r.chars.String()
	switch r.element {
	case "move":
		last := int32(len(g.Nodes) - 1)
		for move := range strings.FieldsSeq(text) {
			if len(g.Nodes) > r.limits.Nodes {
				if !r.full {
					r.full = true
					g.Fault(record.Marked, record.KindLimit, 0, "more than %d moves: the rest is left out", r.limits.Nodes)
				}
				break
			}
			last = g.Add(last, record.Unstated, move)
		}
	case "info":
		if text = strings.TrimSpace(text); text != "" {
			r.infos = append(r.infos, text)
		}
	}
	r.chars.Reset()
	r.element = ""
}

// finish yields the game, or lets it wait for tables.
func (r *reader) finish() {
	g := r.game
	r.game = nil
	r.input.keep = false
	if len(r.infos) > 0 {
		g.Nodes[0].More().Comment = strings.Join(r.infos, "\n")
		r.infos = r.infos[:0]
	}
	if r.input.src.Encoding() == "utf-8" {
		g.Raw = bytes.Clone(r.input.kept)
		if len(g.Raw) > 0 && g.Raw[0] != '<' { // the decoder had taken it already
			g.Raw = slices.Insert(g.Raw, 0, '<')
		}
	}
	if len(r.waiting) == 0 && r.ready(g) {
		r.resolve(g)
		r.stopped = !r.yield(g, nil)
		return
	}
	size := weight(g)
	r.waiting = append(r.waiting, waitingGame{g, size})
	r.held += size
	for r.held > r.limits.GameBytes && len(r.waiting) > 0 && !r.stopped {
		r.stopped = !r.release()
	}
}

// weight returns about how much memory a game takes: its text twice, once in
// Raw and once in its moves and tags, and what is built of it.
func weight(g *record.Game) int {
	const game, node, tag = 700, 48, 32
	return game + 2*len(g.Raw) + node*cap(g.Nodes) + tag*cap(g.Tags) + len(g.Nodes[0].Text())
}

// release yields the game that has waited longest.
func (r *reader) release() bool {
	w := r.waiting[0]
	r.waiting[0].game = nil
	r.waiting = r.waiting[1:]
	r.held -= w.size
	r.resolve(w.game)
	return r.yield(w.game, nil)
}

// ready reports whether the tables have all rows that a game needs, or will
// not get them any more.
func (r *reader) ready(g *record.Game) bool {
	for _, ref := range []struct{ tag, table string }{
		{"black", "player"}, {"white", "player"}, {"tournament", "tournament"}, {"rule", "rule"}, {"opening", "opening"},
	} {
		id := g.Tag(ref.tag)
		if t := r.tables[ref.table]; id != "" && (t == nil || !t.done && t.rows[id] == nil) {
			return false
		}
	}
	return true
}

// find returns a row, or nil; a nil row has no values.
func (r *reader) find(table, id string) row {
	if t := r.tables[table]; t != nil {
		return t.rows[id]
	}
	return nil
}

// resolve fills in what the numbers in the tags of a game mean.
func (r *reader) resolve(g *record.Game) {
	f := &g.Facts
	for i, side := range [2]string{"black", "white"} {
		id := g.Tag(side)
		p := r.find("player", id)
		if p == nil && id != "" {
			g.Fault(record.Note, record.KindHeader, 0, "there is no player %s", id)
		}
		f.Players[i].Name = facts.CleanName(p["name"] + " " + p["surname"])
		f.Players[i].Team = r.find("country", p["country"])["name"]
	}
	t := r.find("tournament", g.Tag("tournament"))
	f.Event = facts.CleanName(t["name"])
	f.Round = g.Tag("round")
	f.Place = place(r.find("city", t["city"])["name"], r.find("country", t["country"])["name"])
	f.Date = r.date(t)
	f.Opening = r.find("opening", g.Tag("opening"))["name"]
	f.Code = r.find("opening", g.Tag("opening"))["abbr"]
	f.Author = facts.CleanName(r.find("player", g.Tag("publisher"))["name"] + " " + r.find("player", g.Tag("publisher"))["surname"])
	switch strings.TrimSpace(g.Tag("bresult")) {
	case "1":
		f.Result.Verdict = facts.FirstWon
	case "0":
		f.Result.Verdict = facts.SecondWon
	case "0.5", ".5", "0,5":
		f.Result.Verdict = facts.Drawn
	}
	rule := g.Tag("rule")
	if rule == "" {
		rule = t["rule"]
	}
	for _, extra := range []record.Tag{{Name: "rule_name", Value: r.find("rule", rule)["name"]}, {Name: "tournament_name", Value: t["name"]}} {
		if extra.Value != "" {
			g.Tags = append(g.Tags, extra)
		}
	}
}

func place(city, country string) string {
	if city == "" || country == "" {
		return city + country
	}
	return city + ", " + country
}

// date returns the time of a tournament.
func (r *reader) date(t row) facts.Date {
	from, to := facts.ParseDate(t["start"]), facts.ParseDate(t["end"])
	switch {
	case from.Known() && to.Known() && from.Compare(to) <= 0:
		return facts.Date{From: from.From, To: to.To}
	case from.Known():
		return from
	}
	return facts.ParseDate(t["year"])
}
