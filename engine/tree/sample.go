package tree

// Sample is a position as the fit of an evaluation's weights sees it: which of them count
// how often, the first side's less the second's.
type Sample struct {
	Terms []Term
	Full  float64 // how full the board is, from 0 to 1
	Part  float64 // what the value is multiplied by, for the little that is left to win with
}

// Term is how often a weight counts.
type Term struct {
	Weight int16
	Times  int16
}
