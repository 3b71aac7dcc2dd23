// Package protocol serves engines to other programs: GTP, the Go Text Protocol of
// version 2, for every game, and NBoard, the protocol of an Othello program of
// that name.
//
//	g := protocol.GTP{Rules: othello.Standard, Open: open}
//	err := g.Serve(ctx, os.Stdin, os.Stdout)
//
// Both read lines and write lines. A thought is under way in the goroutine of
// Serve, while another reads on: what must not wait (the end of the input, quit,
// an interrupt) reaches the thought at once, everything else is done in its
// order. Lines have a greatest length; what is longer is refused and skipped.
//
// # GTP
//
// All commands of the standard that concern play, and these:
//
//	set_game, list_games   another game: as Edax has them
//	gogui-rules_...        the rules of the game, for GoGui
//	qipu-analyze           what the engine thinks, as it thinks, until the next line
//
// Colours are those of the game: b and w, and in Xiangqi r (or w) and b. Points
// are written as follows:
//
//	Go, Renju   letter without I, rank from the bottom: J10
//	Othello     letter, rank from the TOP, as everywhere in Othello: F5
//	Xiangqi     the squares that a piece leaves and reaches: h2e2
//
// A side that moves twice in a row is taken to mean that the other has passed,
// where the rules allow that: in Othello only where it must. A line "# interrupt"
// ends a thought with what it has come to, as GoGui wants it.
//
// # NBoard
//
// Version 2: nboard, set depth, set game, set contempt, move, hint, go, ping,
// learn, analyze; set myname, status, nodestats, search, book, analysis, learned,
// pong and === are the answers. Unknown lines are ignored. Values are for the
// side to move. Any line ends a thought.
//
// The package refuses to choose an engine or its strength: Open and Limits say.
package protocol
