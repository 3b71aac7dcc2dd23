package simple

import (
	"math/bits"

	"qipu/engine"
	"qipu/game"
	"qipu/game/checkers"
)

// Checkers counts men and kings in hundredths of a man, how far men have come, who keeps
// the row on which the other side is crowned, who holds the middle, and who moves more
// freely. Who has more is paid for exchanges.
type Checkers struct{}

const (
	checkersMan  engine.Value = 100
	checkersKing engine.Value = 150
)

// The squares that count: the middle of the board, and the row of a side on which men of
// the other are crowned.
const checkersMiddle = 1<<9 | 1<<10 | 1<<13 | 1<<14 | 1<<17 | 1<<18 | 1<<21 | 1<<22

var checkersHome = [2]uint32{0x0000000F, 0xF0000000}

// Slip is a quarter of a man.
func (Checkers) Slip() engine.Value { return engine.Unit / 4 }

// Evaluate returns the value for the side to move.
func (Checkers) Evaluate(pos game.Position) engine.Value {
	p := pos.(*checkers.Position)
	var sum, worth [2]engine.Value
	for side := range sum {
		men, kings := p.Men(game.Side(side)), p.Kings(game.Side(side))
		worth[side] = checkersMan*ones(men) + checkersKing*ones(kings)
		sum[side] = worth[side] + 4*ones(men&checkersMiddle) + 8*ones(kings&checkersMiddle)
		for rest := men; rest != 0; rest &= rest - 1 {
			row := bits.TrailingZeros32(rest) / 4
			if side == 1 {
				row = 7 - row
			}
			sum[side] += engine.Value(row)
		}
		if p.Kings(game.Side(side^1)) == 0 || p.Men(game.Side(side^1)) != 0 {
			sum[side] += 7 * ones(men&checkersHome[side])
		}
	}
	v := sum[0] - sum[1]
	// Whole pieces ahead are worth more the fewer there are.
	if total := worth[0] + worth[1]; total > 0 {
		v += 150 * (worth[0] - worth[1]) / total
	}
	if pos.Turn() != game.First {
		v = -v
	}
	return v + 3
}

func ones(s uint32) engine.Value { return engine.Value(bits.OnesCount32(s)) }

// Loud returns the captures: where there are some, they are all moves.
func (Checkers) Loud(pos game.Position, moves []game.Move) []game.Move {
	if !pos.(*checkers.Position).MustTake() {
		return moves[:0]
	}
	return moves
}

// Pressed reports whether the side to move has to take something.
func (Checkers) Pressed(pos game.Position) bool { return pos.(*checkers.Position).MustTake() }
