// Package obf reads and writes OBF, the format of test positions of Othello
// programs: a position to a line, with the values of its moves.
//
//	O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;
//
// The line holds 64 squares from a1 to h8 row by row (X Black, O White, - empty),
// the side to move, and moves with their score in discs as the mover sees it,
// the best first.
//
// # Reading
//
// A position is a game that starts there and has no moves: nobody played the
// best move, and statistics must not count it. The scores stay together in the
// tag Scores; [Scores] takes them apart. A label before the squares is the tag
// Name, what follows a % is the comment. Lines that begin with % or # belong to
// the next position: "% Key: value" is a tag, anything else its comment.
//
// Also read are lines without scores, with a single move and score ("X A2 +38"),
// and the layout "squares Black 32 -34", where the move is a number, 8*row +
// column from 0, and the score is Black's; it is turned to the view of the side
// to move. Two scores for one move are noted; scores that cannot be read (a
// program wrote -1 where it found no move) and scores for a square that is taken
// are marked.
//
// # Writing
//
// Positions are written as above, byte for byte as they were read where the
// file was in this layout. A position of another format gives its facts as "% Key:
// value", and every header that these do not say; where the name of one means
// something else here, it has the name of its format before it. A game with
// moves is not a position.
package obf
