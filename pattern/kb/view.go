package kb

import (
	"math/bits"
	"strconv"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/window"
)

// A view is an entry seen from one of its points by the side that plays there:
// that side is own, and the point is the origin. Two entries say something of
// the same move when views of theirs hold at the same point of a board, and what
// one shape means for the other can be told from their views alone:
//
//   - where on a board a view may stand is decided by how many columns and rows
//     lie on each of its four sides (room);
//   - in each such room, every cell on the board has a set of states.
//
// A implies B if B may stand in every room that A may stand in, and A's sets lie
// within B's there. A and B may hold at once if there is a room for both in which
// no cell's sets exclude each other. Both are exact: a set of states for each
// cell and nothing else is what a shape is.
type view struct {
	at    Spot // the origin, in the entry's diagram as drawn
	cells []seen

	// middle is where the middle point of the diagram lies, and place its lines:
	// across for the distance above and below, along for left and right.
	middle        offset
	across, along uint8

	// near holds what the cells around the origin may be where they are on the
	// board, four bits each, the nearest cells in the first words. A cell that
	// never is on the board has none.
	near [nearWords]uint64

	// always has the lowest bit of every near cell that is on the board wherever
	// the view stands.
	always [nearWords]uint64

	// low and high are the corners of the smallest rectangle around the origin and
	// all cells.
	low, high offset

	reach int  // the largest distance of a cell or of a place, by rows or columns
	edged bool // some cell or place has to do with the edge

	// needs is the least room that has the cells that must be on the board. In
	// rooms that are larger than knows on a side all is as it is there.
	needs, knows room
}

// seen is a cell that says something.
type seen struct {
	offset
	set pattern.Set
}

type offset struct{ x, y int8 }

const (
	nearReach = 4
	nearWords = 6 // for 81 cells
)

// nearCells lists the cells within nearReach, the nearest first.
var nearCells = func() (list []offset) {
	for ring := range 2*nearReach + 1 {
		for y := -nearReach; y <= nearReach; y++ {
			for x := -nearReach; x <= nearReach; x++ {
				if max(x, -x)+max(y, -y) == ring {
					list = append(list, offset{int8(x), int8(y)})
				}
			}
		}
	}
	return list
}()

// turn returns where a symmetry takes an offset.
func (o offset) turn(sym board.Symmetry) offset {
	x, y := sym.Step(int(o.x), int(o.y))
	return offset{int8(x), int8(y)}
}

// newView returns an entry seen from a point, by own or by the enemy, turned. It
// is not packed, which costs more than the rest of it.
func newView(e *Entry, at Spot, enemy bool, sym board.Symmetry) *view {
	v := &view{at: at, across: e.Place[0], along: e.Place[1]}
	if sym&board.Transpose != 0 {
		v.across, v.along = v.along, v.across
	}
	for i, set := range e.Cells {
		if set == Any {
			continue
		}
		if enemy {
			set = window.Swapped(set)
		}
		o := offset{int8(i%e.Size.W) - at.X, int8(i/e.Size.W) - at.Y}.turn(sym)
		v.cells = append(v.cells, seen{o, set})
		v.low = offset{min(v.low.x, o.x), min(v.low.y, o.y)}
		v.high = offset{max(v.high.x, o.x), max(v.high.y, o.y)}
		v.reach = max(v.reach, o.far())
		v.edged = v.edged || set&pattern.Off != 0
		if at := roomOf(o); set&pattern.Off == 0 {
			v.needs, v.knows = v.needs.or(at), v.knows.or(at)
		} else {
			v.knows = v.knows.or(at)
		}
	}
	v.middle = offset{int8((e.Size.W-1)/2) - at.X, int8((e.Size.H-1)/2) - at.Y}.turn(sym)
	if line := int(max(v.across, v.along)); line > 0 {
		v.edged = true
		v.reach = max(v.reach, v.middle.far()+line)
		x, y, row, column := int(v.middle.x), int(v.middle.y), int(v.across), int(v.along)
		v.knows = v.knows.or(room{column - x, column + x, row - y, row + y})
	}
	return v
}

func (o offset) far() int { return int(max(o.x, -o.x, o.y, -o.y)) }

// room is how many columns and rows of the board lie on each side of the origin.
type room struct{ left, right, above, below int }

func (r room) has(o offset) bool {
	return int(o.x) >= -r.left && int(o.x) <= r.right && int(o.y) >= -r.above && int(o.y) <= r.below
}

// roomOf returns the least room that has the origin and a cell.
func roomOf(o offset) room {
	return room{max(0, -int(o.x)), max(0, int(o.x)), max(0, -int(o.y)), max(0, int(o.y))}
}

// or returns the least room that has all that either has.
func (r room) or(q room) room {
	return room{max(r.left, q.left), max(r.right, q.right), max(r.above, q.above), max(r.below, q.below)}
}

// rooms calls f with every room from one to another, until f returns false. It
// tells whether f never did.
func rooms(from, to room, f func(room) bool) bool {
	for left := from.left; left <= to.left; left++ {
		for right := from.right; right <= to.right; right++ {
			for above := from.above; above <= to.above; above++ {
				for below := from.below; below <= to.below; below++ {
					if !f(room{left, right, above, below}) {
						return false
					}
				}
			}
		}
	}
	return true
}

// fits tells whether the view may stand in a room.
func (v *view) fits(r room) bool {
	x, y := int(v.middle.x), int(v.middle.y)
	if v.across != 0 && min(r.above+y, r.below-y)+1 != int(v.across) || v.along != 0 && min(r.left+x, r.right-x)+1 != int(v.along) {
		return false
	}
	for _, c := range v.cells {
		want := pattern.Off
		if r.has(c.offset) {
			want = OnBoard
		}
		if c.set&want == 0 {
			return false
		}
	}
	return true
}

