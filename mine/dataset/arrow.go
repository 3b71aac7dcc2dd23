package dataset

import (
	"encoding/binary"
	"io"
	"math"
)

// batchRows is how many rows a batch of an Arrow stream has: a multiple of 64, so that
// bit maps go out as they are.
const batchRows = 1 << 16

// WriteArrow writes a table as an Arrow stream (the IPC format, version 5), under the same
// names as WriteCSV: game and ply are whole numbers, weight and numbers are floating, items
// are boolean, factors text. What is unknown is null.
func (s *Set) WriteArrow(w io.Writer) error {
	list := s.arrowColumns()
	if err := writeMessage(w, headSchema, func(f *flat) int { return schemaOf(f, list) }, 0); err != nil {
		return err
	}
	for from := 0; from < len(s.Rows); from += batchRows {
		to := min(from+batchRows, len(s.Rows))
		var b arrowBatch
		for i := range list {
			b.add(&list[i], from, to)
		}
		if err := writeMessage(w, headBatch, func(f *flat) int { return b.table(f, to-from) }, len(b.body)); err != nil {
			return err
		}
		if _, err := w.Write(b.body); err != nil {
			return err
		}
	}
	_, err := w.Write([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0})
	return err
}

// The types of columns, by their numbers in the schema of Arrow.
const (
	arrowInt   = 2
	arrowFloat = 3
	arrowText  = 5
	arrowBool  = 6
)

// arrowColumn is a column on its way out. One of the functions tells a row.
type arrowColumn struct {
	name   string
	typ    byte
	whole  func(r int) int32
	float  func(r int) float64
	bits   Bits
	factor *Factor
}

func (s *Set) arrowColumns() []arrowColumn {
	list := []arrowColumn{
		{name: "game", typ: arrowInt, whole: func(r int) int32 { return int32(s.Rows[r].Game) }},
		{name: "ply", typ: arrowInt, whole: func(r int) int32 { return int32(s.Rows[r].Ply) }},
		{name: "weight", typ: arrowFloat, float: func(r int) float64 { return s.Rows[r].Weight }},
	}
	for i := range s.Items {
		list = append(list, arrowColumn{name: "item:" + s.Items[i].ID, typ: arrowBool, bits: s.Items[i].Rows})
	}
	number := func(prefix string, n *Number) {
		list = append(list, arrowColumn{name: prefix + n.Name, typ: arrowFloat, float: func(r int) float64 { return n.Values[r] }})
	}
	for i := range s.Numbers {
		number("", &s.Numbers[i])
	}
	for i := range s.Factors {
		list = append(list, arrowColumn{name: "factor:" + s.Factors[i].Name, typ: arrowText, factor: &s.Factors[i]})
	}
	for i := range s.Judgements {
		number("judgement:", &s.Judgements[i])
	}
	return list
}

// arrowBatch is the rows of one message.
type arrowBatch struct {
	body    []byte
	nodes   [][2]int64 // length, nulls
	buffers [][2]int64 // offset, length
}

func (b *arrowBatch) buffer(data []byte) {
	b.buffers = append(b.buffers, [2]int64{int64(len(b.body)), int64(len(data))})
	b.body = append(b.body, data...)
	for len(b.body)%8 != 0 {
		b.body = append(b.body, 0)
	}
}

// add adds the rows of a column from from to to.
func (b *arrowBatch) add(c *arrowColumn, from, to int) {
	n := to - from
	valid, nulls := make([]byte, (n+7)/8), 0
	var data, offsets []byte
	if c.typ == arrowText {
		offsets = binary.LittleEndian.AppendUint32(offsets, 0)
	}
	for i := range n {
		r, known := from+i, true
		switch c.typ {
		case arrowInt:
			data = binary.LittleEndian.AppendUint32(data, uint32(c.whole(r)))
		case arrowFloat:
			x := c.float(r)
			if known = Known(x); !known {
				x = 0
			}
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		case arrowText:
			known = c.factor.Of[r] >= 0
			data = append(data, c.factor.Word(r)...)
			offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(data)))
		}
		if known {
			valid[i/8] |= 1 << (i % 8)
		} else {
			nulls++
		}
	}
	if c.typ == arrowBool {
		for _, word := range c.bits[from/64 : (to+63)/64] {
			data = binary.LittleEndian.AppendUint64(data, word)
		}
	}
	b.nodes = append(b.nodes, [2]int64{int64(n), int64(nulls)})
	b.buffer(valid)
	if c.typ == arrowText {
		b.buffer(offsets)
	}
	b.buffer(data)
}

// table writes the header of the batch.
func (b *arrowBatch) table(f *flat, rows int) int {
	buffers := f.pairs(b.buffers)
	nodes := f.pairs(b.nodes)
	f.begin(3)
	f.i64(0, int64(rows))
	f.ref(1, nodes)
	f.ref(2, buffers)
	return f.end()
}

