package sgf

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

// decoder makes games of the pieces that a splitter cuts.
type decoder struct {
	source *record.Source
	limits record.Limits
	parser parser
}

// game decodes and parses the game that the splitter stands on.
func (d *decoder) game(s *splitter) (*record.Game, error) {
	g := &record.Game{Format: info.Name, Place: s.place, Raw: s.raw}
	text, err := d.text(g, s)
	if err != nil {
		return nil, d.source.Fault(record.Rejected, record.KindEncoding, s.place.Offset, s.place.Line, s.number, err.Error())
	}
	p := &d.parser
	p.limits = d.limits
	faults := len(g.Faults)
	ok := p.parse(text, g, stones)
	if ok {
		decideKind(p, d.source.Name)
		if g.Kind == "" || p.kinds[g.Kind].pieces() && p.placed > 0 {
			m := unknown
			if g.Kind != "" {
				m = pieces
			}
			// Stones mean nothing in that game: read again, keeping them as they are.
			g.Faults, g.Kind, g.Variant, g.Nodes = g.Faults[:faults], "", "", nil
			if ok = p.parse(text, g, m); ok {
				decideKind(p, d.source.Name)
			}
		}
	}
	if !ok {
		return nil, d.source.Fault(record.Rejected, record.KindLimit, s.place.Offset, s.place.Line, s.number, p.tooMuch)
	}
	d.around(g, s)
	d.noteSplit(g, s)
	p.issues.report(g, text)
	normaliseMoves(p)
	nameFacts(g, d.source.Name)
	readFacts(p.kinds[g.Kind], g)
	if len(g.Tags) == 0 {
		g.Tags = nil
	}
	return g, nil
}

// The headers for text that stands outside of the trees.
const (
	textBefore = "TEXTBEFORE"
	textBehind = "TEXTBEHIND"
)

// around keeps the text that stands around the game in headers of its own.
func (d *decoder) around(g *record.Game, s *splitter) {
	for _, t := range []struct {
		name, where string
		outside
	}{{textBefore, "before the game", s.before}, {textBehind, "behind the last game", s.behind}} {
		if len(t.text) == 0 {
			continue
		}
		text := lineFeeds(d.plain(s, t.text))
		g.Tags = append(g.Tags, record.Tag{Name: t.name, Value: text})
		g.Fault(record.Note, record.KindSyntax, 0, "text %s is kept as %s: %s", t.where, t.name, short(text))
		if t.cut {
			g.Fault(record.Note, record.KindLimit, 0, "text %s beyond %d bytes is left out", t.where, maxText)
		}
	}
}

// plain decodes text that stands outside of the trees.
func (d *decoder) plain(s *splitter, text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	hint := s.fileEncoding()
	if isUTF8(hint) {
		hint = ""
	}
	t, err := charset.Decode(text, hint, d.source.Encoding)
	if err != nil {
		return strings.ToValidUTF8(string(text), "\uFFFD")
	}
	return string(t.UTF8)
}

// noteSplit notes what the splitter has seen around the game. What the parser
// sees as well is left to it.
func (d *decoder) noteSplit(g *record.Game, s *splitter) {
	if s.extra {
		d.parser.issues.add(issueExtra, len(s.raw), "")
	}
	if s.opened {
		g.Fault(record.Note, record.KindSyntax, 0, "the tree has no opening parenthesis")
		d.parser.issues[issueExtra].count = 0
	}
}

// text returns the text of a game in UTF-8 and notes its encoding.
func (d *decoder) text(g *record.Game, s *splitter) (string, error) {
	if s.wide {
		g.Encoding, g.Raw = "utf-16", nil
		return string(s.raw), nil
	}
	name := declared(s.raw)
	if s.utf8 && d.source.Encoding == "" && (name == "" || isUTF8(name)) && bytes.IndexByte(s.raw, 0x1B) < 0 {
		g.Encoding = "utf-8"
		return string(s.raw), nil
	}
	hint, guessed := name, false
	if !s.utf8 && (name == "" || isUTF8(name)) && !isASCII(s.raw) {
		// A collection tells more about its encoding than one game.
		if guess := s.fileEncoding(); !isUTF8(guess) && !mostlyUTF8(s.raw) {
			hint, guessed = guess, true
		}
	}
	t, err := charset.Decode(s.raw, hint, d.source.Encoding)
	if err != nil {
		return "", err
	}
	g.Encoding, g.Guessed = t.Encoding, t.Guessed || guessed
	if t.Broken > 0 {
		g.Fault(record.Note, record.KindEncoding, 0, "%d places are not readable as %s", t.Broken, t.Encoding)
	}
	if g.Guessed && name != "" {
		g.Fault(record.Note, record.KindEncoding, 0, "the record declares %s, but seems to be %s", short(name), t.Encoding)
	}
	return string(t.UTF8), nil
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
