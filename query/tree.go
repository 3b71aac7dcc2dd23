package query

import (
	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
)

// Q is a node of a query. Nodes are not changed once they are made. String
// returns the text that the node can be parsed from, as far as it has one.
type Q interface{ String() string }

// The nodes that combine others.
type (
	// And asks for what all of its parts ask for.
	And []Q
	// Or asks for what one of its parts asks for.
	Or []Q
	// Not asks for what its part does not ask for.
	Not struct{ Q Q }
	// Const asks for everything, or for nothing.
	Const bool
)

// The nodes about time. All are true of moments.
type (
	// When joins its parts moment by moment: And, Or and Not inside it are
	// about one position.
	When struct{ Q Q }

	// Then asks for the moments of B behind a moment of A: later than it, and
	// by at most Within plies where that is not 0.
	Then struct {
		A, B   Q
		Within int

		// Here asks that both lie in the same place and picture. A and B are
		// shapes of one size and anchor then.
		Here bool
	}

	// For asks for the moments of Q that belong to an interval of at least N
	// plies: N+1 positions on end.
	For struct {
		Q Q
		N int
	}

	// First asks for the first position of a line at which Q is true, Last for
	// the last one: for one moment each.
	First struct{ Q Q }
	Last  struct{ Q Q }
)

// Op compares.
type Op uint8

// The comparisons. Is is that of a colon: a text contains another, a number
// lies in a range.
const (
	Is Op = iota
	Equal
	Below
	AtMost
	Above
	AtLeast
)

// Leaves as they are written, which Bind replaces. At is where they stand in
// the text: the number of bytes before them.
type (
	// Field is a condition on what is known of a game or of a moment:
	// player:"Ke Jie", date:1990.., moves>200, ply:..50, turn:black.
	Field struct {
		Name  string // as FieldOf names it
		Op    Op
		Value string
		At    int
	}

	// Diagram is a board: board:"XO/OX"{corner}, position:"Q16 D4",
	// line:"Q16 D4 C3", fuzzy:"R/n"{min:.8}.
	Diagram struct {
		Word    string // board, position, line or fuzzy
		Text    string
		Options []Option
		At      int
	}

	// Number counts pieces: count(R file 3) >= 1, has(R on file 3), no(E).
	Number struct {
		Pieces, Area string
		Op           Op
		N            int
		At           int
	}

	// Named is a query or a pattern by its name: named:馬後炮. With a side, as
	// FieldOf names it, it is a pattern of pieces of that side: named.red:馬後炮.
	Named struct {
		Name string
		Side string // empty for either
		At   int
	}
)

// Option is a word in the braces behind a diagram, with its value.
type Option struct {
	Name, Value string
	At          int
}

// Shape asks for moments at which a pattern stands on the board.
type Shape struct {
	Pattern  *pattern.Pattern
	Geometry *board.Geometry // of the board it is for

	// Next are moves that must have followed: from some moment at which the
	// pattern stands, the first moves that end in its region are these, in this
	// order; play elsewhere may come between. The shape is true from the last of
	// them until the next move in the region.
	Next []Step

	// Reaches is a whole board that games in which the moves were played have
	// had, in the pictures of the pattern; nil where it is not known. Steps do
	// not tell which of two like pieces arrived, so that a game may fit them and
	// never have had this board: the moves were others then. It is not printed,
	// and two shapes that differ in it alone are equal.
	Reaches *pattern.Pattern
}

// Step is a move in the frame of a pattern as drawn: columns and rows from its
// top left point.
type Step struct {
	X, Y  int8
	Side  game.Side   // who plays it, as drawn
	Piece board.Piece // what arrives; Empty for any piece of the side
}

// Fuzzy asks for moments at which the board is like a pattern, and ranks games
// by how like it is.
type Fuzzy struct {
	Shape
	Weights pattern.Weights
	Min     float64 // the least likeness: 1 is all of the pattern
}

// Count asks for moments at which so many of some points hold a piece of a set.
type Count struct {
	Set    pattern.Set
	Points []uint16 // dense indices, rising
	Op     Op       // not Is
	N      int
	Text   string // that it was written as
}

// Mark asks for moments at which something is true that a marker knows: one of
// its columns, which are of one kind of board.
type Mark struct {
	Marker  interval.Marker
	Columns []int          // of Marker.Keys
	Of      interval.Owner // whose it is
	Name    string
	Word    string // the field that asks for it; empty for that of names

	// Shared tells that it belongs to both sides, so that nobody can ask for that
	// of one.
	Shared bool
}

// Keys returns the keys of the columns.
func (q *Mark) Keys() []uint64 {
	all := q.Marker.Keys()
	keys := make([]uint64, len(q.Columns))
	for i, column := range q.Columns {
		keys[i] = all[column]
	}
	return keys
}

// Ply asks for moments when so many moves have been played, both bounds
// included; To < 0 is no bound.
type Ply struct{ From, To int }

// Turn asks for moments at which a side is to move.
type Turn struct{ Side game.Side }

// Games asks for certain games.
type Games struct {
	Set *roaring.Bitmap
	Why string // the text that named them
}

// Fact asks for games by one column of what is known of them.
type Fact struct {
	Column    Column
	Low, High int64  // of a column of numbers: the bounds, both included
	Text      *Texts // of a column of texts
	Why       string // the text that it was written as
}

// Column is something that is known of every game, or unknown.
type Column uint8

// The columns of texts.
const (
	FirstPlayer Column = iota
	SecondPlayer
	Event
	Opening
	Code // of the opening
	Round
	Place
	FirstTeam
	SecondTeam
	Ruleset
	How // it ended: resignation, time ...
	Origin
	Author
	Format
	File
	TextColumns
)

// The columns of numbers.
const (
	Plies Column = TextColumns + iota
	Komi         // in half points
	Handicap
	Margin // in quarters of a point
	Result // 1 first won, 2 second won, 3 drawn, 4 ended without one; unknown else
	FirstRating
	SecondRating
	FirstRank // facts.Rank.Strength + 100
	SecondRank
	FirstDay // of those that the date may mean, as an ordinal
	LastDay
	Columns
)

// Texts says which texts of a column are meant. All are folded as package text
// folds them.
type Texts struct {
	Parts []string            // a text that contains one of them
	Whole map[string]struct{} // a text that is one of them
}
