package xiangqi

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// A square is a point of the board in dense form, row by row from the top
// left: y*9 + x, 0..89. Inside the package squares are used, at its border
// board.Points.
type square = uint8

const (
	width, height = 9, 10
	area          = width * height

	// none is the square of a piece that has been taken, and of a point
	// outside the board.
	none square = 0xFF
)

// kind is a kind of piece without its side.
type kind = uint8

const (
	king kind = iota
	advisor
	elephant
	chariot
	horse
	cannon
	soldier
	kinds
)

// set is a set of squares:
//
//	lo: rows 0-4   bit 9*y + x      (Black's half)
//	hi: rows 5-9   bit 9*(y-5) + x  (Red's half)
type set struct{ lo, hi uint64 }

const half = 1<<(area/2) - 1 // all squares of one half

func (a set) and(b set) set           { return set{a.lo & b.lo, a.hi & b.hi} }
func (a set) or(b set) set            { return set{a.lo | b.lo, a.hi | b.hi} }
func (a set) less(b set) set          { return set{a.lo &^ b.lo, a.hi &^ b.hi} }
func (a set) xor(b set) set           { return set{a.lo ^ b.lo, a.hi ^ b.hi} }
func (a set) empty() bool             { return a.lo|a.hi == 0 }
func (a set) count() int              { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }
func (a set) has(s square) bool       { return a.meets(bit[s]) }
func (a set) meets(b set) bool        { return a.lo&b.lo|a.hi&b.hi != 0 }
func (a *set) add(s square)           { *a = a.or(bit[s]) }
func column(x uint8, line uint16) set { return set{spread[line&31] << x, spread[line>>5&31] << x} }
func row(y uint8, line uint16) set {
	return set{uint64(line) << rowShift[y].lo, uint64(line) << rowShift[y].hi}
}

// pop takes the first square out of a set that is not empty.
func (a *set) pop() square {
	if a.lo != 0 {
		s := bits.TrailingZeros64(a.lo)
		a.lo &= a.lo - 1
		return square(s)
	}
	s := bits.TrailingZeros64(a.hi)
	a.hi &= a.hi - 1
	return square(s + area/2)
}

// The tables below are filled once and then only read. Lines are rows (9
// bits, bit x) or columns (10 bits, bit y) of the board.
var (
	bit      [area]set
	xOf, yOf [area]uint8
	pointOf  [area]board.Point
	squareOf [1024]square // by Point, none outside the board
	spread   [32]uint64   // five bits of a column onto column 0 of one half
	rowShift [height]struct{ lo, hi uint8 }
	between  [height][height]uint16 // the bits strictly between two on a line

	// What a piece on a line reaches, by its place and the occupied places;
	// own pieces count as reached. A cannon reaches the empty places before
	// the screen and the first piece behind it.
	slide [height][1 << height]uint16
	shoot [height][1 << height]uint16

	kingReach    [area]set
	advisorReach [area]set
	soldierReach [2][area]set

	// By the occupied neighbours (horse: left 1, up 2, right 4, down 8;
	// elephant: up-left 1, down-left 2, up-right 4, down-right 8).
	horseReach    [area][16]set
	elephantReach [2][area][16]set

	// horseLeg[k][h] is the square that must be empty for a horse on h to
	// attack k, or none where no horse on h ever does.
	horseLeg [area][area]square

	// home holds the squares where a piece can stand at all.
	home [2][kinds]set
)

// stepKind is the part of a game.Move that tells it from a drop or a pass.
var stepKind = game.Step(0, 0)

// Every function of the package needs the tables; filling them takes about
// half a millisecond, once.
func init() {
	fillSquares()
	fillLines()
	fillHomes()
	fillSteps()
	fillHorses()
}

func fillSquares() {
	for i := range squareOf {
		squareOf[i] = none
	}
	for s := range square(area) {
		x, y := s%width, s/width
		xOf[s], yOf[s] = x, y
		pointOf[s] = board.At(int(x), int(y))
		squareOf[pointOf[s]] = s
		if s < area/2 {
			bit[s].lo = 1 << s
		} else {
			bit[s].hi = 1 << (s - area/2)
		}
	}
	for line := range spread {
		for y := range 5 {
			spread[line] |= uint64(line>>y&1) << (width * y)
		}
	}
	for y := range uint8(height) {
		// A shift by 64 clears the half that the row does not lie in.
		rowShift[y].lo, rowShift[y].hi = 9*y, 64
		if y >= 5 {
			rowShift[y].lo, rowShift[y].hi = 64, 9*(y-5)
		}
	}
}

