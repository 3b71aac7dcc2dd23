package life

import "slices"

// Marks is a set of cells that is emptied at no cost. Begin empties it, and has to be
// called before anything else. A string or an area is marked on its head.
type Marks struct {
	of  [Cells]uint16 // the sweep that a cell was marked in
	now uint16
}

// Begin empties the set.
func (m *Marks) Begin() {
	if m.now++; m.now == 0 { // they all were used once: what is left of old ones goes
		clear(m.of[:])
		m.now = 1
	}
}

// Has reports whether a cell is marked.
func (m *Marks) Has(c Cell) bool { return m.of[c] == m.now }

// Add marks a cell, and reports whether it was not marked before.
func (m *Marks) Add(c Cell) bool {
	if m.of[c] == m.now {
		return false
	}
	m.of[c] = m.now
	return true
}

// Zeros returns a list of n zero values, in the memory of another where that is
// enough.
func Zeros[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
