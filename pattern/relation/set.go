package relation

import "math/bits"

// set is a set of points of the board by their dense index y*9 + x. It is a struct
// and not an array because the compiler keeps structs in registers.
type set struct {
	lo uint64 // bit i is point i
	hi uint64 // bit i is point 64 + i
}

// setOf takes a set as Facts return it.
func setOf(words [2]uint64) set { return set{words[0], words[1]} }

func (a set) and(b set) set    { return set{a.lo & b.lo, a.hi & b.hi} }
func (a set) or(b set) set     { return set{a.lo | b.lo, a.hi | b.hi} }
func (a set) less(b set) set   { return set{a.lo &^ b.lo, a.hi &^ b.hi} }
func (a set) empty() bool      { return a.lo|a.hi == 0 }
func (a set) meets(b set) bool { return a.lo&b.lo|a.hi&b.hi != 0 }
func (a set) count() int       { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }

// Shifts by 64 and more give 0, also those by p-64 that wrap round: no branch is
// needed to choose the word.

func (a set) has(p uint8) bool { return (a.lo>>p|a.hi>>(p-64))&1 != 0 }

func (a *set) add(p uint8) {
	a.lo |= 1 << p
	a.hi |= 1 << (p - 64)
}

func (a *set) remove(p uint8) {
	a.lo &^= 1 << p
	a.hi &^= 1 << (p - 64)
}

// pop takes the first point out of a set that is not empty.
func (a *set) pop() uint8 {
	if a.lo != 0 {
		p := bits.TrailingZeros64(a.lo)
		a.lo &= a.lo - 1
		return uint8(p)
	}
	p := bits.TrailingZeros64(a.hi)
	a.hi &= a.hi - 1
	return uint8(64 + p)
}
