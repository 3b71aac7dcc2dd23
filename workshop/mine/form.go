package mine

import (
	"math/bits"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/pattern/window"
)

// The states of a point as bits of a set.
const (
	empty = 1 << iota
	own
	enemy
	off

	onBoard = empty | own | enemy
	anyCell = onBoard | off
)

// The points of a context: the middle, the eight around it, and the ring.
const (
	numNear = 8
	numRing = 16
	numLine = 6 // classes of lines: 1 to 4, and 5 for all further ones; 0 is free
)

// spots are the points of a context from its middle, in the order of the bits of
// a window: first the middle, then near ones, then the ring.
var spots = func() (list [1 + numNear + numRing][2]int) {
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			list[window.Shift(dx, dy)/2] = [2]int{dx, dy}
		}
	}
	return list
}()

// turned[sym][i] is where a symmetry takes the point i.
var turned = func() (t [board.NumSymmetries][len(spots)]uint8) {
	for sym := range board.NumSymmetries {
		for i, s := range spots {
			q := sym.Apply(board.Size{W: 5, H: 5}, board.At(s[0]+2, s[1]+2))
			t[sym][i] = uint8(window.Shift(q.X()-2, q.Y()-2) / 2)
		}
	}
	return t
}()

// form is a shape of 5x5 points around an empty one that own may play: what each
// point may be, and the lines of the middle, as the miner works on it.
type form struct {
	cells [1 + numNear + numRing]uint8 // sets of states; the first is the middle
	line  [2]uint8                     // up and down, left and right; 0 is free
}

// loose returns the form that says nothing.
func loose() (f form) {
	for i := range f.cells {
		f.cells[i] = anyCell
	}
	f.cells[0] = empty
	return f
}

// turn returns the form as a symmetry shows it.
func (f *form) turn(sym board.Symmetry) (g form) {
	for i, c := range f.cells {
		g.cells[turned[sym][i]] = c
	}
	g.line = f.line
	if sym&board.Transpose != 0 {
		g.line[0], g.line[1] = f.line[1], f.line[0]
	}
	return g
}

// canonical returns the picture of the form that is drawn: edges below and at
// the left, and of those the first in a fixed order.
func (f *form) canonical() form {
	best := f.turn(0)
	for sym := range board.NumSymmetries {
		if g := f.turn(sym); g.before(&best) {
			best = g
		}
	}
	return best
}

func (f *form) before(g *form) bool {
	if a, b := f.lean(), g.lean(); a != b {
		return a > b
	}
	for i := range f.cells {
		if f.cells[i] != g.cells[i] {
			return f.cells[i] < g.cells[i]
		}
	}
	return f.line[0] < g.line[0] || f.line[0] == g.line[0] && f.line[1] < g.line[1]
}

// lean tells how much the edges of a form lie below, then at the left. A line
// that is further away than the cells show counts too: it is that of the rows.
func (f *form) lean() (n int) {
	for i, c := range f.cells {
		if c == off {
			n += 12*spots[i][1] - 5*spots[i][0]
		}
	}
	if f.line[0] != 0 {
		n += 2
	}
	if f.line[1] != 0 {
		n++
	}
	return n
}

// implies tells whether g holds wherever f does, as far as cells tell: the exact
// answer is that of kb.Lint.
func (f *form) implies(g *form) bool {
	for sym := range board.NumSymmetries {
		if h := g.turn(sym); f.within(&h) {
			return true
		}
	}
	return false
}

func (f *form) within(g *form) bool {
	for i, c := range f.cells {
		if c&^g.cells[i] != 0 {
			return false
		}
	}
	return (g.line[0] == 0 || g.line[0] == f.line[0]) && (g.line[1] == 0 || g.line[1] == f.line[1])
}

// stones counts the points that must be own and enemy stones.
func (f *form) stones() (mine, theirs int) {
	for _, c := range f.cells {
		switch c {
		case own:
			mine++
		case enemy:
			theirs++
		}
	}
	return mine, theirs
}

// sets returns the cells row by row, as a base has them.
func (f *form) sets() []pattern.Set {
	list := make([]pattern.Set, 25)
	for i, c := range f.cells {
		set := pattern.Set(c & onBoard)
		if c&off != 0 {
			set |= pattern.Off
		}
		list[(spots[i][1]+2)*5+spots[i][0]+2] = set
	}
	return list
}

// entry returns the form as an entry without words. The diagram is 5x5, or 3x3
// where the ring says nothing: its middle is the good point, and what place speaks
// of.
func (f *form) entry() kb.Entry {
	e := kb.Entry{Size: board.Size{W: 5, H: 5}, Cells: f.sets(), Ours: []kb.Spot{{X: 2, Y: 2}}, Place: f.line, Origin: kb.Mined, Urgency: kb.Ordinary}
	if f.narrow() {
		e.Size, e.Ours = board.Size{W: 3, H: 3}, []kb.Spot{{X: 1, Y: 1}}
		var cells []pattern.Set
		for y := 1; y < 4; y++ {
			cells = append(cells, e.Cells[5*y+1:5*y+4]...)
		}
		e.Cells = cells
	}
	return e
}

// narrow tells that the ring says nothing.
func (f *form) narrow() bool {
	for _, c := range f.cells[1+numNear:] {
		if c != anyCell {
			return false
		}
	}
	return true
}

// planes returns the points of a word as two bits a point in two words, near
// points in the lowest eight bits of each, then the ring.
func planes(word uint64) (lo, hi uint32) {
	return squeeze(word >> 2 & (1<<48 - 1)), squeeze(word >> 3 & (1<<47 - 1))
}

// squeeze returns every other bit of a word.
func squeeze(x uint64) uint32 {
	x &= 0x5555555555555555
	x = (x | x>>1) & 0x3333333333333333
	x = (x | x>>2) & 0x0f0f0f0f0f0f0f0f
	x = (x | x>>4) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}

// allowed are, for each state, the ring points of a form that may be in it.
func (f *form) allowed() (m [4]uint16) {
	for i, c := range f.cells[1+numNear:] {
		for s := range m {
			m[s] |= uint16(c>>s&1) << i
		}
	}
	return m
}

// wrong returns the ring points that are in a state that is not allowed.
func wrong(lo, hi uint16, m *[4]uint16) uint16 {
	return ^lo&^hi&^m[0] | lo&^hi&^m[1] | hi&^lo&^m[2] | lo&hi&^m[3]
}

// state returns the state of a ring point.
func state(lo, hi uint16, i int) int { return int(lo>>i&1 | hi>>i&1<<1) }

// codes calls visit with every code of the near points that a form allows, and
// returns how many there are. A visit of nil counts.
func (f *form) codes(visit func(code uint16)) int {
	n := 1
	for _, c := range f.cells[1 : 1+numNear] {
		n *= bits.OnesCount8(c)
	}
	if visit == nil {
		return n
	}
	var at [numNear]int
	for i := range at {
		at[i] = bits.TrailingZeros8(f.cells[1+i])
	}
	for {
		code := uint16(0)
		for i, s := range at {
			code |= uint16(s&1)<<i | uint16(s>>1)<<(8+i)
		}
		visit(code)
		i := 0
		for ; i < numNear; i++ {
			if rest := f.cells[1+i] >> (at[i] + 1); rest != 0 {
				at[i] += 1 + bits.TrailingZeros8(rest)
				break
			}
			at[i] = bits.TrailingZeros8(f.cells[1+i])
		}
		if i == numNear {
			return n
		}
	}
}
