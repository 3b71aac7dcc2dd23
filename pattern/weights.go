package pattern

import (
	"fmt"
	"math"
	"slices"

	"qipu/board"
)

// Weights say how much each part of a pattern counts for the likeness of a
// board to it.
type Weights struct {
	Piece []float64 // Piece[p-1] is that of piece p
	Empty float64   // of a point that must be empty, or may be

	// Line is that of two pieces of the pattern that stand on one line, for the
	// lines of the axis on which more of them do. It counts where both are in
	// place.
	Line float64

	// Moved is the share of its weight that a piece keeps which stands a step
	// away from its place.
	Moved float64

	// Relation is the share of the likeness that the relations between pieces
	// make up, such as attack and protection; the rest is their places.
	Relation float64
}

// DefaultMin is the least likeness that is worth showing.
const DefaultMin = .8

// DefaultWeights returns the weights that are used where the user names none.
//
// In games of pieces that move, a piece weighs what its look says: in Xiangqi
// chariot 7, cannon 5, horse 4, soldier 3, advisor and elephant 2, king 1; in
// chess queen 9, rook 5, bishop and knight 3, pawn and king 1. A piece that stands
// a step away has hardly moved, and keeps most of its weight.
//
// In games of two kinds all stones weigh the same, a point that must be empty
// half as much, and lines mean nothing. A stone keeps nothing a step away:
// where stones are everywhere, there is nearly always another one beside a
// point, and every board would be like every pattern.
func DefaultWeights(g *board.Geometry) Weights {
	w := UnitWeights(g)
	if len(g.Pieces) == 2 {
		w.Line, w.Moved, w.Empty = 0, 0, .5
		return w
	}
	for i, look := range g.Pieces {
		if look.Weight > 0 {
			w.Piece[i] = look.Weight
		}
	}
	return w
}

// UnitWeights returns the weights that make no difference between pieces: each
// weighs 1, and so do two on a line.
func UnitWeights(g *board.Geometry) Weights {
	return Weights{Piece: slices.Repeat([]float64{1}, len(g.Pieces)), Empty: .5, Line: 1, Moved: .75}
}

// Check tells what is wrong with weights for a game of so many kinds of pieces.
func (w *Weights) Check(kinds int) error {
	if len(w.Piece) != kinds {
		return fmt.Errorf("pattern: weights of %d pieces for a game of %d: give one for each", len(w.Piece), kinds)
	}
	for i, v := range append([]float64{w.Empty, w.Line}, w.Piece...) {
		if !(v >= 0 && v <= maxWeight) {
			what := "a piece"
			if i < 2 {
				what = [2]string{"an empty point", "a line"}[i]
			}
			return fmt.Errorf("pattern: %s cannot weigh %v: write a number from 0 to %d", what, v, maxWeight)
		}
	}
	for i, v := range []float64{w.Moved, w.Relation} {
		if !(v >= 0 && v <= 1) {
			return fmt.Errorf("pattern: a share of %v for %s: write a number from 0 to 1", v, [2]string{"pieces that have moved", "relations"}[i])
		}
	}
	return nil
}

const maxWeight = 100

// units are weights as integers: sums of them do not depend on their order, and
// whoever adds them up in another way gets the same likeness.
type units struct {
	piece, moved []int // by piece, from 1
	empty, line  int
}

// units finds the smallest factor that makes all weights whole numbers. Weights
// that no small one fits are rounded to a thousandth.
func (w *Weights) units() units {
	scale := 1.
	whole := func(v float64) bool { return math.Abs(v*scale-math.Round(v*scale)) < 1e-9 }
	fits := func() bool {
		ok := whole(w.Empty) && whole(w.Line)
		for _, v := range w.Piece {
			ok = ok && whole(v) && whole(v*w.Moved)
		}
		return ok
	}
	for !fits() && scale < 100 {
		scale++
	}
	if !fits() {
		scale = 1000
	}
	in := func(v float64) int { return int(math.Round(v * scale)) }
	u := units{piece: make([]int, len(w.Piece)+1), moved: make([]int, len(w.Piece)+1), empty: in(w.Empty), line: in(w.Line)}
	for i, v := range w.Piece {
		u.piece[i+1], u.moved[i+1] = in(v), in(v*w.Moved)
	}
	return u
}
