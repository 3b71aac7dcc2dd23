package simple

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Xiangqi counts pieces in hundredths of a soldier, by where they stand and how
// freely they move.
type Xiangqi struct{}

// The kinds of pieces; those of Red have the numbers 1 to 7 on the board, those
// of Black 8 to 14, in this order.
const (
	king = iota
	advisor
	elephant
	chariot
	horse
	cannon
	soldier
	kinds
)

var worth = [kinds]engine.Value{10000, 200, 200, 900, 400, 450, 100}

// Worth returns what a piece is worth by itself: nothing for a king, which is never
// exchanged.
func (Xiangqi) Worth(p board.Piece) engine.Value {
	if kind := (int(p) - 1) % kinds; p != board.Empty && kind != king {
		return worth[kind]
	}
	return 0
}

// stands is the worth of a piece by its kind, its row counted from its own back
// rank, and its column.
var stands = func() (t [kinds][10][9]engine.Value) {
	for kind := range kinds {
		for y := range 10 {
			for x := range 9 {
				t[kind][y][x] = worth[kind] + bonus(kind, y, min(x, 8-x))
			}
		}
	}
	return t
}()

// bonus is what a place is worth to a piece; x counts from the nearer side.
func bonus(kind, y, x int) engine.Value {
	v := 0
	switch kind {
	case king:
		v = -30 * y
		if x < 4 {
			v -= 15
		}
	case advisor:
		if y == 1 {
			v = 10
		}
	case elephant:
		if x == 4 {
			v = 15
		} else if x == 0 {
			v = -15
		}
	case chariot:
		v = 4 * min(y, 6)
	case horse:
		v = 8*min(x, 3) + 8*min(y, 6)
		if y == 0 {
			v -= 20
		}
	case cannon:
		v = 4 * x
		if y == 9 {
			v += 10
		}
	case soldier:
		if y >= 5 {
			v = 60 + 15*x + 15*(y-5)
			if y == 9 {
				v -= 90
			}
		} else if x == 4 {
			v = 15
		}
	}
	return engine.Value(v)
}

// Slip is a third of a soldier.
func (Xiangqi) Slip() engine.Value { return engine.Unit / 3 }

// Evaluate returns the value for the side to move.
func (Xiangqi) Evaluate(p game.Position) engine.Value {
	b := planes(p)
	var occupied [10]uint32
	for i := range b.Of {
		for y := range occupied {
			occupied[y] |= b.Of[i][y]
		}
	}
	var sum [2]engine.Value
	for i := range b.Of {
		side, kind := i/kinds, i%kinds
		for y, row := range b.Of[i][:10] {
			for ; row != 0; row &= row - 1 {
				x := bits.TrailingZeros32(row)
				own := y
				if side == 0 {
					own = 9 - y
				}
				sum[side] += stands[kind][own][x]
				switch kind {
				case chariot:
					sum[side] += 5 * slides(&occupied, x, y)
				case cannon:
					sum[side] += 2 * slides(&occupied, x, y)
				case horse:
					sum[side] += 10 * legs(&occupied, x, y)
				}
			}
		}
	}
	// A king without guards is the worse off the more the other side attacks
	// with.
	for side := range 2 {
		guards := count(b, side, advisor) + count(b, side, elephant)
		attackers := 2*count(b, 1-side, chariot) + count(b, 1-side, horse) + count(b, 1-side, cannon)
		sum[side] -= engine.Value(4 * (4 - min(guards, 4)) * attackers)
	}
	v := sum[0] - sum[1]
	if p.Turn() != game.First {
		v = -v
	}
	return v + 10
}

func count(b *board.Planes, side, kind int) int { return b.Of[side*kinds+kind].Count() }

// slides counts the empty points that a piece reaches along its row and column.
func slides(occupied *[10]uint32, x, y int) (n engine.Value) {
	row := occupied[y] | 1<<9 // the side of the board ends a slide too
	n = engine.Value(bits.TrailingZeros32(row>>(x+1)) + x - bits.Len32(row&(1<<x-1)))
	for i := y - 1; i >= 0 && occupied[i]>>x&1 == 0; i-- {
		n++
	}
	for i := y + 1; i < 10 && occupied[i]>>x&1 == 0; i++ {
		n++
	}
	return n
}

// legs counts the sides of a horse on which nothing stands in its way.
func legs(occupied *[10]uint32, x, y int) (n engine.Value) {
	if x > 1 && occupied[y]>>(x-1)&1 == 0 {
		n++
	}
	if x < 7 && occupied[y]>>(x+1)&1 == 0 {
		n++
	}
	if y > 1 && occupied[y-1]>>x&1 == 0 {
		n++
	}
	if y < 8 && occupied[y+1]>>x&1 == 0 {
		n++
	}
	return n
}

// Loud returns the captures, the dearest piece by the cheapest first.
func (Xiangqi) Loud(p game.Position, moves []game.Move) []game.Move {
	var c cells
	c.fill(planes(p))
	moves = slices.DeleteFunc(moves, func(m game.Move) bool { return c[m.To()] == 0 })
	rank := func(m game.Move) int {
		return int(16*worth[(c[m.To()]-1)%kinds] - worth[(c[m.From()]-1)%kinds])
	}
	byRank(moves, rank)
	return moves
}
