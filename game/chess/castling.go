package chess

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// ways is how the sides may castle in one game. Positions share it.
type ways struct {
	onto   bool       // the move is that of the king onto its rook
	corner [4]square  // where the rook of each right stands, none where there never was one
	lost   [64]rights // those that are lost when something leaves a square or comes there
	keys   [16]uint64 // of each set of rights
}

// usualWays are those of chess from its one beginning.
var usualWays = func() (w ways) {
	w.corner = [4]square{7, 0, 63, 56}
	for i, s := range w.corner {
		w.lost[s] |= 1 << i
		w.lost[4+56*(i/2)] |= 1 << i
	}
	for i := range w.keys {
		w.keys[i] = board.Mix(0x6368_6573_7310 + uint64(i))
	}
	return w
}()

// newWays returns the ways of kings and rooks that stand where a position has them.
func newWays(home [2]square, corner [4]square) *ways {
	w := &ways{onto: true, corner: corner}
	for i := range w.keys {
		w.keys[i] = usualWays.keys[0]
	}
	for i, s := range corner {
		if s == attack.None {
			continue
		}
		w.lost[s] |= 1 << i
		w.lost[home[i/2]] |= 1 << i
		key := board.Mix(0x6368_6573_7380 + uint64(i*8+s.File()))
		for j := range w.keys {
			if j>>i&1 != 0 {
				w.keys[j] ^= key
			}
		}
	}
	return w
}

// rightLetters are those of the rights, in their order.
const rightLetters = "KQkq"

// noteRights reads the rights to castle: of FEN, X-FEN or Shredder-FEN.
func (p *Position) noteRights(value string) error {
	corner := [4]square{attack.None, attack.None, attack.None, attack.None}
	for _, c := range value {
		i, at, err := p.right(c)
		if err != nil {
			return err
		}
		p.rights |= 1 << i
		corner[i] = at
	}
	if p.rules.onto {
		p.ways = newWays([2]square{p.of[0][king].First(), p.of[1][king].First()}, corner)
	}
	return nil
}

// right reads one letter: which right it is, and where its rook stands.
func (p *Position) right(c rune) (i int, corner square, err error) {
	side := game.Side(0)
	if c >= 'a' {
		side = Black
	}
	k := p.of[side][king].First()
	row := set(attack.Rank1) << (56 * side)
	rooks := p.of[side][rook] & row
	i = strings.IndexRune(rightLetters, c)
	file := strings.IndexRune("ABCDEFGH", c&^0x20)
	if i < 0 && file < 0 || c > 'z' {
		return 0, attack.None, fmt.Errorf("chess: %q is no right to castle: write some of KQkq, or -", c)
	}
	if !p.rules.onto {
		home := square(4 + 56*int(side))
		switch {
		case i >= 0:
			corner = usualWays.corner[i]
		case file == 0 || file == 7:
			corner = attack.At(file, home.Rank())
			i = slices.Index(usualWays.corner[:], corner)
		default:
			return 0, attack.None, fmt.Errorf("chess: %q is a right to castle of chess:960: write some of KQkq, or -", c)
		}
		if k != home || !rooks.Has(corner) {
			return 0, attack.None, fmt.Errorf("chess: castling %c needs the king on %s and a rook on %s; in chess:960 they may begin elsewhere", c, p.rules.name(home), p.rules.name(corner))
		}
		return i, corner, nil
	}
	if !row.Has(k) {
		return 0, attack.None, fmt.Errorf("chess: castling %c needs the king on its first rank, and it stands on %s", c, p.rules.name(k))
	}
	beyond := rooks & (k.Bit() - 1)
	if i >= 0 && i%2 == 0 || file > k.File() {
		beyond = rooks &^ (k.Bit() - 1)
	}
	switch {
	case file >= 0:
		corner = attack.At(file, k.Rank())
		i = 2 * int(side)
		if corner < k {
			i++
		}
	case i%2 == 0 && beyond != 0: // the outermost
		corner = beyond.Last()
	case beyond != 0:
		corner = beyond.First()
	default:
		return 0, attack.None, fmt.Errorf("chess: castling %c needs a rook on that side of the king on %s", c, p.rules.name(k))
	}
	if !beyond.Has(corner) {
		return 0, attack.None, fmt.Errorf("chess: castling %c needs a rook on %s", c, p.rules.name(corner))
	}
	if p.rules.onto && p.rights>>i&1 != 0 {
		return 0, attack.None, fmt.Errorf("chess: castling %q twice on one side of the king", c)
	}
	return i, corner, nil
}

