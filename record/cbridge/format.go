package cbridge

import (
	"bufio"
	"bytes"
	"io"
	"iter"
	"path"
	"strings"

	"qipu/record"
)

// Format reads CBR and CBL files.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "cbridge",
	Title:      "CCBridge record or library",
	Extensions: []string{"cbr", "cbl"},
	Kinds:      []string{"xiangqi"},
}

const (
	recordMagic  = "CCBridge Record\x00"
	libraryMagic = "CCBridgeLibrary\x00"
)

// Sniff knows the files by their first 16 bytes. By the name alone it claims
// little: comic books are .cbr too.
func (format) Sniff(head []byte, name string) int {
	if bytes.HasPrefix(head, []byte(recordMagic)) || bytes.HasPrefix(head, []byte(libraryMagic)) {
		return 100
	}
	if strings.EqualFold(path.Ext(name), ".cbl") {
		return 10
	}
	return 0
}

// Read yields the game of a CBR file or those of a CBL file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		in := bufio.NewReaderSize(src.Reader, 64<<10)
		head, err := in.Peek(len(recordMagic))
		reject := func(kind, reason string) {
			yield(nil, src.Fault(record.Rejected, kind, 0, 0, 1, reason))
		}
		switch {
		case string(head) == libraryMagic:
			newLibrary(src, in).read(yield)
		case string(head) == recordMagic:
			whole := *src
			whole.Reader = in
			data, fault := whole.Whole()
			switch {
			case fault != nil:
				yield(nil, fault)
			case len(data) < headerSize:
				reject(record.KindSyntax, "the file ends inside the header")
			default:
				r := newReader(data, len(data), src.Limits.WithDefaults().Nodes, record.Place{File: src.Name, Number: 1})
				yield(r.read(), nil)
			}
		case err != nil && err != io.EOF:
			reject(record.KindIO, err.Error())
		case len(head) == 0:
			reject(record.KindEmpty, "the file is empty")
		default:
			reject(record.KindSyntax, "no CCBridge file: it begins with neither of the two signatures")
		}
	}
}
