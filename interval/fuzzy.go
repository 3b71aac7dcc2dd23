package interval

import (
	"cmp"
	"math"
	"slices"

	"qipu/board"
	"qipu/pattern"
)

// Likes is a pattern made ready for finding the boards that are like it. It is
// immutable and safe for concurrent use.
//
// For each placement, what a piece on a point can add to the score at best is a
// number that depends on nothing else. The sum over all pieces of a board is
// never below its score, and a move changes it by two or three numbers. Four
// placements share a word: the sums of 16 bits that they are grow and shrink
// together, and one comparison tells whether one of them is worth a closer
// look.
//
// A piece in place adds its weight and half the weight of all pairs that it can
// be part of; one that is a step away from some cells, what it scores for the
// dearest of them. Pieces on points that must be empty take away what the empty
// point has scored.
type Likes struct {
	like          *pattern.Like
	points, kinds int
	shift         uint // sums are scaled down by so many bits to fit

	quarters []int32  // the placement of each quarter, four quarters a word; -1 for none
	base     []uint64 // the sums of an empty board
	words    []uint16 // for each word, its kind: which classes its quarters have
	tuples   [][4]uint16
	of       []uint16 // class of each placement
	class    []class
	asked    []int // how many pieces each placement asks for
	whole    bool  // all placements lie on the whole board, and ask for as many

	// What a piece on a point adds: the entries from starts[k] to starts[k+1],
	// where k = point*(kinds+1) + piece. Points are those that have any.
	starts  []int32
	entries []addend
	seen    []uint16

	// tables hold the same for each word by itself, at point<<4 + piece, where
	// there are few words and boards and kinds are small enough.
	tables [][]uint64

	// always tells that a board may become of interest by what adds nothing: by
	// the turn, by relations, or by pieces that take away as much as they add.
	always bool
	turned bool // some placement asks for the turn

	// takes tells that pieces may take something away: then the words of tables
	// do not tell which of their quarters a piece means something to.
	takes bool
}

// class is what placements must share to have the same thresholds.
type class struct {
	total int
	share float64 // of relations
	rank  uint8   // of the picture: see pattern.Rank
}

// addend is a change of the sums of one word.
type addend struct {
	delta uint64
	word  uint32
	tuple uint32
}

const (
	highBits = 0x8000800080008000
	lowBits  = 0x0001000100010001
	noSum    = 1<<15 - 1 // no sum reaches it
	maxWords = 4         // that are worth a walk along the moves for each
)

// CompileLike makes a pattern ready for blocks.
func CompileLike(like *pattern.Like) *Likes {
	b := like.Board()
	l := &Likes{like: like, points: b.Size.Area(), kinds: b.Kinds}
	n := len(like.Placements)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
		q := &like.Placements[i]
		l.turned = l.turned || q.Turn != pattern.AnyTurn
		l.always = l.always || l.turned || like.RelationShare(i) > 0
		asked := 0
		for _, c := range like.Cells(i) {
			asked += number(c.Needed)
		}
		l.asked = append(l.asked, asked)
		l.whole = (i == 0 || l.whole) && len(q.Region) == l.points && asked == l.asked[0]
	}
	few := (n+3)/4 <= maxWords && l.kinds < 16 && l.points <= 256
	if !few {
		// Pictures that lie at the same place share words.
		slices.SortStableFunc(order, func(x, y int32) int {
			p, q := &like.Placements[x], &like.Placements[y]
			return cmp.Or(p.Y-q.Y, p.X-q.X)
		})
	}
	l.quarters = order
	for len(l.quarters)%4 != 0 {
		l.quarters = append(l.quarters, -1)
	}
	l.classify()
	l.sum()
	if few {
		l.tabulate()
	}
	return l
}

// others returns how many of the pieces in the region of a placement are not
// asked for.
func (l *Likes) others(placement int32, pieces int) int {
	return max(pieces-l.asked[placement], 0)
}

// count counts the pieces on some points.
func count(on []board.Piece, points []uint16) (n int) {
	for _, pt := range points {
		n += number(on[pt] != board.Empty)
	}
	return n
}

// classify finds the classes of placements and the kinds of words.
func (l *Likes) classify() {
	classes, tuples := map[class]uint16{}, map[[4]uint16]uint16{}
	l.of = make([]uint16, len(l.like.Placements))
	for i := range l.of {
		c := class{l.like.Total(i), l.like.RelationShare(i), pattern.Rank(l.like.Placements[i].Symmetry)}
		at, known := classes[c]
		if !known {
			at = uint16(len(l.class))
			classes[c] = at
			l.class = append(l.class, c)
		}
		l.of[i] = at
	}
	for w := 0; w < len(l.quarters); w += 4 {
		var t [4]uint16
		for k := range t {
			if t[k] = noClass; l.quarters[w+k] >= 0 {
				t[k] = l.of[l.quarters[w+k]]
			}
		}
		at, known := tuples[t]
		if !known {
			at = uint16(len(l.tuples))
			tuples[t] = at
			l.tuples = append(l.tuples, t)
		}
		l.words = append(l.words, at)
	}
}

const noClass = 1<<16 - 1

