// Package opening knows the names of openings. A name belongs to a position, so
// that it is found by whatever order of moves the position came about, and
// however the board is turned; of several positions on the way the last one
// names the game.
//
//	names := opening.Of(othello.Standard)
//	o, ok := names.Deepest(start, moves) // "Tiger"
//	o, ok = names.At(position)
//
// Names are tables of text in this package, one file a game; a game without one
// has no names, and everything answers so. Start makes balanced beginnings by
// chance, for games that shall not all be alike.
//
// The package knows nothing of results and values: those are of packages book
// and book/theory.
package opening
