// Package library is an open library: its records, what people keep beside them, and
// the sessions of games that are played. It owns the store, in a folder or on servers.
//
//	lib, err := library.Open(ctx, dir, library.Options{Create: true, Games: games, Formats: formats})
//	report, err := lib.Import(ctx, library.ImportOptions{}, "games/")
//	g, stored, err := lib.Record(ctx, 1)
//
// [Library] imports, copies, checks and repairs, and keeps the index of names in step
// with the records. The rooms above it ask it: ask answers questions, livebook keeps
// the opening book in step, players knows who plays. Those that follow its games
// register with Watch.
package library
