package checkers

import (
	"math/bits"

	"qipu/board"
	"qipu/game/checkers/squares"
)

// set is a set of squares: bit n-1 is the square of number n.
type set = uint32

// The rows in which squares stand in even columns begin with 5, the others with 1.
const (
	evenRows set = 0x0F0F0F0F
	oddRows  set = 0xF0F0F0F0
	right    set = 0x08080808 // the squares of even rows on the right side of the board
	left     set = 0x10101010 // those of odd rows on its left side
)

// The directions, as Black sees them; those of White are turned by half a turn, so
// that the first two lead forward for both sides: 3-d is the way back.
const directions = 4

// shift moves a set by a step: down right, down left, up right, up left.
func shift(s set, d int) set {
	switch d {
	case 0:
		return s&evenRows&^right<<5 | s&oddRows<<4
	case 1:
		return s&evenRows<<4 | s&oddRows&^left<<3
	case 2:
		return s&evenRows&^right>>3 | s&oddRows>>4
	}
	return s&evenRows>>4 | s&oddRows&^left>>5
}

// lastRow are the squares on which the men of a side become kings.
var lastRow = [2]set{0xF0000000, 0x0000000F}

// towards returns the direction that a side means by its own.
func towards(side, d int) int {
	if side == 1 {
		return 3 - d
	}
	return d
}

var (
	pointOf  [squares.Count]board.Point
	squareOf [1024]uint8 // squares.Count for points that are none
	keys     [4][squares.Count]uint64
)

func init() {
	for i := range squareOf {
		squareOf[i] = squares.Count
	}
	for s := range pointOf {
		p := squares.Point(s + 1)
		pointOf[s], squareOf[p] = p, uint8(s)
		for k := range keys {
			keys[k][s] = board.Zobrist(board.Piece(k+1), p)
		}
	}
}

func first(s set) int { return bits.TrailingZeros32(s) }
