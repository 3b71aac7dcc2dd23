package query

import (
	"strings"
	"unicode/utf8"
)

// Span is a part of a text, by the bytes that it begins and ends at.
type Span struct{ From, To int }

// Source tells where the parts of a leaf stand in the text of a query, so that errors
// can show them. What the text does not have is empty.
type Source struct {
	Leaf  Span // up to its value, or its first word
	Value Span // behind the operator, or behind since and the like

	// The words in the parentheses of a count: all, those of the pieces, and those of
	// the area without the words that mean nothing.
	Words, Pieces, Area []Span

	text   string
	quoted bool
}

// SourceOf finds the leaf that stands at a byte of a text.
func SourceOf(text string, at int) (s Source) {
	if at < 0 || at >= len(text) {
		return s
	}
	s.text = text
	l := lexer{text, at}
	word, err := l.next(termMode)
	if err != nil {
		return s
	}
	s.Leaf = Span{at, word.to}
	if word.kind != wordToken {
		return s
	}
	t, err := l.next(termMode)
	_, dated := dates[strings.ToLower(word.text)]
	switch {
	case err != nil:
	case t.kind == openToken:
		list, _ := l.counted()
		pieces, area, _ := splitCount(list)
		s.Words, s.Pieces, s.Area = spans(list), spans(pieces), spans(area)
	case t.kind == opToken:
		if t, err = l.next(valueMode); err == nil && (t.kind == wordToken || t.kind == stringToken) {
			s.value(t)
		}
	case dated && t.kind == wordToken:
		s.value(t)
	}
	return s
}

func (s *Source) value(t token) {
	s.Value, s.quoted = Span{t.from, t.to}, t.kind == stringToken
	s.Leaf.To = t.to
}

func spans(list []token) []Span {
	out := make([]Span, len(list))
	for i, t := range list {
		out[i] = Span{t.from, t.to}
	}
	return out
}

// Inside returns where in the text a byte of the value stands that is a string in
// quotes; ok is false for other values.
func (s *Source) Inside(offset int) (at int, ok bool) {
	if !s.quoted {
		return 0, false
	}
	open, n := utf8.DecodeRuneInString(s.text[s.Value.From:])
	at = s.Value.From + n
	for value := 0; value < offset && at < s.Value.To; {
		if s.text[at] == '\\' && ascii(open) == '"' {
			at, value = at+2, value+1
			continue
		}
		_, n := utf8.DecodeRuneInString(s.text[at:])
		at, value = at+n, value+n
	}
	return min(at, s.Value.To), true
}
