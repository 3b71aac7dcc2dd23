package chess

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/chess/attack"
)

type (
	square = attack.Square
	set    = attack.Set
)

// A piece is 0 for nothing, 1 to 6 for White's king, queen, rook, bishop, knight and pawn,
// 7 to 12 for Black's.
type piece = uint8

// The kinds of pieces.
const (
	king = iota
	queen
	rook
	bishop
	knight
	pawn
	kinds
)

var (
	kindOf   [16]uint8
	keys     [13][64]uint64
	rightKey [4][8]uint64
	passKey  [65]uint64
)

const turnKey = 0x6A09E667F3BCC909

func init() {
	for p := range piece(12) {
		kindOf[p+1] = p % kinds
		for s := range keys[p+1] {
			keys[p+1][s] = board.Mix(uint64(p+1)<<8 | uint64(s) | 1<<20)
		}
	}
	for i := range rightKey {
		for f := range rightKey[i] {
			rightKey[i][f] = board.Mix(uint64(i*8+f) | 1<<21)
		}
	}
	for s := range 64 {
		passKey[s] = board.Mix(uint64(s&7) | 1<<22)
	}
}

// sideOf returns the side of a piece: 0 or 1.
func sideOf(p piece) int { return int(p+9) >> 4 }

func pieceOf(side int, k uint8) piece { return k + 1 + kinds*piece(side) }

// move is from in the low six bits, to in the next, and what a pawn becomes above them: its
// kind, 0 for nothing. Castling is the king onto its rook. 0 is none, since no piece goes
// from a square to itself.
type move uint16

func step(from, to square) move { return move(from&63) | move(to&63)<<6 }

func (m move) from() square    { return square(m & 63) }
func (m move) to() square      { return square(m >> 6 & 63) }
func (m move) become() uint8   { return uint8(m >> 12) }
func (m move) as(k uint8) move { return m | move(k)<<12 }

// position is a board with the side to move, kept in step by play and back.
type position struct {
	on     [64]piece
	of     [2][kinds]set
	own    [2]set
	corner [4]square // rooks that may still castle, None for those that may not
	onto   bool      // how the rules write castling
	turn   int
	passed square // the square behind a pawn that may be taken in passing
	hash   uint64
	pawns  uint64 // key of pawns and kings alone
	sum    score  // what pieces are worth where they stand, White's less Black's
	full   int    // how full the board is
	quiet  int32  // plies since a capture or a move of a pawn
}

// former is what taking a move back needs.
type former struct {
	hash, pawns uint64
	corner      [4]square
	sum         score
	full        int
	quiet       int32
	passed      square
	taken       piece
	castled     bool
}

// arrange returns the position of the rules.
func arrange(gp game.Position) (b position) {
	p := gp.(*chess.Position)
	b.passed, b.onto = attack.None, p.Rules().Onto()
	planes := p.Planes()
	for i := range planes.Of[:12] {
		for point := range planes.Of[i].Points() {
			b.put(squareOf(point), piece(i+1))
		}
	}
	b.corner = p.Castling()
	for i, s := range b.corner {
		if s != attack.None {
			b.hash ^= rightKey[i][s&7]
		}
	}
	if b.passed = p.Passing(); b.passed != attack.None {
		b.hash ^= passKey[b.passed]
	}
	if p.Turn() == game.Second {
		b.turn = 1
		b.hash ^= turnKey
	}
	b.quiet = int32(p.Quiet())
	return b
}

func squareOf(p board.Point) square { return attack.At(p.X(), 7-p.Y()) }
func pointOf(s square) board.Point  { return board.At(s.File(), 7-s.Rank()) }

// outer returns a move as the rules write it.
func (b *position) outer(m move) game.Move {
	from, to := m.from(), m.to()
	if !b.onto && kindOf[b.on[from]&15] == king && b.castles(m) {
		to, _ = ends(from, to)
	}
	g := game.Step(pointOf(from), pointOf(to))
	if k := m.become(); k != 0 {
		g = g.Naming(board.Piece(k + 1))
	}
	return g
}

// inner returns a move of the rules in this position, 0 for what is none.
func (b *position) inner(g game.Move) move {
	if g.From() == board.NoPoint || g.To() == board.NoPoint || g.From().X() > 7 || g.From().Y() > 7 || g.To().X() > 7 || g.To().Y() > 7 {
		return 0
	}
	from, to := squareOf(g.From()), squareOf(g.To())
	if kindOf[b.on[from]&15] == king && !b.onto && b.on[from] != 0 {
		switch {
		case from+2 == to:
			to = from | 7
		case to+2 == from:
			to = from &^ 7
		}
	}
	m := step(from, to)
	if n := g.Piece(); n != board.Empty {
		m = m.as(uint8(n - 1))
	}
	return m
}

