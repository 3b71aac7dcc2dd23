// Package trace sees a search: a [Recorder] is told of every position that is
// entered and left, with its window, its value and the reason, and keeps counts
// exactly and the tree as far as it is allowed to grow.
//
//	rec := trace.New(trace.Options{Nodes: 10_000})
//	report, err := e.Think(ctx, task, engine.Limits{Depth: 6, Record: rec}, nil)
//	fmt.Println(rec.Counters().Nodes, len(rec.Tree().Nodes), rec.Tree().Left)
//
// The counts are those of TECH (Gillogly 1972, in section 4.1 of paper 002):
// positions and leaves by ply, cuts by kind and by the number of the move that
// made them, hits of the table, time in the generator, the evaluation and the
// ordering.
//
// Values are those of package engine as plain numbers: engines import this
// package, and not the other way round. A nil Recorder is one that is switched
// off: searches ask for it once a position and do nothing then.
package trace
