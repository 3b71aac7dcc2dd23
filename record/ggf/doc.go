// Package ggf reads and writes GGF, the Generic Game Format of the game server
// GGS, for games of Othello.
//
//	(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[anna]PW[bert]
//	RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+4.000]
//	BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
//	B[d3//0.01]W[c5/-1.50/3.20]B[e6]...;)
//
// GM names the game, TY its type, BO the start position (size, squares row by
// row with * for Black and O for White, side to move), RE the result in discs
// as Black sees it (:r resigned, :t out of time, :s agreed). A move is a square
// or a pass (PA, PASS), then the mover's evaluation and the seconds used, both
// optional.
//
// # Reading
//
// Games follow each other, on lines or not; what stands between them, such as
// the number of games of a match before a synchronous pair ("2 (;...;)(;...;)"),
// is skipped, so that a pair is two games in a row. Case does not matter in
// names of games and moves. All properties before the first move are tags in
// their order, komi bids (KB, KW, KM) among them; later ones belong to the move
// before them. Evaluation and seconds of a move are its properties EVAL and
// TIME. A property C is a comment. A backslash keeps the bracket or backslash
// behind it from ending a value, as in SGF.
//
// Boards of 4x4 to 24x24 become variants ("10x10"); an octagonal board (type
// 88) is kept and marked, since no rules here play it. The type of a game says
// more: a random start of n discs (8r18), komi (8k), anti-Othello (8a), a
// preferred colour (8b, 8w), synchronous (s8); komi and anti games are noted,
// because their winner is not who has more discs. A game whose end is missing
// is read up to the start of the next one and marked. Games other than Othello
// are faults.
//
// The reader was written from the description of the format and from single
// games published in the tests of other programs; it has not met a whole server
// archive.
//
// # Writing
//
// One game a line. Games of this format keep their properties as they were;
// others are written from their facts, and every header that these do not say
// is a property of its own. Where its name means something else here, or can be
// no name of a property, it is written as QX, with the format it came from:
//
//	QX[sgf.KM:0] QX[Spielort (Saal):2]
//
// and is a header called sgf.KM again when it is read. Every move must state its
// side, because alternating colours would be wrong behind a pass that the record
// leaves out.
//
// Variations and set-up inside a game cannot be written.
package ggf
