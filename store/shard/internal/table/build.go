package table

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/segment"
	"qipu/text"
)

// The sections of a table.
const (
	SecHead    = "head"     // what the table is: see head
	SecColumns = "columns"  // index.Columns
	SecBlocks  = "blocks"   // interval.Block, one a page
	secHotKeys = "hot.keys" // u64: the keys of positions that many lines reach, rising
	secHotEnds = "hot.ends" // u32: where the rows of each end
	secHotLine = "hot.line" // u32 a row
	secHotPly  = "hot.ply"  // u16 a row
	secHotNext = "hot.next" // u16 a row
	secHotPic  = "hot.pic"  // u8 a row: the picture, and in the highest bit the side to move
	secCold    = "cold"     // the lines of all other positions: see writeRows
	secCorner  = "corner"   // the lines of corners
	secWindows = "windows"  // u32 a class, one more than there are: where its bitmap begins; the bitmaps
	SecComment = "comments" // text.Index, where a game has any: a document a line
)

const (
	Kind    = "table"
	Version = 2 + text.Version // columns and comments are kept folded
)

// Kinds are the tables that can be read. Versions 1 and 2 knew too little
// of the headers: such tables are made anew from the records.
var Kinds = segment.Kinds{Kind: {Min: Version, Max: Version}}

// hotRows is from how many lines on the rows of a position are kept apart, with
// all that statistics need. Others are a line and a few bits of the key, and
// the rest is worked out when they are asked for.
const hotRows = 16

// pageBytes is the size of the pages that long arrays are cut into: what is
// checked when any byte of it is first touched.
const pageBytes = 64 << 10

// Builder gathers lines of one kind into a table.
type Builder struct {
	Kind       *index.Kind
	Variations bool

	blocks    *interval.Builder
	pages     [][]byte
	Columns   index.ColumnBuilder
	Comments  []comment
	plies     int64 // of main lines
	Positions []Row
	corners   []Row
	windows   [][]uint32 // lines, by class

	finder index.Finder
	here   index.Found
}

// Row is a position of a line.
type Row struct {
	Key   uint64
	Line  uint32
	ply   uint16
	next  uint16
	image uint8 // and in the highest bit the side to move
}

// NewBuilder returns a builder for about so many lines.
func NewBuilder(k *index.Kind, variations bool, lines int) *Builder {
	b := &Builder{Kind: k, Variations: variations}
	if most := k.MaxPieces; lines > 0 && !variations {
		if most == 0 {
			most = min(k.Board.Size.Area(), 80)
		}
		b.Positions = make([]Row, 0, lines*(most+5))
	}
	b.blocks = k.NewBuilder()
	if k.HasWindows() {
		b.windows = make([][]uint32, index.NumWindows())
	}
	return b
}

func (b *Builder) Len() int { return b.Columns.Len() }

// Add adds a line of a game. What can be found of it is worked out, unless it
// was already.
func (b *Builder) Add(game uint32, f *index.Facts, l *interval.Line, found *index.Found) {
	b.addLine(l, found)
	b.Columns.Add(game, f)
	if !b.Variations {
		b.plies += int64(f.Plies)
	}
}

// Comment notes what people wrote about the game of the last line. The tables of
// main lines have it.
func (b *Builder) Comment(folded string) {
	if folded != "" && !b.Variations {
		b.Comments = append(b.Comments, comment{uint32(b.Len() - 1), folded})
	}
}

// addLine adds what can be found of a line, whose columns the caller adds next.
func (b *Builder) addLine(l *interval.Line, found *index.Found) {
	if found == nil {
		found = &b.here
		b.finder.Find(found, b.Kind, l)
	}
	if _, ok := b.blocks.Add(l); !ok {
		b.endBlock()
		b.blocks.Add(l)
	}
	line := uint32(b.Len())
	for _, p := range found.Positions {
		b.Positions = append(b.Positions, Row{p.Key, line, p.Ply, p.Next, p.Image | uint8(p.Turn)<<7})
	}
	for _, key := range found.Corners {
		b.corners = append(b.corners, Row{Key: key, Line: line})
	}
	if b.windows != nil {
		for _, c := range found.Windows {
			b.windows[c] = append(b.windows[c], line)
		}
	}
}

