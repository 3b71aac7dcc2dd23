package xiangqi

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

type (
	square = attack.Square
	set    = attack.Set
)

const area = attack.Area

// A piece is 0 for nothing, 1 to 7 for Red's king, advisor, elephant, chariot, horse,
// cannon and soldier, and 8 to 14 for Black's.
type piece = uint8

var (
	kindOf [16]attack.Kind
	keys   [15][area]uint64
)

const turnKey = 0x6A09E667F3BCC909

func init() {
	for p := range piece(14) {
		kindOf[p+1] = p % attack.Kinds
		for s := range keys[p+1] {
			keys[p+1][s] = board.Zobrist(board.Piece(p+1), attack.PointOf[s])
		}
	}
}

// sideOf returns the side of a piece: 0 or 1.
func sideOf(p piece) int { return int(p+8) >> 4 }

func pieceOf(side int, k attack.Kind) piece { return k + 1 + attack.Kinds*piece(side) }

// move is a step: from in the high byte, to in the low one. 0 is none, since no piece
// goes from a square to itself.
type move uint16

func step(from, to square) move { return move(from)<<8 | move(to) }

func (m move) from() square { return square(m >> 8) }
func (m move) to() square   { return square(m) }

// outer returns the move as the rules write it.
func (m move) outer() game.Move {
	return game.Step(attack.PointOf[m.from()], attack.PointOf[m.to()])
}

// inner returns a move of the rules, 0 for what is no step on the board.
func inner(m game.Move) move {
	from, to := m.From(), m.To()
	if int(from) >= len(attack.SquareOf) || int(to) >= len(attack.SquareOf) {
		return 0
	}
	f, t := attack.SquareOf[from], attack.SquareOf[to]
	if f == attack.None || t == attack.None {
		return 0
	}
	return step(f, t)
}

// position is a board with the side to move, kept in step by play and back.
type position struct {
	on    [area]piece
	own   [2]set
	rows  [attack.Height + 2]uint16 // bit x+1 of rows[y+1]
	files [attack.Width]uint16      // bit y+1
	king  [2]square
	count [16]int8 // of each piece
	turn  int
	hash  uint64
	sum   score // what pieces are worth where they stand, Red's less Black's
	quiet int32 // plies since the last capture
}

// former is what taking a move back needs.
type former struct {
	hash  uint64
	sum   score
	quiet int32
	taken piece
}

// arrange returns the position of the rules.
func arrange(p game.Position) (b position) {
	planes := p.(game.Planar).Planes()
	for i := range planes.Of[:14] {
		for point := range planes.Of[i].Points() {
			b.put(attack.SquareOf[point], piece(i+1))
		}
	}
	if p.Turn() == game.Second {
		b.turn = 1
		b.hash ^= turnKey
	}
	var setup game.Setup
	if n, ok := p.(game.Noted); ok {
		n.Note(&setup)
	}
	b.quiet = int32(setup.Quiet)
	return b
}

// put and lift change one square, and everything that hangs on it.
func (b *position) put(s square, p piece) {
	b.on[s] = p
	b.count[p]++
	b.mark(s, sideOf(p))
	if kindOf[p&15] == attack.King {
		b.king[sideOf(p)] = s
	}
	b.hash ^= keys[p][s]
	b.sum += stands[p][s]
}

func (b *position) lift(s square, p piece) {
	b.on[s] = 0
	b.count[p]--
	b.mark(s, sideOf(p))
	b.hash ^= keys[p][s]
	b.sum -= stands[p][s]
}

func (b *position) mark(s square, side int) {
	x, y := attack.X[s], attack.Y[s]
	b.rows[y+1] ^= 2 << x
	b.files[x] ^= 2 << y
	b.own[side] = b.own[side].Xor(attack.Bit[s])
}

// play makes a move, which may leave the own king attacked.
func (b *position) play(m move) (f former) {
	from, to := m.from(), m.to()
	p, taken := b.on[from], b.on[to]
	f = former{b.hash, b.sum, b.quiet, taken}
	b.quiet++
	if taken != 0 {
		b.lift(to, taken)
		b.quiet = 0
	}
	b.lift(from, p)
	b.put(to, p)
	b.turn ^= 1
	b.hash ^= turnKey
	return f
}

