// Package chess is chess by the laws of FIDE, Chess960, and the chess of Los Alamos.
//
//	p := chess.Standard.Start()
//	m, err := chess.Standard.ParseMove(p, "Nf3", game.AnyNotation)
//	err = p.Play(m)
//
// # Rules
//
// A pawn that reaches the last rank becomes what its move names:
// game.Step(e7, e8).Naming(chess.WhiteQueen), for Black too. Castling is the step of
// the king by two files.
//
// Mate and stalemate are final, the one lost and the other drawn. The third time
// that a position comes, fifty moves of both sides without a capture or a move of a
// pawn, and a dead position, in which nobody can be mated any more (a king alone
// against a king with at most one bishop or knight, or with bishops of one colour on
// both sides), are drawn by claim: moves stay possible, and records go on.
//
// A pawn that may be taken in passing is part of a position only where such a
// capture is legal, so that positions are equal where their moves are.
//
// The chess of Los Alamos (variant "losalamos") is what Kister, Stein and Ulam's
// program played in 1956: six by six squares, no bishops, no castling, pawns that
// never step two squares and become a queen, a rook or a knight.
//
// # Texts
//
// Position texts are FEN: pieces, turn, castling rights, the square behind a pawn
// that may be taken in passing, plies without capture or move of a pawn, number of
// the move. Moves are written in the algebraic notation of FIDE (Nf3, exd8=Q+,
// O-O), in its long form (Ng1-f3), as engines do (g1f3, e7e8q), or with the letters
// of German (Sf3). Each is read whichever is meant: with and without x, +, #, =,
// with 0-0 and figurines, with more squares than are needed.
package chess
