package game

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ParsePosition reads a position as users write it: "start" or nothing for
// the start, a position text, a list of moves from the start, or a position
// text followed by the word "moves" and a list of moves.
func ParsePosition(r Rules, text string) (Position, error) {
	text = strings.TrimSpace(text)
	head, moves, both := cutWord(text, "moves")
	if head == "" || head == "start" || head == "startpos" {
		p := r.Start()
		return p, PlayText(r, p, moves)
	}
	s, err := ParseSetup(r, head)
	if err == nil {
		p, err := r.Arrange(s)
		if err != nil {
			return nil, err
		}
		return p, PlayText(r, p, moves)
	}
	if both {
		return nil, err
	}
	// No position text: moves, then. Where the first of them is no move
	// either, the complaint about the position text is the one that helps if
	// the text looks like one.
	p := r.Start()
	moveErr := PlayText(r, p, text)
	if moveErr != nil {
		if strings.Contains(text, "/") || errors.Is(moveErr, ErrSyntax) && len(text) >= r.Geometry().Size.Area() {
			return nil, err
		}
		return nil, moveErr
	}
	return p, nil
}

// cutWord splits text around a word that stands alone.
func cutWord(text, word string) (before, after string, found bool) {
	fields := strings.Fields(text)
	for i, f := range fields {
		if f == word {
			return strings.Join(fields[:i], " "), strings.Join(fields[i+1:], " "), true
		}
	}
	return text, "", false
}

// PlayText plays a list of moves in any notation, parted by spaces or commas.
// Move numbers ("12.") are skipped, and coordinates may run together
// ("f5d6c3"). On error the moves before the bad one have been played.
func PlayText(r Rules, p Position, text string) error {
	number := 0
	for _, field := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || c == ',' || c == ';' }) {
		field = trimNumber(field)
		if field == "" {
			continue
		}
		tokens := []string{field}
		if _, err := r.ParseMove(p, field, AnyNotation); errors.Is(err, ErrSyntax) {
			if parts := splitCoordinates(field); len(parts) > 1 {
				tokens = parts
			}
		}
		for _, token := range tokens {
			number++
			m, err := r.ParseMove(p, token, AnyNotation)
			if err == nil {
				err = p.Play(m)
			}
			if err != nil {
				return fmt.Errorf("%s: move %d, %q: %w", r.Info().Name, number, token, err)
			}
		}
	}
	return nil
}

// trimNumber removes a leading move number and its dots.
func trimNumber(field string) string {
	rest := strings.TrimLeft(field, "0123456789")
	if len(rest) < len(field) && strings.HasPrefix(rest, ".") || strings.Trim(field, ".") == "" {
		return strings.TrimLeft(rest, ".")
	}
	return field
}

// splitCoordinates cuts "f5d6c13" into "f5", "d6", "c13", and returns nil
// where the text is not made of such pairs.
func splitCoordinates(text string) []string {
	var list []string
	for len(text) > 0 {
		c := text[0] | 0x20
		n := 1
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if c < 'a' || c > 'z' || n == 1 {
			return nil
		}
		list = append(list, text[:n])
		text = text[n:]
	}
	return list
}

// FormatMove returns the text of a legal move.
func FormatMove(r Rules, p Position, m Move, n Notation) string {
	return string(r.AppendMove(nil, p, m, n))
}