// sum fills in the entries.
func (l *Likes) sum() {
	keys := l.points * (l.kinds + 1)
	s := adder{value: make([]int32, keys), like: l.like, keys: l.kinds + 1}
	// Sums of 16 bits must hold the fullest board.
	top := 0
	for i := range l.like.Placements {
		s.add(i)
		top = max(top, s.top())
	}
	for top>>l.shift > noSum-len(s.value) { // each number may be rounded up
		l.shift++
	}
	l.base = make([]uint64, len(l.words))
	lists := make([][]addend, keys)
	n := 0
	for quarter, i := range l.quarters {
		if i < 0 {
			continue
		}
		s.add(int(i))
		word, at := uint32(quarter/4), 16*(quarter%4)
		l.base[word] += uint64(l.up(s.base)) << at
		for _, k := range s.keyed {
			delta := uint64(l.up(s.value[k])) << at
			list := lists[k]
			if m := len(list); m > 0 && list[m-1].word == word {
				list[m-1].delta += delta
				continue
			}
			lists[k] = append(list, addend{delta, word, uint32(l.words[word])})
			n++
		}
	}
	l.entries = make([]addend, 0, n)
	l.starts = make([]int32, 0, keys+1)
	for k, list := range lists {
		l.starts = append(l.starts, int32(len(l.entries)))
		l.entries = append(l.entries, list...)
		pt := uint16(k / (l.kinds + 1))
		if m := len(l.seen); (len(list) > 0 || l.always) && (m == 0 || l.seen[m-1] != pt) {
			l.seen = append(l.seen, pt)
		}
	}
	l.starts = append(l.starts, int32(len(l.entries)))
}

// up scales a number down, and rounds it up.
func (l *Likes) up(v int32) int64 { return -(int64(-v) >> l.shift) }

// adder finds what pieces on points add to one placement. All numbers are twice
// those of pattern.Like, because half of a pair may count.
type adder struct {
	like  *pattern.Like
	keys  int     // for each point
	value []int32 // by point and piece
	keyed []int   // where value is not 0
	base  int32   // what an empty board has
}

// note puts down a value, over what was there.
func (s *adder) note(pt uint16, p board.Piece, v int32) {
	k := int(pt)*s.keys + int(p)
	if s.value[k] == 0 && v != 0 {
		s.keyed = append(s.keyed, k)
	}
	s.value[k] = v
}

func (s *adder) add(placement int) {
	for _, k := range s.keyed {
		s.value[k] = 0
	}
	s.keyed, s.base = s.keyed[:0], 0
	cells := s.like.Cells(placement)
	var lines [pattern.MaxRegion]int32
	for i := range cells {
		if c := &cells[i]; c.Needed {
			lines[c.Line]++
		}
	}
	for i := range cells {
		c := &cells[i]
		if c.Moved == 0 {
			continue
		}
		for p := board.Piece(1); int(p) < s.keys; p++ {
			if !c.Set.Has(p) {
				continue
			}
			for _, at := range s.like.Near(p, c.Point) {
				if v := 2 * c.Moved; v > s.value[int(at)*s.keys+int(p)] {
					s.note(at, p, v)
				}
			}
		}
	}
	for i := range cells {
		c := &cells[i]
		if !c.Needed {
			s.base += 2 * c.Weight
		}
		for p := board.Piece(1); int(p) < s.keys; p++ {
			switch has := c.Set.Has(p); {
			case has && c.Needed:
				s.note(c.Point, p, 2*c.Weight+int32(s.like.Segment())*(lines[c.Line]-1))
			case has:
				s.note(c.Point, p, 0)
			case !c.Needed:
				s.note(c.Point, p, s.value[int(c.Point)*s.keys+int(p)]-2*c.Weight)
			}
		}
	}
	slices.Sort(s.keyed)
	s.keyed = slices.Compact(s.keyed)
}

// top returns the largest sum that any board has.
func (s *adder) top() int {
	sum, pt, most := int(s.base), -1, 0
	for _, k := range s.keyed {
		if k/s.keys != pt {
			sum, pt, most = sum+most, k/s.keys, 0
		}
		most = max(most, int(s.value[k]))
	}
	return sum + most
}

// tabulate makes the tables of few words.
func (l *Likes) tabulate() {
	for range l.words {
		l.tables = append(l.tables, make([]uint64, 256<<4))
	}
	for k := range l.points * (l.kinds + 1) {
		pt, p := k/(l.kinds+1), k%(l.kinds+1)
		for _, e := range l.entries[l.starts[k]:l.starts[k+1]] {
			l.tables[e.word][pt<<4+p] = e.delta
			l.always = l.always || e.delta == 0 // a table cannot tell that the piece counts
			l.takes = l.takes || e.delta&highBits != 0
		}
	}
}

// limits are the thresholds for one likeness.
type limits struct {
	least []int    // by class: the least score of interest
	sums  []uint64 // by kind of word: the least sums
}

// set makes the limits those of boards that are at least so like, in pictures up
// to a rank, and in all others more like than that.
func (m *limits) set(l *Likes, likeness float64, rank uint8) {
	m.least, m.sums = m.least[:0], m.sums[:0]
	for _, c := range l.class {
		m.least = append(m.least, c.least(likeness, c.rank > rank))
	}
	for _, t := range l.tuples {
		var word uint64
		for k, c := range t {
			sum := noSum
			if c != noClass && m.least[c] <= l.class[c].total {
				sum = min((2*m.least[c]+1<<l.shift-1)>>l.shift, noSum)
			}
			word |= uint64(sum) << (16 * k)
		}
		m.sums = append(m.sums, word)
	}
}

// least returns the least score with which a placement of the class can be so
// like.
func (c class) least(likeness float64, strict bool) int {
	if c.share > 0 {
		// With relations, numbers are not whole: leave some room.
		if c.share == 1 {
			return 0
		}
		likeness = (likeness-c.share)/(1-c.share) - 1e-9
		strict = false
	}
	if c.total == 0 {
		if strict && likeness >= 1 || likeness > 1 {
			return 1
		}
		return 0
	}
	x := likeness * float64(c.total)
	slack := 1e-12 + x*1e-15
	if strict {
		return max(int(math.Floor(x+slack))+1, 0)
	}
	return max(int(math.Ceil(x-slack)), 0)
}
