package board

import (
	"iter"
	"math/bits"
)

// Plane is a set of points, one word per row:
//
//	row y:  bit 0 = column 0 (left) ... bit W-1 = column W-1 (right)
//
// Bits outside the board are zero; every method keeps them so. A Plane is a
// plain value of 100 bytes: == compares, assignment copies, the zero value is
// empty.
type Plane [MaxSide]uint32

// Full returns the set of all points of a board.
func (s Size) Full() (f Plane) {
	row := uint32(1)<<s.W - 1
	for y := range s.H {
		f[y] = row
	}
	return f
}

// Has reports whether p is in the set.
func (a *Plane) Has(p Point) bool { return a[p/Stride]>>(p%Stride)&1 != 0 }

// Add puts p into the set.
func (a *Plane) Add(p Point) { a[p/Stride] |= 1 << (p % Stride) }

// Remove takes p out of the set.
func (a *Plane) Remove(p Point) { a[p/Stride] &^= 1 << (p % Stride) }

// Empty reports whether the set has no points.
func (a *Plane) Empty() bool {
	var or uint32
	for _, row := range a {
		or |= row
	}
	return or == 0
}

// Count returns the number of points in the set.
func (a *Plane) Count() int {
	n := 0
	for _, row := range a {
		n += bits.OnesCount32(row)
	}
	return n
}

// First returns the topmost, then leftmost point, or NoPoint.
func (a *Plane) First() Point {
	for y, row := range a {
		if row != 0 {
			return At(bits.TrailingZeros32(row), y)
		}
	}
	return NoPoint
}

// Points yields the points of the set, row by row from the top left.
func (a *Plane) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for y, row := range a {
			for ; row != 0; row &= row - 1 {
				if !yield(At(bits.TrailingZeros32(row), y)) {
					return
				}
			}
		}
	}
}

// And keeps the points that are in b too.
func (a *Plane) And(b *Plane) {
	for y := range a {
		a[y] &= b[y]
	}
}

// Or adds the points of b.
func (a *Plane) Or(b *Plane) {
	for y := range a {
		a[y] |= b[y]
	}
}

// AndNot removes the points of b.
func (a *Plane) AndNot(b *Plane) {
	for y := range a {
		a[y] &^= b[y]
	}
}

// Meets reports whether a and b have a point in common.
func (a *Plane) Meets(b *Plane) bool {
	var or uint32
	for y := range a {
		or |= a[y] & b[y]
	}
	return or != 0
}

// Within reports whether every point of a is in b.
func (a *Plane) Within(b *Plane) bool {
	var or uint32
	for y := range a {
		or |= a[y] &^ b[y]
	}
	return or == 0
}

// Shift returns the set moved dx columns to the right and dy rows down; what
// leaves the board is lost.
func (a *Plane) Shift(s Size, dx, dy int) (b Plane) {
	if dx <= -s.W || dx >= s.W {
		return b
	}
	row := uint32(1)<<s.W - 1
	for y := max(0, dy); y < min(s.H, s.H+dy); y++ {
		if dx >= 0 {
			b[y] = a[y-dy] << dx & row
		} else {
			b[y] = a[y-dy] >> -dx
		}
	}
	return b
}

// Neighbours returns the points next to the set (left, right, above, below)
// that are not in it.
func (a *Plane) Neighbours(s Size) (b Plane) {
	row := uint32(1)<<s.W - 1
	for y := range s.H {
		w := a[y]<<1&row | a[y]>>1
		if y > 0 {
			w |= a[y-1]
		}
		if y+1 < s.H {
			w |= a[y+1]
		}
		b[y] = w &^ a[y]
	}
	return b
}

// Flood returns the points of within that are connected to a through points of
// within; the points of a outside within are left out. It sweeps whole rows,
// down and up, until nothing is added.
func (a *Plane) Flood(s Size, within *Plane) Plane {
	f := *a
	f.And(within)
	for changed := true; changed; {
		changed = false
		for y := range s.H {
			up := uint32(0)
			if y > 0 {
				up = f[y-1]
			}
			changed = f.spread(y, up, within[y]) || changed
		}
		for y := s.H - 2; y >= 0; y-- {
			changed = f.spread(y, f[y+1], within[y]) || changed
		}
	}
	return f
}

// spread grows row y of f inside the row mask in, from itself and from the
// neighbouring row next, and reports whether it grew.
func (a *Plane) spread(y int, next, in uint32) bool {
	row := (a[y] | next) & in
	for {
		wider := (row | row<<1 | row>>1) & in
		if wider == row {
			break
		}
		row = wider
	}
	if row == a[y] {
		return false
	}
	a[y] = row
	return true
}

// Transform returns the set as it lies after the symmetry; it then belongs to
// a board of size sym.Turned(s).
func (a *Plane) Transform(s Size, sym Symmetry) (b Plane) {
	switch {
	case sym == Identity:
		return *a
	case sym&Transpose == 0:
		for y := range s.H {
			row := a[y]
			if sym&Mirror != 0 {
				row = bits.Reverse32(row) >> (32 - s.W)
			}
			if sym&Flip != 0 {
				b[s.H-1-y] = row
			} else {
				b[y] = row
			}
		}
		return b
	}
	for p := range a.Points() {
		b.Add(sym.Apply(s, p))
	}
	return b
}
