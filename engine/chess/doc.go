// Package chess plays chess and Chess960.
//
//	e := chess.New(chess.Options{})
//	report, err := e.Think(ctx, &engine.Task{Rules: rules}, engine.Limits{Time: time.Second}, nil)
//
// A board of its own keeps sets of squares, keys and the sum of its pieces in step with the
// moves. The evaluation is linear: where pieces stand, and terms that are counted
// (features.go), each with a weight for a full board and one for an empty one; package
// workshop/chess fits them to the results of games. The search is that of principal
// variations, with what engines have in common from engine/tree: the table of positions, the
// time, the order of moves that were learnt, the depth that late moves lose.
package chess
