// Package squares has the 32 squares of a board of draughts by their numbers, and the
// position texts that players write with them:
//
//	B:W18,24,27,28,K10,K15:B12,16,20,K22,K25,K29
//
// Square 1 is the second of the top row, 32 the seventh of the last one; Black begins on
// 1 to 12 and moves down the board. Package checkers has the rules.
package squares

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
)

// Size is that of the board, Count how many squares of it have numbers.
var Size = board.Size{W: 8, H: 8}

// Count is how many squares are played on.
const Count = 32

// Point returns where the square of a number, 1 to 32, is.
func Point(number int) board.Point {
	row, column := (number-1)/4, (number-1)%4
	return board.At(2*column+(row+1)%2, row)
}

// Number returns the number of a square; 0 for points that have none.
func Number(p board.Point) int {
	x, y := p.X(), p.Y()
	if x >= Size.W || y >= Size.H || (x+y)%2 == 0 {
		return 0
	}
	return 4*y + x/2 + 1
}

// The letters of pieces in rows: men in small letters, kings in capitals.
const letters = "bBwW"

// Rows turns a position of numbers into one of rows, as every game of the program
// writes it: "1b1b1b1b/... B".
func Rows(text string) (string, error) {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSpace(text), "."), ":")
	if len(parts) != 3 {
		return "", fmt.Errorf("want the side to move, White's squares and Black's, parted by colons: B:W21,22:B1,K2")
	}
	turn := strings.ToUpper(strings.TrimSpace(parts[0]))
	if turn != "B" && turn != "W" {
		return "", fmt.Errorf("%q is no side to move: write B or W", parts[0])
	}
	var cells [Count + 1]byte
	seen := map[byte]bool{}
	for _, part := range parts[1:] {
		part = strings.ToUpper(strings.TrimSpace(part))
		if part == "" || part[0] != 'B' && part[0] != 'W' {
			return "", fmt.Errorf("%q does not begin with the colour of its pieces, B or W", part)
		}
		colour := part[0]
		if seen[colour] {
			return "", fmt.Errorf("the pieces of %c are given twice", colour)
		}
		seen[colour] = true
		if err := place(&cells, colour, part[1:]); err != nil {
			return "", err
		}
	}
	return rows(&cells) + " " + turn, nil
}

// place puts the pieces of a list onto their squares.
func place(cells *[Count + 1]byte, colour byte, list string) error {
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }) {
		piece := colour | 0x20
		name := word
		if name[0] == 'K' {
			piece, name = colour, name[1:]
		}
		first, last, ranged := strings.Cut(name, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && ranged {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 1 || to > Count || to < from {
			return fmt.Errorf("%q is no square from 1 to 32", word)
		}
		for n := from; n <= to; n++ {
			if cells[n] != 0 {
				return fmt.Errorf("square %d has two pieces", n)
			}
			cells[n] = piece
		}
	}
	return nil
}

func rows(cells *[Count + 1]byte) string {
	var b strings.Builder
	for y := range Size.H {
		if y > 0 {
			b.WriteByte('/')
		}
		empty := 0
		for x := range Size.W {
			n := Number(board.At(x, y))
			if n == 0 || cells[n] == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
			}
			empty = 0
			b.WriteByte(cells[n])
		}
		if empty > 0 {
			b.WriteString(strconv.Itoa(empty))
		}
	}
	return b.String()
}

// Numbers turns a position of rows into one of numbers.
func Numbers(text string) (string, error) {
	fields := strings.Fields(text)
	if len(fields) != 2 || strings.ToUpper(fields[1]) != "B" && strings.ToUpper(fields[1]) != "W" {
		return "", fmt.Errorf("want eight rows and the side to move, B or W")
	}
	lines := strings.Split(fields[0], "/")
	if len(lines) != Size.H {
		return "", fmt.Errorf("%d rows, want %d", len(lines), Size.H)
	}
	lists := map[byte][]string{}
	for y, line := range lines {
		x := 0
		for i := range len(line) {
			c := line[i]
			if c >= '1' && c <= '8' {
				x += int(c - '0')
				continue
			}
			if strings.IndexByte(letters, c) < 0 || x >= Size.W || Number(board.At(x, y)) == 0 {
				return "", fmt.Errorf("row %d has %q where no piece can be", y+1, c)
			}
			colour, king := c&^0x20, ""
			if c == colour {
				king = "K"
			}
			lists[colour] = append(lists[colour], king+strconv.Itoa(Number(board.At(x, y))))
			x++
		}
		if x != Size.W {
			return "", fmt.Errorf("row %d has %d squares, want %d", y+1, x, Size.W)
		}
	}
	return strings.ToUpper(fields[1]) + ":W" + strings.Join(lists['W'], ",") + ":B" + strings.Join(lists['B'], ","), nil
}

// Looks reports whether a text is meant as a position of numbers.
func Looks(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) > 1 && text[1] == ':' && strings.IndexByte("BbWw", text[0]) >= 0
}