// pack fills near and always, which implies and compatible need.
func (v *view) pack() {
	var set [2*nearReach + 1][2*nearReach + 1]pattern.Set
	for y := range set {
		for x := range set[y] {
			set[y][x] = OnBoard
		}
	}
	for _, c := range v.cells {
		if c.far() <= nearReach {
			set[c.y+nearReach][c.x+nearReach] = c.set & OnBoard
		}
	}
	// least and most are the rooms around all rooms that the view stands in: a
	// cell is on the board in some of them, or in all, if it is in that.
	least, most := room{-int(v.low.x), int(v.high.x), -int(v.low.y), int(v.high.y)}, room{nearReach, nearReach, nearReach, nearReach}
	if v.edged {
		all := v.knows.or(most)
		least, most = most, room{}
		rooms(v.needs, all, func(r room) bool {
			if v.fits(r) {
				least = room{min(least.left, r.left), min(least.right, r.right), min(least.above, r.above), min(least.below, r.below)}
				most = room{max(most.left, r.left), max(most.right, r.right), max(most.above, r.above), max(most.below, r.below)}
			}
			return true
		})
	}
	for i, o := range nearCells {
		if most.has(o) {
			v.near[i/16] |= uint64(set[o.y+nearReach][o.x+nearReach]) << (i % 16 * 4)
		}
		if least.has(o) {
			v.always[i/16] |= 1 << (i % 16 * 4)
		}
	}
}

// implies tells whether b holds wherever a does.
func implies(a, b *view) bool {
	for i := range a.near {
		if a.near[i]&^b.near[i] != 0 {
			return false
		}
	}
	if !a.edged && !b.edged {
		// Both stand wherever their rectangles lie on the board.
		if a.low.x > b.low.x || a.low.y > b.low.y || a.high.x < b.high.x || a.high.y < b.high.y {
			return false
		}
		for _, c := range b.cells {
			if a.set(c.offset)&OnBoard&^c.set != 0 {
				return false
			}
		}
		return true
	}
	return rooms(a.needs, a.knows.or(b.knows), func(r room) bool {
		if !a.fits(r) {
			return true
		}
		if !b.fits(r) {
			return false
		}
		for _, c := range b.cells {
			if r.has(c.offset) && a.set(c.offset)&OnBoard&^c.set != 0 {
				return false
			}
		}
		return true
	})
}

// compatible tells whether there is a board on which both hold.
func compatible(a, b *view) bool {
	for i := range a.near {
		both := a.near[i] & b.near[i]
		if (a.always[i]|b.always[i])&^(both|both>>1|both>>2) != 0 {
			return false
		}
	}
	if !a.edged && !b.edged {
		for _, c := range b.cells {
			if a.set(c.offset)&c.set == 0 {
				return false
			}
		}
		return true
	}
	return !rooms(a.needs.or(b.needs), a.knows.or(b.knows), func(r room) bool {
		if !a.fits(r) || !b.fits(r) {
			return true
		}
		for _, c := range b.cells {
			if r.has(c.offset) && a.set(c.offset)&c.set&OnBoard == 0 {
				return true
			}
		}
		return false
	})
}

// set returns what a cell may be.
func (v *view) set(o offset) pattern.Set {
	for _, c := range v.cells {
		if c.offset == o {
			return c.set
		}
	}
	return Any
}

// possible tells whether there is a board that the entry stands on, and why not
// where there is none: no room, or a string that has no liberty in it.
func (e *Entry) possible() (ok bool, why string) {
	v := newView(e, Spot{}, false, board.Identity)
	// The origin is a cell like any other here, and may lie outside.
	fits := false
	s := 2*v.reach + 2
	for w := 1; w <= min(s, board.MaxSide) && !fits; w++ {
		for h := 1; h <= min(s, board.MaxSide) && !fits; h++ {
			for x := -e.Size.W + 1; x < w && !fits; x++ {
				for y := -e.Size.H + 1; y < h && !fits; y++ {
					fits = v.fits(room{x, w - 1 - x, y, h - 1 - y})
				}
			}
		}
	}
	if !fits {
		return false, "its cells outside the board and its place leave no room for it on any board"
	}
	for i, set := range e.Cells {
		if (set == Own || set == Enemy) && !e.breathes(i, set) {
			return false, "the stone in row " + strconv.Itoa(i/e.Size.W+1) + ", column " + strconv.Itoa(i%e.Size.W+1) + " can have no liberty"
		}
	}
	return true, ""
}

// breathes tells whether the string of a stone may have a liberty: it reaches a
// point that may be empty through points that may be of its side.
func (e *Entry) breathes(i int, side pattern.Set) bool {
	var known, open [MaxSide]uint32
	open[i/e.Size.W] = 1 << (i % e.Size.W)
	for {
		done := true
		for y := range e.Size.H {
			for row := open[y] &^ known[y]; row != 0; row &= row - 1 {
				x := bits.TrailingZeros32(row)
				known[y] |= 1 << x
				done = false
				for _, d := range [4][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}} {
					nx, ny := x+d[0], y+d[1]
					set := e.At(nx, ny)
					if set&pattern.Empty != 0 {
						return true
					}
					if set&side != 0 {
						open[ny] |= 1 << nx
					}
				}
			}
		}
		if done {
			return false
		}
	}
}
