// Package gtp serves engines by GTP, the Go Text Protocol of version 2, for every
// game.
//
//	s := gtp.Server{Rules: othello.Standard, Open: open}
//	err := s.Serve(ctx, os.Stdin, os.Stdout)
//
// All commands of the standard that concern play, and these:
//
//	set_game, list_games   another game: as Edax has them
//	gogui-rules_...        the rules of the game, for GoGui
//	kgs-genmove_cleanup    a move that takes dead stones off
//	qipu-counters          on, off: whether thoughts are counted; alone: what the last did
//	lz-analyze, kata-analyze, qipu-analyze
//	                       what the engine thinks, as it thinks, until the next line
//	lz-genmove_analyze, kata-genmove_analyze
//	                       the same, and then the move is made
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
// # The end
//
// Where the rules leave it to the players what is dead, final_score and
// final_status_list judge the board as if both sides passed now. Where rules count
// what stands, that is counted. A move behind two passes that nobody has counted goes
// on with the game.
//
// # Analysis
//
// The commands take a colour, hundredths of a second between two reports, and pairs
// of a word and a value: interval, maxmoves, and "avoid COLOUR POINTS UNTIL" or
// "allow ...", which hold for the next move alone. Pairs that are unknown are left
// alone. A report is one line, and each of its moves begins with info:
//
//	lz-analyze     move, visits, winrate and lcb in hundredths of a per cent, order, pv
//	kata-analyze   move, visits, utility, winrate and lcb from 0 to 1, scoreMean and
//	               scoreLead where the game is counted, order, pv
//	qipu-analyze   move, value in what the game is counted in, depth, nodes, exact, order, pv
//
// All are for the side to move. Visits are the positions that were read for the
// whole report: the engines of this program have no count for each move. What they
// call a rate of wins is a value on a curve, and no better than the engine.
package gtp
