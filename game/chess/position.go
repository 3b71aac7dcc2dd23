package chess

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

type (
	square = attack.Square
	set    = attack.Set
)

// kind is a kind of piece, of either side.
type kind uint8

const (
	king kind = iota
	queen
	rook
	bishop
	knight
	pawn
	kinds
)

// pieceOf returns the piece of a kind that a side has.
func pieceOf(side game.Side, k kind) board.Piece {
	return board.Piece(1 + uint8(k) + uint8(side)*uint8(kinds))
}

// taken apart: what piece p is, and whose.
func kindOf(p board.Piece) kind      { return kind(p-1) % kinds }
func sideOf(p board.Piece) game.Side { return game.Side(uint8(p-1) / uint8(kinds)) }

// rights are those to castle, a bit each.
type rights uint8

const (
	whiteShort rights = 1 << iota
	whiteLong
	blackShort
	blackLong
)

// short and long return the right of a side.
func short(side game.Side) rights { return whiteShort << (2 * side) }
func long(side game.Side) rights  { return whiteLong << (2 * side) }

// Position is one moment of a game of chess. It is made by Rules and keeps the moves
// that led to it, so that they can be taken back and repetitions be seen. It is not
// safe for concurrent use.
type Position struct {
	rules *Rules
	ways  *ways // how the sides may castle

	// The board, kept in step by put, lift and shift.
	on  [64]board.Piece
	of  [2][kinds]set
	own [2]set

	state
	past []ply

	start struct {
		number int
		turn   game.Side
	}
	planes *board.Planes // what Planes returned; it holds while drawn is set
	drawn  bool
}

// state is what a move changes besides the board.
type state struct {
	hash   uint64 // of pieces, rights and passing; Hash adds the turn
	quiet  int32  // plies since a capture or a move of a pawn
	turn   game.Side
	rights rights
	passed square // the square behind a pawn that may be taken in passing, or none
	view   view
}

// view is what the king of the side to move sees.
type view struct {
	known    bool
	checkers set
	pinned   set // own pieces that may only move on the line through the king
}

// ply is a move that was made, with the state before it.
type ply struct {
	state
	from, to square
	was      board.Piece // what moved
	taken    board.Piece
	takenAt  square
	castled  square // where the rook stood that castled; none for another move
}

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Noted       = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
)

var (
	turnKey    = board.Mix(0x6368_6573_7301)
	passedKeys = func() (k [65]uint64) {
		for i := range attack.None {
			k[i] = board.Mix(0x6368_6573_7330 + uint64(i))
		}
		return k
	}()
)

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Hash returns the key of pieces, rights, passing and turn. It is part of file
// formats.
func (p *Position) Hash() uint64 {
	if p.turn == game.Second {
		return p.hash ^ turnKey
	}
	return p.hash
}

// Rules returns the rules that the position is played by.
func (p *Position) Rules() *Rules { return p.rules }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	c := *p
	c.past = slices.Clone(p.past)
	c.planes, c.drawn = nil, false
	return &c
}

// Play makes a move, and tests that one move alone.
func (p *Position) Play(m game.Move) error {
	from, to, become, err := p.rules.squares(m)
	if err != nil {
		return err
	}
	if err := p.try(from, to, become); err != nil {
		return err
	}
	p.push(from, to, become)
	return nil
}

// noKind is what a move names that names nothing.
const noKind = kinds

// squares takes a move apart; become is noKind where it names no piece.
func (r *Rules) squares(m game.Move) (from, to square, become kind, err error) {
	become = noKind
	if m.Way() != 0 {
		return attack.None, attack.None, become, game.ErrOffBoard
	}
	if n := m.Piece(); n != board.Empty {
		if n > board.Piece(kinds) {
			return attack.None, attack.None, become, ErrNoSuchPiece
		}
		become = kindOf(n)
	}
	switch {
	case m == game.Pass:
		return attack.None, attack.None, become, game.ErrNoPass
	case m.From() == board.NoPoint || m.To() == board.NoPoint:
		return attack.None, attack.None, become, ErrNotStep
	}
	from, to = r.squareOf[m.From()], r.squareOf[m.To()]
	if from == attack.None || to == attack.None {
		return attack.None, attack.None, become, game.ErrOffBoard
	}
	return from, to, become, nil
}

// step returns the move between two squares.
func (r *Rules) step(from, to square, become kind) game.Move {
	m := game.Step(r.pointOf[from], r.pointOf[to])
	if become != noKind {
		m = m.Naming(pieceOf(White, become))
	}
	return m
}

