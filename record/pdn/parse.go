package pdn

import (
	"fmt"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// parser reads one game.
type parser struct {
	game   *record.Game
	text   string
	at     int
	limits record.Limits
	result string

	node  int32   // where the next move goes on from
	stack []int32 // the nodes at which variations were opened
}

// parse reads the tags and the moves, or says why it cannot.
func (p *parser) parse() (reason string) {
	p.tags()
	if t, ok := record.FindTag(p.game.Tags, "GameType"); ok {
		if kind, _, _ := strings.Cut(t, ","); strings.TrimSpace(kind) != ourType {
			return fmt.Sprintf("game type %q is another kind of draughts: %s is checkers", clip(t), ourType)
		}
	}
	fen, _ := record.FindTag(p.game.Tags, "FEN")
	rows, err := start(fen)
	if err != nil {
		p.game.Fault(record.Marked, record.KindSetup, 0, "the position %q: %s", clip(fen), err)
		rows = fen
	}
	p.game.Start = rows
	if reason := p.moves(); reason != "" {
		return reason
	}
	p.game.Link()
	if len(p.game.Tags) == 0 && len(p.game.Nodes) == 1 {
		return "there is neither a header nor a move"
	}
	p.facts()
	return ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// tags reads lines of tags, each [Name "value"].
func (p *parser) tags() {
	for {
		p.at += len(p.text[p.at:]) - len(strings.TrimLeft(p.text[p.at:], " \t\r\n\uFEFF"))
		if !strings.HasPrefix(p.text[p.at:], "[") {
			return
		}
		line, _, _ := strings.Cut(p.text[p.at:], "\n")
		p.at += len(line)
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "["), " ")
		value = strings.TrimSpace(value)
		if !ok || name == "" || len(value) < 3 || value[0] != '"' || !strings.HasSuffix(value, `"]`) {
			p.game.Fault(record.Note, record.KindHeader, 0, "%q is no header: want [Name \"value\"]", clip(line))
			continue
		}
		value = value[1 : len(value)-2]
		if len(p.game.Tags) < p.limits.Props {
			p.game.Tags = append(p.game.Tags, record.Tag{Name: name, Value: strings.ReplaceAll(value, `\"`, `"`)})
		}
	}
}

// moves reads what follows the tags.
func (p *parser) moves() (reason string) {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\r', '\n':
			p.at++
		case '{':
			p.comment("}", 1)
		case ';':
			p.comment("\n", 1)
		case '(':
			if len(p.stack) >= p.limits.Depth {
				return fmt.Sprintf("variations lie in each other more than %d deep", p.limits.Depth)
			}
			p.stack = append(p.stack, p.node)
			p.node = p.game.Nodes[p.node].Parent
			p.at++
		case ')':
			if n := len(p.stack); n > 0 {
				p.node, p.stack = p.stack[n-1], p.stack[:n-1]
			} else {
				p.note("a bracket closes nothing")
			}
			p.at++
		default:
			if reason := p.word(); reason != "" {
				return reason
			}
		}
	}
	if len(p.stack) > 0 {
		p.note("a variation has no end")
	}
	return ""
}

func (p *parser) note(text string) {
	p.game.Fault(record.Note, record.KindSyntax, 0, "%s (byte %d of the game)", text, p.at)
}

// comment takes in a comment up to its end.
func (p *parser) comment(end string, skip int) {
	text := p.text[p.at+skip:]
	p.at = len(p.text)
	if i := strings.Index(text, end); i >= 0 {
		p.at -= len(text) - i - len(end)
		text = text[:i]
	} else if end == "}" {
		p.note("a comment has no end")
	}
	text = strings.TrimSpace(record.LineFeeds(text))
	if text == "" {
		return
	}
	extra := p.game.Nodes[p.node].More()
	if extra.Comment != "" {
		extra.Comment += "\n"
	}
	extra.Comment += text
}

// word takes in what stands up to the next space or bracket.
func (p *parser) word() (reason string) {
	n := strings.IndexAny(p.text[p.at:], " \t\r\n{}();")
	if n < 0 {
		n = len(p.text) - p.at
	}
	if n == 0 { // a brace that closes nothing
		p.note("a brace closes nothing")
		p.at++
		return ""
	}
	at := p.at
	word := p.text[p.at : p.at+n]
	p.at += n
	_, word = cutNumber(word)
	switch {
	case word == "":
	case isResult(word):
		if len(p.stack) == 0 {
			p.result = word
		}
	case word[0] == '$':
		p.property(propNAG, word[1:])
	case strings.Trim(word, "!?") == "":
		p.property(propSuffix, word)
	default:
		return p.move(word, at)
	}
	return ""
}

func (p *parser) property(name, value string) {
	extra := p.game.Nodes[p.node].More()
	for i := range extra.Props {
		if extra.Props[i].Name == name {
			if len(extra.Props[i].Values) < p.limits.Props {
				extra.Props[i].Values = append(extra.Props[i].Values, value)
			}
			return
		}
	}
	extra.Props = append(extra.Props, record.Prop{Name: name, Values: []string{value}})
}

// move adds a move. What is none stays among the moves, for the rules to mark.
func (p *parser) move(word string, at int) (reason string) {
	if len(p.game.Nodes) >= p.limits.Nodes {
		return fmt.Sprintf("there are more than %d moves, the limit", p.limits.Nodes)
	}
	text := strings.TrimRight(word, "!?")
	p.game.Nodes = append(p.game.Nodes, record.Node{Parent: p.node, Move: text, Offset: int32(at)})
	p.node = int32(len(p.game.Nodes) - 1)
	if suffix := word[len(text):]; suffix != "" {
		p.property(propSuffix, suffix)
	}
	return ""
}

// facts fills in the normalised headers.
func (p *parser) facts() {
	g := p.game
	f := &g.Facts
	var result string
	for _, t := range g.Tags {
		value := t.Value
		if strings.Trim(value, "?-. ") == "" {
			continue
		}
		clean := facts.CleanName(value)
		switch strings.ToLower(t.Name) {
		case "black":
			f.Players[0].Name = clean
		case "white":
			f.Players[1].Name = clean
		case "blackrating", "blackelo":
			f.Players[0].Rating = facts.ParseRating(value)
		case "whiterating", "whiteelo":
			f.Players[1].Rating = facts.ParseRating(value)
		case "event":
			f.Event = clean
		case "site":
			f.Place = clean
		case "round":
			f.Round = clean
		case "date":
			f.Date = facts.ParseDate(value)
		case "opening":
			f.Opening = clean
		case "annotator":
			f.Author = clean
		case "source":
			f.Source = clean
		case "result":
			result = strings.TrimSpace(value)
		}
	}
	said, end := results[result], results[p.result]
	if said != facts.Unknown && end != facts.Unknown && said != end {
		g.Fault(record.Note, record.KindHeader, 0, "the tag Result says %q, the moves end with %q", result, p.result)
	}
	f.Result.Verdict = said
	if said == facts.Unknown {
		f.Result.Verdict = end
	}
}
