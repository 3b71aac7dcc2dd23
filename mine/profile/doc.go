// Package profile describes games and those who play them by what is done on the
// board, and finds what is alike: games like a game, players like a player, the
// player of a game whose headers say nothing.
//
//	games, err := profile.Read(ctx, view, kind, numbers, nil, nil)
//	like := profile.NewLikeness(games).Nearest(profile.Of(kind, &line), 10)
//
// A [Game] is its steps, turned so that all pictures of a game are the same one,
// and the positions of its beginning. Both become features ([Game.features]): which
// positions were reached, which piece went where, and in which part of the game.
// Rare features count for more. No header is a feature, so that a record from
// anywhere can be compared, and nothing is known by the names in it.
package profile
