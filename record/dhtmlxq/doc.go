// Package dhtmlxq reads and writes the text that Xiangqi web boards exchange in
// forums, known as DhtmlXQ or UBB:
//
//	[DhtmlXQ]
//	[DhtmlXQ_title]...[/DhtmlXQ_title]
//	[DhtmlXQ_binit]0919...[/DhtmlXQ_binit]
//	[DhtmlXQ_movelist]77477242...[/DhtmlXQ_movelist]
//	[DhtmlXQ_move_0_5_1]89798070[/DhtmlXQ_move_0_5_1]
//	[DhtmlXQ_comment1_5]...[/DhtmlXQ_comment1_5]
//	[/DhtmlXQ]
//
// binit holds the squares of the 32 pieces, two digits each, column and row
// from the top left, 99 for a piece that is not there. A move is four digits.
// move_P_N_B is the branch B, which leaves branch P (0 is the main line) by
// another move number N; comment_B_N, without "B_" for the main line, is the
// comment on move N; 0 is the start. Two bars stand for a line break.
//
// # What is read
//
// One text or many, alone or somewhere in a page; any encoding that package
// charset can tell. Closing tags are often named differently from the opening
// ones (a known bug of a widely used program) or missing: a value ends where
// the next tag of either kind begins. Moves become ICCS text ("7747" is h2e2),
// and digits that are no square stay as they are, for the rules to refuse. The
// format does not say who begins: it is the owner of the piece that moves
// first. The tag fen, which some programs add, counts more than binit.
//
// Branches and comments that belong to no move are kept among the tags, and
// the game is marked.
//
// # What is written
//
// Xiangqi whose moves are in ICCS or UCI, in UTF-8, branches numbered in the
// order of the tree. The tag fen is added where binit cannot say it all (move
// counters). Properties of nodes cannot be written, nor text with two bars in
// a row.
package dhtmlxq
