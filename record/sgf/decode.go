package sgf

import (
	"qipu/record"
	"qipu/record/sgf/split"
)

// decoder makes games of the pieces that a splitter cuts.
type decoder struct {
	source *record.Source
	limits record.Limits
	parser parser
}

// game decodes and parses the game that the splitter stands on.
func (d *decoder) game(s *split.Splitter) (*record.Game, error) {
	g := &record.Game{Format: info.Name, Place: s.Place, Raw: s.Raw}
	text, err := s.Decode(g)
	if err != nil {
		return nil, d.source.Fault(record.Rejected, record.KindEncoding, s.Place.Offset, s.Place.Line, s.Number, err.Error())
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
		return nil, d.source.Fault(record.Rejected, record.KindLimit, s.Place.Offset, s.Place.Line, s.Number, p.tooMuch)
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
func (d *decoder) around(g *record.Game, s *split.Splitter) {
	for _, t := range []struct {
		name, where string
		split.Outside
	}{{textBefore, "before the game", s.Before}, {textBehind, "behind the last game", s.Behind}} {
		if len(t.Text) == 0 {
			continue
		}
		text := lineFeeds(s.Plain(t.Text))
		g.Tags = append(g.Tags, record.Tag{Name: t.name, Value: text})
		g.Fault(record.Note, record.KindSyntax, 0, "text %s is kept as %s: %s", t.where, t.name, short(text))
		if t.Cut {
			g.Fault(record.Note, record.KindLimit, 0, "text %s beyond %d bytes is left out", t.where, split.MaxText)
		}
	}
}

// noteSplit notes what the splitter has seen around the game. What the parser
// sees as well is left to it.
func (d *decoder) noteSplit(g *record.Game, s *split.Splitter) {
	if s.Extra {
		d.parser.issues.add(issueExtra, len(s.Raw), "")
	}
	if s.Opened {
		g.Fault(record.Note, record.KindSyntax, 0, "the tree has no opening parenthesis")
		d.parser.issues[issueExtra].count = 0
	}
}
