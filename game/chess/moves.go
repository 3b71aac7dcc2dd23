package chess

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// occupied returns the squares that stop a slider: those of pieces, and of what is
// not on the board.
func (p *Position) occupied() set { return p.own[0] | p.own[1] | p.rules.walls }

// attackers returns the pieces of a side that could take on a square if the board
// were occupied so.
func (p *Position) attackers(by game.Side, s square, occupied set) set {
	of := &p.of[by]
	return attack.Leaps[attack.OfKing][s&63]&of[king] | attack.Leaps[attack.OfKnight][s&63]&of[knight] | attack.Strikes[by^1][s&63]&of[pawn] |
		attack.Slide(attack.OfBishop, s, occupied)&(of[bishop]|of[queen]) | attack.Slide(attack.OfRook, s, occupied)&(of[rook]|of[queen])
}

// survey returns what the king of the side to move sees.
func (p *Position) survey() *view {
	v := &p.view
	if v.known {
		return v
	}
	us, them := p.turn, p.turn^1
	k, all := p.of[us][king].First(), p.occupied()
	of := &p.of[them]
	v.checkers = p.attackers(them, k, all)
	v.pinned = 0
	// Sliders that would reach the king if none of ours were in the way.
	through := all &^ p.own[us]
	for s := attack.Slide(attack.OfBishop, k, through)&(of[bishop]|of[queen]) | attack.Slide(attack.OfRook, k, through)&(of[rook]|of[queen]); s != 0; {
		if way := attack.Between[k][s.Pop()&63] & p.own[us]; way != 0 && !way.Several() {
			v.pinned |= way
		}
	}
	v.known = true
	return v
}

// destinations returns where the piece of the side to move on a square may go.
func (p *Position) destinations(from square) (to set) {
	us := p.turn
	v := p.survey()
	k := kindOf(p.on[from&63])
	if k == king {
		return p.kingMoves(from, v)
	}
	if v.checkers.Several() {
		return 0
	}
	all := p.occupied()
	switch k {
	case queen:
		to = attack.Slide(attack.OfBishop, from, all) | attack.Slide(attack.OfRook, from, all)
	case rook:
		to = attack.Slide(attack.OfRook, from, all)
	case bishop:
		to = attack.Slide(attack.OfBishop, from, all)
	case knight:
		to = attack.Leaps[attack.OfKnight][from&63]
	case pawn:
		to = p.pawnMoves(from, all)
	}
	to &^= p.own[us] | p.rules.walls
	if v.checkers|v.pinned&from.Bit() != 0 {
		own := p.of[us][king].First()
		if v.checkers != 0 {
			c := v.checkers.First()
			to &= attack.Between[own][c&63] | c.Bit()
		}
		if v.pinned.Has(from) {
			to &= attack.Through[own][from&63]
		}
	}
	if k == pawn && p.passed != attack.None && attack.Strikes[us][from&63].Has(p.passed) && p.passes(from) {
		to |= p.passed.Bit()
	}
	return to
}

// pawnMoves returns where a pawn goes and takes, but for taking in passing.
func (p *Position) pawnMoves(from square, all set) (to set) {
	us := p.turn
	b := from.Bit()
	if us == White {
		to = b << 8 &^ all
		to |= to & (p.rules.double[us]) << 8 &^ all
	} else {
		to = b >> 8 &^ all
		to |= to & (p.rules.double[us]) >> 8 &^ all
	}
	return to | attack.Strikes[us][from&63]&p.own[us^1]
}

// kingMoves returns where the king may go, castling included.
func (p *Position) kingMoves(from square, v *view) (to set) {
	us, them := p.turn, p.turn^1
	all := p.occupied()
	for s := attack.Leaps[attack.OfKing][from&63] &^ (p.own[us] | p.rules.walls); s != 0; {
		t := s.Pop()
		if p.attackers(them, t, all&^from.Bit()) == 0 {
			to |= t.Bit()
		}
	}
	if p.rights&(short(us)|long(us)) == 0 || v.checkers != 0 {
		return to
	}
	if p.ways.onto {
		return to | p.castlings(from)
	}
	if p.rights&short(us) != 0 && all&(3<<(from+1)) == 0 && to.Has(from+1) && p.attackers(them, from+2, all) == 0 {
		to |= (from + 2).Bit()
	}
	if p.rights&long(us) != 0 && all&(7<<(from-3)) == 0 && to.Has(from-1) && p.attackers(them, from-2, all) == 0 {
		to |= (from - 2).Bit()
	}
	return to
}

