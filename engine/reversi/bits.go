package reversi

import (
	"math/bits"
	"sync"

	"qipu/game/othello"
)

// The words are those of othello.Position: bit 8*row+column, a1 is bit 0.
const (
	corners  = 0x8100000000000081
	leftSide = 0x0101010101010101
	border   = 0xFF818181818181FF
)

// near holds the neighbours of each square: a move there turns nothing over
// unless an opposing disc is among them.
var near = makeNear()

func makeNear() (t [64]uint64) {
	for s := range t {
		t[s] = around(1<<s) &^ (1 << s)
	}
	return t
}

// around returns the squares of a set and those next to it.
func around(set uint64) uint64 {
	side := set | set<<1&^leftSide | set>>1&^(leftSide<<7)
	return side | side<<8 | side>>8
}

// quadrant holds, for each square, the bit of its quarter of the board.
var quadrant = makeQuadrant()

func makeQuadrant() (t [64]uint8) {
	for s := range t {
		t[s] = 1 << (s>>2&1 | s>>5&1<<1)
	}
	return t
}

// quarters holds, for each set of quarters, their squares.
var quarters = makeQuarters()

func makeQuarters() (t [16]uint64) {
	for q := range t {
		for s := range 64 {
			if quadrant[s]&uint8(q) != 0 {
				t[q] |= 1 << s
			}
		}
	}
	return t
}

// oddQuarters returns the quarters with an odd number of empty squares: who
// plays there first often plays there last as well.
func oddQuarters(empty uint64) uint8 {
	p := uint8(0)
	for q := range 4 {
		p |= uint8(bits.OnesCount64(empty&quarters[1<<q])&1) << q
	}
	return p
}

// closing counts what the last move of a game turns over along one line: by the
// place of the move in the line and the mover's discs in it. All other squares
// of the line hold opposing discs, or lie outside of the board, where no own
// disc can close a run.
var closing = makeClosing()

func makeClosing() (t [8][256]uint8) {
	for at := range t {
		for own := range 256 {
			if own>>at&1 != 0 {
				continue
			}
			n := 0
			for i := at + 1; i < 8; i++ {
				if own>>i&1 != 0 {
					n += i - at - 1
					break
				}
			}
			for i := at - 1; i >= 0; i-- {
				if own>>i&1 != 0 {
					n += at - i - 1
					break
				}
			}
			t[at][own] = uint8(n)
		}
	}
	return t
}

// slopes holds the two diagonals through each square.
var slopes = makeSlopes()

func makeSlopes() (t [64][2]uint64) {
	for s := range t {
		x, y := s&7, s>>3
		for o := range 64 {
			if o&7-x == o>>3-y {
				t[s][0] |= 1 << o
			}
			if o&7-x == y-o>>3 {
				t[s][1] |= 1 << o
			}
		}
	}
	return t
}

// closed returns how many discs a move on the last empty square turns over. Each
// of the four lines is gathered into a byte by one multiplication.
func closed(own uint64, s uint) int {
	s &= 63
	x, y := s&7, s>>3
	d := &slopes[s]
	c := &closing[x]
	return int(c[uint8(own>>(8*y))]) +
		int(closing[y][own>>x&leftSide*0x0102040810204080>>56]) +
		int(c[own&d[0]*leftSide>>56]) + int(c[own&d[1]*leftSide>>56])
}

// finish returns the score of a game that has ended: empty squares belong to
// the winner.
func finish(own, opp uint64) int {
	d := bits.OnesCount64(own) - bits.OnesCount64(opp)
	e := 64 - bits.OnesCount64(own|opp)
	switch {
	case d > 0:
		return d + e
	case d < 0:
		return d - e
	}
	return 0
}

// edges holds, for the discs of both sides on an edge (own in the low byte of
// the index), those own ones that nobody can turn over by moves on that edge.
// It costs about a millisecond to make and 64 KiB to keep.
var edges = sync.OnceValue(func() *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	// An edge with more discs has fewer ways to go on: those are needed first.
	for count := 8; count >= 0; count-- {
		for own := range 256 {
			for opp := range 256 {
				if own&opp != 0 || bits.OnesCount8(uint8(own|opp)) != count {
					continue
				}
				stable := uint8(own)
				for s := range 8 {
					if (own|opp)>>s&1 != 0 {
						continue
					}
					// Whether a move there turns anything over depends on the
					// rest of the board: taking every square as playable keeps
					// the answer safe.
					f := edgeFlips(own, opp, s)
					stable &= t[(own|1<<s|f)|(opp&^f)<<8]
					f = edgeFlips(opp, own, s)
					stable &= t[(own&^f)|(opp|1<<s|f)<<8]
				}
				t[own|opp<<8] = stable
			}
		}
	}
	return t
})

