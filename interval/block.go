package interval

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"

	"qipu/board"
)

// Lanes is the largest number of lines in a block.
const Lanes = 512

// Mask is a set of the lanes of a block.
type Mask [Lanes / 64]uint64

// Count returns the number of lanes in the set.
func (m *Mask) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty reports whether there are none.
func (m *Mask) Empty() bool {
	var or uint64
	for _, w := range m {
		or |= w
	}
	return or == 0
}

// Set adds a lane.
func (m *Mask) Set(lane int) { m[lane/64] |= 1 << (lane % 64) }

// Has reports whether a lane is in the set.
func (m *Mask) Has(lane int) bool { return m[lane/64]>>(lane%64)&1 != 0 }

// Block is up to 512 lines of one kind of game on one size of board, column by
// column. It is a view of bytes that it does not own: of a mapped file, or of
// memory.
//
//	header     64 bytes, see the offsets below
//	ends       u16 a lane
//	froms      u16 a lane; left out where all are 0
//	skips      u8 a lane: 0 none, 1 slot 1 alone, 2 see the list; left out where all are 0
//	skip list  u16: number of lanes; then for each its lane, count, slots
//	ever       a bit a lane, for each point and piece: the piece once stood there
//	first      a byte a lane, for each point: see below
//	points     12 bytes a point: where its entries and changes begin, how many entries
//	entries    of each point, the lanes that change more than once: u16 lane, u16 start
//	           of its changes; dense points have a start for every lane instead
//	slots      u16 a change
//	pieces     u8 a change
//	moves      where pieces move: u32 starts, one more than lanes; u16 a ply
//
// A byte of first is 255 where the point never changes, 0 where it changes more
// than once (or in a way that the byte cannot tell: see its entry), 1 where a
// piece stands there from slot 0, and else 2 + (slot-1)/2.
type Block struct {
	Points int // of the board
	Kinds  int // of pieces
	N      int // lanes in use
	Moving bool

	stride int // lanes that columns have room for: a multiple of 64
	owner  [32]uint8

	data                        []byte
	ends, froms, skips, skipped []byte
	ever, first                 []byte
	points, entries             []byte
	slots, pieces, moves        []byte

	// usual is how most lanes begin, once somebody has asked. Readers may find it
	// out at the same time, and put down the same.
	usual atomic.Pointer[usual]
}

// usual is a board and the lanes that have it at slot 0.
type usual struct {
	on   []board.Piece
	same Mask
}

const (
	headerSize = 64
	blockMagic = 0x4B4C4251 // "QBLK"

	never   = 255
	complex = 0
	atStart = 1

	// lastByte is the last slot that the byte of first can tell.
	lastByte = 2*(never-1-2) + 2

	dense = 1 << 31
)

var errBlock = errors.New("interval: a damaged block")

// Open returns the block that the bytes are. It checks that every part lies
// inside them, so that no later access can fail; it reads the directory of
// points, not the columns.
func Open(data []byte) (*Block, error) {
	if len(data) < headerSize || binary.LittleEndian.Uint32(data) != blockMagic {
		return nil, errBlock
	}
	u32 := func(i int) int { return int(binary.LittleEndian.Uint32(data[4*i:])) }
	b := &Block{data: data, N: u32(1), Points: u32(2), Kinds: u32(3) & 0xFF, Moving: u32(3)&0x100 != 0}
	flags := u32(3)
	b.stride = (b.N + 63) &^ 63
	if b.N < 1 || b.N > Lanes || b.Points < 1 || b.Points > board.MaxSide*board.MaxSide || b.Kinds > 30 {
		return nil, errBlock
	}
	owners := u32(4)
	for p := 1; p <= b.Kinds; p++ {
		b.owner[p] = uint8(owners >> (p - 1) & 1)
	}
	at, bad := headerSize, false
	cut := func(n int) []byte {
		if n < 0 || n > len(data)-at {
			bad = true
			return nil
		}
		part := data[at : at+n : at+n]
		at += (n + 7) &^ 7
		at = min(at, len(data))
		return part
	}
	b.ends = cut(2 * b.N)
	if flags&0x200 != 0 {
		b.froms = cut(2 * b.N)
	}
	if flags&0x400 != 0 {
		b.skips = cut(b.N)
		b.skipped = cut(u32(5))
	}
	b.ever = cut(b.Points * b.Kinds * b.stride / 8)
	b.first = cut(b.Points * b.stride)
	b.points = cut(12 * b.Points)
	b.entries = cut(u32(6))
	changes := u32(7)
	b.slots = cut(2 * changes)
	b.pieces = cut(changes)
	if flags&0x800 != 0 {
		b.moves = cut(u32(8))
	}
	if bad {
		return nil, errBlock
	}
	if err := b.check(changes); err != nil {
		return nil, err
	}
	return b, nil
}

