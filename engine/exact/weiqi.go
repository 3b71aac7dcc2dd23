package exact

import (
	"fmt"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// goArea is the largest board of Go that is tried; one of nine points has 12,675
// arrangements, and a set of them is kept with every position in memory.
const goArea = 9

const goRules = "area, positional superko, no suicide, no komi"

// stones is an arrangement: a bit for every point and side.
type stones [2]uint16

func (s stones) swapped() stones { return stones{s[1], s[0]} }

// leads is a move and the arrangement that it leads to.
type leads struct {
	point int8
	to    int32
}

// goBoard is what all positions of a size share: the arrangements, what leads where, and
// what each counts.
type goBoard struct {
	size   board.Size
	n      int
	beside []uint16
	list   []stones
	at     map[stones]int32
	moves  [2][][]leads
	words  int          // of a set of arrangements
	count  []int8       // Black's area less White's
	safe   [][2]int8    // what Black has at the least and at the most, by stones that live
	counts [][]uint64   // by count from -n on: the arrangements that count so
	turned [2][][]int32 // arrangements seen by a symmetry, colours kept and exchanged
	canon  [2][]uint8   // the symmetry that memory sees an arrangement by, by who moves
	hint   [2][2][]int8 // by who moves and whether the last move was a pass: a guess
}

func newGoBoard(size board.Size) *goBoard {
	g := &goBoard{size: size, n: size.Area(), at: map[stones]int32{}}
	index := func(x, y int) int { return y*size.W + x }
	g.beside = make([]uint16, g.n)
	for y := range size.H {
		for x := range size.W {
			for _, d := range [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
				if i, j := x+d[0], y+d[1]; i >= 0 && j >= 0 && i < size.W && j < size.H {
					g.beside[index(x, y)] |= 1 << index(i, j)
				}
			}
		}
	}
	for black := range 1 << g.n {
		for white := range 1 << g.n {
			if s := (stones{uint16(black), uint16(white)}); black&white == 0 && g.legal(s) {
				g.at[s] = int32(len(g.list))
				g.list = append(g.list, s)
			}
		}
	}
	g.words = (len(g.list) + 63) / 64
	g.counts = make([][]uint64, 2*g.n+1)
	for i := range g.counts {
		g.counts[i] = make([]uint64, g.words)
	}
	for side := range 2 {
		g.moves[side] = make([][]leads, len(g.list))
	}
	for i, s := range g.list {
		for side := range 2 {
			for q := range g.n {
				if next, ok := g.play(s, side, q); ok {
					to := g.at[next]
					g.moves[side][i] = append(g.moves[side][i], leads{int8(q), to})
				}
			}
		}
		c := g.area(s)
		g.count = append(g.count, int8(c))
		set(g.counts[c+g.n], int32(i))
		g.safe = append(g.safe, [2]int8{int8(2*bits.OnesCount16(g.lives(s)) - g.n), int8(g.n - 2*bits.OnesCount16(g.lives(s.swapped())))})
	}
	g.turn(index)
	g.guess()
	return g
}

// legal reports whether every string has a liberty.
func (g *goBoard) legal(s stones) bool {
	for side := range s {
		for left := s[side]; left != 0; {
			chain := g.fill(left&-left, s[side])
			if g.around(chain)&^(s[0]|s[1]) == 0 {
				return false
			}
			left &^= chain
		}
	}
	return true
}

// full returns all points.
func (g *goBoard) full() uint16 { return uint16(1)<<g.n - 1 }

// around returns the points beside some.
func (g *goBoard) around(points uint16) (out uint16) {
	for left := points; left != 0; left &= left - 1 {
		out |= g.beside[bits.TrailingZeros16(left)]
	}
	return out
}

// fill returns what hangs together with some points within others.
func (g *goBoard) fill(from, within uint16) uint16 {
	for {
		next := (from | g.around(from)) & within
		if next == from {
			return from
		}
		from = next
	}
}

// play puts a stone and takes off what it takes; it is refused where the point is taken
// or the stone would have no liberty.
func (g *goBoard) play(s stones, side, q int) (stones, bool) {
	bit := uint16(1) << q
	if (s[0]|s[1])&bit != 0 {
		return s, false
	}
	s[side] |= bit
	for left := g.beside[q] & s[1-side]; left != 0; {
		chain := g.fill(left&-left, s[1-side])
		if g.around(chain)&^(s[0]|s[1]) == 0 {
			s[1-side] &^= chain
		}
		left &^= chain
	}
	return s, g.around(g.fill(bit, s[side]))&^(s[0]|s[1]) != 0
}

// area counts Black's stones and points less White's.
func (g *goBoard) area(s stones) int {
	c := bits.OnesCount16(s[0]) - bits.OnesCount16(s[1])
	empty := g.full() &^ (s[0] | s[1])
	for left := empty; left != 0; {
		part := g.fill(left&-left, empty)
		touch := g.around(part)
		if b, w := touch&s[0] != 0, touch&s[1] != 0; b != w {
			if b {
				c += bits.OnesCount16(part)
			} else {
				c -= bits.OnesCount16(part)
			}
		}
		left &^= part
	}
	return c
}

// lives returns stones of Black that White cannot take even if Black passes always
// (Benson 1976), and the points between them where White cannot play either: those that
// are empty, alone, and beside living strings only.
func (g *goBoard) lives(s stones) uint16 {
	var chains, regions []uint16
	for left := s[0]; left != 0; {
		chain := g.fill(left&-left, s[0])
		chains = append(chains, chain)
		left &^= chain
	}
	open := g.full() &^ s[0]
	for left := open; left != 0; {
		region := g.fill(left&-left, open)
		regions = append(regions, region)
		left &^= region
	}
	empty := open &^ s[1]
	for changed := true; changed; {
		changed = false
		chains = slices.DeleteFunc(chains, func(chain uint16) bool {
			vital := 0
			for _, region := range regions {
				if free := region & empty; free != 0 && free&^g.around(chain) == 0 {
					vital++
				}
			}
			if vital < 2 {
				changed = true
			}
			return vital < 2
		})
		var living uint16
		for _, chain := range chains {
			living |= chain
		}
		regions = slices.DeleteFunc(regions, func(region uint16) bool {
			lost := g.around(region)&s[0]&^living != 0
			changed = changed || lost
			return lost
		})
	}
	var out uint16
	for _, chain := range chains {
		out |= chain
	}
	for _, region := range regions {
		if bits.OnesCount16(region) == 1 && region&empty != 0 && out != 0 && g.around(region)&^out == 0 {
			out |= region
		}
	}
	return out
}

// turn finds how arrangements look by the symmetries of the board.
func (g *goBoard) turn(index func(x, y int) int) {
	w, h := g.size.W, g.size.H
	var maps [][]int
	for flip := range 8 {
		if flip >= 4 && w != h {
			break
		}
		m := make([]int, g.n)
		for y := range h {
			for x := range w {
				i, j := x, y
				if flip&1 != 0 {
					i = w - 1 - i
				}
				if flip&2 != 0 {
					j = h - 1 - j
				}
				if flip&4 != 0 {
					i, j = j, i
				}
				m[index(x, y)] = index(i, j)
			}
		}
		if !slices.ContainsFunc(maps, func(o []int) bool { return slices.Equal(o, m) }) {
			maps = append(maps, m)
		}
	}
	move := func(s uint16, m []int) (out uint16) {
		for ; s != 0; s &= s - 1 {
			out |= 1 << m[bits.TrailingZeros16(s)]
		}
		return out
	}
	for side := range 2 {
		g.canon[side] = make([]uint8, len(g.list))
		for _, m := range maps {
			perm := make([]int32, len(g.list))
			for i, s := range g.list {
				t := stones{move(s[0], m), move(s[1], m)}
				if side == 1 {
					t = t.swapped()
				}
				perm[i] = g.at[t]
			}
			g.turned[side] = append(g.turned[side], perm)
		}
		for i := range g.list {
			for k, perm := range g.turned[side] {
				if perm[i] < g.turned[side][g.canon[side][i]][i] {
					g.canon[side][i] = uint8(k)
				}
			}
		}
	}
}

// guess reads all arrangements some plies deep as if nothing were forbidden: by it moves
// are ordered, and nothing else.
func (g *goBoard) guess() {
	for side := range 2 {
		for pass := range 2 {
			g.hint[side][pass] = slices.Clone(g.count)
		}
	}
	for range 3*g.n + 2 {
		var next [2][2][]int8
		for side := range 2 {
			better := func(a, b int8) int8 {
				if side == 0 {
					return max(a, b)
				}
				return min(a, b)
			}
			for pass := range 2 {
				next[side][pass] = make([]int8, len(g.list))
				for i := range g.list {
					v := g.count[i]
					if pass == 0 {
						v = g.hint[1-side][1][i]
					}
					for _, m := range g.moves[side][i] {
						v = better(v, g.hint[1-side][0][m.to])
					}
					next[side][pass][i] = v
				}
			}
		}
		g.hint = next
	}
}

func set(words []uint64, i int32)      { words[i>>6] |= 1 << (i & 63) }
func has(words []uint64, i int32) bool { return words[i>>6]>>(i&63)&1 != 0 }

// goReader reads one board.
type goReader struct {
	*meter
	*goBoard
	memory goMemory
	pool   [][]uint64 // sets by ply
	key    []uint64
	todo   []int32
	move   int8 // the root's
}

func solveGo(m *meter, p *weiqi.Position, l Limits) (*Answer, error) {
	size := p.Planes().Size
	if size.Area() > goArea {
		return nil, fmt.Errorf("%dx%d: boards of Go of at most %d points can be read to their end", size.W, size.H, goArea)
	}
	g := newGoBoard(size)
	var start stones
	for side := range start {
		for q := range size.Points() {
			if p.Planes().Of[side].Has(q) {
				start[side] |= 1 << (q.Y()*size.W + q.X())
			}
		}
	}
	i, ok := g.at[start]
	if !ok {
		return nil, fmt.Errorf("a string has no liberty in this position")
	}
	r := &goReader{meter: m, goBoard: g, key: make([]uint64, g.words)}
	r.memory.make(l.Memory, g.words)
	all := make([]uint64, g.words)
	for j := range g.list {
		if int32(j) != i {
			set(all, int32(j))
		}
	}
	side := int(p.Turn())
	sign := 1 - 2*side
	best := int8(-1)
	low, high := -g.n, g.n
	v := search(m, low, high, int(g.hint[side][0][i])*sign, func(want int) bool {
		// The question is always whether Black gets so much.
		var yes bool
		if side == 0 {
			yes = r.atLeast(i, 0, false, all, want, 0)
		} else {
			yes = !r.atLeast(i, 1, false, all, 1-want, 0)
		}
		if yes && m.stop == nil {
			best = r.move
		}
		return yes
	})
	a := &Answer{Value: v, Move: game.Pass, Kept: r.memory.used, Rules: goRules}
	if best >= 0 {
		a.Move = game.Drop(board.At(int(best)%size.W, int(best)/size.W))
	}
	return a, m.stop
}

// reach returns what can still come onto the board: all arrangements that moves lead to
// from one through those that are free. After a pass the first of them is the side's to
// move, since a second pass ends the game.
func (r *goReader) reach(from int32, side int, pass bool, free []uint64, ply int) []uint64 {
	for len(r.pool) <= ply {
		r.pool = append(r.pool, make([]uint64, r.words))
	}
	out := r.pool[ply]
	r.todo = r.todo[:0]
	clear(out)
	grow := func(list []leads) {
		for _, m := range list {
			if has(free, m.to) && !has(out, m.to) {
				set(out, m.to)
				r.todo = append(r.todo, m.to)
			}
		}
	}
	grow(r.moves[side][from])
	if !pass {
		grow(r.moves[1-side][from])
	}
	for len(r.todo) > 0 {
		i := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		grow(r.moves[0][i])
		grow(r.moves[1][i])
	}
	return out
}

// bounds returns the least and the greatest count that the game can end with.
func (r *goReader) bounds(at int32, set []uint64) (low, high int) {
	low, high = int(r.count[at]), int(r.count[at])
	meets := func(c int) bool {
		for k, word := range r.counts[c+r.n] {
			if word&set[k] != 0 {
				return true
			}
		}
		return false
	}
	for c := -r.n; c < low; c++ {
		if meets(c) {
			low = c
		}
	}
	for c := r.n; c > high; c-- {
		if meets(c) {
			high = c
		}
	}
	return max(low, int(r.safe[at][0])), min(high, int(r.safe[at][1]))
}

// atLeast reports whether Black gets at least so much.
func (r *goReader) atLeast(at int32, side int, pass bool, free []uint64, want, ply int) bool {
	if r.step() {
		return false
	}
	if pass { // to end the game is a choice
		if c := int(r.count[at]); side == 0 && c >= want {
			return true
		} else if side == 1 && c < want {
			return false
		}
	}
	before := r.nodes
	set := r.reach(at, side, pass, free, ply)
	if low, high := r.bounds(at, set); ply > 0 && low >= want {
		return true
	} else if ply > 0 && high < want {
		return false
	}
	id := r.see(at, side, pass, set)
	hash := r.memory.hash(r.key, id)
	low, high, hint := r.memory.find(r.key, id, hash)
	if side == 1 { // memory has all positions with Black to move
		low, high = -high, -low
	}
	if ply > 0 {
		switch {
		case low >= want:
			r.hits++
			return true
		case high < want:
			r.hits++
			return false
		}
	}
	own := side == 0
	yes := !own
	best := int8(-1)
	var room [goArea + 1]leads
	for _, m := range r.ordered(room[:0], at, side, pass, set, hint) {
		var v bool
		if m.point < 0 {
			v = r.atLeast(at, 1-side, true, set, want, ply+1)
		} else {
			set[m.to>>6] &^= 1 << (m.to & 63)
			v = r.atLeast(m.to, 1-side, false, set, want, ply+1)
			set[m.to>>6] |= 1 << (m.to & 63)
		}
		if r.stop != nil {
			return false
		}
		if v == own {
			yes, best = own, m.point
			break
		}
	}
	if ply == 0 && yes == own {
		r.move = best
	}
	r.see(at, side, pass, set) // the key was overwritten below
	if yes {
		low = want
	} else {
		high = want - 1
	}
	if side == 1 {
		low, high = -high, -low
	}
	if best >= 0 {
		hint = r.seen(best, at, side)
	}
	r.memory.store(r.key, id, hash, low, high, hint, uint32(min(r.nodes-before, 1<<31)))
	return yes
}

// see makes the key of a position: the set of what can come, turned so that Black is to
// move and the arrangement has the least number.
func (r *goReader) see(at int32, side int, pass bool, set []uint64) (id uint32) {
	perm := r.turned[side][r.canon[side][at]]
	clear(r.key)
	for k, word := range set {
		for ; word != 0; word &= word - 1 {
			to := perm[k<<6+bits.TrailingZeros64(word)]
			r.key[to>>6] |= 1 << (to & 63)
		}
	}
	id = uint32(perm[at])<<1 + 2
	if pass {
		id |= 1
	}
	return id
}

// seen returns an arrangement that a move leads to as memory sees it, so that it can be
// found again by any symmetry.
func (r *goReader) seen(point int8, at int32, side int) int32 {
	for _, m := range r.moves[side][at] {
		if m.point == point {
			return r.turned[side][r.canon[side][at]][m.to]
		}
	}
	return -1
}

// ordered returns the moves of a side: what memory proposes first, then by the guess.
func (r *goReader) ordered(dst []leads, at int32, side int, pass bool, set []uint64, hint int32) []leads {
	perm := r.turned[side][r.canon[side][at]]
	value := func(m leads) int {
		v := 0
		switch {
		case m.point < 0:
			v = int(r.hint[1-side][1][at])
		default:
			v = int(r.hint[1-side][0][m.to])
		}
		if side == 1 {
			v = -v
		}
		if m.point >= 0 && hint >= 0 && perm[m.to] == hint {
			v += 100
		}
		return v
	}
	if !pass {
		dst = append(dst, leads{-1, at})
	}
	for _, m := range r.moves[side][at] {
		if has(set, m.to) {
			dst = append(dst, m)
		}
	}
	slices.SortStableFunc(dst, func(a, b leads) int { return value(b) - value(a) })
	return dst
}

// goMemory is a table of positions by their whole keys, four to a bucket, of which the
// one with the least work gives way.
type goMemory struct {
	words int
	keys  []uint64
	meta  []goMeta
	mask  uint64
	used  int64
}

type goMeta struct {
	id        uint32 // 0 where there is none
	work      uint32
	hint      int32
	low, high int8
}

const bucket = 4

func (t *goMemory) make(bytes int64, words int) {
	size := uint64(bucket)
	for int64(size*2)*int64(8*words+16) <= bytes {
		size *= 2
	}
	t.words, t.mask = words, size/bucket-1
	t.keys, t.meta = make([]uint64, size*uint64(words)), make([]goMeta, size)
}

func (t *goMemory) hash(key []uint64, id uint32) uint64 {
	h := board.Mix(uint64(id))
	for _, w := range key {
		h = board.Mix(h ^ w)
	}
	return h
}

func (t *goMemory) keyAt(i uint64) []uint64 {
	return t.keys[i*uint64(t.words) : (i+1)*uint64(t.words)]
}

func (t *goMemory) find(key []uint64, id uint32, hash uint64) (low, high int, hint int32) {
	first := hash & t.mask * bucket
	for i := first; i < first+bucket; i++ {
		if m := &t.meta[i]; m.id == id && slices.Equal(t.keyAt(i), key) {
			return int(m.low), int(m.high), m.hint
		}
	}
	return -127, 127, -1
}

func (t *goMemory) store(key []uint64, id uint32, hash uint64, low, high int, hint int32, work uint32) {
	first := hash & t.mask * bucket
	pick := first
	for i := first; i < first+bucket; i++ {
		m := &t.meta[i]
		if m.id == id && slices.Equal(t.keyAt(i), key) {
			m.low, m.high, m.hint, m.work = int8(low), int8(high), hint, max(m.work, work)
			return
		}
		if m.id == 0 || t.meta[pick].id != 0 && m.work < t.meta[pick].work {
			pick = i
		}
	}
	if t.meta[pick].id == 0 {
		t.used++
	}
	t.meta[pick] = goMeta{id: id, work: work, hint: hint, low: int8(low), high: int8(high)}
	copy(t.keyAt(pick), key)
}
