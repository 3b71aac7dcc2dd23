package interval

import (
	"encoding/binary"
	"fmt"
	"slices"

	"qipu/board"
)

// Builder gathers lines into a block.
type Builder struct {
	points, kinds int
	owner         [32]uint8
	moving        bool

	n       int
	ends    [Lanes]uint16
	froms   [Lanes]uint16
	skips   [Lanes][]uint16
	moves   [Lanes][]uint16
	ever    []uint64 // point, piece, word
	first   []uint8  // point, lane
	more    []listed // changes of points that are not simple
	perPt   []int    // how many of those each point has
	lists   []int    // in how many lanes a point is not simple
	order   []uint16 // points that the line at hand changes
	count   []uint8  // how often it changes each, up to 2
	changed []Change // its last change of each
}

type listed struct {
	Change
	lane uint16
}

// NewBuilder returns a builder for lines on boards of so many points. Owners
// are the sides of the pieces, owners[p-1] of piece p. Moving tells that pieces
// move from point to point, so that every arrival is a move and none a disc
// turned over.
func NewBuilder(points int, owners []uint8, moving bool) *Builder {
	b := &Builder{
		points: points, kinds: len(owners), moving: moving,
		ever: make([]uint64, points*len(owners)*Lanes/64), first: make([]uint8, points*Lanes),
		perPt: make([]int, points), lists: make([]int, points), count: make([]uint8, points), changed: make([]Change, points),
	}
	for i, o := range owners {
		b.owner[i+1] = o
	}
	b.Reset()
	return b
}

// Reset empties the builder.
func (b *Builder) Reset() {
	clear(b.ever)
	for i := range b.first {
		b.first[i] = never
	}
	b.n, b.more = 0, b.more[:0]
	clear(b.perPt)
	clear(b.lists)
	clear(b.skips[:])
	clear(b.moves[:])
}

// Len returns the number of lines.
func (b *Builder) Len() int { return b.n }

// Full reports whether no further line fits.
func (b *Builder) Full() bool { return b.n == Lanes }

// Add adds a line and returns its lane. It reports false, and adds nothing,
// where the block is full or a point has more changes than a block can list.
// The line must keep the laws of Line; one that does not is an error of the
// program, and panics.
func (b *Builder) Add(l *Line) (lane int, ok bool) {
	if b.Full() {
		return 0, false
	}
	b.order = b.order[:0]
	for _, c := range l.Changes {
		if b.count[c.Point] == 0 {
			b.order = append(b.order, c.Point)
		}
		b.count[c.Point]++
		if b.count[c.Point] == 0 {
			b.count[c.Point] = 255
		}
		b.changed[c.Point] = c
	}
	fits := true
	for _, pt := range b.order {
		// Lists are short but for games that a program made: the exact number
		// does not matter, 255 stands for all that a line can have.
		n := int(b.count[pt])
		if n == 255 {
			n = len(l.Changes)
		}
		fits = fits && b.perPt[pt]+n < 1<<16
	}
	if !fits && b.n > 0 {
		b.forget()
		return 0, false
	}
	lane = b.n
	b.ends[lane], b.froms[lane], b.skips[lane] = l.End, l.From, slices.Clone(l.Skips)
	b.moves[lane] = slices.Clone(l.Moves)
	word, bit := lane/64, uint64(1)<<(lane%64)
	for _, pt := range b.order {
		c := b.changed[pt]
		v := uint8(complex)
		if b.count[pt] == 1 {
			v = b.simple(c)
		}
		b.first[int(pt)*Lanes+lane] = v
		if v != complex {
			b.ever[(int(pt)*b.kinds+int(c.Piece)-1)*Lanes/64+word] |= bit
		} else {
			b.lists[pt]++
		}
	}
	for _, c := range l.Changes {
		if b.first[int(c.Point)*Lanes+lane] != complex {
			continue
		}
		b.more = append(b.more, listed{c, uint16(lane)})
		b.perPt[c.Point]++
		if c.Piece != board.Empty {
			b.ever[(int(c.Point)*b.kinds+int(c.Piece)-1)*Lanes/64+word] |= bit
		}
	}
	b.forget()
	b.n++
	return lane, true
}

