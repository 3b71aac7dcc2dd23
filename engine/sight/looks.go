package sight

import (
	"encoding/binary"
	"hash/maphash"
	"sync"
	"sync/atomic"

	"qipu/board"
	"qipu/engine/net"
)

// What all eyes share: what nets said of the boards that they were shown last.
// Who asks for hints behind a move, or for a review of a game that was just played, asks
// for boards that somebody looked at a moment ago. What is said is the same, bit for bit.
//
// A batch of boards is no other thing that searches could share: on the processors that
// nets run on here, several boards in one pass take as long as one after the other.
const (
	lookSlots  = 4096 // boards; of 19x19 each takes about 3 KiB
	lookLocks  = 64
	saidLength = 4 // what is said of the whole board
)

// heard is what a net said of what it was shown.
type heard struct {
	key    [2]uint64
	net    *net.Net
	size   board.Size
	said   [saidLength]float32
	points []float32
	owner  []float32
}

// memory are the last ones, each in the one place that its key has.
type memory struct {
	locks [lookLocks]sync.Mutex
	slots [lookSlots]heard
	seeds [2]maphash.Seed

	known atomic.Int64 // looks that were not taken, since what they say was there
}

var shared = sync.OnceValue(func() *memory {
	return &memory{seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
})

// key makes the key of what a run is shown.
func (l *memory) key(e *Eye, run *net.Run) (key [2]uint64) {
	e.shown = e.shown[:0]
	for i := range planes {
		for _, v := range run.Plane(i) {
			e.shown = binary.LittleEndian.AppendUint16(e.shown, uint16(v))
		}
	}
	for i := range key {
		key[i] = maphash.Bytes(l.seeds[i], e.shown)
	}
	return key
}

// hear evaluates what a run is shown, or finds what was said of it, into what the eye has
// heard.
func (e *Eye) hear(run *net.Run, size board.Size) *heard {
	l, h := shared(), &e.heard
	h.key, h.net, h.size = l.key(e, run), e.net, size
	at := h.key[0] % lookSlots
	lock, slot := &l.locks[at%lookLocks], &l.slots[at]
	lock.Lock()
	known := slot.net == h.net && slot.key == h.key && slot.size == size
	if known {
		h.take(slot)
	}
	lock.Unlock()
	if known {
		l.known.Add(1)
		return h
	}
	run.Evaluate()
	h.said = [saidLength]float32(run.Vector("said"))
	h.points = append(h.points[:0], run.Plot("point")...)
	h.owner = append(h.owner[:0], run.Plot("owner")...)
	lock.Lock()
	defer lock.Unlock()
	slot.take(h)
	return h
}

// take makes a copy of another.
func (h *heard) take(other *heard) {
	points, owner := append(h.points[:0], other.points...), append(h.owner[:0], other.owner...)
	*h = *other
	h.points, h.owner = points, owner
}