func (b *Builder) endBlock() {
	b.pages = append(b.pages, b.blocks.Bytes())
	b.blocks.Reset()
}

// Write writes the table as a segment.
func (b *Builder) Write(w *segment.Writer) error {
	if b.blocks.Len() > 0 {
		b.endBlock()
	}
	section := func(name string, data []byte) {
		w.Section(name)
		for len(data) > pageBytes {
			w.Write(data[:pageBytes])
			w.Page()
			data = data[pageBytes:]
		}
		w.Write(data)
		w.Page()
	}
	section(SecHead, b.head())
	section(SecColumns, b.Columns.AppendTo(nil))
	w.Section(SecBlocks)
	for _, p := range b.pages {
		w.Write(p)
		w.Page()
	}
	b.writePositions(section)
	if b.Kind.HasCorners() {
		rows := sortRows(b.corners)
		b.corners = nil
		writeRows(section, secCorner, rows)
	}
	if b.windows != nil {
		section(secWindows, b.windowBytes())
	}
	if len(b.Comments) > 0 {
		section(SecComment, commentBytes(b.Comments))
	}
	return nil // the writer keeps its errors for Commit
}

// head describes the table:
//
//	u32 lines | u32 blocks | u64 plies | u32 flags | u32 length of name | name | u32 lanes of each block
func (b *Builder) head() []byte {
	le := binary.LittleEndian
	h := le.AppendUint32(nil, uint32(b.Len()))
	h = le.AppendUint32(h, uint32(len(b.pages)))
	h = le.AppendUint64(h, uint64(b.plies))
	flags := uint32(0)
	if b.Variations {
		flags = 1
	}
	h = le.AppendUint32(h, flags)
	h = le.AppendUint32(h, uint32(len(b.Kind.Name)))
	h = append(h, b.Kind.Name...)
	for _, p := range b.pages {
		h = le.AppendUint32(h, le.Uint32(p[4:]))
	}
	return h
}

// writePositions writes the rows in the order of their keys: those of hot
// positions apart from the others.
func (b *Builder) writePositions(section func(string, []byte)) {
	le := binary.LittleEndian
	rows := sortRows(b.Positions)
	b.Positions = nil
	var keys, ends, hotLine, hotPly, hotNext, hotPic []byte
	cold := rows[:0]
	hot := uint32(0)
	for list := rows; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].Key == list[0].Key {
			n++
		}
		group := list[:n]
		list = list[n:]
		if n < hotRows {
			cold = append(cold, group...) // never overtakes the reading
			continue
		}
		hot += uint32(n)
		keys = le.AppendUint64(keys, group[0].Key)
		ends = le.AppendUint32(ends, hot)
		for _, r := range group {
			hotLine = le.AppendUint32(hotLine, r.Line)
			hotPly = le.AppendUint16(hotPly, r.ply)
			hotNext = le.AppendUint16(hotNext, r.next)
			hotPic = append(hotPic, r.image)
		}
	}
	section(secHotKeys, keys)
	section(secHotEnds, ends)
	section(secHotLine, hotLine)
	section(secHotPly, hotPly)
	section(secHotNext, hotNext)
	section(secHotPic, hotPic)

	writeRows(section, secCold, cold)
}

// writeRows writes rows that are sorted by key: a directory by the first bits of
// the key, then some more bits and the line of each.
func writeRows(section func(string, []byte), name string, rows []Row) {
	le := binary.LittleEndian
	bits := dirBits(len(rows))
	dir := make([]byte, 0, 4<<bits+4)
	tag := make([]byte, 0, 2*len(rows))
	line := make([]byte, 0, 4*len(rows))
	for i, r := range rows {
		for len(dir)/4 <= int(r.Key>>(64-bits)) {
			dir = le.AppendUint32(dir, uint32(i))
		}
		tag = le.AppendUint16(tag, uint16(r.Key<<bits>>48))
		line = le.AppendUint32(line, r.Line)
	}
	for len(dir)/4 <= 1<<bits {
		dir = le.AppendUint32(dir, uint32(len(rows)))
	}
	section(name+".dir", dir)
	section(name+".tag", tag)
	section(name+".line", line)
}