// extra returns rights and passing as Setup.Extra has them. A right is the letter of
// its side of the king; in chess:960 it is that of the rook's file where another rook
// stands further out.
func (p *Position) extra() string {
	var text []byte
	if p.rights != 0 {
		text = append(text, "castling="...)
		for i, s := range p.ways.corner {
			if p.rights>>i&1 == 0 {
				continue
			}
			c := rightLetters[i]
			if p.ways.onto {
				out := p.of[i/2][rook] & (attack.Rank1 << (56 * (i / 2)))
				if i%2 == 0 && out.Last() != s || i%2 == 1 && out.First() != s {
					c = "ABCDEFGH"[s.File()] | c&0x20
				}
			}
			text = append(text, c)
		}
	}
	if p.passed != attack.None {
		if text != nil {
			text = append(text, ' ')
		}
		text = append(text, "passing="...)
		text = p.rules.appendSquare(text, p.passed)
	}
	return string(text)
}

// castled returns where king and rook stand after castling with the rook of a corner.
func castled(from, corner square) (k, r square) {
	row := from &^ 7
	if corner > from {
		return row + 6, row + 5
	}
	return row + 2, row + 3
}

// castles returns the rook that a move of the king castles with; none for another move.
func (p *Position) castles(from, to square) square {
	switch {
	case p.ways.onto:
		if p.own[p.turn].Has(to) {
			return to
		}
	case !p.rules.castles:
	case from+2 == to:
		return to + 1
	case to+2 == from:
		return to - 2
	}
	return attack.None
}

// castleTo returns where a king goes that castles to one side; none where it has never
// been able to.
func (p *Position) castleTo(k square, short bool) square {
	i := 2 * int(p.turn)
	if !short {
		i++
	}
	corner := p.ways.corner[i]
	switch {
	case !p.rules.castles || p.rights>>i&1 == 0 || corner == attack.None:
		return attack.None
	case p.ways.onto:
		return corner
	}
	to, _ := castled(k, corner)
	return to
}

// castlings returns the rooks that the king of the side to move may castle with where
// it moves onto them. It is not in check.
func (p *Position) castlings(from square) (to set) {
	us := p.turn
	all := p.occupied()
	for i := 2 * int(us); i < 2*int(us)+2; i++ {
		if p.rights>>i&1 == 0 {
			continue
		}
		corner := p.ways.corner[i]
		k, r := castled(from, corner)
		way := attack.Between[from][k&63] | k.Bit()
		if all&^(from.Bit()|corner.Bit())&(way|attack.Between[corner&63][r&63]|r.Bit()) != 0 {
			continue
		}
		safe := p.attackers(us^1, k, all&^(from.Bit()|corner.Bit())|r.Bit()) == 0
		for way &^= from.Bit(); safe && way != 0; {
			safe = p.attackers(us^1, way.Pop(), all&^from.Bit()) == 0
		}
		if safe {
			to |= corner.Bit()
		}
	}
	return to
}

// castle makes a move that castles. What does not depend on it is done.
func (p *Position) castle(last *ply, corner square) {
	k, r := castled(last.from, corner)
	own, tower := last.was, pieceOf(p.turn, rook)
	last.taken, last.castled = board.Empty, corner
	p.lift(last.from)
	p.lift(corner)
	p.put(k, own)
	p.put(r, tower)
	keys := &p.rules.keys
	p.hash ^= keys[own][last.from] ^ keys[own][k] ^ keys[tower][corner] ^ keys[tower][r]
	p.rights &^= short(p.turn) | long(p.turn)
	p.passed = attack.None
	p.turn ^= 1
	p.view.known, p.drawn = false, false
	p.hash ^= p.ways.keys[p.rights] ^ passedKeys[attack.None]
}

