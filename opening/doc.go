// Package opening knows the names of openings.
//
// Where a game has few beginnings (Othello, Renju), a name belongs to a position,
// so that it is found by whatever order of moves the position came about, and
// however the board is turned; of several positions on the way the last one names
// the game.
//
//	names := opening.Of(othello.Standard)
//	o, ok := names.Deepest(start, moves) // "Tiger"
//	o, ok = names.At(position)
//
// Where it has many (Go), an opening is drawn: stones of a corner, a side or the
// whole board within the first moves, whatever stands elsewhere. Several stand on
// a board at once.
//
//	names := opening.Of(weiqi.Standard)
//	list := names.AppendAt(nil, planes, turn, ply) // komoku, nirensei, ...
//	o, ok := names.Fuseki(start, moves)            // "Chinese opening"
//
// Openings of both sorts are found by name ([Names.Find]: any language, any way of
// writing), and as patterns to search records with ([Names.Patterns]).
//
// Names are tables of text that lie with the rules of each game, which tell them
// as a [Teller]; a game without any has no names, and everything answers so. Start
// makes balanced beginnings by chance, for games that shall not all be alike.
//
// The package knows nothing of results and values: those are of packages book
// and book/theory.
package opening
