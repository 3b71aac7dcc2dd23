package table

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/segment"
	"qipu/store/shard/internal/marks"
)

// Table is a segment that holds lines of one kind. It is immutable and safe for
// concurrent use. Whoever reads it does so inside segment.Guard.
type Table struct {
	File       *segment.File
	Kind       *index.Kind
	Variations bool
	Lines      int
	Plies      int64
	Bases      []int       // first line of each block, and one behind the last
	Identity   marks.Table // of a table on disk

	Opened []atomic.Pointer[interval.Block]

	Columns index.Columns
	blocks  *segment.Section
	windows *segment.Section
	hot     map[string]*segment.Section
	cold    rowSections
	corners rowSections // where the kind has them
	Remarks remarks
}

// Open makes a table of a segment. It takes over the caller's reference to
// the file.
func Open(f *segment.File, kinds *index.Kinds) (t *Table, err error) {
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	err = segment.Guard(func() error {
		t, err = readTable(f, kinds)
		return err
	})
	return t, err
}

func readTable(f *segment.File, kinds *index.Kinds) (*Table, error) {
	bad := func(what string) error {
		return &segment.CorruptError{Path: f.Info().Path, Section: what, Page: -1, Reason: "it does not describe a table"}
	}
	t := &Table{File: f, hot: map[string]*segment.Section{}}
	section := func(name string) (*segment.Section, error) {
		s, ok := f.Section(name)
		if !ok {
			return nil, bad(name)
		}
		return s, nil
	}
	data, err := bytesOf(section(SecHead))
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if len(data) < 24 || len(data) < 24+int(le.Uint32(data[20:])) {
		return nil, bad(SecHead)
	}
	t.Lines, t.Plies, t.Variations = int(le.Uint32(data)), int64(le.Uint64(data[8:])), le.Uint32(data[16:])&1 != 0
	blocks := int(le.Uint32(data[4:]))
	name := string(data[24 : 24+le.Uint32(data[20:])])
	if t.Kind, err = kinds.Find(name); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Info().Path, err)
	}
	data = data[24+len(name):]
	if len(data) < 4*blocks {
		return nil, bad(SecHead)
	}
	base := 0
	for i := range blocks {
		t.Bases = append(t.Bases, base)
		base += int(le.Uint32(data[4*i:]))
	}
	t.Bases = append(t.Bases, base)
	t.Opened = make([]atomic.Pointer[interval.Block], blocks)
	if data, err = bytesOf(section(SecColumns)); err != nil {
		return nil, err
	}
	ok := false
	if t.Columns, ok = index.NewColumns(data, t.Lines); !ok || base != t.Lines {
		return nil, bad(SecColumns)
	}
	if t.blocks, err = section(SecBlocks); err != nil {
		return nil, err
	}
	if t.blocks.Pages() != blocks {
		return nil, bad(SecBlocks)
	}
	for _, name := range []string{secHotKeys, secHotEnds, secHotLine, secHotPly, secHotNext, secHotPic} {
		if t.hot[name], err = section(name); err != nil {
			return nil, err
		}
	}
	for i, name := range []string{".dir", ".tag", ".line"} {
		if t.cold[i], err = section(secCold + name); err != nil {
			return nil, err
		}
		if t.Kind.HasCorners() {
			if t.corners[i], err = section(secCorner + name); err != nil {
				return nil, err
			}
		}
	}
	if t.Kind.HasWindows() {
		if t.windows, err = section(secWindows); err != nil {
			return nil, err
		}
	}
	t.Remarks.path = f.Info().Path
	t.Remarks.section, _ = f.Section(SecComment)
	return t, nil
}

func bytesOf(s *segment.Section, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return s.Bytes()
}

// Block returns a block. Its page is checked when it is first touched.
func (t *Table) Block(i int) (*interval.Block, error) {
	if b := t.Opened[i].Load(); b != nil {
		return b, nil
	}
	page, err := t.blocks.Page(i)
	if err != nil {
		return nil, err
	}
	b, err := interval.Open(page)
	if err != nil {
		return nil, &segment.CorruptError{Path: t.File.Info().Path, Section: SecBlocks, Page: i, Reason: err.Error()}
	}
	t.Opened[i].Store(b)
	return b, nil
}

// Locate returns the block and the lane of a line.
func (t *Table) Locate(line int) (block, lane int) {
	block = sort.SearchInts(t.Bases, line+1) - 1
	return block, line - t.Bases[block]
}

// Window returns the lines that have a class of windows, nil where it is so
// common that they are not listed.
func (t *Table) Window(class uint16) (*roaring.Bitmap, error) {
	head, err := t.windows.Range(4*int(class), 8)
	if err != nil {
		return nil, err
	}
	at := binary.LittleEndian.Uint32(head)
	if at&commonClass != 0 {
		return nil, nil
	}
	from, to := int(at), int(binary.LittleEndian.Uint32(head[4:])&^commonClass)
	m := roaring.New()
	if from == to {
		return m, nil
	}
	data, err := t.windows.Range(from, to-from)
	if err != nil {
		return nil, err
	}
	if _, err = m.FromBuffer(data); err != nil {
		return nil, &segment.CorruptError{Path: t.File.Info().Path, Section: secWindows, Page: -1, Reason: err.Error()}
	}
	return m, nil
}