// castles reports whether a move of the king is castling.
func (b *position) castles(m move) bool { return b.own[b.turn].Has(m.to()) }

// ends returns where king and rook come to when they castle.
func ends(from, corner square) (k, r square) {
	row := from &^ 7
	if corner > from {
		return row + 6, row + 5
	}
	return row + 2, row + 3
}

// put and lift change one square, and everything that hangs on it.
func (b *position) put(s square, p piece) {
	side, k, bit := sideOf(p), kindOf[p&15], s.Bit()
	b.on[s&63] = p
	b.of[side][k] |= bit
	b.own[side] |= bit
	key := keys[p][s&63]
	b.hash ^= key
	if k == pawn || k == king {
		b.pawns ^= key
	}
	b.sum += stands[p][s&63]
	b.full += phaseOf[k]
}

func (b *position) lift(s square, p piece) {
	side, k, bit := sideOf(p), kindOf[p&15], s.Bit()
	b.on[s&63] = 0
	b.of[side][k] &^= bit
	b.own[side] &^= bit
	key := keys[p][s&63]
	b.hash ^= key
	if k == pawn || k == king {
		b.pawns ^= key
	}
	b.sum -= stands[p][s&63]
	b.full -= phaseOf[k]
}

// stand and leave change the board alone, for moves that are taken back.
func (b *position) stand(s square, p piece) {
	side, bit := sideOf(p), s.Bit()
	b.on[s&63] = p
	b.of[side][kindOf[p&15]] |= bit
	b.own[side] |= bit
}

func (b *position) leave(s square, p piece) {
	side, bit := sideOf(p), s.Bit()
	b.on[s&63] = 0
	b.of[side][kindOf[p&15]] &^= bit
	b.own[side] &^= bit
}

// lose takes the rights away that hang on a square.
func (b *position) lose(i int) {
	if s := b.corner[i]; s != attack.None {
		b.hash ^= rightKey[i][s&7]
		b.corner[i] = attack.None
	}
}

// play makes a move, which may leave the own king attacked.
func (b *position) play(m move) (f former) {
	from, to := m.from(), m.to()
	us := b.turn
	p, taken := b.on[from], b.on[to]
	f = former{b.hash, b.pawns, b.corner, b.sum, b.full, b.quiet, b.passed, taken, false}
	b.quiet++
	if b.passed != attack.None {
		b.hash ^= passKey[b.passed]
	}
	passed := attack.None
	k := kindOf[p&15]
	switch {
	case k == king:
		castles := taken != 0 && sideOf(taken) == us
		b.lose(2 * us)
		b.lose(2*us + 1)
		if castles {
			f.taken, f.castled = 0, true
			ke, re := ends(from, to)
			b.lift(from, p)
			b.lift(to, taken)
			b.put(ke, p)
			b.put(re, taken)
			b.passed = attack.None
			b.turn ^= 1
			b.hash ^= turnKey
			return f
		}
	case k == pawn:
		b.quiet = 0
		if to == b.passed {
			f.taken = pieceOf(us^1, pawn)
			b.lift(to^8, f.taken)
		} else if from^to == 16 {
			// Only where somebody could take it; whether the king allows it is seen later.
			if mid := (from + to) / 2; attack.Strikes[us][mid&63]&b.of[us^1][pawn] != 0 {
				passed = mid
			}
		}
	case k == rook:
		if from == b.corner[2*us] {
			b.lose(2 * us)
		} else if from == b.corner[2*us+1] {
			b.lose(2*us + 1)
		}
	}
	if taken != 0 {
		b.quiet = 0
		b.lift(to, taken)
		if to == b.corner[2-2*us] {
			b.lose(2 - 2*us)
		} else if to == b.corner[3-2*us] {
			b.lose(3 - 2*us)
		}
	}
	b.lift(from, p)
	if n := m.become(); n != 0 {
		p = pieceOf(us, n)
	}
	b.put(to, p)
	if b.passed = passed; passed != attack.None {
		b.hash ^= passKey[passed]
	}
	b.turn ^= 1
	b.hash ^= turnKey
	return f
}

