// Package gomocup serves engines by the protocol of Gomocup and Piskvork, for games
// in which stones are put onto a board and five in a row win.
//
//	s := gomocup.Server{Rules: rules, Open: open}
//	err := s.Serve(ctx, os.Stdin, os.Stdout)
//
// Commands and their answers; points are X,Y from 0, from the top left:
//
//	START N, RECTSTART W,H   OK, or ERROR: a board of that size
//	RESTART                  OK: an empty board
//	BEGIN                    X,Y: the first move
//	TURN X,Y                 X,Y: the reply to a move
//	BOARD ... DONE           X,Y: the reply in a position, one stone a line: X,Y,1 (own) or X,Y,2
//	YXBOARD ... DONE         nothing: the position is there, and nobody thinks (as Yixin has it)
//	SWAP2BOARD ... DONE      three stones for none; SWAP, X,Y or two stones for three; SWAP or X,Y for five
//	TAKEBACK X,Y             OK: the last stone is gone
//	YXSTOP                   nothing: the thought under way ends with the move that it has
//	INFO KEY VALUE           nothing
//	ABOUT                    name="...", version="..."
//	END                      nothing, and the session is over
//
// INFO knows timeout_turn, timeout_match and time_left (in ms), max_memory (in
// bytes) and rule: 0 for five or more, 1 for exactly five, 4 for Renju. Other rules
// are told to be unknown by MESSAGE, other keys are silently left alone. Other
// commands are answered by UNKNOWN, what cannot be done by ERROR.
//
// SWAP2BOARD is decided by what positions are worth to the engine: see package
// qipu/engine/swap. Boards whose rules have no Swap2, those of Renju, refuse it.
package gomocup
