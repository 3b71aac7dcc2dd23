// Package external hosts engines that speak GTP, the Go Text Protocol of version
// 2, as child processes.
//
//	e, err := external.Start(ctx, external.Options{Rules: othello.Standard, Command: []string{"edax", "-gtp"}})
//	defer e.Close()
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
//
// The protocol has one board, kept by the child. Engine knows what is on it and
// brings it in step with each task by taking moves back and playing others; from
// move to move of a game that is a command or two. Games other than Go are
// written as programs have them: Othello with rank 1 at the top and a pass only
// where it is forced, Renju and Gomoku by the points of Go, Xiangqi by the
// squares that a piece leaves and reaches (h2e2), the first side as r.
//
// A child is not trusted. It may crash, hang, never read what it is told, print
// garbage or without end, answer commands that nobody gave, or make illegal
// moves: every wait has an end, every buffer a size, and what cannot be mended
// kills the child with all processes that it began. Within one thought it is
// started again once; then there is an error that names the command and tells
// what it printed last.
//
// GTP tells moves and not values: a report has one line, without a value. It has
// no way to stop a thought either: where the context ends, the child is killed,
// and started again for the next task.
package external
