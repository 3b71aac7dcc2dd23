package xiangqi

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// What patterns of pieces ask of a position (package relation declares the
// interface): points are dense indices, row by row from the top left, and sets of
// them have bit i%64 of word i/64 for the point i. Points outside the board have
// nothing on them.

// occupied returns the square of a dense index if a piece stands there.
func (p *Position) occupied(at int) (square, bool) {
	if uint(at) >= area || p.on[at] == board.Empty {
		return none, false
	}
	return square(at), true
}

// Reach returns the points that the piece on a point goes to, takes on or
// protects, whatever is legal. With take it returns those where it would take an
// enemy that stood there, which differs for a cannon: any point behind one screen
// up to the next piece.
func (p *Position) Reach(at int, take bool) [2]uint64 {
	s, ok := p.occupied(at)
	if !ok {
		return [2]uint64{}
	}
	k := kindOf(p.on[s])
	if take && k == cannon {
		x, y := attack.X[s], attack.Y[s]
		return attack.Column(x, beyond(y, p.files[x]>>1&1023)).Or(attack.Row(y, beyond(x, p.rows[y+1]>>1&511)&511)).Words()
	}
	return p.reach(sideOf(p.on[s]), k, s).Words()
}

// beyond returns the places of a line behind exactly one screen, up to the next
// piece and with it.
func beyond(at uint8, occupied uint16) (line uint16) {
	for _, up := range [2]bool{false, true} {
		met := 0
		for i := int(at); met < 2; {
			if up {
				i++
			} else {
				i--
			}
			if i < 0 || i >= height {
				break
			}
			if met == 1 {
				line |= 1 << i
			}
			if occupied>>i&1 != 0 {
				met++
			}
		}
	}
	return line
}

// Checkers returns the pieces that attack the king of a side. There are none for
// the side that is not to move: no position is made or played to where it could be
// taken.
func (p *Position) Checkers(side game.Side) [2]uint64 {
	if side != p.turn || !p.survey().check {
		return [2]uint64{}
	}
	return p.attackers(side).Words()
}

// attackers returns the pieces that reach the king of a side; kings do not.
func (p *Position) attackers(side game.Side) (list set) {
	k, enemy := p.at[side][0], side^1
	for kind := chariot; kind <= soldier; kind++ {
		for i := p.first[enemy][kind]; i < p.first[enemy][kind+1]; i++ {
			if s := p.at[enemy][i&(maxPieces-1)]; s != none && p.reach(enemy, kind, s).Has(k) {
				list.Add(s)
			}
		}
	}
	return list
}

// Await returns the pieces that would attack the king of a side, the other king
// included, if it stood on a point of its palace and had taken what stands there.
// It moves the king and puts it back.
func (p *Position) Await(side game.Side, at int) [2]uint64 {
	side &= 1
	if uint(at) >= area || !attack.Home[side][king].Has(square(at)) {
		return [2]uint64{}
	}
	k, s := p.at[side][0], square(at)
	taken, slot := p.on[s], p.slot[s]
	if s != k {
		if taken != board.Empty {
			p.lift(s)
		}
		p.shift(k, s)
	}
	list := p.attackers(side)
	if g := p.at[side^1][0]; attack.X[g] == attack.X[s] && p.files[attack.X[s]]>>1&attack.Between[attack.Y[g]][attack.Y[s]] == 0 {
		list.Add(g)
	}
	if s != k {
		p.shift(s, k)
		if taken != board.Empty {
			p.place(s, taken, slot)
		}
	}
	return list.Words()
}

// Stuck reports whether the side to move has no legal move: it has lost, by mate
// if it is in check.
func (p *Position) Stuck() bool { return p.stuck() }