// edgeFlips returns what a move turns over along an edge.
func edgeFlips(own, opp, s int) (flips int) {
	for _, step := range []int{1, -1} {
		run := 0
		for i := s + step; i >= 0 && i < 8; i += step {
			if opp>>i&1 == 0 {
				if own>>i&1 != 0 {
					flips |= run
				}
				break
			}
			run |= 1 << i
		}
	}
	return flips
}

// full returns, for each of four directions, the squares whose line in that
// direction has no empty square: along it nothing can be turned over.
func full(discs uint64) (row, column, down, up uint64) {
	row = discs & (discs >> 1) & (discs >> 2) & (discs >> 3)
	row = row & (row >> 4) & leftSide * 0xFF
	column = discs & bits.RotateLeft64(discs, 8)
	column &= bits.RotateLeft64(column, 16)
	column &= bits.RotateLeft64(column, 32)

	// A diagonal is full seen from a square if all squares before it and all
	// behind it are taken. Each step doubles the reach; a step that leaves the
	// board asks nothing.
	const (
		high1 = 0xFF80808080808080 // a step of +9 leaves the board
		high2 = 0xFFFFC0C0C0C0C0C0
		high4 = 0xFFFFFFFFF0F0F0F0
		low1  = 0x01010101010101FF // a step of -9
		low2  = 0x030303030303FFFF
		low4  = 0x0F0F0F0FFFFFFFFF
	)
	a := discs & (discs>>9 | high1)
	a &= a>>18 | high2
	a &= a>>36 | high4
	b := discs & (discs<<9 | low1)
	b &= b<<18 | low2
	b &= b<<36 | low4
	down = a & b
	const (
		left1  = 0xFF01010101010101 // a step of +7
		left2  = 0xFFFF030303030303
		left4  = 0xFFFFFFFF0F0F0F0F
		right1 = 0x80808080808080FF // a step of -7
		right2 = 0xC0C0C0C0C0C0FFFF
		right4 = 0xF0F0F0F0FFFFFFFF
	)
	a = discs & (discs>>7 | left1)
	a &= a>>14 | left2
	a &= a>>28 | left4
	b = discs & (discs<<7 | right1)
	b &= b<<14 | right2
	b &= b<<28 | right4
	up = a & b
	return row, column, down, up
}

// column gathers a column of the board into a byte.
func column(set uint64, x uint) int {
	return int(set >> x & leftSide * 0x0102040810204080 >> 56)
}

// stableEdge returns own discs on the edges that can never be turned over.
func stableEdge(t *[1 << 16]uint8, own, opp uint64) uint64 {
	s := uint64(t[own&0xFF|opp&0xFF<<8])
	s |= uint64(t[own>>56|opp>>56<<8]) << 56
	s |= spread(t[uint16(column(own, 0)|column(opp, 0)<<8)])
	s |= spread(t[uint16(column(own, 7)|column(opp, 7)<<8)]) << 7
	return s
}

// spread is the inverse of column for column a.
func spread(b uint8) uint64 {
	v := uint64(b)
	v = (v | v<<28) & 0x0000000F0000000F
	v = (v | v<<14) & 0x0003000300030003
	return (v | v<<7) & leftSide
}

// stable returns own discs that can never be turned over again: a lower bound,
// grown from the edges and from full lines. It costs 20 to 50 ns.
func stable(t *[1 << 16]uint8, own, opp uint64) uint64 {
	s := stableEdge(t, own, opp)
	row, col, down, up := full(own | opp)
	s |= own & row & col & down & up
	if s == 0 {
		return 0
	}
	// A disc inside stays if in each direction its line is full or one of the
	// two neighbours stays.
	body := own &^ uint64(border)
	for {
		grown := body & (s>>1 | s<<1 | row) & (s>>8 | s<<8 | col) & (s>>9 | s<<9 | down) & (s>>7 | s<<7 | up)
		if grown&^s == 0 {
			return s
		}
		s |= grown
	}
}

// potential returns the empty squares next to opposing discs that can be turned
// over sideways or diagonally: where moves may come to be.
func potential(own, opp uint64) uint64 {
	return around(opp) &^ (own | opp)
}

// count2 counts a set with the corners twice.
func count2(set uint64) int { return bits.OnesCount64(set) + bits.OnesCount64(set&corners) }

// play returns the board after a move, as the next side sees it.
func play(own, opp, flips uint64, s uint) (uint64, uint64) {
	return opp &^ flips, own | flips | 1<<(s&63)
}

// Short names for the two operations that everything is made of.
func movable(own, opp uint64) uint64       { return othello.Movable(own, opp) }
func flips(own, opp uint64, s uint) uint64 { return othello.Flips(own, opp, s) }
