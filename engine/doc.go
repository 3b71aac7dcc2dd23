// Package engine is the seam between those who want a move and those who think
// about one: an [Engine] is given a [Task] and [Limits], tells what it thinks
// while it thinks, and answers with a [Report].
//
//	task := &engine.Task{Rules: othello.Standard, Moves: moves}
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
//	best := report.Lines[0].Move
//
// Engines know neither books nor records. A level of play ([AtLevel]) is laid
// around an engine, as is a book ([WithProber]). One engine thinks about one task at
// a time: many games share a few through a [Pool].
package engine
