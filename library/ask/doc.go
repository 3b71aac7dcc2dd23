// Package ask answers questions about a library: in the language of package query,
// with names of players, collections, saved queries, shapes and patterns looked up in
// the library, over all kinds of game that a question may be about.
//
//	search := ask.New(lib, players.New(lib))
//	reply, err := search.Ask(ctx, &ask.Question{Text: "game:othello player:Ada"})
//
// [Searcher] is the main type. The search itself is in package retrieve, which knows
// no names; this package reads a question, binds it to kinds of game, and tells what
// else may have been meant.
package ask
