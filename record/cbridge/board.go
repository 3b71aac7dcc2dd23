package cbridge

import (
	"fmt"

	"qipu/record"
	"qipu/record/fen"
)

// moveText returns the ICCS text of a move; ok is false where a square is
// outside the board, and the text is then the two numbers.
func moveText(from, to byte) (text string, ok bool) {
	if from >= fen.Squares || to >= fen.Squares {
		return fmt.Sprintf("%d-%d", from, to), false
	}
	return fen.Move(int(from), int(to)), true
}

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
	var b fen.Board
	for i, code := range r.data[boardAt : boardAt+fen.Squares] {
		if b[i] = letter(code); b[i] == 0 && code != 0 {
			r.fault(record.Marked, record.KindSetup, boardAt+i, "the piece code %#x is unknown: the square is left empty", code)
		}
	}
	if b == (fen.Board{}) && len(r.g.Nodes) == 1 {
		r.fault(record.Note, record.KindEmpty, boardAt, "a heading: no board and no moves")
		return
	}
	black := r.data[turnAt] == 2
	if first := r.g.Nodes[0].Child; first != 0 {
		if from := r.data[r.g.Nodes[first].Offset+2]; from < fen.Squares && b[from] != 0 {
			black = b[from] >= 'a'
		}
	}
	r.g.Start = b.Text(black)
}
