package pgn

import (
	"strconv"
	"strings"

	"qipu/record"
)

// commandMark begins a comment that this package reads as commands:
//
//	{[%prop NAME "value" ...] [%text "..."] [%tag NAME "..."]}
const commandMark = "[%"

// command is one of them.
type command struct {
	word, name string
	values     []string
}

// commands takes in a comment made of nothing but commands of this package. It
// reports false for every other, which is an ordinary comment then, commands of
// chess programs ([%clk 0:01]) included.
func (p *parser) commands(text string) bool {
	list, ok := readCommands(text)
	if !ok {
		return false
	}
	for _, c := range list {
		if !p.weigh(noteWeight + propWeight + extraWeight + valueWeight*len(c.values)) {
			return true
		}
		switch c.word {
		case "text":
			if c.values[0] != "" {
				p.notes = append(p.notes, note{p.target(), c.values[0]})
			}
		case "tag":
			if len(p.game.Tags) >= p.limits.Props {
				p.crowded()
				continue
			}
			p.game.Tags = append(p.game.Tags, record.Tag{Name: c.name, Value: c.values[0]})
		case "prop":
			props := p.props()
			if len(*props) >= p.limits.Props || len(c.values) > p.limits.Props {
				p.crowded()
				continue
			}
			*props = append(*props, record.Prop{Name: c.name, Values: c.values})
		}
	}
	return true
}

func readCommands(text string) (list []command, ok bool) {
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " \t\r\n") {
		if !strings.HasPrefix(rest, commandMark) {
			return nil, false
		}
		var c command
		if c, rest, ok = readCommand(rest[len(commandMark):]); !ok {
			return nil, false
		}
		list = append(list, c)
	}
	return list, len(list) > 0
}

// readCommand reads one command behind its mark.
func readCommand(s string) (c command, rest string, ok bool) {
	word, rest, ok := strings.Cut(s, " ")
	if !ok {
		return c, "", false
	}
	c.word = word
	switch word {
	case "prop", "tag":
		if c.name, rest, ok = readName(rest); !ok {
			return c, "", false
		}
	case "text":
	default:
		return c, "", false
	}
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if rest == "" {
			return c, "", false
		}
		if rest[0] == ']' {
			return c, rest[1:], word == "prop" || len(c.values) == 1
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil || quoted[0] != '"' {
			return c, "", false
		}
		value, err := strconv.Unquote(quoted)
		if err != nil {
			return c, "", false
		}
		c.values = append(c.values, value)
		rest = rest[len(quoted):]
	}
}

// readName reads a name: a word, or quoted if it is none.
func readName(s string) (name, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return "", "", false
		}
		name, err = strconv.Unquote(quoted)
		return name, s[len(quoted):], err == nil
	}
	i := 0
	for i < len(s) && nameByte(s[i], i == 0) {
		i++
	}
	return s[:i], s[i:], i > 0
}

// appendCommand writes one command.
func appendCommand(dst []byte, word, name string, values ...string) []byte {
	dst = append(dst, "{[%"...)
	dst = append(dst, word...)
	if word != "text" {
		dst = append(dst, ' ')
		if plainName(name) {
			dst = append(dst, name...)
		} else {
			dst = appendQuoted(dst, name)
		}
	}
	for _, v := range values {
		dst = append(dst, ' ')
		dst = appendQuoted(dst, v)
	}
	return append(dst, "]}"...)
}

// appendQuoted quotes a text so that no brace closes the comment that it is in.
func appendQuoted(dst []byte, s string) []byte {
	q := strconv.Quote(s)
	return append(dst, strings.ReplaceAll(q, "}", `\x7d`)...)
}

// plainName reports whether a text can stand as the name of a tag.
func plainName(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 || !nameByte(s[i], i == 0) {
			return false
		}
	}
	return s != ""
}
