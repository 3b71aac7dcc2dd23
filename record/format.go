package record

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"
	"strings"

	"qipu/record/charset"
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

// Info returns the facts about the format: a format that holds them has the method
// from them.
func (f *FormatInfo) Info() *FormatInfo { return f }

// Named reports whether a file has one of the extensions of the format.
func (f *FormatInfo) Named(file string) bool {
	return slices.Contains(f.Extensions, strings.ToLower(strings.TrimPrefix(path.Ext(file), ".")))
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
	return Limits{
		GameBytes: cmp.Or(l.GameBytes, 16<<20), Nodes: cmp.Or(l.Nodes, 500_000), Depth: cmp.Or(l.Depth, 10_000), Props: cmp.Or(l.Props, 10_000),
	}
}

// Whole reads all of a file that holds a game or a few, within the limit for
// one game. The bytes belong to the caller.
func (s *Source) Whole() ([]byte, *Fault) {
	limit := s.Limits.WithDefaults().GameBytes
	size := int64(64 << 10)
	if s.Size >= 0 {
		size = min(s.Size, int64(limit))
	}
	b := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // not much larger than what is there
	_, err := b.ReadFrom(io.LimitReader(s.Reader, int64(limit)+1))
	switch {
	case err != nil:
		return nil, s.Fault(Rejected, KindIO, int64(b.Len()), 0, 0, "the file cannot be read: "+err.Error())
	case b.Len() > limit:
		return nil, s.Fault(Rejected, KindLimit, 0, 0, 0, fmt.Sprintf("the file is longer than %d bytes, the limit for one game", limit))
	case len(bytes.TrimSpace(b.Bytes())) == 0:
		return nil, s.Fault(Rejected, KindEmpty, 0, 0, 0, "the file is empty")
	}
	return b.Bytes(), nil
}

// Game decodes the bytes of a game and returns it, with its root alone, and its
// text. The encoding that the bytes declare may be empty.
func (s *Source) Game(f *FormatInfo, notation string, raw []byte, declared string, at Place) (*Game, string, *Fault) {
	text, err := charset.Decode(raw, declared, s.Encoding)
	if err != nil {
		return nil, "", s.Fault(Rejected, KindEncoding, at.Offset, at.Line, at.Number, err.Error())
	}
	at.File = s.Name
	g := &Game{Kind: f.Kinds[0], Notation: notation, Format: f.Name, Place: at, Raw: raw, Nodes: make([]Node, 1)}
	g.Decoded(&text, Note)
	return g, string(text.UTF8), nil
}

// Decoded notes the encoding of the text that the game was read from. Places that
// could not be read are a fault.
func (g *Game) Decoded(t *charset.Text, s Severity) {
	g.Encoding, g.Guessed = t.Encoding, t.Guessed
	if t.Broken > 0 {
		g.Fault(s, KindEncoding, 0, "%d places are not readable as %s", t.Broken, t.Encoding)
	}
}

// ReadOne is Read for formats of which a file holds one game.
func ReadOne(src *Source, read func(*Source) (*Game, *Fault)) iter.Seq2[*Game, error] {
	return func(yield func(*Game, error) bool) {
		if g, fault := read(src); fault != nil {
			yield(nil, fault)
		} else {
			yield(g, nil)
		}
	}
}

// Fault returns a fault at a place of the source.
func (s *Source) Fault(sev Severity, kind string, offset int64, line, number int, reason string) *Fault {
	return &Fault{Severity: sev, Kind: kind, Place: Place{s.Name, offset, line, number}, Reason: reason}
}