// back takes a move back.
func (b *position) back(m move, f former) {
	from, to := m.from(), m.to()
	b.turn ^= 1
	us := b.turn
	p := b.on[to]
	switch {
	case f.castled:
		ke, re := ends(from, to)
		b.leave(ke, pieceOf(us, king))
		b.leave(re, pieceOf(us, rook))
		b.stand(from, pieceOf(us, king))
		b.stand(to, pieceOf(us, rook))
	default:
		b.leave(to, p)
		if m.become() != 0 {
			p = pieceOf(us, pawn)
		}
		b.stand(from, p)
		if f.taken != 0 {
			at := to
			if to == f.passed && kindOf[p&15] == pawn {
				at = to ^ 8
			}
			b.stand(at, f.taken)
		}
	}
	b.hash, b.pawns, b.corner, b.sum, b.full, b.quiet, b.passed = f.hash, f.pawns, f.corner, f.sum, f.full, f.quiet, f.passed
}

// pass gives the move to the other side; the square to take in passing is gone.
func (b *position) pass() (f former) {
	f = former{hash: b.hash, quiet: b.quiet, passed: b.passed}
	if b.passed != attack.None {
		b.hash ^= passKey[b.passed]
		b.passed = attack.None
	}
	b.turn ^= 1
	b.hash ^= turnKey
	b.quiet = 0 // what repeats does not reach over a pass
	return f
}

func (b *position) unpass(f former) {
	b.turn ^= 1
	b.hash, b.quiet, b.passed = f.hash, f.quiet, f.passed
}

func (b *position) all() set { return b.own[0] | b.own[1] }

// takers returns the pieces of both sides that attack a square of a board that is occupied so.
func (b *position) takers(s square, all set) set {
	return attack.Leaps[attack.OfKnight][s&63]&(b.of[0][knight]|b.of[1][knight]) |
		attack.Leaps[attack.OfKing][s&63]&(b.of[0][king]|b.of[1][king]) |
		attack.Strikes[1][s&63]&b.of[0][pawn] | attack.Strikes[0][s&63]&b.of[1][pawn] |
		attack.Slide(attack.OfBishop, s, all)&(b.of[0][bishop]|b.of[1][bishop]|b.of[0][queen]|b.of[1][queen]) |
		attack.Slide(attack.OfRook, s, all)&(b.of[0][rook]|b.of[1][rook]|b.of[0][queen]|b.of[1][queen])
}

// hit reports whether a side attacks a square of a board that is occupied so.
func (b *position) hit(by int, s square, all set) bool {
	of := &b.of[by]
	return attack.Leaps[attack.OfKnight][s&63]&of[knight]|attack.Leaps[attack.OfKing][s&63]&of[king]|attack.Strikes[by^1][s&63]&of[pawn] != 0 ||
		attack.Slide(attack.OfBishop, s, all)&(of[bishop]|of[queen]) != 0 || attack.Slide(attack.OfRook, s, all)&(of[rook]|of[queen]) != 0
}

// attacked reports whether the king of a side is attacked.
func (b *position) attacked(side int) bool {
	return b.hit(side^1, b.of[side][king].First(), b.all())
}

// reach returns the squares that a piece goes to or protects, other than a pawn.
func reach(k uint8, s square, all set) set {
	switch k {
	case queen:
		return attack.Slide(attack.OfBishop, s, all) | attack.Slide(attack.OfRook, s, all)
	case rook:
		return attack.Slide(attack.OfRook, s, all)
	case bishop:
		return attack.Slide(attack.OfBishop, s, all)
	case knight:
		return attack.Leaps[attack.OfKnight][s&63]
	}
	return attack.Leaps[attack.OfKing][s&63]
}

// captures appends captures and what a pawn becomes; quiets all other moves. They may
// leave the king attacked.
func (b *position) captures(dst []move) []move {
	us := b.turn
	enemy, all := b.own[us^1], b.all()
	for k := king; k < pawn; k++ {
		for own := b.of[us][k]; own != 0; {
			s := own.Pop()
			for to := reach(uint8(k), s, all) & enemy; to != 0; {
				dst = append(dst, step(s, to.Pop()))
			}
		}
	}
	last := attack.Rank1 << (56 * (1 - us))
	for own := b.of[us][pawn]; own != 0; {
		s := own.Pop()
		to := attack.Strikes[us][s&63] & enemy
		if b.passed != attack.None {
			to |= attack.Strikes[us][s&63] & b.passed.Bit()
		}
		ahead := s.Bit() << 8
		if us == 1 {
			ahead = s.Bit() >> 8
		}
		to |= ahead & last &^ all
		for to != 0 {
			t := to.Pop()
			if last.Has(t) {
				m := step(s, t)
				dst = append(dst, m.as(queen), m.as(knight), m.as(rook), m.as(bishop))
				continue
			}
			dst = append(dst, step(s, t))
		}
	}
	return dst
}