// back takes a move back.
func (b *position) back(m move, f former) {
	from, to := m.from(), m.to()
	p := b.on[to]
	b.on[from], b.on[to] = p, f.taken
	side := sideOf(p)
	b.mark(from, side)
	b.mark(to, side)
	if f.taken != 0 {
		b.mark(to, side^1)
		b.count[f.taken]++
	}
	if kindOf[p&15] == attack.King {
		b.king[side] = from
	}
	b.turn ^= 1
	b.hash, b.sum, b.quiet = f.hash, f.sum, f.quiet
}

// pass and unpass give the move to the other side.
func (b *position) pass() {
	b.turn ^= 1
	b.hash ^= turnKey
}

// file and row return the occupied places of a column and of a row.
func (b *position) file(x uint8) uint16 { return b.files[x] >> 1 & 1023 }
func (b *position) row(y uint8) uint16  { return b.rows[y+1] >> 1 & 511 }

// reach returns the squares that a piece goes to or protects.
func (b *position) reach(side int, k attack.Kind, s square) set {
	x, y := attack.X[s], attack.Y[s]
	switch k {
	case attack.Chariot:
		return attack.Column(x, attack.Slide[y][b.file(x)]).Or(attack.Row(y, attack.Slide[x][b.row(y)]&511))
	case attack.Cannon:
		return attack.Column(x, attack.Shoot[y][b.file(x)]).Or(attack.Row(y, attack.Shoot[x][b.row(y)]&511))
	case attack.Horse:
		legs := b.rows[y+1]>>x&5 | b.files[x]>>y&5<<1
		return attack.HorseReach[s][legs&15]
	case attack.Soldier:
		return attack.SoldierReach[side][s]
	case attack.Elephant:
		eyes := b.rows[y]>>x&5 | b.rows[y+2]>>x&5<<1
		return attack.ElephantReach[side][s][eyes&15]
	case attack.Advisor:
		return attack.AdvisorReach[s]
	}
	return attack.KingReach[s]
}

// takers returns the pieces of a side that attack a square, were an enemy on it, with
// the squares of gone taken as empty. Kings face each other.
func (b *position) takers(side int, s square, gone set) (found set) {
	x, y := attack.X[s], attack.Y[s]
	file, row := b.file(x), b.row(y)
	if !gone.Empty() {
		for rest := gone; !rest.Empty(); {
			g := rest.Pop()
			if attack.X[g] == x {
				file &^= 1 << attack.Y[g]
			}
			if attack.Y[g] == y {
				row &^= 1 << attack.X[g]
			}
		}
	}
	own := b.own[side].Less(gone)
	lines := attack.Column(x, attack.Slide[y][file]).Or(attack.Row(y, attack.Slide[x][row]&511)).And(own)
	for !lines.Empty() {
		at := lines.Pop()
		switch k := kindOf[b.on[at]&15]; {
		case k == attack.Chariot, k == attack.King && attack.X[at] == x && kindOf[b.on[s]&15] == attack.King && b.on[s] != 0:
			found.Add(at)
		}
	}
	over := attack.Column(x, behind[y][file]).Or(attack.Row(y, behind[x][row]&511)).And(own)
	for !over.Empty() {
		if at := over.Pop(); kindOf[b.on[at]&15] == attack.Cannon {
			found.Add(at)
		}
	}
	for beside := nearby[side][s].And(own); !beside.Empty(); {
		at := beside.Pop()
		k := kindOf[b.on[at]&15]
		switch k {
		case attack.Horse:
			if leg := attack.HorseLeg[s][at]; leg != attack.None && (b.on[leg] == 0 || gone.Has(leg)) {
				found.Add(at)
			}
		case attack.Soldier, attack.Advisor, attack.King, attack.Elephant:
			if b.reach(side, k, at).Has(s) {
				found.Add(at)
			}
		}
	}
	return found
}

// behind is the first piece behind one screen, for each place of a line; nearby are the
// squares from which pieces other than chariots and cannons may attack one.
var (
	behind [attack.Height][1 << attack.Height]uint16
	nearby [2][area]set
)