// schemaOf writes the schema of columns.
func schemaOf(f *flat, list []arrowColumn) int {
	fields := make([]int, len(list))
	for i := range list {
		c := &list[i]
		name := f.text(c.name)
		children := f.refs(nil)
		switch c.typ {
		case arrowInt:
			f.begin(2)
			f.i32(0, 32)
			f.i8(1, 1) // signed
		case arrowFloat:
			f.begin(1)
			f.i16(0, 2) // double
		default:
			f.begin(0)
		}
		typ := f.end()
		f.begin(6)
		f.ref(0, name)
		f.ref(3, typ)
		f.ref(5, children)
		f.i8(1, 1) // may be null
		f.i8(2, c.typ)
		fields[i] = f.end()
	}
	all := f.refs(fields)
	f.begin(2)
	f.ref(1, all)
	f.i16(0, 0) // little-endian
	return f.end()
}

// The headers of messages.
const (
	headSchema = 1
	headBatch  = 3
)

// writeMessage writes the metadata of a message, whose body follows.
func writeMessage(w io.Writer, head byte, make func(*flat) int, body int) error {
	var f flat
	at := make(&f)
	f.begin(4)
	f.i64(3, int64(body))
	f.ref(2, at)
	f.i16(0, 4) // version 5 is 4 there
	f.i8(1, head)
	data := f.finish(f.end())
	for len(data)%8 != 0 {
		data = append(data, 0)
	}
	out := binary.LittleEndian.AppendUint32([]byte{0xFF, 0xFF, 0xFF, 0xFF}, uint32(len(data)))
	if _, err := w.Write(out); err != nil {
		return err
	}
	_, err := w.Write(data)
	return err
}

// flat writes FlatBuffers, which grow from their end: what is referred to comes first, and
// places are counted from the end.
type flat struct {
	back  []byte // the buffer, last byte first
	slots []int  // of the table that is being written: where its fields are
	start int
}

func (f *flat) pad(size, extra int) {
	for (len(f.back)+extra)%size != 0 {
		f.back = append(f.back, 0)
	}
}

// put puts the bytes of a number of some size before what is there.
func (f *flat) put(x uint64, size int) {
	for i := size - 1; i >= 0; i-- {
		f.back = append(f.back, byte(x>>(8*i)))
	}
}

func (f *flat) field(slot int, x uint64, size int) {
	f.pad(size, size)
	f.put(x, size)
	f.slots[slot] = len(f.back)
}

func (f *flat) i8(slot int, x byte)   { f.field(slot, uint64(x), 1) }
func (f *flat) i16(slot int, x int16) { f.field(slot, uint64(uint16(x)), 2) }
func (f *flat) i32(slot int, x int32) { f.field(slot, uint64(uint32(x)), 4) }
func (f *flat) i64(slot int, x int64) { f.field(slot, uint64(x), 8) }

// ref refers to something that was written.
func (f *flat) ref(slot, to int) {
	f.pad(4, 4)
	f.put(uint64(len(f.back)+4-to), 4)
	f.slots[slot] = len(f.back)
}

// begin begins a table of so many fields.
func (f *flat) begin(fields int) { f.slots, f.start = make([]int, fields), len(f.back) }

// end ends the table and returns its place.
func (f *flat) end() int {
	f.pad(4, 4)
	f.put(0, 4) // the way to the list of fields, filled in below
	table := len(f.back)
	for i := len(f.slots) - 1; i >= 0; i-- {
		x := 0
		if f.slots[i] > 0 {
			x = table - f.slots[i]
		}
		f.put(uint64(x), 2)
	}
	f.put(uint64(table-f.start), 2)
	f.put(uint64(4+2*len(f.slots)), 2)
	way := uint32(len(f.back) - table)
	for i := range 4 {
		f.back[table-1-i] = byte(way >> (8 * i))
	}
	return table
}

// text writes a text.
func (f *flat) text(s string) int {
	f.pad(4, len(s)+1)
	f.back = append(f.back, 0)
	for i := len(s) - 1; i >= 0; i-- {
		f.back = append(f.back, s[i])
	}
	f.put(uint64(len(s)), 4)
	return len(f.back)
}

// refs writes a list of what was written.
func (f *flat) refs(list []int) int {
	f.pad(4, 4*len(list))
	for i := len(list) - 1; i >= 0; i-- {
		f.put(uint64(len(f.back)+4-list[i]), 4)
	}
	f.put(uint64(len(list)), 4)
	return len(f.back)
}

// pairs writes a list of pairs of long numbers.
func (f *flat) pairs(list [][2]int64) int {
	f.pad(8, 16*len(list))
	for i := len(list) - 1; i >= 0; i-- {
		f.put(uint64(list[i][1]), 8)
		f.put(uint64(list[i][0]), 8)
	}
	f.put(uint64(len(list)), 4)
	return len(f.back)
}

// finish returns the buffer, with the way to its root before it.
func (f *flat) finish(root int) []byte {
	f.pad(8, 4)
	f.put(uint64(len(f.back)+4-root), 4)
	out := make([]byte, len(f.back))
	for i, b := range f.back {
		out[len(out)-1-i] = b
	}
	return out
}
