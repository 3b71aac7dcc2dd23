package chess

import (
	"qipu/board"
	"qipu/game"
)

// occupied returns the squares that stop a slider: those of pieces, and of what is
// not on the board.
func (p *Position) occupied() set { return p.own[0] | p.own[1] | p.rules.walls }

// attackers returns the pieces of a side that could take on a square if the board
// were occupied so.
func (p *Position) attackers(by game.Side, s square, occupied set) set {
	of := &p.of[by]
	return leaps[ofKing][s&63]&of[king] | leaps[ofKnight][s&63]&of[knight] | strikes[by^1][s&63]&of[pawn] |
		slide(ofBishop, s, occupied)&(of[bishop]|of[queen]) | slide(ofRook, s, occupied)&(of[rook]|of[queen])
}

// survey returns what the king of the side to move sees.
func (p *Position) survey() *view {
	v := &p.view
	if v.known {
		return v
	}
	us, them := p.turn, p.turn^1
	k, all := p.of[us][king].first(), p.occupied()
	of := &p.of[them]
	v.checkers = p.attackers(them, k, all)
	v.pinned = 0
	// Sliders that would reach the king if none of ours were in the way.
	through := all &^ p.own[us]
	for s := slide(ofBishop, k, through)&(of[bishop]|of[queen]) | slide(ofRook, k, through)&(of[rook]|of[queen]); s != 0; {
		if way := between[k][s.pop()&63] & p.own[us]; way != 0 && !way.several() {
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
	if v.checkers.several() {
		return 0
	}
	all := p.occupied()
	switch k {
	case queen:
		to = slide(ofBishop, from, all) | slide(ofRook, from, all)
	case rook:
		to = slide(ofRook, from, all)
	case bishop:
		to = slide(ofBishop, from, all)
	case knight:
		to = leaps[ofKnight][from&63]
	case pawn:
		to = p.pawnMoves(from, all)
	}
	to &^= p.own[us] | p.rules.walls
	if v.checkers|v.pinned&from.bit() != 0 {
		own := p.of[us][king].first()
		if v.checkers != 0 {
			c := v.checkers.first()
			to &= between[own][c&63] | c.bit()
		}
		if v.pinned.has(from) {
			to &= through[own][from&63]
		}
	}
	if k == pawn && p.passed != none && strikes[us][from&63].has(p.passed) && p.passes(from) {
		to |= p.passed.bit()
	}
	return to
}

// pawnMoves returns where a pawn goes and takes, but for taking in passing.
func (p *Position) pawnMoves(from square, all set) (to set) {
	us := p.turn
	b := from.bit()
	if us == White {
		to = b << 8 &^ all
		to |= to & (p.rules.double[us]) << 8 &^ all
	} else {
		to = b >> 8 &^ all
		to |= to & (p.rules.double[us]) >> 8 &^ all
	}
	return to | strikes[us][from&63]&p.own[us^1]
}

// kingMoves returns where the king may go, castling included.
func (p *Position) kingMoves(from square, v *view) (to set) {
	us, them := p.turn, p.turn^1
	all := p.occupied()
	for s := leaps[ofKing][from&63] &^ (p.own[us] | p.rules.walls); s != 0; {
		t := s.pop()
		if p.attackers(them, t, all&^from.bit()) == 0 {
			to |= t.bit()
		}
	}
	if p.rights&(short(us)|long(us)) == 0 || v.checkers != 0 {
		return to
	}
	if p.ways.onto {
		return to | p.castlings(from)
	}
	if p.rights&short(us) != 0 && all&(3<<(from+1)) == 0 && to.has(from+1) && p.attackers(them, from+2, all) == 0 {
		to |= (from + 2).bit()
	}
	if p.rights&long(us) != 0 && all&(7<<(from-3)) == 0 && to.has(from-1) && p.attackers(them, from-2, all) == 0 {
		to |= (from - 2).bit()
	}
	return to
}

// passes reports whether the pawn on a square may take in passing: its king must not
// be in check behind it, on the line of two pawns either.
func (p *Position) passes(from square) bool {
	us, them := p.turn, p.turn^1
	taken := (p.passed ^ 8).bit()
	all := p.occupied()&^(from.bit()|taken) | p.passed.bit()
	return p.attackers(them, p.of[us][king].first(), all)&^taken == 0
}

// passable reports whether the side to move has a pawn that may take in passing.
func (p *Position) passable() bool {
	for s := strikes[p.turn^1][p.passed&63] & p.of[p.turn][pawn]; s != 0; {
		if p.passes(s.pop()) {
			return true
		}
	}
	return false
}

// AppendMoves appends the legal moves to dst.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	r := p.rules
	for own := p.own[p.turn]; own != 0; {
		from := own.pop()
		becomes := kindOf(p.on[from&63]) == pawn
		for to := p.destinations(from); to != 0; {
			t := to.pop()
			m := game.Step(r.pointOf[from&63], r.pointOf[t&63])
			if !becomes || !r.last[p.turn].has(t) {
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
	for own := p.own[us] &^ p.of[us][pawn]; own != 0; {
		n += p.destinations(own.pop()).count()
	}
	for own := p.of[us][pawn]; own != 0; {
		to := p.destinations(own.pop())
		n += to.count() + (len(p.rules.becomes)-1)*(to&p.rules.last[us]).count()
	}
	return n
}

// stuck reports whether the side to move has no legal move.
func (p *Position) stuck() bool {
	for own := p.own[p.turn]; own != 0; {
		if p.destinations(own.pop()) != 0 {
			return false
		}
	}
	return true
}

// try tells why a move cannot be made; nil where it can.
func (p *Position) try(from, to square, become kind) error {
	piece := p.on[from&63]
	if piece == board.Empty || sideOf(piece) != p.turn || !p.destinations(from).has(to) {
		return p.refusal(from, to)
	}
	last := kindOf(piece) == pawn && p.rules.last[p.turn].has(to)
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
