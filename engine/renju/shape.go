package renju

import "sync"

// shape is what one more stone of a side makes of one line, seen from the point that
// it is put on. Everything that matters lies within five points on either side.
type shape uint8

const (
	nothing   shape = iota
	oneLow          // with more stones of its own it can become a five
	oneOpen         // one more makes an open two
	twoLow          // one more makes a three that is closed on one side
	twoOpen         // one more makes a three
	twoFree         // and there are three such points or more
	threeLow        // one more makes a four
	three           // one more, the key, makes two fives possible
	threeFree       // and there are two keys
	four            // one point makes a five
	fourFour        // two points do, of two different fours: a foul of Black in renju
	fourOpen        // both ends of an unbroken row do
	five
	overline // more than five where that does not win
)

// law is what counts as a five, and what as a key.
type law uint8

const (
	lawFree  law = iota // five or more win
	lawExact            // exactly five does
	lawBlack            // Black in renju: exactly five, and two fours are a foul
	laws
)

// reach is how far from a stone it matters. A point sees ten others of a line; what
// stands there are the digits of a number to the base three: 0 for nothing, 1 for an own
// stone, 2 for one of the other side or the edge. The first five digits are those of the
// points before it, the farthest first.
const (
	reach  = 5
	digits = 2 * reach
	views  = 59049 // 3 to the power of digits
)

// power returns the weight of each digit.
var power = [digits]uint16{1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683}

// digit returns the place of the point that is k steps further on.
func digit(k int) int {
	if k < 0 {
		return k + reach
	}
	return k + reach - 1
}

// atlas tells by the view of a point which shape a stone there makes; grade by the
// shapes of all four directions, four bits each, what they come to together.
type atlas struct {
	shape [views]shape
	grade [1 << 16]grade
}

// atlasOf makes the tables of a law with the first call: some milliseconds.
func atlasOf(l law) *atlas { return atlases[l]() }

var atlases = [laws]func() *atlas{
	sync.OnceValue(func() *atlas { return newAtlas(lawFree) }),
	sync.OnceValue(func() *atlas { return newAtlas(lawExact) }),
	sync.OnceValue(func() *atlas { return newAtlas(lawBlack) }),
}

// newAtlas goes from full views to empty ones: what a stone makes of a line follows from
// what it makes of those with one stone more.
func newAtlas(l law) *atlas {
	t := new(atlas)
	for v := views - 1; v >= 0; v-- {
		t.shape[v] = t.look(v, l)
	}
	for code := range t.grade {
		t.grade[code] = gradeOf(uint16(code), l)
	}
	return t
}

// look finds the shape of a view.
func (t *atlas) look(view int, l law) shape {
	var at [digits]int
	for i, rest := 0, view; i < digits; i, rest = i+1, rest/3 {
		at[i] = rest % 3
	}
	length := 1
	for i := reach - 1; i >= 0 && at[i] == 1; i-- {
		length++
	}
	for i := reach; i < digits && at[i] == 1; i++ {
		length++
	}
	switch {
	case length == 5 || length > 5 && l == lawFree:
		return five
	case length > 5:
		return overline
	}
	var next [overline + 1]int // how many points make which shape
	for i, d := range at {
		if d == 0 {
			next[t.shape[view+int(power[i])]]++
		}
	}
	keys := next[fourOpen]
	if l != lawBlack {
		keys += next[fourFour]
	}
	fours := next[four] + next[fourFour]
	threes := next[three] + next[threeFree]
	twos := next[twoOpen] + next[twoFree]
	switch {
	case next[five] > 1 && length == 4:
		return fourOpen
	case next[five] > 1:
		return fourFour
	case next[five] == 1:
		return four
	case keys > 1:
		return threeFree
	case keys == 1:
		return three
	case fours > 0:
		return threeLow
	case threes > 2:
		return twoFree
	case threes > 0:
		return twoOpen
	case next[threeLow] > 0:
		return twoLow
	case twos > 0:
		return oneOpen
	case next[twoLow]+next[oneOpen]+next[oneLow] > 0:
		return oneLow
	}
	return nothing
}

// grade is what a stone on a point makes of all its lines, the least first.
type grade uint8

const (
	gNone grade = iota
	gLow
	gOne
	gOneOne
	gTwoLow
	gTwoLows
	gTwo
	gTwoMore // and a closed two
	gTwoTwo
	gTwoTwoTwo
	gThreeLow
	gThreeLowTwoLow
	gThreeLowTwo
	gThreeLowTwos
	gThreeLows
	gThree
	gThreeMore // and an open two
	gThreeThreeLow
	gThreeThree // a foul of Black in renju where both are real
	gFour
	gFourTwo
	gFourThreeLow
	gFourThree
	gFourThrees // and a second three: a foul of Black in renju where both are real
	gFourFour   // or an open four: it cannot be stopped by one stone
	gFive
	gFoul // overline or double four of Black in renju
	grades
)

// gradeOf sums four shapes up.
func gradeOf(code uint16, l law) grade {
	var n [16]int
	for range directions {
		n[code&15]++
		code >>= 4
	}
	fours := n[four] + n[fourOpen] + 2*n[fourFour]
	threes := n[three] + n[threeFree]
	twos := n[twoOpen] + n[twoFree]
	switch {
	case n[five] > 0:
		return gFive
	case l == lawBlack && (n[overline] > 0 || fours > 1):
		return gFoul
	case fours > 0 && threes > 1 && l == lawBlack:
		return gFourThrees
	case fours > 1 || n[fourOpen] > 0:
		return gFourFour
	case fours > 0 && threes > 0:
		return gFourThree
	case fours > 0 && n[threeLow] > 0:
		return gFourThreeLow
	case fours > 0 && twos > 0:
		return gFourTwo
	case fours > 0:
		return gFour
	case threes > 1:
		return gThreeThree
	case threes > 0 && n[threeLow] > 0:
		return gThreeThreeLow
	case threes > 0 && twos > 0:
		return gThreeMore
	case threes > 0:
		return gThree
	case n[threeLow] > 1:
		return gThreeLows
	case n[threeLow] > 0 && twos > 1:
		return gThreeLowTwos
	case n[threeLow] > 0 && twos > 0:
		return gThreeLowTwo
	case n[threeLow] > 0 && n[twoLow] > 0:
		return gThreeLowTwoLow
	case n[threeLow] > 0:
		return gThreeLow
	case twos > 2:
		return gTwoTwoTwo
	case twos > 1:
		return gTwoTwo
	case twos > 0 && n[twoLow] > 0:
		return gTwoMore
	case twos > 0:
		return gTwo
	case n[twoLow] > 1:
		return gTwoLows
	case n[twoLow] > 0:
		return gTwoLow
	case n[oneOpen] > 1:
		return gOneOne
	case n[oneOpen] > 0:
		return gOne
	case n[oneLow] > 0:
		return gLow
	}
	return gNone
}

// kind is the set that points of a grade are kept in.
type kind uint8

const (
	kindNone  kind = iota
	kindThree      // threes without a four
	kindFour       // fours of all sorts
	kindFive
	kinds
)

func kindOf(g grade) kind {
	switch {
	case g == gFive:
		return kindFive
	case g >= gFour && g <= gFourFour:
		return kindFour
	case g >= gThree && g < gFour:
		return kindThree
	}
	return kindNone
}

var gradeKind = func() (list [grades]kind) {
	for g := range list {
		list[g] = kindOf(grade(g))
	}
	return list
}()
