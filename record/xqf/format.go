package xqf

import (
	"io"
	"iter"
	"path"
	"strings"

	"qipu/record"
)

// Format reads and writes XQF files.
var Format format

var (
	_ record.Format = Format
	_ record.Writer = Format
)

type format struct{}

var info = record.FormatInfo{
	Name:       "xqf",
	Title:      "XQStudio record",
	Extensions: []string{"xqf"},
	Kinds:      []string{"xiangqi"},
	Single:     true,
}

// Info returns the facts about the format.
func (format) Info() *record.FormatInfo { return &info }

// Sniff knows XQF by its two letters, its version, and the four key bytes that
// add up to zero. The two letters alone could begin any text.
func (format) Sniff(head []byte, name string) int {
	named := strings.EqualFold(path.Ext(name), ".xqf")
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
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		data, err := io.ReadAll(io.LimitReader(src.Reader, int64(limits.GameBytes)+1))
		reject := func(kind, reason string) {
			yield(nil, src.Fault(record.Rejected, kind, 0, 0, 1, reason))
		}
		switch {
		case err != nil:
			reject(record.KindIO, err.Error())
		case len(data) == 0:
			reject(record.KindEmpty, "the file is empty")
		case len(data) > limits.GameBytes:
			reject(record.KindLimit, "the file is larger than a game may be")
		case !begins(data):
			reject(record.KindSyntax, "no XQF file: it does not begin with XQ, a version and a list of pieces")
		default:
			r := newReader(src, data, limits.Nodes)
			g, err := r.read()
			if err != nil {
				reject(record.KindEncoding, err.Error())
				return
			}
			yield(g, nil)
		}
	}
}

// Notation tells that moves are squares: "h2e2".
func (format) Notation(string) (name string, passes bool) { return "iccs", false }
