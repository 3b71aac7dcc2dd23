package board

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// MaxSide is the largest width and height of a board.
const MaxSide = 25

// Stride is the difference between the Points of two neighbouring rows. It is
// fixed and larger than MaxSide, so that a Point means the same column and row
// on every size of board and a step off the side never lands on another row.
const Stride = 32

// MaxPoints bounds every valid Point from above: tables indexed by Point have
// this length.
const MaxPoints = MaxSide * Stride

// Point is a place on a board: row*Stride + column, both counted from the top
// left. Its neighbours are p-1, p+1, p-Stride and p+Stride.
type Point uint16

// NoPoint stands for the absence of a point.
const NoPoint Point = 0xFFFF

// Outside is a point that no board has. It stands for places that are named
// but cannot be, such as z99: Size.Has is false for it, as for NoPoint, but it
// fits into tables and moves.
const Outside Point = MaxPoints - 1

// At returns the point in column x and row y, counted from the top left.
func At(x, y int) Point { return Point(y*Stride + x) }

// X returns the column of p, counted from the left.
func (p Point) X() int { return int(p & (Stride - 1)) }

// Y returns the row of p, counted from the top.
func (p Point) Y() int { return int(p / Stride) }

// String returns p as "column,row", both counted from the top left.
func (p Point) String() string {
	if p == NoPoint {
		return "none"
	}
	return fmt.Sprintf("%d,%d", p.X(), p.Y())
}

// Size is the number of columns and rows of a board.
type Size struct {
	W int `json:"w"`
	H int `json:"h"`
}

// ParseSize reads "19", "19x19" or "9x10" (columns x rows).
func ParseSize(text string) (Size, error) {
	w, h, both := strings.Cut(strings.ToLower(text), "x")
	if !both {
		h = w
	}
	x, err1 := strconv.Atoi(w)
	y, err2 := strconv.Atoi(h)
	s := Size{x, y}
	if err1 != nil || err2 != nil {
		return Size{}, fmt.Errorf("board: %q is not a size: write columns x rows, as in 19x19", text)
	}
	if !s.Valid() {
		return Size{}, fmt.Errorf("board: size %s is out of range: 1 to %d columns and rows", text, MaxSide)
	}
	return s, nil
}

// Valid reports whether both sides lie between 1 and MaxSide.
func (s Size) Valid() bool {
	return s.W >= 1 && s.W <= MaxSide && s.H >= 1 && s.H <= MaxSide
}

// Area returns the number of points.
func (s Size) Area() int { return s.W * s.H }

// Square reports whether the board has as many columns as rows.
func (s Size) Square() bool { return s.W == s.H }

// Has reports whether p lies on a board of this size.
func (s Size) Has(p Point) bool { return p.X() < s.W && p.Y() < s.H }

// Index returns the dense number of p, row by row from the top left, in
// 0..Area()-1. It is the order of rows in files; tables in memory are better
// indexed by Point itself.
func (s Size) Index(p Point) int { return p.Y()*s.W + p.X() }

// Point is the inverse of Index.
func (s Size) Point(index int) Point { return At(index%s.W, index/s.W) }

// Points yields every point, row by row from the top left.
func (s Size) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for y := range s.H {
			for x := range s.W {
				if !yield(At(x, y)) {
					return
				}
			}
		}
	}
}

// String returns "19x19".
func (s Size) String() string { return fmt.Sprintf("%dx%d", s.W, s.H) }
