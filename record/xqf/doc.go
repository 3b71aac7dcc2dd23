// Package xqf reads and writes XQF, the Xiangqi records of XQStudio: one game
// with variations and comments in a file.
//
// # The format
//
// A header of 1024 bytes holds the squares of the 32 pieces, the result, and
// names as Pascal strings in fixed fields; the tree of moves follows, depth
// first, all that follows a move before its sibling:
//
//	from+24 to+32 flags reserved [comment length, comment]
//
// A square is 10*file+rank, from Red's left and Red's side. From version 11 on
// the squares, the moves and the lengths are hidden behind keys that the header
// itself carries; that is no secret, and all versions are read: 10 (plain), 11,
// 12, 13, 16, 18. Versions above 18 are tried as 18 and noted.
//
// # What is read
//
// Moves are "iccs" texts (h2e2). A square outside the board makes a text such
// as "95-12", which no game reads as a move: the record is kept and marked.
// Start is empty for the usual start with Red to move. The side to move is the
// colour of the first piece that moves; the header's own mark is believed only
// where nothing moves, since programs leave it at Red.
//
// The text is GB18030, in files from Taiwan Big5; it is guessed from all text
// of the file together. A name cut in the middle of a character by the end of
// its field loses that half character, and nothing else.
//
// A file that ends too early keeps what is there, and is marked. Surplus bytes
// behind the tree are noted.
//
// # What is written
//
// Plain version 10 with variations and comments, which every program reads,
// with text in GB18030. The first reserved bytes then name the encoding, so
// that it need not be guessed again; other programs pass over them.
//
// What the header has no field for (a round, a team) and a name longer than its
// field go to the end of the comment before the first move, as lines
//
//	[Event "the full name"]
//
// and are headers again when such a file is read. Properties of moves in other
// formats go to the end of the comment of their move in the same way, and come
// back as properties; there may be 200,000 such lines in a file.
//
//	[%MN "7"]
//
// A game in another notation than ICCS, set-up in the middle of a game, or more
// pieces than the 32 places take are refused with record.ErrInexpressible:
// nothing is left out silently.
package xqf
