// Package chesstest has what tests of chess need that the program does not.
package chesstest

import "strings"

// Order returns the pieces of one of the 960 beginnings by its number, from 0 to 959,
// as a position text. 518 is that of chess.
func Order(n int) string {
	var row [8]byte
	put := func(at int, piece byte) { // on the free square of that number
		for i := range row {
			if row[i] == 0 {
				if at == 0 {
					row[i] = piece
					return
				}
				at--
			}
		}
	}
	n = (n%960 + 960) % 960
	row[n%4*2+1] = 'b'
	row[n/4%4*2] = 'b'
	put(n/16%6, 'q')
	knights := n / 96
	first, second := 0, 0 // two of five squares, in their order
	for a := range 5 {
		for b := a + 1; b < 5; b++ {
			if knights == 0 {
				first, second = a, b
			}
			knights--
		}
	}
	put(second, 'n')
	put(first, 'n')
	for _, piece := range "rkr" {
		put(0, byte(piece))
	}
	text := string(row[:])
	return text + "/pppppppp/8/8/8/8/PPPPPPPP/" + strings.ToUpper(text) + " w KQkq - 0 1"
}
