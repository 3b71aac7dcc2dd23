package renju

// maxFours bounds how many fours a line may have: a board has no more points.
const maxFours = 128

// fours finds wins of one side by fours alone: each has to be answered on one point, so
// that the other side never has a choice. The search is complete: where it finds nothing
// within its limits and none of these ended it, there is no such win.
type fours struct {
	t     *table
	side  int // who attacks, and is to move
	nodes int64
	limit int64 // of nodes; 0 for none
	cut   bool  // a limit ended some line

	path [2 * maxFours]uint16 // the stones of the line that is tried
	n    int
	line []uint16 // the line that was found: four, reply, ..., the last four or five
	ends []uint16 // the points that make a five behind its last four
	foul bool     // the last four wins because its answer is a foul

	seen *failures
}

// failures remembers positions from which no win was found. It is lossy: places are
// written over.
type failures struct {
	list [1 << 14]uint64 // the key of a position, its last byte being how many fours were tried
}

// place returns where a position is, and the key without its last byte.
func (f *failures) place(key uint64) (*uint64, uint64) {
	return &f.list[key>>50], key &^ 255
}

// knows reports whether nothing was found with as many fours.
func (f *failures) knows(key uint64, depth int) bool {
	at, key := f.place(key)
	return *at&^255 == key && int(*at&255) >= depth
}

func (f *failures) note(key uint64, depth int) {
	at, key := f.place(key)
	*at = key | uint64(depth)
}

// attackKey tells apart who attacks.
var attackKey = [2]uint64{0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F}

// endless is the depth of a search that no depth has ended.
const endless = 255

// stage is how many fours are tried before more are: short wins come first.
var stages = [...]int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26, 36, 50, maxFours}

// search looks for a win of the side, which is to move, with at most so many fours. The
// line is that with the least fours, up to what lies between two stages.
func (f *fours) search(most int) bool {
	f.line, f.ends, f.foul = f.line[:0], f.ends[:0], false
	last := false
	for _, depth := range stages {
		if depth >= most {
			depth, last = most, true
		}
		f.n, f.cut = 0, false
		switch {
		case f.try(depth):
			return true
		case !f.cut || last || f.spent():
			return false
		}
	}
	return false
}

func (f *fours) spent() bool { return f.limit > 0 && f.nodes >= f.limit }

// try looks for a win with at most depth fours.
func (f *fours) try(depth int) bool {
	t, a, d := f.t, f.side, 1-f.side
	if t.fives(a) > 0 {
		f.found(t.first(a, kindFive))
		return true
	}
	set := &t.sets[a][kindFour]
	var list [64]attack
	n := 0
	switch t.fives(d) {
	case 0:
		n = f.options(list[:], set)
	case 1:
		// The other side has to be stopped, and by a four.
		c := t.first(d, kindFive)
		if set.has(t.cells[c].at) {
			list[0].cell = c
			n = 1
		}
	}
	if n == 0 {
		return false
	}
	if depth == 0 || f.spent() {
		f.cut = true
		return false
	}
	key := t.hash ^ attackKey[a]
	if f.seen.knows(key, depth) {
		f.cut = f.cut || !f.seen.knows(key, endless)
		return false
	}
	before := f.cut
	f.cut = false
	for i := range n {
		best := i
		for j := i + 1; j < n; j++ {
			if list[j].rank > list[best].rank {
				best = j
			}
		}
		list[i], list[best] = list[best], list[i]
		if f.four(list[i].cell, depth) {
			return true
		}
		if f.spent() {
			f.cut = true
			return false
		}
	}
	if f.cut {
		f.seen.note(key, depth)
	} else {
		f.seen.note(key, endless)
	}
	f.cut = f.cut || before
	return false
}

// attack is a four to try.
type attack struct {
	cell uint16
	rank int32
}

// options lists the fours, with a rank by what else they make and how near they are to
// the last one. More than fit are as good as enough: no board of a game has them.
func (f *fours) options(list []attack, set *pointSet) (n int) {
	t := f.t
	last := -1
	if f.n > 1 {
		last = int(f.path[f.n-2])
	}
	var buffer [maxPoints]uint16
	for _, c := range t.appendSet(buffer[:0], set) {
		if n == len(list) {
			f.cut = true
			break
		}
		rank := int32(t.cells[c].grade[f.side])<<8 + int32(t.cells[c].grade[1-f.side])
		if last >= 0 {
			rank += int32(32 * max(0, 6-apart(last, int(c))))
		}
		list[n] = attack{c, rank}
		n++
	}
	return n
}

// apart is the distance of two cells, as a king walks.
func apart(a, b int) int {
	dx, dy := a%stride-b%stride, a/stride-b/stride
	return max(dx, -dx, dy, -dy)
}

// four tries one four: its answer, and what follows.
func (f *fours) four(c uint16, depth int) (won bool) {
	t, a, d := f.t, f.side, 1-f.side
	if t.forbidden(a, c) {
		return false
	}
	f.nodes++
	t.put(a, c)
	defer t.take()
	f.path[f.n] = c
	f.n++
	switch n := t.fives(a); {
	case n > 1:
		f.ends = t.appendSet(f.ends[:0], &t.sets[a][kindFive])
		f.found()
		return true
	case n == 1:
		reply := t.first(a, kindFive)
		if t.forbidden(d, reply) {
			f.ends, f.foul = append(f.ends[:0], reply), true
			f.found()
			return true
		}
		f.nodes++
		t.put(d, reply)
		f.path[f.n] = reply
		f.n++
		won = f.try(depth - 1)
		f.n--
		t.take()
	}
	f.n--
	return won
}

// found keeps the line that wins.
func (f *fours) found(last ...uint16) {
	f.line = append(append(f.line[:0], f.path[:f.n]...), last...)
}

// plies returns how many stones the line takes until there is a five.
func (f *fours) plies() int {
	if len(f.ends) == 0 {
		return len(f.line)
	}
	return len(f.line) + 2
}
