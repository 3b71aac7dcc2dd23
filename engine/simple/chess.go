package simple

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Chess counts pieces in hundredths of a pawn, by where they stand, how pawns stand
// together and how kings are covered. The board may have other sides than eight.
type Chess struct{}

// The kinds of pieces; those of White have the numbers 1 to 6 on the board, those of
// Black 7 to 12, in this order.
const (
	chessKing = iota
	chessQueen
	chessRook
	chessBishop
	chessKnight
	chessPawn
	chessKinds
)

var chessWorth = [chessKinds]engine.Value{10000, 950, 500, 330, 320, 100}

// heavy is what each kind adds to the weight of the middle game, of fullWeight.
var heavy = [chessKinds]int{0, 4, 2, 1, 1, 0}

const fullWeight = 24

// Slip is a third of a pawn.
func (Chess) Slip() engine.Value { return engine.Unit / 3 }

// Evaluate returns the value for the side to move.
func (Chess) Evaluate(p game.Position) engine.Value {
	b := planes(p)
	weight := 0
	for i := range b.Of {
		weight += heavy[i%chessKinds] * b.Of[i].Count()
	}
	weight = min(weight, fullWeight)
	var sum [2]engine.Value
	for side := range sum {
		sum[side] = chessSide(b, side, weight)
	}
	v := sum[0] - sum[1]
	if p.Turn() != game.First {
		v = -v
	}
	return v + 10
}

// chessSide adds up what a side has; rows count from its own back rank.
func chessSide(b *board.Planes, side, weight int) (sum engine.Value) {
	h, w := b.Size.H, b.Size.W
	of := b.Of[side*chessKinds : (side+1)*chessKinds]
	row := func(planes *board.Plane, own int) uint32 {
		if side == 0 {
			own = h - 1 - own
		}
		return planes[own]
	}
	enemy := &b.Of[(1-side)*chessKinds+chessPawn]
	var files, ahead uint32 // of own pawns; where enemy pawns stop or may take one
	for own := h - 1; own >= 0; own-- {
		pawns := row(&of[chessPawn], own)
		for rest := pawns; rest != 0; rest &= rest - 1 {
			x := bits.TrailingZeros32(rest)
			sum += 6 * engine.Value(own*min(x, w-1-x)) / 2
			if ahead>>x&1 == 0 {
				sum += engine.Value(8 * own * own)
			}
			if files>>x&1 != 0 {
				sum -= 15 // behind another
			}
		}
		files |= pawns
		e := row(enemy, own)
		ahead |= e | e<<1 | e>>1
	}
	for rest := files; rest != 0; rest &= rest - 1 {
		if x := bits.TrailingZeros32(rest); files&(1<<x<<1|1<<x>>1) == 0 {
			sum -= 12 // no neighbour to guard it
		}
	}
	for kind := range of {
		for own := range h {
			for rest := row(&of[kind], own); rest != 0; rest &= rest - 1 {
				x := bits.TrailingZeros32(rest)
				sum += chessWorth[kind]
				centre := engine.Value(min(x, w-1-x) + min(own, h-1-own))
				switch kind {
				case chessKnight:
					sum += 10*centre - 30
				case chessBishop:
					sum += 5*centre - 10
				case chessQueen:
					sum += 2 * centre
				case chessRook:
					if files>>x&1 == 0 {
						sum += 20
					}
					if own == h-2 {
						sum += 15
					}
				case chessKing:
					sum += chessCover(row(&of[chessPawn], min(own+1, h-1)), x, own, centre, weight)
				}
			}
		}
	}
	if of[chessBishop].Count() > 1 {
		sum += 30
	}
	return sum
}

// chessCover is what a place is worth to a king: behind pawns in the middle game, in
// the middle of the board at the end.
func chessCover(before uint32, x, own int, centre engine.Value, weight int) engine.Value {
	shield := bits.OnesCount32(before & (7 << x >> 1))
	middle := engine.Value(12*min(shield, 3) - 20*own - 8*int(centre))
	return (middle*engine.Value(weight) + 10*centre*engine.Value(fullWeight-weight)) / fullWeight
}

// Loud returns the captures and what pawns become, the dearest piece by the cheapest
// first.
func (Chess) Loud(p game.Position, moves []game.Move) []game.Move {
	var c cells
	c.fill(planes(p))
	moves = slices.DeleteFunc(moves, func(m game.Move) bool { return c[m.To()] == 0 && m.Piece() == board.Empty })
	byRank(moves, func(m game.Move) int {
		rank := -int(chessWorth[(c[m.From()]-1)%chessKinds])
		if t := c[m.To()]; t != 0 {
			rank += int(16 * chessWorth[(t-1)%chessKinds])
		}
		if n := m.Piece(); n != board.Empty {
			rank += int(16 * chessWorth[(n-1)%chessKinds])
		}
		return rank
	})
	return moves
}
