package graph

import (
	"qipu/book"
	"qipu/engine"
)

// Levels beyond those of engines.
const (
	LevelExact = 100 // the game was read to its end
	LevelHuman = 101 // a person said so
)

// The usual margins: how far the truth may be from what a search says.
const (
	MarginMid = 2 * engine.Unit // in the middle of the game
	MarginEnd = engine.Unit     // read to the end, but not everything was read
)

// Row is what cannot be derived about a position. Values are for the side to
// move in it; engine.NoValue stands for what is unknown.
type Row struct {
	Key      book.Key
	Position string // the position text, in its smallest picture, passes folded

	// The best move that leads to no valued position, in that picture and the
	// first notation of the game; empty where there is none. A leaf whose move
	// has come to lead to a valued position is stale: it counts no more, and
	// learning looks for another one.
	Leaf         string
	Value        engine.Value // of the leaf
	Lower, Upper engine.Value // between which it lies
	Level        int          // of the search that found it; 0 where there was none

	// Teacher is the engine that searched; empty for that of the program.
	Teacher string

	Exact engine.Value // the value of the position, where it was solved
	Human engine.Value // what a person set
	Note  string
}

// Closed reports whether the position was searched and has no leaf: all its moves
// were valued then, or the engine does not think of the others.
func (r *Row) Closed() bool { return r.Leaf == "" && r.Level > 0 }

// Empty reports whether the row says nothing.
func (r *Row) Empty() bool {
	return r.Leaf == "" && r.Level == 0 && r.Exact == engine.NoValue && r.Human == engine.NoValue && r.Note == ""
}

// Blank returns the row of a position of which nothing is known.
func Blank(key book.Key, text string) Row {
	return Row{Key: key, Position: text, Value: engine.NoValue, Lower: engine.NoValue, Upper: engine.NoValue, Exact: engine.NoValue, Human: engine.NoValue}
}

// Mark is a state of what values are made of.
type Mark struct {
	Version int64 `json:"version"` // another one after every change
	Time    int64 `json:"time"`    // rows that were put before are part of it
	Drops   int64 `json:"drops"`   // another one whenever rows were dropped
	Exact   int64 `json:"exact"`   // Options.ExactStamp
	Shipped int64 `json:"shipped"` // of what came with the program
}

// Is reports whether two states say the same.
func (m Mark) Is(now Mark) bool {
	m.Time = now.Time
	return m == now
}

// Follows reports whether rows that were put since are all that is new.
func (m Mark) Follows(now Mark) bool {
	return m.Version > 0 && m.Version <= now.Version && m.Drops == now.Drops && m.Exact == now.Exact && m.Shipped == now.Shipped
}
