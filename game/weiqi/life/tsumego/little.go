package tsumego

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// set is a set of points of a zone, numbered in the order in which they lie.
type set [mostPoints / 64]uint64

// mostPoints is how many points a zone has at the most, stones included.
const mostPoints = 128

func bit(i int) (s set)     { s[i>>6] = 1 << (i & 63); return s }
func has(s set, i int) bool { return s[i>>6]>>(i&63)&1 != 0 }
func or(a, b set) set       { return set{a[0] | b[0], a[1] | b[1]} }
func and(a, b set) set      { return set{a[0] & b[0], a[1] & b[1]} }
func andNot(a, b set) set   { return set{a[0] &^ b[0], a[1] &^ b[1]} }
func empty(s set) bool      { return s[0]|s[1] == 0 }
func meets(a, b set) bool   { return a[0]&b[0]|a[1]&b[1] != 0 }
func within(a, b set) bool  { return a[0]&^b[0]|a[1]&^b[1] == 0 }
func count(s set) int       { return bits.OnesCount64(s[0]) + bits.OnesCount64(s[1]) }
func single(s set) bool     { return count(s) == 1 }

// first returns the lowest point of a set that has one.
func first(s set) int {
	if s[0] != 0 {
		return bits.TrailingZeros64(s[0])
	}
	return 64 + bits.TrailingZeros64(s[1])
}

// pop takes the lowest point out of a set.
func pop(s *set) int {
	if s[0] != 0 {
		i := bits.TrailingZeros64(s[0])
		s[0] &= s[0] - 1
		return i
	}
	i := bits.TrailingZeros64(s[1])
	s[1] &= s[1] - 1
	return 64 + i
}

// block is a string of stones. What encloses the zone belongs to every white one
// that touches it, and cannot be taken.
type block struct {
	stones, near set // near are the points beside them, whatever lies there
	safe         bool
}

// none is no block, and no point.
const none = 255

// state is a position of a zone: small enough to be copied for every move.
type state struct {
	of     [mostPoints]uint8 // the block of a stone; none of an empty point
	blocks []block           // those taken or joined are left without stones
	stones [2]set
	left   set // what is left of the target
	reach  set // what hangs together with that, but for safe white blocks
	key    uint64
	turn   game.Side
	ko     uint8 // where the side to move may not take back at once
	last   uint8 // the block that the target is, if it is one in atari
}

// little is the board of a zone.
type little struct {
	points   []board.Point // those of the frame, by number
	near     [mostPoints]set
	full     set
	wallside set // points beside what encloses the zone
	stack    []state
}

func (l *little) now() *state { return &l.stack[len(l.stack)-1] }

// The piece numbers whose keys stand for stones of the target that were taken, since
// the same board is another position without them, and for the ko.
const (
	goneKey = 3
	koKey   = 4
	turnKey = 0x632be59bd9b4e019
)

// reset sets the board up as a frame is.
func (l *little) reset(f *frame) {
	size := f.position.Planes().Size
	l.points, l.full, l.wallside = l.points[:0], set{}, set{}
	number := map[board.Point]int{}
	for at := range f.zone.Points() {
		number[at] = len(l.points)
		l.full = or(l.full, bit(len(l.points)))
		l.points = append(l.points, at)
	}
	for i, at := range l.points {
		l.near[i] = set{}
		var one board.Plane
		one.Add(at)
		beside := one.Neighbours(size)
		for to := range beside.Points() {
			if j, ok := number[to]; ok {
				l.near[i] = or(l.near[i], bit(j))
			} else {
				l.wallside = or(l.wallside, bit(i))
			}
		}
	}
	if len(l.stack) == 0 {
		l.stack = make([]state, 1, 64)
	}
	l.stack = l.stack[:1]
	s := l.now()
	*s = state{blocks: s.blocks[:0], ko: none, last: none}
	for i := range s.of {
		s.of[i] = none
	}
	for i, at := range l.points {
		if side, stone := f.position.SideAt(at); stone {
			l.put(s, side, i)
		}
		if f.target.Has(at) {
			s.left = or(s.left, bit(i))
		}
	}
	if s.turn = f.position.Turn(); s.turn == weiqi.White {
		s.key ^= turnKey
	}
	if ko := f.position.Ko(); ko != board.NoPoint {
		l.setKo(s, number[ko])
	}
	l.note(s)
}

func (l *little) setKo(s *state, at int) {
	s.ko = uint8(at)
	s.key ^= board.Zobrist(koKey, l.points[at])
}

