// Package classic has the methods of search that section 2 of paper 002 surveys, one
// file each, as their authors described them and slow enough to be read: for study,
// beside the engines that play.
//
//	r, err := classic.Run(ctx, "alphabeta", classic.Problem{Position: p, Eval: simple.Stores{}, Depth: 6})
//
// All take the same [Problem] and give a [Result]; a trace.Recorder sees every one of
// them. What is exact has the value of plain minimax of the same depth. Where sources
// leave something open, or are not at hand, the file says what our reading is, and so
// does docs/methods.
package classic
