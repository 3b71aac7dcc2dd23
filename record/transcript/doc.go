// Package transcript reads and writes transcripts of Othello games: the squares
// in the order they were played, run together or parted, a game to a line.
//
//	f5d6c3d3c4f4f6
//	F5-D6-C3-D3-C4
//	1. f5 d6  2. c3 d3  34-30
//	final, anna - bert: f5f6e6f4e3
//
// # Reading
//
// Case does not matter. Squares may be run together or parted by spaces,
// commas, dashes or dots, with or without move numbers. Passes (pa, ps, pass,
// --) are kept where they are written; most transcripts leave them out, and the
// rules put forced ones back. No side is stated.
//
// A game may go on over several lines: lines whose number says so, and lines
// that cannot begin a game and repeat none of its squares. What stands before
// the squares of a line is the tag Name, what stands behind them the tag Result
// or Note. In a table with a line of titles, one of which is "moves" or
// "transcript", the columns are tags under their titles. Lines that begin with
// #, % or // belong to the next game: "# Key: value" is a tag, anything else,
// like every other line that is no game, its comment.
//
// Something among the squares that is none stays among the moves, for the rules
// to mark. A game that begins as games do from the mirrored start (c5, d6, e3,
// f4) is noted. The result is understood where it says who won: discs
// ("34-30"), "B+4", "draw", or a column called winner with 1, 0 and -1. A
// number with a sign alone does not say whose view it is.
//
// Only games on 8x8 from the usual start are transcripts.
//
// # Writing
//
// A game is a line of small letters, with passes as "pa" where the record has
// them. Headers come before it as "# Key: value", the comment of the game as
// "## text". A game of another format gives its facts, and every header that
// these do not say; where the name of one means something else here, it has the
// name of its format before it ("# wthor.Black: 12", the number of a player).
// Anything else (variations, comments and properties of moves, set-up) is an
// error.
package transcript
