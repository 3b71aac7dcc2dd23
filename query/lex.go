package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is the kind of a token.
type kind uint8

const (
	endToken    kind = iota
	wordToken        // without quotes
	stringToken      // in quotes
	opToken          // : = < <= > >= !=
	openToken        // (
	closeToken       // )
	braceToken       // {
	bracedToken      // }
	minusToken       // - before a term, or !
	signToken        // & && | ||: its text is the word it means
	openString       // a string without end: only completion goes on behind it
)

// token is a part of the text.
type token struct {
	kind     kind
	text     string // of a word or string what it means; of an operator the operator
	from, to int    // the bytes it stands in
}

// mode tells what a word may hold.
type mode uint8

const (
	termMode   mode = iota // a word ends at an operator
	valueMode              // it may hold operators: go:9x9
	optionMode             // it ends at an operator, and at a semicolon
	optionValueMode
)

// quotes are the marks around strings: how they open and how they close.
var quotes = map[rune]string{'"': "\"", '\'': "'", '「': "」", '『': "』", '“': "”", '‘': "’"}

// ascii returns the character that a full-width one is read as.
func ascii(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// lexer cuts a text into tokens. It keeps but its place, so that a parser looks
// ahead by copying it.
type lexer struct {
	text string
	at   int
}

// peek returns the character at the place and its length; 0 at the end.
func (l *lexer) peek() (rune, int) {
	if l.at >= len(l.text) {
		return 0, 0
	}
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	return ascii(r), n
}

// blank skips what parts tokens.
func (l *lexer) blank(m mode) {
	for {
		r, n := l.peek()
		if n == 0 || !unicode.IsSpace(r) && r != ',' && r != '、' && (r != ';' || m < optionMode) {
			return
		}
		l.at += n
	}
}

// next returns the next token.
func (l *lexer) next(m mode) (token, *Error) {
	l.blank(m)
	t := token{from: l.at}
	r, n := l.peek()
	if n == 0 {
		t.to = l.at
		return t, nil
	}
	if closing, ok := quotes[r]; ok {
		return l.quoted(r, n, closing)
	}
	switch r {
	case '(':
		t.kind = openToken
	case ')':
		t.kind = closeToken
	case '{':
		t.kind = braceToken
	case '}':
		t.kind = bracedToken
	}
	switch op := l.operator(); {
	case t.kind != endToken:
		l.at += n
	case op != "" && (m == termMode || m == optionMode):
		t.kind, t.text = opToken, op
		for range op {
			_, n := l.peek()
			l.at += n
		}
	case (r == '&' || r == '|') && m == termMode:
		t.kind, t.text = signToken, map[rune]string{'&': "and", '|': "or"}[r]
		l.at += n
		if next, size := l.peek(); next == r && size > 0 {
			l.at += size
		}
	case r == '!' && m == termMode:
		t.kind = minusToken
		l.at += n
	case r == '-' && m == termMode:
		after := lexer{l.text, l.at + n}
		if next, size := after.peek(); size > 0 && !unicode.IsSpace(next) && next != ')' {
			t.kind = minusToken
			l.at += n
			break
		}
		fallthrough
	default:
		t.kind = wordToken
		t.text = l.word(m)
	}
	t.to = l.at
	return t, nil
}

// operator returns the operator at the place, or "".
func (l *lexer) operator() string {
	r, n := l.peek()
	if !strings.ContainsRune(":=<>!", r) || n == 0 {
		return ""
	}
	after := lexer{l.text, l.at + n}
	next, _ := after.peek()
	switch {
	case next == '=' && (r == '<' || r == '>' || r == '!'):
		return string(r) + "="
	case r == '!':
		return ""
	}
	return string(r)
}

// word reads a word. Full-width characters in it are read as plain ones.
func (l *lexer) word(m mode) string {
	var word strings.Builder
	for {
		r, n := l.peek()
		_, quote := quotes[r]
		switch {
		case n == 0, unicode.IsSpace(r), strings.ContainsRune("(){}", r):
			return word.String()
		case quote && r != '\'' && r != '‘':
			return word.String()
		case (m == termMode || m == optionMode) && l.operator() != "":
			return word.String()
		case r == ';' && m >= optionMode:
			return word.String()
		case r == ',' && n > 1 || r == '、':
			return word.String()
		case r == ',':
			// Inside a word it belongs to it, behind it not.
			after := lexer{l.text, l.at + n}
			next, size := after.peek()
			if m >= optionMode || size == 0 || next == ',' || unicode.IsSpace(next) || next == ')' {
				return word.String()
			}
		}
		word.WriteRune(r)
		l.at += n
	}
}

// quoted reads a string behind its opening mark. In plain double quotes \" and
// \\ and \n and \/ stand for single characters.
func (l *lexer) quoted(open rune, n int, closing string) (token, *Error) {
	t := token{kind: stringToken, from: l.at}
	// A plain mark is closed by a plain one alone, so that anything can be
	// quoted; a full-width one by either.
	wide := n > 1
	l.at += n
	var value strings.Builder
	for l.at < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.at:])
		plain := r
		if wide {
			plain = ascii(r)
		}
		if string(plain) == closing {
			l.at += n
			t.text, t.to = value.String(), l.at
			return t, nil
		}
		if open == '"' && r == '\\' {
			if l.at+1 >= len(l.text) {
				break
			}
			at := strings.IndexByte(`"\n/`, l.text[l.at+1])
			if at < 0 {
				_, size := utf8.DecodeRuneInString(l.text[l.at+1:])
				return t, NewError(l.text, l.at, 1+size, "a backslash before a character that needs none", `write \\ for a backslash, \" for a quote, \n for the end of a line`)
			}
			value.WriteByte("\"\\\n/"[at])
			l.at += 2
			continue
		}
		value.WriteRune(r)
		l.at += n
	}
	t.kind, t.text, t.to = openString, value.String(), len(l.text)
	l.at = len(l.text)
	return t, nil
}
