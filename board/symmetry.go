package board

// Symmetry is one of the eight ways to lay a board onto itself (or, for the
// four that exchange columns and rows, onto a board of the turned size).
//
// The three bits are applied in this order:
//
//	4  transpose: exchange columns and rows
//	1  mirror:    left to right
//	2  flip:      top to bottom
type Symmetry uint8

// The eight symmetries. The turns go clockwise as the board is seen.
const (
	Identity Symmetry = iota
	Mirror
	Flip
	HalfTurn
	Transpose
	TurnRight
	TurnLeft
	AntiTranspose

	// NumSymmetries is the number of them.
	NumSymmetries
)

var symmetryNames = [NumSymmetries]string{
	"identity", "mirror", "flip", "half-turn", "transpose", "turn-right", "turn-left", "anti-transpose",
}

// String returns the name of s: "identity", "mirror", "turn-right" and so on.
func (s Symmetry) String() string { return symmetryNames[s&7] }

// Turned returns the size of a board after s.
func (s Symmetry) Turned(size Size) Size {
	if s&Transpose != 0 {
		return Size{size.H, size.W}
	}
	return size
}

// Apply returns where s takes the point p of a board of the given size. The
// result lies on a board of size s.Turned(size).
func (s Symmetry) Apply(size Size, p Point) Point {
	x, y := p.X(), p.Y()
	if s&Transpose != 0 {
		x, y = y, x
		size.W, size.H = size.H, size.W
	}
	if s&Mirror != 0 {
		x = size.W - 1 - x
	}
	if s&Flip != 0 {
		y = size.H - 1 - y
	}
	return At(x, y)
}

// Step returns where s takes a step of so many columns and rows.
func (s Symmetry) Step(dx, dy int) (int, int) {
	if s&Transpose != 0 {
		dx, dy = dy, dx
	}
	if s&Mirror != 0 {
		dx = -dx
	}
	if s&Flip != 0 {
		dy = -dy
	}
	return dx, dy
}

// Inverse returns the symmetry that takes everything back.
func (s Symmetry) Inverse() Symmetry {
	switch s {
	case TurnRight:
		return TurnLeft
	case TurnLeft:
		return TurnRight
	}
	return s
}

// Then returns the symmetry that does s first and t second.
func (s Symmetry) Then(t Symmetry) Symmetry {
	// Moving the transposition of t in front of the mirror bits of s exchanges
	// those two bits.
	bits := s & 3
	if t&Transpose != 0 {
		bits = bits>>1 | bits<<1&2
	}
	return s&Transpose ^ t&Transpose | bits ^ t&3
}

// Symmetries returns the symmetries that lay a board of this size onto itself:
// all eight on a square, four on any other board.
func (s Size) Symmetries() []Symmetry {
	n := NumSymmetries
	if !s.Square() {
		n = Transpose
	}
	list := make([]Symmetry, n)
	for i := range list {
		list[i] = Symmetry(i)
	}
	return list
}
