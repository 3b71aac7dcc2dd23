// Package salvage reads rows of a damaged SQLite database page by page, past the
// trees that lead to them. Pages that no free list names are taken for what they
// look like, and their rows are told apart by the types of their columns, so that
// the tables of one database must differ in these; a damaged page costs what is
// on it, and nothing behind it.
//
//	file, err := salvage.Open("catalog.db")
//	...
//	file.Scan(tables, func(t *salvage.Table, row salvage.Row) { ... })
//
// The format is that of https://www.sqlite.org/fileformat2.html. What a writer has
// committed to the log beside the database counts.
package salvage

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

// Table tells rows of a table from others.
type Table struct {
	Name string

	// Columns has a letter for each: i a number, r one with a fraction, t a text, b
	// bytes, k the number of the row. Of a capital letter it may be missing.
	Columns string

	// Tree tells that rows are kept by their first columns, and have no number.
	Tree bool

	// Carve has rows be looked for at every byte of pages that do not tell where
	// their rows are. Rows that were deleted come up as well: the caller must be
	// able to tell.
	Carve bool
}

// Row is one row. Values are nil, int64, float64, string and []byte.
type Row struct {
	ID     int64 // 0 for a Tree
	Values []any
	At     Place
	Carved bool
}

// Place is where a row lies.
type Place struct {
	page   uint32
	offset uint16
	kind   byte
}

// File is a database. It is used by one goroutine at a time.
type File struct {
	file, log *os.File
	page      int
	pages     uint32
	logged    map[uint32]int64 // where pages lie in the log
	free      map[uint32]bool
	whole     bool
	buf       []byte
}

// usualPage is the size of a page that is taken where the file does not tell it.
const usualPage = 8192

// The kinds of pages.
const (
	treeInner  = 2
	tableInner = 5
	treeLeaf   = 10
	tableLeaf  = 13
)

// Open opens a database for reading.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, page: usualPage, logged: map[uint32]int64{}, free: map[uint32]bool{}}
	var head [100]byte
	_, _ = file.ReadAt(head[:], 0)
	if n := int(binary.BigEndian.Uint16(head[16:])); strings.HasPrefix(string(head[:]), "SQLite format 3\x00") && n >= 512 && n&(n-1) == 0 {
		f.page = n
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	f.pages = uint32((info.Size() + int64(f.page) - 1) / int64(f.page))
	if f.log, err = os.Open(path + "-wal"); err == nil {
		f.readLog()
	}
	f.buf = make([]byte, f.page)
	f.whole = f.readFree()
	return f, nil
}

// Close closes the file.
func (f *File) Close() error {
	if f.log == nil {
		return f.file.Close()
	}
	return errors.Join(f.file.Close(), f.log.Close())
}

// FreeKnown reports whether all pages are known that are not in use. Else rows that
// were deleted may come up.
func (f *File) FreeKnown() bool { return f.whole }

