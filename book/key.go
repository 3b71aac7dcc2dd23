package book

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Key names a position: it is the same for all pictures of the position under
// the symmetries of its game, those that exchange the sides among them, and for
// every way to it. On the 8x8 board of Othello it is the position itself: Hi are
// the discs of the side to move and Lo those of the other, in the picture where
// the pair is smallest. For every other game it is a hash of 128 bits of the
// pieces, the turn and the fields of Setup.Extra.
//
// What a board does not show is no part of it: two positions of Go that differ by
// a ko point alone are one, as are those of Xiangqi that differ by counts of
// repetition. Keys are part of file formats and never change.
type Key struct{ Hi, Lo uint64 }

// print returns 64 well mixed bits of a key. Tables of nodes hold these alone: of
// a million books of ten million positions, three would have two that share one.
func (k Key) print() uint64 { return board.Mix(k.Hi ^ board.Mix(k.Lo+0x9E3779B97F4A7C15)) }

// noCode and passCode are the codes of moves that are no moves on the board. A
// code has 13 bits.
const (
	noCode   = 1<<13 - 1
	passCode = noCode - 1
)

// worded is a position of Othello on 8x8.
type worded interface {
	Discs(game.Side) uint64
	Legal() uint64
}

// Keyer makes keys of positions of one game. It holds buffers and is not safe for
// concurrent use.
type Keyer struct {
	rules game.Rules
	size  board.Size
	swap  []board.Piece // swap[p-1] is piece p of the other side
	syms  []game.Symmetry
	words bool          // positions are worded
	folds bool          // a pass is legal only where it is forced
	steps bool          // pieces move from point to point
	extra bool          // positions have fields of Setup.Extra
	names []board.Piece // that moves may name
	keys  []Key
	sums  []Key // of the position at hand, one for each picture
}

// NewKeyer returns a keyer for positions of a game.
func NewKeyer(r game.Rules) *Keyer {
	k := &Keyer{rules: r, size: r.Geometry().Size, syms: r.Info().Symmetries}
	k.extra = len(r.Info().Extra) > 0
	for i, look := range r.Geometry().Pieces {
		k.swap = append(k.swap, look.Swap)
		if look.Owner == int(game.First) && r.Info().NamesPieces {
			k.names = append(k.names, board.Piece(i+1))
		}
	}
	start := r.Start()
	if moves := start.AppendMoves(nil); len(moves) > 0 {
		k.steps = moves[0].From() != board.NoPoint
	}
	k.folds = start.Play(game.Pass) != nil
	if _, ok := start.(worded); ok && len(k.syms) == 2*int(board.NumSymmetries) {
		k.words = true
		return k
	}
	kinds := len(k.swap)
	k.keys = make([]Key, k.size.Area()*kinds*len(k.syms))
	k.sums = make([]Key, len(k.syms))
	for p := range k.size.Points() {
		for piece := range kinds {
			for i, sym := range k.syms {
				to := board.Piece(piece + 1)
				if sym.Swap {
					to = k.swap[piece]
				}
				z := board.Zobrist(to, sym.Board.Apply(k.size, p))
				k.keys[(k.size.Index(p)*kinds+piece)*len(k.syms)+i] = Key{z, board.Mix(z ^ 0xA0761D6478BD642F)}
			}
		}
	}
	return k
}

// Rules returns the rules of the game.
func (k *Keyer) Rules() game.Rules { return k.rules }

// Fold plays the pass of a side that must pass, and reports whether there was
// one. A pass that is a choice is a move like others.
func (k *Keyer) Fold(p game.Position) bool {
	if !k.folds {
		return false
	}
	if w, ok := p.(worded); ok && w.Legal() != 0 {
		return false
	}
	return p.Play(game.Pass) == nil
}

// Key returns the key of a position, and a symmetry that takes it to the picture
// that the key is of. Where the side to move must pass, both are those of the
// position behind the pass. The position is played on and restored.
func (k *Keyer) Key(p game.Position) (Key, game.Symmetry) {
	folded := k.Fold(p)
	s := k.see(p)
	if folded {
		p.Undo()
	}
	return s.key, k.sym(s.pictures)
}

// sight is a position as a keyer sees it.
type sight struct {
	key      Key
	pictures uint32 // the symmetries that take it to its picture, one bit each
	pieces   int    // on the board
	turn     game.Side
}

