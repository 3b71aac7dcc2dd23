package game

import (
	"errors"

	"qipu/board"
)

// Side is a player of a game, counted from 0 in the order of the first moves.
type Side uint8

// The sides of a game of two.
const (
	First  Side = 0
	Second Side = 1
)

// Opponent returns the other side of a game of two.
func (s Side) Opponent() Side { return s ^ 1 }

// Move is one move, readable without knowing the game: a piece dropped on a
// point, a piece taken from one point to another, or a pass. The zero value is
// no move. Captures and flips are consequences and are not part of it. Where
// there is a choice, it names a piece: which one is dropped, or what the one
// that moves becomes. Where several ways lead from one point to another, it says
// which of them.
//
//	 31 30 29    22 21 20 19      10 9         0
//	[way ][ piece ][kind][  from    ][   to     ]
type Move uint32

const (
	kindDrop Move = 1 << 20
	kindStep Move = 2 << 20
	kindPass Move = 3 << 20
	kindMask Move = 3 << 20

	pieceShift      = 22
	pieceMask  Move = 0xFF << pieceShift

	wayShift      = 30
	wayMask  Move = 3 << wayShift
)

// NoMove is the zero Move; Pass is a move that changes no point.
const (
	NoMove Move = 0
	Pass        = kindPass
)

// Drop returns the move that places a piece on p.
func Drop(p board.Point) Move { return kindDrop | Move(p) }

// Step returns the move that takes a piece from one point to another.
func Step(from, to board.Point) Move { return kindStep | Move(from)<<10 | Move(to) }

// Naming returns the move with a piece that it names, as the first side has it:
// the second side means its Look.Swap. So a move is the same for both sides, and
// exchanging them leaves the name alone.
func (m Move) Naming(p board.Piece) Move { return m&^pieceMask | Move(p)<<pieceShift }

// Piece returns the piece that the move names, as the first side has it, or
// Empty.
func (m Move) Piece() board.Piece { return board.Piece(m & pieceMask >> pieceShift) }

// By returns the move along one of the ways that share its ends, 0 to 3: captures that
// take other pieces between them. The order of the ways is the game's own, and the same
// in every picture of a position. What sees no more of a move than its ends, as counts of
// moves by their squares do, takes all ways for one.
func (m Move) By(way int) Move { return m&^wayMask | Move(way)<<wayShift&wayMask }

// Way returns which way the move goes; 0 where there is one.
func (m Move) Way() int { return int(m >> wayShift) }

// To returns the point that the move ends on, or NoPoint for a pass.
func (m Move) To() board.Point {
	if k := m & kindMask; k == kindDrop || k == kindStep {
		return board.Point(m & 0x3FF)
	}
	return board.NoPoint
}

// From returns the point that the move starts from, or NoPoint for a drop or
// a pass.
func (m Move) From() board.Point {
	if m&kindMask == kindStep {
		return board.Point(m >> 10 & 0x3FF)
	}
	return board.NoPoint
}

// Transform returns the move as it is after a symmetry of a board.
func (m Move) Transform(s board.Size, sym board.Symmetry) Move {
	switch m & kindMask {
	case kindDrop:
		return Drop(sym.Apply(s, m.To())) | m&(pieceMask|wayMask)
	case kindStep:
		return Step(sym.Apply(s, m.From()), sym.Apply(s, m.To())) | m&(pieceMask|wayMask)
	}
	return m
}

// Position is one moment of one game. It is not safe for concurrent use.
//
// Who moves next is what Turn says, and nothing else: sides need not take turns,
// a side may move several times in a row, and either may begin.
//
// Laws, checked by gametest for every game:
//   - Play succeeds for exactly the moves that AppendMoves lists.
//   - Undo restores everything observable.
//   - Hash depends only on what the position text shows (pieces, turn, ko),
//     not on how the position came about.
//   - No moves are listed exactly when Outcome is final.
type Position interface {
	// Turn returns the side to move.
	Turn() Side

	// AppendMoves appends the legal moves to dst and returns it. A side that
	// must pass has the one move Pass.
	AppendMoves(dst []Move) []Move

	// Play makes a move. A move that is not legal changes nothing and gives an
	// error that wraps ErrIllegal and says why.
	Play(m Move) error

	// Undo takes back the last move played. It panics if there is none.
	Undo()

	// Outcome tells whether and how the game has ended.
	Outcome() Outcome

	// Hash returns a 64-bit key of the position. It is part of file formats,
	// and differs between boards of different sizes.
	Hash() uint64
}

// Planar is a Position whose board can be seen as bit planes.
type Planar interface {
	// Planes returns the board. It belongs to the position and is valid until
	// the next Play or Undo; the caller must not change it.
	Planes() *board.Planes
}