func fillLines() {
	for a := range height {
		for b := range height {
			for i := min(a, b) + 1; i < max(a, b); i++ {
				between[a][b] |= 1 << i
			}
		}
		for occupied := range 1 << height {
			for _, step := range []int{-1, 1} {
				met := 0
				for i := a + step; i >= 0 && i < height; i += step {
					here := uint16(1) << i
					full := occupied>>i&1 != 0
					if full {
						met++
					}
					if met == 0 || full && met == 1 {
						slide[a][occupied] |= here
					}
					if met == 0 || full && met == 2 {
						shoot[a][occupied] |= here
					}
				}
			}
		}
	}
}

func onBoard(x, y int) bool { return x >= 0 && x < width && y >= 0 && y < height }

func at(x, y int) square { return square(y*width + x) }

func fillHomes() {
	all := set{half, half}
	for side := range 2 {
		// Rows counted from the side's own back rank.
		place := func(x, forward int) square {
			if side == int(game.First) {
				return at(x, 9-forward)
			}
			return at(x, forward)
		}
		for x := 3; x <= 5; x++ {
			for f := range 3 {
				home[side][king].add(place(x, f))
				if (x+f)%2 == 1 {
					home[side][advisor].add(place(x, f))
				}
			}
		}
		for _, e := range [][2]int{{2, 0}, {6, 0}, {0, 2}, {4, 2}, {8, 2}, {2, 4}, {6, 4}} {
			home[side][elephant].add(place(e[0], e[1]))
		}
		for _, k := range []kind{chariot, horse, cannon} {
			home[side][k] = all
		}
		for x := range width {
			for f := 3; f < height; f++ {
				if f >= 5 || x%2 == 0 {
					home[side][soldier].add(place(x, f))
				}
			}
		}
	}
}

func fillSteps() {
	palace := home[0][king].or(home[1][king])
	reach := func(s square, within set, steps ...[2]int) (r set) {
		for _, d := range steps {
			x, y := int(xOf[s])+d[0], int(yOf[s])+d[1]
			if onBoard(x, y) && within.has(at(x, y)) {
				r.add(at(x, y))
			}
		}
		return r
	}
	for s := range square(area) {
		kingReach[s] = reach(s, palace, [2]int{0, -1}, [2]int{-1, 0}, [2]int{1, 0}, [2]int{0, 1})
		advisorReach[s] = reach(s, palace, [2]int{-1, -1}, [2]int{1, -1}, [2]int{-1, 1}, [2]int{1, 1})
		for side := range 2 {
			ahead := 2*side - 1
			soldierReach[side][s] = reach(s, home[side][soldier], [2]int{0, ahead})
			if crossed(game.Side(side), s) {
				soldierReach[side][s] = reach(s, home[side][soldier], [2]int{0, ahead}, [2]int{-1, 0}, [2]int{1, 0})
			}
			for eyes := range 16 {
				for i, d := range [][2]int{{-2, -2}, {-2, 2}, {2, -2}, {2, 2}} {
					if eyes>>i&1 == 0 {
						elephantReach[side][s][eyes] = elephantReach[side][s][eyes].or(reach(s, home[side][elephant], d))
					}
				}
			}
		}
	}
}

// crossed reports whether a square lies beyond the river for a side.
func crossed(side game.Side, s square) bool { return (s < area/2) == (side == game.First) }

func fillHorses() {
	for k := range horseLeg {
		for h := range horseLeg[k] {
			horseLeg[k][h] = none
		}
	}
	legs := [4][2]int{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}
	for s := range square(area) {
		for i, leg := range legs {
			for _, bend := range []int{-1, 1} {
				// Two steps in the direction of the leg, one across.
				x := int(xOf[s]) + 2*leg[0] + bend*leg[1]
				y := int(yOf[s]) + 2*leg[1] + bend*leg[0]
				if !onBoard(x, y) {
					continue
				}
				horseLeg[at(x, y)][s] = at(int(xOf[s])+leg[0], int(yOf[s])+leg[1])
				for occupied := range 16 {
					if occupied>>i&1 == 0 {
						horseReach[s][occupied].add(at(x, y))
					}
				}
			}
		}
	}
}
