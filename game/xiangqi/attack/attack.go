// Package attack has the board of Xiangqi as numbers, sets of them, and tables of
// where pieces go from each. The rules are built on it, and so is the engine.
package attack

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// Square is a point of the board in dense form, row by row from the top
// left: y*9 + x, 0..89.
type Square = uint8

// The measures of the board.
const (
	Width, Height = 9, 10
	Area          = Width * Height

	// None is the square of a piece that has been taken, and of a point
	// outside the board.
	None Square = 0xFF
)

// Kind is a kind of piece without its side.
type Kind = uint8

// The kinds.
const (
	King Kind = iota
	Advisor
	Elephant
	Chariot
	Horse
	Cannon
	Soldier
	Kinds
)

// Set is a set of squares:
//
//	lo: rows 0-4   bit 9*y + x      (Black's half)
//	hi: rows 5-9   bit 9*(y-5) + x  (Red's half)
type Set struct{ lo, hi uint64 }

const half = 1<<(Area/2) - 1 // all squares of one half

// Everywhere is all squares.
var Everywhere = Set{half, half}

// And, Or, Less and Xor are those of sets; Meets tells whether they have a square in common.
func (a Set) And(b Set) Set     { return Set{a.lo & b.lo, a.hi & b.hi} }
func (a Set) Or(b Set) Set      { return Set{a.lo | b.lo, a.hi | b.hi} }
func (a Set) Less(b Set) Set    { return Set{a.lo &^ b.lo, a.hi &^ b.hi} }
func (a Set) Xor(b Set) Set     { return Set{a.lo ^ b.lo, a.hi ^ b.hi} }
func (a Set) Empty() bool       { return a.lo|a.hi == 0 }
func (a Set) Count() int        { return bits.OnesCount64(a.lo) + bits.OnesCount64(a.hi) }
func (a Set) Has(s Square) bool { return a.Meets(Bit[s]) }
func (a Set) Meets(b Set) bool  { return a.lo&b.lo|a.hi&b.hi != 0 }
func (a *Set) Add(s Square)     { *a = a.Or(Bit[s]) }

// Column returns the squares of a column, Row those of a row, by a line of bits.
func Column(x uint8, line uint16) Set { return Set{spread[line&31] << x, spread[line>>5&31] << x} }
func Row(y uint8, line uint16) Set {
	return Set{uint64(line) << rowShift[y].lo, uint64(line) << rowShift[y].hi}
}

// Pop takes the first square out of a set that is not empty.
func (a *Set) Pop() Square {
	if a.lo != 0 {
		s := bits.TrailingZeros64(a.lo)
		a.lo &= a.lo - 1
		return Square(s)
	}
	s := bits.TrailingZeros64(a.hi)
	a.hi &= a.hi - 1
	return Square(s + Area/2)
}

// The tables below are filled once and then only read. Lines are rows (9
// bits, bit x) or columns (10 bits, bit y) of the board.
var (
	Bit      [Area]Set
	X, Y     [Area]uint8
	PointOf  [Area]board.Point
	SquareOf [1024]Square // by Point, None outside the board
	spread   [32]uint64   // five bits of a column onto column 0 of one half
	rowShift [Height]struct{ lo, hi uint8 }
	Between  [Height][Height]uint16 // the bits strictly between two on a line

	// What a piece on a line reaches, by its place and the occupied places;
	// own pieces count as reached. A cannon reaches the empty places before
	// the screen and the first piece behind it.
	Slide [Height][1 << Height]uint16
	Shoot [Height][1 << Height]uint16

	KingReach    [Area]Set
	AdvisorReach [Area]Set
	SoldierReach [2][Area]Set

	// By the occupied neighbours (horse: left 1, up 2, right 4, down 8;
	// elephant: up-left 1, down-left 2, up-right 4, down-right 8).
	HorseReach    [Area][16]Set
	ElephantReach [2][Area][16]Set

	// HorseLeg[k][h] is the square that must be empty for a horse on h to
	// attack k, or None where no horse on h ever does.
	HorseLeg [Area][Area]Square

	// Home holds the squares where a piece can stand at all.
	Home [2][Kinds]Set
)

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
	for i := range SquareOf {
		SquareOf[i] = None
	}
	for s := range Square(Area) {
		x, y := s%Width, s/Width
		X[s], Y[s] = x, y
		PointOf[s] = board.At(int(x), int(y))
		SquareOf[PointOf[s]] = s
		if s < Area/2 {
			Bit[s].lo = 1 << s
		} else {
			Bit[s].hi = 1 << (s - Area/2)
		}
	}
	for line := range spread {
		for y := range 5 {
			spread[line] |= uint64(line>>y&1) << (Width * y)
		}
	}
	for y := range uint8(Height) {
		// A shift by 64 clears the half that the row does not lie in.
		rowShift[y].lo, rowShift[y].hi = 9*y, 64
		if y >= 5 {
			rowShift[y].lo, rowShift[y].hi = 64, 9*(y-5)
		}
	}
}

