package pattern

// Weights say how much each part of a pattern counts for the likeness of a
// board to it.
type Weights struct {
	Piece []float64 // Piece[p-1] is that of piece p
	Empty float64   // of a point that must be empty

	// Line is that of two pieces of the pattern that stand on one line, for the
	// lines of the axis on which more of them do. It counts where both are in
	// place.
	Line float64

	// Moved is the share of its weight that a piece keeps which stands a step
	// away from its place.
	Moved float64

	// Relation is the share of the likeness that the relations between pieces
	// make up, such as attack and protection; the rest is their places.
	Relation float64
}
