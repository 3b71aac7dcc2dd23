// Package ecco tells which opening of Xiangqi a game has, by the codes A00 to E99
// of the Encyclopedia of Chinese Chess Openings (ECCO, 2004): a letter for what Red
// begins with and how Black answers, a digit for the system, a digit for the
// variation.
//
//	code, ply := ecco.Classify(moves) // "C23", 15: no later move changes it
//	e, ok := ecco.Lookup(code)
//	e.Names.Hant // 中炮過河車七路馬左橫車兌三兵對屏風馬兩頭蛇高右炮
//
// # Definitions
//
// A code is a matter of the moves alone, not of the position that they lead to:
// orders of moves that come to the same board may have different codes. Only the
// first ten moves of each side count. Games that are mirror images of each other
// have the same code: what is said of one wing holds for the other.
//
// The file codes.txt holds the definitions. They are rules, read from the top; the
// first that holds is entered and never left, and the code at the end of a list is
// that of all games that no rule of the list took.
//
//	red move 1:                                 Red's first move is
//	  E3+5:                                     one of these
//	    black move 1:
//	      E3+5: A11
//	black beyond H2+3 H8+7:                     the first of Black's moves, from the
//	  P3+1 P7+1: C03                            second on, that is none of these
//	red C2=5 H2+3 and black H8+7 in any order:  the first moves of the sides
//	  C20
//
// A move is written as in the notation of the World Xiangqi Federation; "none" is
// where a side has no such move.
//
// The definitions were learnt from 17,498 games of the Chinese Chess Practical
// Dataset (Yu-Han Tseng and Bo-Nian Chen, CC BY 4.0), which have a code in their
// headers: few rules of the three kinds above that explain the codes, found by a
// search that the tests of this package do again. They give 99.7 % of these games
// the code of the header, 99.9 % its group (letter and first digit). Definitions
// that were learnt from four fifths of the games give 98.8 % and 99.7 % of the
// others theirs. A code that no game has is not defined, and one that two have may
// not be.
//
// The names are composed of terms, file names.txt.
//
// The package does not know the rules of the game: it takes moves for legal.
package ecco