// sym returns the first of the symmetries of a set.
func (k *Keyer) sym(pictures uint32) game.Symmetry {
	i := bits.TrailingZeros32(pictures)
	if k.words {
		return game.Symmetry{Board: board.Symmetry(i & 7), Swap: i >= 8}
	}
	return k.syms[i]
}

// see looks at a position as it stands.
func (k *Keyer) see(p game.Position) sight {
	if k.words {
		w := p.(worded)
		turn := p.Turn()
		own, opp := w.Discs(turn), w.Discs(turn^1)
		s := sight{pieces: bits.OnesCount64(own | opp), turn: turn}
		s.key, s.pictures = canonical(own, opp)
		s.pictures <<= 8 * turn // the side to move is the first in the picture
		return s
	}
	s := sight{turn: p.Turn()}
	for i, sym := range k.syms {
		turn := s.turn
		if sym.Swap {
			turn ^= 1
		}
		k.sums[i] = Key{Lo: uint64(turn)}
	}
	if k.extra {
		k.seeExtra(p)
	}
	if planes, _ := game.Shown(p); planes != nil {
		s.pieces = k.seePieces(planes)
	}
	s.key, s.pictures = k.sums[0], 1
	for i, sum := range k.sums[1:] {
		switch {
		case sum == s.key:
			s.pictures |= 2 << i
		case sum.Hi < s.key.Hi || sum.Hi == s.key.Hi && sum.Lo < s.key.Lo:
			s.key, s.pictures = sum, 2<<i
		}
	}
	return s
}

// seePieces adds the pieces of a board to the sums, and counts them.
func (k *Keyer) seePieces(planes *board.Planes) (pieces int) {
	n := len(k.syms)
	for piece := range planes.Of {
		for y, row := range planes.Of[piece][:k.size.H] {
			for ; row != 0; row &= row - 1 {
				at := (y*k.size.W+bits.TrailingZeros32(row))*len(k.swap) + piece
				pieces++
				for i, z := range k.keys[at*n : at*n+n] {
					k.sums[i].Hi ^= z.Hi
					k.sums[i].Lo ^= z.Lo
				}
			}
		}
	}
	return pieces
}

// seeExtra adds what else makes a position to the sums.
func (k *Keyer) seeExtra(p game.Position) {
	noted, ok := p.(game.Noted)
	if !ok {
		return
	}
	var setup game.Setup
	noted.Note(&setup)
	for i, sym := range k.syms {
		z := game.ExtraKey(k.rules, setup.Extra, sym)
		k.sums[i].Hi ^= z
		k.sums[i].Lo ^= board.Mix(z ^ 0xA0761D6478BD642F)
	}
}

// canonical returns the smallest picture of a pair of words, and the set of the
// board symmetries that give it.
func canonical(own, opp uint64) (Key, uint32) {
	var list [board.NumSymmetries]Key
	a := Key{own, opp}
	for i := 0; i < 8; i += 4 {
		list[i] = a
		list[i+1] = Key{mirror(a.Hi), mirror(a.Lo)}
		list[i+2] = Key{bits.ReverseBytes64(a.Hi), bits.ReverseBytes64(a.Lo)}
		list[i+3] = Key{bits.ReverseBytes64(list[i+1].Hi), bits.ReverseBytes64(list[i+1].Lo)}
		a = Key{transpose(own), transpose(opp)}
	}
	// The value first and its places afterwards: no branch that cannot be
	// foretold.
	least := min(list[0].Hi, list[1].Hi, list[2].Hi, list[3].Hi, list[4].Hi, list[5].Hi, list[6].Hi, list[7].Hi)
	best, set := Key{least, ^uint64(0)}, uint32(0)
	for i, p := range &list {
		if p.Hi != least {
			continue
		}
		if p.Lo < best.Lo {
			best.Lo, set = p.Lo, 1<<i
		} else if p.Lo == best.Lo {
			set |= 1 << i
		}
	}
	return best, set
}

// mirror exchanges left and right in a word of eight rows.
func mirror(x uint64) uint64 {
	x = x>>1&0x5555555555555555 | x&0x5555555555555555<<1
	x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
	return x>>4&0x0F0F0F0F0F0F0F0F | x&0x0F0F0F0F0F0F0F0F<<4
}

