package alphabeta

import (
	"math/bits"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// transpositions remembers positions. Two entries share a place: the first is replaced by
// what was read as deep, or when it is from an earlier thought; the second
// always.
type transpositions struct {
	slots []entry
	shift uint
	age   uint8
	salt  uint64 // changes the keys when everything is to be forgotten
}

// entry is what is known of a position. Keys are compared whole: that another
// position has the same 64 bits is not guarded against, but a move that it would
// bring is never played, since moves are taken from the list of the legal ones.
type entry struct {
	key   uint64
	move  game.Move
	value engine.Value // from this position on: a win is counted from here
	depth uint8        // plies below, or whole
	bound engine.Bound
	age   uint8
}

// entrySize is the size of an entry in bytes.
const entrySize = 24

// whole is the depth of a position that was read to the end of the game.
const whole = 255

func newTable(size int64) *transpositions {
	n := max(uint64(size)/entrySize, 1024)
	log := uint(bits.Len64(n) - 1)
	return &transpositions{slots: make([]entry, 1<<log), shift: 64 - log}
}

// next begins another thought; with forget it knows nothing of earlier ones.
func (t *transpositions) next(forget bool) {
	t.age++
	if forget {
		t.salt = board.Mix(t.salt + 1)
	}
}

// place returns the two entries that a position may be in.
func (t *transpositions) place(key uint64) (first, second *entry) {
	at := board.Mix(key)>>t.shift | 1
	return &t.slots[at-1], &t.slots[at]
}

func (t *transpositions) find(key uint64) *entry {
	key ^= t.salt
	a, b := t.place(key)
	switch {
	case a.key == key && a.depth > 0:
		return a
	case b.key == key && b.depth > 0:
		return b
	}
	return nil
}

func (t *transpositions) store(key uint64, e entry) {
	e.key, e.age = key^t.salt, t.age
	a, b := t.place(e.key)
	if a.key == e.key || a.age != t.age || e.depth >= a.depth {
		if a.key != e.key && a.age == t.age {
			*b = *a
		}
		*a = e
		return
	}
	*b = e
}
