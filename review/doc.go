// Package review values every move of a game: what the engine thinks of the
// position behind it, what the move gave away, and what would have been better.
//
//	t, err := review.Task(played)
//	r, err := review.Run(ctx, e, t, review.Options{Limits: engine.Limits{Depth: 12}})
//	for _, m := range r.Moves {
//		fmt.Println(m.Ply, m.Value, m.Loss, m.Mark)
//	}
//
// A game is read from its end to its beginning with one engine. What the engine
// has learnt about a position is still in its table when it comes to the
// position before, so that this is cheaper than the other way round, and the
// values of neighbouring positions agree.
//
// The loss of a move is the difference of two readings with the same horizon:
// that of the best move to some depth, and that of the position behind the move
// to a ply less. Values that are read to different depths differ by the noise of
// the evaluation, which would count as a mistake of whoever moved. For the same
// reason all readings of a game end with the same side to move.
//
// Whose opinion it is stands in the review ([Opinion]), with the error of that
// engine on games that it was not made from. A move is called a mistake only where
// it gives away more than that error, or where both values are exact. Of an engine
// that nobody has measured only proofs are told, unless somebody has chosen it.
//
// The package refuses to judge without an engine, and it chooses none.
package review
