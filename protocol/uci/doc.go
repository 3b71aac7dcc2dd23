// Package uci serves engines by UCI, the Universal Chess Interface, and by UCCI,
// its elder relation in Xiangqi, for every game whose moves are coordinates.
//
//	s := uci.Server{Rules: xiangqi.Standard, Open: open}
//	err := s.Serve(ctx, os.Stdin, os.Stdout)
//
// # UCI
//
// It understands uci, isready, setoption, ucinewgame, position, go, stop,
// ponderhit and quit. go knows depth, nodes, movetime, mate, wtime, btime, winc,
// binc, movestogo, infinite, ponder and searchmoves; without any of them it
// thinks as the server is told, or until stop. The options are Hash (MB), Threads,
// MultiPV, Ponder, UCI_Variant (which game), UCI_Chess960 and Notation (how moves are written).
// debug, register and lines that are unknown are silently ignored, as the protocol
// wants it.
//
// Moves are in the notation of the game that is called uci, else in its first one:
// in Xiangqi h3e3 with ranks from 1, as Fairy-Stockfish writes them; "setoption name
// Notation value iccs" makes that h2e2, as Pikafish does. A pass is 0000.
//
// # UCCI
//
// Version 3: ucci, isready, setoption, position, banmoves, go, stop, ponderhit and
// quit, with depth, nodes, time, increment, movestogo, infinite and ponder; what is
// said of the opponent's clock and of offers of a draw is read and not used. The
// options are hashsize (MB), threads, usemillisec, newgame, ponder and batch.
//
// # What both hold
//
// Every go is answered by one bestmove (UCCI: or nobestmove), and isready by
// readyok, even while a thought is under way. Neither protocol knows errors: what
// is wrong is told by "info string" (UCCI: "info message"), and a go behind a
// position that could not be read has no move, instead of one of another game.
// Scores are hundredths of what the engine counts in, for the side to move.
package uci
