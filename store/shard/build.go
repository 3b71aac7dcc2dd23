package shard

import (
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
	secHead    = "head"     // what the table is: see head
	secColumns = "columns"  // index.Columns
	secBlocks  = "blocks"   // interval.Block, one a page
	secHotKeys = "hot.keys" // u64: the keys of positions that many lines reach, rising
	secHotEnds = "hot.ends" // u32: where the rows of each end
	secHotLine = "hot.line" // u32 a row
	secHotPly  = "hot.ply"  // u16 a row
	secHotNext = "hot.next" // u16 a row
	secHotPic  = "hot.pic"  // u8 a row: the picture, and in the highest bit the side to move
	secCold    = "cold"     // the lines of all other positions: see writeRows
	secCorner  = "corner"   // the lines of corners
	secWindows = "windows"  // u32 a class, one more than there are: where its bitmap begins; the bitmaps
	secComment = "comments" // text.Index, where a game has any: a document a line
)

const (
	tableKind    = "table"
	tableVersion = 2 + text.Version // columns and comments are kept folded
)

// tableKinds are the tables that can be read. Versions 1 and 2 knew too little
// of the headers: such tables are made anew from the records.
var tableKinds = segment.Kinds{tableKind: {Min: tableVersion, Max: tableVersion}}

// hotRows is from how many lines on the rows of a position are kept apart, with
// all that statistics need. Others are a line and a few bits of the key, and
// the rest is worked out when they are asked for.
const hotRows = 16

// pageBytes is the size of the pages that long arrays are cut into: what is
// checked when any byte of it is first touched.
const pageBytes = 64 << 10

// builder gathers lines of one kind into a table.
type builder struct {
	kind       *index.Kind
	variations bool

	blocks    *interval.Builder
	pages     [][]byte
	columns   index.ColumnBuilder
	comments  []comment
	plies     int64 // of main lines
	positions []row
	corners   []row
	windows   [][]uint32 // lines, by class

	finder index.Finder
	here   index.Found
}

// row is a position of a line.
type row struct {
	key   uint64
	line  uint32
	ply   uint16
	next  uint16
	image uint8 // and in the highest bit the side to move
}

// newBuilder returns a builder for about so many lines.
func newBuilder(k *index.Kind, variations bool, lines int) *builder {
	b := &builder{kind: k, variations: variations}
	if most := k.MaxPieces; lines > 0 && !variations {
		if most == 0 {
			most = min(k.Board.Size.Area(), 80)
		}
		b.positions = make([]row, 0, lines*(most+5))
	}
	b.blocks = interval.NewBuilder(k.Board.Size.Area(), k.Owners, k.Moving)
	if k.HasWindows() {
		b.windows = make([][]uint32, index.NumWindows())
	}
	return b
}

func (b *builder) len() int { return b.columns.Len() }

// add adds a line of a game. What can be found of it is worked out, unless it
// was already.
func (b *builder) add(game uint32, f *index.Facts, l *interval.Line, found *index.Found) {
	b.addLine(l, found)
	b.columns.Add(game, f)
	if !b.variations {
		b.plies += int64(f.Plies)
	}
}

// comment notes what people wrote about the game of the last line. The tables of
// main lines have it.
func (b *builder) comment(folded string) {
	if folded != "" && !b.variations {
		b.comments = append(b.comments, comment{uint32(b.len() - 1), folded})
	}
}

// addLine adds what can be found of a line, whose columns the caller adds next.
func (b *builder) addLine(l *interval.Line, found *index.Found) {
	if found == nil {
		found = &b.here
		b.finder.Find(found, b.kind, l)
	}
	if _, ok := b.blocks.Add(l); !ok {
		b.endBlock()
		b.blocks.Add(l)
	}
	line := uint32(b.len())
	for _, p := range found.Positions {
		b.positions = append(b.positions, row{p.Key, line, p.Ply, p.Next, p.Image | uint8(p.Turn)<<7})
	}
	for _, key := range found.Corners {
		b.corners = append(b.corners, row{key: key, line: line})
	}
	if b.windows != nil {
		for _, c := range found.Windows {
			b.windows[c] = append(b.windows[c], line)
		}
	}
}

func (b *builder) endBlock() {
	b.pages = append(b.pages, b.blocks.Bytes())
	b.blocks.Reset()
}

// write writes the table as a segment.
func (b *builder) write(w *segment.Writer) error {
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
	section(secHead, b.head())
	section(secColumns, b.columns.AppendTo(nil))
	w.Section(secBlocks)
	for _, p := range b.pages {
		w.Write(p)
		w.Page()
	}
	b.writePositions(section)
	if b.kind.HasCorners() {
		rows := sortRows(b.corners)
		b.corners = nil
		writeRows(section, secCorner, rows)
	}
	if b.windows != nil {
		section(secWindows, b.windowBytes())
	}
	if len(b.comments) > 0 {
		section(secComment, commentBytes(b.comments))
	}
	return nil // the writer keeps its errors for Commit
}

