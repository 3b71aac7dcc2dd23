package syntax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a word, number, point or sign of a field.
type token struct {
	kind   tokenKind
	text   string
	n      int   // of a number
	point  uint8 // of a point
	column int
}

type tokenKind uint8

const (
	theEnd tokenKind = iota
	aWord
	aNumber
	aPoint
	aSign
)

// String returns what is said of the token in errors.
func (t token) String() string {
	if t.kind == theEnd {
		return "the end of the line"
	}
	return strconv.Quote(t.text)
}

// maxNumber bounds the numbers of a pattern.
const maxNumber = 9999

var signs = []string{"..", "!=", "<=", ">=", "(", ")", "{", "}", ",", ":", "=", "<", ">", "+", "-"}

// scan cuts a field into tokens.
func (b *block) scan(fd field, on *Board) (list []token, fault *Error) {
	text := fd.value
	column := func() int { return fd.column + utf8.RuneCountInString(fd.value) - utf8.RuneCountInString(text) }
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		t := token{column: column()}
		if text == "" {
			return append(list, t), nil
		}
		switch c := text[0]; {
		case c >= '0' && c <= '9':
			n, rest := digits(text)
			t.kind, t.n = aNumber, n
			if len(rest) > 1 && rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9' {
				rank, after := digits(rest[1:])
				if on.Squares || n < 1 || n > on.Width || rank < 1 || rank > on.Height {
					hint := fmt.Sprintf("write FILE.RANK, files 1 to %d and ranks 1 to %d", on.Width, on.Height)
					if on.Squares {
						hint = "write a square, as e4"
					}
					return nil, b.fault(fd.line, t.column, hint, "%.10s is no point", text)
				}
				t.kind, t.point, rest = aPoint, on.pointAt(n, rank), after
			} else if n > maxNumber {
				return nil, b.fault(fd.line, t.column, "", "numbers go up to %d", maxNumber)
			}
			t.text, text = text[:len(text)-len(rest)], rest
		case isLetter(c):
			n := 0
			for n < len(text) && (isLetter(text[n]) || text[n] >= '0' && text[n] <= '9') {
				n++
			}
			t.kind, t.text, text = aWord, text[:n], text[n:]
			if p, ok := on.square(t.text); ok {
				t.kind, t.point = aPoint, p
			}
		default:
			for _, s := range signs {
				if strings.HasPrefix(text, s) {
					t.kind, t.text = aSign, s
					break
				}
			}
			if t.kind == theEnd {
				r, _ := utf8.DecodeRuneInString(text)
				return nil, b.fault(fd.line, t.column, "", "%q means nothing in a definition", r)
			}
			text = text[len(t.text):]
		}
		list = append(list, t)
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// digits reads a number and returns the text behind it.
func digits(text string) (n int, rest string) {
	for text != "" && text[0] >= '0' && text[0] <= '9' {
		n = min(n*10+int(text[0]-'0'), maxNumber+1)
		text = text[1:]
	}
	return n, text
}
