// Package book is what games say of positions: how often each was reached, how
// these games ended, which moves were made there, and what the results are worth
// when they are backed up by minimax. It is an opening book for every game of
// the program, made of records alone; what engines and people say of positions
// is another matter, and is never mixed with it.
//
//	b := book.New(rules)
//	err := b.Add(book.FromPlayed(rules, id, stamp, played))
//	entry, ok := b.Look(position, book.LookOptions{Threshold: 20})
//
// The main type is Book. Positions are nodes of a graph, found by a Key that is
// the same for all pictures of a position and for all ways to it; a side that
// must pass does so before it is looked at. Nodes and edges are counted apart:
// through other orders of moves, games at the child are not games by the move.
//
// R is the value that results give a position: the best of those behind its moves
// that enough games have reached, as the side to move sees them, and the mean of
// the scores at the position itself where there is none. Enough is said of games
// at the position behind a move, and not of those by the move: a value belongs to
// a position, by whatever order of moves it came about.
//
// A Book is a base, which is an immutable file that is mapped into memory, and a
// delta, which is what was added and removed since. A game that is removed is
// played again and subtracted, for which the base keeps the moves of all games.
// Everything is derived: a file that is missing, damaged or old is made anew.
//
// The package does not read records, knows no library, and searches no moves.
package book
