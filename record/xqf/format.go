package xqf

import (
	"iter"

	"qipu/record"
)

// Format reads and writes XQF files.
var Format = format{&info}

var (
	_ record.Format = Format
	_ record.Writer = Format
)

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "xqf",
	Title:      "XQStudio record",
	Extensions: []string{"xqf"},
	Kinds:      []string{"xiangqi"},
	Single:     true,
}

// Sniff knows XQF by its two letters, its version, and the four key bytes that
// add up to zero. The two letters alone could begin any text.
func (f format) Sniff(head []byte, name string) int {
	named := f.Named(name)
	switch {
	case !begins(head):
		if named {
			return 10
		}
	case sum(head) == 0:
		return 100
	case named:
		return 80
	}
	return 0
}

// begins reports whether data may be the beginning of a file: the letters, a
// version that is no printable character, and the pieces.
func begins(data []byte) bool {
	return len(data) >= pieceEnd && data[0] == 'X' && data[1] == 'Q' && data[2] > 0 && data[2] < ' '
}

// sum adds up the key bytes, which gives zero in a sound file.
func sum(header []byte) byte { return header[12] + header[13] + header[14] + header[15] }

// Read yields the one game of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return record.ReadOne(src, func(src *record.Source) (*record.Game, *record.Fault) {
		data, fault := src.Whole()
		switch {
		case fault != nil:
			return nil, fault
		case !begins(data):
			return nil, src.Fault(record.Rejected, record.KindSyntax, 0, 0, 1, "no XQF file: it does not begin with XQ, a version and a list of pieces")
		}
		g, err := newReader(src, data, src.Limits.WithDefaults().Nodes).read()
		if err != nil {
			return nil, src.Fault(record.Rejected, record.KindEncoding, 0, 0, 1, err.Error())
		}
		return g, nil
	})
}

// Notation tells that moves are squares: "h2e2".
func (format) Notation(string) (name string, passes bool) { return "iccs", false }
