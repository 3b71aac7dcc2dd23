package interval

import "qipu/game"

// Mark is an interval of a line during which something that a Marker knows is true
// of a side.
type Mark struct {
	Column   uint16    // of Marker.Keys
	Side     game.Side // whose it is
	From, To uint16    // slots: from the first position to the one behind the last
}

// Marker tells what is true in a line that no column of arrivals can tell. What it
// says of a line depends on the line and its own keys alone, so that it can be kept.
// It is safe for concurrent use.
type Marker interface {
	// Keys returns one key for each thing that it knows: a hash of its definition,
	// so that a thing that is defined anew has a new key.
	Keys() []uint64

	// AppendMarks appends the intervals of those columns that are wanted (nil
	// wants all), in the order of columns, then of sides, then of time, and
	// returns dst. Intervals of one column and side do not touch each other.
	AppendMarks(dst []Mark, l *Line, want func(column int) bool) []Mark
}