// head describes the table:
//
//	u32 lines | u32 blocks | u64 plies | u32 flags | u32 length of name | name | u32 lanes of each block
func (b *builder) head() []byte {
	le := binary.LittleEndian
	h := le.AppendUint32(nil, uint32(b.len()))
	h = le.AppendUint32(h, uint32(len(b.pages)))
	h = le.AppendUint64(h, uint64(b.plies))
	flags := uint32(0)
	if b.variations {
		flags = 1
	}
	h = le.AppendUint32(h, flags)
	h = le.AppendUint32(h, uint32(len(b.kind.Name)))
	h = append(h, b.kind.Name...)
	for _, p := range b.pages {
		h = le.AppendUint32(h, le.Uint32(p[4:]))
	}
	return h
}

// writePositions writes the rows in the order of their keys: those of hot
// positions apart from the others.
func (b *builder) writePositions(section func(string, []byte)) {
	le := binary.LittleEndian
	rows := sortRows(b.positions)
	b.positions = nil
	var keys, ends, hotLine, hotPly, hotNext, hotPic []byte
	cold := rows[:0]
	hot := uint32(0)
	for list := rows; len(list) > 0; {
		n := 1
		for n < len(list) && list[n].key == list[0].key {
			n++
		}
		group := list[:n]
		list = list[n:]
		if n < hotRows {
			cold = append(cold, group...) // never overtakes the reading
			continue
		}
		hot += uint32(n)
		keys = le.AppendUint64(keys, group[0].key)
		ends = le.AppendUint32(ends, hot)
		for _, r := range group {
			hotLine = le.AppendUint32(hotLine, r.line)
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
func writeRows(section func(string, []byte), name string, rows []row) {
	le := binary.LittleEndian
	bits := dirBits(len(rows))
	dir := make([]byte, 0, 4<<bits+4)
	tag := make([]byte, 0, 2*len(rows))
	line := make([]byte, 0, 4*len(rows))
	for i, r := range rows {
		for len(dir)/4 <= int(r.key>>(64-bits)) {
			dir = le.AppendUint32(dir, uint32(i))
		}
		tag = le.AppendUint16(tag, uint16(r.key<<bits>>48))
		line = le.AppendUint32(line, r.line)
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
func sortRows(rows []row) []row {
	bits := 1
	for len(rows)>>bits > 4 && bits < 20 {
		bits++
	}
	shift := 64 - bits
	at := make([]uint32, 1<<bits+1)
	for i := range rows {
		at[rows[i].key>>shift+1]++
	}
	for i := 1; i < len(at); i++ {
		at[i] += at[i-1]
	}
	out := make([]row, len(rows))
	for i := range rows {
		b := rows[i].key >> shift
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
func sortRun(run []row) {
	if len(run) > 32 {
		sortLong(run)
		return
	}
	for i := 1; i < len(run); i++ {
		r := run[i]
		j := i
		for ; j > 0 && run[j-1].key > r.key; j-- {
			run[j] = run[j-1]
		}
		run[j] = r
	}
}

// sortLong sorts a run that is long because a position in it is one that many
// lines reach: few keys, many rows of each.
func sortLong(run []row) {
	const few = 64
	keys := make([]uint64, 0, few)
	for i := range run {
		if slices.Contains(keys, run[i].key) {
			continue
		}
		if len(keys) == few {
			slices.SortStableFunc(run, compareRows)
			return
		}
		keys = append(keys, run[i].key)
	}
	slices.Sort(keys)
	out := make([]row, 0, len(run))
	for _, key := range keys {
		for i := range run {
			if run[i].key == key {
				out = append(out, run[i])
			}
		}
	}
	copy(run, out)
}

func compareRows(x, y row) int {
	switch {
	case x.key < y.key:
		return -1
	case x.key > y.key:
		return 1
	}
	return int(x.line) - int(y.line)
}

// commonShare: a class that more than one line in so many has is not listed. It
// would rule out next to nothing, and such classes are most of all bytes.
const commonShare = 4

// commonClass marks, in the table of places, a class that is not listed.
const commonClass = 1 << 31

// windowBytes returns the bitmaps of the classes behind the table of their
// places.
func (b *builder) windowBytes() []byte {
	le := binary.LittleEndian
	out := make([]byte, 4*(len(b.windows)+1))
	for c, lines := range b.windows {
		le.PutUint32(out[4*c:], uint32(len(out)))
		if len(lines)*commonShare > b.len() {
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
