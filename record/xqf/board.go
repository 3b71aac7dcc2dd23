package xqf

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"qipu/record/fen"
)

const (
	slots = len(fen.Pieces) // places for pieces in the header
	off   = 0xFF            // the square of a piece that is not on the board
)

// at returns the place on a board of a square of the file, which is a number
// 10*file+rank, from Red's left and Red's side.
func at(square byte) int {
	return int(square)/fen.Ranks + fen.Files*(fen.Ranks-1-int(square)%fen.Ranks)
}

// moveText returns the ICCS text of a move; ok is false where a square is
// outside the board, and the text is then the two numbers.
func moveText(from, to byte) (text string, ok bool) {
	if from >= fen.Squares || to >= fen.Squares {
		return fmt.Sprintf("%d-%d", from, to), false
	}
	return fen.Move(at(from), at(to)), true
}

// parseMove reads what moveText returns, and ICCS in the usual spellings.
func parseMove(text string) (from, to byte, ok bool) {
	if left, right, pair := strings.Cut(text, "-"); pair {
		a, err1 := strconv.ParseUint(left, 10, 8)
		b, err2 := strconv.ParseUint(right, 10, 8)
		if err1 == nil && err2 == nil {
			return byte(a), byte(b), a >= fen.Squares || b >= fen.Squares
		}
		text = left + right
	}
	if len(text) != 4 {
		return 0, 0, false
	}
	from, ok1 := parseSquare(text[0], text[1])
	to, ok2 := parseSquare(text[2], text[3])
	return from, to, ok1 && ok2
}

func parseSquare(file, rank byte) (byte, bool) {
	x, y := file|0x20-'a', rank-'0'
	return x*fen.Ranks + y, x < fen.Files && y < fen.Ranks
}

// layout is where the 32 pieces stand.
type layout [slots]byte

// board returns the board. Of two pieces on a square the first is kept; ok is
// then false.
func (l *layout) board() (b fen.Board, ok bool) {
	ok = true
	for i, s := range l {
		switch {
		case s >= fen.Squares:
		case b[at(s)] != 0:
			ok = false
		default:
			b[at(s)] = fen.Pieces[i]
		}
	}
	return b, ok
}

// parseStart reads the position text of a game: the board and whether Black is
// to move.
func parseStart(text string) (b *fen.Board, black bool, err error) {
	rows, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	b, err = fen.Parse(cmp.Or(rows, fen.Usual))
	rest = strings.TrimLeft(rest, " ")
	return b, rest != "" && rest[0]|0x20 == 'b', err
}

// layoutOf gives the pieces their places in the header, in the order of the usual
// start: Red from the right, Black from the left. It reports a piece of which
// there are too many.
func layoutOf(b *fen.Board) (l layout, surplus byte) {
	for i := range l {
		l[i] = off
	}
	place := func(s byte) {
		piece := b[at(s)]
		for i := range l {
			if l[i] == off && fen.Pieces[i] == piece {
				l[i] = s
				return
			}
		}
		surplus = piece
	}
	for s := range byte(fen.Squares) {
		if b[at(s)] >= 'a' {
			place(s)
		}
	}
	for s := fen.Squares - 1; s >= 0; s-- {
		if c := b[at(byte(s))]; c != 0 && c < 'a' {
			place(byte(s))
		}
	}
	return l, surplus
}