// passes reports whether the pawn on a square may take in passing: its king must not
// be in check behind it, on the line of two pawns either.
func (p *Position) passes(from square) bool {
	us, them := p.turn, p.turn^1
	taken := (p.passed ^ 8).Bit()
	all := p.occupied()&^(from.Bit()|taken) | p.passed.Bit()
	return p.attackers(them, p.of[us][king].First(), all)&^taken == 0
}

// passable reports whether the side to move has a pawn that may take in passing.
func (p *Position) passable() bool {
	for s := attack.Strikes[p.turn^1][p.passed&63] & p.of[p.turn][pawn]; s != 0; {
		if p.passes(s.Pop()) {
			return true
		}
	}
	return false
}

// AppendMoves appends the legal moves to dst.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	r := p.rules
	for own := p.own[p.turn]; own != 0; {
		from := own.Pop()
		becomes := kindOf(p.on[from&63]) == pawn
		for to := p.destinations(from); to != 0; {
			t := to.Pop()
			m := game.Step(r.pointOf[from&63], r.pointOf[t&63])
			if !becomes || !r.last[p.turn].Has(t) {
				dst = append(dst, m)
				continue
			}
			for _, k := range r.becomes {
				dst = append(dst, m.Naming(pieceOf(White, k)))
			}
		}
	}
	return dst
}

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() (n int) {
	us := p.turn
	v := p.survey()
	if v.checkers != 0 {
		return p.countEach(p.own[us])
	}
	of := &p.of[us]
	all := p.occupied()
	free := ^(p.own[us] | p.rules.walls)
	n = p.kingMoves(of[king].First(), v).Count()
	for s := of[knight] &^ v.pinned; s != 0; {
		n += (attack.Leaps[attack.OfKnight][s.Pop()&63] & free).Count()
	}
	for s := (of[bishop] | of[queen]) &^ v.pinned; s != 0; {
		n += (attack.Slide(attack.OfBishop, s.Pop(), all) & free).Count()
	}
	for s := (of[rook] | of[queen]) &^ v.pinned; s != 0; {
		n += (attack.Slide(attack.OfRook, s.Pop(), all) & free).Count()
	}
	if own := v.pinned & p.own[us]; own != 0 {
		n += p.countEach(own)
	}
	pawns, them := of[pawn]&^v.pinned, p.own[us^1]
	var one, two, left, right set
	if us == White {
		one = pawns << 8 &^ all
		two = one & p.rules.double[us] << 8 &^ all
		left, right = pawns&^attack.FileA<<7&them, pawns&^attack.FileH<<9&them
	} else {
		one = pawns >> 8 &^ all
		two = one & p.rules.double[us] >> 8 &^ all
		left, right = pawns&^attack.FileA>>9&them, pawns&^attack.FileH>>7&them
	}
	n += one.Count() + two.Count() + left.Count() + right.Count()
	if last := p.rules.last[us]; (one|left|right)&last != 0 {
		n += (len(p.rules.becomes) - 1) * ((one & last).Count() + (left & last).Count() + (right & last).Count())
	}
	if p.passed != attack.None {
		for s := attack.Strikes[us^1][p.passed&63] & pawns; s != 0; {
			if p.passes(s.Pop()) {
				n++
			}
		}
	}
	return n
}

// countEach counts the moves of some pieces of the side to move one by one.
func (p *Position) countEach(own set) (n int) {
	us := p.turn
	for s := own &^ p.of[us][pawn]; s != 0; {
		n += p.destinations(s.Pop()).Count()
	}
	for s := own & p.of[us][pawn]; s != 0; {
		to := p.destinations(s.Pop())
		n += to.Count() + (len(p.rules.becomes)-1)*(to&p.rules.last[us]).Count()
	}
	return n
}

// stuck reports whether the side to move has no legal move.
func (p *Position) stuck() bool {
	for own := p.own[p.turn]; own != 0; {
		if p.destinations(own.Pop()) != 0 {
			return false
		}
	}
	return true
}

// try tells why a move cannot be made; nil where it can.
func (p *Position) try(from, to square, become kind) error {
	piece := p.on[from&63]
	if piece == board.Empty || sideOf(piece) != p.turn || !p.destinations(from).Has(to) {
		return p.refusal(from, to)
	}
	last := kindOf(piece) == pawn && p.rules.last[p.turn].Has(to)
	switch {
	case !last && become != noKind:
		return ErrNoPromotion
	case last && become == noKind:
		return ErrPromotion
	case last && !p.rules.mayBecome(become):
		return ErrNoSuchPiece
	}
	return nil
}