// transpose exchanges rows and columns in a word of eight rows.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00AA00AA00AA00AA
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000CCCC0000CCCC
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000F0F0F0F0
	return x ^ t ^ t<<28
}

// plain returns the code of a move as it is on the board, noCode for what has
// none: moves of pieces on boards of more than 90 points, and what leaves no room
// in 13 bits of those that name a piece. Behind the codes of plain moves come
// drops that name a piece, then steps to a neighbour that do: what chess and its
// like have.
func (k *Keyer) plain(m game.Move) uint16 {
	to, from, area := m.To(), m.From(), k.size.Area()
	switch {
	case m == game.Pass:
		return passCode
	case !k.size.Has(to) || from != board.NoPoint && !k.size.Has(from):
		return noCode
	}
	name := slices.Index(k.names, m.Piece())
	code, behind := k.size.Index(to), k.unnamed()
	switch {
	case m.Piece() == board.Empty:
		if k.steps != (from != board.NoPoint) {
			return noCode
		}
		if k.steps {
			code += k.size.Index(from) * area
		}
	case name < 0:
		return noCode
	case from == board.NoPoint:
		code += behind + name*area
	default:
		dx, dy := to.X()-from.X()+1, to.Y()-from.Y()+1
		if dx < 0 || dx > 2 || dy < 0 || dy > 2 {
			return noCode
		}
		code = behind + len(k.names)*area + (k.size.Index(from)*9+dy*3+dx)*len(k.names) + name
	}
	if code >= passCode {
		return noCode
	}
	return uint16(code)
}

// unnamed returns how many codes moves that name no piece have. Games of drops
// and games of moving pieces share none, since no game has both of them.
func (k *Keyer) unnamed() int {
	if k.steps {
		return k.size.Area() * k.size.Area()
	}
	return k.size.Area()
}

// move returns the move of a code of plain; NoMove where there is none.
func (k *Keyer) move(code uint16) game.Move {
	area, named := k.size.Area(), int(code)-k.unnamed()
	switch {
	case code == passCode:
		return game.Pass
	case named < 0 && k.steps:
		return game.Step(k.size.Point(int(code)/area), k.size.Point(int(code)%area))
	case named < 0:
		return game.Drop(k.size.Point(int(code)))
	case named < len(k.names)*area:
		return game.Drop(k.size.Point(named % area)).Naming(k.names[named/area])
	}
	named -= len(k.names) * area
	if len(k.names) == 0 || named >= 9*area*len(k.names) {
		return game.NoMove
	}
	side := named / len(k.names)
	from := k.size.Point(side / 9)
	x, y := from.X()+side%3-1, from.Y()+side%9/3-1
	if x < 0 || y < 0 || x >= k.size.W || y >= k.size.H {
		return game.NoMove
	}
	return game.Step(from, board.At(x, y)).Naming(k.names[named%len(k.names)])
}

// edge returns the code of a move in the picture of its position. Moves that the
// symmetries of the position take to each other have one code: the smallest.
func (k *Keyer) edge(m game.Move, pictures uint32) uint16 {
	code := uint16(noCode)
	for ; pictures != 0; pictures &= pictures - 1 {
		code = min(code, k.plain(m.Transform(k.size, k.sym(pictures).Board)))
	}
	return code
}

// unedge returns the move on the board that a code in its picture stands for. Of
// several it is the one furthest to the right, then to the top: f5 in Othello,
// Q16 in Go, as books write them.
func (k *Keyer) unedge(code uint16, pictures uint32) game.Move {
	best := game.NoMove
	for ; pictures != 0; pictures &= pictures - 1 {
		m := k.move(code).Transform(k.size, k.sym(pictures).Board.Inverse())
		if best == game.NoMove || Further(m, best) {
			best = m
		}
	}
	return best
}

// Further reports whether a move stands for another that is the same by symmetry:
// the one more to the right, then more to the top.
func Further(m, o game.Move) bool {
	for _, p := range [2][2]board.Point{{m.To(), o.To()}, {m.From(), o.From()}} {
		if p[0].X() != p[1].X() {
			return p[0].X() > p[1].X()
		}
		if p[0].Y() != p[1].Y() {
			return p[0].Y() < p[1].Y()
		}
	}
	return false
}
