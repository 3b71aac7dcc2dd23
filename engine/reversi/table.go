package reversi

import (
	"math/bits"
	"sync/atomic"
)

// transpositions remembers positions that were searched. It is shared by all threads
// without locks: an entry is two words that are written apart, and the first is
// the key mixed with the second, so that halves of two entries never pass for
// one. Four entries make a bucket of one cache line.
type transpositions struct {
	slots []slot
	shift uint
	age   uint64 // of this thought, 1 to 255
	salt  uint64 // mixed into the keys; see next

	smalls []*transpositions // one for each thread; see smallOf
}

type slot struct{ check, data atomic.Uint64 }

const bucket = 4

// entry is what is known of a position: bounds of its value after a search of
// some depth and sureness, and the two best moves. A search to the end of the
// game (depth = empty squares) counts in discs, all others in hundredths.
type entry struct {
	lower, upper int16
	depth        uint8
	sure         uint8 // index into sureness
	first, then  uint8 // squares; none for no move
}

const none = 64

func newTable(bytes int64) *transpositions {
	n := uint(10)
	for int64(16)<<(n+1) <= bytes && n < 32 {
		n++
	}
	return &transpositions{slots: make([]slot, 1<<n), shift: 64 - (n - 2), age: 1}
}

// smallHash is what stays in the cache of a core beside the rest.
const smallHash = 1 << 18

// smallOf returns the table of a thread for few empty squares. Such positions are
// many, each saves little, and none of them matters for long: kept apart, they
// neither wait for memory nor push out what took long to find. Keys are those of
// the large table.
func (t *transpositions) smallOf(thread int) *transpositions {
	for thread >= len(t.smalls) {
		t.smalls = append(t.smalls, newTable(smallHash))
	}
	return t.smalls[thread]
}

// next begins another thought. What is older is kept as long as nothing else
// needs its place; forget makes it unreadable, so that an answer depends on
// nothing that was thought before.
func (t *transpositions) next(forget bool) {
	for _, s := range t.smalls {
		s.next(false)
	}
	t.age++
	if forget {
		t.salt = t.salt*0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03
	}
	if t.age > 255 {
		t.age = 1
		clear(t.slots)
	}
}

// key is what a position is found by: its bucket and what it is checked by. It
// serves tables of all sizes.
type key struct {
	check uint64
	spot  uint64 // the bucket, in the highest bits
}

func (t *transpositions) key(own, opp uint64) key {
	hi, lo := bits.Mul64(own^0xA0761D6478BD642F, opp^0xE7037ED1A0B428DB)
	h := hi ^ lo ^ t.salt
	return key{
		check: (lo + own*0x8EBC6AF09C88C6E3) ^ t.salt,
		spot:  h * 0x9E3779B97F4A7C15,
	}
}

// at returns the bucket of a key.
func (t *transpositions) at(k key) *[bucket]slot {
	return (*[bucket]slot)(t.slots[k.spot>>(t.shift&63)*bucket:])
}

func pack(e entry, age uint64) uint64 {
	return uint64(uint16(e.lower)) | uint64(uint16(e.upper))<<16 | uint64(e.depth)<<32 | uint64(e.sure)<<38 |
		uint64(e.first)<<42 | uint64(e.then)<<49 | age<<56
}

func unpack(d uint64) entry {
	return entry{
		lower: int16(d), upper: int16(d >> 16), depth: uint8(d >> 32 & 63), sure: uint8(d >> 38 & 15),
		first: uint8(d >> 42 & 127), then: uint8(d >> 49 & 127),
	}
}

func (t *transpositions) probe(k key) (entry, bool) {
	b := t.at(k)
	for i := range b {
		d := b[i].data.Load()
		if b[i].check.Load() == k.check^d {
			return unpack(d), d != 0
		}
	}
	return entry{first: none, then: none}, false
}

// keys returns the keys of all children, and has their buckets on the way from
// memory together: one after the other, each look-up would wait for its own.
func (w *worker) keys(c *children) []key {
	list := w.asked[:c.n]
	for i := range list {
		list[i] = w.key(c.list[i].own, c.list[i].opp)
		w.ahead += w.at(list[i])[0].data.Load()
	}
	return list
}

// worth orders entries by what it would cost to have them again: the sureness,
// then the depth.
func worth(d uint64) uint64 { return d >> 32 & 1023 }

// store keeps a result: value is exact between the bounds of the window, else a
// bound. best may be none.
func (t *transpositions) store(k key, depth int, sure int, alpha, beta, value int, best uint8, least, most int) {
	e := entry{lower: int16(least), upper: int16(most), depth: uint8(depth), sure: uint8(sure), first: best, then: none}
	if value > alpha {
		e.lower = int16(value)
	}
	if value < beta {
		e.upper = int16(value)
	}
	b := t.at(k)
	var victim *slot
	low := ^uint64(0)
	for i := range b {
		s := &b[i]
		d := s.data.Load()
		if s.check.Load() == k.check^d && d != 0 {
			old := unpack(d)
			if old.depth == e.depth && old.sure == e.sure {
				// The same search with another window: both bounds hold.
				e.lower, e.upper = max(e.lower, old.lower), min(e.upper, old.upper)
				if e.lower > e.upper { // one of them came from a stopped or unstable search
					e.lower, e.upper = int16(least), int16(most)
					if value > alpha {
						e.lower = int16(value)
					}
					if value < beta {
						e.upper = int16(value)
					}
				}
			}
			if value <= alpha && old.first != none {
				// No move was good enough: the old ones are better guesses.
				e.first, e.then = old.first, old.then
				if best != old.first && best != none {
					e.then = best
				}
			} else if best != old.first {
				e.then = old.first
			} else {
				e.then = old.then
			}
			victim = s
			break
		}
		w := uint64(0)
		if d>>56 == t.age {
			w = 1 + worth(d)
		}
		if w < low {
			low, victim = w, s
		}
	}
	d := pack(e, t.age)
	victim.data.Store(d)
	victim.check.Store(k.check ^ d)
}
