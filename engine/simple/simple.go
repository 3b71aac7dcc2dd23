package simple

import (
	"cmp"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Nothing judges every position as even.
type Nothing struct{}

// Evaluate returns 0.
func (Nothing) Evaluate(game.Position) engine.Value { return 0 }

// cells is a board as a table by point: 0 for nothing, else the number of a
// piece.
type cells [board.MaxPoints]uint8

// fill writes a board into an empty table; it costs a step a piece.
func (c *cells) fill(b *board.Planes) {
	for i := range b.Of {
		plane := &b.Of[i]
		for y, row := range plane[:b.Size.H] {
			for ; row != 0; row &= row - 1 {
				c[y*board.Stride+bits.TrailingZeros32(row)] = uint8(i + 1)
			}
		}
	}
}

// planes returns the board of a position, or nil where it has none.
func planes(p game.Position) *board.Planes {
	if q, ok := p.(game.Planar); ok {
		return q.Planes()
	}
	return nil
}

// byRank puts moves in the order of their rank, the highest first; those of one
// rank are in the order of their numbers, so that a list has one order.
func byRank(moves []game.Move, rank func(game.Move) int) {
	slices.SortFunc(moves, func(a, b game.Move) int {
		return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a, b))
	})
}
