package chess

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// What patterns of pieces ask of a position (package relation declares the
// interface): points are dense indices, row by row from the top left, and sets of
// them have bit i of the first word for the point i.

// words returns a set by dense indices.
func words(s set) [2]uint64 { return [2]uint64{bits.ReverseBytes64(uint64(s)), 0} }

// occupiedAt returns the square of a dense index if a piece stands there. Patterns are
// of the usual board alone.
func (p *Position) occupiedAt(at int) (square, bool) {
	if uint(at) >= 64 || p.rules.geo.Size.W != 8 || p.on[at^56] == board.Empty {
		return attack.None, false
	}
	return square(at ^ 56), true
}

// reach returns what the piece on a square takes or protects; a pawn reaches the
// squares that it strikes.
func (p *Position) reach(s square, occupied set) set {
	side := sideOf(p.on[s])
	switch kindOf(p.on[s]) {
	case king:
		return attack.Leaps[attack.OfKing][s&63]
	case queen:
		return attack.Slide(attack.OfBishop, s, occupied) | attack.Slide(attack.OfRook, s, occupied)
	case rook:
		return attack.Slide(attack.OfRook, s, occupied)
	case bishop:
		return attack.Slide(attack.OfBishop, s, occupied)
	case knight:
		return attack.Leaps[attack.OfKnight][s&63]
	}
	return attack.Strikes[side][s&63]
}

// Reach returns the squares that the piece on a point goes to, takes on or protects,
// whatever is legal. A pawn reaches the squares that it strikes. To take is the same.
func (p *Position) Reach(at int, _ bool) [2]uint64 {
	s, ok := p.occupiedAt(at)
	if !ok {
		return [2]uint64{}
	}
	return words(p.reach(s, p.occupied()))
}

// Checkers returns the pieces that attack the king of a side.
func (p *Position) Checkers(side game.Side) [2]uint64 {
	side &= 1
	if side == p.turn {
		return words(p.survey().checkers)
	}
	return words(p.attackers(side^1, p.of[side][king].First(), p.occupied()))
}

// Await returns the pieces that would attack the king of a side if it stood on a point
// and had taken what stands there.
func (p *Position) Await(side game.Side, at int) [2]uint64 {
	if uint(at) >= 64 || p.rules.geo.Size.W != 8 {
		return [2]uint64{}
	}
	side &= 1
	s := square(at ^ 56)
	all := p.occupied()&^p.of[side][king] | s.Bit()
	return words(p.attackers(side^1, s, all) &^ s.Bit())
}

// Stuck reports whether the side to move has no legal move.
func (p *Position) Stuck() bool { return p.stuck() }

// MatedWithout reports whether the side to move would be in check and without a legal
// move if the piece on a point were not there. It lifts the piece and puts it back.
func (p *Position) MatedWithout(at int) bool {
	s, ok := p.occupiedAt(at)
	if !ok {
		return p.survey().checkers != 0 && p.stuck()
	}
	piece, seen, right, passed := p.on[s], p.view, p.rights, p.passed
	if kindOf(piece) == king {
		if sideOf(piece) == p.turn {
			return false // no king, no mate
		}
		// The king of the other side guards squares; it stays where it is in the sets
		// and takes nothing.
		own := p.of[p.turn^1][king]
		p.of[p.turn^1][king] = 0
		p.view.known = false
		mated := p.survey().checkers != 0 && p.stuck()
		p.of[p.turn^1][king] = own
		p.view = seen
		return mated
	}
	p.lift(s)
	p.rights &^= p.ways.lost[s&63]
	p.passed = attack.None
	p.view.known = false
	mated := p.survey().checkers != 0 && p.stuck()
	p.put(s, piece)
	p.view, p.rights, p.passed = seen, right, passed
	return mated
}

// Blocks reports whether a piece stands on the square before a pawn.
func (p *Position) Blocks(by, on int) bool {
	b, ok := p.occupiedAt(by)
	s, there := p.occupiedAt(on)
	if !ok || !there || kindOf(p.on[s]) != pawn {
		return false
	}
	if sideOf(p.on[s]) == White {
		return b == s+8
	}
	return b+8 == s
}

// Pinned returns the pieces of the other side without which the slider on a point would
// reach the king, the queen or a rook behind them, if that is worth more than the piece
// before it and than the slider itself; and the squares outside which nothing decides
// it: those up to the second piece in each direction.
func (p *Position) Pinned(by int) (pieces, heed [2]uint64) {
	s, ok := p.occupiedAt(by)
	if !ok {
		return pieces, heed
	}
	k := kindOf(p.on[s])
	if k != queen && k != rook && k != bishop {
		return pieces, heed
	}
	all, enemy := p.occupied(), p.own[sideOf(p.on[s])^1]
	reach := p.reach(s, all)
	// A king that stands before them is in check and not pinned.
	beyond := p.reach(s, all&^(reach&enemy&^p.of[sideOf(p.on[s])^1][king])) &^ reach
	var pinned set
	for rest := beyond & enemy; rest != 0; rest &= rest - 1 {
		behind := rest.First()
		on := attack.Between[s][behind&63] & reach & enemy
		b := kindOf(p.on[behind])
		if b == king || weights[b] > weights[kindOf(p.on[on.First()])] && weights[b] > weights[k] {
			pinned |= on
		}
	}
	return words(pinned), words(reach | beyond)
}

// Screens reports nothing: no piece of chess takes over another one.
func (p *Position) Screens(_, _ int) bool { return false }
