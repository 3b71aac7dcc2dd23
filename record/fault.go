package record

import (
	"bytes"
	"fmt"
	"strings"
)

// Place is where something stands in the files of a user.
type Place struct {
	File   string `json:"file"`   // path; "archive.tar.gz!inner/name.sgf" inside an archive
	Offset int64  `json:"offset"` // byte offset in the (decompressed) file, from 0
	Line   int    `json:"line"`   // from 1; 0 where the file has no lines
	Number int    `json:"number"` // number of the game in the file, from 1; 0 for the file itself
}

// PlayFile is the file that records of games which were played here, in this
// program, are noted to be from, with the number of the session as that of the game
// in it. They are made and not read: no format is theirs, which tells them from
// those of a file that somebody has called so.
const PlayFile = "play"

// Severity tells what a fault means for the record.
type Severity uint8

// The severities.
const (
	// Note: the record is whole; something about it is unusual.
	Note Severity = iota
	// Marked: the record is kept, but a move or header in it is wrong.
	Marked
	// Rejected: there is no record; nothing could be read.
	Rejected
)

var severityNames = [...]string{"note", "marked", "rejected"}

// String returns the name of the severity.
func (s Severity) String() string { return severityNames[s] }

// Fault is something wrong with a file or a record.
type Fault struct {
	Severity Severity
	Kind     string // a short constant for counting: "illegal move", "bad header"
	Place    Place
	Move     int    // number of the move, from 1; 0 where it concerns none
	Reason   string // a sentence for the user
}

// Error returns the fault with its place.
func (f *Fault) Error() string {
	var b strings.Builder
	if f.Place.File != "" {
		b.WriteString(f.Place.File)
		if f.Place.Line > 0 {
			fmt.Fprintf(&b, ":%d", f.Place.Line)
		}
		b.WriteString(": ")
	}
	if f.Place.Number > 0 {
		fmt.Fprintf(&b, "game %d: ", f.Place.Number)
	}
	if f.Move > 0 {
		fmt.Fprintf(&b, "move %d: ", f.Move)
	}
	b.WriteString(f.Reason)
	if f.Place.Offset > 0 {
		fmt.Fprintf(&b, " (byte %d)", f.Place.Offset)
	}
	return b.String()
}

// The kinds of faults that several packages report.
const (
	KindIllegal  = "illegal move"    // a move that the rules refuse
	KindNoMove   = "unreadable move" // a text that is no move
	KindSetup    = "bad set-up"      // a start position that cannot be
	KindHeader   = "bad header"      // a header that contradicts the game or itself
	KindSyntax   = "syntax"          // the file breaks its format
	KindEncoding = "encoding"        // text that is not in the encoding it should be in
	KindLimit    = "limit"           // larger than the program will take
	KindEmpty    = "empty"           // nothing to read
	KindUnknown  = "unknown"         // no format, or no game, that the program knows
	KindIO       = "read error"      // the file could not be read
)

// faultAt adds a fault at the place of a node, as far as the game's own bytes
// tell it: offsets count them only where the text needed no decoding.
func (g *Game) faultAt(node int32, f Fault) {
	f.Place = g.Place
	at := int(g.Nodes[node].Offset)
	if g.Encoding == "utf-8" && at > 0 && at <= len(g.Raw) {
		f.Place.Offset += int64(at)
		if f.Place.Line > 0 {
			f.Place.Line += bytes.Count(g.Raw[:at], []byte("\n"))
		}
	}
	g.Faults = append(g.Faults, f)
}

// foundAgain takes those faults behind the first n out that are among them: a
// record that was stored has the faults that were found when it was played first,
// and finding them again is no news. The place does not count, which is told less
// well when the bytes are not at hand.
func (g *Game) foundAgain(n int) {
	if n == 0 || n == len(g.Faults) {
		return
	}
	same := func(x, y *Fault) bool {
		return x.Severity == y.Severity && x.Kind == y.Kind && x.Move == y.Move && x.Reason == y.Reason
	}
	used := make([]bool, n)
	keep := g.Faults[:n]
	for i := range g.Faults[n:] {
		f := &g.Faults[n+i]
		known := -1
		for j := range n {
			if !used[j] && same(&g.Faults[j], f) {
				known = j
				break
			}
		}
		if known < 0 {
			keep = append(keep, *f)
		} else {
			used[known] = true
		}
	}
	g.Faults = keep
}

// Fault adds a fault to the game, at the game's own place.
func (g *Game) Fault(s Severity, kind string, move int, format string, args ...any) {
	g.Faults = append(g.Faults, Fault{Severity: s, Kind: kind, Place: g.Place, Move: move, Reason: fmt.Sprintf(format, args...)})
}

// FaultAt adds a fault at an offset of the file, unless the game has enough of them:
// a file of garbage has millions. Those beyond are counted, see FurtherFaults.
func (g *Game) FaultAt(further *int, s Severity, kind string, offset int64, format string, args ...any) {
	if len(g.Faults) >= maxFaults {
		*further++
		return
	}
	g.Fault(s, kind, 0, format, args...)
	g.Faults[len(g.Faults)-1].Place.Offset = offset
}

const maxFaults = 100

// FurtherFaults tells how many faults FaultAt has not added.
func (g *Game) FurtherFaults(n int) {
	if n > 0 {
		g.Fault(Marked, KindLimit, 0, "%d further faults are not listed", n)
	}
}
