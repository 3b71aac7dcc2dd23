package pattern

import (
	"math/bits"
	"qipu/board"
	"qipu/game"
)

// Set is a set of states of a point: bit 0 is empty, bit p is piece p, and
// Off is outside the board.
type Set uint32

// The states that every game has.
const (
	Empty Set = 1
	Off   Set = 1 << 31
)

// Of returns the set of one piece, or of Empty.
func Of(p board.Piece) Set { return 1 << p }

// AnyOn returns the set of all states of a point on the board, in a game with
// so many kinds of pieces.
func AnyOn(kinds int) Set { return 1<<(kinds+1) - 1 }

// Has reports whether the set holds a state.
func (s Set) Has(p board.Piece) bool { return s>>p&1 != 0 }

// Only returns the one state on the board that a set has, if it has just one.
func (s Set) Only() (board.Piece, bool) {
	if s == Off || s == 0 || s&(s-1) != 0 {
		return 0, false
	}
	return board.Piece(bits.TrailingZeros32(uint32(s))), true
}

// Anchor says where on the board a region may lie.
type Anchor uint8

// The anchors.
const (
	Floating Anchor = iota // anywhere
	Fixed                  // where it is drawn: At
	Corner                 // in a corner
	Side                   // along one side, touching no corner
	Centre                 // anywhere, touching no side
)

// Edges is a set of the edges of the board that a region touches.
type Edges uint8

// The edges.
const (
	Top Edges = 1 << iota
	Right
	Bottom
	Left
)

// Turn is a condition on the side to move.
type Turn uint8

// The turns.
const (
	AnyTurn Turn = iota
	FirstToMove
	SecondToMove
)

// Pattern is a board to find: a region of points, the states that each may be
// in, and where, when and in which pictures it counts.
type Pattern struct {
	Size  board.Size // of the region
	Cells []Set      // row by row; len = Size.Area()

	Anchor Anchor
	Edges  Edges       // the edges that the region as drawn touches; for Corner and Side
	At     board.Point // where the top left point lies; for Fixed

	// Mirror finds the symmetric pictures that the game allows; Swap those with
	// the sides exchanged.
	Mirror, Swap bool

	Turn     Turn // of the position in which it holds, as drawn (not swapped)
	From, To int  // the plies between which it must hold, both included; To < 0 is no bound
}

// Board is what a pattern is laid onto.
type Board struct {
	Size  board.Size
	Kinds int           // of pieces
	Swap  []board.Piece // Swap[p-1] is piece p with the sides exchanged

	// Symmetries are those of the game, with the exchange of sides or without;
	// the identity is the first of them.
	Symmetries []game.Symmetry
}

// BoardOf returns the board of a game.
func BoardOf(r game.Rules) Board {
	g := r.Geometry()
	b := Board{Size: g.Size, Kinds: len(g.Pieces), Symmetries: r.Info().Symmetries}
	for _, look := range g.Pieces {
		b.Swap = append(b.Swap, look.Swap)
	}
	return b
}

// Placement is one way in which a pattern lies on a board.
type Placement struct {
	// Symmetry takes the pattern as drawn to this picture of it.
	Symmetry game.Symmetry

	// Size and X, Y are the picture's region: X and Y may be negative where the
	// pattern has points outside the board.
	Size board.Size
	X, Y int

	// Points and Sets are the points that the pattern says something about, by
	// dense index (board.Size.Index), and what may stand there: never nothing,
	// never everything.
	Points []uint16
	Sets   []Set

	// Region holds the dense indices of all points of the region that lie on
	// the board, in rising order.
	Region []uint16

	Turn Turn // exchanged where the symmetry exchanges the sides
}

// Back returns the point of the pattern's own frame that a point of the board
// means in this placement: column and row in the region as drawn.
func (p *Placement) Back(at board.Point) (x, y int) {
	q := p.Symmetry.Board.Inverse().Apply(p.Size, board.At(at.X()-p.X, at.Y()-p.Y))
	return q.X(), q.Y()
}
