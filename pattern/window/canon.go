package window

import (
	"math/bits"
	"sync"

	"qipu/board"
)

// sym is one of the sixteen symmetries of windows: a symmetry of the board in
// the lower three bits, and 8 where colours are exchanged.
type sym uint8

const syms = 16

func symOf(g board.Symmetry, swap bool) sym {
	if swap {
		return sym(g) | 8
	}
	return sym(g)
}

func (s sym) board() board.Symmetry { return board.Symmetry(s & 7) }
func (s sym) swap() bool            { return s&8 != 0 }

// back[s][t] is t, then the inverse of s.
var back = func() (m [syms][syms]sym) {
	for s := range sym(syms) {
		for t := range sym(syms) {
			m[s][t] = symOf(t.board().Then(s.board().Inverse()), s.swap() != t.swap())
		}
	}
	return m
}()

// turning is how a symmetry moves the ring of a window: turned over or not, the
// bits of each pair exchanged or not, then turned around.
type turning struct {
	over, pairs uint32 // all ones or none
	by          int
}

var turnings = func() (list [syms]turning) {
	for s := range sym(syms) {
		t := &list[s]
		// Where the first point of the ring goes, and whether the second
		// follows it clockwise.
		first, second := ringIndex(s, 0), ringIndex(s, 1)
		over := second != (first+1)%16
		t.by = 2 * first
		if over {
			// Turning over alone takes the first point to the last place.
			t.over, t.by = ^uint32(0), 2*((first+1)%16)
		}
		// Turning over exchanges the bits of pairs by itself.
		if over != s.swap() {
			t.pairs = ^uint32(0)
		}
	}
	return list
}()

// ringIndex returns the place in the ring where a symmetry takes its point i.
func ringIndex(s sym, i int) int {
	d := offsets[9+i]
	return (int(Shift(s.board().Step(d[0], d[1]))) - nineBits) / 2
}

// turn returns the ring of a window after a symmetry.
func turn(ring uint32, s sym) uint32 {
	const low = 0x55555555
	t := &turnings[s&15]
	ring ^= (ring ^ bits.Reverse32(ring)) & t.over
	ring ^= (ring ^ (ring&low<<1 | ring>>1&low)) & t.pairs
	return bits.RotateLeft32(ring, t.by)
}

// canon tells of every 3x3 that can be the middle of a window which of those
// that are its pictures stands for all of them, and how it gets there. It does
// not depend on any shape.
type canon struct {
	// of holds the number of the class times 16 plus the symmetry, by the bits
	// of the 3x3; 0 where it never comes up. Classes count from 1.
	of [1 << nineBits]uint16

	// classes is one more than the number of the last class.
	classes int
}

// canons makes the table once: it is half a megabyte, and the same for all.
var canons = sync.OnceValue(func() *canon {
	c := &canon{classes: 1}
	// The pictures of a 3x3, from where each of its points goes.
	var to [board.NumSymmetries][9]uint
	for g := range board.NumSymmetries {
		for i, d := range offsets[:9] {
			to[g][i] = Shift(g.Step(d[0], d[1]))
		}
	}
	all := [9]nibble{7, 15, 15, 15, 15, 15, 15, 15, 15}
	codes(all[:], func(code uint32) {
		if c.of[code] != 0 {
			return
		}
		// The first one met stands for its class.
		for s := range sym(syms) {
			picture, from := uint32(0), code
			if s.swap() {
				from = from&0x55555555<<1 | from>>1&0x55555555
			}
			for i, shift := range to[s.board()] {
				picture |= from >> (2 * i) & 3 << shift
			}
			if c.of[picture] == 0 {
				inverse := symOf(s.board().Inverse(), s.swap())
				c.of[picture] = uint16(c.classes<<4) | uint16(inverse)
			}
		}
		c.classes++
	})
	return c
})

// codes gives every reading of the points in the middle of a window, where they
// may be these, to yield. Where points lie outside the board whole rows and
// columns do: other readings never come up.
func codes(points []nibble, yield func(code uint32)) {
	for edges := range 16 {
		var may [9]nibble
		possible := true
		for i, set := range points {
			d := offsets[i]
			may[i] = set & 7
			if d[1] < 0 && edges&1 != 0 || d[0] > 0 && edges&2 != 0 || d[1] > 0 && edges&4 != 0 || d[0] < 0 && edges&8 != 0 {
				may[i] = set & 8
			}
			possible = possible && may[i] != 0
		}
		if !possible {
			continue
		}
		// Count through the states, the first point fastest.
		var state [9]int
		code := uint32(0)
		for i := range points {
			state[i] = bits.TrailingZeros8(uint8(may[i]))
			code |= uint32(state[i]) << (2 * i)
		}
		for more := true; more; {
			yield(code)
			more = false
			for i := range points {
				code &^= 3 << (2 * i)
				rest := may[i] >> (state[i] + 1)
				if rest != 0 {
					state[i] += 1 + bits.TrailingZeros8(uint8(rest))
				} else {
					state[i] = bits.TrailingZeros8(uint8(may[i]))
				}
				code |= uint32(state[i]) << (2 * i)
				if rest != 0 {
					more = true
					break
				}
			}
		}
	}
}
