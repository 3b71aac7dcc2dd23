// Package alike asks a library what is alike in it: games like a game, players like
// a player, what goes with a name, clusters of patterns, openings and players.
//
//	room := alike.New(library, search, players)
//	answer, err := room.Like(ctx, kind, game, 10, nil)
//
// What it reads of the games of a kind is kept until the library changes; the first
// question after that pays for it, some seconds for a hundred thousand games. What
// was left out is said in every answer.
package alike
