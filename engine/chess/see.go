package chess

import "qipu/game/chess/attack"

// worth is the value of a kind of piece for exchanges.
var worth = [kinds]int{10000, 1000, 520, 340, 325, 100}

// gains reports whether a move wins at least so much by exchanges on its square.
func (b *position) gains(m move, least int) bool {
	from, to := m.from(), m.to()
	if b.own[b.turn].Has(to) { // castling
		return least <= 0
	}
	balance := -least
	k, takes := b.target(m)
	if takes {
		balance += worth[k]
	}
	next := kindOf[b.on[from]&15]
	if n := m.become(); n != 0 {
		balance += worth[n] - worth[pawn]
		next = n
	}
	if balance < 0 {
		return false
	}
	if balance -= worth[next]; balance >= 0 {
		return true
	}
	all := b.all()&^from.Bit() | to.Bit()
	if to == b.passed && next == pawn {
		all &^= (to ^ 8).Bit()
	}
	takers := b.takers(to, all) & all
	side := b.turn
	ok := true // for the side that made the move
	for {
		side ^= 1
		takers &= all
		own := takers & b.own[side]
		if own == 0 {
			break
		}
		k := uint8(pawn)
		for b.of[side][k]&own == 0 {
			k--
		}
		ok = !ok
		if k == king {
			if takers&b.own[side^1] != 0 {
				ok = !ok // the king cannot take what is guarded
			}
			break
		}
		// Who takes with a piece that is worth less than what there is to gain has won.
		if balance = -balance - 1 - worth[k]; balance >= 0 {
			break
		}
		all &^= (b.of[side][k] & own).First().Bit()
		if k == pawn || k == bishop || k == queen {
			takers |= attack.Slide(attack.OfBishop, to, all) & (b.of[0][bishop] | b.of[1][bishop] | b.of[0][queen] | b.of[1][queen])
		}
		if k == rook || k == queen {
			takers |= attack.Slide(attack.OfRook, to, all) & (b.of[0][rook] | b.of[1][rook] | b.of[0][queen] | b.of[1][queen])
		}
	}
	return ok
}