func init() {
	for at := range behind {
		for line := range behind[at] {
			behind[at][line] = attack.Shoot[at][line] & uint16(line)
		}
	}
	for side := range nearby {
		for s := range nearby[side] {
			for h := range square(area) {
				if attack.HorseLeg[s][h] != attack.None || attack.SoldierReach[side][h].Has(square(s)) || attack.KingReach[h].Has(square(s)) ||
					attack.AdvisorReach[h].Has(square(s)) || attack.ElephantReach[side][h][0].Has(square(s)) {
					nearby[side][s].Add(h)
				}
			}
		}
	}
}

// attacked reports whether the king of a side is attacked.
func (b *position) attacked(side int) bool {
	k := b.king[side]
	enemy := side ^ 1
	base := attack.Kinds * piece(enemy)
	x, y := attack.X[k], attack.Y[k]
	for line := b.files[x] >> 1 & attack.Slide[y][b.file(x)]; line != 0; line &= line - 1 {
		p := b.on[int(bits.TrailingZeros16(line))*attack.Width+int(x)] - base
		if p == attack.Chariot+1 || p == attack.King+1 {
			return true
		}
	}
	for line := behind[y][b.file(x)]; line != 0; line &= line - 1 {
		if b.on[int(bits.TrailingZeros16(line))*attack.Width+int(x)]-base == attack.Cannon+1 {
			return true
		}
	}
	for line := b.row(y) & attack.Slide[x][b.row(y)]; line != 0; line &= line - 1 {
		if b.on[int(y)*attack.Width+bits.TrailingZeros16(line)]-base == attack.Chariot+1 {
			return true
		}
	}
	for line := behind[x][b.row(y)]; line != 0; line &= line - 1 {
		if b.on[int(y)*attack.Width+bits.TrailingZeros16(line)]-base == attack.Cannon+1 {
			return true
		}
	}
	for beside := nearby[enemy][k].And(b.own[enemy]); !beside.Empty(); {
		at := beside.Pop()
		switch b.on[at] - base {
		case attack.Horse + 1:
			if leg := attack.HorseLeg[k][at]; leg != attack.None && b.on[leg] == 0 {
				return true
			}
		case attack.Soldier + 1:
			if attack.SoldierReach[enemy][at].Has(k) {
				return true
			}
		}
	}
	return false
}

// near are the squares on which a change can open or shut a line to a square, or free the leg
// of a horse that attacks it: its file, its row, and those beside it in slant.
var near [area]set

func init() {
	for s := range square(area) {
		for o := range square(area) {
			dx, dy := int(attack.X[s])-int(attack.X[o]), int(attack.Y[s])-int(attack.Y[o])
			if dx == 0 || dy == 0 || dx*dx+dy*dy == 2 {
				near[s].Add(o)
			}
		}
	}
}

// touches reports whether a move that was made can have attacked the king of a side, or
// opened a line to it: where it does not, nothing that concerns the king has changed. Pieces
// that attack it anew do so from near, but for horses.
func (b *position) touches(m move, side int) bool {
	k := b.king[side]
	return near[k].Meets(attack.Bit[m.from()].Or(attack.Bit[m.to()])) || attack.HorseLeg[k][m.to()] != attack.None
}

// captures and empty are the squares that captures and quiet moves go to.
func (b *position) captures() set { return b.own[b.turn^1] }
func (b *position) empty() set    { return attack.Everywhere.Less(b.own[0].Or(b.own[1])) }

// moves appends the moves of the side to move to squares of a set, none of which has a
// piece of its own. They may leave the king attacked.
func (b *position) moves(dst []move, mask set) []move {
	for own := b.own[b.turn]; !own.Empty(); {
		s := own.Pop()
		for t := b.reach(b.turn, kindOf[b.on[s]&15], s).And(mask); !t.Empty(); {
			dst = append(dst, step(s, t.Pop()))
		}
	}
	return dst
}

// can reports whether a move that was found elsewhere can be made here, but for the
// safety of the king.
func (b *position) can(m move) bool {
	from, to := m.from(), m.to()
	if m == 0 || from >= area || to >= area || !b.own[b.turn].Has(from) || b.own[b.turn].Has(to) {
		return false
	}
	return b.reach(b.turn, kindOf[b.on[from]&15], from).Has(to)
}

// gives reports whether a move attacks the enemy's king: it is tried.
func (b *position) gives(m move) bool {
	if !b.touches(m, b.turn^1) {
		return false
	}
	f := b.play(m)
	check := b.attacked(b.turn)
	b.back(m, f)
	return check
}
