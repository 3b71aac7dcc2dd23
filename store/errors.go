package store

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"qipu/remedy"
	"qipu/segment"
)

// What callers branch on.
var (
	ErrNoLibrary = errors.New("there is no library")
	ErrNoGame    = errors.New("catalog: there is no such game")
	ErrNoRow     = errors.New("catalog: there is no such thing") // a collection, tag, saved query, edit or segment
	ErrExists    = errors.New("catalog: the name is taken")
	ErrReadOnly  = errors.New("catalog: the library is open for reading only")
	ErrTooLarge  = errors.New("catalog: the record is too large")
	ErrDamaged   = errors.New("catalog: the library is damaged")
	ErrFull      = errors.New("catalog: the disk is full")
	ErrClosed    = errors.New("catalog: the library is closed")
)

// Repairable reports whether an error is one that Repair mends.
func Repairable(err error) bool {
	return errors.Is(err, segment.ErrCorrupt) || errors.Is(err, segment.ErrOlder) || errors.Is(err, os.ErrNotExist)
}

// UnreadableError tells that records cannot be read. What was asked for is done
// for all other games.
type UnreadableError struct {
	Games  []uint32
	Count  int   // how many there are, where they cannot all be named
	Reason error // of the first; nil where nothing is known but that no table has them
}

// Number returns how many games there are.
func (e *UnreadableError) Number() int { return max(len(e.Games), e.Count) }

// Error names the games.
func (e *UnreadableError) Error() string {
	const most = 20
	what, whose := "records", "those of the games"
	if e.Number() == 1 {
		what, whose = "record", "that of game"
	}
	list := ""
	if len(e.Games) > 0 {
		list = ", " + whose + " " + strings.Trim(strings.ReplaceAll(fmt.Sprint(e.Games[:min(len(e.Games), most)]), " ", ", "), "[]")
		if more := e.Number() - min(len(e.Games), most); more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
	}
	if e.Reason == nil {
		return fmt.Sprintf("%d %s in no table%s; this was done without", e.Number(), what, list)
	}
	return fmt.Sprintf("%d %s cannot be read%s; this was done without, and all others are well: %v", e.Number(), what, list, e.Reason)
}

// Remedy returns what can be done.
func (e *UnreadableError) Remedy() remedy.Remedy {
	if e.Reason == nil {
		return remedy.Repair.With("")
	}
	return remedy.Replace.With("")
}

// Unwrap returns the reason.
func (e *UnreadableError) Unwrap() error { return e.Reason }

// Add adds a game to the list.
func (e *UnreadableError) Add(id uint32, reason error) {
	e.Games = append(e.Games, id)
	if e.Reason == nil {
		e.Reason = reason
	}
}

// NewerError tells that a library was written by a newer program. Nothing in it
// was touched.
type NewerError struct {
	Have, Know int // versions of the schema: that of the library, and the newest that this program knows
}

// Error says what to do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("catalog: the library has format %d, and this program knows formats up to %d: use a newer version of the program", e.Have, e.Know)
}

// LockedError tells that another process writes to the library.
type LockedError struct {
	Dir    string
	Holder string // who: program, process, machine, and since when; empty where unknown
}

// Error names the holder.
func (e *LockedError) Error() string {
	holder := e.Holder
	if holder == "" {
		holder = "another process"
	}
	return fmt.Sprintf("catalog: the library %s is being written to by %s: wait until it is done, or open the library for reading only", e.Dir, holder)
}

// StagedError tells that games have not come to the servers yet. They are in the
// library all the same, in the staging folder of this machine, and nothing is to be
// done for them but to look after the servers.
type StagedError struct {
	Games uint64
	Dir   string // the staging folder
	Err   error  // what the servers said
}

func (e *StagedError) Error() string {
	return fmt.Sprintf("staging: games that wait to be shipped: %d. They are safe in %s and found as all others, and are shipped by the next command that writes when the servers take them (%v)", e.Games, e.Dir, e.Err)
}

// Remedy returns what can be done.
func (e *StagedError) Remedy() remedy.Remedy { return remedy.Servers.With("") }

// Unwrap returns what the servers said.
func (e *StagedError) Unwrap() error { return e.Err }

// UnreachableError tells that no server of a part of the library answers.
type UnreachableError struct {
	Shard string // as in "shard 2"
	Hosts []string
	Err   error // what the last of them said
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cluster: %s cannot be reached (%s): %v", e.Shard, strings.Join(e.Hosts, ", "), e.Err)
}

// Remedy returns what can be done.
func (e *UnreachableError) Remedy() remedy.Remedy { return remedy.Servers.With("") }

// Unwrap returns what the last server said.
func (e *UnreachableError) Unwrap() error { return e.Err }
