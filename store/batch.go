package store

import (
	"slices"

	"qipu/index"
	"qipu/record"
)

// Status is what became of a record that was to be added.
type Status uint8

// The states of a record.
const (
	StatusNew       Status = iota // stored
	StatusDuplicate               // a game that is there: only its source was noted
	StatusFuller                  // it took the place of a record that was shorter, or said less
	StatusTwin                    // stored, and linked to a game of the same moves that contradicts it, or has other comments
)

var statusNames = [...]string{"new", "duplicate", "fuller", "twin"}

// String returns the name of the status.
func (s Status) String() string { return statusNames[s] }

// Added tells what became of a record.
type Added struct {
	ID     uint32 // of the game that it is now
	Status Status
	Of     uint32 // the game that it is a twin of
	Key    uint64 // of its moves: records that are one game mostly share it
}

// Prepared is what a record needs to be stored that does not depend on others: most of
// the work, and it can be done ahead, on all cores. See Writer.Preparer.
type Prepared struct {
	Doc     *index.Document // nil where the record has no board
	Record  []byte          // encoded
	Remarks []Remark
}

// Preparations are those of records.
type Preparations map[*record.Played]*Prepared

// Remark stands for what people wrote beside one move of the main line: its
// comment, its properties, and the variations that stand in its place.
type Remark struct {
	Ply int32
	Sum uint64 // of it and of all remarks before it
}

// Batch is a number of records to be added together.
type Batch struct {
	Records    []*record.Played // played with a trace
	Prepared   Preparations     // of some of them; nil for none
	Collection int64            // the collection they come into; 0 for none
	Inputs     []Input          // files that are read to their end with these records

	// Note returns what else is to be noted as an input, once it is known what
	// becomes of the records. It is called inside the transaction that stores them,
	// once for each try, and must not use the library. It may be nil.
	Note func(added []Added) []Input

	// Numbers are those that the records have if they are new games, rising,
	// where they have lain elsewhere before; nil for none. No number between the
	// first and the last is anybody else's. Such a record must not take the place
	// of a game that is there.
	Numbers []uint32

	// Again tells that records with these numbers may have been sent before, by an
	// attempt that was interrupted and may have left something.
	Again bool

	// DryRun has Add tell what would become of the records, and change nothing.
	// Games that would be new have no numbers. A store that is open for reading
	// only does it too.
	DryRun bool
}

// Noted returns all inputs that are noted with the batch.
func (b *Batch) Noted(added []Added) []Input {
	if b.Note == nil {
		return b.Inputs
	}
	return append(slices.Clip(b.Inputs), b.Note(added)...)
}
