// Package discs is what the formats of Othello have in common: squares and
// passes, start positions, what a single line of moves has no place for, and, for
// those that are plain text, lines with headers and comments among them.
//
//	squares, turn, err := discs.Position(g.Start, 8)
package discs

import (
	"strings"

	"qipu/record"
)

// The game, the notation of its moves, and a pass in it.
const (
	Kind     = "othello"
	Notation = "square"
	Pass     = "pass"
)

const squares = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4" +
	"a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8"

// Square returns the text of the square with the index 8*row + column, without
// allocating.
func Square(index int) string { return squares[2*index : 2*index+2] }

// Index returns the index of a square in small letters, or -1 where a move is
// none.
func Index(move string) int {
	if len(move) != 2 || move[0] < 'a' || move[0] > 'h' || move[1] < '1' || move[1] > '8' {
		return -1
	}
	return 8*int(move[1]-'1') + int(move[0]-'a')
}

// IsPass reports whether a move is a pass, in any of the ways to write one.
func IsPass(move string) bool {
	switch strings.ToLower(move) {
	case Pass, "pa", "ps", "--":
		return true
	}
	return false
}

// Usual returns the squares of the usual start, row by row, in X, O and -.
func Usual(size int) string {
	b := []byte(strings.Repeat("-", size*size))
	m := size / 2
	b[(m-1)*size+m-1], b[m*size+m] = 'O', 'O'
	b[(m-1)*size+m], b[m*size+m-1] = 'X', 'X'
	return string(b)
}

// Turn reads a side to move, X or O; ok is false for other words.
func Turn(word string) (turn byte, ok bool) {
	switch strings.ToLower(word) {
	case "x", "*", "b", "black":
		return 'X', true
	case "o", "0", "w", "white":
		return 'O', true
	}
	return 'X', false
}

// Position turns a position text, rows parted by slashes with numbers for empty
// squares or the squares one by one, into squares and the side to move. What it
// does not understand is inexpressible.
func Position(text string, size int) (squares string, turn byte, err error) {
	fields, area := strings.Fields(text), size*size
	ok := len(fields) == 1 || len(fields) == 2
	if turn = 'X'; len(fields) == 2 {
		turn, ok = Turn(fields[1])
	}
	if !ok {
		return "", 0, record.Inexpressible("the position %q", text)
	}
	var b strings.Builder
	number := 0
	for _, c := range fields[0] + "/" {
		if c >= '0' && c <= '9' && number <= area {
			number = 10*number + int(c-'0')
			continue
		}
		if number > area || b.Len() > area {
			break
		}
		b.WriteString(strings.Repeat("-", number))
		number = 0
		switch c {
		case 'X', 'x', '*', '#':
			b.WriteByte('X')
		case 'O', 'o':
			b.WriteByte('O')
		case '-', '.', '_', '+':
			b.WriteByte('-')
		case '/':
		default:
			return "", 0, record.Inexpressible("the position %q", text)
		}
	}
	if b.Len() != area {
		return "", 0, record.Inexpressible("the position %q", text)
	}
	return b.String(), turn, nil
}

// CheckBoard refuses games of other kinds and on other boards than that of 8x8.
func CheckBoard(g *record.Game) error {
	if g.Kind != Kind {
		return record.Inexpressible("a game of %s", g.Kind)
	}
	if g.Variant != "" && g.Variant != "8x8" {
		return record.Inexpressible("a board of %s", g.Variant)
	}
	return nil
}

// CheckLine refuses what is no single line of moves from the usual start on 8x8.
// Comments and properties are refused too, but those of the root where it may
// speak.
func CheckLine(g *record.Game, speaks bool) error {
	if err := CheckBoard(g); err != nil {
		return err
	}
	if g.Start != "" {
		return record.Inexpressible("a start position")
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Next != 0 {
			return record.Inexpressible("a variation")
		}
		if i > 0 && n.Move == "" {
			return record.Inexpressible("a node without a move")
		}
		if n.Extra == nil {
			continue
		}
		silent := i > 0 || !speaks
		switch {
		case silent && n.Comment != "" && i > 0:
			return record.Inexpressible("a comment on a move")
		case silent && n.Comment != "":
			return record.Inexpressible("a comment")
		case len(n.Setup) > 0 || n.Turn != record.Unstated:
			return record.Inexpressible("a set-up")
		case silent && len(n.Props) > 0:
			return record.Inexpressible("the property %s", n.Props[0].Name)
		}
	}
	return nil
}

// Clip returns the beginning of a text, for messages.
func Clip(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "..."
	}
	return s
}
