// Package pgn reads and writes PGN as players of Xiangqi and of five in a row
// use it: tag pairs, then moves with comments and variations.
//
//	for g, err := range pgn.Format.Read(src) {
//		...
//	}
//
// # What is read
//
// Xiangqi with moves in Chinese (traditional, simplified, full-width or plain
// digits), WXF, ICCS or UCI notation; Gomoku and Renju with moves such as h8,
// among them PlayOK files, which write the choices of swap2 between the moves.
// A record that names no game and has no sign of these is of chess, which the standard
// is about, where the reader was made with it.
//
// The moves stay text. [record.Game].Notation follows the Format tag where the
// moves do not speak against it, and the moves where there is no such tag;
// moves of several notations in one game leave it empty. "h3e3" is ICCS and
// UCI: UCI is meant where a rank 10 occurs, or where the first move of a game
// from the usual start makes sense in UCI alone.
//
// Tags may come in any order, more than once, several on a line, with quotes
// that nobody escaped, or not at all. Files may be in any encoding that package
// charset can tell, in UTF-16 too, with any ends of lines; every game is
// decoded by itself, so that collections pasted together from several encodings
// come out right. Move numbers are skipped whatever they are; a game that is
// numbered from something else than 1 has the property MN on its first move. A
// new tag section begins a new game, and so does "1." behind a result.
//
// Kept in properties of nodes:
//
//	NAG     "1" "14"            the annotations $1 $14
//	Suffix  "!?"                what is glued to a move: ! ? + #
//	MN      "12"                the number of the first move
//	Choice  "--" "white" "--"   PlayOK: what was said in place of moves
//
// Text behind the result, often an advertisement of the program that wrote the
// file, becomes part of the comment of the last move, with a note.
//
// The player under the tag Black of a swap2 game may have played White in the
// end. Facts are by colour: there the players and the result are exchanged
// where the choices say so.
//
// # What is written
//
// UTF-8, moves as the tokens that they are, with a Format tag that names their
// notation. What PGN has no place for is written as a command comment, as chess
// programs do with [%clk]:
//
//	{[%prop NAME "value" "value"]}   a property of the move before it
//	{[%text "a comment with } in it"]}
//	{[%tag NAME "a header with a line break"]}
//
// The values are quoted as in Golang. Nodes without a move are left out if they
// say nothing; what they say goes to the move before them. Variations that begin
// with such a node, set-up point by point, a stated turn, and one side moving
// twice cannot be written.
//
// # What it refuses
//
// Other games: such a game is a fault that says so, and chess where the program that
// reads does not have it. A line that looks like a tag pair begins a game even inside
// a comment; the writer avoids such lines.
package pgn
