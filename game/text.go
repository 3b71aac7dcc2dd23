package game

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ParsePosition reads a position as users write it; see ParseLine.
func ParsePosition(r Rules, text string) (Position, error) {
	p, _, err := ParseLine(r, text)
	return p, err
}

// ParseLine reads a position and how it came about, as users write it: "start"
// or nothing for the start, a position text, a list of moves from the start,
// or a position text followed by the word "moves" and a list of moves. It
// returns the last position and the moves that led to it.
func ParseLine(r Rules, text string) (Position, []Move, error) {
	text = strings.TrimSpace(text)
	head, list, both := cutWord(text, "moves")
	if head == "" || head == "start" || head == "startpos" {
		return playFrom(r, r.Start(), list)
	}
	s, err := ParseSetup(r, head)
	if err == nil {
		p, err := r.Arrange(s)
		if err != nil {
			return nil, nil, err
		}
		return playFrom(r, p, list)
	}
	if both || ownForm(r, head) {
		return nil, nil, err
	}
	// No position text: moves, then. Where the first of them is no move
	// either, the complaint about the position text is the one that helps if
	// the text looks like one.
	p, moves, moveErr := playFrom(r, r.Start(), text)
	if moveErr != nil && (strings.Contains(text, "/") || errors.Is(moveErr, ErrSyntax) && len(text) >= r.Geometry().Size.Area()) {
		return nil, nil, err
	}
	return p, moves, moveErr
}

// ownForm reports whether a text is a position in the form that is the game's own.
func ownForm(r Rules, text string) bool {
	own, ok := r.(SetupReader)
	if !ok {
		return false
	}
	_, is, _ := own.ReadSetup(text)
	return is
}

func playFrom(r Rules, p Position, text string) (Position, []Move, error) {
	moves, err := ParseMoves(r, p, text)
	if err != nil {
		return nil, nil, err
	}
	return p, moves, nil
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

// ParseMoves plays a list of moves on p and returns them. The moves may be in
// any notation, parted by spaces or commas; move numbers ("12.") are skipped,
// coordinates may run together ("f5d6c3", "e2e3e7e6"), and a forced pass may be left out,
// as Othello transcripts do. On error the moves before the bad one have been
// played and are returned.
func ParseMoves(r Rules, p Position, text string) ([]Move, error) {
	var moves []Move
	for _, field := range strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(";、，；", c) }) {
		for _, token := range tokens(r, p, field) {
			played, err := playToken(r, p, token)
			moves = append(moves, played...)
			if err != nil {
				return moves, fmt.Errorf("%s: move %d, %q: %w", r.Info().Name, len(moves)+1, token, err)
			}
		}
	}
	return moves, nil
}

// tokens cuts a part of a list that has no spaces into moves: one, or several
// that commas part or that run together.
func tokens(r Rules, p Position, field string) []string {
	field = trimNumber(field)
	if field == "" {
		return nil
	}
	if _, err := r.ParseMove(p, field, AnyNotation); !errors.Is(err, ErrSyntax) {
		return []string{field}
	}
	var list []string
	for _, part := range strings.FieldsFunc(field, func(c rune) bool { return c == ',' }) {
		if part = trimNumber(part); part == "" {
			continue
		}
		if run := splitCoordinates(part); len(run) > 1 {
			list = append(list, paired(r, p, run)...)
		} else {
			list = append(list, part)
		}
	}
	return list
}

// paired joins coordinates by two where the moves of the game are made of two:
// one alone is no move then.
func paired(r Rules, p Position, run []string) []string {
	means := func(text string) bool {
		_, err := r.ParseMove(p, text, AnyNotation)
		return !errors.Is(err, ErrSyntax)
	}
	if len(run)%2 != 0 || means(run[0]) || !means(run[0]+run[1]) {
		return run
	}
	list := make([]string, 0, len(run)/2)
	for pair := range slices.Chunk(run, 2) {
		list = append(list, pair[0]+pair[1])
	}
	return list
}

// playToken plays one move, with a forced pass before it where it needs one,
// and returns what it played. On error it has played nothing.
func playToken(r Rules, p Position, token string) ([]Move, error) {
	m, err := r.ParseMove(p, token, AnyNotation)
	if err == nil {
		err = p.Play(m)
	}
	if err == nil {
		return []Move{m}, nil
	}
	if !errors.Is(err, ErrIllegal) {
		return nil, err
	}
	if only := p.AppendMoves(nil); len(only) != 1 || only[0] != Pass || m == Pass || p.Play(Pass) != nil {
		return nil, err
	}
	after, retry := r.ParseMove(p, token, AnyNotation)
	if retry == nil {
		retry = p.Play(after)
	}
	if retry != nil {
		p.Undo()
		return nil, err
	}
	return []Move{Pass, after}, nil
}

// trimNumber removes a leading move number and its dots.
func trimNumber(field string) string {
	rest := strings.TrimLeft(field, "0123456789")
	if len(rest) < len(field) && strings.HasPrefix(rest, ".") || strings.Trim(field, ".") == "" {
		return strings.TrimLeft(rest, ".")
	}
	return field
}

// splitCoordinates cuts "f5d6pac13" into "f5", "d6", "pa", "c13", and returns
// nil where the text is not made of coordinates and passes.
func splitCoordinates(text string) []string {
	var list []string
	for len(text) > 0 {
		n := 1
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if n == 1 && len(text) > 1 {
			switch strings.ToLower(text[:2]) {
			case "pa", "ps", "--":
				n = 2
			}
		}
		if c := text[0] | 0x20; n == 1 || (c < 'a' || c > 'z') && text[0] != '-' {
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
