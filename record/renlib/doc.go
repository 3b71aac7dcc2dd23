// Package renlib reads the libraries of RenLib: trees of Renju openings and
// analyses on the 15x15 board, with comments, labels and marks.
//
// # The format
//
// Twenty bytes of header (FF "RenLib" FF, version), then the nodes, depth
// first, all that follows a move before its sibling. A node is two bytes:
//
//	move: 16*row+column, column from 1 at the left, row from 0 at the top;
//	      0 is a pass, or the root where it comes first
//	flags: 80 a sibling follows     40 nothing follows the move
//	       20 old comment           08 comment
//	       10 mark                  04 start of a game
//	       02 no move, a label only 01 two bytes of further flags
//
// Comment and label follow, each ended by NUL and padded to an even number of
// bytes. A comment is one line and, behind a byte 08, further text. Old
// comments (program versions before 3) are seven-bit Swedish text whose last
// byte has its top bit set. Libraries of that time have no header and begin
// with the byte 78, the move in the centre.
//
// # What is read
//
// A library is one game of kind "renju" with moves in the "plain" notation
// (h8). The one-line comment and the text are one comment of two paragraphs.
// Labels are properties BoardText of the node whose stone carries them; a label
// on an empty point is a property Label "h9 A" of the node before it. Marks and
// starts are properties Mark and Start. The encoding of the text is stated
// nowhere and guessed from all of it.
//
// Libraries of millions of moves exist. One that is larger than a game may be
// comes as several games, each the line that leads to where the last one broke
// off and what follows; comments and labels of that line are in the first game
// that has it. Thus nothing is lost, and memory is bounded by the limits of the
// source.
//
// RenLib saves part of a library with the flags of the whole, so that siblings
// may be announced that never come: that is no fault.
//
// Nothing is written.
package renlib