// dirBits returns how many bits of the key the directory of cold rows takes:
// about four rows share an entry.
func dirBits(rows int) int {
	bits := 1
	for rows>>bits > 4 {
		bits++
	}
	return bits
}

// sortRows returns the rows sorted by key, then line; they come in the order of
// lines. Keys are hashes: their first bits spread the rows into short runs,
// which costs a fraction of a general sort.
func sortRows(rows []Row) []Row {
	bits := 1
	for len(rows)>>bits > 4 && bits < 20 {
		bits++
	}
	shift := 64 - bits
	at := make([]uint32, 1<<bits+1)
	for i := range rows {
		at[rows[i].Key>>shift+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]Row, len(rows))
	for i := range rows {
		b := rows[i].Key >> shift
		out[at[b]] = rows[i]
		at[b]++
	}
	from := uint32(0)
	for _, to := range at[:len(at)-1] {
		sortRun(out[from:to])
		from = to
	}
	return out
}

// sortRun sorts a run of rows that are in the order of lines already.
func sortRun(run []Row) {
	if len(run) > 32 {
		sortLong(run)
		return
	}
	for i := 1; i < len(run); i++ {
		r := run[i]
		j := i
		for ; j > 0 && run[j-1].Key > r.Key; j-- {
			run[j] = run[j-1]
		}
		run[j] = r
	}
}

// sortLong sorts a run that is long because a position in it is one that many
// lines reach: few keys, many rows of each.
func sortLong(run []Row) {
	const few = 64
	keys := make([]uint64, 0, few)
	for i := range run {
		if slices.Contains(keys, run[i].Key) {
			continue
		}
		if len(keys) == few {
			slices.SortStableFunc(run, compareRows)
			return
		}
		keys = append(keys, run[i].Key)
	}
	slices.Sort(keys)
	out := make([]Row, 0, len(run))
	for _, key := range keys {
		for i := range run {
			if run[i].Key == key {
				out = append(out, run[i])
			}
		}
	}
	copy(run, out)
}

func compareRows(x, y Row) int {
	switch {
	case x.Key < y.Key:
		return -1
	case x.Key > y.Key:
		return 1
	}
	return int(x.Line) - int(y.Line)
}

// commonShare: a class that more than one line in so many has is not listed. It
// would rule out next to nothing, and such classes are most of all bytes.
const commonShare = 4

// commonClass marks, in the table of places, a class that is not listed.
const commonClass = 1 << 31

// windowBytes returns the bitmaps of the classes behind the table of their
// places.
func (b *Builder) windowBytes() []byte {
	le := binary.LittleEndian
	out := make([]byte, 4*(len(b.windows)+1))
	for c, lines := range b.windows {
		le.PutUint32(out[4*c:], uint32(len(out)))
		if len(lines)*commonShare > b.Len() {
			le.PutUint32(out[4*c:], uint32(len(out))|commonClass)
			continue
		}
		if len(lines) == 0 {
			continue
		}
		m := roaring.BitmapOf(lines...)
		m.RunOptimize()
		data, err := m.ToBytes()
		if err != nil {
			panic(err) // a buffer in memory takes everything
		}
		out = append(out, data...)
	}
	le.PutUint32(out[4*len(b.windows):], uint32(len(out)))
	return out
}

// AddTable adds the lines of a table that are not dead. It copies columns and comments;
// positions and windows are worked out again.
func (b *Builder) AddTable(ctx context.Context, t *Table, dead func(line uint32) bool) error {
	comments, err := t.Remarks.All() // written when nobody guards the map any more
	if err != nil {
		return err
	}
	for i := range t.Opened {
		if err := ctx.Err(); err != nil {
			return err
		}
		block, err := t.Block(i)
		if err != nil {
			return err
		}
		for lane := range block.N {
			line := t.Bases[i] + lane
			if dead(uint32(line)) {
				continue
			}
			l := block.Line(lane)
			b.addLine(&l, nil)
			b.Columns.Copy(&t.Columns, line)
			if !t.Variations {
				b.plies += int64(t.Columns.Plies(line))
				b.Comment(comments[uint32(line)])
			}
		}
	}
	return nil
}
