package simple

import (
	"math/bits"

	"qipu/engine"
	"qipu/game"
)

// quietSlack is how much a quiet move changes the judgement of a position at most, as a
// rule.
const quietSlack = 40

// checkRisk is what a check may cost beyond what is seen.
const checkRisk = 400

// Bounds returns what a position may be worth at the least and at the most: at best the
// side to move takes what it can win and is not answered, at worst the other side does
// before it could move. A piece that is guarded is worth what it has more than the one
// that takes it. Both are guesses: a mate or a double attack may lie outside.
func (e Xiangqi) Bounds(p game.Position) (low, high engine.Value) {
	var s attacks
	s.look(p)
	v := e.Evaluate(p)
	me := int(p.Turn())
	win, loss := s.gain(me), s.gain(1-me)
	low, high = v-loss-quietSlack, v+win+quietSlack
	if s.check[me] {
		low -= checkRisk
	}
	return low, high
}

// attacks is what the pieces of a board attack: by side and point the worth of the
// cheapest that does, 0 for none.
type attacks struct {
	cell  [10][9]uint8 // 0 for none, else the piece from 1 on
	by    [2][10][9]engine.Value
	check [2]bool // the king of the side is attacked
}

func (s *attacks) look(p game.Position) {
	b := planes(p)
	for i := range b.Of {
		for y, row := range b.Of[i][:10] {
			for ; row != 0; row &= row - 1 {
				s.cell[y][bits.TrailingZeros32(row)] = uint8(i + 1)
			}
		}
	}
	for y := range s.cell {
		for x, c := range s.cell[y] {
			if c != 0 {
				s.piece(x, y, int(c-1)/kinds, int(c-1)%kinds)
			}
		}
	}
}

// hit notes that a piece attacks a point.
func (s *attacks) hit(x, y, side, kind int) {
	if x < 0 || y < 0 || x > 8 || y > 9 {
		return
	}
	c := s.cell[y][x]
	if c == 0 {
		return
	}
	if old := &s.by[side][y][x]; *old == 0 || worth[kind] < *old {
		*old = worth[kind]
	}
	if int(c-1)/kinds != side && int(c-1)%kinds == king {
		s.check[1-side] = true
	}
}

var (
	straight = [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	slanting = [4][2]int{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
)

// empty reports whether a point is on the board and nothing stands there.
func (s *attacks) empty(x, y int) bool {
	return x >= 0 && y >= 0 && x < 9 && y < 10 && s.cell[y][x] == 0
}

// piece notes what a piece attacks. Red has its palace below.
func (s *attacks) piece(x, y, side, kind int) {
	home := func(y int) bool { return side == 0 && y >= 7 || side == 1 && y <= 2 }
	switch kind {
	case king, advisor:
		steps := &straight
		if kind == advisor {
			steps = &slanting
		}
		for _, d := range steps {
			if i, j := x+d[0], y+d[1]; i >= 3 && i <= 5 && home(j) {
				s.hit(i, j, side, kind)
			}
		}
	case elephant:
		for _, d := range slanting {
			if j := y + 2*d[1]; s.empty(x+d[0], y+d[1]) && (side == 0) == (j >= 5) {
				s.hit(x+2*d[0], j, side, kind)
			}
		}
	case horse:
		for i, d := range straight {
			if s.empty(x+d[0], y+d[1]) {
				side1, side2 := slanting[i], slanting[(i+3)%4]
				s.hit(x+d[0]+side1[0], y+d[1]+side1[1], side, kind)
				s.hit(x+d[0]+side2[0], y+d[1]+side2[1], side, kind)
			}
		}
	case chariot, cannon:
		for _, d := range straight {
			i, j := x+d[0], y+d[1]
			for s.empty(i, j) {
				i, j = i+d[0], j+d[1]
			}
			if kind == cannon {
				for i, j = i+d[0], j+d[1]; s.empty(i, j); {
					i, j = i+d[0], j+d[1]
				}
			}
			s.hit(i, j, side, kind)
		}
	case soldier:
		ahead := 1 - 2*(1-side)
		s.hit(x, y+ahead, side, kind)
		if side == 0 && y <= 4 || side == 1 && y >= 5 {
			s.hit(x-1, y, side, kind)
			s.hit(x+1, y, side, kind)
		}
	}
}

// gain returns the most that a side wins by taking one piece.
func (s *attacks) gain(side int) (most engine.Value) {
	for y := range s.cell {
		for x, c := range s.cell[y] {
			attacker := s.by[side][y][x]
			if c == 0 || attacker == 0 || int(c-1)/kinds == side || int(c-1)%kinds == king {
				continue
			}
			v := worth[int(c-1)%kinds]
			if s.by[1-side][y][x] != 0 {
				v -= attacker
			}
			most = max(most, v)
		}
	}
	return most
}
