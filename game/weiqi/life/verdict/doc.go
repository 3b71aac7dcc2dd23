// Package verdict judges every string of a board: what proofs leave open is weighed.
//
//	j := verdict.New(nil)               // with the weights of the program
//	j.Judge(p, &b, false, &judgement)   // of which a proof has filled in what it can
//
// # How
//
// A string is described by some seventy numbers: its stones and liberties, what it
// shares with strings of its side, who is beside it and how short of liberties, the
// land that it would have if the dead were taken off, the eyes in it, what it can
// reach without passing living enemies, influence, and what the string graph says.
// See [Names]. A forest of decision trees turns them into a chance to stay on the
// board.
//
// Most of these numbers depend on which other strings are dead. So there are rounds,
// each with a forest of its own: the first takes all strings for alive, the next
// ones see what the round before has made of the neighbours. (The idea of a cascade
// is that of E. van der Werf, "AI techniques for the game of Go", 2004, who did it
// with neural networks.) In the last round, strings that are still in doubt are read:
// can they be captured, moving first, and moving second? Reading is bounded, so what
// hangs on it may come out unclear on one side of the board and clear on the other;
// all else is the same however the board is turned, and with colours exchanged.
//
// Who stays without two eyes beside enemies of which that is true as well is in seki.
//
// # What it is worth
//
// Chances are honest on finished games, which the forests were grown from; a string
// is called unclear where the other fate has more than one chance in twenty. In the
// middle of a game the question itself has often no answer: where a board looks like
// that (see [life.Board.Early]), nothing is read, chances are drawn towards life, which
// is what becomes of most strings, and all are unclear. docs/life.md has the figures.
//
// Cost on 19x19: about 0.4 milliseconds, more where strings are read.
package verdict
