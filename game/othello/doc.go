// Package othello is the game of Othello (Reversi): discs that are enclosed
// turn over, a side without a move must pass, the game ends when neither side
// can move, and empty squares count for the winner.
//
// [Standard] is the game on 8x8, with a1 at the top left and Black to move
// first; [New] makes it on other boards with even sides.
//
//	p := othello.Standard.Start()
//	err := p.Play(othello.Move("f5"))
//
// The 8x8 board is a pair of 64-bit words, the others are bit planes; both keep
// the same interface, and tests hold them against each other. A forced pass is
// a move of its own ([game.Pass]); transcripts leave it out, and
// [game.ParseMoves] puts it back.
//
// The package knows no openings, no evaluation and no file formats.
package othello
