package renlib

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"

	"qipu/record"
)

// Format reads RenLib libraries.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "renlib",
	Title:      "RenLib library",
	Extensions: []string{"lib"},
	Kinds:      []string{"renju"},
}

const (
	magic      = "\xFFRenLib\xFF"
	headerSize = 20

	// The newest version that is known, as 100*major+minor.
	newest = 304

	// centre is the first byte of a library without a header.
	centre = 0x78
)

// Sniff knows a library by its header. One of the time before there were
// headers has nothing but its name and the move in the centre.
func (f format) Sniff(head []byte, name string) int {
	switch {
	case bytes.HasPrefix(head, []byte(magic)):
		return 100
	case f.Named(name) && len(head) >= 2 && head[0] == centre:
		return 40
	}
	return 0
}

// Read yields a library as one game, or several if it is large.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		in := bufio.NewReaderSize(src.Reader, 64<<10)
		head, err := in.Peek(headerSize)
		reject := func(kind, reason string) {
			yield(nil, src.Fault(record.Rejected, kind, 0, 0, 1, reason))
		}
		r := newReader(src, in)
		switch {
		case bytes.HasPrefix(head, []byte(magic)):
			if len(head) < headerSize {
				reject(record.KindSyntax, "the file ends inside the header")
				return
			}
			r.header(head)
		case len(head) >= 2 && head[0] == centre:
			r.note(record.KindHeader, "a library without a header, as programs before version 3 wrote it")
		case err != nil && err != io.EOF:
			reject(record.KindIO, err.Error())
			return
		case len(head) == 0:
			reject(record.KindEmpty, "the file is empty")
			return
		default:
			reject(record.KindSyntax, "no RenLib library: it does not begin with its signature")
			return
		}
		r.read(yield)
	}
}

// header takes the header in and checks the version.
func (r *reader) header(head []byte) {
	major, minor := int(head[8]), int(head[9])
	if 100*major+minor > newest {
		r.note(record.KindHeader, fmt.Sprintf("version %d.%d is newer than %d.%d: read as if it were that", major, minor, newest/100, newest%100))
	}
	r.part.g.Tags = append(r.part.g.Tags, record.Tag{Name: "Version", Value: fmt.Sprintf("%d.%d", major, minor)})
	for range headerSize {
		r.byte()
	}
}
