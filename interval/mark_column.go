package interval

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"

	"qipu/game"
)

// MarkColumn is what one key of a Marker says of the lines of a table, in bytes
// that it does not own. The bytes of a column without marks are none. Others are
//
//	u32 lines    that have marks
//	groups       of 64 such lines, the last of fewer: u32 first line, u32 place
//	             of the group behind the groups
//	lines        of each group: what it is behind the line before it, which is
//	             nothing for the first of a group; how many intervals, less one;
//	             and of each, rising, where it begins behind where the last one
//	             did, doubled, with the side in the lowest bit, and its slots
//	             less one. All are varints.
//
// A line with one short interval takes four or five bytes. The zero value is a
// column without marks. It is safe for concurrent use.
type MarkColumn struct {
	data  []byte // the groups and what is behind them
	lines int
}

// markGroup is how many lines have one entry in the list of groups.
const markGroup = 64

var errMarks = errors.New("interval: a damaged column of marks")

// OpenMarks returns the column that the bytes are. It looks at their beginning
// alone; see Check. Whatever the bytes are, reading them ends, and does not fail.
func OpenMarks(data []byte) (MarkColumn, error) {
	if len(data) == 0 {
		return MarkColumn{}, nil
	}
	if len(data) < 4 {
		return MarkColumn{}, errMarks
	}
	c := MarkColumn{data: data[4:], lines: int(binary.LittleEndian.Uint32(data))}
	if c.lines == 0 || c.lines > len(data) || 8*c.groups() > len(c.data) {
		return MarkColumn{}, errMarks
	}
	return c, nil
}

// Lines returns how many lines have marks.
func (c *MarkColumn) Lines() int { return c.lines }

func (c *MarkColumn) groups() int { return (c.lines + markGroup - 1) / markGroup }

// first returns the first line of a group.
func (c *MarkColumn) first(group int) uint32 { return binary.LittleEndian.Uint32(c.data[8*group:]) }

// markReader walks through the lines of one group.
type markReader struct {
	data []byte
	line uint32
	left int // lines of the group behind this one
	bad  bool
}

// group returns a reader before the first line of a group.
func (c *MarkColumn) group(i int) markReader {
	body := c.data[8*c.groups():]
	at, end := c.place(i), uint32(len(body))
	if i+1 < c.groups() {
		end = c.place(i + 1)
	}
	r := markReader{line: c.first(i), left: min(markGroup, c.lines-i*markGroup)}
	if at > end || end > uint32(len(body)) {
		r.bad = true
		return r
	}
	r.data = body[at:end]
	return r
}

// place returns where a group begins.
func (c *MarkColumn) place(group int) uint32 { return binary.LittleEndian.Uint32(c.data[8*group+4:]) }