// put puts a stone on an empty point and joins it to its neighbours.
func (l *little) put(s *state, side game.Side, at int) *block {
	b := block{stones: bit(at), near: l.near[at], safe: side == weiqi.White && has(l.wallside, at)}
	s.key ^= board.Zobrist(board.Piece(side+1), l.points[at])
	s.stones[side] = or(s.stones[side], b.stones)
	slot := -1
	for own := and(b.near, s.stones[side]); !empty(own); {
		i := int(s.of[first(own)])
		o := &s.blocks[i]
		own = andNot(own, o.stones)
		b.stones, b.near, b.safe = or(b.stones, o.stones), or(b.near, o.near), b.safe || o.safe
		if slot >= 0 {
			// The larger of two keeps its number.
			small := i
			if count(o.stones) > count(s.blocks[slot].stones) {
				small, slot = slot, i
			}
			for rest := s.blocks[small].stones; !empty(rest); {
				s.of[pop(&rest)] = uint8(slot)
			}
			s.blocks[slot].stones = or(s.blocks[slot].stones, s.blocks[small].stones)
			s.blocks[small] = block{}
			continue
		}
		slot = i
	}
	if slot < 0 {
		slot = s.free()
	}
	s.of[at] = uint8(slot)
	s.blocks[slot] = b
	return &s.blocks[slot]
}

// free returns the number of a block that is not in use.
func (s *state) free() int {
	for i := range s.blocks {
		if empty(s.blocks[i].stones) {
			return i
		}
	}
	s.blocks = append(s.blocks, block{})
	return len(s.blocks) - 1
}

func (s *state) occupied() set { return or(s.stones[0], s.stones[1]) }

// liberties returns the empty points beside a block. Those of safe ones do not tell
// all.
func (s *state) liberties(b *block) set { return andNot(b.near, s.occupied()) }

// at returns the block of a stone.
func (s *state) at(i int) *block { return &s.blocks[s.of[i]] }

// breathes reports whether a stone on an empty point would have a liberty.
func (l *little) breathes(s *state, side game.Side, at int) bool {
	near := l.near[at]
	if !within(near, s.occupied()) || side == weiqi.White && has(l.wallside, at) {
		return true
	}
	only := bit(at)
	for own := and(near, s.stones[side]); !empty(own); {
		b := s.at(first(own))
		if b.safe || s.liberties(b) != only {
			return true
		}
		own = andNot(own, b.stones)
	}
	for enemy := and(near, s.stones[1-side]); !empty(enemy); {
		b := s.at(first(enemy))
		if !b.safe && s.liberties(b) == only {
			return true
		}
		enemy = andNot(enemy, b.stones)
	}
	return false
}

// push copies the position, to be changed by a move.
func (l *little) push() (s *state) {
	n := len(l.stack)
	if n == cap(l.stack) {
		l.stack = append(l.stack, state{})
	}
	l.stack = l.stack[:n+1]
	s, from := &l.stack[n], &l.stack[n-1]
	blocks := append(s.blocks[:0], from.blocks...)
	*s = *from
	s.blocks = blocks
	return s
}

// play plays a move that has a liberty, or passes, for none.
func (l *little) play(at int) {
	s := l.push()
	side := s.turn
	s.turn = 1 - side
	s.key ^= turnKey
	if s.ko != none {
		s.key ^= board.Zobrist(koKey, l.points[s.ko])
		s.ko = none
	}
	if at == none {
		return
	}
	b := l.put(s, side, at)
	var taken set
	for enemy := and(l.near[at], s.stones[1-side]); !empty(enemy); {
		e := s.at(first(enemy))
		enemy = andNot(enemy, e.stones)
		if !e.safe && empty(s.liberties(e)) {
			taken = or(taken, e.stones)
			l.take(s, 1-side, e)
		}
	}
	if single(taken) && single(b.stones) && !b.safe && s.liberties(b) == taken {
		l.setKo(s, first(taken))
	}
	l.note(s)
}

// take takes a block off the board.
func (l *little) take(s *state, side game.Side, b *block) {
	stones := b.stones
	s.stones[side] = andNot(s.stones[side], stones)
	for rest := stones; !empty(rest); {
		i := pop(&rest)
		s.of[i] = none
		s.key ^= board.Zobrist(board.Piece(side+1), l.points[i])
		if has(s.left, i) {
			s.key ^= board.Zobrist(goneKey, l.points[i])
		}
	}
	s.left = andNot(s.left, stones)
	*b = block{}
}

// note works out what follows from the stones.
func (l *little) note(s *state) {
	s.last = l.lastBlock(s)
	in := l.full
	for i := range s.blocks {
		if b := &s.blocks[i]; b.safe {
			in = andNot(in, b.stones)
		}
	}
	s.reach = l.flood(s.left, in)
}

// lastBlock returns the block that all of the target is, if it is one in atari.
func (l *little) lastBlock(s *state) uint8 {
	if empty(s.left) {
		return none
	}
	i := s.of[first(s.left)]
	if b := &s.blocks[i]; within(s.left, b.stones) && single(s.liberties(b)) {
		return i
	}
	return none
}

// flood returns the points of a set that hang together with some of them.
func (l *little) flood(seed, in set) set {
	for edge := seed; !empty(edge); {
		edge = andNot(and(l.beside(edge), in), seed)
		seed = or(seed, edge)
	}
	return seed
}

// beside returns the points that are neighbours of points of a set.
func (l *little) beside(s set) (out set) {
	for !empty(s) {
		out = or(out, l.near[pop(&s)])
	}
	return out
}
