package store

import "time"

// Theory is what engines and people say of a position: truth, which can be made
// from nothing else. The package gives the numbers no meaning beyond what the
// schema says of them. Pointers are nil for what is unknown.
type Theory struct {
	Key      [16]byte // of the position in its smallest picture
	Position string   // the position text, in that picture
	Level    *int64   // of the engine that searched it
	Leaf     string   // the best move that leads to no position of the table; empty for none
	Value    *int64   // of that move
	Lower    *int64
	Upper    *int64
	Exact    *int64 // the value of the position, where it was solved
	Human    *int64 // what a person set
	Note     string
	Changed  time.Time // given by PutTheory
}