// readLog notes the pages of the transactions that the log has in full. What is
// behind a damaged page of it cannot be trusted.
func (f *File) readLog() {
	head := make([]byte, 32)
	if _, err := f.log.ReadAt(head, 0); err != nil {
		return
	}
	be := binary.BigEndian
	magic := be.Uint32(head)
	if magic&^1 != 0x377f0682 || int(be.Uint32(head[8:])) != f.page {
		return
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if magic&1 == 1 {
		order = be
	}
	var s0, s1 uint32
	sum := func(data []byte) {
		for ; len(data) >= 8; data = data[8:] {
			s0 += order.Uint32(data) + s1
			s1 += order.Uint32(data[4:]) + s0
		}
	}
	if sum(head[:24]); s0 != be.Uint32(head[24:]) || s1 != be.Uint32(head[28:]) {
		return
	}
	frame := make([]byte, 24+f.page)
	pending := map[uint32]int64{}
	for at := int64(32); ; at += int64(len(frame)) {
		if _, err := f.log.ReadAt(frame, at); err != nil || string(frame[8:16]) != string(head[16:24]) {
			return
		}
		sum(frame[:8])
		if sum(frame[24:]); s0 != be.Uint32(frame[16:]) || s1 != be.Uint32(frame[20:]) {
			return
		}
		pending[be.Uint32(frame)] = at + 24
		if size := be.Uint32(frame[4:]); size > 0 { // a commit
			for page, at := range pending {
				f.logged[page] = at
			}
			clear(pending)
			f.pages = size
		}
	}
}

// read reads a page, counted from 1. A file that was cut off reads as zeros.
func (f *File) read(page uint32, buf []byte) error {
	file, at := f.file, int64(page-1)*int64(f.page)
	if logged, ok := f.logged[page]; ok {
		file, at = f.log, logged
	}
	n, err := file.ReadAt(buf, at)
	if err == io.EOF {
		clear(buf[n:])
		err = nil
	}
	return err
}

// readFree notes the pages that are not in use, and reports whether these are all.
func (f *File) readFree() bool {
	buf := make([]byte, f.page)
	be := binary.BigEndian
	if f.read(1, buf) != nil {
		return false
	}
	want := int(be.Uint32(buf[36:]))
	for trunk := be.Uint32(buf[32:]); trunk != 0; trunk = be.Uint32(buf) {
		if trunk > f.pages || f.free[trunk] || f.read(trunk, buf) != nil {
			return false
		}
		n := int(be.Uint32(buf[4:]))
		if n > f.page/4-2 {
			return false
		}
		f.free[trunk] = true
		for i := range n {
			leaf := be.Uint32(buf[8+4*i:])
			if leaf < 2 || leaf > f.pages {
				return false
			}
			f.free[leaf] = true
		}
	}
	return len(f.free) == want
}

// Scan hands on all rows of tables that can be read, in the order of their pages.
func (f *File) Scan(tables []Table, each func(*Table, Row)) error {
	buf := make([]byte, f.page)
	for page := uint32(1); page <= f.pages; page++ {
		if f.free[page] {
			continue
		}
		if err := f.read(page, buf); err != nil {
			continue // a disk that does not give it back
		}
		rows, sound := f.rows(page, buf)
		for _, row := range rows {
			if t := match(tables, row); t != nil {
				each(t, row)
			}
		}
		if sound {
			continue
		}
		f.carve(page, buf, rows, func(row Row) {
			if t := match(tables, row); t != nil && t.Carve {
				each(t, row)
			}
		})
	}
	return nil
}

// Row reads a row of a table again.
func (f *File) Row(t *Table, at Place) (Row, error) {
	buf := make([]byte, f.page)
	if err := f.read(at.page, buf); err != nil {
		return Row{}, err
	}
	row, ok := f.cell(at.page, buf, int(at.offset), at.kind)
	if !ok || len(row.Values) != len(t.Columns) || !fits(t.Columns, row) {
		return Row{}, fmt.Errorf("page %d has changed", at.page)
	}
	return row, nil
}

// rows returns the rows that a page names, and whether it is a page of a tree with
// nothing wrong in it.
func (f *File) rows(page uint32, buf []byte) (rows []Row, sound bool) {
	head := 0
	if page == 1 {
		head = 100
	}
	kind := buf[head]
	size := 8
	switch kind {
	case tableInner:
		return nil, true
	case treeInner:
		size = 12
	case treeLeaf, tableLeaf:
	default:
		return nil, false
	}
	n := int(binary.BigEndian.Uint16(buf[head+3:]))
	if head+size+2*n > len(buf) {
		return nil, false
	}
	sound = true
	for i := range n {
		at := int(binary.BigEndian.Uint16(buf[head+size+2*i:]))
		row, ok := f.cell(page, buf, at, kind)
		if !ok {
			sound = false
			continue
		}
		rows = append(rows, row)
	}
	if kind != tableLeaf {
		return rows, sound
	}
	// Numbers rise: one that does not lie between its neighbours is wrong.
	good := rows[:0:0]
	for i, row := range rows {
		low, high := int64(math.MinInt64), int64(math.MaxInt64)
		if i > 0 {
			low = rows[i-1].ID
		}
		if i+1 < len(rows) {
			high = rows[i+1].ID
		}
		if low < high && (row.ID <= low || row.ID >= high) {
			sound = false
			continue
		}
		good = append(good, row)
	}
	return good, sound
}

// carve looks for rows with a number at every byte, but for those that are known.
func (f *File) carve(page uint32, buf []byte, known []Row, each func(Row)) {
	met := map[uint16]bool{}
	for _, row := range known {
		met[row.At.offset] = true
	}
	for at := 8; at < len(buf)-4; at++ {
		if met[uint16(at)] {
			continue
		}
		if row, ok := f.cell(page, buf, at, tableLeaf); ok {
			row.Carved = true
			each(row)
		}
	}
}

// cell reads the row at a place of a page.
func (f *File) cell(page uint32, buf []byte, at int, kind byte) (row Row, ok bool) {
	row.At = Place{page, uint16(at), kind}
	if kind == treeInner {
		at += 4
	}
	if at < 8 || at >= len(buf) {
		return row, false
	}
	data := buf[at:]
	size, n := uvarint(data)
	if n == 0 || size < 2 || size > uint64(f.pages)*uint64(f.page) {
		return row, false
	}
	data = data[n:]
	most := (f.page-12)*64/255 - 23
	if kind == tableLeaf {
		id, n := uvarint(data)
		if n == 0 {
			return row, false
		}
		row.ID, data, most = int64(id), data[n:], f.page-35
	}
	local := int(size)
	if local > most {
		least := (f.page-12)*32/255 - 23
		if local = least + (int(size)-least)%(f.page-4); local > most {
			local = least
		}
	}
	if local > len(data) {
		return row, false
	}
	types, body, ok := header(data[:local], int(size))
	if !ok {
		return row, false
	}
	payload := data[body:local:local]
	if local < int(size) {
		if len(data) < local+4 {
			return row, false
		}
		if payload, ok = f.overflow(payload, binary.BigEndian.Uint32(data[local:]), int(size)-local); !ok {
			return row, false
		}
	}
	row.Values, ok = values(types, payload)
	return row, ok
}

// overflow appends what of a row lies on pages of its own.
func (f *File) overflow(payload []byte, page uint32, rest int) ([]byte, bool) {
	payload = append(make([]byte, 0, len(payload)+min(rest, 1<<20)), payload...)
	for rest > 0 {
		if page < 2 || page > f.pages || f.read(page, f.buf) != nil {
			return nil, false
		}
		n := min(rest, f.page-4)
		payload = append(payload, f.buf[4:4+n]...)
		rest -= n
		page = binary.BigEndian.Uint32(f.buf)
	}
	return payload, true
}

// header reads the types of the columns of a row of so many bytes, and where these
// begin. It must lie on one page, as those of all our tables do.
func header(data []byte, size int) (types []uint64, body int, ok bool) {
	length, n := uvarint(data)
	if n == 0 || length < 2 || length > uint64(len(data)) || length > 128 {
		return nil, 0, false
	}
	total := int(length)
	for at := n; at < int(length); {
		t, n := uvarint(data[at:int(length)])
		if n == 0 || t == 10 || t == 11 || t > uint64(2*size+13) {
			return nil, 0, false
		}
		at += n
		types = append(types, t)
		total += width(t)
	}
	return types, int(length), total == size
}

// width returns how many bytes a value of a type has.
func width(t uint64) int {
	switch {
	case t < 5:
		return int(t)
	case t == 5:
		return 6
	case t < 8:
		return 8
	case t < 12:
		return 0
	}
	return int(t-12) / 2
}

func values(types []uint64, data []byte) (list []any, ok bool) {
	list = make([]any, len(types))
	for i, t := range types {
		n := width(t)
		if n > len(data) {
			return nil, false
		}
		part := data[:n:n]
		data = data[n:]
		switch {
		case t == 0:
		case t == 7:
			list[i] = math.Float64frombits(binary.BigEndian.Uint64(part))
		case t == 8 || t == 9:
			list[i] = int64(t - 8)
		case t < 7:
			v := int64(int8(part[0]))
			for _, b := range part[1:] {
				v = v<<8 | int64(b)
			}
			list[i] = v
		case t&1 == 0:
			list[i] = slices.Clone(part)
		default:
			list[i] = string(part)
		}
	}
	return list, true
}

// match returns the table that a row fits, nil for none. Numbers without a fraction
// in columns of such with one become what they stand for, and that of the row takes
// its place.
func match(tables []Table, row Row) *Table {
	for i := range tables {
		t := &tables[i]
		if len(t.Columns) != len(row.Values) || t.Tree != (row.At.kind != tableLeaf) {
			continue
		}
		if fits(t.Columns, row) {
			return t
		}
	}
	return nil
}

func fits(columns string, row Row) bool {
	for i, v := range row.Values {
		c := columns[i]
		if v == nil {
			if c >= 'a' && c != 'k' {
				return false
			}
			continue
		}
		switch c | 0x20 {
		case 'i':
			_, ok := v.(int64)
			if !ok {
				return false
			}
		case 'r':
			if _, ok := v.(string); ok {
				return false
			}
			if _, ok := v.([]byte); ok {
				return false
			}
		case 't':
			if _, ok := v.(string); !ok {
				return false
			}
		case 'b':
			if _, ok := v.([]byte); !ok {
				return false
			}
		case 'k':
			return false
		}
	}
	for i, v := range row.Values {
		if n, ok := v.(int64); ok && columns[i]|0x20 == 'r' {
			row.Values[i] = float64(n)
		}
		if columns[i] == 'k' {
			row.Values[i] = row.ID
		}
	}
	return true
}

// uvarint reads a number as SQLite writes it: the high bits first, of up to nine
// bytes. The length is 0 where there is none.
func uvarint(data []byte) (v uint64, n int) {
	for n < 8 && n < len(data) {
		v = v<<7 | uint64(data[n]&0x7f)
		if n++; data[n-1] < 0x80 {
			return v, n
		}
	}
	if n < len(data) {
		return v<<8 | uint64(data[n]), 9
	}
	return 0, 0
}
