// Package gib reads GIB, the format in which the Tygem server and its partners
// save games of Go.
//
// A file is lines: a header between \HS and \HE, one "\[NAME=value\]" a line (a
// value may run over several lines), and the game between \GS and \GE:
//
//	INI 0 1 3 &4      the start: 3 handicap stones, and perhaps a comment
//	STO 0 2 1 16 2    a stone: number of the line, side (1 black), column, row
//	SKI 0 3           a pass
//
// There is no description of the format by its makers; this is what the files
// say. The board is 19x19. Columns and rows count from 0, from the top left.
// Handicap stones are where Tygem puts them: the third on the upper left, not
// on the lower right. Text is EUC-KR, GBK or UTF-8, never declared.
//
// All headers become Tags. GAMETAG and GAMEINFOMAIN hold codes: the result (W,
// GRLT: 0 and 1 by points, 3 and 4 by resignation, 7 and 8 on time, for black
// and white), ten times the points (Z, ZIPSU) and ten times the komi (G,
// GONGJE). A komi of 0 in an even game is not known to be one. Where the words
// of GAMERESULT name another winner than the code, that is noted, and the code
// holds.
//
// REM and IDX lines, whose meaning is not known, are kept as properties.
// Several files joined into one are read as several games.
//
// Read only.
package gib
