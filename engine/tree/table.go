package tree

import (
	"sync/atomic"

	"qipu/board"
	"qipu/engine"
)

// Table remembers positions that were searched. All threads of a thought share it
// without locks: an entry is two words that are written apart, and the first is the key
// mixed with the second, so that halves of two entries never pass for one. Four entries
// are a bucket of one cache line.
type Table struct {
	slots []slot
	mask  uint64
	age   uint64
	salt  uint64
}

type slot struct{ check, data atomic.Uint64 }

const bucket = 4

// Entry is what is known of a position.
type Entry struct {
	Move  uint16 // 0 for none
	Value int16  // games that are won or lost are counted from the position
	Eval  int16  // what the position was judged before any move was read
	Depth int8
	Bound engine.Bound
	PV    bool // it stood in the window of a principal variation
}

// NewTable returns a table of about so many bytes.
func NewTable(bytes int64) *Table {
	n := uint64(256)
	for int64(n)*2*16*bucket <= bytes {
		n *= 2
	}
	return &Table{slots: make([]slot, n*bucket), mask: n - 1}
}

// Next begins another thought. With forget it finds nothing of what was thought before,
// so that an answer depends on its own limits alone.
func (t *Table) Next(forget bool) {
	t.age = (t.age + 1) & 63
	if forget {
		t.salt = board.Mix(t.salt + 1)
	}
}

func (t *Table) at(key uint64) *[bucket]slot {
	return (*[bucket]slot)(t.slots[(key&t.mask)*bucket:])
}

// The layout of a word: move 16, value 16, eval 16, depth 7, bound 2, PV 1, age 6.
func pack(e Entry, age uint64) uint64 {
	d := uint64(e.Move) | uint64(uint16(e.Value))<<16 | uint64(uint16(e.Eval))<<32 | uint64(uint8(e.Depth)&127)<<48 | uint64(e.Bound&3)<<55 | age<<58
	if e.PV {
		d |= 1 << 57
	}
	return d
}

func unpack(d uint64) Entry {
	return Entry{Move: uint16(d), Value: int16(d >> 16), Eval: int16(d >> 32), Depth: int8(d >> 48 & 127), Bound: engine.Bound(d >> 55 & 3), PV: d>>57&1 != 0}
}

// Ready tells the table that a position will be asked for soon.
func (t *Table) Ready(key uint64) { fetch(&t.at(key ^ t.salt)[0]) }

// Find returns what is known of a position.
func (t *Table) Find(key uint64) (Entry, bool) {
	key ^= t.salt
	b := t.at(key)
	for i := range b {
		if d := b[i].data.Load(); b[i].check.Load() == key^d && d != 0 {
			return unpack(d), true
		}
	}
	return Entry{}, false
}

// Store keeps what was found. What is shallow or old makes room first; a deeper
// entry of the same position stays, unless the new one is exact.
func (t *Table) Store(key uint64, e Entry) {
	key ^= t.salt
	b := t.at(key)
	victim, low := &b[0], int(1<<30)
	for i := range b {
		d := b[i].data.Load()
		if d == 0 || b[i].check.Load() == key^d {
			if old := unpack(d); d != 0 {
				if e.Move == 0 {
					e.Move = old.Move
				}
				if e.Bound != engine.Even && int(e.Depth)+3 < int(old.Depth) && d>>58 == t.age {
					return
				}
			}
			victim = &b[i]
			break
		}
		if w := int(d>>48&127) - 4*int((t.age-d>>58)&63); w < low {
			victim, low = &b[i], w
		}
	}
	d := pack(e, t.age)
	victim.data.Store(d)
	victim.check.Store(key ^ d)
}