// check walks the directory: every entry and every change it speaks of must be
// there, in order.
func (b *Block) check(changes int) error {
	for pt := range b.Points {
		entry, change, count, isDense := b.dir(pt)
		n := count
		size := 4*count + 2
		if isDense {
			n = b.N
			size = 2 * (b.N + 1)
		}
		if n > b.N || entry > len(b.entries)-size || entry < 0 || change > changes {
			return fmt.Errorf("%w: point %d", errBlock, pt)
		}
		starts := b.entries[entry:]
		if !isDense {
			starts = starts[2*count:]
		}
		last := 0
		for i := range n + 1 {
			s := int(u16(starts, i))
			if s < last {
				return fmt.Errorf("%w: point %d", errBlock, pt)
			}
			last = s
		}
		if change+last > changes {
			return fmt.Errorf("%w: point %d", errBlock, pt)
		}
	}
	if b.moves != nil {
		last, size := 4*(b.N+1), len(b.moves)
		for lane := range b.N + 1 {
			if size < 4*(b.N+1) || b.moveStart(lane) < last || b.moveStart(lane) > size {
				return fmt.Errorf("%w: moves", errBlock)
			}
			last = b.moveStart(lane)
		}
	}
	if b.skips != nil {
		return b.checkSkips()
	}
	return nil
}

func (b *Block) dir(pt int) (entry, change, count int, isDense bool) {
	d := b.points[12*pt : 12*pt+12]
	c := binary.LittleEndian.Uint32(d[8:])
	return int(binary.LittleEndian.Uint32(d)), int(binary.LittleEndian.Uint32(d[4:])), int(c &^ dense), c&dense != 0
}

func (b *Block) moveStart(lane int) int { return int(binary.LittleEndian.Uint32(b.moves[4*lane:])) }

// lineMoves returns the moves of a lane, two bytes each.
func (b *Block) lineMoves(lane int) []byte { return b.moves[b.moveStart(lane):b.moveStart(lane+1)] }

func u16(b []byte, i int) uint16 { return binary.LittleEndian.Uint16(b[2*i:]) }

// Bytes returns the bytes that the block is a view of.
func (b *Block) Bytes() []byte { return b.data }

// All returns the set of all lanes.
func (b *Block) All() (m Mask) {
	for i := range b.N / 64 {
		m[i] = ^uint64(0)
	}
	if r := b.N % 64; r != 0 {
		m[b.N/64] = 1<<r - 1
	}
	return m
}

// End returns the slot after the last position of a lane.
func (b *Block) End(lane int) uint16 { return u16(b.ends, lane) }

// From returns the slot of the first position that is the lane's own.
func (b *Block) From(lane int) uint16 {
	if b.froms == nil {
		return 0
	}
	return u16(b.froms, lane)
}

var skipOne = []uint16{1}

// Skips returns the slots that no ply of a lane has.
func (b *Block) Skips(lane int) []uint16 { return b.skipsOf(nil, lane) }

// skipsOf does the same in memory of the caller, where a block does not share
// them.
func (b *Block) skipsOf(buf []uint16, lane int) []uint16 {
	if b.skips == nil || b.skips[lane] == 0 {
		return nil
	}
	if b.skips[lane] == 1 {
		return skipOne
	}
	return b.appendSkips(buf, lane)
}

// skipsSlot reports whether no ply of a lane has a slot.
func (b *Block) skipsSlot(lane int, slot uint16) bool {
	switch {
	case b.skips == nil || b.skips[lane] == 0:
		return false
	case b.skips[lane] == 1:
		return slot == 1
	}
	s := b.skipped[2:]
	for range u16(b.skipped, 0) {
		count := int(u16(s, 1))
		if int(u16(s, 0)) == lane {
			for i := range count {
				if u16(s[4:], i) == slot {
					return true
				}
			}
			return false
		}
		s = s[4+2*count:]
	}
	return false
}

// appendSkips appends the slots that are listed for a lane. Few lanes have any,
// and their lists are walked through.
func (b *Block) appendSkips(dst []uint16, lane int) []uint16 {
	s := b.skipped[2:]
	for range u16(b.skipped, 0) {
		count := int(u16(s, 1))
		if int(u16(s, 0)) == lane {
			for i := range count {
				dst = append(dst, u16(s[4:], i))
			}
			break
		}
		s = s[4+2*count:]
	}
	return dst
}

