package cbridge

import (
	"fmt"
	"strings"

	"qipu/record"
)

// moves holds the texts of all moves from square to square, four characters
// each, so that a move costs no memory.
var moves = allMoves()

func allMoves() string {
	var b strings.Builder
	b.Grow(4 * squares * squares)
	for from := range squares {
		for to := range squares {
			for _, s := range [2]int{from, to} {
				b.WriteByte(byte('a' + s%files))
				b.WriteByte(byte('9' - s/files))
			}
		}
	}
	return b.String()
}

// moveText returns the ICCS text of a move; ok is false where a square is
// outside the board, and the text is then the two numbers.
func moveText(from, to byte) (text string, ok bool) {
	if from >= squares || to >= squares {
		return fmt.Sprintf("%d-%d", from, to), false
	}
	at := 4 * (int(from)*squares + int(to))
	return moves[at : at+4], true
}

const (
	usualRows = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
	emptyRows = "9/9/9/9/9/9/9/9/9/9"
)

// letter returns the letter of a piece code, 0 for none.
func letter(code byte) byte {
	const kinds = "RNBAKCP"
	kind := int(code&0x0F) - 1
	if kind < 0 || kind >= len(kinds) {
		return 0
	}
	switch code >> 4 {
	case 1:
		return kinds[kind]
	case 2:
		return kinds[kind] | 0x20
	}
	return 0
}

// start sets the start position from the board and the first move.
func (r *reader) start() {
	board := r.data[boardAt : boardAt+squares]
	var b strings.Builder
	empty := 0
	flush := func() {
		if empty > 0 {
			b.WriteByte(byte('0' + empty))
			empty = 0
		}
	}
	for i, code := range board {
		if i > 0 && i%files == 0 {
			flush()
			b.WriteByte('/')
		}
		c := letter(code)
		if c == 0 {
			empty++
			if code != 0 {
				r.fault(record.Marked, record.KindSetup, boardAt+i, "the piece code %#x is unknown: the square is left empty", code)
			}
			continue
		}
		flush()
		b.WriteByte(c)
	}
	flush()
	if b.String() == emptyRows && len(r.g.Nodes) == 1 {
		r.fault(record.Note, record.KindEmpty, boardAt, "a heading: no board and no moves")
		return
	}
	black := r.data[turnAt] == 2
	if first := r.g.Nodes[0].Child; first != 0 {
		if from := r.data[r.g.Nodes[first].Offset+2]; from < squares && letter(board[from]) != 0 {
			black = letter(board[from]) >= 'a'
		}
	}
	switch {
	case black:
		b.WriteString(" b - - 0 1")
	case b.String() == usualRows:
		return
	default:
		b.WriteString(" w - - 0 1")
	}
	r.g.Start = b.String()
}