// push plays a move that is known to be legal.
func (p *Position) push(from, to square, become kind) {
	us := p.turn
	piece := p.on[from]
	p.past = append(p.past, ply{state: p.state, from: from, to: to, was: piece, taken: p.on[to], takenAt: to, castled: attack.None})
	last := &p.past[len(p.past)-1]
	p.quiet++
	p.hash ^= p.ways.keys[p.rights] ^ passedKeys[p.passed]
	switch kindOf(piece) {
	case pawn:
		p.quiet = 0
		if to == p.passed {
			last.takenAt = to ^ 8 // the square behind
			last.taken = p.on[last.takenAt]
		}
	case king:
		if corner := p.castles(from, to); corner != attack.None {
			p.castle(last, corner)
			return
		}
	}
	if last.taken != board.Empty {
		p.quiet = 0
		p.hash ^= p.rules.keys[last.taken][last.takenAt]
		p.lift(last.takenAt)
	}
	p.hash ^= p.rules.keys[piece][from]
	p.shift(from, to)
	if become != noKind {
		p.lift(to)
		piece = pieceOf(us, become)
		p.put(to, piece)
	}
	p.hash ^= p.rules.keys[piece][to]
	p.rights &^= p.ways.lost[from&63] | p.ways.lost[to&63]
	p.passed = attack.None
	p.turn ^= 1
	p.view.known, p.drawn = false, false
	if kindOf(last.was) == pawn && (from+16 == to || to+16 == from) {
		p.passed = (from + to) / 2
		if !p.passable() {
			p.passed = attack.None
		}
	}
	p.hash ^= p.ways.keys[p.rights] ^ passedKeys[p.passed]
}

// Undo takes back the last move played here. It panics if there is none.
func (p *Position) Undo() {
	n := len(p.past) - 1
	if n < 0 {
		panic("chess: Undo without a move")
	}
	m := &p.past[n]
	if m.castled != attack.None {
		p.uncastle(m)
		p.state = m.state
		p.past = p.past[:n]
		p.drawn = false
		return
	}
	if p.on[m.to] != m.was {
		p.lift(m.to)
		p.put(m.to, m.was)
	}
	p.shift(m.to, m.from)
	if m.taken != board.Empty {
		p.put(m.takenAt, m.taken)
	}
	p.state = m.state
	p.past = p.past[:n]
	p.drawn = false
}

// AppendChanged appends the points of the last move: where it ended, where it began,
// then those of king and rook or of a pawn taken in passing.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	n := len(p.past) - 1
	if n < 0 {
		return dst
	}
	m := &p.past[n]
	points := &p.rules.pointOf
	if m.castled != attack.None {
		return p.appendCastled(dst, m)
	}
	dst = append(dst, game.Changed{Point: points[m.to], Piece: p.on[m.to]}, game.Changed{Point: points[m.from]})
	if m.taken != board.Empty && m.takenAt != m.to {
		dst = append(dst, game.Changed{Point: points[m.takenAt]})
	}
	return dst
}

func (p *Position) put(s square, piece board.Piece) {
	b := s.Bit()
	p.on[s&63] = piece
	p.of[sideOf(piece)][kindOf(piece)] ^= b
	p.own[sideOf(piece)] ^= b
}

func (p *Position) lift(s square) {
	piece, b := p.on[s&63], s.Bit()
	p.on[s&63] = board.Empty
	p.of[sideOf(piece)][kindOf(piece)] ^= b
	p.own[sideOf(piece)] ^= b
}

// shift takes the piece on from to the empty square to.
func (p *Position) shift(from, to square) {
	piece, b := p.on[from&63], from.Bit()|to.Bit()
	p.on[from&63], p.on[to&63] = board.Empty, piece
	p.of[sideOf(piece)][kindOf(piece)] ^= b
	p.own[sideOf(piece)] ^= b
}

// Planes returns the board. It belongs to the position and is valid until the next
// Play or Undo.
func (p *Position) Planes() *board.Planes {
	if p.drawn {
		return p.planes
	}
	size := p.rules.geo.Size
	if p.planes == nil {
		p.planes = board.NewPlanes(size, 2*int(kinds))
	}
	for side := range p.of {
		for k, b := range p.of[side] {
			plane := &p.planes.Of[pieceOf(game.Side(side), kind(k))-1]
			for y := range size.H {
				plane[y] = uint32(b >> (8 * (size.H - 1 - y)) & attack.Rank1)
			}
		}
	}
	p.drawn = true
	return p.planes
}

// Note fills in what FEN has besides the pieces and the turn.
func (p *Position) Note(s *game.Setup) {
	s.Quiet = int(p.quiet)
	s.Number = p.start.number + (len(p.past)+int(p.start.turn))/2
	s.Extra = p.extra()
}

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.survey().checkers != 0 }
