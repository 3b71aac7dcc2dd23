// Package named knows what has a name on the boards of a game, whatever the name
// is made of: relational patterns and codes of openings (Xiangqi), openings by
// their positions (Othello, Renju), openings by regions of the board (Go).
//
//	book, err := named.New(xiangqi.Standard, base, nil)
//	item := book.Find("馬後炮")      // by id, or by a name in any language
//	tree := item.Query()             // what finds it in records
//	hits, err := book.At(nil, moves) // what stands on a board, piece by piece
//
// An [Item] is one such thing. A [Book] has all of one kind of game; it is made of
// tables of the program and of the patterns that users have written, and does not
// change.
package named