// Positions appends the lines that reach the position of a key.
func (t *Table) Positions(dst []index.Posting, key uint64) ([]index.Posting, error) {
	i, found, err := t.findHot(key)
	if err != nil {
		return dst, err
	}
	if found {
		return t.hotPostings(dst, i)
	}
	return t.coldPostings(dst, key)
}

// findHot returns the number of a hot position. The keys are hashes, evenly
// spread, so that a search by interpolation takes a few steps.
func (t *Table) findHot(key uint64) (int, bool, error) {
	keys := t.hot[secHotKeys]
	n := keys.Len() / 8
	lo, hi := 0, n
	low, high := uint64(0), ^uint64(0)
	for lo < hi {
		at := lo
		if span := high - low; span > 0 && hi-lo > 8 {
			at = lo + int(float64(key-low)/float64(span)*float64(hi-lo-1))
			at = min(max(at, lo), hi-1)
		} else if hi-lo > 1 {
			at = (lo + hi) / 2
		}
		data, err := keys.Range(8*at, 8)
		if err != nil {
			return 0, false, err
		}
		switch k := binary.LittleEndian.Uint64(data); {
		case k == key:
			return at, true, nil
		case k < key:
			lo, low = at+1, k
		default:
			hi, high = at, k
		}
	}
	return 0, false, nil
}

func (t *Table) hotPostings(dst []index.Posting, i int) ([]index.Posting, error) {
	le := binary.LittleEndian
	from := 0
	if i > 0 {
		data, err := t.hot[secHotEnds].Range(4*(i-1), 4)
		if err != nil {
			return dst, err
		}
		from = int(le.Uint32(data))
	}
	data, err := t.hot[secHotEnds].Range(4*i, 4)
	if err != nil {
		return dst, err
	}
	n := int(le.Uint32(data)) - from
	var parts [4][]byte
	for j, c := range []struct {
		name string
		size int
	}{{secHotLine, 4}, {secHotPly, 2}, {secHotNext, 2}, {secHotPic, 1}} {
		if parts[j], err = t.hot[c.name].Range(c.size*from, c.size*n); err != nil {
			return dst, err
		}
	}
	dst = slices.Grow(dst, n)
	for r := range n {
		dst = append(dst, index.Posting{
			Line: le.Uint32(parts[0][4*r:]), Ply: le.Uint16(parts[1][2*r:]), Next: le.Uint16(parts[2][2*r:]),
			Image: parts[3][r] & 0x7F, Turn: game.Side(parts[3][r] >> 7),
		})
	}
	return dst, nil
}

// rowSections are the sections that writeRows has written: directory, bits of
// keys, lines.
type rowSections [3]*segment.Section

// appendLines appends the lines of a key, and now and then of another that
// shares about forty bits with it.
func (r *rowSections) appendLines(dst []uint32, key uint64) ([]uint32, error) {
	le := binary.LittleEndian
	bits := dirBits(r[1].Len() / 2)
	data, err := r[0].Range(4*int(key>>(64-bits)), 8)
	if err != nil {
		return dst, err
	}
	from, to := int(le.Uint32(data)), int(le.Uint32(data[4:]))
	if from >= to {
		return dst, nil
	}
	tags, err := r[1].Range(2*from, 2*(to-from))
	if err != nil {
		return dst, err
	}
	lines, err := r[2].Range(4*from, 4*(to-from))
	if err != nil {
		return dst, err
	}
	tag := uint16(key << bits >> 48)
	for i := range to - from {
		if le.Uint16(tags[2*i:]) == tag {
			dst = append(dst, le.Uint32(lines[4*i:]))
		}
	}
	return dst, nil
}

// corner returns the lines that had a corner.
func (t *Table) corner(key uint64) (*roaring.Bitmap, error) {
	lines, err := t.corners.appendLines(nil, key)
	return roaring.BitmapOf(lines...), err
}

// coldPostings finds the lines whose few bits agree with the key and works
// their positions out again, which also tells whether the whole key agrees.
func (t *Table) coldPostings(dst []index.Posting, key uint64) ([]index.Posting, error) {
	lines, err := t.cold.appendLines(nil, key)
	if err != nil {
		return dst, err
	}
	var found index.Positions
	var list []index.Position
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) { // two positions of a line may share all these bits
		if int(line) >= t.Lines {
			continue
		}
		block, lane := t.Locate(int(line))
		b, err := t.Block(block)
		if err != nil {
			return dst, err
		}
		l := b.Line(lane)
		list = found.Append(list[:0], t.Kind, &l)
		for _, p := range list {
			if p.Key == key {
				dst = append(dst, index.Posting{Line: line, Ply: p.Ply, Next: p.Next, Image: p.Image, Turn: p.Turn})
			}
		}
	}
	return dst, nil
}
