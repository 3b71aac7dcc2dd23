// Package guard stands between the network and the handlers of a server: who
// may do what, how much, how fast, and what is written down of it.
//
//	g := guard.New(guard.Options{Exposed: true, Token: token})
//	mux := http.NewServeMux()
//	mux.Handle("GET /metrics", g.Metrics())
//	srv := g.Server(":8080", mux)
//	err := srv.ListenAndServe()
//
// The program serves on the loopback address by default, to the one person at
// the machine. What threatens it there are the pages of other sites in that
// person's browser: they may post to it, embed it, or get a name of their own
// to point at it. So the name that the browser used is checked, requests that
// other sites start are refused, and every answer carries headers that forbid
// foreign content. Where the program is exposed to a network
// (Options.Exposed), it answers to its own names and addresses alone, a token
// tells its owner from others (see [Role]), and clients are limited in their rate.
//
// In both cases bodies are bounded, a client that sends or takes bytes too
// slowly is cut off, a panic becomes an answer, and each request leaves one
// line in the log and its count in the metrics. Heavy work is admitted by a
// [Gate], which handlers enter themselves.
//
// Every refusal is a [Problem] (RFC 9457) that says what happened, a short
// stable code for programs, and a hint what to do. Handlers use the same shape
// for their own errors.
//
// [Guard.Wrap] must be given the ServeMux itself, or handlers that pass the
// same *http.Request on: the pattern of the route is read from it afterwards,
// for the log and the metrics.
package guard
