package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Format reads one file format, and knows no rules. A Format is safe for
// concurrent use.
type Format interface {
	Info() *FormatInfo

	// Sniff tells how sure the format is that a file is its own, from the first
	// bytes (at most SniffLen) and the name: 0 for no, 100 for a magic number.
	Sniff(head []byte, name string) int

	// Read yields the games of a file in order. An error is a *Fault for
	// something that could not be read; reading goes on behind it where that is
	// possible. No file, however bad, makes Read panic, hang, or take memory
	// beyond the limits of the source.
	Read(src *Source) iter.Seq2[*Game, error]
}

// Writer is a Format that writes too.
type Writer interface {
	// Write writes games as one file. What the format cannot express is an
	// error that wraps ErrInexpressible and names it; nothing is dropped
	// silently.
	Write(w io.Writer, games iter.Seq[*Game]) error
}

// Scribe is a Writer that can write moves in certain notations only.
// Translate makes a record fit for it.
type Scribe interface {
	// Notation returns the name of the notation that moves of a game must be
	// in, "" for any, and whether forced passes must be written out.
	Notation(kind string) (name string, passes bool)
}

// SetWriter is a Writer whose games need several files beside each other, as
// WTHOR needs its name tables.
type SetWriter interface {
	// WriteSet writes games into the files that create opens: one for each
	// extension, beside the file that the user has named.
	WriteSet(create func(ext string) (io.Writer, error), games iter.Seq[*Game]) error
}

// ErrInexpressible tells that a format has no way to write something.
var ErrInexpressible = errors.New("cannot be written in this format")

// SniffLen is how many bytes of a file Sniff is shown.
const SniffLen = 4096

// FormatInfo holds the facts about a format.
type FormatInfo struct {
	Name       string   // "sgf"
	Title      string   // "Smart Game Format"
	Extensions []string // "sgf", without the dot, in lower case
	Kinds      []string // the games it can hold

	// Companions tells that files of this format belong together: a reader of
	// one asks for others through Source.Sibling, and in an archive they may
	// come in any order.
	Companions bool

	// Keeps says what the format keeps of games from other formats, where that
	// is less than their headers and comments; empty where it keeps them.
	Keeps string

	// NotationTag is the header that names the notation of the moves, if the
	// format has one. It is dropped where moves are translated.
	NotationTag string

	// Single tells that a file holds one game and no more.
	Single bool

	// RandomAccess tells that Read wants Source.At for files that do not fit
	// into memory.
	RandomAccess bool
}

// Source is a file to read: on disk, in an archive, or standard input.
type Source struct {
	Name   string    // as users know it; see Place.File
	Reader io.Reader // from the start of the file
	Size   int64     // -1 where unknown

	// At gives random access to the same bytes, where it is to be had.
	At io.ReaderAt

	// Sibling opens another file of the same folder by its name in any case
	// ("WTHOR.JOU"), or is nil. The caller reads it at once; it needs no
	// closing.
	Sibling func(name string) (*Source, error)

	// Encoding overrides what the file declares and what would be guessed.
	Encoding string

	Limits Limits
}

// Limits bound what one file may cost. A zero field means the default.
type Limits struct {
	GameBytes int // size of one game in bytes
	Nodes     int // nodes of one game
	Depth     int // nesting of variations
	Props     int // properties of one node
}

// WithDefaults fills in the zero fields.
func (l Limits) WithDefaults() Limits {
	set := func(field *int, value int) {
		if *field == 0 {
			*field = value
		}
	}
	set(&l.GameBytes, 16<<20)
	set(&l.Nodes, 500_000)
	set(&l.Depth, 10_000)
	set(&l.Props, 10_000)
	return l
}

// Whole reads all of a file that holds a game or a few, within the limit for
// one game. The bytes belong to the caller.
func (s *Source) Whole() ([]byte, *Fault) {
	limit := s.Limits.WithDefaults().GameBytes
	data, err := io.ReadAll(io.LimitReader(s.Reader, int64(limit)+1))
	switch {
	case err != nil:
		return nil, s.Fault(Rejected, KindIO, int64(len(data)), 0, 0, "the file cannot be read: "+err.Error())
	case len(data) > limit:
		return nil, s.Fault(Rejected, KindLimit, 0, 0, 0, fmt.Sprintf("the file is longer than %d bytes, the limit for one game", limit))
	case len(bytes.TrimSpace(data)) == 0:
		return nil, s.Fault(Rejected, KindEmpty, 0, 0, 0, "the file is empty")
	}
	return data, nil
}

// Fault returns a fault at a place of the source.
func (s *Source) Fault(sev Severity, kind string, offset int64, line, number int, reason string) *Fault {
	return &Fault{Severity: sev, Kind: kind, Place: Place{s.Name, offset, line, number}, Reason: reason}
}
