// Package game is the small interface that every game of the program keeps.
//
// [Rules] is a kind of game (Othello on 8x8, Go on 9x9 under Japanese rules);
// a [Position] is one moment of one game: it lists moves, plays them, takes
// them back, and tells the [Outcome]. A [Move] is an integer; text exists only
// at the border, in notations that Rules reads and writes.
//
//	p := othello.Standard.Start()
//	m, err := othello.Standard.ParseMove(p, "f5", game.AnyNotation)
//	err = p.Play(m)
//
// The interface is cut at the position, never at the point: code that scans
// boards asks for [Planar] and works on whole bit planes. What only some games
// have is an optional interface, found by type assertion: [Varied],
// [MoveCounter], [Noted] here, and others where they are consumed.
//
// The package knows no game. Each game is a package below it, and
// game/gametest checks that it keeps the laws stated here.
package game
