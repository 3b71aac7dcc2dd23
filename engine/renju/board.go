package renju

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	rules "qipu/game/renju"
)

// The board has a margin of five cells on all sides, that of a row's end being that of
// the next one's beginning: no step of a line leaves the table, and none wraps.
const (
	directions = 4
	stride     = board.MaxSide + reach
	cellsTotal = (board.MaxSide+2*reach)*stride + reach
	maxPoints  = board.MaxSide * board.MaxSide
	setWords   = (maxPoints + 63) / 64
)

// step is the way to the next cell of a line.
var step = [directions]int{1, stride, stride + 1, stride - 1}

// cell is a place of the board, or one beyond its edge.
type cell struct {
	view  [2][directions]uint16 // by side: see reach
	code  [2]uint16             // by side: the shapes that a stone makes, four bits a direction
	grade [2]grade
	stone uint8  // free, or who stands there
	at    uint16 // the number of the point: y*W + x
}

// What stands on a cell.
const (
	free  uint8 = iota // and 1 and 2 for the sides
	black              // side 0
	white
	outside
)

// pointSet is a set of points by their numbers.
type pointSet [setWords]uint64

func (s *pointSet) flip(at uint16) { s[at>>6] ^= 1 << (at & 63) }

func (s *pointSet) has(at uint16) bool { return s[at>>6]>>(at&63)&1 != 0 }

func (s *pointSet) add(at uint16) { s[at>>6] |= 1 << (at & 63) }

// table is a board with all that its lines tell, kept move by move. Points are cells,
// sides are 0 for Black and 1 for White.
type table struct {
	size  board.Size
	words int // of point sets
	free  int // points without a stone
	foul  bool
	reach int // how far a stone is seen: a five of any length needs no fifth neighbour
	hash  uint64

	atlas  [2]*atlas
	cells  [cellsTotal]cell
	places [maxPoints]uint16 // the cells of points
	count  [2][grades]int16  // free points by what a stone makes there
	sets   [2][kinds]pointSet

	path []uint16 // the cells of stones that were put, in their order
}

// newTable sets a position up. Nil is returned for positions of another game.
func newTable(p *rules.Position, r *rules.Rules) *table {
	t := &table{size: r.Geometry().Size, reach: reach}
	laws := [2]law{lawBlack, lawFree}
	switch r.Set() {
	case rules.SetFree:
		laws, t.reach = [2]law{lawFree, lawFree}, reach-1
	case rules.SetStandard:
		laws = [2]law{lawExact, lawExact}
	default:
		t.foul = true
	}
	for side, l := range laws {
		t.atlas[side] = atlasOf(l)
	}
	for i := range t.cells {
		t.cells[i].stone = outside
	}
	n := 0
	for y := range t.size.H {
		for x := range t.size.W {
			c := cellOf(board.At(x, y))
			t.cells[c].stone, t.cells[c].at = free, uint16(n)
			t.places[n] = c
			n++
		}
	}
	t.free, t.words = n, (n+63)/64
	for _, c := range t.places[:n] {
		for d, by := range step {
			for k := -reach; k <= reach; k++ {
				if k != 0 && t.cells[int(c)+k*by].stone == outside {
					t.cells[c].view[0][d] += 2 * power[digit(k)]
					t.cells[c].view[1][d] += 2 * power[digit(k)]
				}
			}
		}
		t.enlist(c)
	}
	planes := p.Planes()
	for side := range planes.Of {
		for at := range planes.Of[side].Points() {
			t.put(side, cellOf(at))
		}
	}
	t.path = t.path[:0]
	return t
}

// cellOf and pointOf lead from points of the game to cells and back.
func cellOf(p board.Point) uint16 { return uint16((p.Y()+reach)*stride + p.X() + reach) }

func pointOf(c uint16) board.Point {
	return board.At(int(c)%stride-reach, int(c)/stride-reach)
}

func moveOf(c uint16) game.Move { return game.Drop(pointOf(c)) }

// zobrist is the key of a stone.
func zobrist(side int, c uint16) uint64 { return keys[side][c] }

var keys = func() (list [2][cellsTotal]uint64) {
	for side := range list {
		for c := range list[side] {
			list[side][c] = board.Mix(uint64(side)<<32 | uint64(c) | 1<<50)
		}
	}
	return list
}()

// enlist counts a free point in by what its views tell, and delist counts it out.
func (t *table) enlist(c uint16) {
	x := &t.cells[c]
	for side := range 2 {
		code := uint16(0)
		for d := range directions {
			code |= uint16(t.atlas[side].shape[x.view[side][d]]) << (4 * d)
		}
		g := t.atlas[side].grade[code]
		x.code[side], x.grade[side] = code, g
		t.count[side][g]++
		if k := gradeKind[g]; k != kindNone {
			t.sets[side][k].flip(x.at)
		}
	}
}

