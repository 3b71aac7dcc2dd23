package tree

// Leaves returns how many leaves the tree has.
func (t *Tree) Leaves() (n int) {
	t.walk(func([]step, *Node) { n++ })
	return n
}

// Better reports whether a model foretold more than the base, by two standard
// errors.
func (m *Model) Better() bool { return m.Gain > 2*m.Error }
