package prior

import (
	"math/bits"

	"qipu/board"
)

// Chain is a family of contexts of one point that grow from disc to disc.
type Chain uint8

// The families. All but Stones know the liberties of the strings that touch the
// middle of their discs.
const (
	Stones    Chain = iota // stones alone
	Liberties              // and the liberties of the strings that touch the point
	Last                   // and where the last move lies, and which of those strings it touches
	Before                 // and where the move before that lies
	Answer                 // around the last move: where the point lies from there
	Forward                // around the move before: where the point and the last move lie from there
	Phase                  // small discs, and how full the board is
	Chains
)

// phaseLevels is how far contexts of the family Phase grow.
const phaseLevels = 3

// Set is a set of families.
type Set uint8

// All is the set of all families.
const All = Set(1<<Chains - 1)

// Has reports whether the family is in the set.
func (s Set) Has(c Chain) bool { return s>>c&1 != 0 }

// Key is the hash of a context, equal for all that are the same under the
// symmetries of the board and the exchange of colours. 0 is none.
type Key uint64

// view is what all points of a position share while contexts are read.
type view struct {
	turn   int // halves are swapped for White by a rotation of 32
	last   board.Point
	before board.Point
	phase  vec
	touch  uint32 // the stamp of stones in strings that the last move touches

	own            [Levels]vec // discs around the point in question
	answer, second [Levels]vec // discs around the recent moves
}

// look prepares the view: it is called once a position, before contexts are
// read.
func (b *Board) look() {
	v := &b.view
	v.turn = 32 * int(b.pos.Turn())
	n := len(b.line)
	v.last, v.before = b.line[n-1].to, b.line[n-2].to
	phase := b.geo.phase[min(phases-1, b.stones*phases*5/4/b.size.Area())]
	for t := range v.phase {
		v.phase[t] = phase
	}
	b.stamp++
	v.touch = b.stamp
	if v.last != board.NoPoint {
		b.flood(v.last)
		for _, q := range neighbours(v.last) {
			if q < board.MaxPoints {
				b.flood(q)
			}
		}
		b.disc(&v.answer, v.last)
	}
	if v.before != board.NoPoint {
		b.disc(&v.second, v.before)
		if at, ok := near(v.before, v.last); ok {
			for l := range v.second {
				v.second[l].xor(&b.geo.marks[markLink][at])
			}
		}
	}
}

// flood marks the stones of a string.
func (b *Board) flood(p board.Point) {
	c := b.colour[p]
	if c >= vacant || b.mark[p] == b.stamp {
		return
	}
	b.mark[p] = b.stamp
	b.queue = append(b.queue[:0], p)
	for i := 0; i < len(b.queue); i++ {
		for _, q := range neighbours(b.queue[i]) {
			if q < board.MaxPoints && b.colour[q] == c && b.mark[q] != b.stamp {
				b.mark[q] = b.stamp
				b.queue = append(b.queue, q)
			}
		}
	}
}

// disc puts the hashes of the discs around a recent move into dst, with the
// liberties of its string and of those that touch it.
func (b *Board) disc(dst *[Levels]vec, p board.Point) {
	rings := &b.rings[b.size.Index(p)]
	var sum vec
	libs, _ := b.touching(p, len(around))
	for l := range dst {
		for t := range sum {
			sum[t] ^= bits.RotateLeft64(rings[l][t], b.view.turn)
			dst[l][t] = sum[t] ^ libs[t]
		}
	}
}

// touching returns the keys of the liberties of the strings on the first n
// places around p, and of those that the last move touches.
func (b *Board) touching(p board.Point, n int) (libs, touch vec) {
	for i, d := range around[:n] {
		q := int(p) + d[1]*board.Stride + d[0]
		if q < 0 || q >= board.MaxPoints || b.colour[q] >= vacant {
			continue
		}
		libs.xor(&b.geo.liberty[i][b.libs[q]])
		if b.mark[q] == b.view.touch {
			touch.xor(&b.geo.touch[i])
		}
	}
	return libs, touch
}

// least returns the key of a context.
func least(c Chain, level int, disc, extra *vec) Key {
	a := min(disc[0]^extra[0], disc[1]^extra[1])
	d := min(disc[2]^extra[2], disc[3]^extra[3])
	e := min(disc[4]^extra[4], disc[5]^extra[5])
	f := min(disc[6]^extra[6], disc[7]^extra[7])
	return Key(board.Mix(min(min(a, d), min(e, f)) + (uint64(c)*Levels+uint64(level)+1)*0x9E3779B97F4A7C15))
}

