// Package psq reads the records of Piskvork, the manager of Gomoku programs
// and tournaments: .psq files, and .rec files of the older Gomotur.
//
//	Piskvorky 20x20, 11:11, 0
//	11,10,1200          column, row (from 1, top left), milliseconds
//	10,10,300
//	pbrain-one.exe
//	pbrain-two.exe
//	-1
//
// The header holds the size of the board, the levels of the two players, and
// who of them begins: 1 for the second. Tournaments add the names of the
// players, a code for how the game ended, and their own lines, such as
// "0,Freestyle15". A .rec file has the names in front, the beginner first, and
// counts from 0 on a board of 20x20.
//
// Moves become text in the notation xy, counted from 1; the time of each is in
// the property ms of its node. The lines behind the moves are tags: Player1,
// Player2, Code, Trailer. The rules are those that a trailer names, otherwise
// free, which is what Piskvork plays. The code does not tell who won, so that
// the result stays unknown.
//
// Pieces of the rules above were taken from the source of the program; no real
// file was at hand to try the package on. It does not write.
package psq