func (t *table) delist(c uint16) {
	x := &t.cells[c]
	for side := range 2 {
		g := x.grade[side]
		t.count[side][g]--
		if k := gradeKind[g]; k != kindNone {
			t.sets[side][k].flip(x.at)
		}
	}
}

// put puts a stone of a side onto a free point.
func (t *table) put(side int, c uint16) {
	t.delist(c)
	t.cells[c].stone = uint8(side) + 1
	t.hash ^= zobrist(side, c)
	t.free--
	t.path = append(t.path, c)
	for d, by := range step {
		at := int(c)
		for k := 1; k <= t.reach; k++ {
			if at += by; t.cells[at].stone == outside {
				break
			}
			t.see(at, d, side, power[digit(-k)], 2*power[digit(-k)])
		}
		at = int(c)
		for k := 1; k <= t.reach; k++ {
			if at -= by; t.cells[at].stone == outside {
				break
			}
			t.see(at, d, side, power[digit(k)], 2*power[digit(k)])
		}
	}
}

// take takes the last stone away.
func (t *table) take() {
	c := t.path[len(t.path)-1]
	t.path = t.path[:len(t.path)-1]
	side := int(t.cells[c].stone) - 1
	t.cells[c].stone = free
	t.hash ^= zobrist(side, c)
	t.free++
	for d, by := range step {
		at := int(c)
		for k := 1; k <= t.reach; k++ {
			if at += by; t.cells[at].stone == outside {
				break
			}
			t.see(at, d, side, -power[digit(-k)], -(2 * power[digit(-k)]))
		}
		at = int(c)
		for k := 1; k <= t.reach; k++ {
			if at -= by; t.cells[at].stone == outside {
				break
			}
			t.see(at, d, side, -power[digit(k)], -(2 * power[digit(k)]))
		}
	}
	t.enlist(c)
}

// see changes what a cell sees in a direction, and what it tells if it is free.
func (t *table) see(at, d, side int, own, other uint16) {
	x := &t.cells[at]
	a, b := x.view[side][d]+own, x.view[1-side][d]+other
	x.view[side][d], x.view[1-side][d] = a, b
	if x.stone != free {
		return
	}
	shift := 4 * d
	if s := uint16(t.atlas[side].shape[a]); s != x.code[side]>>shift&15 {
		t.change(x, side, x.code[side]&^(15<<shift)|s<<shift)
	}
	if s := uint16(t.atlas[1-side].shape[b]); s != x.code[1-side]>>shift&15 {
		t.change(x, 1-side, x.code[1-side]&^(15<<shift)|s<<shift)
	}
}

func (t *table) change(x *cell, side int, code uint16) {
	x.code[side] = code
	g, was := t.atlas[side].grade[code], x.grade[side]
	if g == was {
		return
	}
	x.grade[side] = g
	t.count[side][was]--
	t.count[side][g]++
	if k, old := gradeKind[g], gradeKind[was]; k != old {
		if old != kindNone {
			t.sets[side][old].flip(x.at)
		}
		if k != kindNone {
			t.sets[side][k].flip(x.at)
		}
	}
}

// fives returns how many points a side makes a five on.
func (t *table) fives(side int) int { return int(t.count[side][gFive]) }

// first returns a point of a set that is not empty.
func (t *table) first(side int, k kind) uint16 {
	for i, w := range t.sets[side][k][:t.words] {
		if w != 0 {
			return t.places[i<<6+bits.TrailingZeros64(w)]
		}
	}
	panic("renju: the set is empty")
}

// appendSet appends the points of a set.
func (t *table) appendSet(dst []uint16, s *pointSet) []uint16 {
	for i, w := range s[:t.words] {
		for ; w != 0; w &= w - 1 {
			dst = append(dst, t.places[i<<6+bits.TrailingZeros64(w)])
		}
	}
	return dst
}

// forbidden tells whether a stone of a side on a free point is a foul.
func (t *table) forbidden(side int, c uint16) bool {
	if side != 0 || !t.foul {
		return false
	}
	switch t.cells[c].grade[0] {
	case gFoul:
		return true
	case gThreeThree, gFourThrees:
		return t.twoReal(c)
	}
	return false
}

// twoReal reports whether at least two of the threes of a black stone are real: each
// has a key that is neither a foul nor a five.
func (t *table) twoReal(c uint16) bool {
	code := t.cells[c].code[0]
	t.put(0, c)
	found := 0
	for d, by := range step {
		s := shape(code >> (4 * d) & 15)
		if (s == three || s == threeFree) && (t.key(int(c), by, d) || t.key(int(c), -by, d)) {
			if found++; found == 2 {
				break
			}
		}
	}
	t.take()
	return found == 2
}

// key reports whether the first free point from a black stone on is a key that Black
// may play.
func (t *table) key(at, by, d int) bool {
	for at += by; t.cells[at].stone == black; {
		at += by
	}
	x := &t.cells[at]
	return x.stone == free && shape(x.code[0]>>(4*d)&15) == fourOpen && x.grade[0] != gFive && !t.forbidden(0, uint16(at))
}
