// Package renju plays Renju and Gomoku in all forms that game/renju has.
//
//	e := renju.New(engine.Options{})
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
package renju
