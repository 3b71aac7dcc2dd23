// Package simple judges positions of games that have no engine of their own yet,
// so that all of them can be played at once: [Xiangqi], [Rows] (Renju and
// Gomoku), [Weiqi] (Go) and [Discs] (Othello on any board).
//
//	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
//
// Each is an engine.Evaluator that looks at the planes of a position, and tells
// the engine which moves are worth reading (alphabeta.Candidates) or have to be
// read to the end (alphabeta.Tactician). They know what a beginner learns in the
// first weeks: the worth of pieces, fours and open threes, liberties and eyes,
// corners. [Nothing] knows nothing at all.
//
// The package imports no game: pieces are known by their numbers.
package simple
