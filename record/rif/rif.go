package rif

import (
	"bytes"
	"io"
	"iter"
	"path"
	"strings"

	"qipu/record"
)

// Format is the format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "rif",
	Title:      "RenjuNet database (RIF)",
	Extensions: []string{"rif", "xml"},
	Kinds:      []string{"renju"},
}

// Sniff looks for one of the tables that come first, or for the attribute that
// only this format has.
func (format) Sniff(head []byte, name string) int {
	named := strings.EqualFold(path.Ext(name), ".rif")
	isXML := bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n"), []byte("<"))
	switch {
	case isXML && (bytes.Contains(head, []byte("<countries")) && bytes.Contains(head, []byte("<country")) || bytes.Contains(head, []byte(" bresult="))):
		return 90
	case isXML && named:
		return 70
	case named:
		return 15
	}
	return 0
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		r := &reader{src: src, limits: src.Limits.WithDefaults(), yield: yield, tables: map[string]*rows{}}
		if err := r.open(); err != nil {
			if err != io.EOF {
				yield(nil, src.Fault(record.Rejected, record.KindIO, 0, 0, 0, err.Error()))
				return
			}
		}
		r.read()
		if r.stopped {
			return
		}
		for len(r.waiting) > 0 {
			if !r.release() {
				return
			}
		}
		r.farewell()
	}
}

// farewell tells how the file ended, where it did not end well.
func (r *reader) farewell() {
	switch {
	case r.input != nil && r.input.failed != nil:
		r.yield(nil, r.fault(record.KindIO, r.input.failed.Error()))
	case r.input != nil && r.input.exhausted:
		r.yield(nil, r.fault(record.KindLimit, "an element is too long; the rest of the file was not read"))
	case r.err != nil:
		r.yield(nil, r.fault(record.KindSyntax, "the XML is broken, the rest of the file was not read: "+r.err.Error()))
	case r.number == 0:
		r.yield(nil, r.src.Fault(record.Rejected, record.KindEmpty, 0, 0, 0, "there are no games in this file"))
	}
}

func (r *reader) fault(kind, reason string) *record.Fault {
	return r.src.Fault(record.Rejected, kind, r.offset(r.d.InputOffset()), r.line(), 0, reason)
}
