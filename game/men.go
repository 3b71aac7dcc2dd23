package game

import "qipu/board"

// Manned is a Rules whose men step on points and take what stands there, until a king
// cannot be saved: what a table of endings needs to know of it.
type Manned interface {
	Rules
	Men() *Men
}

// Men tells how the men of a game move. It is immutable and safe for concurrent use.
type Men struct {
	// Name is that of the game where endings are concerned: variants in which the men
	// move alike have the same.
	Name string

	// Kinds are the kinds of men as the first side has them, the king first, in the order
	// in which endings are named. The second side has their Look.Swap.
	Kinds []Man

	// Stands tells whether a man can ever stand on a point.
	Stands func(man board.Piece, at board.Point) bool

	// Ways returns how a man goes from a point on which it can stand. Lines go both ways:
	// what slides from one point to another slides back.
	Ways func(man board.Piece, from board.Point) []Way

	// StuckLoses tells that who has no legal move has lost, in check or not; else that is
	// a draw where there is no check.
	StuckLoses bool

	// PerpetualLoses tells that who gives check for ever, alone, loses.
	PerpetualLoses bool

	// Passing tells that a man of the last kind, where both sides have one, may be taken
	// in passing, which no arrangement of men tells.
	Passing bool
}

// Man is a kind of men.
type Man struct {
	Piece  board.Piece
	Letter byte    // in names of endings: 'R'
	Also   string  // other letters that are read there
	Worth  float64 // the side that has more is named first
	Most   int     // how many a side can have
	Harms  bool    // it can give check
}

// WayKind is how a way is gone.
type WayKind uint8

// The kinds of ways.
const (
	// Stride: to the last point of the path, over empty points; it takes what is there.
	Stride WayKind = iota
	// Advance: to the last point, over empty points, where that is empty, too.
	Advance
	// Strike: to the last point, over empty points, where an enemy is taken.
	Strike
	// Slide: to any point of the path up to the first man, which it takes.
	Slide
	// Shoot: to any point up to the first man; behind that it takes the next.
	Shoot
	// Face: nowhere; but no enemy king may be the first man on the path.
	Face
)

// Way is a way that a man goes.
type Way struct {
	Kind WayKind
	Path []board.Point

	// Becomes are the pieces, as the first side has them, one of which the man becomes
	// at its end; nil where it stays what it is.
	Becomes []board.Piece
}
