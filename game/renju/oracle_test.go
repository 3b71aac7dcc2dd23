package renju

import (
	"slices"

	"qipu/board"
)

// oracle decides fouls straight from the definitions in doc.go: cell by cell,
// by trying every stone, without bit words and without the insight that only
// two points of a line matter. It shares no code with the package.
type oracle struct {
	w, h  int
	cell  [board.MaxSide][board.MaxSide]byte // 'X', 'O' or '.'
	depth int                                // of the current question
	deep  int                                // the deepest question so far
}

// What a black stone does.
const (
	makesNothing = iota
	makesFive
	makesOverline
	makesDoubleFour
	makesDoubleThree
)

type xy struct{ x, y int }

func newOracle(b *board.Planes) *oracle {
	o := &oracle{w: b.Size.W, h: b.Size.H}
	for y := range o.h {
		for x := range o.w {
			o.cell[y][x] = ".XO"[b.At(board.At(x, y))]
		}
	}
	return o
}

// at reads a cell; everything outside the board is '#'.
func (o *oracle) at(p xy) byte {
	if p.x < 0 || p.y < 0 || p.x >= o.w || p.y >= o.h {
		return '#'
	}
	return o.cell[p.y][p.x]
}

func (o *oracle) set(p xy, c byte) { o.cell[p.y][p.x] = c }

var oracleWays = [4]xy{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

func along(p, way xy, n int) xy { return xy{p.x + n*way.x, p.y + n*way.y} }

// row returns the number of c stones in the unbroken row through p.
func (o *oracle) row(p, way xy, c byte) int {
	n := 1
	for k := 1; o.at(along(p, way, k)) == c; k++ {
		n++
	}
	for k := -1; o.at(along(p, way, k)) == c; k-- {
		n++
	}
	return n
}

// makesFiveAt reports whether black stones on p (already there) are in a row
// of exactly five.
func (o *oracle) makesFiveAt(p xy) bool {
	for _, way := range oracleWays {
		if o.row(p, way, 'X') == 5 {
			return true
		}
	}
	return false
}

// judge tells what a black stone on the empty point p does.
func (o *oracle) judge(p xy) int {
	o.depth++
	o.deep = max(o.deep, o.depth)
	o.set(p, 'X')
	defer func() {
		o.set(p, '.')
		o.depth--
	}()
	if o.makesFiveAt(p) {
		return makesFive
	}
	for _, way := range oracleWays {
		if o.row(p, way, 'X') > 5 {
			return makesOverline
		}
	}
	if len(o.fours(p)) > 1 {
		return makesDoubleFour
	}
	if len(o.threes(p)) > 1 {
		return makesDoubleThree
	}
	return makesNothing
}

// window is a piece of a line: its stones from one end to the other, and its
// empty points.
type window struct {
	stones       [5]xy // 5 or 4 points long; the rest is zero
	gap          xy    // the last empty point
	black, empty int
}

func (o *oracle) window(p, way xy, length int) (w window) {
	for k := range length {
		q := along(p, way, k)
		switch o.at(q) {
		case 'X':
			w.stones[w.black] = q
			w.black++
		case '.':
			w.gap = q
			w.empty++
		}
	}
	return w
}

// fours returns the sets of four stones, p among them, that one more stone
// makes a five: every window of five points, one of them empty.
func (o *oracle) fours(p xy) (found [][5]xy) {
	for _, way := range oracleWays {
		for start := -4; start <= 0; start++ {
			w := o.window(along(p, way, start), way, 5)
			if w.black != 4 || w.empty != 1 {
				continue
			}
			o.set(w.gap, 'X')
			if o.row(w.gap, way, 'X') == 5 && !slices.Contains(found, w.stones) {
				found = append(found, w.stones)
			}
			o.set(w.gap, '.')
		}
	}
	return found
}

// threes returns the sets of three stones, p among them, that one more stone
// makes a straight four, if Black may put it.
func (o *oracle) threes(p xy) (found [][5]xy) {
	for _, way := range oracleWays {
		for start := -3; start <= 0; start++ {
			w := o.window(along(p, way, start), way, 4)
			if w.black != 3 || w.empty != 1 {
				continue
			}
			o.set(w.gap, 'X')
			straight := o.straightFour(along(p, way, start), way)
			o.set(w.gap, '.')
			if straight && o.judge(w.gap) == makesNothing && !slices.Contains(found, w.stones) {
				found = append(found, w.stones)
			}
		}
	}
	return found
}

// straightFour reports whether the four stones from p on become a five by a
// stone on either end.
func (o *oracle) straightFour(p, way xy) bool {
	for _, end := range [2]xy{along(p, way, -1), along(p, way, 4)} {
		if o.at(end) != '.' {
			return false
		}
		o.set(end, 'X')
		n := o.row(end, way, 'X')
		o.set(end, '.')
		if n != 5 {
			return false
		}
	}
	return true
}

// oracleFoul translates a judgement.
func oracleFoul(judgement int) Foul {
	switch judgement {
	case makesOverline:
		return Overline
	case makesDoubleFour:
		return DoubleFour
	case makesDoubleThree:
		return DoubleThree
	}
	return NoFoul
}
