// Package reversi plays and solves Othello on 8x8.
//
//	e := reversi.New(engine.Options{Threads: 2})
//	defer e.Close()
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
//	solution, err := e.Solve(ctx, position, reversi.SolveOptions{}, nil)
//
// A position is two words, the discs of the side to move and those of the other.
// From the deepest to the root, a search goes through
//
//	last.go     one to four empty squares, without lists
//	endgame.go  to the end of the game, in discs: exact, and selective passes before
//	midgame.go  to a depth, in hundredths of a disc, judged by the evaluation
//	cut.go      Multi-ProbCut: what shallow searches leave out, and how surely
//	search.go   the root: several moves, windows, threads
//	plan.go     which searches follow each other, and how a clock is shared out
//
// table.go is the hash table that all of them and all threads share, bits.go what
// is read off the words. Package eval is the evaluation; judge.go values positions
// for the training of its weights.
//
// An answer within a depth or a number of nodes depends on nothing but the task,
// the limits and the seed, if it is thought by one thread.
package reversi
