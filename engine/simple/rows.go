package simple

import (
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Rows judges five in a row in all its forms by the stretches of five points
// that can still become a five. Forbidden points of Renju come from the rules:
// who plays one has lost.
type Rows struct {
	// Exact tells by side that longer rows than five do not win.
	Exact [2]bool

	// Width is how many moves are read in a position where nothing is forced;
	// 0 for 14.
	Width int
}

// What a stretch with some stones of one side is worth, in all and for a point.
var (
	stretch = [5]engine.Value{0, 10, 40, 150, 400}
	attack  = [5]int32{1, 6, 30, 160, 4000}
	defend  = [5]int32{1, 5, 25, 130, 3000}
)

// What a threat is worth to the side to move.
const (
	hasFour   = 4000 * engine.Unit // it wins with the next stone
	lostFours = 3500 * engine.Unit // the other side has two fives to make
	hasThree  = 2000 * engine.Unit // it makes a straight four
	threat    = 40 * engine.Unit   // the other side would
)

// survey is what the stretches of a board tell.
type survey struct {
	cells  cells
	size   board.Size
	me     int // the side to move
	sum    [2]engine.Value
	threes [2]int      // rows of four points with three stones and both ends free
	fives  [2]pointSet // where a five can be made
	want   bool        // what points are worth is asked for
	points [board.MaxPoints]int32
	gains  [2][board.MaxPoints]engine.Value // what a stone of a side there adds for it
	fours  [2]int                           // stretches with three stones: a stone makes a four
	twos   [2]int                           // rows of two with room: a stone makes a three
}

// pointSet holds a few points; more than it can hold are as good as many.
type pointSet struct {
	n    int
	list [4]board.Point
}

func (s *pointSet) has(p board.Point) bool { return slices.Contains(s.list[:s.n], p) }

func (s *pointSet) add(p board.Point) {
	if s.n < len(s.list) && !s.has(p) {
		s.list[s.n] = p
		s.n++
	}
}

// Slip is a quarter of an open two.
func (Rows) Slip() engine.Value { return engine.Unit / 2 }

// Evaluate returns the value for the side to move.
func (r Rows) Evaluate(p game.Position) engine.Value {
	var s survey
	r.look(p, &s)
	return r.value(&s)
}

// value returns what a survey comes to for the side to move.
func (Rows) value(s *survey) engine.Value {
	me, other := s.me, 1-s.me
	v := s.sum[me] - s.sum[other]
	switch {
	case s.fives[me].n > 0:
		v += hasFour
	case s.fives[other].n > 1:
		v -= lostFours
	case s.fives[other].n > 0:
		v -= threat
	case s.threes[me] > 0:
		v += hasThree
	default:
		v += stretch[2] - threat*engine.Value(s.threes[other])
	}
	return v
}

// Bounds returns what a position may be worth at the least and at the most. Threats
// bound it where there are any; else at best the side to move gets its best point and
// is not answered, and at worst the other side does. Both are guesses, from one look at
// the board: fours and threes that come about at once are seen, longer attacks are not.
func (r Rows) Bounds(p game.Position) (low, high engine.Value) {
	s := survey{want: true}
	r.look(p, &s)
	me, other := int(p.Turn()), int(p.Turn().Opponent())
	v := r.value(&s)
	switch {
	case s.fives[me].n > 0:
		return v, engine.Decided - 1
	case s.fives[other].n > 1:
		return 1 - engine.Decided, v
	}
	low, high = v-s.best(other), v+s.best(me)
	// A move may stop what threatens, and may threaten.
	if s.fives[other].n > 0 {
		high += threat
	} else {
		high += threat * engine.Value(s.threes[other])
	}
	high += threat * engine.Value(min(2, s.twos[me]))
	low -= threat * engine.Value(min(2, s.twos[other]))
	switch {
	case s.threes[me] > 0 && s.fives[other].n == 0:
		high = engine.Decided - 1
	case s.fours[me] > 1:
		high = max(high, hasFour)
	case s.fours[me] > 0:
		high = max(high, hasThree)
	}
	switch {
	case s.fives[other].n > 0 && s.fours[other] > 0, s.threes[other] > 1:
		low = 1 - engine.Decided
	case s.threes[other] > 0, s.fours[other] > 1:
		low = min(low, -hasFour)
	case s.fives[other].n > 0, s.fours[other] > 0:
		low = min(low, -hasThree)
	}
	return low, high
}

// best returns the most that a stone of a side changes the judgement by, threats left
// aside: own stretches grow, and those of the other side are ended.
func (s *survey) best(side int) (most engine.Value) {
	for y := range s.size.H {
		for x := range s.size.W {
			most = max(most, s.gains[side][board.At(x, y)])
		}
	}
	return most + freshStretches
}

// freshStretches is what stretches are worth that a stone begins: there are twenty of them
// at most.
var freshStretches = 20 * stretch[1]

// Candidates keeps the points that make or stop a five; where there is none, the
// best of those that lie on a stretch with stones.
func (r Rows) Candidates(p game.Position, moves []game.Move) []game.Move {
	s := survey{want: true}
	r.look(p, &s)
	me := p.Turn()
	for _, forced := range [2]*pointSet{&s.fives[me], &s.fives[me.Opponent()]} {
		n := 0
		for _, m := range moves {
			if m.To() != board.NoPoint && forced.has(m.To()) {
				moves[n] = m
				n++
			}
		}
		if n > 0 {
			return moves[:n]
		}
	}
	middle := board.At(s.size.W/2, s.size.H/2)
	rank := func(m game.Move) int { return int(s.points[m.To()])*64 - away(m.To(), middle) }
	best, n := moves[0], 0
	for _, m := range moves {
		if m == game.Pass {
			continue
		}
		if best == game.Pass || rank(m) > rank(best) {
			best = m
		}
		if s.points[m.To()] > 0 {
			moves[n] = m
			n++
		}
	}
	if n == 0 { // nothing stands, or nothing can become a five
		moves[0] = best
		return moves[:1]
	}
	moves = moves[:n]
	byRank(moves, rank)
	width := r.Width
	if width <= 0 {
		width = 14
	}
	return moves[:min(width, n)]
}

// away is the distance of two points, as a king walks.
func away(a, b board.Point) int {
	dx, dy := a.X()-b.X(), a.Y()-b.Y()
	return max(dx, -dx, dy, -dy)
}

// look goes through all lines of the board.
func (r Rows) look(p game.Position, s *survey) {
	b := planes(p)
	s.size = b.Size
	s.cells.fill(b)
	w, h := b.Size.W, b.Size.H
	s.me = int(p.Turn())
	for y := range h {
		r.walk(s, board.At(0, y), 1, w)
		r.walk(s, board.At(0, y), board.Stride+1, min(w, h-y))
		r.walk(s, board.At(0, y), 1-board.Stride, min(w, y+1))
	}
	for x := range w {
		r.walk(s, board.At(x, 0), board.Stride, h)
		if x > 0 {
			r.walk(s, board.At(x, 0), board.Stride+1, min(w-x, h))
			r.walk(s, board.At(x, h-1), 1-board.Stride, min(w-x, h))
		}
	}
}

// walk goes along a line of n points and counts the stones of each stretch of
// five on the way.
func (r Rows) walk(s *survey, from board.Point, step, n int) {
	if n < 5 {
		return
	}
	var line [board.MaxSide + 2]uint8 // with the edges, on which nothing stands that counts
	line[0], line[n+1] = edge, edge
	for i := range n {
		line[i+1] = s.cells[int(from)+i*step]
	}
	var stones [3]int // by what stands there
	for i := range n {
		stones[line[i+1]]++
		if i < 4 {
			continue
		}
		first := i - 4
		switch {
		case stones[2] == 0 && stones[1] > 0:
			r.stretch(s, 0, stones[1], line[first:first+7], int(from)+first*step, step)
		case stones[1] == 0 && stones[2] > 0:
			r.stretch(s, 1, stones[2], line[first:first+7], int(from)+first*step, step)
		}
		stones[line[first+1]]--
	}
}

// edge stands beyond the end of a line.
const edge = 3

// stretch takes account of five points on which only one side has stones; line
// has them with the one before and the one behind.
func (r Rows) stretch(s *survey, side, n int, line []uint8, from, step int) {
	own := uint8(side + 1)
	if n == 5 || r.Exact[side] && (line[0] == own || line[6] == own) {
		return // won already, or it would become too long
	}
	s.sum[side] += stretch[n]
	switch n {
	case 2:
		if line[1] == 0 && line[6] == 0 {
			s.twos[side]++
		}
	case 3:
		s.fours[side]++
	}
	if n == 3 && line[1] == 0 && line[6] == 0 {
		s.threes[side]++
	}
	if n < 4 && !s.want {
		return
	}
	weight := defend[n]
	if side == s.me {
		weight = attack[n]
	}
	for i, stone := range line[1:6] {
		if stone != 0 {
			continue
		}
		p := board.Point(from + i*step)
		s.points[p] += weight
		if s.want {
			if n < 4 {
				s.gains[side][p] += stretch[n+1] - stretch[n]
			}
			s.gains[1-side][p] += stretch[n]
		}
		if n == 4 {
			s.fives[side].add(p)
		}
	}
}
