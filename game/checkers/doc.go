// Package checkers is checkers as it is played in America and England (English
// draughts): eight by eight squares of which the dark ones count, twelve men a side,
// kings that go one step. Who can jump must, and a piece that has jumped goes on as long
// as it can, which is one move; a man that is crowned stops. Black moves first; who cannot
// move has lost. A position that comes for the third time, and forty moves of each side
// without a capture and without a man that moves, are draws by claim.
//
// A capture is the squares where it begins and ends. Where several captures share these
// and take different pieces, they are told apart by [game.Move.Way]; the same pieces in
// another order are the same move. No position has more than four.
package checkers