// MatedWithout reports whether the side to move would be in check and without a
// legal move if the piece on a point were not there. It lifts the piece and puts
// it back; without the king of the other side, kings do not meet.
func (p *Position) MatedWithout(at int) bool {
	s, ok := p.occupied(at)
	if !ok {
		return p.survey().check && p.stuck()
	}
	piece, slot := p.on[s], p.slot[s]
	side := sideOf(piece)
	if s == p.at[p.turn][0] {
		return false // no king, no mate
	}
	seen := p.view
	p.lift(s)
	if slot == 0 && kindOf(piece) == king {
		// Not none, which is the square of no line: a corner is on no file that
		// a king can be on.
		p.at[side][0] = 0
	}
	p.view.known = false
	mated := p.survey().check && p.stuck()
	p.place(s, piece, slot)
	p.view = seen
	return mated
}

// Blocks reports whether a piece stands on the leg of a horse, or in the eye of an
// elephant, that could go somewhere otherwise.
func (p *Position) Blocks(by, on int) bool {
	b, ok := p.occupied(by)
	s, there := p.occupied(on)
	if !ok || !there {
		return false
	}
	k := kindOf(p.on[s])
	return (k == horse || k == elephant) && p.inTheWay(sideOf(p.on[s]), k, s).Has(b)
}

// Pinned returns the pieces of the other side without which the chariot, cannon or king
// on a point would reach the king or a chariot behind them, and the points outside which
// nothing decides it: its lines. Before a cannon either of two pieces is pinned: one is
// left for its screen.
func (p *Position) Pinned(by int) (pieces, heed [2]uint64) {
	s, ok := p.occupied(by)
	if !ok {
		return pieces, heed
	}
	side, kind := sideOf(p.on[s]), kindOf(p.on[s])
	behind := 1
	switch kind {
	case chariot, king:
	case cannon:
		behind = 2
	default:
		return pieces, heed
	}
	x, y := attack.X[s], attack.Y[s]
	add := func(set *[2]uint64, at square) { set[at/64] |= 1 << (at % 64) }
	for at := y * width; at < (y+1)*width; at++ {
		add(&heed, at)
	}
	for at := x; at < area; at += width {
		add(&heed, at)
	}
	look := func(next square) {
		met, n := p.ray(s, next)
		if n <= behind || sideOf(p.on[met[behind]]) == side {
			return
		}
		if k := kindOf(p.on[met[behind]]); k != king && (k != chariot || kind == king) {
			return
		}
		for _, at := range met[:behind] {
			if sideOf(p.on[at]) != side {
				add(&pieces, at)
			}
		}
	}
	if x > 0 && kind != king { // kings meet on files only
		look(s - 1)
	}
	if x < width-1 && kind != king {
		look(s + 1)
	}
	if y > 0 {
		look(s - width)
	}
	if s+width < area {
		look(s + width)
	}
	return pieces, heed
}

// Screens reports whether the cannon on a point reaches an enemy over a piece.
func (p *Position) Screens(by, on int) bool {
	s, ok := p.occupied(on)
	o, there := p.occupied(by)
	if !ok || !there || kindOf(p.on[s]) != cannon {
		return false
	}
	met, n := p.ray(s, o)
	return n > 1 && met[0] == o && sideOf(p.on[met[1]]) != sideOf(p.on[s])
}

// ray returns the first pieces from one square in the direction of another, up to
// three of them; none where the two are not on one line.
func (p *Position) ray(from, to square) (met [3]square, n int) {
	x, y := attack.X[from], attack.Y[from]
	line, place, step := p.rows[y+1]>>1&511, x, uint8(1)
	first := y * width
	switch {
	case from == to || x != attack.X[to] && y != attack.Y[to]:
		return met, 0
	case x == attack.X[to]:
		line, place, step, first = p.files[x]>>1&1023, y, width, x
	}
	if to > from {
		for line &^= 2<<place - 1; line != 0 && n < len(met); line &= line - 1 {
			met[n] = first + step*uint8(bits.TrailingZeros16(line))
			n++
		}
		return met, n
	}
	for line &= 1<<place - 1; line != 0 && n < len(met); {
		at := uint8(bits.Len16(line)) - 1
		line &^= 1 << at
		met[n] = first + step*at
		n++
	}
	return met, n
}
