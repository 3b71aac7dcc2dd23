package pgn

import (
	"strings"

	"qipu/record"
)

// tags reads the tag pairs at the beginning of the text.
func (p *parser) tags() {
	for {
		p.pos = skipSpace(p.text, p.pos)
		name, value, next, ok := readTag(p.text, p.pos)
		if !ok {
			return
		}
		if len(p.game.Tags) == p.limits.Props && !p.crowd {
			p.crowd = true
			p.fault(record.Marked, record.KindLimit, "more than %d tags: the rest is left out", p.limits.Props)
		}
		if len(p.game.Tags) < p.limits.Props {
			if p.game.Tags == nil {
				p.game.Tags = make([]record.Tag, 0, 12)
			}
			p.game.Tags = append(p.game.Tags, record.Tag{Name: name, Value: value})
		}
		p.pos = next
	}
}

// skipSpace returns the place of the next character that is no white space. The
// ideographic space is white space too.
func skipSpace(s string, i int) int {
	for i < len(s) {
		if s[i] > ' ' {
			n := separator(s, i)
			if n == 0 {
				break
			}
			i += n - 1
		}
		i++
	}
	return i
}

// readTag reads a tag pair at a place of the text and returns the place behind
// it.
//
// Quotes inside of a value are often not escaped: a value ends at a quote that
// "]" follows. Where there is none on the line, it ends at the last quote of
// the line, or with the line.
func readTag(s string, at int) (name, value string, next int, ok bool) {
	if at >= len(s) || s[at] != '[' {
		return "", "", 0, false
	}
	i := at + 1
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	begin := i
	for i < len(s) && nameByte(s[i], i == begin) {
		i++
	}
	name = s[begin:i]
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if name == "" || i == len(s) || s[i] != '"' {
		return "", "", 0, false
	}
	i++
	end, next := closingQuote(s, i)
	if end >= 0 {
		return name, unescape(s[i:end]), next, true
	}
	line := s[i:]
	if j := strings.IndexAny(line, "\r\n"); j >= 0 {
		line = line[:j]
	}
	next = i + len(line)
	if j := strings.LastIndexByte(line, '"'); j >= 0 {
		return name, line[:j], next, true
	}
	return name, strings.TrimSuffix(strings.TrimRight(line, " \t"), "]"), next, true
}

// closingQuote returns the place of the quote that ends the value which begins
// at i, and the place behind the bracket; -1 where the line has none.
func closingQuote(s string, i int) (end, next int) {
	for ; i < len(s) && s[i] != '\n' && s[i] != '\r'; i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\'):
			i++
		case s[i] == '"':
			j := i + 1
			for j < len(s) && (s[j] == ' ' || s[j] == '\t') {
				j++
			}
			if j < len(s) && s[j] == ']' {
				return i, j + 1
			}
		}
	}
	return -1, 0
}

// unescape undoes \" and \\; a backslash before anything else is itself.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (s[i+1] == '"' || s[i+1] == '\\') {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