// Changed is a point that a move changed, and what stands there now.
type Changed struct {
	Point board.Point
	Piece board.Piece // Empty where a piece has left
}

// Changer is a Position that knows what its last move changed, so that nobody
// has to compare boards to find out.
type Changer interface {
	// AppendChanged appends the points where the board differs from the one
	// before the last move, each once, and returns dst. The point that the move
	// ended on comes first, then the one it started from, the others row by
	// row; one that is as it was before (a stone that took itself off) is left
	// out. After a pass, and where no move was played since the position was
	// made, nothing is appended. After Undo it speaks of the move that is the
	// last one then.
	AppendChanged(dst []Changed) []Changed
}

// Copier is a Position that can be copied with its history. Where it is none, the
// moves have to be played again.
type Copier interface {
	// Copy returns a position that shares nothing with this one: what is played
	// on either and taken back, to the very first move, does not change the
	// other, and repetition is judged alike.
	Copy() Position
}

// MoveCounter is a Position that counts its legal moves faster than it lists
// them.
type MoveCounter interface {
	CountMoves() int // len(AppendMoves(nil))
}

// Noted is a Position that has more to tell in its text form than pieces and
// turn: it fills in the rest of the Setup. One that is not Planar must be Noted,
// and gives the Setup an empty board of its size.
type Noted interface {
	Note(*Setup)
}

// ExtraTransformer is a Rules whose Setup.Extra changes with a symmetry: pieces
// in hand go over to the other side, a file is mirrored.
type ExtraTransformer interface {
	TransformExtra(extra string, sym Symmetry) string
}

// Celled is a Position that is not one piece a point: houses with seeds, towers
// of pieces. It tells what to write on its points instead.
type Celled interface {
	// Cells returns what is written on points; nothing on the others.
	Cells() map[board.Point]string
}

// Shown returns what drawings show of a position: its board, or what is written
// on its points, which are nil where it has none. The board belongs to the
// position.
func Shown(p Position) (*board.Planes, map[board.Point]string) {
	if q, ok := p.(Planar); ok {
		return q.Planes(), nil
	}
	if q, ok := p.(Celled); ok {
		return nil, q.Cells()
	}
	return nil, nil
}

// Rules is a kind of game: its facts, its start, its notations. A Rules value
// is immutable and safe for concurrent use; so are the Info and Geometry it
// returns.
type Rules interface {
	Info() *Info
	Geometry() *board.Geometry

	// Start returns a new position at the start of the game.
	Start() Position

	// Arrange returns a new position set up as told, or an error that says
	// why such a position cannot be.
	Arrange(Setup) (Position, error)

	// ParseMove reads a move in one notation, or with AnyNotation in whichever
	// of them makes it legal, in the order of Info().Notations. The error wraps
	// ErrSyntax where the text is no move at all, ErrIllegal where it is one
	// that cannot be played here; it is a bare phrase, for the caller knows the
	// text and the place it came from. A move that cannot be played may come
	// back beside its error.
	ParseMove(p Position, text string, n Notation) (Move, error)

	// AppendMove appends the text of a legal move to dst. AnyNotation means the
	// first of Info().Notations.
	AppendMove(dst []byte, p Position, m Move, n Notation) []byte
}

// SetupReader is a Rules whose positions players write in a form of their own, beside
// position texts.
type SetupReader interface {
	// ReadSetup reads such a text; ok is false where it is none.
	ReadSetup(text string) (s Setup, ok bool, err error)
}

// Varied is a Rules that comes in variants: board sizes, rule sets.
type Varied interface {
	// Variant returns the rules changed by a comma-separated list such as
	// "9x9,japanese"; the empty list changes nothing.
	Variant(spec string) (Rules, error)
}

// Notation names a way to write moves. AnyNotation stands for all of them when
// reading and for the first of them when writing.
type Notation string

// AnyNotation leaves the choice of notation to the game.
const AnyNotation Notation = ""

// The errors that callers tell apart.
var (
	ErrIllegal = errors.New("illegal move")
	ErrSyntax  = errors.New("not a move")
)

// Illegal is the reason why a move cannot be played. Games declare their
// reasons once as package variables, so that refusing a move allocates
// nothing.
type Illegal string

// Error returns the reason.
func (e Illegal) Error() string { return string(e) + ": illegal move" }

// Unwrap makes every Illegal an ErrIllegal.
func (e Illegal) Unwrap() error { return ErrIllegal }

// Reasons that several games share.
var (
	ErrOver     error = Illegal("the game is over")
	ErrOffBoard error = Illegal("outside the board")
	ErrOccupied error = Illegal("the point is occupied")
	ErrNoPass   error = Illegal("passing is not allowed here")
)
