package eval

import (
	"math/bits"
	"sync"
)

// The patterns of the evaluation: sets of squares whose contents, read as a
// number in base three, choose a weight. A pattern stands on the board in
// every place where a symmetry of the board puts it, and all of its places
// share the weights.
var shapes = [...]string{
	"a1 b1 c1 a2 b2 c2 a3 b3 c3 d4", // corner, three by three, with the centre
	"a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", // edge with the two X squares
	"a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", // corner, five by two
	"a1 b1 c1 d1 a2 b2 c2 a3 b3 a4", // corner, triangle
	"c1 d1 e1 f1 c2 d2 e2 f2 d3 e3", // middle of the edge
	"a1 b2 c3 d4 e5 f6 g7 h8 b1 g8", // long diagonal with two C squares
	"b1 c2 d3 e4 f5 g6 h7 a1 h8",    // diagonal of seven with the corners
	"d1 e2 f3 g4 h5 c1 d2 g5 h6",    // diagonal of five with the ends of that of six
	"d1 e2 f3 g4 h5 e1 f2 g3 h4",    // diagonals of five and four
	"b2 c2 d2 b3 c3 d3 b4 c4 d4",    // block inside the corner
	"a2 b2 c2 d2 e2 f2 g2 h2",       // second line
	"a3 b3 c3 d3 e3 f3 g3 h3",       // third line
	"a4 b4 c4 d4 e4 f4 g4 h4",       // fourth line
	"c1 d2 e3 f4 g5 h6 b2 g7",       // diagonal of six with X squares
}

const (
	patterns  = len(shapes)
	words     = 15        // of four places each
	Instances = 4 * words // Instances is the number of places that all patterns have together

	// cells is the number of configurations of all patterns, mirrored ones
	// counted apart.
	cells = 6*59049 + 4*19683 + 4*6561
)

// wordPattern tells which pattern the four places in a word belong to; the
// corner of five by two has eight places, all others have four.
var wordPattern = [words]int{0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}

// place is a pattern on the board: its squares, that of the lowest digit first.
type place []int

// layout is where the patterns lie. A word holds the indices of four places,
// 16 bits each, and a square adds to all of them at once: no lane overflows,
// since an index is less than 3^10.
//
// A digit is 0 for a disc of the opponent, 1 for an empty square and 2 for an
// own disc, so that an index seen from the other side is full less the index.
type layout struct {
	step  [64][words]uint64 // what one digit more on a square adds
	twice [64][words]uint64 // and two
	empty [words]uint64     // the indices of the empty board
	full  [words]uint64     // those of a board full of own discs
	start [patterns]int     // where the configurations of a pattern begin among all
	size  [patterns]int     // their number
}

var lay = *makeLayout()

func makeLayout() *layout {
	l := new(layout)
	at := 0
	next := [patterns]int{}
	for p := range shapes {
		l.start[p] = at
		l.size[p] = 1
		for range placesOf(p)[0] {
			l.size[p] *= 3
		}
		at += l.size[p]
	}
	for w, p := range wordPattern {
		all := placesOf(p)
		for lane := range 4 {
			unit := uint64(1) << (16 * lane)
			for _, sq := range all[next[p]] {
				l.step[sq][w] += unit
				l.twice[sq][w] += 2 * unit
				l.empty[w] += unit
				l.full[w] += 2 * unit
				unit *= 3
			}
			next[p]++
		}
	}
	return l
}

// placesOf returns the places of a pattern: one for each set of squares that a
// symmetry makes of it.
func placesOf(p int) []place {
	base := squaresOf(shapes[p])
	var all []place
	var seen []uint64
	for s := range 8 {
		at := make(place, len(base))
		var set uint64
		for i, sq := range base {
			at[i] = turn(sq, s)
			set |= 1 << at[i]
		}
		if !contains(seen, set) {
			seen = append(seen, set)
			all = append(all, at)
		}
	}
	return all
}

