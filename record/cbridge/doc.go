// Package cbridge reads the Xiangqi records of CCBridge (象棋桥): CBR, one game
// with variations and comments, and CBL, a library of such records.
//
// # CBR
//
// "CCBridge Record\0", an identifier, UTF-16LE texts in fixed fields, result,
// side to move, the board from Black's left, and from byte 2214 the tree, depth
// first, all that follows a move before its sibling:
//
//	flags 0 from to [comment length, comment]
//
// Flag 1 ends a line, 2 says that a sibling follows, 4 that a comment does. The
// first node is the start itself: its squares mean nothing, and with flag 1 the
// record has no moves. A square is 9*row+file from the top left.
//
// # CBL
//
// "CCBridgeLibrary\0", name, source, maker and remark of the library, at byte
// 66,624 the index, and behind it the records in blocks of 4096 bytes. The
// number at byte 60 is the room in the index, in entries of 276 bytes, not the
// number of games. An entry has a state, the place in the order of display, the
// number of blocks, the bytes in use, identifier and title. The lower bits of
// the state are 7 for a record in use and 5 for one that its user deleted.
//
// The records of a library come one by one, in the order of the file, with the
// memory of one. A deleted record is passed over with a note. A record that the
// index does not know is read and noted. Bytes behind those in use are what an
// older, longer version of the record left there; they are not read.
//
// # What is read
//
// Moves are "iccs" texts (h2e2); a square outside the board makes a text such
// as "95-12", which no game reads as a move, and a mark. The side to move is
// the colour of the first piece that moves, and the header's where none does.
// Headings of chapters, which have no moves, are games with a comment only. A
// record that ends too early keeps what is there, and is marked. The name and
// source of a library are headers of all its games (Library, LibrarySource,
// LibraryAuthor), the remark of the first one (LibraryRemark).
//
// Nothing is written.
package cbridge
