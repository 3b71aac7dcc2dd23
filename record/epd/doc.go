// Package epd reads and writes EPD, positions of chess with what is to be said of them, one
// to a line.
//
//	r1bqk2r/p1pp1ppp/2p2n2/8/1b2P3/2N5/PPP2PPP/R1BQKB1R w KQkq - bm Bd3; id "Test.24";
//
// The first four fields of FEN are followed by operations: a word, what it is about, and a
// semicolon. Texts stand between quotation marks.
//
// # Reading
//
// A position is a game that starts there and has no moves: nobody played the best move.
// Each operation is a tag under its word, in the order of the line: bm (the best moves), am
// (moves to be avoided), id, ce, acd and any other. hmvc and fmvn, or the last two fields of
// FEN, are the clocks of the position; id is its event, c0 its comment. Rights to castle by
// files (HAha) make it a position of Chess960. Lines that begin with # belong to nothing.
//
// # Writing
//
// Clocks are written as hmvc and fmvn where they are not those of a game that begins. A game
// with moves is not a position. A position of another format gives its event as id, its
// comment as c0.
package epd
