package board

// Zobrist returns the hash key of a piece on a point. Keys are a pure function
// of their arguments and part of the file formats: they never change.
//
// They are computed, not tabulated: the two multiplications cost less than a
// cache miss in a table of all pieces on all points.
func Zobrist(piece Piece, p Point) uint64 {
	return Mix(uint64(piece)<<16 | uint64(p))
}

// Key returns a hash key of the size, for games that are played on several:
// equal pieces on boards of different sizes then never meet.
func (s Size) Key() uint64 { return Mix(1<<32 | uint64(s.W)<<8 | uint64(s.H)) }

// Mix spreads the bits of x over the whole word (the finaliser of
// SplitMix64 by Sebastiano Vigna, public domain). It is a bijection.
func Mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
