package interval

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// MaxBeat is the last beat that a line may have. Longer lines must be cut by
// whoever makes them.
const MaxBeat = 1<<16 - 4

// NoMove stands in Line.Moves for a ply that moves no piece.
const NoMove = 1<<16 - 1

// Change is what happened to one point at one beat.
type Change struct {
	Beat  uint16
	Point uint16      // dense index
	Piece board.Piece // what stands there from then on
}

// Line is one line of play. At beat 0 the start position is set up.
type Line struct {
	// Changes are in the order of beats. A point changes at most once a beat.
	Changes []Change

	// Skips are the beats that no ply has, rising.
	Skips []uint16

	// End is the beat after the last position. Its parity tells the side to
	// move there.
	End uint16

	// Moves are the points that each ply leads from and to, where pieces move
	// and the board has fewer than 256 points: from<<8 | to, or NoMove; a piece
	// that is dropped among those that move comes from where it goes. Nil where
	// all pieces are dropped: the arrivals tell everything then.
	Moves []uint16

	// From is the beat of the first position that belongs to this line: 0 for
	// the main line of a record, more for a variation, whose earlier positions
	// belong to the line that it leaves.
	From uint16
}

// NextBeat returns the beat of a move by a side behind another beat.
func NextBeat(after uint16, side game.Side) uint16 {
	b := after + 1
	if b&1 == uint16(side&1) { // first side: odd, second side: even
		b++
	}
	return b
}

// Ply returns the number of plies up to a beat, and the ply itself where it is
// the beat of one.
func (l *Line) Ply(beat uint16) int { return plyOf(l.Skips, beat) }

func plyOf(skips []uint16, beat uint16) int {
	i, _ := slices.BinarySearch(skips, beat+1)
	return int(beat) - i
}

// beatOf returns the beat of a ply; it may lie behind the end of the line.
func beatOf(skips []uint16, ply int) int {
	beat := ply
	for _, s := range skips {
		if int(s) > beat {
			break
		}
		beat++
	}
	return beat
}

// Mover returns the side that moves on a beat.
func Mover(beat uint16) game.Side { return game.Side(^beat & 1) }