// checkSkips walks the list of skips: the slots of a lane rise, and none lies
// behind its end, so that counting slots always comes to an end.
func (b *Block) checkSkips() error {
	bad := fmt.Errorf("%w: skips", errBlock)
	s := b.skipped
	if len(s) < 2 {
		return bad
	}
	n := u16(s, 0)
	s = s[2:]
	for range n {
		if len(s) < 4 || len(s)-4 < 2*int(u16(s, 1)) || int(u16(s, 0)) >= b.N {
			return bad
		}
		last, end := uint16(0), b.End(int(u16(s, 0)))
		count := int(u16(s, 1))
		for i := range count {
			slot := u16(s[4:], i)
			if slot <= last || slot >= end {
				return bad
			}
			last = slot
		}
		s = s[4+2*count:]
	}
	return nil
}

// Ply returns the ply of a slot of a lane.
func (b *Block) Ply(lane int, slot uint16) int { return plyOf(b.Skips(lane), slot) }

// Plies returns the number of plies of a lane.
func (b *Block) Plies(lane int) int { return b.Ply(lane, b.End(lane)-1) }

// After returns the slot of the next move of a lane behind another slot, or the
// end of the lane.
func (b *Block) After(lane int, slot uint16) uint16 {
	n, end := slot+1, b.End(lane)
	for n < end && b.skipsSlot(lane, n) {
		n++
	}
	return min(n, end)
}

// next returns the first slot behind another that is not skipped, or the end.
// The side that moves on it is the one to move in the position of the other.
func (b *Block) next(skips []uint16, slot, end uint16) uint16 {
	n := slot + 1
	for _, s := range skips {
		if s == n {
			n++
		}
	}
	return min(n, end)
}

// everWord returns 64 lanes of the set in which a piece once stood on a point.
func (b *Block) everWord(pt int, piece board.Piece, w int) uint64 {
	at := ((pt*b.Kinds+int(piece)-1)*b.stride/64 + w) * 8
	return binary.LittleEndian.Uint64(b.ever[at:])
}

// Ever returns the lanes in which a piece once stood on a point.
func (b *Block) Ever(pt int, piece board.Piece) (m Mask) {
	for w := range b.stride / 64 {
		m[w] = b.everWord(pt, piece, w)
	}
	return m
}

func (b *Block) everHas(pt int, piece board.Piece, lane int) bool {
	return b.everWord(pt, piece, lane/64)>>(lane%64)&1 != 0
}

// only returns the one piece that arrives at a point whose byte is simple.
func (b *Block) only(pt, lane int) board.Piece {
	for p := board.Piece(1); int(p) < b.Kinds; p++ {
		if b.everHas(pt, p, lane) {
			return p
		}
	}
	return board.Piece(b.Kinds)
}

// arrival returns the slot of a simple byte. Of a piece that stands there from
// the start the formula gives 0 or -1.
func (b *Block) arrival(v uint8, piece board.Piece) uint16 {
	return uint16(max(2*int32(v)-3+int32(b.owner[piece&31]), 0))
}

// history returns the changes of a point that is not simple: two slices of the
// slots and of the pieces.
func (b *Block) history(pt, lane int) (slots, pieces []byte) {
	x, y := b.span(pt, lane)
	return b.slots[2*x : 2*y], b.pieces[x:y]
}

// span returns where the changes of a point that is not simple begin and end.
func (b *Block) span(pt, lane int) (begin, end int) {
	entry, change, count, isDense := b.dir(pt)
	var from, to uint16
	if isDense {
		from, to = u16(b.entries[entry:], lane), u16(b.entries[entry:], lane+1)
	} else {
		lanes := b.entries[entry : entry+2*count]
		// Half of the rest at a time, without a branch on what was found.
		lo := 0
		for n := count; n > 1; {
			half := n / 2
			if int(u16(lanes, lo+half)) <= lane {
				lo += half
			}
			n -= half
		}
		if count == 0 || int(u16(lanes, lo)) != lane {
			return 0, 0
		}
		starts := b.entries[entry+2*count:]
		from, to = u16(starts, lo), u16(starts, lo+1)
	}
	return change + int(from), change + int(to)
}

// Line returns a lane as it was added. It costs a look at every point; it is
// for merging and for tests.
func (b *Block) Line(lane int) Line {
	l := Line{End: b.End(lane), From: b.From(lane), Skips: append([]uint16(nil), b.Skips(lane)...)}
	for pt := range b.Points {
		switch v := b.first[pt*b.stride+lane]; v {
		case never:
		case complex:
			slots, pieces := b.history(pt, lane)
			for i, p := range pieces {
				l.Changes = append(l.Changes, Change{u16(slots, i), uint16(pt), board.Piece(p)})
			}
		default:
			p := b.only(pt, lane)
			l.Changes = append(l.Changes, Change{b.arrival(v, p), uint16(pt), p})
		}
	}
	l.Changes = inOrder(l.Changes, int(l.End))
	if b.moves != nil {
		list := b.lineMoves(lane)
		l.Moves = make([]uint16, len(list)/2)
		for i := range l.Moves {
			l.Moves[i] = u16(list, i)
		}
	}
	return l
}
