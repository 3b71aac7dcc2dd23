// Package api is what the rooms of the server stand on: routes with their policy
// beside them, parameters that several routes share, errors as clients get them,
// and the [Service] with the library that all of them ask.
//
//	s := api.New(ctx, lib, api.Options{Log: log})
//	api.Get(s, api.Kept, "/games", "list-games", "games", "Kinds of game", list)
//	http.Serve(listener, s.Handler())
//
// It knows how to ask, and nothing of what can be asked: a room registers its
// routes, says what its errors mean to a client, and adds what has to be closed.
package api
