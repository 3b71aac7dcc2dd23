package xiangqi

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

var (
	_ game.Stepper = (*Rules)(nil)
	_ game.Relator = (*Rules)(nil)
)

// AppendSteps appends the points that a king, advisor, elephant, horse or
// soldier reaches from a point on an empty board. Chariots and cannons slide,
// and have none.
func (r *Rules) AppendSteps(dst []board.Point, piece board.Piece, from board.Point) []board.Point {
	k := kindOf(piece)
	if k == chariot || k == cannon || piece == board.Empty || !size.Has(from) {
		return dst
	}
	var empty Position
	for to := empty.reach(sideOf(piece), k, attack.SquareOf[from]); !to.Empty(); {
		dst = append(dst, attack.PointOf[to.Pop()])
	}
	return dst
}

// AppendRelations appends what the pieces of a board do to each other:
//
//	Attack   a piece reaches one of the other side
//	Protect  a piece reaches one of its own side
//	Block    a piece stands on the leg of a horse or in the eye of an elephant
//	         that could go there otherwise; By is the one that stands in the way
//	Pin      a chariot, cannon or king would reach the king or a chariot of the
//	         other side if a piece of that side left the line
//	Screen   a cannon reaches a piece of the other side over this one; By is
//	         the screen and On the cannon
//
// It says nothing about whose turn it is and whether a move would be legal.
func (r *Rules) AppendRelations(dst []game.Relation, b *board.Planes) []game.Relation {
	var p Position // only what reach looks at
	var all set
	for i := range b.Of {
		for point := range b.Of[i].Points() {
			s := attack.SquareOf[point]
			p.on[s] = board.Piece(i + 1)
			p.mark(s)
			all.Add(s)
		}
	}
	relate := func(k game.RelationKind, by, on square) {
		dst = append(dst, game.Relation{Kind: k, By: p.on[by], On: p.on[on], From: attack.PointOf[by], To: attack.PointOf[on]})
	}
	for rest := all; !rest.Empty(); {
		s := rest.Pop()
		side, k := sideOf(p.on[s]), kindOf(p.on[s])
		for reached := p.reach(side, k, s).And(all); !reached.Empty(); {
			to := reached.Pop()
			if sideOf(p.on[to]) == side {
				relate(game.Protect, s, to)
			} else {
				relate(game.Attack, s, to)
			}
		}
		switch k {
		case horse, elephant:
			for by := p.inTheWay(side, k, s).And(all); !by.Empty(); {
				relate(game.Block, by.Pop(), s)
			}
		case chariot, cannon, king:
			p.along(side, k, s, relate)
		}
	}
	return dst
}

// inTheWay returns the legs of a horse or the eyes of an elephant on a square:
// those that keep it from some square when they are occupied.
func (p *Position) inTheWay(side game.Side, k kind, s square) (where set) {
	x, y := int(attack.X[s]), int(attack.Y[s])
	add := func(dx, dy int, free, taken set) {
		if attack.OnBoard(x+dx, y+dy) && free != taken {
			where.Add(attack.At(x+dx, y+dy))
		}
	}
	if k == horse {
		for i, d := range [4][2]int{{-1, 0}, {0, -1}, {1, 0}, {0, 1}} {
			add(d[0], d[1], attack.HorseReach[s][0], attack.HorseReach[s][1<<i])
		}
		return where
	}
	reach := &attack.ElephantReach[side&1][s]
	for i, d := range [4][2]int{{-1, -1}, {-1, 1}, {1, -1}, {1, 1}} {
		add(d[0], d[1], reach[0], reach[1<<i])
	}
	return where
}

// along relates the pins and screens of a piece that acts along lines.
func (p *Position) along(side game.Side, k kind, s square, relate func(game.RelationKind, square, square)) {
	x, y := attack.X[s], attack.Y[s]
	file, rank := p.files[x]>>1&1023, p.rows[y+1]>>1&511
	for i, d := range [4]struct {
		line uint16 // the occupied places beyond the piece, in one direction
		up   bool   // away from 0
		file bool
	}{
		{file & (1<<y - 1), false, true},
		{file &^ (2<<y - 1), true, true},
		{rank & (1<<x - 1), false, false},
		{rank &^ (2<<x - 1), true, false},
	} {
		if k == king && i > 1 {
			return // kings meet on files only
		}
		var met [3]square
		n := 0
		for line := d.line; line != 0 && n < len(met); n++ {
			place := uint8(bits.TrailingZeros16(line))
			if !d.up {
				place = uint8(15 - bits.LeadingZeros16(line))
			}
			line &^= 1 << place
			if d.file {
				met[n] = attack.At(int(x), int(place))
			} else {
				met[n] = attack.At(int(place), int(y))
			}
		}
		enemy := func(i int) bool { return sideOf(p.on[met[i]]) != side }
		first := 0 // of the pieces that can be pinned
		if k == cannon {
			first = 1
			if n >= 2 && enemy(1) {
				relate(game.Screen, met[0], s)
			}
		}
		if n < first+2 || !enemy(first) || !enemy(first+1) {
			continue
		}
		if behind := kindOf(p.on[met[first+1]]); behind == king || behind == chariot && k != king {
			relate(game.Pin, s, met[first])
		}
	}
}