// mirrorOf returns the digits of a pattern as a symmetry that keeps its set of
// squares moves them, or nil where only the identity keeps it.
func mirrorOf(p int) []int {
	base := squaresOf(shapes[p])
	at := map[int]int{}
	for i, sq := range base {
		at[sq] = i
	}
next:
	for s := 1; s < 8; s++ {
		to := make([]int, len(base))
		same := true
		for i, sq := range base {
			j, ok := at[turn(sq, s)]
			if !ok {
				continue next
			}
			to[i] = j
			same = same && i == j
		}
		if !same {
			return to
		}
	}
	return nil
}

func contains(list []uint64, x uint64) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}

func squaresOf(text string) (list []int) {
	for i := 0; i < len(text); i += 3 {
		list = append(list, int(text[i+1]-'1')*8+int(text[i]-'a'))
	}
	return list
}

// turn returns where a symmetry of the board moves a square: bit 0 mirrors the
// columns, bit 1 the rows, bit 2 swaps them.
func turn(sq, s int) int {
	x, y := sq&7, sq>>3
	if s&1 != 0 {
		x = 7 - x
	}
	if s&2 != 0 {
		y = 7 - y
	}
	if s&4 != 0 {
		x, y = y, x
	}
	return 8*y + x
}

// packing numbers the weights: configurations that mirror each other share
// one.
type packing struct {
	of    [cells]uint32 // the weight of a configuration
	count int
}

var packed = sync.OnceValue(func() *packing {
	k := new(packing)
	for p := range shapes {
		mirror := mirrorOf(p)
		start, size := lay.start[p], lay.size[p]
		// image[i] is what a configuration becomes; it is built digit by digit.
		image := make([]int, size)
		unit := 1
		for digit := 0; unit < size; digit++ {
			worth := unit
			if mirror != nil {
				worth = 1
				for range mirror[digit] {
					worth *= 3
				}
			}
			for i := range unit {
				image[unit+i] = image[i] + worth
				image[2*unit+i] = image[i] + 2*worth
			}
			unit *= 3
		}
		for i, m := range image {
			if m < i {
				k.of[start+i] = k.of[start+m]
				continue
			}
			k.of[start+i] = uint32(k.count)
			k.count++
		}
	}
	return k
})

// Features are the indices of all places, kept while moves are made. They are
// seen from the side that was to move in Set; flip tells that the other one is
// now. Copying them costs as much as 16 words.
type Features struct {
	index [words]uint64
	flip  bool
}

// Set reads a position.
func (f *Features) Set(own, opp uint64) {
	f.index = lay.empty
	f.flip = false
	for ; own != 0; own &= own - 1 {
		add(&f.index, &lay.step[bits.TrailingZeros64(own)&63])
	}
	for ; opp != 0; opp &= opp - 1 {
		sub(&f.index, &lay.step[bits.TrailingZeros64(opp)&63])
	}
}

// Move makes f the features after the side to move in from has played on a
// square and turned over flips. f may be from itself.
func (f *Features) Move(from *Features, square int, flips uint64) {
	if lanes {
		moveLanes(f, from, &lay, square&63, flips)
		return
	}
	f.movePlain(from, square, flips)
}

// movePlain is Move on any processor.
func (f *Features) movePlain(from *Features, square int, flips uint64) {
	// The change is gathered first: it is the same for both sides but for its
	// sign.
	change := lay.step[square&63]
	for ; flips != 0; flips &= flips - 1 {
		add(&change, &lay.twice[bits.TrailingZeros64(flips)&63])
	}
	if from.flip {
		for i := range f.index {
			f.index[i] = from.index[i] - change[i]
		}
	} else {
		for i := range f.index {
			f.index[i] = from.index[i] + change[i]
		}
	}
	f.flip = !from.flip
}

// Pass gives the move to the other side.
func (f *Features) Pass() { f.flip = !f.flip }

func add(to, by *[words]uint64) {
	to[0] += by[0]
	to[1] += by[1]
	to[2] += by[2]
	to[3] += by[3]
	to[4] += by[4]
	to[5] += by[5]
	to[6] += by[6]
	to[7] += by[7]
	to[8] += by[8]
	to[9] += by[9]
	to[10] += by[10]
	to[11] += by[11]
	to[12] += by[12]
	to[13] += by[13]
	to[14] += by[14]
}

func sub(to, by *[words]uint64) {
	for i := range to {
		to[i] -= by[i]
	}
}