func (b *Builder) forget() {
	for _, pt := range b.order {
		b.count[pt] = 0
	}
}

// simple returns the byte for a point's only change, or complex where no byte
// tells it.
func (b *Builder) simple(c Change) uint8 {
	switch {
	case c.Piece == board.Empty:
		return complex
	case c.Slot == 0:
		return atStart
	case c.Slot > lastByte || uint8(Mover(c.Slot)) != b.owner[c.Piece]:
		return complex
	}
	return uint8((c.Slot-1)/2 + 2)
}

// Bytes returns the block, in memory of its own. The builder keeps its lines.
func (b *Builder) Bytes() []byte {
	if b.n == 0 {
		panic("interval: a block without lines")
	}
	stride := (b.n + 63) &^ 63
	flags := b.kinds
	if b.moving {
		flags |= 0x100
	}
	var skipped []byte
	froms, skips := false, false
	lists := 0
	for lane := range b.n {
		froms = froms || b.froms[lane] != 0
		skips = skips || len(b.skips[lane]) > 0
		if skipClass(b.skips[lane]) == 2 {
			lists++
		}
	}
	skipped = binary.LittleEndian.AppendUint16(skipped, uint16(lists))
	for lane := range b.n {
		if s := b.skips[lane]; skipClass(s) == 2 {
			skipped = binary.LittleEndian.AppendUint16(skipped, uint16(lane))
			skipped = binary.LittleEndian.AppendUint16(skipped, uint16(len(s)))
			for _, slot := range s {
				skipped = binary.LittleEndian.AppendUint16(skipped, slot)
			}
		}
	}
	points, entries, changes := b.directory()

	out := make([]byte, headerSize, headerSize+b.n*5+len(skipped)+b.points*stride*(8+b.kinds)/8+len(points)+len(entries)+3*len(changes)+128)
	pad := func() {
		for len(out)%8 != 0 {
			out = append(out, 0)
		}
	}
	for lane := range b.n {
		out = binary.LittleEndian.AppendUint16(out, b.ends[lane])
	}
	pad()
	if froms {
		flags |= 0x200
		for lane := range b.n {
			out = binary.LittleEndian.AppendUint16(out, b.froms[lane])
		}
		pad()
	}
	if skips {
		flags |= 0x400
		for lane := range b.n {
			out = append(out, skipClass(b.skips[lane]))
		}
		pad()
		out = append(out, skipped...)
		pad()
	}
	for i := 0; i < len(b.ever); i += Lanes / 64 {
		for _, w := range b.ever[i : i+stride/64] {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	for i := 0; i < len(b.first); i += Lanes {
		out = append(out, b.first[i:i+stride]...)
	}
	pad()
	out = append(out, points...)
	pad()
	out = append(out, entries...)
	pad()
	for _, c := range changes {
		out = binary.LittleEndian.AppendUint16(out, c.Slot)
	}
	pad()
	for _, c := range changes {
		out = append(out, byte(c.Piece))
	}
	pad()
	moves := 0
	if b.moving {
		flags |= 0x800
		begin := len(out)
		at := 4 * (b.n + 1)
		for lane := range b.n + 1 {
			out = binary.LittleEndian.AppendUint32(out, uint32(at))
			if lane < b.n {
				at += 2 * len(b.moves[lane])
			}
		}
		for lane := range b.n {
			for _, m := range b.moves[lane] {
				out = binary.LittleEndian.AppendUint16(out, m)
			}
		}
		moves = len(out) - begin
		pad()
	}

	owners := uint32(0)
	for p := 1; p <= b.kinds; p++ {
		owners |= uint32(b.owner[p]) << (p - 1)
	}
	for i, v := range []uint32{blockMagic, uint32(b.n), uint32(b.points), uint32(flags), owners, uint32(len(skipped)), uint32(len(entries)), uint32(len(changes)), uint32(moves)} {
		binary.LittleEndian.PutUint32(out[4*i:], v)
	}
	return out
}

func skipClass(skips []uint16) uint8 {
	switch {
	case len(skips) == 0:
		return 0
	case len(skips) == 1 && skips[0] == 1:
		return 1
	}
	return 2
}

// directory sorts the listed changes by point and makes the parts of the block
// that speak of them.
func (b *Builder) directory() (points, entries []byte, changes []listed) {
	starts := make([]int, b.points+1)
	for pt, n := range b.perPt {
		starts[pt+1] = starts[pt] + n
	}
	changes = make([]listed, len(b.more))
	at := slices.Clone(starts)
	for _, c := range b.more { // stable: lane by lane, slot by slot
		changes[at[c.Point]] = c
		at[c.Point]++
	}
	for pt := range b.points {
		mine := changes[starts[pt]:starts[pt+1]]
		points = binary.LittleEndian.AppendUint32(points, uint32(len(entries)))
		points = binary.LittleEndian.AppendUint32(points, uint32(starts[pt]))
		if 2*b.lists[pt] > b.n {
			points = binary.LittleEndian.AppendUint32(points, uint32(b.n)|dense)
			i := 0
			for lane := range b.n {
				entries = binary.LittleEndian.AppendUint16(entries, uint16(i))
				for i < len(mine) && int(mine[i].lane) == lane {
					i++
				}
			}
			entries = binary.LittleEndian.AppendUint16(entries, uint16(i))
			continue
		}
		points = binary.LittleEndian.AppendUint32(points, uint32(b.lists[pt]))
		var begin []uint16
		for i, c := range mine {
			if i == 0 || mine[i-1].lane != c.lane {
				entries = binary.LittleEndian.AppendUint16(entries, c.lane)
				begin = append(begin, uint16(i))
			}
		}
		for _, s := range begin {
			entries = binary.LittleEndian.AppendUint16(entries, s)
		}
		entries = binary.LittleEndian.AppendUint16(entries, uint16(len(mine)))
	}
	return points, entries, changes
}

func sortChanges(list []Change) {
	slices.SortFunc(list, func(x, y Change) int {
		if x.Slot != y.Slot {
			return int(x.Slot) - int(y.Slot)
		}
		return int(x.Point) - int(y.Point)
	})
}

// inOrder returns changes that are listed point by point, before a slot, in their order.
func inOrder(list []Change, end int) []Change {
	begin := make([]uint16, end+1) // of a slot, among those that are sorted
	for i := range list {
		if int(list[i].Slot) >= end {
			sortChanges(list) // a damaged one
			return list
		}
		begin[list[i].Slot+1]++
	}
	for i := range end {
		begin[i+1] += begin[i]
	}
	out := make([]Change, len(list))
	for i := range list {
		at := &begin[list[i].Slot]
		out[*at] = list[i]
		*at++
	}
	return out
}

// Check tells what law of Line a line breaks.
func (l *Line) Check(points, kinds int) error {
	if l.End == 0 || l.From >= l.End {
		return fmt.Errorf("interval: no position between the slots %d and %d: a line has one at least", l.From, l.End)
	}
	skipped := uint16(0)
	for _, s := range l.Skips {
		if s <= skipped || s >= l.End || s == l.From {
			return fmt.Errorf("interval: slot %d is skipped after slot %d, in a line from %d to %d", s, skipped, l.From, l.End)
		}
		skipped = s
	}
	seen := map[uint32]bool{}
	last := uint16(0)
	for _, c := range l.Changes {
		_, skipped := slices.BinarySearch(l.Skips, c.Slot)
		key := uint32(c.Slot)<<16 | uint32(c.Point)
		switch {
		case c.Slot < last:
			return fmt.Errorf("interval: slot %d after slot %d", c.Slot, last)
		case int(c.Point) >= points || int(c.Piece) > kinds:
			return fmt.Errorf("interval: point %d, piece %d: there are %d points and %d kinds of pieces", c.Point, c.Piece, points, kinds)
		case c.Slot >= l.End || l.End > MaxSlot+2:
			return fmt.Errorf("interval: a change at slot %d, behind the end %d", c.Slot, l.End)
		case skipped:
			return fmt.Errorf("interval: a change at slot %d, which is skipped", c.Slot)
		case seen[key]:
			return fmt.Errorf("interval: point %d changes twice at slot %d", c.Point, c.Slot)
		}
		seen[key] = true
		last = c.Slot
	}
	return nil
}
