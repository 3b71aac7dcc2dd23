// Package gather makes tables for miners of the games of a library: whatever the game,
// items are its names, shapes and facts.
//
//	set, err := gather.Set(ctx, lib, search, &gather.Options{Text: "game:xiangqi", At: gather.Moment{Ply: 40}})
//
// A row is a game, or a position of one, at a [Moment]; what its columns say was known
// then. Intervals of names are cut off behind the moment, codes of openings are worked
// out anew from the moves until it, and strengths of players that no header tells come
// from earlier games alone.
package gather