func (r *markReader) number(most uint64) int {
	if len(r.data) > 0 && r.data[0] < 0x80 && uint64(r.data[0]) <= most { // most numbers
		n := int(r.data[0])
		r.data = r.data[1:]
		return n
	}
	v, n := binary.Uvarint(r.data)
	if n <= 0 || v > most {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return int(v)
}

// next goes to the next line and returns the number of its intervals. It reports
// false where there is none.
func (r *markReader) next() (intervals int, ok bool) {
	if r.left == 0 || r.bad {
		return 0, false
	}
	r.left--
	behind := r.number(math.MaxUint32)
	if uint64(r.line)+uint64(behind) > math.MaxUint32 {
		r.bad = true
	}
	r.line += uint32(behind)
	intervals = 1 + r.number(2*MaxSlot)
	return intervals, !r.bad
}

// interval reads an interval behind one that begins at a slot.
func (r *markReader) interval(last uint16) (o Owned, ok bool) {
	v := r.number(1<<17 - 1)
	from, slots := int(last)+v>>1, 1+r.number(MaxSlot+2)
	if from+slots > MaxSlot+2 {
		r.bad = true
	}
	if r.bad {
		return o, false
	}
	o.From, o.To = uint16(from), uint16(from+slots)
	o.Side = game.Side(v & 1)
	return o, true
}

// AppendLines appends the lines that have marks of an owner, rising.
func (c *MarkColumn) AppendLines(dst []uint32, of Owner) []uint32 {
	for i := range c.groups() {
		r := c.group(i)
		for n, ok := r.next(); ok; n, ok = r.next() {
			has := false
			for from := uint16(0); n > 0; n-- {
				o, ok := r.interval(from)
				if !ok {
					return dst
				}
				from = o.From
				has = has || of.Has(o.Side)
			}
			if has {
				dst = append(dst, r.line)
			}
		}
	}
	return dst
}

// AppendOwned appends the intervals of those of n lines that a mask names, where
// the first line is lane 0, by lane and then by slot.
func (c *MarkColumn) AppendOwned(dst []Owned, first, n int, lanes *Mask) []Owned {
	if c.lines == 0 {
		return dst
	}
	end := first + min(n, Lanes)
	begin := sort.Search(c.groups(), func(i int) bool { return int64(c.first(i)) > int64(first) }) - 1
	for i := max(begin, 0); i < c.groups() && int64(c.first(i)) < int64(end); i++ {
		r := c.group(i)
		for n, ok := r.next(); ok && int64(r.line) < int64(end); n, ok = r.next() {
			lane := int(r.line) - first
			keep := lane >= 0 && lanes.Has(lane)
			for from := uint16(0); n > 0; n-- {
				o, ok := r.interval(from)
				if !ok {
					return dst
				}
				from = o.From
				if keep {
					o.Lane = uint16(lane)
					dst = append(dst, o)
				}
			}
		}
	}
	return dst
}

// Check reads the whole column: the lines must rise and be among so many, and
// the intervals of each rise too.
func (c *MarkColumn) Check(lines int) error {
	last := int64(-1)
	for i := range c.groups() {
		r := c.group(i)
		for range min(markGroup, c.lines-i*markGroup) {
			n, ok := r.next()
			if !ok || int64(r.line) <= last || int64(r.line) >= int64(lines) {
				return fmt.Errorf("%w: line %d behind line %d, of %d", errMarks, r.line, last, lines)
			}
			last = int64(r.line)
			before := Owned{}
			ends := [2]int{-1, -1}
			for j := range n {
				o, ok := r.interval(before.From)
				if !ok || j > 0 && o.order(before) <= 0 || int(o.From) <= ends[o.Side] {
					return fmt.Errorf("%w: the intervals of line %d", errMarks, r.line)
				}
				before, ends[o.Side] = o, int(o.To)
			}
		}
		if len(r.data) > 0 {
			return fmt.Errorf("%w: %d bytes too many", errMarks, len(r.data))
		}
	}
	return nil
}

// MarkWriter makes a column. The zero value is one without marks.
type MarkWriter struct {
	lines  int
	last   uint32
	groups []byte
	body   []byte
}

// Add adds a line with its intervals, whose lanes do not matter. Lines must rise,
// and the intervals be as UniteOwned leaves those of a lane; what is not is an
// error of the program, and panics. No intervals are no line.
func (w *MarkWriter) Add(line uint32, list []Owned) {
	if len(list) == 0 {
		return
	}
	if w.lines > 0 && line <= w.last {
		panic(fmt.Sprintf("interval: marks of line %d behind those of line %d", line, w.last))
	}
	if w.lines%markGroup == 0 {
		w.groups = binary.LittleEndian.AppendUint32(w.groups, line)
		w.groups = binary.LittleEndian.AppendUint32(w.groups, uint32(len(w.body)))
		w.last = line
	}
	w.body = binary.AppendUvarint(w.body, uint64(line-w.last))
	w.body = binary.AppendUvarint(w.body, uint64(len(list)-1))
	from := uint16(0)
	for i, o := range list {
		if o.To <= o.From || o.To > MaxSlot+2 || i > 0 && (o.From < from || list[i-1].order(Owned{Span{list[i-1].Lane, o.From, o.To}, o.Side}) >= 0) {
			panic(fmt.Sprintf("interval: marks of line %d from slot %d to %d behind slot %d", line, o.From, o.To, from))
		}
		w.body = binary.AppendUvarint(w.body, uint64(o.From-from)<<1|uint64(o.Side&1))
		w.body = binary.AppendUvarint(w.body, uint64(o.To-o.From-1))
		from = o.From
	}
	w.last = line
	w.lines++
}

// AppendTo appends the bytes of the column.
func (w *MarkWriter) AppendTo(dst []byte) []byte {
	if w.lines == 0 {
		return dst
	}
	dst = binary.LittleEndian.AppendUint32(slices.Grow(dst, 4+len(w.groups)+len(w.body)), uint32(w.lines))
	return append(append(dst, w.groups...), w.body...)
}
