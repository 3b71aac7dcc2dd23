package interval

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// MaxSlot is the last slot that a line may have. Longer lines must be cut by
// whoever makes them.
const MaxSlot = 1<<16 - 4

// NoMove stands in Line.Moves for a ply that moves no piece.
const NoMove = 1<<16 - 1

// Change is what happened to one point at one slot.
type Change struct {
	Slot  uint16
	Point uint16      // dense index
	Piece board.Piece // what stands there from then on
}

// Line is one line of play. At slot 0 the start position is set up.
type Line struct {
	// Changes are in the order of slots. A point changes at most once a slot.
	Changes []Change

	// Skips are the slots that no ply has, rising.
	Skips []uint16

	// End is the slot after the last position. Its parity tells the side to
	// move there.
	End uint16

	// Moves are the points that each ply leads from and to, where pieces move
	// and the board has fewer than 256 points: from<<8 | to, or NoMove; a piece
	// that is dropped among those that move comes from where it goes. Nil where
	// all pieces are dropped: the arrivals tell everything then.
	Moves []uint16

	// From is the slot of the first position that belongs to this line: 0 for
	// the main line of a record, more for a variation, whose earlier positions
	// belong to the line that it leaves.
	From uint16
}

// NextSlot returns the slot of a move by a side behind another slot.
func NextSlot(after uint16, side game.Side) uint16 {
	b := after + 1
	if b&1 == uint16(side&1) { // first side: odd, second side: even
		b++
	}
	return b
}

// Ply returns the number of plies up to a slot, and the ply itself where it is
// the slot of one.
func (l *Line) Ply(slot uint16) int { return plyOf(l.Skips, slot) }

func plyOf(skips []uint16, slot uint16) int {
	i, _ := slices.BinarySearch(skips, slot+1)
	return int(slot) - i
}

// plySlotOf returns the slot of a ply; it may lie behind the end of the line.
func plySlotOf(skips []uint16, ply int) int {
	slot := ply
	for _, s := range skips {
		if int(s) > slot {
			break
		}
		slot++
	}
	return slot
}

// Mover returns the side that moves on a slot.
func Mover(slot uint16) game.Side { return game.Side(^slot & 1) }