// still remembers the contexts of the families that recent moves have no part
// in, for both sides. Most points keep theirs from move to move, and a search
// for them is more than half of the work.
type still struct {
	words *Vocabulary // what they were looked up in; nil for nothing remembered
	set   Set
	phase uint64

	// depth is the largest level that was looked at, of either side: a change
	// beyond it changes nothing. A stale point is read again.
	depth [board.MaxPoints]int8
	known [board.MaxPoints]uint8 // sides that are there, as bits
	count [2][board.MaxPoints]uint8
	value [2][board.MaxPoints][2*Levels + phaseLevels]uint32
}

const (
	stale = -1
	calm  = Set(1<<Stones | 1<<Liberties | 1<<Phase)
)

// recall has the memory ready for a vocabulary: whatever was remembered of
// another one, or in another phase, is forgotten.
func (b *Board) recall(words *Vocabulary, set Set) {
	s := &b.still
	if s.words == words && s.set == set && s.phase == b.view.phase[0] {
		return
	}
	s.words, s.set, s.phase = words, set, b.view.phase[0]
	for p := range s.depth {
		s.depth[p] = stale
	}
}

// find appends what goes with the contexts of an empty point that are in the
// vocabulary. A family ends where a context is not in it. The view and the
// memory must have been prepared.
func (b *Board) find(dst []uint32, p board.Point) []uint32 {
	s := &b.still
	if s.depth[p] == stale {
		s.depth[p], s.known[p] = 0, 0
	}
	who := b.pos.Turn() & 1
	list := &s.value[who][p]
	if s.known[p]>>who&1 == 0 {
		n, deep := 0, 0
		b.read(p, s.set&calm, func(_ Chain, level int, k Key) bool {
			deep = max(deep, level)
			v := s.words.value(k)
			if v == none {
				return false
			}
			list[n] = v
			n++
			return true
		})
		s.count[who][p] = uint8(n)
		s.known[p] |= 1 << who
		s.depth[p] = max(s.depth[p], int8(deep))
	}
	dst = append(dst, list[:s.count[who][p]]...)
	b.read(p, s.set&^calm, func(_ Chain, _ int, k Key) bool {
		v := s.words.value(k)
		if v == none {
			return false
		}
		dst = append(dst, v)
		return true
	})
	return dst
}

// read calls next for the contexts of an empty point, family by family from
// the smallest disc on, until it returns false, which ends the family. The view
// must have been prepared.
func (b *Board) read(p board.Point, set Set, next func(c Chain, level int, k Key) bool) {
	v := &b.view
	rings := &b.rings[b.size.Index(p)]
	made := 0
	grow := func(c Chain, to int, extra *vec) {
		for l := range to {
			if l == made {
				for t := range v.own[l] {
					v.own[l][t] = bits.RotateLeft64(rings[l][t], v.turn)
				}
				if l > 0 {
					v.own[l].xor(&v.own[l-1])
				}
				made++
			}
			if !next(c, l, least(c, l, &v.own[l], extra)) {
				return
			}
		}
	}
	if set.Has(Stones) {
		grow(Stones, Levels, new(vec))
	}
	libs, touch := b.touching(p, 4)
	if set.Has(Liberties) {
		grow(Liberties, Levels, &libs)
	}
	if set.Has(Phase) {
		extra := libs
		extra.xor(&v.phase)
		grow(Phase, phaseLevels, &extra)
	}
	extra := libs
	extra.xor(&touch)
	if at, ok := near(p, v.last); ok {
		extra.xor(&b.geo.marks[markLast][at])
		if set.Has(Last) {
			grow(Last, Levels, &extra)
		}
		if set.Has(Answer) {
			x := &b.geo.marks[markAnswer][side*side-1-at]
			for l := range v.answer {
				if !next(Answer, l, least(Answer, l, &v.answer[l], x)) {
					break
				}
			}
		}
	}
	if at, ok := near(p, v.before); ok {
		extra.xor(&b.geo.marks[markBefore][at])
		if set.Has(Before) {
			grow(Before, Levels, &extra)
		}
		if set.Has(Forward) {
			x := &b.geo.marks[markForward][side*side-1-at]
			for l := range v.second {
				if !next(Forward, l, least(Forward, l, &v.second[l], x)) {
					break
				}
			}
		}
	}
}