func fillLines() {
	for a := range Height {
		for b := range Height {
			for i := min(a, b) + 1; i < max(a, b); i++ {
				Between[a][b] |= 1 << i
			}
		}
		for occupied := range 1 << Height {
			for _, step := range []int{-1, 1} {
				met := 0
				for i := a + step; i >= 0 && i < Height; i += step {
					here := uint16(1) << i
					full := occupied>>i&1 != 0
					if full {
						met++
					}
					if met == 0 || full && met == 1 {
						Slide[a][occupied] |= here
					}
					if met == 0 || full && met == 2 {
						Shoot[a][occupied] |= here
					}
				}
			}
		}
	}
}

// OnBoard reports whether a column and a row are on the board.
func OnBoard(x, y int) bool { return x >= 0 && x < Width && y >= 0 && y < Height }

// At returns the square of a column and a row.
func At(x, y int) Square { return Square(y*Width + x) }

func fillHomes() {
	all := Everywhere
	for side := range 2 {
		// Rows counted from the side's own back rank.
		place := func(x, forward int) Square {
			if side == int(game.First) {
				return At(x, 9-forward)
			}
			return At(x, forward)
		}
		for x := 3; x <= 5; x++ {
			for f := range 3 {
				Home[side][King].Add(place(x, f))
				if (x+f)%2 == 1 {
					Home[side][Advisor].Add(place(x, f))
				}
			}
		}
		for _, e := range [][2]int{{2, 0}, {6, 0}, {0, 2}, {4, 2}, {8, 2}, {2, 4}, {6, 4}} {
			Home[side][Elephant].Add(place(e[0], e[1]))
		}
		for _, k := range []Kind{Chariot, Horse, Cannon} {
			Home[side][k] = all
		}
		for x := range Width {
			for f := 3; f < Height; f++ {
				if f >= 5 || x%2 == 0 {
					Home[side][Soldier].Add(place(x, f))
				}
			}
		}
	}
}

func fillSteps() {
	palace := Home[0][King].Or(Home[1][King])
	reach := func(s Square, within Set, steps ...[2]int) (r Set) {
		for _, d := range steps {
			x, y := int(X[s])+d[0], int(Y[s])+d[1]
			if OnBoard(x, y) && within.Has(At(x, y)) {
				r.Add(At(x, y))
			}
		}
		return r
	}
	for s := range Square(Area) {
		KingReach[s] = reach(s, palace, [2]int{0, -1}, [2]int{-1, 0}, [2]int{1, 0}, [2]int{0, 1})
		AdvisorReach[s] = reach(s, palace, [2]int{-1, -1}, [2]int{1, -1}, [2]int{-1, 1}, [2]int{1, 1})
		for side := range 2 {
			ahead := 2*side - 1
			SoldierReach[side][s] = reach(s, Home[side][Soldier], [2]int{0, ahead})
			if Crossed(game.Side(side), s) {
				SoldierReach[side][s] = reach(s, Home[side][Soldier], [2]int{0, ahead}, [2]int{-1, 0}, [2]int{1, 0})
			}
			for eyes := range 16 {
				for i, d := range [][2]int{{-2, -2}, {-2, 2}, {2, -2}, {2, 2}} {
					if eyes>>i&1 == 0 {
						ElephantReach[side][s][eyes] = ElephantReach[side][s][eyes].Or(reach(s, Home[side][Elephant], d))
					}
				}
			}
		}
	}
}

// Crossed reports whether a square lies beyond the river for a side.
func Crossed(side game.Side, s Square) bool { return (s < Area/2) == (side == game.First) }

func fillHorses() {
	for k := range HorseLeg {
		for h := range HorseLeg[k] {
			HorseLeg[k][h] = None
		}
	}
	legs := [4][2]int{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}
	for s := range Square(Area) {
		for i, leg := range legs {
			for _, bend := range []int{-1, 1} {
				// Two steps in the direction of the leg, one across.
				x := int(X[s]) + 2*leg[0] + bend*leg[1]
				y := int(Y[s]) + 2*leg[1] + bend*leg[0]
				if !OnBoard(x, y) {
					continue
				}
				HorseLeg[At(x, y)][s] = At(int(X[s])+leg[0], int(Y[s])+leg[1])
				for occupied := range 16 {
					if occupied>>i&1 == 0 {
						HorseReach[s][occupied].Add(At(x, y))
					}
				}
			}
		}
	}
}

// Words returns the set with bit i%64 of word i/64 for the square i.
func (a Set) Words() [2]uint64 { return [2]uint64{a.lo | a.hi<<45, a.hi >> 19} }
