// Package board holds what every game on a grid shares: sizes, points,
// symmetries, bit planes, hash keys, and the geometry that pictures are drawn
// from.
//
// A [Point] is a column and a row packed so that neither reading it nor
// stepping to a neighbour needs the size of the board. A [Plane] is a set of
// points with one machine word per row; a [Planes] is one Plane per kind of
// piece. Everything that scans boards works on whole rows of Planes and never
// asks for one point at a time.
//
//	s := board.Size{W: 19, H: 19}
//	p := board.At(15, 3)              // column 15, row 3 from the top
//	q := board.Transpose.Apply(s, p)  // the same point seen in a mirror
//
// The package knows no rules: it does not know whose turn it is, what a legal
// move is, or what any piece does.
package board
