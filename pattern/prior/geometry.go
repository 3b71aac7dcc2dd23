package prior

import (
	"math/bits"

	"qipu/board"
)

// Levels is the number of discs that a context grows through.
const Levels = 12

// reach holds the size of each disc: the largest dx+dy+max(dx,dy) of its points,
// a measure whose discs are nearly round.
var reach = [Levels]int{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17}

const (
	radius = 8 // of the largest disc, along a line
	span   = 7 // how far off a recent move is seen, in columns and rows
	side   = 2*span + 1
)

// vec is a hash of a context as it is seen through each of the eight
// symmetries. The least of the eight is the same however the board is turned.
type vec [board.NumSymmetries]uint64

func (v *vec) xor(w *vec) {
	for t := range v {
		v[t] ^= w[t]
	}
}

// spot is a place in the largest disc, dx columns from its middle.
type spot struct {
	dx    int
	level int
	stone [2]vec // black, white
	off   vec    // outside the board
}

// Kinds of marks: what is known of a place besides its stone.
const (
	markLast    = iota // the last move lies here
	markBefore         // the move before it
	markAnswer         // the point asked about, seen from the last move
	markForward        // the point asked about, seen from the move before
	markLink           // the last move, seen from the move before
	numMarks

	kindStone = 16 + iota
	kindOff
	kindLiberty // four classes
	kindTouch   = kindLiberty + 4
	kindPhase   = kindTouch + 1
)

// geometry holds the keys that hashes are made of. They are functions of their
// place and kind alone, so the keys of contexts never change: files of weights
// depend on them.
type geometry struct {
	rows  [2*radius + 1][]spot // by dy, each from left to right
	marks [numMarks][side * side]vec

	// For the places that around lists: how many liberties the string there has,
	// and that the last move touches it.
	liberty [len(around)][4]vec
	touch   [len(around)]vec

	phase [phases]uint64 // how full the board is
}

// around lists the steps to the neighbours of a point, and to itself.
var around = [5][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {0, 0}}

func distance(dx, dy int) int {
	dx, dy = max(dx, -dx), max(dy, -dy)
	return dx + dy + max(dx, dy)
}

// vecOf returns the keys of a place under the eight symmetries.
func vecOf(kind, dx, dy int) (v vec) {
	for t := range v {
		x, y := board.Symmetry(t).Step(dx, dy)
		v[t] = board.Mix(uint64(kind)<<16|uint64(x+64)<<8|uint64(y+64)) ^ 0x9E3779B97F4A7C15
		v[t] = board.Mix(v[t])
	}
	return v
}

// swapped returns keys with their halves exchanged. A white stone has the
// swapped key of a black one, and what lies outside has a key that is its own
// swap: the hash of a context with colours exchanged is then the swapped hash,
// and one hash serves both sides.
func (v vec) swapped() vec {
	for t := range v {
		v[t] = bits.RotateLeft64(v[t], 32)
	}
	return v
}

func newGeometry() *geometry {
	g := new(geometry)
	for dy := -radius; dy <= radius; dy++ {
		for dx := -radius; dx <= radius; dx++ {
			d := distance(dx, dy)
			if d == 0 || d > reach[Levels-1] {
				continue
			}
			s := spot{dx: dx, off: vecOf(kindOff, dx, dy)}
			for reach[s.level] < d {
				s.level++
			}
			s.stone[0] = vecOf(kindStone, dx, dy)
			s.stone[1] = s.stone[0].swapped()
			for t, x := range s.off {
				s.off[t] = x&0xFFFFFFFF | x<<32
			}
			g.rows[dy+radius] = append(g.rows[dy+radius], s)
		}
	}
	for k := range g.marks {
		for dy := -span; dy <= span; dy++ {
			for dx := -span; dx <= span; dx++ {
				g.marks[k][markAt(dx, dy)] = vecOf(k, dx, dy)
			}
		}
	}
	for i, d := range around {
		g.touch[i] = vecOf(kindTouch, d[0], d[1])
		for c := range g.liberty[i] {
			g.liberty[i][c] = vecOf(kindLiberty+c, d[0], d[1])
		}
	}
	for i := range g.phase {
		g.phase[i] = board.Mix(board.Mix(uint64(kindPhase)<<32 | uint64(i)))
	}
	return g
}

func markAt(dx, dy int) int { return (dy+span)*side + dx + span }

// near returns the place of q in the tables of marks around p, and whether it
// is close enough to be seen.
func near(p, q board.Point) (int, bool) {
	if q == board.NoPoint {
		return 0, false
	}
	dx, dy := q.X()-p.X(), q.Y()-p.Y()
	if uint(dx+span) >= side || uint(dy+span) >= side {
		return 0, false
	}
	return markAt(dx, dy), true
}
