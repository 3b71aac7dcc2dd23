package prior

import (
	"math/bits"
	"slices"
)

// Vocabulary is a set of contexts, each with a number. A context is known by
// the first bits of its key alone: about one of 2^spare that are not in the set
// is taken for one that is. It does not change once made.
type Vocabulary struct {
	prints []uint32 // sorted
	bits   int      // of a print
	shift  int      // from a print to its slot
	slots  []slot

	// filter has a bit for the beginnings of prints that are there, so that most
	// of those that are not are told without a look at the slots, which are too
	// many for the nearer caches.
	filter []uint64
	cut    int // from a print to its bit
}

// slot holds a print and what goes with it: a number, or the bits of a weight.
// An empty one has the value none.
type slot struct {
	print, value uint32
}

const (
	none  = 1<<32 - 1
	spare = 9
)

// NewVocabulary returns the vocabulary of the keys; doubles count once.
func NewVocabulary(list []Key) *Vocabulary {
	v := &Vocabulary{bits: min(32, bits.Len(uint(len(list)))+spare)}
	v.prints = make([]uint32, len(list))
	for i, k := range list {
		v.prints[i] = v.print(k)
	}
	slices.Sort(v.prints)
	v.prints = slices.Compact(v.prints)
	v.index()
	return v
}

// index makes the table: twice as many slots as prints at least, in the order
// of the prints, so that neighbours of a full slot are at hand.
func (v *Vocabulary) index() {
	width := min(v.bits, bits.Len(uint(len(v.prints)))+1)
	v.shift = v.bits - width
	v.slots = make([]slot, 1<<width)
	wide := min(v.bits, max(6, width+2))
	v.cut = max(0, v.bits-wide)
	v.filter = make([]uint64, 1<<max(0, wide-6))
	for i := range v.slots {
		v.slots[i].value = none
	}
	for i, p := range v.prints {
		at := int(p >> v.shift)
		for v.slots[at].value != none {
			at = (at + 1) & (len(v.slots) - 1)
		}
		v.slots[at] = slot{p, uint32(i)}
		v.filter[p>>v.cut>>6] |= 1 << (p >> v.cut & 63)
	}
}

// Len returns the number of contexts.
func (v *Vocabulary) Len() int { return len(v.prints) }

func (v *Vocabulary) print(k Key) uint32 { return uint32(k >> (64 - v.bits)) }

// value returns what goes with a context, or none: its number in the order of
// the prints, until a model puts its weights there.
func (v *Vocabulary) value(k Key) uint32 {
	p := v.print(k)
	if v.filter[p>>v.cut>>6]>>(p>>v.cut&63)&1 == 0 {
		return none
	}
	at := int(p >> v.shift)
	for {
		s := &v.slots[at&(len(v.slots)-1)]
		if s.print == p && s.value != none || s.value == none {
			return s.value
		}
		at++
	}
}
