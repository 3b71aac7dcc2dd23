package xiangqi

import "qipu/game/xiangqi/attack"

// gains reports whether a move wins at least so much by exchanges on its square. Screens
// that come and go with the exchange are looked at anew at each capture.
func (b *position) gains(m move, least int) bool {
	from, to := m.from(), m.to()
	balance := -least
	if p := b.on[to]; p != 0 {
		balance += worth[kindOf[p&15]]
	}
	if balance < 0 {
		return false
	}
	next := kindOf[b.on[from]&15]
	if balance -= worth[next]; balance >= 0 {
		return true
	}
	side := b.turn ^ 1
	gone := attack.Bit[from]
	// The piece stands on the square now, so that it is occupied whoever was there.
	target := b.on[to]
	if target == 0 {
		b.mark(to, b.turn)
		defer b.mark(to, b.turn)
	}
	ok := true // for the side that made the move
	for {
		takers := b.takers(side, to, gone)
		if takers.Empty() {
			break
		}
		taker, k := b.least(takers)
		ok = !ok
		// Who takes with a piece that is worth less than what there is to gain has won.
		if balance = -balance - 1 - worth[k]; balance >= 0 {
			break
		}
		gone.Add(taker)
		side ^= 1
	}
	return ok
}

// least returns the piece of a set that is worth the least.
func (b *position) least(pieces set) (at square, k attack.Kind) {
	low := 1 << 30
	for !pieces.Empty() {
		s := pieces.Pop()
		kind := kindOf[b.on[s]&15]
		if worth[kind] < low {
			low, at, k = worth[kind], s, kind
		}
	}
	return at, k
}
