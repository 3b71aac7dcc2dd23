package cbridge

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"qipu/record"
)

// Offsets and sizes in a library.
const (
	roomAt    = 0x3C // entries that the index has room for
	libraryAt = 0x40
	indexAt   = 66624
	entrySize = 0x114
	blockSize = 4096

	stateAt    = 0x00
	usedAt     = 0x0C
	entryIDAt  = 0x14
	entryIDLen = 80

	// inUse is set in the state of an entry unless its record is deleted.
	inUse = 2
)

// KindDeleted is the kind of the note on a record that is passed over because
// the user of the library deleted it.
const KindDeleted = "deleted record"

var libraryFields = [...]field{
	{"Library", libraryAt, 512},
	{"LibrarySource", 576, 256},
	{"LibraryAuthor", 832, 64},
	{"LibraryAuthorMail", 896, 64},
	{"LibraryCreated", 960, 64},
	{"LibraryModified", 1024, 64},
	{"LibraryRemark", 1088, 65536},
}

// shared is how many of the library's fields all its games carry; the others
// are in the first one alone.
const shared = 3

// entry is what the index says of a record.
type entry struct {
	live bool
	used int
}

// library reads a CBL file from front to back. It holds the index and one
// record.
type library struct {
	src    *record.Source
	in     *bufio.Reader
	at     int64 // next byte of the file
	limits record.Limits
	tags   []record.Tag
	index  map[string]entry // by identifier
	number int
	err    error // of the reader
}

func newLibrary(src *record.Source, in *bufio.Reader) *library {
	return &library{src: src, in: in, limits: src.Limits.WithDefaults(), index: map[string]entry{}}
}

func (l *library) fault(sev record.Severity, kind string, at int64, format string, args ...any) *record.Fault {
	return l.src.Fault(sev, kind, at, 0, l.number, fmt.Sprintf(format, args...))
}

func (l *library) read(yield func(*record.Game, error) bool) {
	if !l.head() {
		yield(nil, l.fault(record.Rejected, record.KindSyntax, l.at, "the library ends before its first record"))
		return
	}
	for l.find() {
		if !l.record(yield) {
			return
		}
	}
	switch {
	case l.err != nil:
		yield(nil, l.fault(record.Rejected, record.KindIO, l.at, "%v", l.err))
	case l.number == 0:
		yield(nil, l.fault(record.Rejected, record.KindEmpty, 0, "the library has no records"))
	}
}

// head reads everything before the records.
func (l *library) head() bool {
	head := make([]byte, indexAt)
	if !l.fill(head) {
		return false
	}
	for i := range libraryFields {
		f := &libraryFields[i]
		if s := lines(text(head[f.at : f.at+f.size])); s != "" || i < shared {
			l.tags = append(l.tags, record.Tag{Name: f.name, Value: s})
		}
	}
	var e [entrySize]byte
	room := int64(binary.LittleEndian.Uint32(head[roomAt:]))
	for range min(room, int64(l.limits.GameBytes/entrySize)) {
		// An index with less room than it claims must not swallow records.
		if l.atRecord() {
			return true
		}
		if !l.fill(e[:]) {
			return false
		}
		if id := text(e[entryIDAt : entryIDAt+entryIDLen]); id != "" {
			l.index[id] = entry{
				live: binary.LittleEndian.Uint32(e[stateAt:])&inUse != 0,
				used: int(int32(binary.LittleEndian.Uint32(e[usedAt:]))),
			}
		}
	}
	return true
}

// fill reads len(b) bytes.
func (l *library) fill(b []byte) bool {
	n, err := io.ReadFull(l.in, b)
	l.at += int64(n)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		l.err = err
	}
	return err == nil
}

// atRecord reports whether a record begins at the next byte.
func (l *library) atRecord() bool {
	head, _ := l.in.Peek(len(recordMagic))
	return string(head) == recordMagic
}

// find goes on to the next record, byte by byte where blocks are out of step.
func (l *library) find() bool {
	for {
		head, err := l.in.Peek(blockSize)
		at := bytes.Index(head, []byte(recordMagic))
		skip := at
		if at < 0 {
			skip = max(len(head)-len(recordMagic)+1, 0)
		}
		if _, e := l.in.Discard(skip); e != nil {
			err = e
		}
		l.at += int64(skip)
		if at >= 0 {
			return true
		}
		if err != nil {
			if err != io.EOF {
				l.err = err
			}
			return false
		}
	}
}

var empty [blockSize]byte

// record reads the record that begins at the next byte, with all its blocks.
func (l *library) record(yield func(*record.Game, error) bool) bool {
	l.number++
	at := l.at
	var raw []byte
	large := false
	for first := true; first || !l.atRecord(); first = false {
		if large {
			raw = raw[:0]
		}
		from := len(raw)
		raw = append(raw, empty[:]...)
		n, err := io.ReadFull(l.in, raw[from:])
		l.at += int64(n)
		raw = raw[:from+n]
		large = large || len(raw) > l.limits.GameBytes
		if err != nil {
			if err != io.EOF && err != io.ErrUnexpectedEOF {
				l.err = err
			}
			break
		}
	}
	switch {
	case large:
		return yield(nil, l.fault(record.Rejected, record.KindLimit, at, "the record is larger than a game may be"))
	case len(raw) < headerSize:
		return yield(nil, l.fault(record.Rejected, record.KindSyntax, at, "the file ends inside the header of a record"))
	}
	return l.game(raw, at, yield)
}

func (l *library) game(raw []byte, at int64, yield func(*record.Game, error) bool) bool {
	e, known := l.index[identifier(raw[idAt:idAt+idLen])]
	if known && !e.live {
		return yield(nil, l.fault(record.Note, KindDeleted, at, "%q was deleted by the user of the library", text(raw[fields[1].at:fields[1].at+fields[1].size])))
	}
	used := len(raw)
	if known && e.used >= headerSize && e.used < used {
		used = e.used
	}
	r := newReader(raw, used, l.limits.Nodes, record.Place{File: l.src.Name, Offset: at, Number: l.number})
	if !known && len(l.index) > 0 {
		r.fault(record.Note, record.KindHeader, 0, "the index of the library does not know this record")
	}
	g := r.read()
	for i, t := range l.tags {
		if t.Value != "" && (i < shared || l.number == 1) {
			g.Tags = append(g.Tags, t)
		}
	}
	if g.Facts.Source == "" {
		g.Facts.Source = l.tags[1].Value
	}
	return yield(g, nil)
}
