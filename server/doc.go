// Package server is the HTTP face of a library: a REST interface with JSON
// under /api/v1 that is described by an OpenAPI document, and around it what a
// program needs that strangers may send requests to.
//
//	s, err := server.New(ctx, lib, server.Options{Log: log})
//	http.Serve(listener, s.Handler())
//
// Package view has the types that travel. The rooms below this folder register what
// can be asked, each on the service of package api. Everything that can be asked is
// asked by GET, so that it can be shared as a link; everything that changes something
// is POST, PUT or DELETE. Answers are kept for as long as the library stays as it is,
// and carry an ETag. Long searches and imports tell how far they have come as event
// streams that can be resumed.
//
// The package knows no rules of any game and no query language of its own: it
// asks the library, and dresses what comes back. The pages are those of package
// web, which is handed in as a handler.
package server
