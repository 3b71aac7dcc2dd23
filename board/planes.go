package board

// Piece is what stands on a point: 0 for nothing, else the number of a kind of
// piece of one side, counted from 1 as in [Geometry.Pieces].
type Piece uint8

// Empty is the piece of an empty point.
const Empty Piece = 0

// Planes is a whole board: one Plane per kind of piece. The sets are disjoint.
type Planes struct {
	Size Size
	Of   []Plane // Of[p-1] holds the points where piece p stands
}

// NewPlanes returns an empty board for the given number of kinds of pieces.
func NewPlanes(s Size, kinds int) *Planes {
	return &Planes{Size: s, Of: make([]Plane, kinds)}
}

// At returns the piece on p. Scans should use whole planes instead.
func (b *Planes) At(p Point) Piece {
	for i := range b.Of {
		if b.Of[i].Has(p) {
			return Piece(i + 1)
		}
	}
	return Empty
}

// Put places a piece (or Empty) on p, whatever stood there before.
func (b *Planes) Put(p Point, piece Piece) {
	for i := range b.Of {
		b.Of[i].Remove(p)
	}
	if piece != Empty {
		b.Of[piece-1].Add(p)
	}
}

// Occupied returns the points with a piece on them.
func (b *Planes) Occupied() (all Plane) {
	for i := range b.Of {
		all.Or(&b.Of[i])
	}
	return all
}

// Clone returns a copy that shares nothing with b.
func (b *Planes) Clone() *Planes {
	return &Planes{Size: b.Size, Of: append([]Plane(nil), b.Of...)}
}

// Equal reports whether both boards have the same size and pieces.
func (b *Planes) Equal(c *Planes) bool {
	if b.Size != c.Size || len(b.Of) != len(c.Of) {
		return false
	}
	for i := range b.Of {
		if b.Of[i] != c.Of[i] {
			return false
		}
	}
	return true
}

// Transform returns the board after a symmetry. A piece p becomes swap[p-1]; a
// nil swap leaves pieces as they are.
func (b *Planes) Transform(sym Symmetry, swap []Piece) *Planes {
	t := NewPlanes(sym.Turned(b.Size), len(b.Of))
	for i := range b.Of {
		to := i
		if swap != nil {
			to = int(swap[i]) - 1
		}
		t.Of[to] = b.Of[i].Transform(b.Size, sym)
	}
	return t
}

// Hash returns the XOR of the Zobrist keys of all pieces.
func (b *Planes) Hash() (h uint64) {
	for i := range b.Of {
		for p := range b.Of[i].Points() {
			h ^= Zobrist(Piece(i+1), p)
		}
	}
	return h
}
