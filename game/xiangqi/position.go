package xiangqi

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// Position is one moment of a game of Xiangqi. It is made by Rules and keeps
// the moves that led to it, so that they can be taken back and repetitions be
// judged. It is not safe for concurrent use.
type Position struct {
	rules *Rules
	turn  game.Side
	hash  uint64 // pieces only; Hash adds the turn
	quiet int32  // plies since the last capture

	// The board, kept in step by place, lift and shift.
	on   [area]board.Piece // what stands on a square
	slot [area]uint8       // which piece of its side that is; stale where the square is empty
	own  [2]set            // the squares of each side

	// An occupied point is bit x+1 of rows[y+1] and bit y+1 of files[x]. The
	// margins spare a test where the neighbours of edge points are looked at.
	rows  [height + 2]uint16
	files [width]uint16

	// at[side] holds the squares of the pieces of a side, kind by kind: the
	// pieces of kind k have the slots first[side][k] to first[side][k+1]-1.
	// A piece keeps its slot all its life; once taken, its square is none.
	at    [2][maxPieces]square
	first [2][kinds + 1]uint8

	view  view // of the side to move; valid where view.known
	past  []ply
	start struct {
		number int // of the first move played here
		turn   game.Side
	}
	planes *board.Planes // made by the first call of Planes
	drawn  bool          // planes show the position
}

// maxPieces bounds the pieces of one side.
const maxPieces = 16

// ply is what Undo needs, and what repetitions are judged by: all of it was
// so before the move.
type ply struct {
	hash     uint64
	view     view
	quiet    int32
	from, to square
	taken    board.Piece
	slot     uint8 // of the piece taken
}

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.Noted       = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
)

// turnKey is in the hash of every position where Black is to move.
var turnKey = board.Zobrist(board.Piece(2*kinds+1), 0)

func pieceOf(side game.Side, k kind) board.Piece { return board.Piece(1 + k + kinds*uint8(side)) }

// kindOf and sideOf take a piece apart; their result for Empty means nothing.
func kindOf(p board.Piece) kind { return kindTable[p&15] }

func sideOf(p board.Piece) game.Side { return game.Side((p + 8) >> 4) }

var kindTable = [16]kind{0, 0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 5, 6, 0}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Hash returns the key of pieces and turn. It is part of file formats.
func (p *Position) Hash() uint64 {
	if p.turn == game.Second {
		return p.hash ^ turnKey
	}
	return p.hash
}

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	c := *p
	c.past = slices.Clone(p.past)
	c.planes, c.drawn = nil, false
	return &c
}

// Rules returns the rules that the position is played by.
func (p *Position) Rules() *Rules { return p.rules }

// Play makes a move. It tests that one move alone: about 30 ns.
func (p *Position) Play(m game.Move) error {
	from, to, err := squares(m)
	if err != nil {
		return err
	}
	if !p.legal(from, to) {
		return p.refusal(from, to)
	}
	p.push(from, to)
	return nil
}

// squares takes a move apart.
func squares(m game.Move) (from, to square, err error) {
	if m&^0xFFFFF != stepKind {
		if m == game.Pass {
			return none, none, game.ErrNoPass
		}
		return none, none, ErrNotStep
	}
	from, to = attack.SquareOf[m>>10&0x3FF], attack.SquareOf[m&0x3FF]
	if from == none || to == none {
		return none, none, game.ErrOffBoard
	}
	return from, to, nil
}

func step(from, to square) game.Move { return game.Step(attack.PointOf[from], attack.PointOf[to]) }

// push plays a move that is known to be legal.
func (p *Position) push(from, to square) {
	taken := p.on[to]
	p.past = append(p.past, ply{p.hash, p.view, p.quiet, from, to, taken, p.slot[to]})
	p.quiet++
	if taken != board.Empty {
		p.hash ^= board.Zobrist(taken, attack.PointOf[to])
		p.lift(to)
		p.quiet = 0
	}
	piece := p.on[from]
	p.hash ^= board.Zobrist(piece, attack.PointOf[from]) ^ board.Zobrist(piece, attack.PointOf[to])
	p.shift(from, to)
	p.turn ^= 1
	p.view.known = false
	p.drawn = false
}

// Undo takes back the last move played here. It panics if there is none.
func (p *Position) Undo() {
	last := len(p.past) - 1
	if last < 0 {
		panic("xiangqi: Undo without a move")
	}
	m := &p.past[last]
	p.turn ^= 1
	p.shift(m.to, m.from)
	if m.taken != board.Empty {
		p.place(m.to, m.taken, m.slot)
	}
	p.hash, p.view, p.quiet = m.hash, m.view, m.quiet
	p.past = p.past[:last]
	p.drawn = false
}

// AppendChanged appends the two points of the last move.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	last := len(p.past) - 1
	if last < 0 {
		return dst
	}
	m := &p.past[last]
	return append(dst, game.Changed{Point: attack.PointOf[m.to], Piece: p.on[m.to]}, game.Changed{Point: attack.PointOf[m.from]})
}

// shift takes the piece on from to the empty square to.
func (p *Position) shift(from, to square) {
	piece, slot := p.on[from], p.slot[from]
	side := sideOf(piece)
	p.on[from], p.on[to] = board.Empty, piece
	p.slot[to] = slot
	p.at[side][slot&(maxPieces-1)] = to
	p.own[side] = p.own[side].Xor(attack.Bit[from]).Xor(attack.Bit[to])
	p.mark(from)
	p.mark(to)
}

// mark turns the occupation of a square over in the lines.
func (p *Position) mark(s square) {
	x, y := attack.X[s], attack.Y[s]
	p.rows[y+1] ^= 2 << x
	p.files[x] ^= 2 << y
}

// lift takes a piece off the board.
func (p *Position) lift(s square) {
	side := sideOf(p.on[s])
	p.at[side][p.slot[s]&(maxPieces-1)] = none
	p.own[side] = p.own[side].Xor(attack.Bit[s])
	p.on[s] = board.Empty
	p.mark(s)
}

// place puts a piece with a slot on an empty square.
func (p *Position) place(s square, piece board.Piece, slot uint8) {
	side := sideOf(piece)
	p.on[s], p.slot[s] = piece, slot
	p.at[side][slot&(maxPieces-1)] = s
	p.own[side] = p.own[side].Xor(attack.Bit[s])
	p.mark(s)
}

// Planes returns the board. It belongs to the position and is valid until the
// next Play or Undo. Drawing it anew after a move costs about 100 ns; moves
// themselves do not pay for it.
func (p *Position) Planes() *board.Planes {
	if p.drawn {
		return p.planes
	}
	if p.planes == nil {
		p.planes = board.NewPlanes(size, 2*int(kinds))
	}
	for i := range p.planes.Of {
		clear(p.planes.Of[i][:height])
	}
	for side := range p.at {
		for _, s := range p.at[side] {
			if s != none {
				p.planes.Of[p.on[s]-1][attack.Y[s]] |= 1 << attack.X[s]
			}
		}
	}
	p.drawn = true
	return p.planes
}

// Note fills in the plies since the last capture and the move number; as in
// FEN, both sides' moves together are one number.
func (p *Position) Note(s *game.Setup) {
	s.Quiet = int(p.quiet)
	s.Number = p.start.number + (len(p.past)+int(p.start.turn))/2
}

// InCheck reports whether the king of the side to move is attacked.
func (p *Position) InCheck() bool { return p.survey().check }