func (b *position) quiets(dst []move) []move {
	us := b.turn
	all := b.all()
	if b.corner[2*us] != attack.None || b.corner[2*us+1] != attack.None {
		k := b.of[us][king].First()
		for _, corner := range b.corner[2*us : 2*us+2] {
			if corner != attack.None && b.mayCastle(k, corner) {
				dst = append(dst, step(k, corner))
			}
		}
	}
	for k := king; k < pawn; k++ {
		for own := b.of[us][k]; own != 0; {
			s := own.Pop()
			for to := reach(uint8(k), s, all) &^ all; to != 0; {
				dst = append(dst, step(s, to.Pop()))
			}
		}
	}
	own := b.of[us][pawn]
	if us == 0 {
		one := own << 8 &^ all
		two := one & (attack.Rank1 << 16) << 8 &^ all
		for one &^= attack.Rank1 << 56; one != 0; {
			t := one.Pop()
			dst = append(dst, step(t-8, t))
		}
		for two != 0 {
			t := two.Pop()
			dst = append(dst, step(t-16, t))
		}
		return dst
	}
	one := own >> 8 &^ all
	two := one & (attack.Rank1 << 40) >> 8 &^ all
	for one &^= attack.Rank1; one != 0; {
		t := one.Pop()
		dst = append(dst, step(t+8, t))
	}
	for two != 0 {
		t := two.Pop()
		dst = append(dst, step(t+16, t))
	}
	return dst
}

// mayCastle reports whether the king may castle with a rook.
func (b *position) mayCastle(from, corner square) bool {
	us := b.turn
	all := b.all()
	k, r := ends(from, corner)
	way := attack.Between[from&63][k&63] | k.Bit()
	rest := all &^ (from.Bit() | corner.Bit())
	if rest&(way|attack.Between[corner&63][r&63]|r.Bit()) != 0 || b.hit(us^1, from, all) || b.hit(us^1, k, rest|r.Bit()) {
		return false
	}
	for way &^= from.Bit(); way != 0; {
		if b.hit(us^1, way.Pop(), all&^from.Bit()) {
			return false
		}
	}
	return true
}

// can reports whether a move that was found elsewhere can be made here, but for the safety
// of the king.
func (b *position) can(m move) bool {
	from, to := m.from(), m.to()
	us := b.turn
	if m == 0 || !b.own[us].Has(from) {
		return false
	}
	k := kindOf[b.on[from]&15]
	if b.own[us].Has(to) {
		return k == king && m.become() == 0 && (to == b.corner[2*us] || to == b.corner[2*us+1]) && b.mayCastle(from, to)
	}
	if k != pawn {
		return m.become() == 0 && reach(k, from, b.all()).Has(to)
	}
	last := attack.Rank1 << (56 * (1 - us))
	if n := m.become(); last.Has(to) != (n >= queen && n <= knight) || n > knight {
		return false
	}
	if attack.Strikes[us][from&63].Has(to) {
		return b.own[us^1].Has(to) || to == b.passed
	}
	all := b.all()
	ahead := from + 8
	if us == 1 {
		ahead = from - 8
	}
	if all.Has(ahead) {
		return false
	}
	return to == ahead || from^to == 16 && from.Rank() == 1+5*us && !all.Has(to)
}

// loud reports whether a move captures or makes a queen of a pawn: what captures lists.
func (b *position) loud(m move) bool {
	to := m.to()
	return b.own[b.turn^1].Has(to) || m.become() != 0 || to == b.passed && kindOf[b.on[m.from()]&15] == pawn
}

// target returns the kind that a move takes, and whether it takes anything.
func (b *position) target(m move) (k uint8, ok bool) {
	if p := b.on[m.to()]; p != 0 {
		return kindOf[p&15], sideOf(p) != b.turn
	}
	return pawn, m.to() == b.passed && kindOf[b.on[m.from()]&15] == pawn
}
