// Package wthor reads and writes the WTHOR database of Othello games, the
// format of the French federation: game files (.wtb) and the tables of players
// (.jou) and tournaments (.trn) that they point into.
//
// A file is a header of 16 bytes and records of one size, little-endian:
//
//	 0  century, year, month, day of the file, one byte each
//	 4  N1  uint32  number of games (.wtb)
//	 8  N2  uint16  number of names (.jou, .trn)
//	10      uint16  year of the games
//	12  P1  byte    board size, 8; 0 means 8
//	13  P2  byte    1 for a file of solitaires
//	14  P3  byte    number of empty squares that the theoretical score is for
//	15      byte    reserved
//
//	game, 68 bytes: tournament, black, white uint16; real score, theoretical
//	score byte (Black's discs, empty squares counted for the winner); 60 moves,
//	10*row + column each, 0 behind the last
//	player, 20 bytes; tournament, 26 bytes: the name in Latin-1, padded with NUL
//
// # Reading
//
// [Format].Read looks for the tables beside the file ([record.Source].Sibling)
// under the names in use: that of the file, its part before the underscore,
// WTHOR and WTH. A game keeps its three numbers in the tags, so that tables
// that turn up later, in an archive for instance, can be brought in by [Bind];
// until then it is noted that the names are missing. Tables belong to one
// edition of the database: numbers that a table does not have are marked. A
// table read as a file yields no games.
//
// Passes are not stored. The moves are the squares, no side is stated, and the
// rules put forced passes back. The result is taken from the real score; that
// it came about by counting is only said where all 60 squares were played.
//
// What breaks the format stays with the game: a byte that is no square becomes
// the number as text, which no game reads as a move. Records behind the number
// that the header announces are read and marked. Boards of 10x10 are refused.
//
// # Writing
//
// Write gives back the bytes that were read, header, oddities and bytes behind
// the last record included; [Names].WriteTo does the same for tables. It writes
// no tables, so the numbers have to be there and of one edition: games that name
// one number differently, or come from files of different dates, are refused.
//
// WriteSet writes the tables too. Games of one edition keep their numbers, so that
// the game file is the one that was read, and the tables have those of the names
// that its games need. Else players and tournaments are numbered afresh by their
// names: games of other formats can be written and games of different editions be
// brought together. Games whose names nobody knows keep their
// numbers; beside games with names they are refused.
//
// A record holds the players, the tournament, the year, the scores and the
// moves. Of games of other formats no more than that is written; forced passes
// are left out as the format asks. Variations, comments, set-up positions,
// properties of moves, results without a disc count and names that do not fit
// are errors, and so are games of several years in one file and more than
// 500,000 games. A theoretical score that another format has carried along is
// written again; where no game has one, the real score is written as the score
// with no empty squares left.
package wthor
