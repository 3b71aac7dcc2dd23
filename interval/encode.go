package interval

import (
	"encoding/binary"
	"errors"
	"slices"

	"qipu/board"
)

// A line as bytes, for stores that keep lines one by one. All numbers are
// varints but those of changes and moves:
//
//	end | from
//	number of skips | each as what it is behind the one before, less 1
//	number of moves + 1, or 0 where there is no list | u16 a move
//	number of changes | u16 a change, see below
//
// A change is its point in 10 bits, how many slots it is behind the one before
// in 2, and its piece in 4, so that a move of Go takes two bytes. Where a part
// has no room its highest value stands there, and the rest comes behind as a
// varint: first that of the slots, then that of the piece.
const (
	pointBits, slotBits = 10, 2

	lastPoint = 1<<pointBits - 1
	manySlots = 1<<slotBits - 1
	highPiece = 1<<(16-pointBits-slotBits) - 1
)

// AppendLine appends a line, which keeps the laws of Line, for DecodeLine to
// read.
func AppendLine(dst []byte, l *Line) []byte {
	dst = binary.AppendUvarint(dst, uint64(l.End))
	dst = binary.AppendUvarint(dst, uint64(l.From))
	dst = binary.AppendUvarint(dst, uint64(len(l.Skips)))
	last := uint16(0)
	for _, s := range l.Skips {
		dst = binary.AppendUvarint(dst, uint64(s-last-1))
		last = s
	}
	if l.Moves == nil {
		dst = append(dst, 0)
	} else {
		dst = binary.AppendUvarint(dst, uint64(len(l.Moves))+1)
		for _, m := range l.Moves {
			dst = binary.LittleEndian.AppendUint16(dst, m)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(len(l.Changes)))
	last = 0
	for _, c := range l.Changes {
		behind := c.Slot - last
		last = c.Slot
		slots, piece := min(behind, manySlots), min(uint16(c.Piece), highPiece)
		dst = binary.LittleEndian.AppendUint16(dst, c.Point|slots<<pointBits|piece<<(pointBits+slotBits))
		if slots == manySlots {
			dst = binary.AppendUvarint(dst, uint64(behind-manySlots))
		}
		if piece == highPiece {
			dst = binary.AppendUvarint(dst, uint64(c.Piece)-highPiece)
		}
	}
	return dst
}

var errLine = errors.New("interval: a damaged line")

// lineReader reads the bytes of a line. It is bad from the first number on that
// is not there.
type lineReader struct {
	data []byte
	bad  bool
}

// number reads a number, which is not above most.
func (r *lineReader) number(most int) int {
	if len(r.data) > 0 && r.data[0] < 0x80 && int(r.data[0]) <= most { // as nearly all are
		v := int(r.data[0])
		r.data = r.data[1:]
		return v
	}
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > uint64(most) {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

// count reads how many there are of something that takes so many bytes each, at
// least.
func (r *lineReader) count(bytes int) int { return r.number(len(r.data) / bytes) }

// DecodeLine reads a line that AppendLine has appended, into the memory of the
// lists that l has. Bytes that are no line are an error: what comes without one
// keeps the laws of Line on some board. Whether it is the board of a block,
// Builder.Takes tells.
func DecodeLine(data []byte, l *Line) error {
	r := lineReader{data: data}
	l.End, l.From = uint16(r.number(MaxSlot+2)), uint16(r.number(MaxSlot+2))
	l.Skips = l.Skips[:0]
	last := 0
	for range r.count(1) {
		last += r.number(MaxSlot) + 1
		if last >= int(l.End) || last == int(l.From) {
			return errLine
		}
		l.Skips = append(l.Skips, uint16(last))
	}
	if n := r.number(1<<16) - 1; n < 0 {
		l.Moves = nil
	} else {
		if 2*n > len(r.data) {
			return errLine
		}
		if l.Moves = l.Moves[:0]; l.Moves == nil {
			l.Moves = []uint16{}
		}
		for i := range n {
			l.Moves = append(l.Moves, binary.LittleEndian.Uint16(r.data[2*i:]))
		}
		r.data = r.data[2*n:]
	}
	n := r.count(2)
	if r.bad || l.From >= l.End {
		return errLine
	}
	return r.changes(l, n)
}

// changes reads so many changes, which are the rest of the bytes.
func (r *lineReader) changes(l *Line, n int) error {
	l.Changes = slices.Grow(l.Changes[:0], n)[:n]
	skips := l.Skips
	slot := 0
	var at [(lastPoint + 1) / 64]uint64 // the points of the slot at hand, where it has several
	for i := range l.Changes {
		if len(r.data) < 2 {
			return errLine
		}
		code := binary.LittleEndian.Uint16(r.data)
		r.data = r.data[2:]
		point, behind, piece := code&lastPoint, int(code>>pointBits&manySlots), int(code>>(pointBits+slotBits))
		if behind == manySlots {
			behind += r.number(MaxSlot)
		}
		if piece == highPiece {
			piece += r.number(1<<8 - 1 - highPiece)
		}
		if slot += behind; slot >= int(l.End) {
			return errLine
		}
		for len(skips) > 0 && int(skips[0]) < slot {
			skips = skips[1:]
		}
		if len(skips) > 0 && int(skips[0]) == slot {
			return errLine
		}
		if i > 0 && behind == 0 {
			before := l.Changes[i-1].Point
			if at[before/64] |= 1 << (before % 64); at[point/64]>>(point%64)&1 != 0 {
				return errLine
			}
		} else if i > 1 && l.Changes[i-1].Slot == l.Changes[i-2].Slot {
			clear(at[:])
		}
		l.Changes[i] = Change{Slot: uint16(slot), Point: point, Piece: board.Piece(piece)}
	}
	if r.bad || len(r.data) > 0 {
		return errLine
	}
	return nil
}

// Takes reports whether all points and pieces of a line are those of the board
// that the builder is for.
func (b *Builder) Takes(l *Line) bool {
	for _, c := range l.Changes {
		if int(c.Point) >= b.points || int(c.Piece) > b.kinds {
			return false
		}
	}
	for _, m := range l.Moves {
		if m != NoMove && max(int(m>>8), int(m&0xFF)) >= b.points {
			return false
		}
	}
	return b.moving || l.Moves == nil
}
