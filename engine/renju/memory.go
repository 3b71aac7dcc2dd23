package renju

import "math/bits"

// memory remembers positions. Two entries share a place: the first is replaced by what
// was read as deep, or when it is from an earlier thought; the second always.
type memory struct {
	slots []entry
	shift uint
	age   uint8
	salt  uint64
}

// entry is what is known of a position.
type entry struct {
	key   uint64
	value int32 // from this position on: a win is counted from here
	move  uint16
	depth int8
	flags uint8 // the bound, and the age above it
}

// The bounds.
const (
	atLeast uint8 = 1
	atMost  uint8 = 2
	even          = atLeast | atMost
)

const entrySize = 16

func newMemory(size int64) *memory {
	n := max(uint64(size)/entrySize, 1024)
	log := uint(bits.Len64(n) - 1)
	return &memory{slots: make([]entry, 1<<log), shift: 64 - log}
}

// next begins another thought; with forget it knows nothing of earlier ones.
func (m *memory) next(forget bool) {
	m.age = (m.age + 1) & 63
	if forget {
		m.salt += 0x9E3779B97F4A7C15
	}
}

func (m *memory) place(key uint64) (first, second *entry) {
	at := key*0x9E3779B97F4A7C15>>m.shift | 1
	return &m.slots[at-1], &m.slots[at]
}

func (m *memory) find(key uint64) *entry {
	key ^= m.salt
	a, b := m.place(key)
	switch {
	case a.key == key && a.flags != 0:
		return a
	case b.key == key && b.flags != 0:
		return b
	}
	return nil
}

func (m *memory) store(key uint64, e entry) {
	e.key = key ^ m.salt
	e.flags |= m.age << 2
	a, b := m.place(e.key)
	if a.key == e.key || a.flags>>2 != m.age || e.depth >= a.depth {
		if a.key != e.key && a.flags>>2 == m.age {
			*b = *a
		}
		*a = e
		return
	}
	*b = e
}