// uncastle puts king and rook back.
func (p *Position) uncastle(m *ply) {
	k, r := castled(m.from, m.castled)
	tower := p.on[r]
	p.lift(k)
	p.lift(r)
	p.put(m.from, m.was)
	p.put(m.castled, tower)
}

// appendCastled appends what castling changed.
func (p *Position) appendCastled(dst []game.Changed, m *ply) []game.Changed {
	k, r := castled(m.from, m.castled)
	tower := pieceOf(sideOf(m.was), rook)
	was := func(s square) board.Piece {
		switch s {
		case m.from:
			return m.was
		case m.castled:
			return tower
		}
		return board.Empty
	}
	rest := []square{k, r, m.castled}
	slices.Sort(rest)
	seen := set(0)
	for _, s := range append([]square{m.to, m.from}, rest...) {
		if !seen.Has(s) && p.on[s] != was(s) {
			dst = append(dst, game.Changed{Point: p.rules.pointOf[s], Piece: p.on[s]})
		}
		seen |= s.Bit()
	}
	return dst
}

// meant returns where a king goes that is told to go to a square: castling may be
// written as the king onto its rook or to where it ends, whichever the game has.
func (p *Position) meant(from, to square) square {
	if p.ways.onto {
		if p.own[p.turn].Has(to) || attack.Leaps[attack.OfKing][from&63].Has(to) {
			return to
		}
		for reach := p.castlings(from); reach != 0 && p.survey().checkers == 0; {
			corner := reach.Pop()
			if k, _ := castled(from, corner); k == to {
				return corner
			}
		}
		return to
	}
	if p.of[p.turn][rook].Has(to) && from.Rank() == to.Rank() && p.ways.lost[to&63]&p.rights != 0 {
		if k, _ := castled(from, to); p.destinations(from).Has(k) {
			return k // the king takes its own rook: castling, as some engines write it
		}
	}
	return to
}

// castlesElsewhere reports whether a king of the usual game stands on its first rank
// beside its place, where it could castle in chess:960 alone.
func (p *Position) castlesElsewhere(k square) bool {
	return p.rules.castles && !p.rules.onto && k.Rank() == 7*int(p.turn) && k.File() != 4
}

// noCastle returns the reason why a king does not castle.
func (p *Position) noCastle(k square) error {
	if p.castlesElsewhere(k) {
		return ErrShuffled
	}
	return ErrCastle
}

// Also returns another point by which players may point at a legal move that castles:
// the rook, or where that is how the move is made, the square that the king ends on.
func (r *Rules) Also(gp game.Position, m game.Move) (at board.Point, ok bool) {
	p := gp.(*Position)
	from, to, _, err := r.squares(m)
	if err != nil || p.on[from] == board.Empty || kindOf(p.on[from]) != king {
		return board.NoPoint, false
	}
	corner := p.castles(from, to)
	if corner == attack.None {
		return board.NoPoint, false
	}
	if !p.ways.onto {
		return r.pointOf[corner], true
	}
	k, _ := castled(from, corner)
	if k == from || p.destinations(from).Has(k) {
		return board.NoPoint, false // a move of its own
	}
	return r.pointOf[k], true
}

// Castling returns where the rooks stand that the sides may still castle with: White's of
// the short side and of the long one, then Black's; attack.None where they may not.
func (p *Position) Castling() (corner [4]attack.Square) {
	for i := range corner {
		corner[i] = attack.None
		if p.rights>>i&1 != 0 {
			corner[i] = p.ways.corner[i]
		}
	}
	return corner
}

// Passing returns the square behind a pawn that may be taken in passing, or attack.None.
func (p *Position) Passing() attack.Square { return p.passed }

// Quiet returns the plies since a capture or a move of a pawn.
func (p *Position) Quiet() int { return int(p.quiet) }

// Onto reports whether castling is the move of the king onto its rook.
func (r *Rules) Onto() bool { return r.onto }
