package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/zeebo/xxh3"
)

// Format is the version of the container that Writer writes. The versions of
// what is inside are those of the kinds.
const Format = 1

const (
	align    = 64 // of all parts, and the size of header, trailer and directory entry
	nameSize = 16 // longest name of a kind or section
	pageSize = 16 // of an entry in a page table

	headMagic = "QIPUSEG\n"
	tailMagic = "QIPUEND\n"
)

var le = binary.LittleEndian

// Versions is a range of versions that can be read, both ends included.
type Versions struct{ Min, Max uint32 }

// Kinds lists the kinds of segment that a caller can read. Nil is every kind in
// every version, which is for tools that look at no content.
type Kinds map[string]Versions

// Info describes a segment.
type Info struct {
	Path     string // empty for a segment in memory
	Size     int64
	Format   uint32 // version of the container
	Kind     string
	Version  uint32 // version of the kind
	Sections []SectionInfo
}

// SectionInfo describes a section.
type SectionInfo struct {
	Name  string
	Len   int64 // bytes, with the padding between pages
	Pages int
}

func up(n int64) int64 { return (n + align - 1) &^ (align - 1) }

// seal puts the checksum of the first 56 bytes of a header or trailer into its
// last eight.
func seal(b []byte) { le.PutUint64(b[align-8:align], xxh3.Hash(b[:align-8])) }

func sealed(b []byte) bool { return le.Uint64(b[align-8:align]) == xxh3.Hash(b[:align-8]) }

// checkName tells what is wrong with the name of a kind or section. Names are
// printable ASCII, so that they pad with zeros and print as they are.
func checkName(name string) error {
	if name == "" || len(name) > nameSize {
		return fmt.Errorf("the name %q has not 1 to %d bytes", name, nameSize)
	}
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' {
			return fmt.Errorf("the name %q has other characters than printable ASCII", name)
		}
	}
	return nil
}

// readName reads a padded name.
func readName(b []byte) (string, bool) {
	name := bytes.TrimRight(b, "\x00")
	return string(name), checkName(string(name)) == nil
}

func header(kind string, version uint32) []byte {
	b := make([]byte, align)
	copy(b, headMagic)
	le.PutUint32(b[8:], Format)
	le.PutUint32(b[12:], version)
	copy(b[16:16+nameSize], kind)
	seal(b)
	return b
}

// layout is what both ends and the directory of a file say.
type layout struct {
	info     Info
	sections []place
}

// place tells where a section lies in the file.
type place struct {
	name     string
	data     int // offset of the first byte
	len      int
	table    int // offset of the page table
	pages    int
	tableSum uint64
}

// tableLen returns the length of a page table with its padding.
func (p *place) tableLen() int { return int(up(int64(p.pages) * pageSize)) }

// parse reads everything but pages and page tables, and checks it: after it,
// all offsets are inside data and no two parts overlap. It may fault, and is
// called under Guard.
func parse(path string, data []byte, want Kinds) (*layout, error) {
	bad := func(format string, args ...any) error {
		return &CorruptError{Path: path, Page: -1, Reason: fmt.Sprintf(format, args...)}
	}
	if len(data) < align || string(data[:8]) != headMagic {
		return nil, bad("it does not begin like a segment")
	}
	head := data[:align]
	if !sealed(head) {
		return nil, bad("the checksum of its header differs")
	}
	l := &layout{info: Info{Path: path, Size: int64(len(data)), Format: le.Uint32(head[8:]), Version: le.Uint32(head[12:])}}
	if f := l.info.Format; f > Format {
		return nil, fmt.Errorf("segment: %s: container format %d, this program reads %d: %w", path, f, Format, ErrNewer)
	} else if f < Format {
		return nil, fmt.Errorf("segment: %s: container format %d, this program reads %d: %w", path, f, Format, ErrOlder)
	}
	var ok bool
	if l.info.Kind, ok = readName(head[16 : 16+nameSize]); !ok {
		return nil, bad("its kind has no proper name")
	}
	if err := want.check(&l.info); err != nil {
		return nil, err
	}

	if len(data) < 2*align {
		return nil, bad("it has only %d bytes", len(data))
	}
	at := len(data) - align
	tail := data[at:]
	if string(tail[:8]) != tailMagic || !sealed(tail) {
		return nil, bad("it does not end like a segment, it was cut off or added to")
	}
	if size := le.Uint64(tail[8:]); size != uint64(len(data)) {
		return nil, bad("it has %d bytes instead of %d", len(data), size)
	}
	if le.Uint64(tail[40:]) != le.Uint64(head[align-8:]) {
		return nil, bad("its two ends do not belong together")
	}
	dir, n := le.Uint64(tail[16:]), le.Uint64(tail[24:])
	if dir%align != 0 || dir < align || dir > uint64(at) || n != (uint64(at)-dir)/align || at%align != 0 {
		return nil, bad("its directory is not where it should be")
	}
	if xxh3.Hash(data[dir:at]) != le.Uint64(tail[32:]) {
		return nil, bad("the checksum of its directory differs")
	}
	if !l.readDirectory(data[dir:at], dir) {
		return nil, bad("its directory contradicts itself")
	}
	return l, nil
}

// check applies the policy of versions.
func (k Kinds) check(info *Info) error {
	if k == nil {
		return nil
	}
	v, ok := k[info.Kind]
	switch {
	case !ok:
		return fmt.Errorf("segment: %s: holds %q, not %q: %w", info.Path, info.Kind, slices.Sorted(maps.Keys(k)), ErrKind)
	case info.Version > v.Max:
		return fmt.Errorf("segment: %s: version %d of %q, this program reads up to %d: %w", info.Path, info.Version, info.Kind, v.Max, ErrNewer)
	case info.Version < v.Min:
		return fmt.Errorf("segment: %s: version %d of %q, this program reads from %d: %w", info.Path, info.Version, info.Kind, v.Min, ErrOlder)
	}
	return nil
}

// readDirectory reads the entries of sections and reports whether they are in
// order: data first, then tables, then the directory at end, without holes.
func (l *layout) readDirectory(entries []byte, end uint64) bool {
	seen := map[string]bool{}
	next := uint64(align)
	for e := entries; len(e) > 0; e = e[align:] {
		name, ok := readName(e[:nameSize])
		data, length := le.Uint64(e[16:]), le.Uint64(e[24:])
		table, pages, sum := le.Uint64(e[32:]), le.Uint64(e[40:]), le.Uint64(e[48:])
		// All numbers are at most the size of the file, so that no sum below
		// overflows and all of them are ints.
		if !ok || seen[name] || data != next || data > end || length > end || table > end || pages > end/pageSize {
			return false
		}
		if pages == 0 && length != 0 || le.Uint64(e[56:]) != 0 {
			return false
		}
		seen[name] = true
		next = uint64(up(int64(data + length)))
		l.sections = append(l.sections, place{name: name, data: int(data), len: int(length), table: int(table), pages: int(pages), tableSum: sum})
		l.info.Sections = append(l.info.Sections, SectionInfo{Name: name, Len: int64(length), Pages: int(pages)})
	}
	for i := range l.sections {
		p := &l.sections[i]
		if next > end || uint64(p.table) != next {
			return false
		}
		next += uint64(p.tableLen())
	}
	return next == end
}
