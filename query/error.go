package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"qipu/text"
)

// Error tells what is wrong with a query, and where.
type Error struct {
	At      int    // the number of bytes before the place
	Column  int    // of the place, in characters counted from 1; 0 where the text is unknown
	Length  int    // of what is wrong, in bytes; 0 for the place alone
	Message string // what is wrong
	Hint    string // what to do about it; may be empty
	Text    string // the query; empty where it is unknown
	Err     error  // the cause; may be nil
}

func (e *Error) Error() string {
	text := "query: "
	if e.Column > 0 {
		text += fmt.Sprintf("column %d: ", e.Column)
	}
	text += e.Message
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// WithText returns an error about a query with the text that was asked, where it
// has none, so that the place can be shown. Other errors stay as they are.
func WithText(err error, text string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Text != "" || e.At < 0 || e.At > len(text) {
		return err
	}
	with := NewError(text, e.At, e.Length, e.Message, e.Hint)
	with.Err = e.Err
	return with
}

// NewError returns an error about text[at:at+length]. A place that the text does
// not have is moved into it.
func NewError(text string, at, length int, message, hint string) *Error {
	e := &Error{At: at, Length: length, Message: message, Hint: hint, Text: text}
	if text == "" {
		return e
	}
	e.At = max(0, min(at, len(text)))
	for e.At > 0 && e.At < len(text) && !utf8.RuneStart(text[e.At]) {
		e.At--
	}
	e.Length = max(0, min(length, len(text)-e.At))
	e.Column = utf8.RuneCountInString(text[:e.At]) + 1
	return e
}

// Show returns the error for a terminal: the line of the query with a caret
// below the place, then what is wrong and what to do. Of a long line it shows
// the part around the place. Characters of East Asia count two columns.
func (e *Error) Show() string {
	var out strings.Builder
	if e.Text != "" {
		const before, most, after = 50, 60, 30 // characters that are shown around the place, and of it
		start := strings.LastIndexByte(e.Text[:e.At], '\n') + 1
		head, cut := []rune(e.Text[start:e.At]), false
		if len(head) > before {
			head, cut = head[len(head)-before:], true
		}
		tail := e.Text[e.At:]
		if end := strings.IndexByte(tail, '\n'); end >= 0 {
			tail = tail[:end]
		}
		wrong := min(utf8.RuneCountInString(tail[:min(e.Length, len(tail))]), most)
		rest, more := []rune(tail), false
		if n := max(wrong, 1) + after; len(rest) > n {
			rest, more = rest[:n], true
		}
		line, marks := "", ""
		if cut {
			line, marks = "...", "   "
		}
		for _, r := range head {
			line += visible(r)
			marks += strings.Repeat(" ", columns(r))
		}
		for i, r := range rest {
			line += visible(r)
			if i < wrong {
				marks += strings.Repeat("^", columns(r))
			}
		}
		if wrong == 0 {
			marks += "^"
		}
		if more {
			line += "..."
		}
		out.WriteString("  " + line + "\n  " + marks + "\n")
	}
	out.WriteString(e.Message + "\n")
	if e.Hint != "" {
		out.WriteString(e.Hint + "\n")
	}
	return out.String()
}

// visible returns a character as it is shown: what would move the caret, or do
// things to the terminal, is a blank.
func visible(r rune) string {
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
		return " "
	}
	return string(r)
}

// columns returns how many columns of a terminal a character takes.
func columns(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
		return 0
	case r < 0x80:
		return 1
	}
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// Suggest returns a hint that names the nearest of some words, or else another
// hint.
func Suggest(word string, known []string, other string) string {
	return cmp.Or(text.Suggest(word, slices.Values(known)), other)
}
