// Package fen is what the formats of Xiangqi have in common: position texts as
// FEN has them, and moves as ICCS writes them.
//
//	b, err := fen.Parse(fen.Usual)
//	b.Text(true) // the usual start with Black to move
//
// It knows no rules.
package fen

import (
	"fmt"
	"strings"
)

// The sides of a board, and what is on it.
const (
	Files   = 9
	Ranks   = 10
	Squares = Files * Ranks
)

// Usual is the rows of the usual start.
const Usual = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

// Pieces are the letters of the 32 pieces of the usual start in the order in which
// XQStudio and DhtmlXQ list them; capitals are Red.
const Pieces = "RNBAKABNRCCPPPPPrnbakabnrccppppp"

// Board holds the letters of the pieces by column + 9*row from the top left, 0 for
// none.
type Board [Squares]byte

// Parse reads the rows of a position text, with the letters E and H for B and N
// too.
func Parse(rows string) (*Board, error) {
	b := new(Board)
	list := strings.Split(otherLetters.Replace(rows), "/")
	ok := len(list) == Ranks
	for y := 0; ok && y < Ranks; y++ {
		x := 0
		for _, c := range []byte(list[y]) {
			switch {
			case c >= '1' && c <= '9':
				x += int(c - '0')
				continue
			case strings.IndexByte(Pieces, c) < 0:
				return nil, fmt.Errorf("the position %q: %q is no piece", rows, c)
			case x < Files:
				b[x+Files*y] = c
			}
			x++
		}
		ok = x == Files
	}
	if !ok {
		return nil, fmt.Errorf("the position %q has no 10 rows of 9 points", rows)
	}
	return b, nil
}

// otherLetters are the letters that some programs use for elephants and horses.
var otherLetters = strings.NewReplacer("E", "B", "e", "b", "H", "N", "h", "n")

// Rows returns the rows of the board.
func (b *Board) Rows() string {
	out := make([]byte, 0, Squares+Ranks)
	for i, c := range b {
		if i > 0 && i%Files == 0 {
			out = append(out, '/')
		}
		switch last := len(out) - 1; {
		case c != 0:
			out = append(out, c)
		case last >= 0 && out[last] >= '1' && out[last] <= '8':
			out[last]++
		default:
			out = append(out, '1')
		}
	}
	return string(out)
}

// Text returns the text of the position, empty for the usual start.
func (b *Board) Text(black bool) string {
	rows := b.Rows()
	switch {
	case black:
		return rows + " b - - 0 1"
	case rows == Usual:
		return ""
	}
	return rows + " w - - 0 1"
}

// Start returns a position text as game.ParseSetup reads it: empty for the usual
// start. One that makes no sense is kept as it is, for the rules to refuse.
func Start(text string) string {
	if text == Usual+" w - - 0 1" { // saves time in almost all records
		return ""
	}
	fields := strings.Fields(text)
	if len(fields) > 1 {
		switch fields[1] {
		case "r", "R", "W":
			fields[1] = "w"
		case "B":
			fields[1] = "b"
		}
	}
	if len(fields) > 0 && otherLetters.Replace(fields[0]) == Usual && (len(fields) == 1 || fields[1] == "w") {
		return ""
	}
	return strings.Join(fields, " ")
}

// moves holds the texts of all moves from square to square, four characters each,
// so that a move costs no memory.
var moves = func() string {
	var b strings.Builder
	b.Grow(4 * Squares * Squares)
	for from := range Squares {
		for to := range Squares {
			for _, s := range [2]int{from, to} {
				b.WriteByte(byte('a' + s%Files))
				b.WriteByte(byte('9' - s/Files))
			}
		}
	}
	return b.String()
}()

// Move returns the ICCS text of a move between two squares of a Board.
func Move(from, to int) string {
	at := 4 * (from*Squares + to)
	return moves[at : at+4]
}
